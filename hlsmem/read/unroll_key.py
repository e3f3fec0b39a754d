"""The key `pipeline.unroll`: from loops by their names to entries of times."""

from __future__ import annotations

import re

from hlsmem.program.model import Order, Program
from hlsmem.read.design_names import nearest
from hlsmem.read.schema import DesignKeys
from hlsmem.read.texts import Texts

_KEY = ("pipeline", "unroll")


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
