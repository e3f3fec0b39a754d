"""The user's text as it comes back: goldens of patches, and texts that are left as they are.

`HLSMEM_REFRESH=1 pytest` rewrites the goldens and fails once.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.emit.source_patch import patch_of
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.planner.source_planning import ReturnedSource, returned_source
from hlsmem.read.c.dialect import all_dialects
from tests.fuzz.returned import difference
from tests.steps import load

PAPERS = Path(__file__).parents[2] / "examples" / "papers"
KERNELS = Path(__file__).parent / "kernels"
TOPS = {
    "maxima": ["kernel.function=maxima"],
    "scaled": ["kernel.function=top"],
    "unsharp": ["kernel.function=unsharp"],
}
FORMS = {
    "gauss": {"tmp": "lines"},
    "heat": {"t": "in-place"},
    "edges": {"s": "lines", "l": "scalar"},
    "fir": {"acc": "scalar"},
    "unsharp": {"mean": "scalar", "in": "read-once"},
    "conv": {"in": "read-once"},
    "dilate": {"in": "read-once"},
    "scaled": {"row": "in-place", "twice": "in-place"},
    "border": {"in": "read-once"},
    "sobel": {"magnitude": "scalar", "in": "read-once"},
    "maxima": {"rows": "lines"},
}


def returned(file: Path, *settings: str) -> ReturnedSource:
    return returned_source(plan_design(load(file, settings=list(settings))).folded)


# What takes longest to be planned.
DEAR = ("conv", "sobel", "border")


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.dear if one in DEAR else ()) for one in FORMS]
)
def test_the_patch_of_a_kernel(name: str) -> None:
    (file,) = KERNELS.glob(f"{name}.c*")
    found = returned(file, *TOPS.get(name, []))
    assert {array: one.form for array, one in found.forms.items()} == FORMS[name]
    patch = patch_of(file.name, file.read_text(), found.files[file.name])
    golden = file.with_name(f"{name}.patch")
    if os.environ.get("HLSMEM_REFRESH") and (not golden.exists() or golden.read_text() != patch):
        golden.write_text(patch)
        pytest.fail(f"{golden.name} is rewritten")
    assert golden.read_text() == patch


@pytest.mark.dear
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("border.c", "auto"),
        ("sobel.cpp", "auto"),
        ("gauss.cpp", "auto"),
        ("edges.c", "ring"),
        ("sobel.cpp", "ring"),
    ],
)
def test_a_second_time_nothing_changes(name: str, lines: str, tmp_path: Path) -> None:
    text = returned(KERNELS / name, f"source.lines={lines}").files[name]
    assert lines != "ring" or "_at] =" in text
    (tmp_path / name).write_text(text)
    assert not returned(tmp_path / name, f"source.lines={lines}").files


ROWS = """\
#define N 8
#define AT(a, y, x) a[y][x]
{before}void k(const int in[N][N], int out[N][N])
{{
    {declared}
    for (int y = 0; y < N; y++) {{
        for (int x = 0; x < N; x++)
            {first};
        for (int x = 0; x < N; x++)
            out[y][x] = {second};{more}
    }}
}}
"""
PLAIN = {
    "before": "",
    "declared": "int t[N][N];",
    "first": "t[y][x] = in[y][x]",
    "second": "t[y][N - 1 - x]",
    "more": "",
}


def rows(folder: Path, **texts: str) -> ReturnedSource:
    """A kernel with a row that is written and read backwards, changed in places."""
    (folder / "k.c").write_bytes(ROWS.format(**(PLAIN | texts)).encode())
    return returned(folder / "k.c", "kernel.function=k")


LEFT = {
    "macro": ({"second": "AT(t, y, N - 1 - x)"}, "hides its subscripts"),
    "size": ({"more": "\n        out[y][0] += sizeof t > 9;"}, "in another way than as elements"),
    "values": ({"declared": "int t[N][N] = {{0}};"}, "has values at first"),
    "argument": (
        {"before": "static int last(int a[N], int x) { return a[N - 1 - x]; }\n"}
        | {"second": "last(t[y], x)"},
        "is passed to a function",
    ),
    "state": (
        {"declared": "static int t[N][N];", "second": "t[N - 1 - y][x]"},
        "from call to call",
    ),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_edits_cannot_follow_is_left_with_the_reason(name: str, tmp_path: Path) -> None:
    texts, why = LEFT[name]
    found = rows(tmp_path, **texts)
    assert not found.files
    assert {array: why in one.why for array, one in found.forms.items()} == {"t": True}


PIPELINES = {
    "vitis": "        for (int x = 1; x < W - 1; x++) {\n#pragma HLS PIPELINE II=1\n",
    "smarthls": "        #pragma HLS loop pipeline II(1)\n        for (int x = 1; x < W",
    "intel": "        #pragma ii 1\n        for (int x = 1; x < W - 1; x++) {\n",
    "catapult": "        #pragma hls_pipeline_init_interval 1\n        for (int x",
}


@pytest.mark.dear
def test_dialects_differ_in_lines_of_pragmas_alone() -> None:
    file = KERNELS / "gauss.cpp"
    texts = {
        name: returned(file, f"source.dialect={name}").files["gauss.cpp"]
        for name in ("auto", *all_dialects())
    }
    plain = texts["plain"]
    assert "#pragma" not in plain
    assert texts["auto"] == texts["vitis"]
    for name, expected in PIPELINES.items():
        assert expected in texts[name]
        lines = [one for one in texts[name].split("\n") if "#pragma" not in one]
        assert lines == plain.split("\n")


RING = """\
        #pragma ii 1
        #pragma ivdep safelen(38) array(in_line0)
        #pragma ivdep safelen(38) array(in_line1)
        for (int x = 0; x < COLS; x++) {
"""


def test_lines_of_as_few_words_have_a_counter_and_its_distance() -> None:
    file = KERNELS / "sobel.cpp"
    ring = returned(file, "source.lines=ring", "source.dialect=intel")
    rows = returned(file)
    assert ring.words["in"] == 2 * 40 + 3
    assert rows.words["in"] == 2 * 40 + 6 + 1
    text = ring.files["sobel.cpp"]
    assert RING in text
    assert "in_at = in_at + 1 < COLS - 2 ? in_at + 1 : 0;" in text
    assert "in_at" not in rows.files["sobel.cpp"]


SUM = """\
void k(const int in[20][{width}], int out[20][{width}]) {{
    {declared}
    for ({kind}y = 1; y < 19; y++)
        for ({kind}x = 1; x < {width} - 1; x++)
            out[y][x] = in[y - 1][x - 1] + in[y][x] + in[y + 1][x + 1];
}}
"""


@pytest.mark.parametrize(
    ("kind", "declared", "width", "is_window"),
    [
        ("unsigned char ", "", 255, True),
        ("unsigned char ", "", 256, False),
        ("", "signed char y, x;", 127, True),
        ("", "signed char y, x;", 128, False),
        ("", "int y, x;", 256, True),
    ],
)
def test_variables_of_loops_count_no_further_than_they_can(
    kind: str, declared: str, width: int, is_window: bool, tmp_path: Path
) -> None:
    (tmp_path / "k.c").write_text(SUM.format(kind=kind, declared=declared, width=width))
    assert ("in" in returned(tmp_path / "k.c").forms) == is_window


OWN = """\
void k(const short in[20][30], int out[20][30]) {{
    for (int y = 0; y < 18; y++)
        for (int x = 0; x < 28; x++) {{
            int sum = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {{
                    int other = {first};
                    sum += in[y + i][{second}];
                }}
            out[y][x] = sum;
        }}
}}
"""


@pytest.mark.parametrize(
    ("first", "second", "column"),
    [
        ("0", "x + j", "j"),
        ("x + j", "other", "j"),
        ("x + j; other += 0", "other", ""),
        ("0", "x + 2 * j", "2 * j"),
    ],
)
def test_windows_are_where_subscripts_tell_their_places(
    first: str, second: str, column: str, tmp_path: Path
) -> None:
    text = OWN.format(first=first, second=second).replace("28", "26")
    (tmp_path / "k.c").write_text(text)
    found = returned(tmp_path / "k.c")
    assert ("in" in found.forms) == bool(column)
    if column:
        assert f"sum += in_window[i][{column}];" in found.files["k.c"]


def test_elements_of_a_row_are_read_where_they_are(tmp_path: Path) -> None:
    text = SUM.format(kind="int ", declared="", width=20)
    (tmp_path / "k.c").write_text(text.replace("y - 1", "y").replace("y + 1", "y"))
    assert not returned(tmp_path / "k.c").files


def test_pragmas_of_an_array_that_changes_go(tmp_path: Path) -> None:
    declared = "int t[N][N];\n#pragma HLS ARRAY_PARTITION variable=t dim=2 complete"
    text = rows(tmp_path, declared=declared).files["k.c"]
    assert "int t[N];" in text
    assert "pragma" not in text


def test_bytes_that_no_edit_touches_stay(tmp_path: Path) -> None:
    """Line ends of DOS in half of the lines, a byte order mark, tabs, comments in UTF-8."""
    text = ROWS.format(**(PLAIN | {"before": "// größer\n\n\n"})).replace("    ", "\t")
    lines = text.split("\n")
    mixed = "\ufeff" + "".join(f"{one}\r\n" if k % 2 else f"{one}\n" for k, one in enumerate(lines))
    (tmp_path / "k.c").write_bytes(mixed.encode())
    found = returned(tmp_path / "k.c", "kernel.function=k").files["k.c"]
    wanted = mixed.replace("int t[N][N];", "int t[N];").replace("\tt[y][x] =", "\tt[x] =")
    assert found == wanted.replace("= t[y][N - 1 - x]", "= t[N - 1 - x]")


def test_line_ends_stay_where_the_order_changes(tmp_path: Path) -> None:
    text = (KERNELS / "edges.c").read_text().replace("\n", "\r\n")
    (tmp_path / "k.c").write_bytes(text.encode())
    planning = plan_design(load(tmp_path / "k.c", settings=["kernel.function=edges"]))
    found = planning.returned.files["k.c"]
    assert planning.returned.is_merged
    assert "\t" in found
    assert found.count("\n") == found.count("\r\n")
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert planning.plan.inputs["k.c"] == f"sha256:{digest}"


def test_names_that_the_user_has_are_not_taken(tmp_path: Path) -> None:
    text = (KERNELS / "edges.c").read_text()
    (tmp_path / "k.c").write_text("int s_now, s_line0, s_1;\n" + text)
    found = returned(tmp_path / "k.c", "kernel.function=edges").files["k.c"]
    assert "s_now_w1" in found
    assert "s_line0_w1[N - 3]" in found


def test_names_that_a_body_has_for_itself_are_not_captured() -> None:
    """Nests merge of which one has a variable of the other's name in its body."""
    found = returned(PAPERS / "gauss" / "gauss.c").files["gauss.c"]
    assert "for (int k = 0; k <= 2; k++)" in found
    assert "for (int k = 0; k < " not in found


def test_random_kernels_give_what_they_gave(tmp_path: Path) -> None:
    from tests.fuzz.returned import kernel_text
    from tests.fuzz.returned import returned as of_text

    merged = 0
    for seed in (1, 4, 31):
        text = kernel_text(seed)
        found = of_text(text, tmp_path)
        assert found is not None
        merged += found.is_merged
        assert not difference(text, found.files["k.c"], tmp_path), seed
    assert merged


def test_a_planted_fault_is_a_difference(tmp_path: Path) -> None:
    from tests.fuzz.returned import kernel_text
    from tests.fuzz.returned import returned as of_text

    text = kernel_text(4)
    found = of_text(text, tmp_path)
    assert found is not None
    wrong = found.files["k.c"].replace("] = t", "] = 1 + t", 1)
    assert difference(text, wrong, tmp_path) != ""


def test_the_report_says_why_nothing_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.c").write_text(ROWS.format(**(PLAIN | LEFT["size"][0])))
    command = ["plan", str(tmp_path / "k.c"), "-o", str(tmp_path / "out")]
    assert main([*command, "--set", "kernel.function=k"]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines()[-1] == "source: nothing to change; the report says why"
    (why,) = (line for line in said.out.splitlines() if line.startswith("- t keeps its text: "))
    assert why.endswith("of k.c has it in another way than as elements")


TWICE = """\
void k(const short in[20][30], short out[20][30], short more[20][30])
{
    for (int y = 1; y < 19; y++)
        for (int x = 1; x < 29; x++)
            out[y][x] = in[y - 1][x] + in[y][x - 1] + in[y + 1][x + 1];
    out[0][0] = 1;
    for (int y = 2; y < 20; y++)
        for (int x = 0; x < 28; x++)
            more[y][x] = in[y - 2][x] + in[y - 1][x + 2] + in[y][x + 1];
}
"""


def test_a_parameter_that_two_groups_read_has_names_for_each(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(TWICE)
    found = returned(tmp_path / "k.c")
    lines = [one.lines for one in found.lines if one.array == "in"]
    assert len(lines) == 2
    text = found.files["k.c"]
    names = re.findall(r"(?m)^    short (\w+)", text)
    assert len(names) == len(set(names)) == sum(map(len, lines))


AROUND = """\
void k(const int a[20][32], int b[20][30], int c[20][30])
{
    for (int y = 0; y < 20; y++) {
        int t[32];
        for (int x = 0; x < 32; x++)
            t[x] = a[y][x] / 2;
        for (int x = 0; x < 30; x++)
            b[y][x] = t[x] + t[x + 1] + t[x + 2];
    }
    for (int y = 1; y < 20; y++)
        for (int x = 0; x < 30; x++)
            c[y][x] = b[y][x] + b[y - 1][x];
}
"""


def test_nests_that_merge_are_inside_of_none_that_merge(tmp_path: Path) -> None:
    """The order of the plan has the outer loops as one, too."""
    (tmp_path / "k.c").write_text(AROUND)
    found = returned(tmp_path / "k.c", "arrays.b.storage=memory", "host.alias=check")
    assert found.is_merged
    assert found.words["t"] < 32
    assert found.files["k.c"].count("for (int y") == 2
    assert found.files["k.c"].count("for (int x") == 2


ORDERED = """\
void k(const int in[{rows}][9], int out[8][9], int other[9][8])
{{
    int t[8][9];
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 9; x++)
            t[y][x] = in[y][x] + {more};
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 9; x++) {{
            out[y][x] = t[y][x] + 1;
            other[x][y] = t[y][x];
        }}
}}
"""


@pytest.mark.parametrize(
    ("rows", "more", "is_ordered"), [(8, "1", True), (9, "1", False), (8, "in[y][0]", False)]
)
def test_parameters_that_could_be_streams_are_named(
    rows: int, more: str, is_ordered: bool, tmp_path: Path
) -> None:
    (tmp_path / "k.c").write_text(ORDERED.format(rows=rows, more=more))
    found = returned_source(plan_design(load(tmp_path / "k.c")).folded).remarks
    read = ("`in` is read once, in order: axis is possible",)
    assert found == (*read * is_ordered, "`out` is written once, in order: axis is possible")


def test_a_parameter_that_is_read_once_by_lines_could_be_a_stream() -> None:
    assert returned(KERNELS / "border.c").remarks == (
        "`in` is read once, in order: axis is possible",
    )


LOCALS = """\
void k(const short in[12][16], short out[12][16])
{{
    for (int y = 1; y < 11; y++)
        for (int x = 1; x < 15; x++) {{
            int sum = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {{
                    int yy = y + i - 1;
                    const int xx = x + j - 1;
                    {first}sum += in[yy][xx] * (xx > 3);
                }}
            out[y][x] = sum / 8;
        }}
}}
"""


def test_subscripts_may_be_variables_of_the_body(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(LOCALS.format(first=""))
    text = returned(tmp_path / "k.c").files["k.c"]
    assert "sum += in_window[i][j] * (xx > 3);" in text
    # What nothing reads any more is gone, and what is read stays.
    assert "yy" not in text
    assert "const int xx = (x - 1) + j - 1;" in text
    (tmp_path / "k.c").write_text(LOCALS.format(first="yy++; yy--; "))
    assert not returned(tmp_path / "k.c").files
