"""Ghosts: found from a list of beats, they go through that list and through nothing else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.check.formal.model.ghost import (
    Ghost,
    NoGhost,
    ghost_text,
    make_ghost,
    quotient_claims,
    region_text,
)
from hlsmem.check.formal.model.ghost_forms import Forms, bits_of
from hlsmem.check.formal.model.point_conditions import Region


def holds(where: Region, point: tuple[int, ...]) -> bool:
    def value(factors: tuple[int, ...]) -> int:
        return sum(f * x for f, x in zip(factors, point, strict=True))

    return any(
        all(
            one.low <= value(one.form.factors) <= one.high
            and (value(one.form.factors) - one.low) % one.stride == 0
            for one in ranges
        )
        for ranges in where
    )


def walked(ghost: Ghost) -> list[tuple[int, ...]]:
    """The points a ghost goes through, one step after the other."""
    point = tuple(int(entry) for entry in ghost.forms.points[0])
    found = [point]
    while not holds(ghost.last, point):
        moves = [one for one in ghost.transitions if holds(one.when, point)]
        assert len(moves) == 1
        point = tuple(
            form.constant + sum(f * x for f, x in zip(form.factors, point, strict=True))
            for form in moves[0].onward
        )
        found.append(point)
    return found


FRAME = [
    (t, y, x) for t in range(2) for y in range(4) for x in range(5) if y in (0, 3) or x % 4 == 0
]


@pytest.mark.parametrize(
    "beats",
    [
        [(y, x) for y in range(3, 7) for x in range(-2, 5)],
        [(k, i) for k in range(1, 7) for i in range(k)],
        [(2 * y + 1, 3 * x) for y in range(3) for x in range(4)],
        FRAME,
        [(5,)],
    ],
    ids=["box", "triangle", "strides", "frame", "one beat"],
)
def test_a_ghost_goes_through_the_beats(beats: list[tuple[int, ...]]) -> None:
    ghost = make_ghost("g", np.array(beats, dtype=np.int64))
    assert walked(ghost) == beats
    around = np.stack(np.meshgrid(*[np.arange(-3, 12)] * len(beats[0])), -1)
    inside = {
        p for p in map(tuple, around.reshape(-1, len(beats[0])).tolist()) if holds(ghost.domain, p)
    }
    assert inside == set(beats)


def simulated(ghost: Ghost, bits: int, folder: Path) -> list[list[int]]:
    """Per beat the coordinates and quotients of the ghost's Verilog, then 1 if all is as known."""
    names = [f"g_{k}" for k in range(ghost.forms.rank)]
    names += [f"g_q{k}" for k in range(len(ghost.forms.quotients))]
    known = [region_text(ghost, ghost.domain, bits), *quotient_claims(ghost, bits)]
    all_known = " && ".join(f"({one})" for one in known)
    text = f"""module top;
reg clk = 0, load = 1;
{ghost_text(ghost, "load", "1'b1", bits)}
initial begin
    #1 clk = 1; #1 clk = 0; load = 0;
    while (!g_done) begin
        $display("{" %0d" * len(names)} %0d", {", ".join(names)}, {all_known});
        #1 clk = 1; #1 clk = 0;
    end
end
endmodule
"""
    (folder / "ghost.v").write_text(text)
    subprocess.run(["iverilog", "-g2012", "-o", "ghost", "ghost.v"], cwd=folder, check=True)
    done = subprocess.run(["vvp", "-n", "ghost"], cwd=folder, check=True, capture_output=True)
    return [[int(word) for word in line.split()] for line in done.stdout.decode().splitlines()]


@pytest.mark.needs("iverilog")
@pytest.mark.parametrize("beats", [FRAME, [(k, i) for k in range(1, 9) for i in range(-k, 3)]])
def test_the_verilog_of_a_ghost_is_what_proofs_assume_of_it(
    beats: list[tuple[int, ...]], tmp_path: Path
) -> None:
    points = np.array(beats, dtype=np.int64)
    ghost = make_ghost("g", points)
    last = ghost.forms.coordinate(points.shape[1] - 1)
    first = ghost.forms.coordinate(0)
    inner = ghost.forms.modulo(first.plus(last, 2), 5)
    ghost.forms.floor(inner.plus(first, 3), 4)
    ghost.forms.floor(last.plus(first, -7), 3)
    bits = ghost.forms.greatest().bit_length() + 2
    rows = simulated(ghost, bits, tmp_path)
    wanted = np.column_stack([points, *ghost.forms.columns, np.ones(len(points), np.int64)])
    assert rows == wanted.tolist()


def test_what_is_not_understood_is_refused() -> None:
    with pytest.raises(NoGhost, match="not in the order"):
        make_ghost("g", np.array([[0, 1], [0, 0]]))
    scattered = np.array([[0], [1], [5], [6], [17], [40], [41], [90]])
    with pytest.raises(NoGhost, match=r"steps|boxes|affine"):
        make_ghost("g", np.concatenate([scattered + 100 * k * k for k in range(9)]))


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=2), st.integers(1, 9), st.integers(-9, 9))
def test_quotients_are_floors(factors: list[int], divisor: int, constant: int) -> None:
    points = np.array([(y, x) for y in range(-3, 4) for x in range(5)], dtype=np.int64)
    forms = Forms(points)
    form = forms.affine(constant, factors)
    wanted = points @ np.array(factors) + constant
    assert forms.values(forms.floor(form, divisor)).tolist() == (wanted // divisor).tolist()
    assert forms.values(forms.modulo(form, divisor)).tolist() == (wanted % divisor).tolist()


def test_bits_hold_a_column() -> None:
    assert [bits_of(np.array(column)) for column in ([0], [3], [-4, 3], [-5], [4])] == [
        1,
        3,
        3,
        4,
        4,
    ]
