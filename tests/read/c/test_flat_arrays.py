"""Flat arrays: `a[i*w + j]` is row i, column j, for those parameters where rows are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.core.quasi_polynomial import parse_quasi_polynomial
from hlsmem.polyhedra import Set
from hlsmem.read.c.flat_arrays import quotient
from hlsmem.read.c.kernel import KernelReading
from tests.read.c.kernels import read

HEAD = "void f(int n, int w, const float *restrict in, float *restrict out)"


CONTEXT = Set("[n, w] -> { : n >= 1 and w >= 1 }")


def reading(folder: Path, body: str, **values: int) -> KernelReading:
    return text_reading(
        folder, f"{HEAD}\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n", **values
    )


def text_reading(folder: Path, text: str, **values: int) -> KernelReading:
    found: KernelReading = read(folder, text, ("n", "w"), context=CONTEXT, values=values)
    return found


ROWS = "for (int i = 1; i < n; i++) for (int j = 0; j < w; j++)"


@pytest.mark.parametrize(
    ("subscript", "row", "column"),
    [
        ("i * w + j", "i", "j"),
        ("w * i + j", "i", "j"),
        ("j + i * w - w", "i - 1", "j"),
        ("(i - 1) * w + j", "i - 1", "j"),
        ("(n - 1 - i) * w + j", "n - 1 - i", "j"),
        ("i * w + w - 1 - j", "i", "w - 1 - j"),
        ("(i + 1) * w - 1 - j", "i", "w - 1 - j"),
        ("i * w + (j > 0 ? j - 1 : 0)", "i", "(j > 0 ? j - 1 : 0)"),
        ("(i < n - 1 ? i + 1 : i) * w + j", "(i < n - 1 ? i + 1 : i)", "j"),
        ("i / 2 * w + j % 2", "i / 2", "j % 2"),
        ("(long)i * w + j", "i", "j"),
    ],
)
def test_a_place_is_its_row_and_its_column(
    subscript: str, row: str, column: str, tmp_path: Path
) -> None:
    """The oracle is C with two subscripts, which needs no products."""
    flat = reading(tmp_path, f"{ROWS} out[{subscript}] = 0;", n=4, w=5)
    head = "void f(int n, int w, float out[n][w])"
    body = f"{ROWS} out[{row}][{column}] = 0;"
    plain = text_reading(tmp_path, f"{head}\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n")
    (one,), (other,) = flat.statements, plain.statements
    inside = one.domain.intersect_params(CONTEXT)
    made = one.writes[0].relation.intersect_domain(inside)
    assert made.is_equal(other.writes[0].relation.intersect_domain(inside))
    assert CONTEXT.is_subset(flat.condition)


def test_what_a_conversion_may_lose_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="multiplies two values"):
        reading(tmp_path, f"{ROWS} out[(short)(i * w) + j] = 0;", n=4, w=5)


def test_what_holds_for_some_parameters_is_a_condition(tmp_path: Path) -> None:
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) out[i * w + j] = 0;"
    found = reading(tmp_path, body, n=4, w=5)
    assert found.condition.intersect(CONTEXT).is_equal(Set("[n, w] -> { : 1 <= n <= w }"))
    with pytest.raises(InputError, match=r"may leave its row of w elements of 'out' at n=5, w=4"):
        reading(tmp_path, body, n=5, w=4)


@pytest.mark.parametrize(
    "subscript", ["i * w + j - 1", "i * w + j + 1", "i * w + 2 * j", "(i + j) * w + i"]
)
def test_what_leaves_its_row_is_refused(subscript: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="may leave its row of w elements"):
        reading(tmp_path, f"{ROWS} out[{subscript}] = in[i * w + j];", n=9, w=5)


def test_rows_within_rows_are_dimensions(tmp_path: Path) -> None:
    text = """void f(int d, int h, int w, float *restrict out)
{
#pragma scop
for (int z = 0; z < d; z++) for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)
    for (int c = 0; c < 3; c++) out[((z * h + y) * w + x) * 3 + c] = 0;
#pragma endscop
}
"""
    context = Set("[d, h, w] -> { : d >= 1 and h >= 1 and w >= 1 }")
    found = read(tmp_path, text, ("d", "h", "w"), context=context)
    (array,) = found.arrays
    assert len(array.index) == 3
    strides = found.kernel.variables["out"].strides
    assert [str(one) for one in strides] == ["3*h*w", "3*w"]


def test_declared_elements_give_the_rows(tmp_path: Path) -> None:
    text = f"""{HEAD}
{{
    float t[n * w + 2 * w];
#pragma scop
{ROWS} {{ t[i * w + j] = in[i * w + j]; out[i * w + j] = t[i * w + j]; }}
#pragma endscop
}}
"""
    found = text_reading(tmp_path, text)
    (array,) = (one for one in found.arrays if one.name == "t")
    assert array.extents is not None
    assert list(map(str, array.extents)) == ["n + 2", "w"]
    assert array.index == ("i", "j")


@pytest.mark.parametrize(
    ("whole", "part", "expected"),
    [
        ("n*w", "w", "n"),
        ("6*n*w", "2*w", "3*n"),
        ("n*w + w^2", "w", "n + w"),
        ("n + w", "w", None),
        ("n*w + 2*n + w + 2", "w + 2", "n + 1"),
        ("3*w", "2*w", None),
        ("0", "w", "0"),
    ],
)
def test_quotients_are_exact(whole: str, part: str, expected: str | None) -> None:
    found = quotient(parse_quasi_polynomial(whole), parse_quasi_polynomial(part))
    assert expected == (None if found is None else str(found))
    if found is not None:
        assert found * parse_quasi_polynomial(part) == parse_quasi_polynomial(whole)


def test_wrap_around_for_other_parameters_is_a_condition(tmp_path: Path) -> None:
    body = "for (unsigned i = 0; i < n; i++) out[i * 16] = 0;"
    text = f"void f(unsigned n, int w, float *out)\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    found = text_reading(tmp_path, text, n=4, w=5)
    most = ((1 << 32) - 1) // 16 + 1
    assert found.condition.intersect(CONTEXT).is_equal(
        Set(f"[n, w] -> {{ : 1 <= n <= {most} and w >= 1 }}")
    )
    with pytest.raises(InputError, match=r"'i \* 16' may wrap around"):
        text_reading(tmp_path, text, n=most + 1, w=5)


def test_rows_of_two_lengths_that_are_equal_at_the_values(tmp_path: Path) -> None:
    text = f"{HEAD}\n{{\n#pragma scop\n{ROWS} out[i * w + j] = 1;\n" + (
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) in[i] = out[i * n + j];"
        "\n#pragma endscop\n}\n"
    )
    with pytest.raises(InputError, match="rows of"):
        text_reading(tmp_path, text.replace("const float", "float"), n=8, w=9)
    found = text_reading(tmp_path, text.replace("const float", "float"), n=8, w=8)
    assert found.condition.is_subset(Set("[n, w] -> { : n = w }"))
