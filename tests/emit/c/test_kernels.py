"""Kernels of many shapes: the generated C compiles without warnings and gives the same bits.

Plans are written down by hand; `caught` cases have one cell too few and must differ.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from tests.emit.c.plans import Rows, plan_by_hand, program_of, read_design
from tests.emit.c.running import agree, emitted

BLUR = """
#define N 16
void blur(const int in[N][N + 2], int out[N][N])
{
    int blurx[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
P:          blurx[y][x] = in[y][x] + in[y][x + 1] + in[y][x + 2];
            if (y >= 2)
C:              out[y - 2][x] = blurx[y - 2][x] + blurx[y - 1][x] + blurx[y][x];
        }
#pragma endscop
}
"""
PARAMS = 'params: {N: 16}\ncontext: "[N] -> { : N >= 3 }"'

# Two rows and one cell: N*y + x modulo 2*N + 1.
ROWS: dict[str, Rows] = {"blurx": [(["N", "1"], "2*N + 1")]}
SKEWED: dict[str, Rows] = {"blurx": [(["1", "-2"], "2*N + 1")]}
PAIRS: dict[str, Rows] = {"blurx": [(["N", "1"], "2*N")]}

SIZED = BLUR.replace("#define N 16", "").replace("(const int in", "(int N, const int in")
UNSIGNED = (
    SIZED.replace("int N", "unsigned N").replace("int y", "unsigned y").replace("int x", "size_t x")
)


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("kernel", "settings", "folds", "expected"),
    [
        (BLUR, PARAMS, ROWS, True),
        (BLUR, PARAMS, SKEWED, True),
        (BLUR, PARAMS, PAIRS, True),  # C runs an iteration as one step
        (BLUR, PARAMS, {"blurx": [(["N", "1"], "2*N - 1")]}, False),
        (BLUR, PARAMS + "\norder: iteration", PAIRS, True),
        (BLUR, PARAMS + "\norder: iteration", {"blurx": [(["N", "1"], "2*N - 1")]}, False),
        (SIZED, PARAMS, ROWS, True),
        (SIZED, PARAMS + "\norder: iteration", PAIRS, True),
        (SIZED, PARAMS + "\nhost: {storage: malloc}", ROWS, True),
        (SIZED, PARAMS + "\nhost: {storage: static}", ROWS, True),
        (BLUR, PARAMS + "\nhost: {storage: static}", ROWS, True),
        (BLUR, PARAMS + "\nhost: {storage: malloc}", ROWS, True),
        ("#include <stddef.h>\n" + UNSIGNED, PARAMS, ROWS, True),
    ],
)
def test_blur(
    tmp_path: Path, kernel: str, settings: str, folds: dict[str, Rows], expected: bool
) -> None:
    design = read_design(tmp_path, kernel, settings)
    flags = ("-Wall", "-Wextra", "-Werror")
    assert agree(tmp_path / "out", design, plan_by_hand(design, folds), flags=flags) is expected


@pytest.mark.few("parameters-1", "parameters-40", "values-3", "values-16")
@pytest.mark.parametrize("size", [1, 3, 16, 40])
@pytest.mark.parametrize("scope", ["all-parameters", "values"])
def test_any_argument_gives_the_results_of_the_original(
    tmp_path: Path, size: int, scope: str
) -> None:
    """Outside of what the plan covers, or where the stack is too small, the original runs."""
    kernel = SIZED.replace("y >= 2", "y >= 2 && N > 2")
    design = read_design(tmp_path, kernel, PARAMS)
    plan = plan_by_hand(design, ROWS, scope=scope)
    assert agree(tmp_path / "out", design, plan, values={"N": size})


FEATURES = {
    "scalars and a declaration inside": (
        """
#include <stdint.h>
#define N 12
typedef int16_t sample;
void f(const sample in[N], sample out[N])
{
    sample last = 0;
#pragma scop
    for (int i = 0; i < N; i++) {
        sample now = in[i] / 2;
        now += 1;
        out[i] = now - last;
        last = now;
    }
#pragma endscop
}
""",
        "params: {N: 12}",
        {},
    ),
    "loop variables declared in front, code before and behind, a value returned": (
        """
#define N 10
double f(double a[N], int scale)
{
    int i, j;
    double sum, t[N];
    if (scale > 500)
        scale = 500;
#pragma scop
    for (i = 0; i < N; i++)
        t[i] = a[i] * a[i];
    for (j = 0; j < N; j++)
        a[j] = t[N - 1 - j];
#pragma endscop
    sum = scale;
    for (i = 0; i < N; i++)
        sum += a[i];
    return sum;
}
""",
        "params: {N: 10}",
        {},
    ),
    "loops that count down and stride": (
        """
