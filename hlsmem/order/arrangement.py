"""A program as it is planned: in the given order, cut to its tile, its streams as statements."""

from __future__ import annotations

from hlsmem.errors import Problems
from hlsmem.order.legality import check_legality
from hlsmem.order.streams import with_streams
from hlsmem.order.tile import cut
from hlsmem.program import Program


def arranged(program: Program) -> Program:
    """The program of the tile, or the whole one, with its streams made statements.

    Raises InputError where its order violates a dependence of the order of its source, where
    there is no planning its tile alone, and as `with_streams`.
    """
    problems = Problems()
    check_legality(program, problems)
    problems.raise_if_any()
    program = cut(program, problems)
    problems.raise_if_any()
    return with_streams(program)
