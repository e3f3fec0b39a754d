"""Waves of tilings of stencils with one and two loops of data: reports/tilings.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hlsmem.emit.markdown_table import Column, table
from hlsmem.program.model import Program
from hlsmem.studies.tilings.tile_waves import by_formula
from hlsmem.studies.tilings.tiled_nest import nest_of, points_of
from hlsmem.studies.tilings.tiling import Tiling
from hlsmem.studies.tilings.tiling_kinds import rows_of, tiling_of
from tests.classes import HEAT_5, JACOBI
from tests.programs import golden_case
from tests.studies.tilings.test_tiling_kinds import NINE, stencil

OUT = Path(__file__).with_name("tilings.md")
_HEAD = """# Tilings

Stencils over T = 16 steps, tiled in bands of two steps and four points of data, or with sides of
four over both: how many waves of tiles that may all run at once, how wide they are, what is
computed again, what a full tile holds. Waves are longest paths over the graph of tiles, which also
tells that a tiling is legal. Rebuilt by `make reports`.
"""
_COLUMNS = [
    Column("stencil"),
    Column("N", right=True),
    Column("tiling"),
    Column("rows"),
    *(Column(name, right=True) for name in ("tiles", "waves", "first", "widest", "fill, drain")),
    *(Column(name, right=True) for name in ("extra points", "points of one")),
]
_STEPS, _BAND, _SIDE = 16, 2, 4
_ONE = ("pipelined", "overlapped", "split", "diamond", "molecular")
_TWO = ("pipelined", "overlapped", "split", "diamond", "faced")
_SCALING = """
## Weak scaling

Pipelined tiles of the 3-point stencil by the formula of their rows, tile (a, b) in wave a + b: a
width of P takes P bands in time and 1.5 P tiles in data, so waves grow with the data.
"""
_SCALED = [
    Column("bands in time", right=True),
    Column("tiles in data", right=True),
    Column("tiles", right=True),
    Column("waves", right=True),
    Column("widest", right=True),
    Column("P", right=True),
    Column("tiles in waves of P", right=True),
]


def main() -> None:
    """Write the tables."""
    OUT.write_text(text(), encoding="utf-8")


def text() -> str:
    """The whole report."""
    return f"{_HEAD}\n{table(_COLUMNS, list(rows()))}\n{_SCALING}\n{table(_SCALED, scaled())}\n"


def rows() -> Iterator[list[str]]:
    """A row for every stencil, size and kind; one more for rows that are no tiling."""
    for name, vectors, sizes, kinds in (
        ("3-point", JACOBI, (48, 96, 192), _ONE),
        ("5-point", HEAT_5, (16, 32, 64), _TWO),
        ("9-point", NINE, (16, 32, 64), _TWO),
    ):
        for size in sizes:
            program = stencil(vectors, _STEPS, size)
            for kind in kinds:
                yield [name, str(size), *_cells(_tiling(program, kind))]
    nest = nest_of(stencil(NINE, _STEPS, 16))
    forms, sides = ((1, 1, 0), (1, 0, 1), (1, -1, -1)), (_SIDE,) * 3
    found = tiling_of(nest, points_of(nest), "these rows", forms, sides, (0, 0, 0))
    yield ["9-point", "16", *_cells(found)]


def _tiling(program: Program, kind: str) -> Tiling:
    nest = nest_of(program)
    depth = len(nest.loops)
    sizes = (_BAND, *[_SIDE] * (depth - 1))
    if kind in ("diamond", "faced"):
        sizes = (_SIDE,) * depth
    forms = rows_of(nest, kind)
    assert forms is not None
    return tiling_of(nest, points_of(nest), kind, forms, sizes, (0,) * depth)


def _cells(found: Tiling) -> list[str]:
    names = ", ".join(found.rows)
    if not found.is_legal:
        return [found.kind, names, "-", found.reason or "cyclic", *["-"] * 5]
    return [
        found.kind,
        names,
        str(found.tiles),
        str(len(found.waves)),
        str(found.waves[0]),
        str(max(found.waves)),
        f"{found.startup}, {found.drain}",
        str(found.computed - found.useful),
        str(found.points_most),
    ]


def scaled() -> Sequence[list[str]]:
    """Nests that are too large to list, counted."""
    found = []
    for case in golden_case("003", "s004-weak-scaling")["expected"]:
        bands, blocks = (int(case[name].split()[0]) for name in ("T", "N"))
        nest = nest_of(stencil(JACOBI, _BAND * bands, _SIDE * blocks))
        forms = rows_of(nest, "pipelined")
        assert forms is not None
        one = by_formula(nest, forms, (_BAND, _SIDE), (0, 0))
        share = one.share(case["P"])
        assert share is not None
        figures = (bands, blocks, one.tiles, len(one.waves), max(one.waves), case["P"])
        found.append([*map(str, figures), f"{share:.4%}"])
    return found
