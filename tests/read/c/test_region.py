"""The order of instances and accesses against the same C compiled and run by gcc."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlsmem.polyhedra import Map, Set
from hlsmem.program.model import Storage
from hlsmem.read.c.kernel import read_kernel
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.design_folder import Folder
from tests.read.c.kernels import messages, read, region, statement, trace

TRACES = Path(__file__).parent / "traces"


@pytest.fixture(scope="module")
def nests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("traces") / "nests"
    command = ["gcc", "-std=c99", "-w", "-DTRACE", "-o", program, TRACES / "nests.c"]
    subprocess.run(command, check=True)
    return program


def run(program: Path, name: str, n: int, m: int) -> list[tuple[str, list[str]]]:
    """The recorded instances: statement and elements, each element once."""
    command = [program, name, str(n), str(m)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    words = [line.split() for line in lines if line]
    return [(first, sorted(set(rest))) for first, *rest in words]


@pytest.mark.parametrize(
    "name",
    ["triangle", "strides", "bounds", "guards", "negative", "branches", "widths", "aliases"],
)
def test_instances_and_accesses_are_those_of_the_compiled_kernel(nests: Path, name: str) -> None:
    reading = read_kernel(
        KernelRequest(
            folder=Folder(TRACES), file="nests.c", function=name, parameters=("N", "M"), cflags=()
        )
    )
    labelled = {one.name for one in reading.statements if not one.name[1:].isdigit()}
    seen = 0
    for n, m in [(1, 1), (2, 5), (5, 2), (7, 7), (8, 3), (10, 6)]:
        found = [one for one in trace(reading, {"N": n, "M": m}) if one[0] in labelled]
        expected = run(nests, name, n, m)
        assert found == expected, (n, m)
        seen += len(expected)
    assert seen > 20


def test_blur_has_the_sets_of_its_text() -> None:
    folder = Path("examples/blur").resolve()
    reading = read_kernel(
        KernelRequest(
            folder=Folder(folder), file="blur.c", function="blur", parameters=("N",), cflags=()
        )
    )
    point, column = statement(reading, "P"), statement(reading, "C")
    assert point.domain.is_equal(Set("[N] -> { P[y, x] : 0 <= y, x < N }"))
    assert column.domain.is_equal(Set("[N] -> { C[y, x] : 2 <= y < N and 0 <= x < N }"))
    assert column.schedule.is_equal(
        Map("[N] -> { C[y, x] -> [0, y, 0, x, 1] : 2 <= y < N and 0 <= x < N }")
    )
    second = column.reads[1].relation
    assert second.is_equal(Map("[N] -> { C[y, x] -> blurx[y - 1, x] : 2 <= y < N and 0 <= x < N }"))
    assert reading.iterator_names == ("t0", "y", "t1", "x", "t2")
    assert (reading.depth, reading.time_dimensions) == (2, 5)


def test_schedules_are_padded_and_count_slots_in_each_loop(tmp_path: Path) -> None:
    text = region("A[0] = 1; for (int i = 0; i < N; i++) { A[i] = 2; A[i] = 3; } A[1] = 4;")
    reading = read(tmp_path, text)
    times = [one.schedule.range() for one in reading.statements]
    assert [one.name for one in reading.statements] == ["S0", "S1", "S2", "S3"]
    assert times[0].is_equal(Set("[N] -> { [0, 0, 0] }"))
    assert times[2].is_equal(Set("[N] -> { [1, i, 1] : 0 <= i < N }"))
    assert times[3].is_equal(Set("[N] -> { [2, 0, 0] }"))


def test_a_loop_that_counts_down_runs_at_the_negated_variable(tmp_path: Path) -> None:
    reading = read(tmp_path, region("for (int i = N - 1; i >= 0; i--) A[i] = i;"))
    expected = Map("[N] -> { S0[i] -> [0, -i, 0] : 0 <= i < N }")
    assert reading.statements[0].schedule.is_equal(expected)
    assert reading.iterator_names == ("t0", "minus_i", "t1")


def test_a_branch_that_data_decide_may_read(tmp_path: Path) -> None:
    reading = read(tmp_path, region("A[0] = A[1] > 0 ? A[2] : 0;"))
    assert [access.must for access in reading.statements[0].reads] == [True, False]


def test_parameters_keep_their_order_even_when_unused(tmp_path: Path) -> None:
    reading = read(tmp_path, region("A[0] = 1;"), ("Z", "N", "M"))
    assert str(reading.statements[0].domain) == "[Z, N, M] -> { S0[] }"
    assert str(reading.statements[0].writes[0].relation) == "[Z, N, M] -> { S0[] -> A[0] }"


def test_labels_name_statements_and_numbers_avoid_them(tmp_path: Path) -> None:
    reading = read(tmp_path, region("S1: A[0] = 1; A[1] = 2; A[2] = 3; Z: A[3] = 4;"))
    assert [one.name for one in reading.statements] == ["S1", "S0", "S2", "Z"]


def test_a_chained_assignment_is_one_statement_after_the_other(tmp_path: Path) -> None:
    reading = read(tmp_path, region("P: A[0] = A[1] += A[2];"))
    first, second = reading.statements
    assert (first.name, second.name) == ("S0", "P")
    assert [str(a.relation) for a in first.reads] == [
        "[N] -> { S0[] -> A[1] }",
        "[N] -> { S0[] -> A[2] }",
    ]
    assert str(first.writes[0].relation) == "[N] -> { S0[] -> A[1] }"
    assert [str(a.relation) for a in second.reads] == ["[N] -> { P[] -> A[1] }"]
    assert str(second.writes[0].relation) == "[N] -> { P[] -> A[0] }"
    assert str(second.schedule) == "[N] -> { P[] -> [1] }"


PURE = """
static int lower(int a, int b) { return a < b ? a : b; }
static float halved(float x) { float y = x; y *= 0.5f; return fabs(y); }
int counted;
static int counting(int x) { counted++; return x; }
static int endless(int x) { return endless(x); }
int foreign(int x) { return x; }
"""


def test_small_functions_of_the_file_are_seen_through(tmp_path: Path) -> None:
    body = "for (int i = 0; i < lower(N, 8); i++) A[lower(i, 3)] = halved(B[i][0]);"
    reading = read(tmp_path, region(body, before=PURE))
    expected = Map("[N] -> { S0[i] -> A[a] : 0 <= i < N and i < 8 and a <= i and a <= 3 "
                   "and (a = i or a = 3) }")  # fmt: skip
    assert reading.statements[0].writes[0].relation.is_equal(expected)
    kept = [node.name for node in reading.kernel.declarations]
    assert kept == ["lower", "halved"]


def test_other_functions_of_the_file_stand_in_the_place_of_their_calls(tmp_path: Path) -> None:
    reading = read(tmp_path, region("A[0] = foreign(A[1]);", before=PURE))
    assert [str(a.relation) for a in reading.statements[0].reads] == ["[N] -> { S0[] -> A[1] }"]
    assert [one.name for one in reading.kernel.declarations] == ["foreign"]


def test_a_function_that_calls_itself_is_refused(tmp_path: Path) -> None:
    text = region("A[0] = endless(A[1]);", before=PURE)
    expected = "k.c:6:36: function call: 'endless' calls itself; write a loop in its place"
    assert messages(tmp_path, text) == expected


def test_variables_of_the_file_that_others_see_stay_outside(tmp_path: Path) -> None:
    reading = read(tmp_path, region("A[0] = counting(A[1]);", before=PURE))
    storage = {array.name: array.storage for array in reading.arrays}
    assert storage["counted"] is Storage.EXTERNAL
