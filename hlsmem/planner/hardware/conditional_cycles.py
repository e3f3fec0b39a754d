"""The cycles of runs in which instances are skipped: what is simulated is what the program did.

A plan bounds the cycles of all runs. Of the outcomes of conditions that are simulated it also has
the exact ones, which takes a C compiler: the program itself decides which of its instances run.
Long runs have the bound alone, as cycles in which instances are passed over are simulated one by
one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlsmem.core.errors import HlsmemError
from hlsmem.planner.array_folding import Folded
from hlsmem.planner.hardware.storage_placement import Placement
from hlsmem.program.model import Program

if TYPE_CHECKING:
    from hlsmem.check.replayed.run_events import Run

# Cycles of a run that is simulated for each outcome: about a second.
_MOST_CYCLES = 50_000


def runs_of(found: Folded, placement: Placement) -> tuple[tuple[int, int], ...]:
    """The seed and the cycles of each run that `check` simulates, where they differ by run.

    None without a C compiler, and for long runs: the bound alone is known then.
    """
    program, timing, chosen = found.program, placement.timing, placement.chosen
    if program is None or chosen is None or timing is None:
        return ()
    if timing.runs is None or timing.cycles is None or timing.cycles > _MOST_CYCLES:
        return ()
    # Most programs skip nothing, and their plans load nothing of the checks.
    from hlsmem.check.c_trees.clang_file import NotUnderstood
    from hlsmem.check.replayed.replay_check import Disagreement, outcomes_of
    from hlsmem.check.replayed.replay_check import runs_of as simulated_runs

    names = {problem.array.name for problem in found.problems}
    planned = [one for one in program.planned_arrays() if one.name in names]
    outcomes = outcomes_of(program)
    known = []
    try:
        simulated = simulated_runs(program, planned, outcomes=outcomes)
        for outcome, (run, _) in zip(outcomes, simulated, strict=True):
            cycles = chosen.run(program, idle_times(program, run)).cycles
            if outcome is not None and cycles is not None:
                known.append((outcome.seed, cycles))
    except (HlsmemError, NotUnderstood, Disagreement):
        return ()
    return tuple(known)


def idle_times(program: Program, run: Run) -> dict[str, Any]:
    """The times of the instances that do not run, by statement: arrays with a row for each."""
    from hlsmem.check.replayed.array_values import Recorded, families_of, running

    families = families_of(program)
    ran = running(Recorded(run, families), families) or {}
    return {
        one.statement.name: one.times[~ran[one.statement.name]]
        for one in families
        if one.statement.filters
    }
