"""The `limits` key: what a plan, and each of its arrays, may take at most."""

from __future__ import annotations

from collections.abc import Iterable

from hlsmem.core.errors import Problems
from hlsmem.program.model import ConflictInput, Program, values_name
from hlsmem.program.options import LimitOptions, Limits
from hlsmem.read.design_names import nearest
from hlsmem.read.design_schema import ArrayLimitKeys, DesignKeys, LimitKeys
from hlsmem.read.document import Document

_KEYS = ("cells", "words", "bits", "blocks", "cycles", "standing")


def read_limits(
    keys: DesignKeys, document: Document, given: Program | ConflictInput | None, problems: Problems
) -> LimitOptions:
    """The limits of a design; adds a problem for what they cannot be held against."""
    asked = keys.limits
    if given is not None:
        known = sorted(_planned(given))
        for name in asked.arrays:
            if name not in known:
                problems.add(
                    f"limits.arrays: {name!r} is not a planned array",
                    nearest(name, known, f"planned arrays: {', '.join(known) or 'none'}"),
                    document.key_place("limits", "arrays", name),
                )
    whole = _limits(asked, document, ("limits",))
    arrays = {
        name: _limits(one, document, ("limits", "arrays", name))
        for name, one in asked.arrays.items()
    }
    if keys.target.device is None:
        for one in (whole, *arrays.values()):
            if one.blocks is not None:
                problems.add(
                    "limits: blocks are those of a device, and no device is named",
                    "add target.device, such as ecp5-25k",
                    one.places["blocks"],
                )
    if None not in (asked.blocks, keys.target.block_rams):
        problems.add(
            "limits.blocks and target.block_rams are the same limit",
            "leave one of the two out",
            whole.places["blocks"],
        )
    return LimitOptions(whole=whole, arrays=arrays)


def _planned(given: Program | ConflictInput) -> Iterable[str]:
    if isinstance(given, ConflictInput):
        return set(given.conflicts)
    values = {values_name(name) for name in given.expand}
    return {array.name for array in given.planned_arrays()} | values


def _limits(keys: LimitKeys | ArrayLimitKeys, document: Document, path: tuple[str, ...]) -> Limits:
    values = {key: getattr(keys, key, None) for key in _KEYS}
    places = {key: document.place(*path, key) for key, value in values.items() if value is not None}
    return Limits(**values, places=places)
