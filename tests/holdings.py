"""What plan.json says holds an array, for tests that look at it or plant faults in it."""

from __future__ import annotations

from typing import Any


def parts_in(own: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts that hold an array in hardware."""
    found: list[dict[str, Any]] = own["holdings"]["hardware"]["parts"]
    return found


def part_in(own: dict[str, Any]) -> dict[str, Any]:
    """The only one of them."""
    (part,) = parts_in(own)
    return part


def cells_in(own: dict[str, Any]) -> dict[str, Any]:
    """The cells that hold it in C."""
    (cells,) = own["holdings"]["host"]["parts"]
    found: dict[str, Any] = cells
    return found
