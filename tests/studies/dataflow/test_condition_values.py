"""Conditions that change: which of them look at the same value."""

from __future__ import annotations

from pathlib import Path

from hlsmem.program.model import Program
from hlsmem.studies.dataflow.reads import ReadFlow, flows_of
from hlsmem.studies.dataflow.sources import Control
from tests.steps import load
from tests.studies.dataflow.judging import sources_at

_HEAD = """\
hlsmem: 1
name: tokens
params: {n: 3}
arrays: {c: {type: uint1, index: []}, s: {extents: []}}
live_in: ["{ c[] }"]
network:
  line:
    statements:
"""


def flows_of_lines(folder: Path, *lines: str) -> dict[str, ReadFlow]:
    """The reads of a program by the least rule, by statement."""
    path = folder / "design.yaml"
    path.write_text(_HEAD + "".join(f"      {line}\n" for line in lines))
    program = load(path, conditional=True).input
    assert isinstance(program, Program)
    flows = flows_of(program, control=Control.LEAST, operations=400_000)
    return {one.read.statement: one for one in flows if one.read.filter is None}


def statement(name: str, slot: int, accesses: str, value: int | None = None) -> str:
    """A statement in the loop i; with a value, it runs where c has it."""
    test = ""
    if value is not None:
        values = f"{{ {name}[i] -> [{value}] }}"
        test = f', filter: {{access: ["{{ {name}[i] -> c[] }}"], value: "{values}"}}'
    return (
        f'{name}: {{domain: "[n] -> {{ {name}[i] : 0 <= i < n }}",'
        f' schedule: "{{ {name}[i] -> [i,{slot}] }}", {accesses}{test}}}'
    )


def test_one_write_that_two_look_at(tmp_path: Path) -> None:
    found = flows_of_lines(
        tmp_path,
        statement("T", 0, 'writes: ["{ T[i] -> c[] }"]'),
        statement("S", 1, 'writes: ["{ S[i] -> s[] }"]', 1),
        statement("R", 2, 'reads: ["{ R[i] -> s[] }"]', 1),
    )
    flow = found["R"].flow
    assert not flow.parameters
    assert [str(one.relation) for one in flow.sources] == [
        "[n] -> { R[i] -> S[i' = i] : 0 <= i < n }"
    ]


def test_a_condition_that_is_written_in_between(tmp_path: Path) -> None:
    found = flows_of_lines(
        tmp_path,
        statement("T", 0, 'writes: ["{ T[i] -> c[] }"]'),
        statement("S", 1, 'writes: ["{ S[i] -> s[] }"]', 1),
        statement("U", 2, 'writes: ["{ U[i] -> c[] }"]'),
        statement("R", 3, 'reads: ["{ R[i] -> s[] }"]', 1),
    )
    assert [one.name for one in found["R"].flow.parameters] == ["beta_S", "lam_S_0"]


def test_a_condition_that_is_written_after_it_was_looked_at(tmp_path: Path) -> None:
    """There is one write of the element alone: what was there before is another value."""
    found = flows_of_lines(
        tmp_path,
        statement("S", 0, 'writes: ["{ S[i] -> s[] }"]', 1),
        'T: {domain: "{ T[] }", schedule: "{ T[] -> [0,1] }", writes: ["{ T[] -> c[] }"]}',
        statement("R", 2, 'reads: ["{ R[i] -> s[] }"]', 1),
    )
    flow = found["R"].flow
    assert [one.name for one in flow.parameters] == ["beta_S"]


def test_an_instance_that_always_runs(tmp_path: Path) -> None:
    """Filters of some instances: the last that ran may be one that needed no condition."""
    found = flows_of_lines(
        tmp_path,
        'S: {domain: "[n] -> { S[i] : 0 <= i < n }", schedule: "{ S[i] -> [0,i] }",'
        ' writes: ["{ S[i] -> s[] }"],'
        ' filter: {access: ["{ S[i] -> c[] }"], value: "{ S[i] -> [1] : i > 0 }"}}',
        'R: {domain: "{ R[] }", schedule: "{ R[] -> [1,0] }", reads: ["{ R[] -> s[] }"]}',
    )
    flow = found["R"].flow
    for last in range(3):
        values = {"n": 3, "beta_S": 1, "lam_S_0": last}
        assert sources_at(flow, (), values) == [("S", (last,))]
