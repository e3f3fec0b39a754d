"""`kernel.macros`: sizes that are macros as parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.model import Program
from hlsmem.questions.method_comparison import lifetimes_of
from hlsmem.read.design import changed
from tests.steps import load

TEXT = """\
#define H 6 /* rows */
#define W (8)
#define STEP 2
#define TAPS 3
#define DEEP 4
#if DEEP > 2
#define EXTRA 1
#endif
void f(const int in[H][W], int out[H][W], int few[H * STEP]) {
    int t[H][W], d[DEEP];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            t[y][x] = in[y][x] * TAPS;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W - 1; x++)
            out[y][x] = t[y][x] + t[y][x + 1];
    for (int y = 0; y < DEEP; y++)
        d[y] = in[0][y];
    for (int y = 0; y < DEEP; y++)
        few[y] = d[y];
}
"""
PARAMETERS = ["kernel.macros=parameters"]


def read(folder: Path, text: str, settings: list[str]) -> Program:
    (folder / "f.c").write_text(text)
    program = load(folder / "f.c", settings=settings).input
    assert isinstance(program, Program)
    return program


def notes(program: Program) -> list[str]:
    return [one.what for one in program.notes]


def test_sizes_are_parameters_with_their_numbers(tmp_path: Path) -> None:
    program = read(tmp_path, TEXT, PARAMETERS)
    assert program.values == {"H": 6, "W": 8}
    assert [str(one) for one in program.arrays["t"].extents or ()] == ["H", "W"]
    assert notes(program) == []


def test_numbers_stay_numbers_where_they_are_asked_for(tmp_path: Path) -> None:
    assert read(tmp_path, TEXT, ["kernel.macros=numbers"]).values == {}
    assert read(tmp_path, TEXT, [*PARAMETERS, "params.H=5"]).values == {"H": 5, "W": 8}


def test_a_file_by_itself_has_parameters_and_a_design_numbers(tmp_path: Path) -> None:
    assert read(tmp_path, TEXT, []).values == {"H": 6, "W": 8}
    (tmp_path / "d.yaml").write_text("hlsmem: 1\nname: f\nkernel: {file: f.c}\n")
    assert load(tmp_path / "d.yaml").input.values == {}


def test_what_cannot_be_read_so_keeps_its_number_with_a_remark(tmp_path: Path) -> None:
    text = TEXT.replace("few[y] = d[y]", "few[(y + 3) % STEP] = d[y]")
    text = text.replace("y < DEEP; y++)\n        few", "y < STEP; y++)\n        few")
    program = read(tmp_path, text, PARAMETERS)
    assert program.values == {"H": 6, "W": 8}
    (told,) = notes(program)
    assert told.startswith("the macro 'STEP' keeps its number: as a parameter, non-affine")


def test_a_size_at_which_a_counter_turns_round_keeps_its_number(tmp_path: Path) -> None:
    text = """\
#define N 16
#define TAPS 4
void f(const int in[N], int out[N]) {
    int window[TAPS] = {0}, pos = 0;
    for (int i = 0; i < N; i++) {
        out[i] = window[pos];
        window[pos] = in[i];
        pos++;
        if (pos == TAPS)
            pos = 0;
    }
}
"""
    program = read(tmp_path, text, PARAMETERS)
    assert program.values == {"N": 16}
    assert not program.asks_data()
    assert "pos" not in program.arrays
    (told,) = notes(program)
    assert told.startswith("the macro 'TAPS' keeps its number: as a parameter, data decide which")


EDGES = """\
#define N 8
void f(const int in[N], int out[N]) {
    int t[N];
    for (int i = 0; i < N; i++)
        if (i < 8) t[i] = in[i];
    for (int i = 0; i < N; i++)
        out[i] = t[N - 1 - i];
}
"""


@pytest.mark.parametrize(("subscript", "fits"), [("in[i] >> 2", True), ("in[i]", False)])
def test_what_data_choose_fits_at_the_number_of_a_size(
    tmp_path: Path, subscript: str, *, fits: bool
) -> None:
    """At others it would be beyond; of what need not fit at any the program knows that it does."""
    text = """#define N 16
