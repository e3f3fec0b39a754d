"""A program as it is planned: in its order, cut to its tile, streams as statements, unrolled."""

from __future__ import annotations

from dataclasses import replace

from hlsmem.errors import Problems
from hlsmem.order.legality import check_legality
from hlsmem.order.serial import one_after_the_other
from hlsmem.order.streams import with_streams
from hlsmem.order.tile import cut
from hlsmem.order.unroll import unrolled
from hlsmem.program import Program


def arranged(program: Program) -> Program:
    """The program of the tile, or the whole one, with its streams made statements, unrolled.

    Raises InputError where its order, or unrolling, violates a dependence of the order of its
    source, where there is no planning its tile alone, and as `with_streams`.
    """
    problems = Problems()
    check_legality(program, problems)
    problems.raise_if_any()
    part = cut(program, problems)
    problems.raise_if_any()
    found = unrolled(with_streams(part), program, problems)
    problems.raise_if_any()
    return found


def in_the_order_of_c(given: Program, program: Program) -> Program:
    """The program in the order in which generated C runs it; itself where that is its own.

    `program` is `given` arranged. C runs one instance after the other, and unrolled loops as
    they are in its source.
    """
    if program.lanes:
        program = arranged(replace(given, unroll={}))
    return one_after_the_other(program)