#define N 20
void f(const float in[N], float out[N])
{
    float t[N];
#pragma scop
    for (int i = N - 1; i >= 0; i--)
        t[i] = in[i] * 0.5f;
    for (int i = 0; i < N; i += 3)
        out[i] = t[i] - (t[N - 1 - i] - 1.0f);
#pragma endscop
}
""",
        "params: {N: 20}",
        {},
    ),
    "precedence, casts, shifts, ternaries": (
        """
#define N 16
void f(const unsigned char in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = in[i] << (1 + (in[i] & 3)) | (in[i] ^ 5) % 7 * 3;
        out[i] = -(-t[i]) - (t[i] - (i - 2)) * (in[i] == 3 ? 1 : (int)in[i] > 9 && !(i & 1));
    }
#pragma endscop
}
""",
        "params: {N: 16}",
        {"t": [(["0"], "1")]},
    ),
    "a memory that is filled and drained": (
        """
#define N 8
void f(int a[N][N], int out[N])
{
#pragma scop
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] += a[i - 1][N - 1 - j];
    for (int i = 0; i < N; i++)
        out[i] = a[N - 1][i];
#pragma endscop
}
""",
        "params: {N: 8}\narrays: {a: {storage: memory}}",
        {},
    ),
    "streams in and out": (
        """
#define N 9
void f(const int in[N][N], int out[N][N])
{
#pragma scop
    for (int y = 1; y < N; y++)
        for (int x = 1; x < N; x++)
            out[y][x] = in[y - 1][x - 1] - in[y][x];
#pragma endscop
}
""",
        "params: {N: 9}\narrays: {in: {storage: stream}, out: {storage: stream}}",
        {"in": [(["N", "1"], "N + 2")], "out": [(["0", "0"], "1")]},
    ),
    "long bounds": (
        """
void f(long n, long in[n], long out[n])
{
    long t[n];
#pragma scop
    for (long i = 0; i < n; i++)
        t[i] = in[i] * i;
    for (long i = 0; i < n; i++)
        out[i] = t[n - 1 - i] + n;
#pragma endscop
}
""",
        "params: {n: 11}",
        {},
    ),
    "unsigned arithmetic with loop variables": (
        """
#define N 11
void f(const unsigned in[N], unsigned out[N])
{
    unsigned t[N];
#pragma scop
    for (unsigned i = 0; i < N; i++)
        t[i] = in[i] / 3 - i * 0x10000001u;
    for (unsigned i = 0; i < N; i++)
        out[i] = t[i] / (i + 1) > 7u ? i - 20u : t[i];
#pragma endscop
}
""",
        "params: {N: 11}",
        {},
    ),
    "conditional reads": (
        """
#define N 14
void f(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = in[i] + (i > 0 ? t[i - 1] : 0);
        out[i] = i % 2 == 0 ? t[i] : -1;
    }
#pragma endscop
}
""",
        "params: {N: 14}",
        {"t": [(["1"], "2")]},
    ),
    "several arrays of several widths": (
        """
#include <stdint.h>
#define N 6
void f(const int8_t in[N], double out[N])
{
    int8_t a[N];
    double b[N];
    int16_t c[N];
    float d[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        a[i] = in[i];
        b[i] = a[i] * 0.5;
        c[i] = a[i];
        d[i] = c[i];
    }
    for (int i = 0; i < N; i++)
        out[i] = a[i] + b[N - 1 - i] * c[i] - d[i];
#pragma endscop
}
""",
        "params: {N: 6}",
        {},
    ),
    "names that clash with what is generated": (
        """
#define N 7
void f(const int ws[N], int y[N])
{
    int x[N], p[N], workspace[N];
    int i0 = 3;
#pragma scop
    for (int i = 0; i < N; i++)
        x[i] = ws[i] + i0;
    for (int q = 0; q < N; q++)
        p[q] = x[N - 1 - q];
    for (int t0 = 0; t0 < N; t0++)
        workspace[t0] = p[t0];
    for (int i = 0; i < N; i++)
        y[i] = workspace[i] * i;
#pragma endscop
}
""",
        "params: {N: 7}",
        {},
    ),
    "no parameters at all": (
        """
void f(const int in[5], int out[5])
{
    int t[5];
#pragma scop
    for (int i = 0; i < 5; i++)
        t[i] = in[4 - i];
    for (int i = 0; i < 5; i++)
        out[i] = t[i];
#pragma endscop
}
""",
        "",
        {},
    ),
    "nothing to fold": (
        """
#define N 5
void f(const int in[N], int out[N])
{
#pragma scop
    for (int i = 0; i < N; i++)
        out[i] = in[i];
#pragma endscop
}
""",
        "params: {N: 5}",
        {},
    ),
    "tables of constants": (
        """
#define N 9
static const int weights[3] = {1, 2, 1};
void f(const int in[N], int out[N])
{
    int t[N];
    static const short far[2] = {3, -4};
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = in[i] * far[1] + far[0];
        if (i >= 2)
            out[i] = t[i - 2] * weights[0] + t[i - 1] * weights[1] + t[i] * weights[2];
    }
