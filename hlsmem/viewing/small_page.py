"""The page that `plan` and `check` write by themselves, of a run that is not long."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.check import DesignUnderCheck
from hlsmem.core.errors import LimitError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Verdict
from hlsmem.viewing.instance_columns import accesses_of
from hlsmem.viewing.page import page_of
from hlsmem.viewing.run_trace import trace_of

# Accesses to planned arrays up to which a run is drawn unasked.
_MOST = 200_000


@dataclass(frozen=True, slots=True)
class SmallPage:
    """The page of a run that is not long; else None, and in words why `report.md` has none."""

    html: str | None
    remark: str = ""


def small_page(subject: DesignUnderCheck, verdicts: Sequence[Verdict] = ()) -> SmallPage:
    """The page of a plan, with the verdicts of its checks where there are any."""
    program = subject.program
    if not subject.plan.arrays:
        return SmallPage(None)
    if program is not None and accesses_of(program, list(subject.plan.arrays)) > _MOST:
        return SmallPage(None, "`hlsmem view` draws the run, cell by cell, on a page.")
    try:
        return SmallPage(page_of(trace_of(subject, verdicts=verdicts)))
    except LimitError as error:
        return SmallPage(None, f"No page shows the run: {error.problems[0].what}.")
