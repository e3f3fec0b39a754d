"""The normal form: the C that people write as the C that `region` reads, in small rewrites.

Rewrites are files of this folder, but for that of counters, and are registered here in the order
in which they run.
A rewrite that finds nothing to do leaves the syntax tree as it is, node by node.
"""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.normal.control_flow.assertions import use_assertions
from hlsmem.read.c.normal.control_flow.break_conversion import settle_breaks
from hlsmem.read.c.normal.control_flow.counted_while import bound_loops
from hlsmem.read.c.normal.control_flow.data_bounds import run_to_promised
from hlsmem.read.c.normal.control_flow.if_conversion import guard_assignments
from hlsmem.read.c.normal.control_flow.joined_conditions import join_conditions
from hlsmem.read.c.normal.control_flow.jump_removal import settle_jumps
from hlsmem.read.c.normal.functions.inlining import inline_calls
from hlsmem.read.c.normal.functions.iteration_outlining import outline_iterations
from hlsmem.read.c.normal.functions.side_effects import separate_effects
from hlsmem.read.c.normal.objects.address_taken import place_addressed
from hlsmem.read.c.normal.objects.block_copies import write_copies
from hlsmem.read.c.normal.objects.collected_sums import collect_sums
from hlsmem.read.c.normal.objects.delinearization import nest_flat_loops
from hlsmem.read.c.normal.objects.initializers import assign_initial_values
from hlsmem.read.c.normal.objects.pointees import name_pointees
from hlsmem.read.c.normal.objects.static_variables import gather_statics
from hlsmem.read.c.normal.rewrite_unit import Rewrite, Unit
from hlsmem.read.c.normal.scalars.index_propagation import replace_indices
from hlsmem.read.c.normal.scalars.loop_scoping import own_variables
from hlsmem.read.c.normal.unrolling.pipelined_loops import mark_steps
from hlsmem.read.c.normal.unrolling.pipelined_unrolling import write_pipelined
from hlsmem.read.c.normal.unrolling.scalar_forwarding import gather_scalars
from hlsmem.read.c.normal.unrolling.unrolling import write_stages
from hlsmem.read.c.normal.whole_region import mark_region

REWRITES = (
    Rewrite(
        name="region",
        description="the body of a function without scop is the region; several scops are one",
        run=mark_region,
    ),
    Rewrite(
        name="calls",
        description="bodies of functions in the place of their calls",
        run=inline_calls,
    ),
    Rewrite(
        name="pointees",
        description="variables in place of pointers to them; counters of streams as int",
        run=name_pointees,
    ),
    Rewrite(
        name="conditions",
        description="comparisons joined by | and & as ones joined by || and &&",
        run=join_conditions,
    ),
    Rewrite(
        name="copies",
        description="memcpy and memset of rows and arrays as loops",
        run=write_copies,
    ),
    Rewrite(
        name="statics",
        description="static variables that nothing else sees in front of the region",
        run=gather_statics,
    ),
    Rewrite(
        name="addressed",
        description="variables whose address is taken as arrays of one element",
        run=place_addressed,
    ),
    Rewrite(
        name="initial",
        description="numbers that local arrays begin with as loops, constant tables in front",
        run=assign_initial_values,
    ),
    Rewrite(
        name="jumps",
        description="continue, early return and switch as branches",
        run=settle_jumps,
    ),
    Rewrite(
        name="owned",
        description="variables that only loops which data end set, declared in these",
        run=own_variables,
    ),
    Rewrite(
        name="effects",
        description="steps inside expressions as statements of their own",
        run=separate_effects,
    ),
    Rewrite(
        name="sums",
        description="elements that loops only add to as scalars, stored behind the loops",
        run=collect_sums,
    ),
    Rewrite(
        name="stages",
        description="loops of few constant turns whose variable is a power or shifts, turn by turn",
        run=write_stages,
    ),
    Rewrite(
        name="steps",
        description="a mark in loops that are pipelined without a pragma",
        run=mark_steps,
    ),
    Rewrite(
        name="pipelined",
        description="loops inside of pipelined ones, turn by turn",
        run=write_pipelined,
    ),
    Rewrite(
        name="indices",
        description="index variables and pointers by what they hold; while and do as for",
        run=replace_indices,
    ),
    Rewrite(
        name="gathered",
        description="scalars of a pipelined iteration in the place of their one use",
        run=gather_scalars,
    ),
    Rewrite(
        name="outlined",
        description="what a pipelined iteration computes in variables of its own, in functions",
        run=outline_iterations,
    ),
    Rewrite(
        name="asserted",
        description="what is asserted of subscripts in these subscripts",
        run=use_assertions,
    ),
    Rewrite(
        name="promised",
        description="loops to bounds in the data as loops to their greatest promised values",
        run=run_to_promised,
    ),
    Rewrite(
        name="endless",
        description="loops that data end as counted ones that break, where kernel.trips counts",
        run=bound_loops,
    ),
    Rewrite(
        name="flattened",
        description="loops over all elements of a flat array as nests over rows and columns",
        run=nest_flat_loops,
    ),
    Rewrite(
        name="breaks",
        description="break on indices as a condition of its loop",
        run=settle_breaks,
    ),
    Rewrite(
        name="choices",
        description="branches that data decide as chosen values, or guards of one assignment",
        run=guard_assignments,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The unit after a rewrite that changed it."""

    rewrite: Rewrite
    unit: Unit


def prepared(unit: Unit) -> tuple[Unit, tuple[Stage, ...]]:
    """The unit after all rewrites but the last, and what it was after each that changed it.

    The last one alone asks which conditions are `tested`.
    """
    return _rewritten(unit, REWRITES[:-1])


def normal_form(unit: Unit, before: tuple[Stage, ...]) -> tuple[Unit, tuple[Stage, ...]]:
    """A unit that is `prepared`, with the stages `before`, in normal form, and all its stages."""
    found, last = _rewritten(unit, REWRITES[-1:])
    return found, before + last


def _rewritten(unit: Unit, rewrites: Sequence[Rewrite]) -> tuple[Unit, tuple[Stage, ...]]:
    stages = []
    for one in rewrites:
        new = one.run(unit)
        if new.function is not unit.function:
            stages.append(Stage(rewrite=one, unit=new))
        unit = new
    return unit, tuple(stages)