#pragma endscop
}
""",
        "params: {N: 9}",
        {"t": [(["1"], "3")]},
    ),
    "the same element twice": (
        """
#define N 9
void f(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = in[i];
        if (i >= 1)
            out[i] = (t[i - 1] - t[i]) * (t[i - 1] + t[i]);
    }
#pragma endscop
}
""",
        "params: {N: 9}",
        {"t": [(["1"], "2")]},
    ),
    "long lines": (
        """
#define N 9
void f(const int first_input_array[N], const int second_input_array[N], int the_output_array[N])
{
    int temporary_values_of_f[N];
#pragma scop
    for (int index = 0; index < N; index++)
        temporary_values_of_f[index] = first_input_array[index] * second_input_array[index]
            - first_input_array[N - 1 - index] + second_input_array[N - 1 - index] * (index + 1)
            - (first_input_array[index] - second_input_array[index]) * 3;
    for (int index = 0; index < N; index++)
        the_output_array[index] = temporary_values_of_f[N - 1 - index];
#pragma endscop
}
""",
        "params: {N: 9}",
        {},
    ),
}


@pytest.mark.few("sequential", "streams in and out")
@pytest.mark.parametrize("order", ["sequential", "iteration"])
@pytest.mark.parametrize("name", FEATURES)
def test_features_of_kernels(tmp_path: Path, name: str, order: str) -> None:
    kernel, settings, folds = FEATURES[name]
    design = read_design(tmp_path, kernel, f"{settings}\norder: {order}")
    flags = ("-Wall", "-Wextra", "-Wshadow", "-Werror")
    plan = plan_by_hand(design, folds)
    assert agree(tmp_path / "out", design, plan, flags=flags)
    text = emitted(design, plan)["kernel.c"]
    assert max(map(len, text.splitlines())) <= 110
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_conversions_are_spelled_out(tmp_path: Path) -> None:
    """Where the user's arithmetic converts nothing, -Wconversion finds nothing either."""
    design = read_design(tmp_path, SIZED, PARAMS)
    flags = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")
    assert agree(tmp_path / "out", design, plan_by_hand(design, SKEWED), flags=flags)


def test_other_compiler_options_give_other_sizes(tmp_path: Path) -> None:
    """A macro among the parameters stays a macro: its definition is only the default."""
    text = emitted(*_blur_and_plan(tmp_path))
    assert "#ifndef BLUR_N\n#define BLUR_N 16\n#endif" in text["kernel.h"]
    assert "#define BLUR_WS_BYTES ((size_t)(2 * BLUR_N + 1) * sizeof(int))" in text["kernel.h"]
    assert (
        '#if BLUR_N < 3\n#error "blur: the plan holds for N >= 3 only"\n#endif' in text["kernel.c"]
    )
    assert "original" not in text["kernel.c"]


def test_numbers_where_the_plan_holds_for_its_values_only(tmp_path: Path) -> None:
    design = read_design(tmp_path, BLUR, PARAMS)
    text = emitted(design, plan_by_hand(design, ROWS, scope="values"))["kernel.c"]
    assert "% 33u" in text
    call = "blur_original(in, out, ws);"
    assert f"    if (BLUR_N != 16) {{\n        {call}\n        return;\n    }}" in text


def test_equal_input_gives_equal_text(tmp_path: Path) -> None:
    first = emitted(*_blur_and_plan(tmp_path / "a"))
    assert first == emitted(*_blur_and_plan(tmp_path / "b"))


def _blur_and_plan(folder: Path) -> tuple:
    design = read_design(folder, BLUR, PARAMS)
    return design, plan_by_hand(design, ROWS)


def test_no_vla_alloca_or_malloc_in_the_entry_for_embedded_use(tmp_path: Path) -> None:
    design = read_design(tmp_path, SIZED, PARAMS + "\nhost: {storage: malloc}")
    text = emitted(design, plan_by_hand(design, ROWS))["kernel.c"]
    entry = text[text.index("void blur_ws(") : text.index("void blur(int N")]
    assert "malloc" not in entry
    assert "alloca" not in text
    assert "abort();" in text


def test_the_syntax_tree_of_the_program_is_not_changed(tmp_path: Path) -> None:
    from hlsmem.emit.c.c_syntax import print_tree

    design, plan = _blur_and_plan(tmp_path)
    kernel = program_of(design).kernel
    assert kernel is not None
    before = print_tree(kernel.function)
    emitted(design, plan)
    assert print_tree(kernel.function) == before


def test_loops_inside_a_step_are_not_available(tmp_path: Path) -> None:
    settings = PARAMS + "\norder: iteration\npipeline: {level: 1}"
    design = read_design(tmp_path, BLUR, settings)
    with pytest.raises(InputError) as caught:
        emitted(design, plan_by_hand(design, {}))
    assert str(caught.value) == (
        "kernel.c:9:13: host C for several instances of 'P' in one step is not available yet; "
        "use the default pipeline.level, or order: sequential"
    )
