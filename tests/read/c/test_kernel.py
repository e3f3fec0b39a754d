"""Arrays of a kernel and the C around its region."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.program.model import ElementType, Storage
from tests.read.c.kernels import array, messages, read, region, statement

KERNEL = """\
#include <stdint.h>
#include <stdbool.h>
#define N 64
#define WIDTH (N + 2)
typedef uint8_t pixel;
typedef struct { int x; } unused;
enum { TAPS = 3 };
static const int16_t weight[TAPS] = {1, 2, 1};
static const int scale = 4;

void f(const pixel in[N][WIDTH], int64_t *restrict out, float gain, unsigned n)
{
    int line[N / 2][2 * n];
    long total;
    double shared = 0;
    bool seen;
    const int bias[] = {1, 2};
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < 2; x++) {
            line[y / 2][x] = in[y][x + 1] * weight[x] / scale;
            float t = gain * bias[x];
            total += t;
            seen = t > 3;
            {
                int t = line[y / 2][x];
                out[y] = t + seen;
            }
        }
    shared = total;
#pragma endscop
    out[0] = shared;
}
"""


def test_storage_types_and_extents_of_arrays(tmp_path: Path) -> None:
    arrays = read(tmp_path, KERNEL, ("n", "N")).arrays
    found = {a.name: (a.storage.value, a.element.name, a.is_parameter) for a in arrays}
    assert found == {  # `scale` stands for its value
        "weight": ("rom", "int16", False),
        "in": ("external", "uint8", True),
        "out": ("external", "int64", True),
        "gain": ("external", "float", True),
        "line": ("memory", "int32", False),
        "total": ("memory", "int64", False),
        "shared": ("external", "double", False),
        "seen": ("memory", "uint1", False),
        "bias": ("rom", "int32", False),
        "t": ("memory", "float", False),
        "t_2": ("memory", "int32", False),
    }
    extents = {a.name: a.extents and tuple(map(str, a.extents)) for a in arrays if a.index}
    assert extents == {
        "weight": ("3",),
        "in": ("N", "N + 2"),
        "out": None,
        "line": ("floor(N/2)", "2*n"),
        "bias": ("2",),
    }
    assert array(read(tmp_path, KERNEL, ("n", "N")), "gain").extents == ()


def test_places_point_at_names(tmp_path: Path) -> None:
    reading = read(tmp_path, KERNEL, ("n", "N"))
    source_location = array(reading, "line").source_location
    assert source_location is not None
    assert (str(source_location), source_location.length) == ("k.c:13:9", 4)
    first = reading.statements[0]
    assert str(first.source_location) == "k.c:21:13"
    assert [
        (str(a.source_location), a.source_location.length) for a in first.reads if a.source_location
    ] == [
        ("k.c:21:30", 12),
        ("k.c:21:45", 9),
    ]


def test_the_c_around_the_region_is_kept(tmp_path: Path) -> None:
    kernel = read(tmp_path, KERNEL, ("n", "N")).kernel
    assert kernel.name == "f"
    assert kernel.includes == ("#include <stdint.h>",)
    assert kernel.macros == ("N",)
    names = [getattr(node, "name", None) for node in kernel.declarations]
    assert names == ["weight"]
    items = kernel.region_parent.block_items
    assert all(any(item is one for item in items) for one in kernel.region)
    assert len(kernel.region) == 2


def test_the_design_replaces_types_and_extents(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        KERNEL,
        ("n", "N"),
        element_types={"line": ElementType("int12")},
        extents={"out": (parse_quasi_polynomial("N"),)},
    )
    assert array(reading, "line").element == ElementType("int12")
    assert array(reading, "out").extents == (QuasiPolynomial.parameter("N"),)


@pytest.mark.parametrize(
    ("body", "index"),
    [
        ("for (int y = 0; y < N; y++) for (int x = 0; x < N; x++) B[y][x] = 0;", ("y", "x")),
        ("for (int y = 0; y < N; y++) for (int x = 0; x < N; x++) B[x][y] = 0;", ("x", "y")),
        ("for (int y = 0; y < N; y++) B[y][y] = 0;", ("i0", "i1")),
        ("for (int y = 0; y < N; y++) B[y][0] = 0;", ("i0", "i1")),
        ("for (int i = 0; i < N; i++) for (int B_ = 0; B_ < N; B_++) B[i][B_ + 1] = B[i][B_];",
         ("i", "B_")),
    ],
)  # fmt: skip
def test_indices_are_named_by_loops_that_index_plainly(
    tmp_path: Path, body: str, index: tuple[str, ...]
) -> None:
    assert array(read(tmp_path, region(body)), "B").index == index


def test_iterator_names_differ_from_all_others(tmp_path: Path) -> None:
    text = region(
        "for (int A = 0; A < N; A++) t0[A] = 1; for (int z = 0; z < N; z++) A[z] = 2;",
        "int N, int A[N], int t0[N]",
    )
    assert read(tmp_path, text).iterator_names == ("t0_2", "A_2", "t1")


def test_a_constant_variable_stands_for_its_value(tmp_path: Path) -> None:
    text = region("for (int i = 0; i < n2; i++) A[i + k] = 0;", before="static const int k = 2;")
    text = text.replace("#pragma scop", "int n2 = N - 2;\n#pragma scop", 1)
    reading = read(tmp_path, text)
    relation = str(statement(reading, "S0").writes[0].relation)
    assert relation == "[N] -> { S0[i] -> A[2 + i] : 0 <= i <= -3 + N }"
    changed = text.replace("#pragma endscop", "#pragma endscop\nn2 = 0;")
    assert messages(tmp_path, changed).startswith(
        "k.c:6:21: non-affine bound: 'n2' is a variable whose value depends on the run"
    )


def test_a_parameter_without_a_value_is_named_once(tmp_path: Path) -> None:
    text = region("for (int i = 0; i < n; i++) A[i + n] = B[n][n];", "int n, int A[n], int B[n][n]")
    assert messages(tmp_path, text, ()) == (
        "k.c:5:21: 'n' is a parameter of 'f' without a value; "
        "plan with --param NAME=64, or add it to params of the design"
    )


def test_a_local_array_needs_its_extents(tmp_path: Path) -> None:
    text = region("int t[m]; int u[A[0]]; t[0] = 1; u[0] = t[0];", "int m, int A[4]")
    assert messages(tmp_path, text, ()) == (
        "k.c:5:7: 'm' is a parameter of 'f' without a value; "
        "plan with --param NAME=64, or add it to params of the design\n"
        "k.c:5:17: an extent of 'u' is no expression over params; "
        "write it with + - * of integers and params"
    )


def test_a_symbolic_name_must_be_declared(tmp_path: Path) -> None:
    text = region("for (int i = 0; i < N; i++) A[i] = 0;", "int A[8]")
    assert messages(tmp_path, text) == (
        "k.c:5:21: 'N' is not declared; write #define N with its usual value in front"
    )


def test_files_below_the_folder_are_listed_with_their_text(tmp_path: Path) -> None:
    (tmp_path / "size.h").write_text("#define N 8\n")
    text = '#include "size.h"\n' + region("A[N - 1] = 0;", "int A[N]")
    kernel = read(tmp_path, text).kernel
    assert [(file.name, file.text) for file in kernel.sources] == [
        ("k.c", text),
        ("size.h", "#define N 8\n"),
    ]
    assert kernel.includes == ()


def test_storage_of_a_scalar_parameter_that_is_written(tmp_path: Path) -> None:
    reading = read(tmp_path, region("gain += 1; A[0] = gain;", "float gain, float A[1]"))
    assert array(reading, "gain").storage is Storage.EXTERNAL


@pytest.mark.parametrize("says", ['!"out of range"', '0 && "out of range"'])
def test_what_is_asserted_never_to_run_is_left_out(tmp_path: Path, says: str) -> None:
    branch = f"if (n > 9) A[0] = n; else assert({says});"
    text = region(branch, "int A[1], int n", before="#include <assert.h>")
    assert messages(tmp_path, text, ("n",)) == ""


def test_what_is_asserted_of_elements_is_left_out_where_no_subscript_needs_it(
    tmp_path: Path,
) -> None:
    asserts = "assert(B[0][1] >= 0 && B[0][1] <= 255);"
    head = "#include <assert.h>"
    text = region(f"{asserts} for (int i = 0; i < N; i++) A[i] = B[0][1];", before=head)
    assert messages(tmp_path, text) == ""
    text = text.replace("A[i] =", "A[B[1][i]] =")
    assert "asserts more than comparisons of variables" in messages(tmp_path, text)


def test_values_may_have_128_bits_on_their_way(tmp_path: Path) -> None:
    text = region("for (int i = 0; i < N; i++) A[i] = (int)((__int128)A[i] * A[i] / 3);")
    assert messages(tmp_path, text) == ""
