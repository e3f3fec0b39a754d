"""Why an array is not smaller: a time of most life and a farthest conflict."""

from hlsmem.lifetime.conflict_witness import explain
from hlsmem.program.model import Program
from hlsmem.timing.arrival import with_streams
from tests.programs import golden_case, make_program, program_from_golden


def _blur(size: int = 64) -> Program:
    case = golden_case("001", "blur-interleaved")
    return program_from_golden(case, {"N": size})


def test_blur_keeps_an_element_for_two_rows() -> None:
    found = explain(_blur(), "blurx")
    assert (found.elements, found.max_live) == (4096, 129)
    assert found.peak is not None
    assert found.peak.text == "S at y=2, x=0"
    witness = found.farthest
    assert witness is not None
    assert (witness.kept, witness.other) == ("blurx[0][0]", "blurx[2][0]")
    assert witness.kept_written.text == "S at y=0, x=0"
    assert witness.kept_last_read is not None
    assert witness.kept_last_read.text == "T at y=2, x=0"
    assert witness.other_written.text == "S at y=2, x=0"
    assert witness.difference == (2, 0)


def test_an_array_written_before_it_is_read_is_alive_at_once_after_the_last_write() -> None:
    program = make_program(
        values={"N": 64},
        domains=["[N] -> { S0[i] : 0 <= i < N; S1[i] : 0 <= i < N }"],
        schedules=["[N] -> { S0[i] -> [0, i]; S1[i] -> [1, i] }"],
        writes=["[N] -> { S0[i] -> A[i] }"],
        reads=["[N] -> { S1[i] -> A[i] }"],
    )
    found = explain(program, "A")
    assert (found.elements, found.max_live) == (64, 64)
    assert found.peak is not None
    assert (found.peak.statement, found.peak.coordinates) == ("S0", (63,))


def test_live_in_and_live_out_are_before_and_after_the_program() -> None:
    program = make_program(
        values={"N": 4},
        domains=["[N] -> { S[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [i] }"],
        reads=["[N] -> { S[i] -> A[i] }"],
        live_in=["[N] -> { A[i] : 0 <= i < N }"],
        live_out=["[N] -> { A[0] }"],
    )
    found = explain(program, "A")
    assert found.peak is not None
    assert (found.peak.statement, found.peak.text) == (None, "before the start")
    assert found.farthest is not None
    assert (found.farthest.kept, found.farthest.other) == ("A[0]", "A[3]")
    assert found.farthest.kept_last_read is not None
    assert found.farthest.kept_last_read.text == "after the end"


def test_a_scalar_and_an_array_never_written_have_no_conflict() -> None:
    program = make_program(
        values={"N": 4},
        domains=["[N] -> { S[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [i] }"],
        writes=["[N] -> { S[i] -> A[] }", "[N] -> { S[i] -> b[i] : N < 3 }"],
        planned=("A", "b"),
    )
    scalar, unused = explain(program, "A"), explain(program, "b")
    assert (scalar.elements, scalar.max_live, scalar.farthest) == (1, 1, None)
    assert (unused.elements, unused.max_live, unused.peak) == (0, 0, None)


def test_a_streamed_image_is_explained_by_its_arrival() -> None:
    program = make_program(
        values={"N": 8},
        context="[N] -> { : N >= 3 }",
        domains=["[N] -> { S[y, x] : 1 <= y, x < N - 1 }"],
        schedules=["[N] -> { S[y, x] -> [y, x, 0] }"],
        reads=["[N] -> { S[y, x] -> A[y1, x1] : y - 1 <= y1 <= y + 1 and x - 1 <= x1 <= x + 1 }"],
        live_in=["[N] -> { A[y, x] : 0 <= y, x < N }"],
        planned=(),
        streamed=("A",),
    )
    found = explain(with_streams(program), "A")
    assert found.max_live == 2 * 8 + 3
    assert found.peak is not None
    assert found.peak.statement == "A_in"
