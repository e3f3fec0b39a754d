"""`#pragma HLS`: what is followed, and what is held against the plan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.emit.report import report
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.planner.remarks.pragma_remarks import pragma_remarks
from hlsmem.program.model import Program
from hlsmem.questions.broken_limits import broken_limits
from tests.families import by_default
from tests.steps import load

KERNEL = """\
#define N 16
void f(const unsigned char in[N], int out[N]) {{
    {top}
    int a[N], b[N], c[N];
    for (int i = 0; i < N; i++) {{
        {first}
        a[i] = in[i];
        b[i] = 2 * in[i];
    }}
    for (int i = 0; i < N; i++) {{
        {second}
        c[i] = (i >= 4 ? c[i - 4] : 0) + a[i];
    }}
    for (int i = 0; i < N; i++) {{
        {third}
        out[i] = c[N - 1 - i] + b[i];
    }}
}}
"""


def planned(folder: Path, settings: Sequence[str] = (), **parts: str) -> Planning:
    names = ("top", "first", "second", "third")
    text = KERNEL.format(**{name: parts.get(name, "") for name in names})
    text = text.replace("#pragma", "\n#pragma").replace("|", "\n")
    (folder / "f.c").write_text(text)
    return plan_hardware(load(folder / "f.c", settings=settings))


def said(planning: Planning) -> list[str]:
    given = planning.design.input
    assert isinstance(given, Program)
    assert given.kernel is not None
    return [
        one.what for one in (*given.notes, *pragma_remarks(planning.folded, planning.placement))
    ]


@pytest.mark.dear
def test_depths_are_those_that_stages_side_by_side_need(tmp_path: Path) -> None:
    streams = "#pragma HLS STREAM variable=a depth=1|#pragma HLS STREAM variable=b depth=2|"
    found = planned(tmp_path, top=f"#pragma HLS DATAFLOW|{streams}")
    told = said(found)
    assert told[0] == "'b': depth 2 asked, 15 needed: deadlock"
    assert len(told) == 1
    own = ["plan.capacity=schedule", "schedule=text"]
    kept = planned(tmp_path, own, top=f"#pragma HLS DATAFLOW|{streams}")
    assert said(kept)[1] == "'a': depth 1 asked, the FIFO of the plan has 16 words"
    assert said(kept)[2].startswith("DATAFLOW: the words are those of the text's order")
    alone = planned(tmp_path, top=streams)
    assert said(alone)[0] == "'a': depth 1 asked, 16 needed: deadlock"


@pytest.mark.dear
def test_depths_that_are_obeyed_fail_the_plan(tmp_path: Path) -> None:
    top = "#pragma HLS DATAFLOW|#pragma HLS STREAM variable=b depth={}|"
    obey = ["kernel.pragmas=obey"]
    found = planned(tmp_path, obey, top=top.format(2))
    assert [one.what for one in broken_limits(found)] == ["'b': depth 2 asked, 15 needed: deadlock"]
    assert said(found) == []
    assert found.design.plan.capacity == "selftimed"
    assert broken_limits(planned(tmp_path, obey, top=top.format(15))) == ()


def test_banks_that_are_asked_for_are_counted(tmp_path: Path) -> None:
    top = "#pragma HLS ARRAY_PARTITION variable=c cyclic factor=8|"
    top += "#pragma HLS ARRAY_PARTITION variable=a complete|"
    assert said(planned(tmp_path, ["schedule=text"], top=top)) == [
        "'c': asked for 8 banks, one does",
        "'a': asked for a register for each element, a FIFO does",
    ]
    obeyed = planned(tmp_path, ["kernel.pragmas=obey"], top=top)
    given = obeyed.design.input
    assert isinstance(given, Program)
    assert given.arrays["c"].max_banks == 8
    assert given.arrays["a"].style == "registers"


def test_loops_interfaces_and_storage_are_followed_unless_the_design_says_otherwise(
    tmp_path: Path,
) -> None:
    parts = {
        "top": "#pragma HLS INTERFACE axis port=out|#pragma HLS INTERFACE mode=m_axi port=in|"
        "#pragma HLS INTERFACE s_axilite port=return|"
        "#pragma HLS BIND_STORAGE variable=c type=ram_2p impl=lutram|",
        "first": "#pragma HLS PIPELINE II=3|",
        "second": "#pragma HLS pipeline II=2|",
        "third": "#pragma HLS UNROLL factor=2|",
    }
    found = planned(tmp_path, **parts)
    given = found.design.input
    assert isinstance(given, Program)
    assert given.arrays["out"].storage.value == "stream"
    assert given.arrays["in"].storage.value == "external"
    assert given.arrays["c"].style == "distributed"
    assert (found.design.pipeline.level, found.design.pipeline.interval) == (1, 3)
    assert said(found) == [
        "PIPELINE asks for several intervals: 3 cycles are taken",
        "UNROLL is not followed: order: sequential has no steps",
    ]
    own = ["pipeline.interval=4", "arrays.out.storage=external", "arrays.c.style=block"]
    mine = planned(tmp_path, own, **parts)
    given = mine.design.input
    assert isinstance(given, Program)
    assert given.arrays["out"].storage.value == "external"
    assert given.arrays["c"].style == "block"
    assert mine.design.pipeline.interval == 4
    ignored = planned(tmp_path, ["kernel.pragmas=ignore"], **parts)
    assert said(ignored) == []
    assert ignored.design.pipeline.interval is None


def test_unrolling_is_followed_where_there_are_steps(tmp_path: Path) -> None:
    text = "void f(int in[16], int out[16]) {\n    int t[16];\n"
    text += "    for (int i = 0; i < 16; i++) {\n#pragma HLS UNROLL factor=2\n"
    text += "        t[i] = in[i];\n        out[i] = t[i];\n    }\n}\n"
    (tmp_path / "u.c").write_text(text)
    design = load(tmp_path / "u.c", settings=["order=iteration"])
    assert isinstance(design.input, Program)
    assert list(design.input.unroll.values()) == [2]


def test_a_dependence_that_is_there_is_named(tmp_path: Path) -> None:
    pragma = "#pragma HLS DEPENDENCE variable={} inter false|"
    assert said(planned(tmp_path, second=pragma.format("c"))) == [
        "DEPENDENCE false, but there is one: S2[0] and S2[4] touch one element"
    ]
    assert said(planned(tmp_path, second=pragma.format("a"))) == []
    unused = {"top": "int w[2];|", "second": pragma.format("w")}
    assert said(planned(tmp_path, **unused)) == []


def test_other_pragmas_get_a_remark_each(tmp_path: Path) -> None:
    top = "#pragma HLS ALLOCATION function instances=f limit=1|#pragma HLS INLINE off|"
    assert said(planned(tmp_path, top=top)) == ["#pragma HLS ALLOCATION is not read"]


@pytest.mark.parametrize(
    ("part", "text", "what"),
    [
        ("top", "#pragma HLS STREAM variable=z depth=2|", "'f' has no variable 'z'"),
        ("top", "#pragma HLS STREAM depth=2|", "STREAM names no variable of 'f'"),
        ("top", "#pragma HLS UNROLL factor=2|", "UNROLL stands in no loop"),
        ("top", "#pragma HLS ALIAS ports=in,out distance=0|", "ALIAS: ports that reach one memory"),
    ],
)
def test_pragmas_that_name_nothing_or_one_memory_are_refused(
    tmp_path: Path, part: str, text: str, what: str
) -> None:
    with pytest.raises(InputError, match=what):
        planned(tmp_path, **{part: text})


@pytest.mark.dear
def test_an_interval_that_is_not_reached_is_told(tmp_path: Path) -> None:
    turns = "for (int k = 1; k < 4; k++) b[i] = b[i] + k;|"
    parts = {"second": "#pragma HLS PIPELINE II=1|" + turns}
    found = planned(tmp_path, **parts)
    (told,) = said(found)
    assert told.startswith("PIPELINE: II=1 asked, ")
    assert told.endswith(" do")
    assert "asks for a step in every cycle, or more often: not reached." in report(found.plan)
    both = ["kernel.pragmas=obey"], ["pipeline.interval=1"]
    for own in by_default(both[:1], both):
        with pytest.raises(InputError, match="not in every cycle"):
            planned(tmp_path, own, **parts)


def test_an_interval_of_inner_loops_is_none_of_outer_steps(tmp_path: Path) -> None:
    asked = "#pragma HLS PIPELINE II={}|"
    inner = f"for (int k = 0; k < 3; k++) {{|{asked.format(3)}c[i] = a[i] + k;|}}|"
    found = planned(tmp_path, first=asked.format(1), second=inner)
    assert found.design.pipeline.level == 1
    assert found.design.pipeline.interval is None
    assert said(found) == ["PIPELINE stands at 2 depths: a step is one of the outermost"]
    # The loops of a pipelined one are its body: what they ask for is of no loop.
    found = planned(tmp_path, second=asked.format(4) + inner)
    assert (found.design.pipeline.level, found.design.pipeline.interval) == (1, 4)
    assert said(found) == []


def test_rows_that_are_banks_are_counted(tmp_path: Path) -> None:
    text = "void f(const int in[16], int out[16]) {\n    int rows[2][16];\n"
    text += "#pragma HLS ARRAY_PARTITION variable=rows complete dim=1\n"
    text += "    for (int i = 0; i < 16; i++) { rows[0][i] = in[i]; rows[1][i] = -in[i]; }\n"
    text += "    for (int i = 0; i < 16; i++) out[i] = rows[0][15 - i] + rows[1][15 - i];\n}\n"
    (tmp_path / "r.c").write_text(text)
    assert said(plan_hardware(load(tmp_path / "r.c"))) == ["'rows': asked for 2 banks, one does"]
    obeyed = load(tmp_path / "r.c", settings=["kernel.pragmas=obey"]).input
    assert isinstance(obeyed, Program)
    assert obeyed.arrays["rows"].max_banks == 2


@pytest.mark.parametrize("mode", ["judge", "obey", "ignore"])
@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("top", "#pragma HLS INLINE recursive|"),
        ("first", "#pragma HLS LOOP_TRIPCOUNT min=1 max=16|"),
        ("first", "#pragma HLS LOOP_FLATTEN off|"),
        ("second", "#pragma HLS DEPENDENCE variable=a inter false|"),
    ],
)
def test_what_has_no_effect_changes_nothing(
    tmp_path: Path, mode: str, part: str, text: str
) -> None:
    plain = planned(tmp_path)
    found = planned(tmp_path, [f"kernel.pragmas={mode}"], **{part: text})
    assert said(found) == []
    assert found.plan.timing == plain.plan.timing
    assert {name: one.hardware.parts[0].mapping for name, one in found.plan.arrays.items()} == {
        name: one.hardware.parts[0].mapping for name, one in plain.plan.arrays.items()
    }


@pytest.mark.parametrize(
    ("text", "name", "kept"),
    [
        ("#pragma HLS INTERFACE ap_memory port=in|", "in", "external"),
        ("#pragma HLS INTERFACE mode=bram port=in|", "in", "external"),
        ("#pragma HLS INTERFACE axis port=in|", "in", "stream"),
        ("#pragma HLS RESOURCE variable=c core=RAM_2P_LUTRAM|", "c", "distributed"),
        ("#pragma HLS BIND_STORAGE variable=c type=ram_2p impl=bram|", "c", "block"),
    ],
)
def test_interfaces_and_storage_are_followed_in_both_modes(
    tmp_path: Path, text: str, name: str, kept: str
) -> None:
    for mode in ("judge", "obey"):
        given = planned(tmp_path, [f"kernel.pragmas={mode}"], top=text).design.input
        assert isinstance(given, Program)
        assert kept in (given.arrays[name].storage.value, given.arrays[name].style)


CALLED = """\
#define N 16
static void scale(int to[N], const int from[N]) {
#pragma HLS INTERFACE m_axi port=to
#pragma HLS ARRAY_PARTITION variable=to cyclic factor=4
    for (int i = 0; i < N; i++) to[i] = 2 * from[i];
}
void f(const int in[N], int out[N]) {
    int a[N], b[N];
    scale(a, in);
    scale(b, a);
    for (int i = 0; i < N; i++) out[i] = b[N - 1 - i];
}
"""


def test_a_pragma_on_a_parameter_is_on_all_that_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(CALLED)
    obeyed = load(tmp_path / "f.c", settings=["kernel.pragmas=obey"]).input
    assert isinstance(obeyed, Program)
    assert {name: one.max_banks for name, one in obeyed.arrays.items() if name in "ab"} == {
        "a": 4,
        "b": 4,
    }
    assert obeyed.arrays["a"].storage.value == "memory"
    judged = said(plan_hardware(load(tmp_path / "f.c")))
    assert [one[:22] for one in judged] == ["'a': asked for 4 banks", "'b': asked for 4 banks"]


def test_banks_are_not_enough_where_steps_wait_for_a_write_port(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(
        """\
void f(const unsigned char row[64], unsigned char out[64]) {
    static unsigned char lb[2][64];
#pragma HLS ARRAY_PARTITION variable=lb complete dim=1
    for (int x = 0; x < 64; x++) {
#pragma HLS PIPELINE II=1
        unsigned char a = lb[0][x], b = lb[1][x], c = row[x];
        out[x] = (a + 2 * b + c + 2) >> 2;
        lb[0][x] = b;
        lb[1][x] = c;
    }
}
"""
    )
    told = [one for one in said(plan_hardware(load(tmp_path / "f.c"))) if "banks" in one]
    assert len(told) == 1
    assert "asked for 2 banks, it has one write port, and steps wait for it" in told[0]
