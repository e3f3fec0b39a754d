"""reports/seeds.md: each method, figure and table of the source papers beside what hlsmem gives.

The rows stand in rows.tsv. A row of kind `text` has a command line and texts that stand in its
output; one of kind `measured` names a table of times. Commands run in this process, in a folder of
their own that has links to the files of the repository.
"""

from __future__ import annotations

import csv
import io
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hlsmem.cli.main import main as hlsmem
from hlsmem.emit.markdown_table import Column, table
from reports.measured import SECTIONS, tables

OUT = Path(__file__).resolve().with_name("seeds.md")
ROWS = OUT.with_name("rows.tsv")
ROOT = OUT.parents[1]
_USED = ("benchmarks", "examples", "tests")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRow:
    """A line of rows.tsv: what a paper gives at lines of its text, and what hlsmem gives.

    `kind` is text, measured, or empty where there is no command; `reason` is the bound or limit of
    what is shown, or why a row is open or closed.
    """

    document: str
    place: str
    what: str
    command: str
    kind: str
    paper: str
    ours: str
    verdict: str
    reason: str

    @property
    def texts(self) -> list[str]:
        return self.ours.split(" ; ")


@dataclass(frozen=True, slots=True)
class _Source:
    """A document: its title, and the page that has the detail of its rows."""

    title: str
    detail: str


SOURCES = {
    "000": _Source(
        "Darte, Isoard, Yuki: Extended Lattice-Based Memory Allocation, CC 2016", "papers.md"
    ),
    "001": _Source(
        "Bhaskaracharya, Bondhugula, Cohen: Automatic Storage Optimization for Arrays, TOPLAS 2016",
        "papers.md",
    ),
    "002": _Source("Alias, Baray, Darte: Bee+Cl@k, LCTES 2007", "papers.md"),
    "003": _Source(
        "Thies, Vivien, Amarasinghe: A Step Towards Unifying Schedule and Storage Optimization,"
        " TOPLAS 2007",
        "classes.md",
    ),
    "004a": _Source("Wonnacott, Strout: On the Scalability of Loop Tiling, 2013", "tilings.md"),
    "004b": _Source(
        "Yuki, Rajopadhye: Memory Allocations for Tiled Uniform Dependence Programs, 2013",
        "classes.md",
    ),
    "004c": _Source(
        "Verdoolaege, Nikolov, Stefanov: On Demand Parametric Array Dataflow Analysis, 2013",
        "dataflow.md",
    ),
    "004d": _Source("Fassi, Clauss, Kuhn, Slama: Multifor for Multicore, 2013", "networks.md"),
    "004e": _Source(
        "Feld, Soddemann, Jünger, Mallach: Facilitate SIMD-Code-Generation in the Polyhedral"
        " Model by Hardware-aware Automatic Code-Transformation, 2013",
        "host.md",
    ),
    "004f": _Source(
        "Doerfert, Hammacher, Streit, Hack: SPolly: Speculative Optimizations in the Polyhedral"
        " Model, 2013",
        "networks.md#guards",
    ),
}
_COLUMNS = [Column(name) for name in ("what", "the paper", "hlsmem", "bound or limit", "how")]
_OPEN = "open: storage shared by arrays"


def main() -> None:
    """Write reports/seeds.md."""
    OUT.write_text(text(), encoding="utf-8")


def text() -> str:
    """The whole page; runs every command that is not measured."""
    rows = rows_of(ROWS.read_text(encoding="utf-8"))
    timed = tables(os.environ.get("MEASURE") == "1")
    parts = [f"# The source papers, row by row\n\n{counts(rows)}\n\n{_HEAD}"]
    for document, source in SOURCES.items():
        own = [cells(row, timed) for row in rows if row.document == document]
        parts.append(f"## {source.title}\n\n{table(_COLUMNS, own)}")
    parts.append(timed)
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


_HEAD = """\
`make seeds` rebuilds this page from rows.tsv and runs each command that it shows, from the root \
of the repository; `make seeds MEASURE=1` measures the times anew. *[!]* stands before what is \
right where the paper prints something else. *Bound or limit* says what no mapping can go below, \
or what the figure holds for. *Detail* has the tables of all sizes and variants."""


