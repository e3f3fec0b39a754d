"""reports/papers.md: the tables of three papers, planned again.

Every row is one array at one size: the paper's mapping, judged by the planner's proof; the
mapping that our version of the paper's method gives before any finishing; what `auto`
chooses; the least lattice, with its proof; a family for all sizes; the bound. The programs
are those of tests/reference, recovered from the papers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hlsmem.emit.mathematics import mapping_lines
from hlsmem.emit.table import Column, table
from hlsmem.lifetime import StorageProblem, storage_problems
from hlsmem.mapping.certificate import Counterexample, prove
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.model import Certificate, NoMapping, Piece
from hlsmem.mapping.model import Mapping as ArrayMapping
from hlsmem.mapping.portfolio import plan_array
from hlsmem.quantity import Quantity, parse_quantity
from tests.programs import golden_case, program_from_golden

OUT = Path(__file__).resolve().parent / "papers.md"
BUDGET = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row of a paper: a reference case at one size, and why our numbers differ.

    `paper` is (matrix, modulus) where the reference does not have it.
    """

    case: str
    values: Mapping[str, int]
    note: str = ""
    paper: tuple[Sequence[Sequence[object]], Sequence[object]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A table: its reference file, and the methods that are the paper's."""

    title: str
    number: str
    methods: tuple[str, ...]
    entries: tuple[Entry, ...]


ERRATUM_D3Q19 = "as printed invalid: the space axes j and k are swapped"
ERRATUM_D3Q27 = "as printed invalid: modulus N of k - t has to be N + 1"
IN_N = "valid, not the least: rows may depend on the size"
AT_SIZES = "for all N the paper's cells; at a fixed N the program finds a row that linearises"

PAPERS = (
    Paper(
        title="Darte, Isoard, Yuki: Extended Lattice-Based Memory Allocation, CC 2016, table 1",
        number="000",
        methods=("lattice",),
        entries=(
            Entry(case="s000-blur-interleaved", values={"N": 64}),
            Entry(case="s000-blur-tiled", values={"B": 32}),
            Entry(case="s000-lbm-d2q9", values={"N": 6, "T": 3}, note=IN_N),
            Entry(case="s000-lbm-d3q19", values={"N": 4, "T": 3}, note=ERRATUM_D3Q19),
            Entry(case="s000-lbm-d3q27", values={"N": 4, "T": 3}, note=ERRATUM_D3Q27),
            Entry(case="s000-diamond-tile", values={"B": 16}, note=IN_N),
            Entry(
                case="s000-reverse-l",
                values={"N": 16},
                note="called optimal in the text; for even N the printed rows are valid with"
                " moduli 2N-2 and 2",
            ),
            Entry(case="s000-heat-2d-tiled", values={"B": 6}, note=IN_N),
        ),
    ),
    Paper(
        title="Bhaskaracharya, Bondhugula, Cohen: Automatic Storage Optimization for Arrays,"
        " TOPLAS 2016, table I",
        number="001",
        methods=("hyperplane",),
        entries=(
            Entry(case="produce-consume", values={"N": 64}),
            Entry(case="blur-interleaved", values={"N": 64}),
            Entry(case="blur-tiled", values={"B": 32}),
            Entry(case="harris-corner-tiled", values={"B": 32}),
            Entry(case="unsharp-mask-tiled", values={"B": 32}),
            Entry(case="lbm-d2q9", values={"T": 3, "N": 5}, note=AT_SIZES),
            Entry(case="lbm-d3q19", values={"T": 3, "N": 3}, note=AT_SIZES),
            Entry(case="lbm-d3q27", values={"T": 3, "N": 3}, note=AT_SIZES),
            Entry(
                case="diamond-tile",
                values={"B": 16},
                note="the printed row is valid with 6B-7 cells already; the least lattice has a"
                " row with entries in B",
            ),
            Entry(case="stencil-1d-pllgm-tile", values={"B": 16}),
            Entry(
                case="stencil-1d-hex-tile",
                values={"B": 8},
                note="no lattice reaches max-live here; the printed row is valid with 9B-10",
            ),
        ),
    ),
    Paper(
        title="Alias, Baray, Darte: Bee+Cl@k, LCTES 2007, figure 3",
        number="002",
        methods=("minima", "gauge"),
        entries=(
            Entry(case="durbin-alpha", values={"N": 100}),
            Entry(case="durbin-beta", values={"N": 100}),
            Entry(case="durbin-sum", values={"N": 100}),
            Entry(
                case="durbin-y",
                values={"N": 100},
                paper=([[1, 0], [0, 1]], [100, 2]),
                note="the paper proves 2N-3 by hand and calls finding it an open problem",
            ),
            Entry(
                case="reg_detect-sum_t",
                values={"N": 6, "P": 64},
                paper=([[1, 0], [0, 1]], [6, 6]),
                note="the text says that no heuristic folds it; De Greef's linearisation does,"
                " to 31",
            ),
            Entry(
                case="reg_detect-mean",
                values={"N": 6, "P": 64},
                paper=([[1, 0], [0, 1]], [6, 6]),
                note="as sum_t",
            ),
            Entry(
                case="reg_detect-diff",
                values={"N": 6, "P": 64},
                paper=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [6, 6, 64]),
                note="1728 was found, not proved, in the paper",
            ),
            Entry(case="reg_detect-sum_d", values={"N": 6, "P": 64}),
            Entry(
                case="dynprog-c-livein-val",
                values={"N": 10},
                paper=([[1, 0], [0, 1]], [9, 9]),
                note="the paper keeps an element alive from its first write to its last read; by"
                " values one modulus is less",
            ),
            Entry(case="dynprog-sum_c", values={"N": 10}),
            Entry(case="gauss-g_acc1", values={"N": 50, "M": 50}),
            Entry(case="gauss-g_acc2", values={"N": 50, "M": 50}),
            Entry(case="gauss-g_tmp", values={"N": 50, "M": 50}),
            Entry(
                case="mot_detect-Delta",
                values={"M": 6, "N": 6},
                note="10 cells come from taking k' < k over the rationals: it is a scalar",
            ),
            Entry(case="mot_detect-ODelta", values={"M": 6, "N": 6}),
        ),
    ),
)

