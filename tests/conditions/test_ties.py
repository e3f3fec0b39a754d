"""Conditions that arrive at one time: C runs what has equal times one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check.rebuilt.order_of_c import in_the_order_of_c
from hlsmem.cli.main import main
from hlsmem.program.model import Program
from hlsmem.timing.events import instance_times
from hlsmem.timing.planned_program import arranged
from hlsmem.timing.planned_program import in_the_order_of_c as planned_order_of_c
from tests.steps import load

KERNEL = """\
void k(const short in[6], const unsigned char a[6], const unsigned char b[6], short out[6])
{
    short t[6];
    short s = 0;
#pragma scop
    for (int i = 0; i < 6; i++)
        t[i] = in[i];
    for (int i = 1; i < 6; i++) {
        if (a[i] && b[i] > 128)
            t[i - 1] = in[i] * 2;
        else
            s = t[i];
        out[i] = t[i - 1] + t[i] + s;
    }
#pragma endscop
}
"""
SKIP = "plan: {control: skip}"
STREAMS = "arrays: {a: {storage: stream}, b: {storage: stream}}\nplan: {control: predicate}"


@pytest.fixture(params=[SKIP, STREAMS], ids=["skip", "predicate"])
def design(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "k.c").write_text(KERNEL)
    file = tmp_path / "design.yaml"
    file.write_text(f"hlsmem: 1\nname: k\nkernel: {{file: k.c}}\n{request.param}\n")
    return file


def test_arrivals_at_one_time_get_times_of_their_own(design: Path) -> None:
    given = load(design).input
    assert isinstance(given, Program)
    program = arranged(given)
    assert not instance_times(program).is_injective()
    planned = planned_order_of_c(given, program)
    assert instance_times(planned).is_injective()
    assert instance_times(in_the_order_of_c(given, program)).is_equal(instance_times(planned))


@pytest.mark.few("skip")
def test_c_under_conditions_that_arrive_together_is_right(design: Path) -> None:
    out = str(design.parent / "out")
    assert main(["plan", str(design), "-o", out]) == 0
    assert main(["check", out, "--only", "proof", "--only", "host"]) == 0
