"""Device families: what they are made of, what synthesis makes of memories, what tools take them.

Choices of the command line, texts of messages and of the schema, benchmarks and tests come from
`FAMILIES`, which holds the families of `devices/families` by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.source_location import SourceLocation
from hlsmem.devices import families
from hlsmem.devices.primitives import Device, Family, names


def _found() -> Mapping[str, Family]:
    modules = sorted(module.name for module in iter_modules(families.__path__))
    made = (import_module(f"{families.__name__}.{name}").FAMILY for name in modules)
    return {family.name: family for family in made}


FAMILIES: Mapping[str, Family] = _found()

# Where a design names no target and hardware has to be made of something.
DEFAULT_FAMILY = "ecp5"


def family_of(device: str, place: SourceLocation | None = None) -> Family:
    """The family of a device, by the device's name or the family's own.

    Raises InputError, with the names that there are, for any other, which stands at `place`.
    """
    if device in FAMILIES:
        return FAMILIES[device]
    for family in FAMILIES.values():
        if any(member.name == device for member in family.devices):
            return family
    raise InputError(_unknown(device, place))


def device_named(device: str) -> Device | None:
    """The device; None where the name is that of a family, whose resources have no end.

    Raises InputError, with the names that there are, for any other.
    """
    members = family_of(device).devices
    return next((member for member in members if member.name == device), None)


def _unknown(device: str, place: SourceLocation | None) -> Problem:
    near = [f for f in FAMILIES.values() if device.startswith(f.name)]
    shown = near or list(FAMILIES.values())
    known = "; ".join(f"{family.name}: {names(family.devices)}" for family in shown)
    alone = "" if near else f"a family alone ({', '.join(FAMILIES)}) or a device of it: "
    return Problem(f"{device!r} is no device known here", f"use {alone}{known}", place)
