"""Question of `hlsmem dataflow`: the sources of every read, with what conditions decide."""

from __future__ import annotations

from dataclasses import field

from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.limits import WorkLimitError
from hlsmem.program.model import ConflictInput
from hlsmem.program.options import Design
from hlsmem.read.design_names import nearest
from hlsmem.studies.dataflow.legality import check_conditions, check_loops, check_names
from hlsmem.studies.dataflow.reads import ReadFlow, flows_of
from hlsmem.studies.dataflow.sources import Control

# Operations of isl that a read may take: about 3 s. Those of published programs take a hundredth.
# A budget above the default raises it in proportion.
_OPERATIONS = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DataflowAnswer:
    """The sources of reads, of one statement or of all."""

    design: Design = field(compare=False)
    control: Control
    flows: tuple[ReadFlow, ...]


def ask_dataflow(
    design: Design, *, statement: str | None = None, control: Control = Control.LEAST
) -> DataflowAnswer:
    """The sources of the reads of a design, whose conditions are judged as well.

    Raises InputError for a conflict set, a statement that is not there and conditions that cannot
    be told, LimitError where even the possible sources take too much work.
    """
    program = design.input
    if isinstance(program, ConflictInput):
        what = "a conflict set has no reads, and no dataflow"
        raise InputError(Problem(what, "give a program"))
    names = [one.name for one in program.statements]
    if statement is not None and statement not in names:
        remedy = nearest(statement, names, f"the statements are: {', '.join(names)}")
        raise InputError(Problem(f"there is no statement {statement!r}", remedy))
    check_names(program)
    check_loops(program)
    operations = _OPERATIONS * design.plan.effort
    try:
        flows = flows_of(program, control=control, operations=operations)
    except WorkLimitError as limit:
        where = f" at {limit.step}" if limit.step else ""
        what = f"the dataflow takes more than {operations} operations of isl{where}"
        remedy = "simplify the conditions, or raise plan.budget"
        raise LimitError(Problem(what, remedy)) from None
    check_conditions(program, flows)
    chosen = tuple(one for one in flows if statement in (None, one.read.statement))
    return DataflowAnswer(design=design, control=control, flows=chosen)
