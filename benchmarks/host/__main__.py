"""`make bench-host`: times of the host C beside the sources in this folder, as reports/host.md.

Every kernel is planned in several ways: with the plan's own cells and with cells that are chosen
for speed, in the given order and in C's own, and by successive modulo. All of them and the source
take turns. Nothing is asserted. What takes the time is printed.
`python -m benchmarks.host blur diamond-tile` prints the rows of these alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from benchmarks.host.kernels import CASES, FOLDER, TABLE_II
from benchmarks.host.page import page
from benchmarks.host.rows import printed_row, rows_of

REPORT = FOLDER.parents[1] / "reports" / "host.md"


def main(names: Sequence[str]) -> None:
    begin = time.monotonic()
    rows = [row for case in CASES if case.name in names or not names for row in rows_of(case)]
    printed = [printed_row(one) for one in TABLE_II if one.row in names or not names]
    text = page(rows, printed, time.monotonic() - begin)
    print(text)
    if not names:
        REPORT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
