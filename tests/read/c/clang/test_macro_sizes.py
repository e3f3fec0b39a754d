"""Macros that expand to more than clang takes are refused where they are named."""

from __future__ import annotations

import pytest

from hlsmem.core.errors import InputError
from hlsmem.read.c.clang.macro_sizes import check_expansions


def text(levels: int, *rest: str, operands: int = 10) -> str:
    """M0 to the last level, each with `operands` of the one before, and further lines."""
    first = "#define M0 " + "+".join(["n"] * operands)
    further = [f"#define M{k} " + "+".join([f"M{k - 1}"] * operands) for k in range(1, levels)]
    return "\n".join([first, *further, *rest])


def test_the_first_use_of_a_large_macro_is_the_place() -> None:
    with pytest.raises(InputError) as found:
        check_expansions("k.c", text(6, "int a = M4;", "int b = n + M5;"))
    problem = found.value.problems[0]
    assert problem.what == "'M5' expands to more than 1,000,000 tokens"
    assert problem.source_location is not None
    assert (problem.source_location.line, problem.source_location.column) == (8, 13)


@pytest.mark.parametrize(
    "rest",
    [
        ("int a = M4;",),
        ("#if 0", "int a = M5;", "#endif"),
        ("#define OTHER \\", "  M5"),
        ("#define M5 3", "int a = M5;"),
        ("int a = M55;",),
    ],
)
def test_what_is_small_or_not_named_is_read(rest: tuple[str, ...]) -> None:
    check_expansions("k.c", text(6, *rest))


def test_macros_that_name_themselves_and_each_other_are_counted_once() -> None:
    check_expansions("k.c", "#define A B + A\n#define B A + B\nint a = A;\n")


def test_a_macro_with_parameters_is_none_without() -> None:
    check_expansions("k.c", text(6, "#define F(x) M5", "int a = F(1);"))
