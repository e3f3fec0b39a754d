"""Streams that cannot hold together are refused, with both accesses and their places."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError, LimitError
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Order
from hlsmem.storage.build import circuits
from tests.dependences.test_random import plan_of
from tests.plans import laid
from tests.programs import make_program
from tests.steps import load

KERNEL = """
void two(const int in[8], int out[8])
{
    int a[16];
#pragma scop
    for (int i = 0; i < 8; i++) {
P:      a[i] = in[i];
Q:      a[i + 8] = 2 * in[i];
    }
    for (int i = 0; i < 8; i++)
C:      out[i] = a[i] + a[i + 8];
#pragma endscop
}
"""

NETWORK = """\
hlsmem: 1
name: net
params: {{N: 8}}
context: "[N] -> {{ : N >= 4 }}"
order: {order}
arrays:
  a: {{type: int16, extents: ["2*N"], parts: {parts}}}
  o: {{type: int16, extents: [N], storage: external}}
network:
  one:
    statements:
      L:
        domain: "[N] -> {{ L[x] : 0 <= x < N }}"
        schedule: "[N] -> {{ L[x] -> [x, 0] }}"
        writes: ["[N] -> {{ L[x] -> a[x] }}"]
  two:
    statements:
      M:
        domain: "[N] -> {{ M[x] : 0 <= x < N }}"
        schedule: "[N] -> {{ M[x] -> {time} }}"
        writes: ["[N] -> {{ M[x] -> a[x + N] }}"]
  use:
    statements:
      C:
        domain: "[N] -> {{ C[x] : 0 <= x < N }}"
        schedule: "[N] -> {{ C[x] -> [{use}, 1] }}"
        reads: ["[N] -> {{ C[x] -> a[x] }}", "[N] -> {{ C[x] -> a[x + N] }}"]
        writes: ["[N] -> {{ C[x] -> o[x] }}"]
"""


def refusal(file: Path) -> str:
    """The problems of a design and their notes."""
    with pytest.raises(InputError) as caught:
        plan_hardware(load(file))
    lines = []
    for problem in caught.value.problems:
        lines.append(str(problem))
        lines += [f"  {note.source_location}: {note.text}" for note in problem.notes]
    return "\n".join(lines).replace(f"{file.parent}/", "")


def test_two_writes_of_a_kernel_in_a_step(tmp_path: Path) -> None:
    (tmp_path / "two.c").write_text(KERNEL)
    design = tmp_path / "design.yaml"
    design.write_text(
        "hlsmem: 1\nname: two\nkernel: {file: two.c}\nschedule: text\norder: iteration\n"
        "arrays: {a: {parts: one}}\n"
    )
    assert refusal(design) == (
        "two.c:7:9: P writes a[0] and Q writes a[8] in one step, [0, 0], but the memory of 'a' has"
        " one write port; use order: sequential\n"
        "  two.c:8:9: the other write"
    )


@pytest.mark.parametrize(
    ("order", "time", "what"),
    [
        ("iteration", "[x, 1]", "in one step, [0], {}; use order: sequential"),
        ("iteration", "[x, 0]", "in one step, [0], {}; give the writes times of their own"),
        ("sequential", "[x, 0]", "at one time, [0, 0], {}; give the writes times of their own"),
    ],
)
def test_two_writes_of_a_network_in_a_step(
    order: str, time: str, what: str, tmp_path: Path
) -> None:
    design = tmp_path / "net.yaml"
    design.write_text(NETWORK.format(order=order, time=time, use="N + x", parts="one"))
    port = "but the memory of 'a' has one write port"
    assert refusal(design) == (
        f"net.yaml:15:18: L writes a[0] and M writes a[8] {what.format(port)}\n"
        "  net.yaml:21:18: the other write"
    )


def test_two_writes_in_a_step_go_into_parts_of_their_own(tmp_path: Path) -> None:
    """What one RAM cannot take, two can: L and M are read by operands of their own."""
    design = tmp_path / "net.yaml"
    design.write_text(NETWORK.format(order="iteration", time="[x, 0]", use="N + x", parts="auto"))
    plan = plan_hardware(load(design)).plan
    assert [part.operands for part in plan.arrays["a"].hardware.parts] == [
        (("m_a_C", 0),),
        (("m_a_C", 1),),
    ]


def test_what_has_no_circuit_is_not_called_available(tmp_path: Path) -> None:
    design = tmp_path / "net.yaml"
    design.write_text(NETWORK.format(order="iteration", time="[x, 0]", use="N + x", parts="auto"))
    plan = plan_hardware(load(design)).plan
    rejected = plan.arrays["a"].notes.rejected
    (whole,) = (one for one in rejected if [p.kind for p in one.parts] == ["ram"])
    assert "the memory of 'a' has one write port" in whole.reason


def test_two_writes_of_one_statement(tmp_path: Path) -> None:
    design = tmp_path / "net.yaml"
    text = NETWORK.format(order="sequential", time="[x, 1]", use="N + x", parts="auto")
    design.write_text(text.replace('a[x] }"]\n  two', 'a[x] }", "[N] -> { L[x] -> a[N] }"]\n  two'))
    assert refusal(design) == (
        "net.yaml:15:45: 'L' writes 'a' twice;"
        " split the statement, so that every write is one beat\n"
        "  net.yaml:15:18: the first write"
    )


def test_a_read_that_no_write_can_precede(tmp_path: Path) -> None:
    design = tmp_path / "net.yaml"
    design.write_text(NETWORK.format(order="sequential", time="[x + 1, 0]", use="x", parts="auto"))
    assert refusal(design) == (
        "net.yaml:27:44: C at x=0 reads a[8] at [0, 1], but M at x=0 writes it at [1, 0], later;"
        " add it to live_in, or let the write of 'a' come first\n"
        "  net.yaml:21:18: the write\n"
        "  net.yaml:28:18: it reaches o[0], which C at x=0 writes"
    )


def test_what_wires_cannot_do_leaves_a_plan_without_verilog() -> None:
    program = make_program(
        values={"N": 6},
        domains=["[N] -> { P[y] : 0 <= y < N }", "[N] -> { C[y,x] : 0 <= y < N and 0 <= x < 2 }"],
        schedules=["[N] -> { P[y] -> [y, 0, 0] }", "[N] -> { C[y,x] -> [y, 1, x] }"],
        writes=["[N] -> { P[y] -> A[y] }"],
        reads=["[N] -> { C[y,x] -> A[y] }"],
        order=Order.ITERATION,
        step_dimensions=1,
    )
    with pytest.raises(LimitError, match="C reads A from one value of its own step several times"):
        circuits(program, laid(plan_of(program, 0)))


RECURRENCE = """
void carry(const int in[4][4], int out[4][4])
{
    int a[4][5];
#pragma scop
    for (int y = 0; y < 4; y++) {
F:      a[y][0] = 0;
        for (int x = 0; x < 4; x++) {
P:          a[y][x + 1] = a[y][x] + in[y][x];
C:          out[y][x] = a[y][x];
        }
    }
#pragma endscop
}
"""


def test_a_step_of_several_iterations_that_need_each_other_says_so(tmp_path: Path) -> None:
    (tmp_path / "carry.c").write_text(RECURRENCE)
    settings = ["order=iteration", "pipeline.level=1"]
    with pytest.raises(InputError) as caught:
        plan_hardware(load(tmp_path / "carry.c", settings=settings))
    problem = caught.value.problems[0]
    assert problem.what.startswith("several iterations in a step, P reads a[0][1] in the step")
    assert problem.remedy == "set pipeline.level to one that tells them apart"
