"""The methods that find mappings, in the order in which they are tried and listed."""

from __future__ import annotations

from hlsmem.core.errors import InputError, Problem
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.method import Method, Proposal, Variant, endless_reason, proved
from hlsmem.mapping.methods import (
    bases,
    exhaustive,
    family,
    gauge,
    hyperplane,
    lattice,
    linear,
    minima,
    reuse,
    successive,
    vector,
    width,
)
from hlsmem.mapping.row_major import declared_box
from hlsmem.mapping.storage_mapping import NoMapping, StorageMapping, unfolded


def _declared(problem: StorageProblem, budget: int) -> StorageMapping | NoMapping:
    """The identity modulo the declared extents, or modulo the box around the elements.

    No search: the budget is not used.
    """
    del budget
    conflicts = conflicts_of(problem)
    if not conflicts.differences.is_bounded():
        return NoMapping(method="declared", reason=endless_reason(conflicts))
    box = declared_box(conflicts)
    if box is None:
        return NoMapping(
            method="declared",
            reason="nothing declares the size: neither extents nor bounded elements are known",
        )
    offset = tuple(-lower for lower in box.lower)
    proposal = Proposal(piece=unfolded(box.extents, offset), work=0)
    return proved(proposal, conflicts, "declared")


_METHODS = (
    Method(
        name="declared",
        description="the array as declared, not folded",
        source="the program itself",
        run=_declared,
        folds=False,
    ),
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


def methods(*, compared: bool = False) -> tuple[Method, ...]:
    """The methods that `auto` tries, in this order; `compared`: and those it leaves out."""
    return (*_METHODS, *vector.METHODS) if compared else _METHODS


def variants() -> tuple[Method, ...]:
    """Every variant of every method as a method of its own, called NAME:VARIANT."""
    return tuple(_as_method(method, variant) for method in _METHODS for variant in method.variants)


def method_named(name: str) -> Method:
    """The method NAME, or the variant NAME:VARIANT of one as a method.

    Raises InputError that lists the names there are.
    """
    own, colon, chosen = name.partition(":")
    known = methods(compared=True)
    method = next((method for method in known if method.name == own), None)
    if method is None:
        names = ", ".join(["auto", *(method.name for method in known)])
        raise InputError(Problem(f"unknown method {own!r}", f"use one of: {names}"))
    if not colon:
        return method
    for variant in method.variants:
        if variant.name == chosen:
            return _as_method(method, variant)
    names = ", ".join(f"{own}:{variant.name}" for variant in method.variants)
    remedy = f"use one of: {names}" if names else f"it has no variants; use {own!r}"
    raise InputError(Problem(f"method {own!r} has no variant {chosen!r}", remedy))


def _as_method(method: Method, variant: Variant) -> Method:
    name = f"{method.name}:{variant.name}"
    return Method(
        name=name,
        description=variant.description,
        source=variant.source,
        run=variant.run(name),
        like=f"{method.name}:{variant.like}" if variant.like else "",
    )
