"""Proof, replay and plain enumeration agree on random programs and random mappings."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.core.verdict import Status
from hlsmem.polyhedra.sets import points
from hlsmem.program.model import Order, Program
from tests.check.brute import conflicts, is_valid, simulate
from tests.check.subjects import document_of, piece, replay
from tests.families import by_default
from tests.programs import make_program
from tests.proof.mappings import PROVED, conflicts_of, mapped


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A producer and a reader on a small grid, or one statement that updates in place."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    order = draw(st.sampled_from(Order))
    box = f"0 <= i < {height} and 0 <= j < {width}"
    times = draw(st.sampled_from(["i,j", "j,i", "i+j,i", "i,-j", "0,i", "i,0"]))
    shift = draw(st.sampled_from(["0,0", "1,0", "0,1", "2,-1", "3,0"]))
    later = ",".join(f"{a}+{b}" for a, b in zip(times.split(","), shift.split(","), strict=True))
    keep = draw(st.sampled_from(["", "{ A[i,j] : i = 0 }", f"{{ A[i,j] : {box} }}"]))
    back = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(-1, 1)), max_size=2))
    overwrite = draw(st.booleans())
    domains = [f"{{ P[i,j] : {box} }}", f"{{ C[i,j] : {box} }}"]
    schedules = [f"{{ P[i,j] -> [{times},0] }}", f"{{ C[i,j] -> [{later},1] }}"]
    reads = [f"{{ C[i,j] -> A[i-{a},j+{b}] : {box} }}" for a, b in back]
    writes = ["{ P[i,j] -> A[i,j] }"]
    if overwrite:
        writes.append("{ C[i,j] -> A[i,j] }")
    return make_program(
        values={},
        domains=domains,
        schedules=schedules,
        reads=[*reads, "{ C[i,j] -> A[i,j] }"],
        writes=writes,
        live_in=[draw(st.sampled_from(["{ A[i,j] : i < 0 and -3 < i and -1 < j < 2 }", "{ }"]))],
        live_out=[keep] if keep else [],
        order=order,
        step_dimensions=draw(st.integers(1, 3)),
        drop_unprovided_reads=True,
    )


@st.composite
def mappings(draw: st.DrawFn) -> dict[str, Any]:
    """One or two components with small coefficients, moduli and offsets."""
    rows = draw(st.integers(1, 2))
    small = st.integers(-3, 3)
    return piece(
        [[draw(small), draw(small)] for _ in range(rows)],
        [draw(st.integers(1, 6)) for _ in range(rows)],
        {},
        offset=[draw(small) for _ in range(rows)],
    )


@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
@given(program=programs(), mapping=mappings(), strict=st.booleans())
def test_proof_agrees_with_enumeration(
    program: Program, mapping: dict[str, Any], strict: bool
) -> None:
    document = document_of(program, {"A": [mapping]}, strict=strict)
    said = mapped(document)["A"]
    assert (said == PROVED) == is_valid(program, document, "A"), said


@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
@given(program=programs(), strict=st.booleans())
def test_conflicts_are_those_of_enumeration(program: Program, strict: bool) -> None:
    found = points(conflicts_of(program, "A", strict=strict))
    pairs = {frozenset((tuple(row[:2]), tuple(row[2:]))) for row in found.tolist()}
    assert pairs == conflicts(program, "A", strict=strict)


@settings(max_examples=by_default(6, 25), deadline=None, derandomize=True)
@given(program=programs(), mapping=mappings())
def test_the_replay_agrees_with_a_memory_played_step_by_step(
    program: Program, mapping: dict[str, Any]
) -> None:
    document = document_of(program, {"A": [mapping]})
    verdict = replay(program, document)["A"]
    assert (verdict.status is Status.PASS) == simulate(program, document, "A"), verdict.detail


@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
@given(program=programs(), mapping=mappings())
def test_a_valid_mapping_survives_being_played(program: Program, mapping: dict[str, Any]) -> None:
    document = document_of(program, {"A": [mapping]})
    if is_valid(program, document, "A"):
        assert simulate(program, document, "A")
