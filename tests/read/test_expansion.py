"""pipeline.unroll: loops by name, and what is said of loops that cannot be unrolled."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.program.model import Program
from tests.read.loading import KERNEL, KERNEL_DESIGN, NETWORK, load_text, messages_of


def kernel_design(folder: Path, pipeline: str, more: str = "order: iteration\n") -> str:
    (folder / "copy.c").write_text(KERNEL)
    return f"{KERNEL_DESIGN}{more}pipeline: {pipeline}\n"


def test_factors_by_entries_of_times(tmp_path: Path) -> None:
    program = load_text(tmp_path, kernel_design(tmp_path, "{unroll: {i: 4}}")).input
    assert isinstance(program, Program)
    assert program.iterator_names[1] == "i"
    assert program.unroll == {1: 4}


def test_a_factor_of_one_is_none(tmp_path: Path) -> None:
    program = load_text(tmp_path, kernel_design(tmp_path, "{unroll: {i: 1}}", "")).input
    assert isinstance(program, Program)
    assert program.unroll == {}


def test_loops_of_a_network_are_entries_of_its_times(tmp_path: Path) -> None:
    text = f"{NETWORK}order: iteration\npipeline: {{unroll: {{t0: 2}}}}\n"
    program = load_text(tmp_path, text).input
    assert isinstance(program, Program)
    assert program.unroll == {0: 2}


@pytest.mark.parametrize(
    ("pipeline", "more", "message"),
    [
        (
            "{unroll: {j: 2}}",
            "order: iteration\n",
            "there is no loop 'j' to unroll; the loops are: i",
        ),
        (
            "{unroll: {i: 2}}",
            "",
            "pipeline.unroll makes steps of iterations, and order: sequential has no steps;"
            " add order: iteration",
        ),
        (
            "{unroll: {i: 0}}",
            "order: iteration\n",
            "pipeline.unroll.i must be at least 1, not 0; choose a larger number",
        ),
        (
            "{unroll: {i: 2}}",
            "order: iteration\nplan: {tile: '{ [t0, t1, t2] : t1 < 4 }'}\n",
            "pipeline.unroll and plan.tile together are not available yet; leave out one of them",
        ),
    ],
)
def test_what_cannot_be_unrolled(tmp_path: Path, pipeline: str, more: str, message: str) -> None:
    (found,) = messages_of(tmp_path, kernel_design(tmp_path, pipeline, more))
    assert found.split(": ", 1)[1].split("\n")[0] == message


def test_a_loop_within_a_step_is_refused(tmp_path: Path) -> None:
    text = NETWORK.replace("[i,0]", "[0,i,0]").replace("[i,1]", "[0,i,1]")
    text += "order: iteration\npipeline: {level: 1, unroll: {t1: 2}}\n"
    (found,) = messages_of(tmp_path, text)
    assert "the loop 't1' is within a step, which has all its iterations already" in found
