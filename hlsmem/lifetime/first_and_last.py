"""First write and last read of every element, as functions of the element.

Source: Alias, Baray, Darte, "Bee+Cl@k" (LCTES 2007), section 3: the functions FW and LR, by
isl's lexicographic minimum and maximum over all accesses instead of a parametric program for
each.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.live_interval import stored_uses
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.program.model import Program
from hlsmem.timing.events import events
from hlsmem.timing.value_flow import dataflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifetimes:
    """First writes and last reads of the elements of one array, for all parameters.

    `first_write` and `last_read`: UnionMaps A[x] -> S[i], LIVE_IN and LIVE_OUT among the
    statements; elements that nobody reads from their cell have no last read. `differences`
    are those of conflicting elements. Where not `written_once`, elements have several values
    and may be free in between.
    """

    problem: StorageProblem
    program: Program
    first_write: Any = field(compare=False)
    last_read: Any = field(compare=False)
    written_once: bool

    @property
    def differences(self) -> Any:
        return self.problem.differences


def lifetimes(program: Program, problem: StorageProblem, *, strict: bool = False) -> Lifetimes:
    """The lifetimes of the array of `problem`, in the program's own order."""
    flow = dataflow(program, problem.array.name)
    times = events(program, strict=strict)
    reads = stored_uses(program, flow).curry().range_factor_range()
    return Lifetimes(
        problem=problem,
        program=program,
        first_write=_extreme(flow.values, times.writes, last=False),
        last_read=_extreme(reads, times.ends, last=True),
        written_once=flow.written_once,
    )


def _extreme(accesses: Any, times: Any, *, last: bool) -> Any:
    """Of { A[x] -> S[i] } the access of each element that comes first, or last.

    Several statements may make it at the same time.
    """
    found = accesses.apply_range(times)
    extreme = lexmax(found) if last else lexmin(found)
    return accesses.intersect(extreme.apply_range(times.reverse())).coalesce()
