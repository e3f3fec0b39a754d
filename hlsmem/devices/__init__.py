"""The families and devices known, as data: one file a family."""

from __future__ import annotations

from hlsmem.devices import ecp5, ice40, xc7, xcup
from hlsmem.devices.primitives import Device, Family, names
from hlsmem.errors import InputError, Problem

FAMILIES: dict[str, Family] = {
    family.name: family for family in (ecp5.FAMILY, ice40.FAMILY, xc7.FAMILY, xcup.FAMILY)
}


def family_of(device: str) -> Family:
    """The family of a device, by the device's name or the family's own.

    Raises InputError, with the names that there are, for any other.
    """
    if device in FAMILIES:
        return FAMILIES[device]
    for family in FAMILIES.values():
        if any(member.name == device for member in family.devices):
            return family
    raise InputError(_unknown(device))


def device_named(device: str) -> Device | None:
    """The device; None where the name is that of a family, whose resources have no end.

    Raises InputError, with the names that there are, for any other.
    """
    members = family_of(device).devices
    return next((member for member in members if member.name == device), None)


def _unknown(device: str) -> Problem:
    near = [f for f in FAMILIES.values() if device.startswith(f.name)]
    shown = near or list(FAMILIES.values())
    known = "; ".join(f"{family.name}: {names(family.devices)}" for family in shown)
    families = "" if near else f"a family alone ({', '.join(FAMILIES)}) or a device of it: "
    return Problem(f"{device!r} is no device known here", f"use {families}{known}")