#define BINS 64
void count(const unsigned char in[N], unsigned out[BINS]) {
    unsigned hist[BINS] = {0};
    for (int i = 0; i < N; i++) hist[AT]++;
    for (int b = 0; b < BINS; b++) out[b] = hist[b];
}
"""
    program = read(tmp_path, text.replace("AT", subscript), PARAMETERS)
    assert program.values == ({"N": 16} if fits else {"N": 16, "BINS": 64})
    assert [one for one in notes(program) if "where BINS is not 64" in one] == notes(program)
    assert len(notes(program)) == fits


def test_what_cannot_be_analysed_so_is_planned_with_its_number(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(EDGES)
    design = load(tmp_path / "f.c", settings=PARAMETERS)
    assert design.input.values == {"N": 8}
    found = plan_design(design)
    assert found.folded.mappings["t"].cells == 8
    assert found.plan.params == {}
    program = found.design.input
    assert isinstance(program, Program)
    (told,) = notes(program)
    assert told.startswith("the macro 'N' keeps its number: with any other, 't' is read before")
    assert lifetimes_of(design)
    # What is wrong with the number as well is told of the number.
    (tmp_path / "f.c").write_text(EDGES.replace("i < 8", "i < 7"))
    with pytest.raises(InputError) as error:
        plan_design(load(tmp_path / "f.c", settings=PARAMETERS))
    assert "N=" not in str(error.value)


def test_a_copy_of_the_design_is_an_equal_design(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(TEXT)
    for file, text in (
        ("f.c", TEXT),
        ("d.yaml", "hlsmem: 1\nname: f\nkernel: {file: f.c, macros: parameters}\n"),
    ):
        (tmp_path / file).write_text(text)
        design = load(tmp_path / file, settings=PARAMETERS if file == "f.c" else [])
        again = changed(design, [])
        assert isinstance(design.input, Program)
        assert isinstance(again.input, Program)
        assert again.input.values == design.input.values == {"H": 6, "W": 8}
        assert again.sources == design.sources


def test_very_many_macros_keep_their_numbers(tmp_path: Path) -> None:
    text = "".join(f"#define N{k} {k + 4}\n" for k in range(9)) + "void f(int out[N0]) {\n"
    text += "".join(f"for (int i = 0; i < N{k}; i++) out[i % 2] = i;\n" for k in range(9)) + "}\n"
    program = read(tmp_path, text, PARAMETERS)
    assert program.values == {}
    assert notes(program) == ["9 macros are sizes, and keep their numbers: more than 8"]


TWO_NESTS = """\
#define H 32
#define W 24
void f(const int in[H][W], int out[H][W]) {
    int t[H][W];
    for (int y = 1; y < H - 1; y++)
        for (int x = 0; x < W; x++)
            t[y][x] = in[y - 1][x] + in[y + 1][x];
    for (int y = 2; y < H - 2; y++) {
        for (int x = 1; x < W - 1; x++)
            out[y][x] = t[y - 1][x] + t[y + 1][x - 1];
        out[y][3] = t[y][W - 5];
    }
}
"""


def test_the_context_is_of_sizes_at_which_all_that_runs_does_inside_of_arrays(
    tmp_path: Path,
) -> None:
    """Five rows for the second nest, five columns for W - 5."""
    program = read(tmp_path, TWO_NESTS, [])
    assert str(program.context) == "[H, W] -> {  : H >= 5 and W >= 5 }"
    (tmp_path / "d.yaml").write_text(
        "hlsmem: 1\nname: f\nkernel: {file: f.c, macros: parameters}\n"
    )
    assert load(tmp_path / "d.yaml").input.context == program.context
    given = ['context="[H, W] -> { : H >= 9 and W >= 7 }"', "params.H=32", "params.W=24"]
    program = read(tmp_path, TWO_NESTS, given)
    assert str(program.context) == "[H, W] -> {  : H >= 9 and W >= 7 }"


def test_what_does_not_run_at_the_numbers_asks_for_no_sizes(tmp_path: Path) -> None:
    program = read(tmp_path, TWO_NESTS.replace("y < H - 2", "y < H - 40"), [])
    assert str(program.context) == "[H, W] -> {  : H >= 3 and W > 0 }"


def test_the_design_of_a_file_by_itself_names_its_context(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(TWO_NESTS)
    design = load(tmp_path / "f.c")
    (written,) = (one.text for one in design.sources if one.name == design.file)
    assert 'context: "[H, W] -> { : H >= 5 and W >= 5 }"' in written
    again = changed(design, [])
    assert isinstance(again.input, Program)
    assert isinstance(design.input, Program)
    assert again.input.context == design.input.context
