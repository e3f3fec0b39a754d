"""`make bench-host`: times of the host C beside the sources in this folder, as reports/host.md.

Every kernel is planned in several ways: with the plan's own cells and with cells that are chosen
for speed, in the given order and in C's own, and by successive modulo. All of them and the source
take turns. Nothing is asserted. What takes the time is printed.
`python -m benchmarks.host blur diamond-tile` prints the rows of these alone, with `--once` from one
start of three rounds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from benchmarks.host.kernels import CASES, FOLDER, TABLE_II, Case
from benchmarks.host.page import page
from benchmarks.host.rows import Effort, PrintedRow, Row, printed_row, rows_of
from hlsmem.core.errors import HlsmemError

REPORT = FOLDER.parents[1] / "reports" / "host.md"


def main(names: Sequence[str]) -> int:
    """Measure all kernels or those named; the report stands after each. 1 where one fails."""
    begin, failed = time.monotonic(), False
    hurry = (Effort(1, 3, 1),) if "--once" in names else ()
    names = [name for name in names if name != "--once"]
    rows, printed = list[Row](), list[PrintedRow]()
    for one in (*CASES, *TABLE_II):
        name = one.name if isinstance(one, Case) else one.row
        if names and name not in names:
            continue
        try:
            if isinstance(one, Case):
                rows += rows_of(one, *hurry)
            else:
                printed.append(printed_row(one, *hurry))
        except HlsmemError as error:
            print(f"{name}: {error}", file=sys.stderr, flush=True)
            failed = True
            continue
        text = page(rows, printed, time.monotonic() - begin)
        if not names and not hurry:
            REPORT.write_text(text, encoding="utf-8")
    if rows or printed:
        print(text)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
