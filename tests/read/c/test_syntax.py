"""Files without a usable region, and text that is no C."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.read.c.kernel import read_kernel
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.design_folder import Folder
from tests.read.c.kernels import messages

BEGIN, END = "#pragma scop\n", "\n#pragma endscop\n"
GOOD = f"{BEGIN}A[0] = 1;{END}"


def message(folder: Path, text: str, function: str | None) -> str:
    (folder / "k.c").write_text(text)
    with pytest.raises(InputError) as caught:
        read_kernel(
            KernelRequest(
                folder=Folder(folder), file="k.c", function=function, parameters=(), cflags=()
            )
        )
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "int x;",
            "k.c:1:1: there is no function: none is known to be the one to plan; "
            "define the function to plan",
        ),
        (
            f"void f(int A[1]) {{\n{BEGIN}A[0] = 1;\n}}",
            "k.c:2:9: #pragma scop without #pragma endscop; put #pragma endscop after",
        ),
        (
            f"void f(int A[1]) {{\nA[0] = 1;{END}}}",
            "k.c:3:9: #pragma endscop without #pragma scop; put #pragma scop before",
        ),
        (
            f"void f(int A[1]) {{\n{GOOD}{{\n{GOOD}}} }}",
            "k.c:6:9: 'f' has a second scop region; keep one pair of pragmas",
        ),
        (
            f"void f(int A[1]) {{\n{BEGIN}{{ A[0] = 1;{END}}} }}",
            "k.c:4:9: #pragma endscop stands in another block than #pragma scop; "
            "put both into the same block",
        ),
        (
            f"void f(int A[1]) {{\n{BEGIN}{END}}}",
            "k.c:2:9: the region of 'f' has no statements; put #pragma scop in front of the loops",
        ),
        (
            f"void f(int A[1]) {{\n{GOOD}}}\nvoid g(int A[1]) {{\n{GOOD}}}",
            "k.c:6:6: the functions 'f', 'g' all have a scop region; name one with kernel.function",
        ),
        (
            "void f(int A[1]) {\nA[0] = 1; }\nvoid g(int A[1]) { A[0] = 2; }",
            "k.c:3:6: the functions 'f', 'g' are called by no other: one is to be planned; "
            "name one with kernel.function",
        ),
        (
            "void f(int A[1]) {\n  A[0 = 1;\n}",
            "k.c:2:7: C: expression is not assignable; correct it",
        ),
        (
            "void f(uint8_t A[1]) {}",
            "k.c:1:8: there is no type 'uint8_t'; include <stdint.h>",
        ),
        (
            "void f(void) {\n  int x;",
            "k.c:2:9: C: expected '}'; correct it",
        ),
        (
            "void f(void) { int x = 09; }",
            "k.c:1:25: C: invalid digit '9' in octal constant; correct it",
        ),
        (
            "void f(int *a) {\n  a[0] = a[1] +;\n}",
            "k.c:2:16: C: expected expression; correct it",
        ),
        (
            "void f(void) { @ }",
            "k.c:1:16: C: expected expression; correct it",
        ),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path: Path, text: str, expected: str) -> None:
    assert message(tmp_path, text, None) == expected


def test_a_function_that_is_missing_or_has_no_region(tmp_path: Path) -> None:
    text = f"void f(int A[1]) {{\n{GOOD}}}\nvoid g(void) {{ }}\n"
    assert message(tmp_path, text, "h") == (
        "there is no function 'h' in 'k.c'; name one that 'k.c' defines: 'f', 'g'"
    )
    assert message(tmp_path, text, "g") == (
        "k.c:6:14: the region of 'g' has no statements; put #pragma scop in front of the loops"
    )


UNKNOWN = {
    "void f(int32_t A[1])": "1:8: there is no type 'int32_t'; include <stdint.h>",
    "typedef int row[4]; void f(row A, col B)": (
        "1:35: there is no type 'col'; add its typedef, or the file that has it"
    ),
}


@pytest.mark.parametrize("start", UNKNOWN)
def test_an_unknown_type_is_named_where_it_stands(start: str, tmp_path: Path) -> None:
    assert message(tmp_path, f"{start} {{\n{GOOD}}}\n", None) == f"k.c:{UNKNOWN[start]}"


def test_deep_nesting_is_an_error_and_no_traceback(tmp_path: Path) -> None:
    text = f"void f(int A[1]) {{\n{BEGIN}A[0] = {'(' * 5000}1{')' * 5000};{END}}}"
    assert messages(tmp_path, text, ()) == (
        "k.c:3:264: this is nested too deeply; split long expressions and nests"
    )


@pytest.mark.parametrize("terms", [400, pytest.param(3000, marks=pytest.mark.dear)])
def test_long_sums_are_an_error_and_lose_no_term(tmp_path: Path, terms: int) -> None:
    text = f"void f(int A[1]) {{\n{BEGIN}A[0] = {' + '.join(['A[0]'] * terms)};{END}}}"
    assert "nested too deeply; split long expressions and nests" in messages(tmp_path, text, ())
