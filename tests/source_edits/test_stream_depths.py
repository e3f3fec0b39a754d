"""Depths of streams in the text that comes back: no deadlock with them, one with a word less."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.planner.planning_sequence import plan_design
from hlsmem.planner.remarks.stream_depths import shallow_streams
from hlsmem.planner.source_planning import ReturnedSource, returned_source
from tests.steps import load

SPLIT = """\
#include <hls_stream.h>
#define N 40
static void make(const int in[N], hls::stream<int> &f, hls::stream<int> &g) {{
    for (int i = 0; i < N; i++) f.write(in[i]);
    for (int i = 0; i < N; i++) g.write(in[i] + 1);
}}
static void take(hls::stream<int> &f, hls::stream<int> &g, int out[N]) {{
    for (int i = 0; i < N; i++) out[i] = f.read() * g.read();
}}
void split(const int in[N], int out[N]) {{
#pragma HLS DATAFLOW
{streams}
    make(in, f, g);
    take(f, g, out);
}}
"""
ASKED = "    hls::stream<int> f, g;\n#pragma HLS STREAM variable=f depth={}"
STREAMS = {
    "pragma": ASKED.format(2),
    "type": "    hls::stream<int, 2 * 4> f;\n    hls::stream<int> g;",
    "default": '    hls::stream<int> f("f"), g;',
}
WANTED = {
    "pragma": "#pragma HLS STREAM variable=f depth=40\n",
    "type": "    hls::stream<int, 40> f;\n",
    "default": 'f("f"), g;\n#pragma HLS STREAM variable=f depth=40\n',
}


def of_text(folder: Path, text: str, *settings: str) -> ReturnedSource:
    (folder / "k.cpp").write_text(text)
    design = load(folder / "k.cpp", settings=["kernel.function=split", *settings])
    return returned_source(plan_design(design).folded)


def said(folder: Path, text: str) -> list[str]:
    (folder / "said.cpp").write_text(text)
    design = load(folder / "said.cpp", settings=["kernel.function=split"])
    return [one.what for one in shallow_streams(design, (True, False))]


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_gets_the_depth_that_it_needs(name: str, tmp_path: Path) -> None:
    text = of_text(tmp_path, SPLIT.format(streams=STREAMS[name])).files["k.cpp"]
    assert WANTED[name] in text
    assert not said(tmp_path, text)
    (less,) = said(tmp_path, text.replace("40> f", "39> f").replace("depth=40", "depth=39"))
    assert "39 asked, 40 needed: deadlock" in less
    assert not of_text(tmp_path, text).files


def test_without_a_pragma_of_the_dialect_the_report_says_what_is_needed(tmp_path: Path) -> None:
    text = SPLIT.format(streams=STREAMS["default"])
    found = of_text(tmp_path, text, "source.dialect=smarthls")
    assert not found.files
    assert found.forms["f"].why.startswith("it needs 40 words")
