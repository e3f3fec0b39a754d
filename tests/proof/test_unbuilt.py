"""Memories of arrays without streams: their cells are proved, and no module is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hlsmem_verify
from hlsmem.check.plans.proof_check import check_proof
from hlsmem.core.verdict import Status
from tests.conftest import EXAMPLES
from tests.plans import put, simulated_of
from tests.proof.test_built import Files, false

IDIOMS = EXAMPLES.parent / "tests" / "read" / "c" / "idioms"


@pytest.mark.few("look_up")
@pytest.mark.parametrize(
    ("kernel", "left"),
    [("branches_on_data", ("T0", "T1")), ("broken_off", ("T0",)), ("look_up", ("lut",))],
)
def test_arrays_without_streams_have_no_module(
    kernel: str, left: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Data decide on an access to them, or filters alone look at them: their cells are proved, and
    nothing is said to be built."""
    found = simulated_of(IDIOMS / f"{kernel}.c")
    put(tmp_path, found)
    verdict, *others = check_proof(kernel, found["plan.json"], tmp_path)
    assert [one for one in (verdict, *others) if one.status is not Status.PASS] == []
    said = f"; without streams, so not built: {', '.join(left)}"
    assert verdict.detail.endswith(f" claims proved from plan.json and rtl{said}")
    assert hlsmem_verify.main([str(tmp_path), "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].endswith(f" 0 open; storage compared with rtl{said}")
    for one in left:
        assert f"memories.{one}.words: proved by memory" in lines
        assert f"memories.{one}.kind: measured" in lines
    assert "memories.t.words: proved by built, memory" in lines


NEVER = """void never(const int in[8], int A[64], int out[8]) {
    int t[8];
    for (int i = 1; i <= 8 && 2 == 3; ++i) A[i] = A[i % 2];
    for (int i = 0; i < 8; ++i) t[i] = in[i];
    for (int i = 0; i < 8; ++i) out[i] = t[7 - i];
}
"""


def test_a_memory_that_nothing_touches_has_neither_bound_nor_module(tmp_path: Path) -> None:
    kernel = tmp_path / "never.c"
    kernel.write_text(NEVER)
    found = simulated_of(kernel, settings=["arrays.A.storage=memory"])
    assert json.loads(found["plan.json"])["arrays"]["A"]["holdings"]["hardware"]["bound"] is None
    put(tmp_path / "out", found)
    verdict, *others = check_proof("never", found["plan.json"], tmp_path / "out")
    assert [one for one in (verdict, *others) if one.status is not Status.PASS] == []
    assert verdict.detail.endswith("; without streams, so not built: A")


def without_module(found: Files) -> None:
    del found["rtl/broken_off_t_buffer.v"]


def without_its_streams(found: Files) -> None:
    """The plan no longer says that `t` has streams; its program does."""
    without_module(found)
    plan = json.loads(found["plan.json"])
    plan["streams"] = [one for one in plan["streams"] if one["array"] != "t"]
    found["plan.json"] = json.dumps(plan)


def with_a_stream(found: Files) -> None:
    """The plan says that `T0` has a stream."""
    plan = json.loads(found["plan.json"])
    plan["streams"].append({**plan["streams"][0], "name": "m_T0_S0", "array": "T0"})
    found["plan.json"] = json.dumps(plan)


def in_the_top(found: Files) -> None:
    file = "rtl/broken_off_mem.v"
    more = "broken_off_T0_buffer u_T0 (.clk(clk));\nendmodule"
    found[file] = found[file].replace("endmodule", more)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (without_module, "memories.t: rtl: there is no module broken_off_t_buffer"),
        (without_its_streams, "memories.t: rtl: there is no module broken_off_t_buffer"),
        (with_a_stream, "memories.T0: rtl: there is no module broken_off_T0_buffer"),
        (in_the_top, "has 1 of broken_off_T0_buffer, not none: nothing streams to or from it"),
    ],
)
def test_a_module_is_missing_where_streams_are(change: Callable[[Files], None], what: str) -> None:
    found = simulated_of(IDIOMS / "broken_off.c")
    assert false(found) == []
    change(found)
    assert [one for one in false(found) if what in one]
