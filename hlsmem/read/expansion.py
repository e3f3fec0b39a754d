"""The `plan.expand` key: arrays of a kernel that are put into single assignment."""

from __future__ import annotations

from dataclasses import replace

from hlsmem.program.model import ConflictInput, Program, Storage
from hlsmem.read.design_names import nearest
from hlsmem.read.schema import DesignKeys
from hlsmem.read.texts import Texts


def with_expansion(
    keys: DesignKeys, program: Program | ConflictInput | None, texts: Texts
) -> Program | ConflictInput | None:
    """The program that knows what to expand; what cannot be goes to the problems of `texts`."""
    names = keys.plan.expand
    if not names or program is None:
        return program
    path = ("plan", "expand")
    if isinstance(program, ConflictInput):
        what = "plan.expand has no meaning for a conflict set, which has no reads and writes"
        texts.problem(what, "leave it out", *path)
        return program
    if program.kernel is None:
        what = "plan.expand is for C kernels: the operands of a network have their numbers"
        texts.problem(what, "give the network an array with an element for each value", *path)
        return program
    if keys.order != "sequential":
        what = (
            "order: iteration makes steps of what a statement reads; plan.expand splits its reads"
        )
        texts.problem(what, "leave one of the two out", "order")
    for position, name in enumerate(names):
        _check(name, program, texts, (*path, position))
    return replace(program, expand=tuple(dict.fromkeys(names)))


def _check(name: str, program: Program, texts: Texts, path: tuple[str | int, ...]) -> None:
    if name not in program.arrays:
        remedy = nearest(name, list(program.arrays), f"the arrays are: {', '.join(program.arrays)}")
        texts.problem(f"plan.expand: the kernel has no array {name!r}", remedy, *path)
        return
    array = program.arrays[name]
    if array.storage is Storage.STREAM:
        what = f"plan.expand: {name!r} is a stream, whose elements enter and leave once"
        texts.problem(what, "make it a memory or external", *path)
    writes = [w for one in program.statements for w in one.writes if w.array == name]
    unsure = next((access for access in writes if not access.must), None)
    reads = [r for one in program.statements for r in one.reads if r.array == name]
    chosen = next((access for access in reads if access.chosen), None)
    if chosen is not None:
        what = f"plan.expand: data decide which element of {name!r} is read"
        texts.problem(what, "leave it out", *path)
    if unsure is not None:
        what = f"plan.expand: a write of {name!r} may not happen, so that its values are not known"
        texts.problem(what, "leave it out", *path)
