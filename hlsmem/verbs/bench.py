"""`hlsmem bench`: the host C in OUT is timed beside the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.cli.request import parameters_of
from hlsmem.verb import Verb, WholeNumber, asked, document_text, parameters_text, shown

if TYPE_CHECKING:
    from hlsmem.check.host_runs.bench_timing import Measured

_NONE: Mapping[str, Any] = {}


def bench(
    out: str | Path,
    *,
    against: Sequence[str | Path] = (),
    params: Mapping[str, int] = _NONE,
    starts: int = 3,
    rounds: int = 9,
) -> Measured:
    """Seconds of processor time of a call of the original, and of the C in OUT and others.

    `against` are further OUTs of the same kernel. The programs run by turns, in `rounds` of each of
    `starts` fresh processes; a `ratio` is a generated C's time over the original's. Raises
    InputError for OUTs that cannot be compared, Different where results differ, ToolError without a
    C compiler.

    >>> bench("build/blur", params={"N": 64}).outs[0].ratio  # doctest: +SKIP
    0.93
    """
    from hlsmem.check.host_runs.bench_timing import measure

    return measure([Path(one) for one in (out, *against)], params, starts=starts, rounds=rounds)


def _print(found: Measured, *, as_json: bool) -> int:
    """Print how long the original and the generated C of each OUT take."""
    from dataclasses import asdict

    from hlsmem.emit.markdown_table import Column, table

    if as_json:
        print(document_text(asdict(found) | {"folded": sorted(found.folded)}))
        return 0
    at = parameters_text(found.params)
    print(f"{found.compiler}; {found.machine}{f'; at {at}' if at else ''}")
    print(f"Processor time of a call, {found.starts} starts of {found.rounds} rounds by turns.")
    if found.wraps:
        print("Signed integers overflow: without -fwrapv the values are others.")
    print()
    rows = [["original", f"{1e6 * found.original:.1f} us", "1", ""]]
    for one in found.outs:
        spread = f"{one.least:.3f} to {one.greatest:.3f}{'' if one.is_steady else ', unsteady'}"
        name = one.name if one.name in found.folded else f"{one.name} (runs the original body)"
        rows.append([name, f"{1e6 * one.seconds:.1f} us", f"{one.ratio:.3f}", spread])
    columns = [
        Column("program"),
        Column("time", right=True),
        Column("ratio", right=True),
        Column("over starts"),
    ]
    print(table(columns, rows))
    return 0


_RUNS = WholeNumber(1, 999, "number of runs", "1 to 999")

VERB = Verb(
    name="bench",
    summary="time the host C in OUT beside the original, run by turns",
    order=30,
    options=(
        asked("out", type=Path, metavar="OUT", help="a folder written by `hlsmem plan`"),
        asked(
            "--against",
            type=Path,
            action="append",
            default=[],
            metavar="OUT2",
            help="another plan of the same kernel; may be given several times",
        ),
        asked(
            "--param",
            keyword="params",
            action="append",
            default=[],
            metavar="N=4096",
            help="value of a parameter",
            value=parameters_of,
        ),
        asked("--starts", type=_RUNS, default=3, metavar="N", help="fresh processes, default 3"),
        asked("--rounds", type=_RUNS, default=9, metavar="N", help="turns of each, default 9"),
        shown("--json", keyword="as_json", action="store_true", help="print the times as JSON"),
    ),
    run=bench,
    print=_print,
    reads=("out", "against"),
)
