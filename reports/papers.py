"""reports/papers.md: the tables of three papers, from the designs in examples/papers.

Every figure is an answer of the planner: of a published variant by its name, of `auto`, of
`exhaustive` and `family`. Typed in are the mappings that the papers print, to be judged by
the planner's proof. Hyperplanes take seconds of processor time, which are rounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import process_time

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.emit.mapping_text import mapping_lines
from hlsmem.emit.markdown_table import Column, table
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.certificate import Counterexample, prove
from hlsmem.mapping.decomposition import DECOMPOSITIONS
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.methods.lattice import NORMS
from hlsmem.mapping.portfolio import plan_array
from hlsmem.mapping.storage_mapping import Certificate, NoMapping, Piece, StorageMapping
from hlsmem.planner.array_folding import analyse
from hlsmem.read.design import load
from reports.bodies import bodies_table

OUT = Path(__file__).resolve().parent / "papers.md"
DESIGNS = OUT.parents[1] / "examples/papers"
BUDGET = 1_000_000

Printed = tuple[Sequence[Sequence[object]], Sequence[object]]
Values = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row: an array of a design, and what the paper prints for it.

    `design` is a file in examples/papers without its folder's `design.yaml`; `values` are
    those of the design where they are empty. `paper` is (matrix, modulus) over the index.
    """

    design: str
    array: str = "A"
    paper: Printed | None = None
    values: Values = ()

    @property
    def file(self) -> Path:
        named = DESIGNS / self.design
        return named if named.suffix else named / "design.yaml"

    @property
    def name(self) -> str:
        folder, stem = self.file.parent.name, self.file.stem
        reading = "" if stem == "design" else f" ({stem})"
        return folder if self.array == "A" else f"{folder}: {self.array}{reading}"


TABLE_1 = (
    Entry(design="blur_interleaved", paper=([[-2, 1]], ["2*N + 1"])),
    Entry(design="blur_tiled", paper=([[-2, 1]], ["3*B - 2"])),
    Entry(design="lbm_d2q9", paper=([[-1, 1, 0], [-1, 0, 1]], ["N + 1", "N + 1"])),
    Entry(
        design="lbm_d3q19",
        paper=([[0, 0, 1, 0], [-1, 1, 0, 0], [-1, 0, 0, 1]], ["N", "N + 1", "N + 1"]),
    ),
    Entry(
        design="lbm_d3q27",
        paper=([[-1, 0, 0, 1], [-1, 1, 0, 0], [-1, 0, 1, 0]], ["N", "N + 1", "N + 1"]),
    ),
    Entry(design="diamond_tile", paper=([[0, 1], [1, 0]], ["2*B - 1", "2"])),
    Entry(design="reverse_l", paper=([[1, -1], [0, 1]], ["2*N - 1", "2"])),
    Entry(design="heat_2d_tiled", paper=([[0, 1, -1], [-1, 0, 1]], ["2*B - 1", "3*B - 2"])),
)