def rows_of(content: str) -> list[SeedRow]:
    """The rows of a table with tabs, in its order."""
    lines = csv.DictReader(io.StringIO(content), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [SeedRow(**line) for line in lines]


def counts(rows: Sequence[SeedRow]) -> str:
    """The line that counts the rows by verdict."""
    by = Counter(row.verdict for row in rows)
    later = sum(number for verdict, number in by.items() if verdict.startswith("step "))
    equal = sum(
        row.verdict == "shown" and row.kind == "text" and "[!]" not in row.paper for row in rows
    )
    wrong = sum("[!]" in row.paper for row in rows)
    return (
        f"{len(rows)} rows: {by['shown'] + by['below']} shown ({by['below']} below the paper's"
        f" figure, {equal} equal), {later} {_OPEN}, {by['closed']} closed."
        f" {wrong} are printed wrong in the papers."
    )


def cells(row: SeedRow, timed: str) -> list[str]:
    """The row as it stands on the page, whose measured tables are `timed`."""
    paper = row.paper.replace("[!]", "**[!]**")
    ours = row.ours or (_OPEN if row.verdict.startswith("step ") else row.verdict)
    if row.kind == "text":
        printed = output(row.command)
        ours = "; ".join(shown(one, printed) for one in row.texts)
    elif ours in SECTIONS:
        anchor = re.sub(r"[^\w ]", "", ours.lower()).replace(" ", "-")
        ours = f"[{ours}](#{anchor})" if f"## {ours}\n" in timed else f"{ours}: not measured yet"
    verdict = "below: " if row.verdict == "below" else ""
    return [row.what, paper, verdict + ours, row.reason, _how(row)]


def _how(row: SeedRow) -> str:
    source = SOURCES[row.document]
    if not row.command:
        return ""
    command = "; ".join(f"`{one}`" for one in row.command.split(" && "))
    return f"{command} ([detail]({source.detail}))"


def shown(wanted: str, printed: str) -> str:
    """A text of a row as it was found in an output; says so where it was not."""
    words = ", ".join(one.strip("| ").replace(" | ", ", ") for one in wanted.split(" .. "))
    words = re.sub(r"[,\s]*,(?=,)|^[,\s]+|[,\s]+$", "", words)
    return words if stands_in(wanted, printed) else f"**not found: {words}**"


def stands_in(wanted: str, printed: str) -> bool:
    """True where one line of an output has the text, whitespace apart; ` .. ` is anything.

    >>> stands_in("| 60 | .. mod 30", "| opt |   60 | 0 | x mod 30 |")
    True
    >>> stands_in("takes 6 cells", "takes 60 cells"), stands_in("60", "takes 60.5 cells")
    (False, False)
    """
    parts = (" ".join(part.split()) for part in wanted.split(" .. "))
    pattern = re.compile(".*".join(rf"(?<![\w.]){re.escape(part)}(?!\.?\w)" for part in parts))
    return any(pattern.search(" ".join(line.split())) for line in printed.splitlines())


def output(command: str) -> str:
    """What the commands of a line print, one after the other."""
    return "".join(_output(one) for one in command.split(" && "))


@cache
def _output(command: str) -> str:
    name, *arguments = shlex.split(command)
    if name != "hlsmem":
        raise ValueError(f"{command}: the page runs hlsmem alone")
    printed = io.StringIO()
    with TemporaryDirectory() as folder, chdir(folder):
        for used in _USED:
            Path(used).symlink_to(ROOT / used)
        with redirect_stdout(printed), redirect_stderr(printed):
            code = hlsmem(arguments)
    if code not in (0, 2):
        raise RuntimeError(f"{command}: exit code {code}\n{printed.getvalue()}")
    return printed.getvalue()


def differing(row: SeedRow) -> Iterator[str]:
    """The texts of a row that its command does not print."""
    printed = output(row.command)
    return (one for one in row.texts if not stands_in(one, printed))
