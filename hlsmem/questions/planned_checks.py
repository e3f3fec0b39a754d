"""The checks on a folder, with plans of smaller sizes where its run is too long to be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hlsmem.check import Checks
from hlsmem.check import run_checks as judged
from hlsmem.check.library_versions import Libraries
from hlsmem.core.verdict import BEATS
from hlsmem.emit.output_listing import made_with
from hlsmem.plan.plan_folder import refuse_strange
from hlsmem.program.options import Design
from hlsmem.read.design import load
from hlsmem.version import TOOL, libraries


def run_checks(
    out: Path,
    only: tuple[str, ...] = (),
    *,
    waves: bool = False,
    orders: int = 20,
    beats: int | None = BEATS,
    foreign: bool = False,
) -> Checks:
    """Run the checks on the folder `out`: those named in `only`, else those that run by default.

    With `waves` the simulation writes its signals over time into OUT/sim; `orders` of a class are
    drawn at random and replayed. `replay` and `rtl` stop after so many `beats` of the longest
    stream, None: at the end; where they stop early they play whole frames of the same design at the
    least parameters that keep its storage. A folder that another version wrote is judged only if
    it may be `foreign`.

    Raises InputError where OUT has no plan or its design cannot be read, LimitError where the only
    check that was asked for is too large.
    """
    refuse_strange(out)
    return judged(
        out,
        only,
        waves=waves,
        orders=orders,
        beats=beats,
        version=None if foreign else TOOL,
        planner=_planned,
        maker=_made,
        libraries=Libraries(made_with=made_with(out), here=libraries()),
    )


def _made(design: Design) -> Mapping[str, str]:
    """The files of OUT of a design, and what describes its Verilog."""
    from hlsmem.planner.output_files import described_files
    from hlsmem.planner.planning_sequence import plan_design

    return described_files(plan_design(design))


def _planned(
    file: Path, parameters: Mapping[str, int], settings: Sequence[str]
) -> Mapping[str, str]:
    """The files that `replay` and `rtl` look at, of a design at other parameters."""
    # The planner is slow to import, and most checks do without it.
    from hlsmem.planner.output_files import simulated_files
    from hlsmem.planner.planning_sequence import plan_hardware

    return simulated_files(plan_hardware(load(file, parameters=parameters, settings=settings)))
