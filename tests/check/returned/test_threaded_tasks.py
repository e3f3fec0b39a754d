"""Tasks of a text that comes back run as threads: with its depths they end, with less they stop."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.check.returned.threaded_tasks import depths_of, threaded
from hlsmem.core.verdict import Status
from hlsmem.emit.source_patch import patch_of
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from tests.plans import put
from tests.source_edits.test_stream_depths import SPLIT, STREAMS
from tests.steps import load


@pytest.mark.parametrize("name", [*STREAMS])
def test_a_depth_one_too_small_is_seen(name: str, tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(SPLIT.format(streams=STREAMS[name]))
    design = load(tmp_path / "k.cpp", settings=["kernel.function=split"])
    files = dict(output_files(plan_design(design)))
    for depth, status, what in (
        (40, Status.PASS, "its tasks end as threads, f with a word less stops"),
        (39, Status.FAIL, "its tasks stop as threads over streams of these depths"),
    ):
        text = files["source/k.cpp"].replace("depth=40", f"depth={depth}")
        own = {"source/k.cpp": text.replace("int, 40>", f"int, {depth}>")}
        own["source/k.cpp.patch"] = patch_of("k.cpp", files["design/k.cpp"], own["source/k.cpp"])
        folder = tmp_path / str(depth)
        put(folder, files | own)
        (found,) = run_checks(folder, ("patch",)).verdicts
        assert found.status is status
        assert found.detail.endswith(what)


def test_calls_of_a_region_become_threads() -> None:
    text = SPLIT.format(streams=STREAMS["type"])
    assert depths_of(text) == {"f": "2 * 4", "g": "2"}
    found = threaded(text, "f")
    assert "hls::stream<int, 2 * 4> f; f.hlsmem_room((2 * 4) - 1);" in found
    assert "hlsmem_region.task([&] { make(in, f, g); });" in found
    assert "for (int i = 0; hlsmem::next(),  i < N; i++) f.write(in[i]);" in found
    assert found.count("hlsmem_region.join();") == 1
