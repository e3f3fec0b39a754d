"""The array parameters that are streams, as `kernel.parameters` says, or leaves to the plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hlsmem.program.model import Array, Kernel, Storage
from hlsmem.read.design_names import nearest
from hlsmem.read.design_schema import ArrayKeys, DesignKeys
from hlsmem.read.texts import Texts

FOUND = "auto"
"""Separator in a list, behind the user's names and in front of those that a plan found."""


def found_streams(kernel: Kernel, found: Sequence[str] = ()) -> str:
    """The setting for the streams that a design lists, those that a plan has found, and `found`."""
    before = [name for name in kernel.streamed if name not in kernel.listed]
    return f"kernel.parameters=[{', '.join((*kernel.listed, FOUND, *before, *found))}]"


def left_open(kernel: Kernel) -> tuple[str, ...]:
    """The setting, where a plan has found streams, with which it finds them again."""
    if set(kernel.streamed) <= set(kernel.listed):
        return ()
    listed = f"[{', '.join(kernel.listed)}]" if kernel.listed else FOUND
    return (f"kernel.parameters={listed}",)


def with_streams(
    kernel: Kernel,
    asked: str | Sequence[str] | None,
    arrays: Mapping[str, Array],
    renamed: Mapping[str, str],
    keys: DesignKeys,
    texts: Texts,
) -> tuple[Kernel, dict[str, Array]]:
    """The kernel with its streams, and those that are left to the plan; the arrays as streams.

    `renamed` are names of arrays here by those of the user's file.
    """
    if asked == "external":
        return kernel, dict(arrays)
    names = () if asked is None or isinstance(asked, str) else asked
    named = [renamed.get(name, name) for name in names if name != FOUND]
    possible = tuple(_possible(arrays, keys.arrays))
    _refuse_others(named, possible, texts)
    streamed = tuple(name for name in possible if name in named)
    listed = names[: names.index(FOUND)] if FOUND in names else names
    found = replace(kernel, streamed=streamed, listed=tuple(listed))
    if keys.plan.schedules == "given" and keys.plan.tile is None:
        found = replace(found, undecided=tuple(name for name in possible if name not in named))
    return found, {
        name: replace(array, storage=Storage.STREAM) if name in streamed else array
        for name, array in arrays.items()
    }


def _possible(arrays: Mapping[str, Array], settings: Mapping[str, ArrayKeys]) -> Iterator[str]:
    """The array parameters of which nothing says whether they are streams."""
    for name, array in arrays.items():
        asked = settings[name].model_fields_set if name in settings else ()
        is_open = array.is_parameter and array.index and array.storage is Storage.EXTERNAL
        if is_open and "storage" not in asked:
            yield name


def _refuse_others(named: Sequence[str], possible: Sequence[str], texts: Texts) -> None:
    """Tell names that are to be streams, but are no parameters of which that is left open."""
    for name in named:
        if name not in possible:
            what = f"{name!r} is no array parameter of which nothing else says how it is stored"
            remedy = nearest(name, list(possible), f"these are: {', '.join(possible) or 'none'}")
            texts.problem(what, remedy, "kernel", "parameters")