COLUMNS = [
    Column("array"),
    Column("at"),
    Column("paper"),
    Column("cells", right=True),
    Column("proof"),
    Column("the same method"),
    Column("cells", right=True),
    Column("auto"),
    Column("cells", right=True),
    Column("least lattice", right=True),
    Column("for all sizes"),
    Column("max-live", right=True),
    Column("remark"),
]


def main() -> None:
    """Write reports/papers.md."""
    OUT.write_text(text(PAPERS), encoding="utf-8")


def text(papers: Sequence[Paper]) -> str:
    """The whole report; takes a minute or two."""
    parts = [
        "# Three papers, planned again",
        "Rebuilt by `make reports`. Sizes are small enough to read. *Proof* is what the planner"
        " says of the printed mapping; *the same method* is our version of it, as found, before"
        " moduli are lowered; *least lattice* is proved by `exhaustive` at the size given; *for"
        " all sizes* is the formula of `family`, proved for every value of the parameters.",
    ]
    for paper in papers:
        rows = [row(paper, entry) for entry in paper.entries]
        parts += [f"## {paper.title}", table(COLUMNS, rows)]
    return "\n\n".join(parts) + "\n"


def row(paper: Paper, entry: Entry) -> list[str]:
    """The cells of one row, all of them by running the planner."""
    case = golden_case(paper.number, entry.case)
    problem = problem_of(case, entry.values)
    printed = _printed(case, entry)
    same = _best_of(paper.methods, problem)
    auto = plan_array(problem, budget=BUDGET).mapping
    family = method_named("family").run(problem, BUDGET)
    return [
        entry.case.removeprefix("s000-"),
        ", ".join(f"{name}={value}" for name, value in entry.values.items()),
        *(_written(problem, printed, entry.values) if printed else ("-", "-", "-")),
        _line(problem, same) if same else "-",
        str(same.cells) if same else "-",
        f"{_line(problem, auto)} ({auto.method})",
        str(auto.cells),
        _least(problem),
        _formula(family),
        next((str(b.cells) for b in problem.bounds if b.kind == "max-live"), "-"),
        entry.note,
    ]


