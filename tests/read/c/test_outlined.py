"""Variables of a pipelined iteration that are set several times are computed by functions.

What is left is run beside the user's file by the checks `reading`, `replay` and `host`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import Plan
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.questions.planned_checks import run_checks
from tests.families import by_default
from tests.plans import whole_files
from tests.read.c.readings import bodies, read
from tests.steps import load

HEAD = "typedef unsigned char pix;\nstruct two { int one, other; };\n"
FUNCTION = """\
void f_{n}(const pix a_{n}[8][9], const short k_{n}[8][9], int c_{n}[8][9], pix d_{n}[8][9]) {{
    pix q_{n}[8][9];
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            q_{n}[y][x] = a_{n}[y][x] / 2;
    for (int y = 1; y < 7; y++)
        for (int x = 1; x < 7; x++) {{
#pragma HLS PIPELINE
            {body}
        }}
}}
"""


def text(*bodies: str) -> str:
    """A kernel that runs the bodies one after the other, on arrays of their own."""
    functions = [
        FUNCTION.format(n=n, body=body.replace("@", f"_{n}")).replace("void", "static void")
        for n, body in enumerate(bodies)
    ]
    kinds = (
        "const pix a_{n}[8][9]",
        "const short k_{n}[8][9]",
        "int c_{n}[8][9]",
        "pix d_{n}[8][9]",
    )
    taken = ", ".join(kind.format(n=n) for n in range(len(bodies)) for kind in kinds)
    calls = "".join(f"    f_{n}(a_{n}, k_{n}, c_{n}, d_{n});\n" for n in range(len(bodies)))
    return f"{HEAD}{''.join(functions)}void f({taken}) {{\n{calls}}}\n"


CLAMP = "int v = a@[y][x] - k@[y][x]; if (v < 0) v = 0; if (v > 200) v -= 3; d@[y][x] = v;"
FUNCTIONS = {
    CLAMP: ["d_0[y][x] = f_d_0(a_0[y][x], k_0[y][x])"],
    # The least of three, exchanged in blocks that have names in common.
    "pix p[3], t; for (int i = 0; i < 3; i++) p[i] = a@[y][x + i - 1];"
    "if (p[0] > p[1]) { pix t = p[0]; p[0] = p[1]; p[1] = t; }"
    "if (p[0] > p[2]) { pix t = p[0]; p[0] = p[2]; p[2] = t; } t = p[0]; d@[y][x] = t;": [
        "d_0[y][x] = f_d_0(a_0[y][(x + 0) - 1], a_0[y][(x + 1) - 1], a_0[y][(x + 2) - 1])"
    ],
    # A value that two statements use is set once, and they use it.
    "int v = k@[y][x]; if (v < 0) v = -v; c@[y][x] = v * v; d@[y][x] = v;": [
        "int v = f_v(k_0[y][x])",
        "c_0[y][x] = v * v",
        "d_0[y][x] = v",
    ],
    # A load that two functions need.
    "int v = k@[y][x], w = v; if (v < 3) v = 3; if (w > 9) w = 9; c@[y][x] = v; d@[y][x] = w;": [
        "short k_0_0 = k_0[y][x]",
        "c_0[y][x] = f_c_0(k_0_0)",
        "d_0[y][x] = f_d_0(k_0_0)",
    ],
    # At the border, where it loads something else or nothing.
    "int v; if (x > 1) v = a@[y][x - 2]; else v = 7; v += y > 1 ? a@[y - 2][x] : 0;"
    "if (v > 9 && x > 2) v++; c@[y][x] = v;": [
        "c_0[y][x] = f_c_0(x, (x > 1) ? (a_0[y][x - 2]) : (0), y, (y > 1) ? (a_0[y - 2][x]) : (0))"
    ],
    # One branch alone needs it.
    "int v = a@[y][x]; v += a@[y][x + 1]; if (x > 3) c@[y][x] = v;": ["c_0[y][x] = v"],
    "int v = a@[y][x], w = a@[y][x + 1], m = v; if (w > m) m = w; if (y > 2) { c@[y][x] = m;"
    " d@[y][x] = v; } c@[y][8] = w;": ["int w = a_0[y][x + 1]"],
    # What the branch uses another statement needs, by another value.
    "int w = k@[y][x], v = w + a@[y][x]; if (v < 0) v = 1; c@[y][8] = v;"
    " if (x > 3) d@[y][x] = w;": ["int w = k_0[y][x]", "d_0[y][x] = w"],
    # What sets one variable stores besides.
    "int v = k@[y][x], w = v; v = c@[y][8] = 3; if (w < 0) w = 2; d@[y][x] = w;": ["c_0[y][8] = 3"],
    # A condition, and a value that is used where it holds.
    "int v = k@[y][x]; if (v < 0) v = -v; if (v > 5) c@[y][x] = v;": ["int v = f_v(k_0[y][x])"],
    "int v = k@[y][x]; if (v < 0) v = -v; if (v > 5) c@[y][x] = y; else c@[y][x] = 2;": [
        "c_0[y][x] = (f_test(k_0[y][x])) ? ((int) y) : ((int) 2)"
    ],
    "int v = k@[y][x]; if (v < 0) v = -v; c@[y][x] += v;": ["c_0[y][x] += f_c_0(k_0[y][x])"],
    "int s = k@[y][x]; if (x > 1) s += 1; c@[y][x] = s;": ["c_0[y][x] = f_c_0(k_0[y][x], x)"],
    # Turns of a loop with a label, of which constants choose.
    "int v = 0; L: for (int i = 2; i >= 0; i--) { if (i == 1) v -= a@[y][x]; else"
    " v += k@[y][x + i]; } c@[y][x] = v;": [
        "c_0[y][x] = f_c_0(k_0[y][x + 2], a_0[y][x], k_0[y][x + 0])"
    ],
    # Elements of a window that constants tell apart.
    "c@[1][0] = c@[0][0]; int v = c@[2][0]; c@[0][0] = k@[y][x]; if (v < 0) v = 2; d@[y][x] = v;": [
        "d_0[y][x] = f_d_0(c_0[2][0])"
    ],
    "int v = a@[y][x]; { int v = k@[y][x]; if (v < 0) v = 1; c@[y][x] = v; } d@[y][x] = v;": [
        "c_0[y][x] = f_c_0(k_0[y][x])"
    ],
}


@pytest.mark.parametrize("body", FUNCTIONS)
def test_a_function_computes_what_is_set_several_times(tmp_path: Path, body: str) -> None:
    found = bodies(read(tmp_path, text(body)))
    for wanted in FUNCTIONS[body]:
        assert wanted in found


STAY = {
    "the element is another by then": "int v = q@[y][x]; if (v < 3) v = 3; q@[y][x] = 1;"
    " c@[y][x] = v;",
    "one of its elements is": "int v = c@[2][0]; c@[x][0] = k@[y][x]; if (v < 0) v = 2;"
    " d@[y][x] = v;",
    "another statement sets it as well": "int v = k@[y][x]; v = c@[y][8] = v + 1;"
    " if (v < 0) v = -v; d@[y][x] = v;",
    "data decide whether it loads": "int v = k@[y][x]; if (v < 0) v = a@[y][x]; d@[y][x] = v;",
    "it is a subscript": "int v = k@[y][x] & 7, w = a@[y][v]; if (w < 2) w = v; c@[y][x] = w;",
    "members": "struct two s; s.one = k@[y][x]; int v = s.one; if (v < 0) v = s.one + 1;"
    " c@[y][x] = v;",
}


@pytest.mark.parametrize("why", STAY)
def test_what_cannot_be_a_function_stays(tmp_path: Path, why: str) -> None:
    program = read(tmp_path, text(STAY[why]))
    assert program.kernel is not None
    assert "f_c" not in program.kernel.normal
    assert "f_d" not in program.kernel.normal


@pytest.mark.parametrize(
    "body",
    [
        "int v = a@[y][x]; c@[y][x] = v * v;",
        "int v = a@[y][x]; v += 2; d@[y][x] = v;",
        "int v = a@[y][x]; if (k@[y][x] > 2) c@[y][x] = v * v;",
    ],
)
def test_what_is_set_once_is_no_function(tmp_path: Path, body: str) -> None:
    program = read(tmp_path, text(body))
    assert program.kernel is not None
    assert "f_" not in program.kernel.normal


def test_nothing_is_a_function_without_pipelines(tmp_path: Path) -> None:
    for source, settings in (
        (text(CLAMP).replace("#pragma HLS PIPELINE", ""), ()),
        (text(CLAMP), ("kernel.pragmas=ignore",)),
    ):
        program = read(tmp_path, source, *settings)
        assert program.kernel is not None
        assert "f_d" not in program.kernel.normal


def test_a_clamped_step_starts_in_every_cycle(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(text(CLAMP.replace("a@", "q@")))
    timing = plan_design(load(tmp_path / "f.c")).plan.timing
    assert timing is not None
    assert timing.interval == 1


# Random kernels of this kind are run by the check `host` in tests/fuzz/test_pipelined.py.
CHECKS = by_default(("reading", "replay"), ("reading", "replay", "host"))


def judged(folder: Path, source: str, *checks: str) -> tuple[Plan, dict[str, str]]:
    """A plan, and the verdicts of some checks of it, the words of each."""
    (folder / "f.c").write_text(source)
    planning = plan_design(load(folder / "f.c"))
    out = folder / "out"
    write_folder(out, whole_files(planning))
    found = run_checks(out, only=checks).verdicts
    assert {one.check for one in found} >= set(checks)
    assert [one for one in found if one.status.value == "fail"] == []
    return planning.plan, {one.check: one.detail for one in found}


@pytest.mark.needs("clang")
def test_all_of_them_do_what_they_did(tmp_path: Path) -> None:
    chosen = [*FUNCTIONS, *STAY.values()][:: by_default(5, 1)]
    _, found = judged(tmp_path, text(*chosen), *CHECKS)
    assert "computes " in found["reading"]


@pytest.mark.dear
@pytest.mark.needs("clang")
def test_loads_that_stay_in_their_places_are_compared(tmp_path: Path) -> None:
    kept = list(FUNCTIONS)
    _, found = judged(tmp_path, text(kept[0], kept[2], kept[3]), "reading")
    assert "from loads alike" in found["reading"]


MEDIAN = """\
#define W 16
#define H 9
#define SORT(a, b) { if (a > b) { unsigned char t = a; a = b; b = t; } }
void f(unsigned char in[H][W], unsigned char out[H][W], int edge[H][W]) {
    static unsigned char line[2][W], win[3][3];
#pragma HLS ARRAY_PARTITION variable=win complete dim=0
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II=1
            unsigned char p[5];
#pragma HLS ARRAY_PARTITION variable=p complete
            for (int i = 0; i < 3; i++) {
                win[i][0] = win[i][1];
                win[i][1] = win[i][2];
            }
            win[0][2] = line[0][x];
            win[1][2] = line[0][x] = line[1][x];
            win[2][2] = line[1][x] = in[y][x];
            int gx = win[0][2] + 2 * win[1][2] + win[2][2] - win[0][0] - 2 * win[1][0] - win[2][0];
            for (int k = 0; k < 4; k++)
                p[k] = win[2 * k / 3][(2 * k + 1) % 3];
            p[4] = win[1][1];
            SORT(p[0], p[1]); SORT(p[3], p[4]); SORT(p[0], p[3]); SORT(p[1], p[4]);
            SORT(p[1], p[2]); SORT(p[2], p[3]); SORT(p[1], p[2]);
            if (gx < 0)
                gx = -gx;
            if (y >= 2 && x >= 2) {
                out[y - 1][x - 1] = p[2];
                edge[y - 1][x - 1] = gx;
            }
        }
}
"""


@pytest.mark.needs("clang")
def test_a_median_over_a_window_shifted_by_hand_is_a_chain(tmp_path: Path) -> None:
    plan, found = judged(tmp_path, MEDIAN, *CHECKS)
    assert [memory.kind for memory in plan.memories.values()] == ["chain"]
    assert plan.memories["in"].words == 2 * 16 + 3
    assert plan.timing is not None
    assert plan.timing.interval == 1
    assert not any("partition" in str(one).lower() for one in plan.remarks)
    assert "computes 'p', 'gx' and 't'" in found["reading"]
