"""A network whose sets list their points is the network of the tile behind them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from hlsmem.program.model import Program
from tests.steps import load

SIDE = 4
POINTS = [(t, i - t, j - t) for t, i, j in product(range(SIDE), repeat=3)]


def listed(piece: str) -> str:
    """An isl text with one piece a point (t, i, j); u is t + i, v is t + j."""
    parts = [piece.format(t=t, i=i, j=j, u=t + i, v=t + j) for t, i, j in POINTS]
    return "{ " + "; ".join(parts) + " }"


def test_a_tile_of_points_is_read_as_its_polyhedron(tmp_path: Path) -> None:
    inside = set(POINTS)
    own = [point for point in POINTS if (point[0] - 1, *point[1:]) in inside]
    reads = "; ".join(f"S[{t},{i},{j}] -> A[{t - 1},{i},{j}]" for t, i, j in own)
    file = tmp_path / "design.yaml"
    file.write_text(
        f"""hlsmem: 1
name: tile
arrays: {{A: {{type: int32}}}}
network:
  heat:
    statements:
      S:
        domain: "{listed("S[{t},{i},{j}]")}"
        schedule: "{listed("S[{t},{i},{j}] -> [{t},{u},{v}]")}"
        writes: ["{listed("S[{t},{i},{j}] -> A[{t},{i},{j}]")}"]
        reads: ["{{ {reads} }}"]
live_out: ["{{ A[{SIDE - 1},0,0] }}"]
"""
    )
    program = load(file).input
    assert isinstance(program, Program)
    (statement,) = program.statements
    assert statement.domain.n_basic_set() == 1
    assert statement.schedule.n_basic_map() == 1
    assert statement.writes[0].relation.n_basic_map() == 1
    assert statement.reads[0].relation.n_basic_map() == 1