TABLE_I = (
    Entry(design="produce_consume", paper=([[-1, 1]], ["2*N - 1"])),
    Entry(design="blur_interleaved", paper=([[2, -1]], ["2*N + 1"])),
    Entry(design="blur_tiled", paper=([[-2, 1]], ["3*B - 2"])),
    Entry(design="harris_tiled", paper=([[-2, 1]], ["3*B - 2"])),
    Entry(design="unsharp_tiled", paper=([[-4, 1]], ["5*B - 4"])),
    Entry(design="lbm_d2q9", paper=([[-2, 1, 0], [0, 0, 1]], ["N + 2", "N"])),
    Entry(
        design="lbm_d3q19", paper=([[-2, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], ["N + 2", "N", "N"])
    ),
    Entry(
        design="lbm_d3q27", paper=([[-2, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], ["N + 2", "N", "N"])
    ),
    Entry(design="diamond_tile", paper=([[1, -3]], ["6*B - 5"])),
    Entry(design="parallelogram_tile", paper=([[1, -1]], ["3*B - 2"])),
    Entry(design="hex_tile", paper=([[-1, 3]], ["9*B - 8"])),
)

_BOX_2 = [[1, 0], [0, 1]]
_SCALAR: Printed = ([], [])

FIGURE_3 = (
    *(Entry(design="durbin", array=name, paper=_SCALAR) for name in ("alpha", "beta", "sum")),
    Entry(design="durbin", array="y", paper=(_BOX_2, [100, 2])),
    Entry(design="reg_detect", array="sum_t", paper=(_BOX_2, [6, 6])),
    Entry(design="reg_detect", array="mean", paper=(_BOX_2, [6, 6])),
    Entry(design="reg_detect", array="diff", paper=([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [6, 6, 64])),
    Entry(design="reg_detect", array="sum_d", paper=_SCALAR),
    Entry(design="dynprog/memory.yaml", array="c", paper=(_BOX_2, [9, 9])),
    Entry(design="dynprog", array="c", paper=(_BOX_2, [9, 9])),
    Entry(design="dynprog/temporary.yaml", array="c", paper=(_BOX_2, [9, 9])),
    Entry(design="dynprog", array="sum_c", paper=_SCALAR),
    Entry(design="gauss", array="g_acc1", paper=_SCALAR),
    Entry(design="gauss", array="g_acc2", paper=_SCALAR),
    Entry(design="gauss", array="g_tmp", paper=(_BOX_2, [48, 50])),
    Entry(design="mot_detect", array="Delta", paper=([[0, 0, 1]], [10])),
    Entry(design="mot_detect", array="ODelta", paper=_SCALAR),
)


def main() -> None:
    """Write reports/papers.md."""
    OUT.write_text(text(), encoding="utf-8")


def text() -> str:
    """The whole report; takes a minute or two."""
    return (
        "\n\n".join([_INTRODUCTION, *(part for section in SECTIONS for part in section())]) + "\n"
    )


_INTRODUCTION = """# Three papers, planned again

Rebuilt by `make reports TABLE=papers`, from the designs in examples/papers at the sizes given \
there. Names with a colon are variants: `hlsmem plan examples/papers/reverse_l/design.yaml \
--method reuse:parametric` plans with one, `hlsmem compare .. --variants` shows all. *Proof* is \
what the planner says of the printed mapping. Variants stand as they are published, before \
moduli are lowered; *least lattice* is proved by `exhaustive` at the size given; *for all sizes* \
is the formula of `family`, proved for every value of the parameters."""


def table_1() -> Iterator[str]:
    """Table 1 of CC 2016."""
    yield "## Darte, Isoard, Yuki: Extended Lattice-Based Memory Allocation, CC 2016, table 1"
    yield (
        "LeFe is `width:lefebvre-feautrier`, H1 `width:narrowest`, H3 `lattice:max-sum`; the"
        " reduction is that of H3 over LeFe, as in the paper. Storage hyperplanes stand below."
    )
    columns = [
        *_columns("array", "at", "paper", ">cells", "proof", "H3", ">cells", "H3 for all sizes"),
        *_columns("LeFe", "H1", ">reduction"),
        *_columns("auto", ">cells", ">least lattice", "for all sizes", ">max-live"),
    ]
    yield table(columns, [row_of_table_1(entry) for entry in TABLE_1])


def row_of_table_1(entry: Entry) -> list[str]:
    problem = problem_of(entry)
    lefe, h3 = _asked("width:lefebvre-feautrier", entry), _asked("lattice:max-sum", entry)
    return [
        *_named(entry),
        *_judged(entry),
        _line(problem, h3),
        _cells(h3),
        _size(h3),
        _size(lefe),
        _size(_asked("width:narrowest", entry)),
        _ratio(lefe, h3),
        *_ours(entry),
    ]


def norms() -> Iterator[str]:
    """Cells and first reuse vectors by the norm."""
    yield "### What the norm of heuristic 3 does"
    yield "Cells for all sizes, and the constant reuse vectors found, as count times direction."
    rows = []
    for entry in TABLE_1:
        found = [_asked(f"lattice:{name}", entry) for name in NORMS]
        rows.append([_named(entry)[0], *(f"{_size(one)}: {_vectors(one)}" for one in found)])
    yield table(_columns("array", *(text for _, text in NORMS.values())), rows)


def figure_7() -> Iterator[str]:
    """Storage hyperplanes by decomposition: figure 7, on all arrays of the two papers."""
    yield "### Figure 7: what the decomposition does to storage hyperplanes"
    yield (
        "`hyperplane:parametric-..`: cells for all sizes, and how many of the conflict polyhedra"
        " that are left each row satisfies. The figure's two are lexicographic and disjoint on"
        " the reverse L."
    )
    entries = {entry.design: entry for entry in (*TABLE_1, *TABLE_I)}
    rows = []
    for entry in entries.values():
        found = [_asked(f"hyperplane:parametric-{name}", entry) for name in DECOMPOSITIONS]
        rows.append([_named(entry)[0], *(f"{_size(one)}{_satisfied(one)}" for one in found)])
    yield table(_columns("array", *DECOMPOSITIONS), rows)


def table_i() -> Iterator[str]:
    """Table I of TOPLAS 2016."""
    yield (
        "## Bhaskaracharya, Bondhugula, Cohen: Automatic Storage Optimization for Arrays,"
        " TOPLAS 2016, table I"
    )
    yield (
        "The baseline is `width:lefebvre-feautrier`. Storage hyperplanes are the best of the four"
        " decompositions, for all parameters, and at the plan's values; *satisfied* says how many"
        " of the conflict polyhedra left each row separates. The reduction is that of the"
        " parametric row over the baseline; seconds are of processor time for the eight programs."
    )
    columns = [
        *_columns("array", "at", "paper", ">cells", "proof", "for all parameters", ">cells"),
        *_columns("by", "satisfied", "at the plan's values", ">cells", "by", "satisfied"),
        *_columns("baseline", ">cells", ">reduction", ">seconds"),
        *_columns("auto", ">cells", ">least lattice", "for all sizes", ">max-live"),
    ]
    yield table(columns, [row_of_table_i(entry) for entry in TABLE_I])


def row_of_table_i(entry: Entry) -> list[str]:
    problem = problem_of(entry)
    start = process_time()
    always, here = (
        _best([f"hyperplane:{kind}-{name}" for name in DECOMPOSITIONS], entry)
        for kind in ("parametric", "fixed")
    )
    seconds = process_time() - start
    baseline = _asked("width:lefebvre-feautrier", entry)
    return [
        *_named(entry),
        *_judged(entry),
        *(part for one in (always, here) for part in _hyperplane(problem, one)),
        _size(baseline),
        _cells(baseline),
        _ratio(baseline, always),
        f"{seconds:.1f}",
        *_ours(entry),
    ]


def figure_3() -> Iterator[str]:
    """Figure 3 of LCTES 2007."""
    yield "## Alias, Baray, Darte: Bee+Cl@k, LCTES 2007, figure 3"
    columns = dict(CLAK)
    yield (
        "Rogers is heuristic 1 with powers of two; what the figure calls H1 is 1.a. "
        + ", ".join(f"{title} is `{name}`" for title, name in columns.items())
        + ". Seconds are of processor time, for these columns together."
    )
    head = [
        *_columns("array", "at", "paper", ">cells", "proof", *(f">{one}" for one in columns)),
        *_columns(">seconds", "successive minima"),
        *_columns("auto", ">cells", ">least lattice", "for all sizes", ">max-live"),
    ]
    yield table(head, [row_of_figure_3(entry) for entry in FIGURE_3])


CLAK = (
    ("Rogers", "minima:rogers"),
    ("1.a", "minima:1.a"),
    ("reduced basis", "minima:reduced"),
    ("H2", "gauge:2-unit"),
    ("H3", "gauge:3-unit"),
    ("OPT", "exhaustive:opt"),
)


def row_of_figure_3(entry: Entry) -> list[str]:
    start = process_time()
    found = [_asked(name, entry) for _, name in CLAK]
    seconds = process_time() - start
    return [
        *_named(entry),
        *_judged(entry),
        *map(_cells, found),
        f"{seconds:.1f}",
        _values(found[0]),
        *_ours(entry),
    ]


SECTIONS: tuple[Callable[[], Iterator[str]], ...] = (
    table_1,
    norms,
    figure_7,
    table_i,
    figure_3,
    bodies_table,
)


def problem_of(entry: Entry) -> StorageProblem:
    """The storage problem of the row's array."""
    return _problem(entry.file, entry.array, entry.values)


@cache
def _problem(file: Path, array: str, values: Values) -> StorageProblem:
    _, problems = analyse(load(file, parameters=dict(values)))
    return next(problem for problem in problems if problem.array.name == array)


def _asked(name: str, entry: Entry) -> StorageMapping | NoMapping:
    return _answer(name, entry.file, entry.array, entry.values)


@cache
def _answer(name: str, file: Path, array: str, values: Values) -> StorageMapping | NoMapping:
    return method_named(name).run(_problem(file, array, values), BUDGET)


def _best(names: Sequence[str], entry: Entry) -> StorageMapping | NoMapping:
    """The fewest cells that the variants give; the first refusal where none has a mapping."""
    answers = [_asked(name, entry) for name in names]
    found = [one for one in answers if isinstance(one, StorageMapping)]
    return min(found, key=lambda mapping: mapping.cells, default=answers[0])


def _columns(*titles: str) -> list[Column]:
    """Columns; those whose title begins with > have numbers."""
    return [Column(title.removeprefix(">"), right=title.startswith(">")) for title in titles]


def _named(entry: Entry) -> list[str]:
    values = problem_of(entry).values
    link = f"[{entry.name}](../{entry.file.relative_to(OUT.parents[1]).as_posix()})"
    return [link, ", ".join(f"{name}={value}" for name, value in values.items()) or "-"]


def _judged(entry: Entry) -> list[str]:
    """A printed mapping, its cells, and what the planner says of it."""
    if entry.paper is None:
        return ["-", "-", "-"]
    problem, piece = problem_of(entry), piece_of(*entry.paper)
    found = prove(piece, problem)
    if isinstance(found, Counterexample):
        verdict = f"**invalid**: {found}"
    elif found.scope == "all-parameters":
        verdict = "for all"
    else:
        verdict = "at this size" if found.at else "proved"
    cells = piece.cells().evaluate(problem.values)
    mapping = StorageMapping(
        pieces=(piece,), method="paper", cells=cells, certificate=Certificate(scope="at", by="")
    )
    return [_line(problem, mapping), str(cells), verdict]


def piece_of(matrix: Sequence[Sequence[object]], modulus: Sequence[object]) -> Piece:
    """The piece that is written as numbers and expressions."""
    return Piece(
        matrix=tuple(tuple(map(_quantity, entries)) for entries in matrix),
        modulus=tuple(map(_quantity, modulus)),
        offset=(QuasiPolynomial.constant(0),) * len(modulus),
    )


def _quantity(entry: object) -> QuasiPolynomial:
    return parse_quasi_polynomial(str(entry))


def _ours(entry: Entry) -> list[str]:
    """auto, its cells, the least lattice, the formula for all sizes, max-live."""
    problem = problem_of(entry)
    auto = plan_array(problem, budget=BUDGET).mapping
    live = next((str(one.cells) for one in problem.bounds if one.kind == "max-live"), "-")
    return [
        f"{_line(problem, auto)} ({auto.method})",
        str(auto.cells),
        _least(_asked("exhaustive:opt", entry)),
        _formula(_asked("family", entry)),
        live,
    ]


def _least(answer: StorageMapping | NoMapping) -> str:
    if isinstance(answer, StorageMapping):
        return str(answer.cells)
    return ", ".join(f"at least {bound.cells}" for bound in answer.bounds) or "-"


def _formula(answer: StorageMapping | NoMapping) -> str:
    """The cells for all parameters, or what is proved for some."""
    if isinstance(answer, NoMapping):
        return "-"
    if answer.certificate.is_complete:
        return str(answer.pieces[0].cells())
    return answer.certificate.by.partition("; ")[2]


def _hyperplane(problem: StorageProblem, found: StorageMapping | NoMapping) -> list[str]:
    by = "-" if isinstance(found, NoMapping) else found.method.partition("-")[2]
    return [_line(problem, found), _cells(found), by, _satisfied(found).strip(" ()") or "-"]


def _line(problem: StorageProblem, found: StorageMapping | NoMapping) -> str:
    if isinstance(found, NoMapping):
        return found.reason
    (line,) = mapping_lines(problem.array.name, problem.array.index, found)
    return line.partition(" = ")[2]


def _cells(found: StorageMapping | NoMapping) -> str:
    return "-" if isinstance(found, NoMapping) else str(found.cells)


def _size(found: StorageMapping | NoMapping) -> str:
    """The cells as a formula."""
    return "-" if isinstance(found, NoMapping) else str(found.pieces[0].cells())


def _ratio(large: StorageMapping | NoMapping, small: StorageMapping | NoMapping) -> str:
    if isinstance(large, NoMapping) or isinstance(small, NoMapping):
        return "-"
    return f"{large.cells / small.cells:.2f}"


def _satisfied(found: StorageMapping | NoMapping) -> str:
    if isinstance(found, NoMapping) or not found.findings:
        return ""
    return f" ({', '.join(one.value for one in found.findings)})"


def _vectors(found: StorageMapping | NoMapping) -> str:
    if isinstance(found, NoMapping):
        return found.reason
    reuse = [one for one in found.findings if one.what == "reuse vector"]
    return ", ".join(f"{one.value} x {one.vector}" for one in reuse) or "none"


def _values(found: StorageMapping | NoMapping) -> str:
    if isinstance(found, NoMapping):
        return "-"
    return ", ".join(one.value for one in found.findings) or "-"


def without_seconds(report: str) -> str:
    """The report with the columns of seconds emptied: no two runs agree on them."""
    lines = []
    places: list[int] = []
    for line in report.splitlines():
        cells = line.split("|")
        if not line.startswith("|"):
            places = []
        elif not places:
            places = [k for k, cell in enumerate(cells) if cell.strip() == "seconds"] or [-1]
        lines.append(
            "|".join(
                "" if k in places else re.sub(r" +", " ", cell) for k, cell in enumerate(cells)
            )
        )
    return "\n".join(lines)
