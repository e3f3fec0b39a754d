"""Depths of streams in DATAFLOW regions: what is said of them, for the ways to write such."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.planner.remarks.stream_depths import shallow_streams
from tests.steps import load

MAKE = """\
static void make(const int in[N], hls::stream<int> &f, hls::stream<int> &g) {{
    {begin}
    for (int i = 0; i < N; i++) f.write(in[i]);
    for (int i = 0; i < N; i++) g.write(in[i] * 2);
}}
"""
TAKE = """\
static void take(hls::stream<int> &f, hls::stream<int> &g, int out[N]) {
    for (int i = 0; i < N; i++) out[i] = f.read() - g.read();
}
"""
CALLS = "    make(in, f, g);\n    take(f, g, out);\n"
STREAMS = "    hls::stream<int> f, g;\n"


def text_of(
    functions: str = "",
    calls: str = CALLS,
    *,
    make: str = "",
    streams: str = STREAMS,
    top: str = "top",
) -> str:
    """A design with N = 6 whose function `top` has DATAFLOW."""
    return (
        "#include <hls_stream.h>\n#define N 6\n"
        + MAKE.format(begin=make)
        + TAKE
        + functions
        + f"void {top}(const int in[N], int out[N]) {{\n#pragma HLS DATAFLOW\n{streams}{calls}}}\n"
    )


def said(folder: Path, text: str, settings: Sequence[str] = ()) -> list[str]:
    """What is said of depths, those by default too."""
    (folder / "design.cpp").write_text(text, encoding="utf-8")
    design = load(folder / "design.cpp", settings=["kernel.function=top", *settings])
    return [one.what for one in shallow_streams(design, (True, False))]


def depth(stream: str, words: object) -> str:
    return f"#pragma HLS STREAM variable={stream} depth={words}\n"


def test_the_order_of_two_streams_asks_for_the_words_of_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    streams = STREAMS + depth("f", 2) + depth("g", 2)
    (tmp_path / "order.cpp").write_text(text_of(streams=streams), encoding="utf-8")
    assert main(["plan", str(tmp_path / "order.cpp"), "-o", str(tmp_path / "out")]) == 0
    told = [line for line in capsys.readouterr().err.split("\n") if "deadlock" in line]
    (line,) = told
    assert line.endswith(
        "order.cpp:14:9: 'f': depth 2 asked, 6 needed: deadlock; give it that depth, or run its"
        " reader sooner: see hlsmem what-if"
    )
    assert "'f': depth 2 asked, 6 needed" in (tmp_path / "out" / "report.md").read_text()


SHALLOW = {
    "as asked, and enough": (text_of(streams=STREAMS + depth("f", 6) + depth("g", 1)), []),
    "by default": (text_of(), ["'f': depth 2 by default, 6 needed: deadlock"]),
    "as the type has it": (
        text_of(streams='    hls::stream<int, N - 1> f("f");\n    hls::stream<int, 1> g;\n'),
        ["'f': depth 5 asked, 6 needed: deadlock"],
    ),
    "a pragma in place of the type's": (
        text_of(streams="    hls::stream<int, 3> f, g;\n" + depth("f", 6)),
        [],
    ),
    "macros and constants": (
        text_of(
            "#define HALF (N / 2)\nconst int TWO = 2;\n",
            streams=STREAMS + depth("f", "HALF+TWO") + depth("g", "NOTHING"),
        ),
        [
            "'f': depth 5 asked, 6 needed: deadlock",
            "'g': depth NOTHING asked; that is no number that is known here",
        ],
    ),
    "one less": (
        text_of(streams=STREAMS + depth("f", 5)),
        ["'f': depth 5 asked, 6 needed: deadlock"],
    ),
    "inlined: loops of the region": (text_of(make="\n#pragma HLS INLINE\n"), []),
    "not inlined": (
        text_of(make="\n#pragma HLS INLINE off\n"),
        ["'f': depth 2 by default, 6 needed: deadlock"],
    ),
    "a region in a task": (text_of(make="\n#pragma HLS DATAFLOW\n"), []),
    "a region in a called function": (
        text_of(top="static inner").replace("void static", "static void")
        + "void top(const int in[N], int out[N]) { inner(in, out); }\n",
        ["'f': depth 2 by default, 6 needed: deadlock"],
    ),
    "runs that do not overlap": (
        text_of(top="static inner").replace("void static", "static void")
        + "void top(const int in[N], int out[N]) {\n"
        "    for (int r = 0; r < 3; r++) inner(in, out);\n}\n",
        ["'f': depth 2 by default, 6 needed: deadlock"],
    ),
    "calls in calls": (
        text_of(
            "static void outer(const int in[N], hls::stream<int> &f, hls::stream<int> &g) {\n"
            "    make(in, f, g);\n}\n",
            "    outer(in, f, g);\n    take(f, g, out);\n",
        ),
        ["'f': depth 2 by default, 6 needed: deadlock"],
    ),
    "a function that is called twice": (
        text_of(
            "static void pass(hls::stream<int> &a, hls::stream<int> &b) {\n"
            "    for (int i = 0; i < N; i++) b.write(a.read());\n}\n",
            "    make(in, f, g);\n    pass(f, h);\n    pass(g, k);\n    take(h, k, out);\n",
            streams=STREAMS + "    hls::stream<int> h, k;\n" + depth("k", 1),
        ),
        ["'h': depth 2 by default, 4 needed beside the depths of the others: deadlock"],
    ),
    "two nests that read one stream": (
        text_of(
            "static void twice(hls::stream<int> &f, hls::stream<int> &g, int out[N]) {\n"
            "    for (int i = 0; i < 2; i++) out[i] = f.read();\n"
            "    for (int i = 2; i < N; i++) out[i] = f.read() + g.read();\n}\n",
            "    make(in, f, g);\n    twice(f, g, out);\n",
        ),
        ["'f': depth 2 by default, 4 needed: deadlock"],  # two words of g stay
    ),
    "two tasks that read one stream": (
        text_of(
            "static void half(hls::stream<int> &f, int out[N]) {\n"
            "    for (int i = 0; i < 3; i++) out[i] = f.read();\n}\n",
            "    make(in, f, g);\n    half(f, out);\n    half(f, out);\n"
            "    for (int i = 0; i < N; i++) out[i] = g.read();\n",
        ),
        ["'f': depth 2 by default; half and half_2 read it, and one task may"],
    ),
    "an array between tasks": (
        text_of(
            "static void both(const int in[N], hls::stream<int> &f, int a[N]) {\n"
            "    for (int i = 0; i < N; i++) {\n        f.write(in[i]);\n        a[i] = in[i];\n"
            "    }\n}\n"
            "static void ends(hls::stream<int> &f, int a[N], int out[N]) {\n"
            "    for (int i = 0; i < N; i++) out[i] = f.read() + a[i];\n}\n",
            "    both(in, f, a);\n    ends(f, a, out);\n",
            streams="    hls::stream<int> f;\n    int a[N];\n",
        ),
        ["'f': depth 2 by default, 6 needed: deadlock"],
    ),
    "a stream inside of a task": (
        text_of(
            "static void alone(const int in[N], int out[N]) {\n"
            "    hls::stream<int> f;\n"
            "    for (int i = 0; i < 3; i++) f.write(in[i]);\n"
            "    for (int i = 0; i < 3; i++) out[i] = f.read();\n}\n",
            "    alone(in, out);\n",
            streams="",
        ),
        ["'f': depth 2 by default, 3 needed: deadlock"],
    ),
    "a window that is shifted by hand": (
        text_of(
            "static void first(const int in[N], hls::stream<int> &f) {\n"
            "    for (int i = 0; i < N; i++) f.write(in[i]);\n}\n"
            "static void smooth(hls::stream<int> &f, int out[N]) {\n    int w[4] = {0};\n"
            "    for (int i = 0; i < N; i++) {\n"
            "        for (int k = 0; k < 3; k++) w[k] = w[k + 1];\n"
            "        w[3] = f.read();\n        out[i] = w[0] + w[3];\n    }\n}\n",
            "    first(in, f);\n    smooth(f, out);\n",
            streams="    hls::stream<int> f;\n" + depth("f", 1),
        ),
        [],
    ),
}


@pytest.mark.few(0.34)
@pytest.mark.parametrize("kind", SHALLOW)
def test_what_is_said_of_depths(tmp_path: Path, kind: str) -> None:
    text, expected = SHALLOW[kind]
    assert said(tmp_path, text) == expected


def test_what_is_obeyed_is_held_against_the_plan(tmp_path: Path) -> None:
    """There arrays are handed over element by element, and depths by default are not asked for."""
    text, _ = SHALLOW["an array between tasks"]
    asked = text.replace("int a[N];\n    both", depth("f", 1) + "    int a[N];\n    both")
    assert asked != text
    assert said(tmp_path, asked) == ["'f': depth 1 asked, 6 needed: deadlock"]
    assert said(tmp_path, asked, ["kernel.pragmas=obey"]) == []
    assert said(tmp_path, text, ["kernel.pragmas=ignore"]) == []