def problem_of(case: Mapping[str, Any], values: Mapping[str, int]) -> StorageProblem:
    """The storage problem of the case's array, from its program, with the paper's index names."""
    (problem,) = storage_problems(program_from_golden(case, values))
    text = case.get("differences") or case.get("pairs")
    found = re.search(r"\{\s*\[([\w, ]+)\]", text or "")
    if found is None:
        return problem
    index = tuple(name.strip() for name in found[1].split(","))
    return replace(problem, array=replace(problem.array, index=index))


def _printed(case: Mapping[str, Any], entry: Entry) -> Piece | None:
    if entry.paper is not None:
        return _piece(*entry.paper)
    paper = case.get("paper_mapping")
    if isinstance(paper, list):
        paper = next((p for p, v in zip(paper, case["params"], strict=True) if v == entry.values))
    if paper is None:
        return None
    return _piece(paper.get("rows") or paper["matrix"], paper["modulus"])


def _piece(matrix: Sequence[Sequence[object]], modulus: Sequence[object]) -> Piece:
    return Piece(
        matrix=tuple(tuple(map(_quantity, entries)) for entries in matrix),
        modulus=tuple(map(_quantity, modulus)),
        offset=(Quantity.constant(0),) * len(modulus),
    )


def _quantity(entry: object) -> Quantity:
    return parse_quantity(str(entry).replace("**", "^"))


def _written(
    problem: StorageProblem, piece: Piece, values: Mapping[str, int]
) -> tuple[str, str, str]:
    """A printed mapping, its cells, and what the planner says of it."""
    found = prove(piece, problem)
    if isinstance(found, Counterexample):
        verdict = f"**invalid**: {found}"
    else:
        verdict = "for all" if found.scope == "all-parameters" else "at this size"
    cells = piece.cells().evaluate(values)
    mapping = ArrayMapping(
        pieces=(piece,), method="paper", cells=cells, certificate=Certificate(scope="at", by="")
    )
    return _line(problem, mapping), str(cells), verdict


def _best_of(methods: Sequence[str], problem: StorageProblem) -> ArrayMapping | None:
    """The fewest cells that the methods give, before their moduli are lowered."""
    found = [mapping.unfinished or mapping for mapping in _answers(methods, problem)]
    return min(found, key=lambda mapping: mapping.cells, default=None)


def _answers(methods: Sequence[str], problem: StorageProblem) -> Iterator[ArrayMapping]:
    for name in methods:
        answer = method_named(name).run(problem, BUDGET)
        if isinstance(answer, ArrayMapping):
            yield answer


def _least(problem: StorageProblem) -> str:
    answer = method_named("exhaustive").run(problem, BUDGET)
    if isinstance(answer, ArrayMapping):
        return str(answer.cells)
    return ", ".join(f"at least {bound.cells}" for bound in answer.bounds) or "-"


def _formula(answer: ArrayMapping | NoMapping) -> str:
    """The cells for all parameters, or what is proved for some."""
    if isinstance(answer, NoMapping):
        return "-"
    if answer.certificate.scope == "all-parameters":
        return str(answer.pieces[0].cells())
    return answer.certificate.by.partition("; ")[2]


def _line(problem: StorageProblem, mapping: ArrayMapping) -> str:
    (line,) = mapping_lines(problem.array.name, problem.array.index, mapping)
    return line.partition(" = ")[2]
