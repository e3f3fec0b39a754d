"""The methods that find mappings, in the order in which they are tried and listed."""

from __future__ import annotations

from hlsmem.errors import InputError, Problem
from hlsmem.mapping.method import Method
from hlsmem.mapping.methods import (
    bases,
    declared,
    exhaustive,
    family,
    gauge,
    hyperplane,
    lattice,
    linear,
    minima,
    reuse,
    successive,
    width,
)

_METHODS = (
    declared.METHOD,
    successive.METHOD,
    linear.METHOD,
    width.METHOD,
    lattice.METHOD,
    reuse.METHOD,
    bases.METHOD,
    minima.METHOD,
    gauge.METHOD,
    exhaustive.METHOD,
    family.METHOD,
    hyperplane.METHOD,
)


def methods() -> tuple[Method, ...]:
    """All methods; `auto` tries them in this order."""
    return _METHODS


def method_named(name: str) -> Method:
    """The method called `name`; raises InputError that lists the names there are."""
    for method in _METHODS:
        if method.name == name:
            return method
    names = ", ".join(["auto", *(method.name for method in _METHODS)])
    raise InputError(Problem(f"unknown method {name!r}", f"use one of: {names}"))
