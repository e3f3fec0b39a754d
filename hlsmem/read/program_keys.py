"""Keys that name arrays and loops of a program: `plan.expand` and `pipeline.unroll`.

The first puts arrays into single assignment, loops of the second become entries of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from hlsmem.program.model import ConflictInput, Order, Program, Storage
from hlsmem.read.design_names import nearest
from hlsmem.read.design_schema import DesignKeys
from hlsmem.read.texts import Texts

_KEY = ("pipeline", "unroll")


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
    for what, remedy in hindrances(name, program):
        texts.problem(f"plan.expand: {what}", remedy, *path)


def hindrances(name: str, program: Program) -> Iterator[tuple[str, str]]:
    """Why an array of a program is not put into single assignment, each with what to do."""
    if program.arrays[name].storage is Storage.STREAM:
        what = f"{name!r} is a stream, whose elements enter and leave once"
        yield what, "make it a memory or external"
    reads = (r for one in program.statements for r in one.reads if r.array == name)
    if any(access.chosen for access in reads):
        yield f"data decide which element of {name!r} is read", "leave it out"
    writes = (w for one in program.statements for w in one.writes if w.array == name)
    if not all(access.must for access in writes):
        what = f"a write of {name!r} may not happen, so that its values are not known"
        yield what, "leave it out"


def unroll_factors(keys: DesignKeys, program: Program, texts: Texts) -> dict[int, int]:
    """Factors above 1 by entries of times; what is wrong goes to the problems of `texts`."""
    factors = {loop: factor for loop, factor in keys.pipeline.unroll.items() if factor > 1}
    if not factors:
        return {}
    if program.order is not Order.ITERATION:
        what = "pipeline.unroll makes steps of iterations, and order: sequential has no steps"
        texts.problem(what, "add order: iteration", *_KEY)
    if keys.plan.tile is not None:
        what = "pipeline.unroll and plan.tile together are not available yet"
        texts.problem(what, "leave out one of them", *_KEY)
    found: dict[int, int] = {}
    for loop, factor in factors.items():
        entries = _entries(program, loop)
        if not entries:
            loops = [name for name in program.iterator_names if not re.fullmatch(r"t\d+", name)]
            known = loops or list(program.iterator_names)
            remedy = nearest(loop, known, f"the loops are: {', '.join(known)}")
            texts.problem(f"there is no loop {loop!r} to unroll", remedy, *_KEY, loop)
        for entry in entries:
            if entry >= program.step_dimensions:
                what = f"the loop {loop!r} is within a step, which has all its iterations already"
                texts.problem(what, "leave it out, or raise pipeline.level", *_KEY, loop)
            found[entry] = factor
    return found


def _entries(program: Program, loop: str) -> list[int]:
    """The entries of times that loops of this name count; their names may be numbered."""
    name = re.compile(rf"{re.escape(loop)}(_\d+)?")
    return [k for k, one in enumerate(program.iterator_names) if name.fullmatch(one)]
