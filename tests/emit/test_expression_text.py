"""Printed expressions mean what their trees mean, in C as gcc reads it."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator, evaluate
from hlsmem.emit.c.c_syntax import HELPERS, C
from hlsmem.emit.expression_text import Syntax, print_atom, print_expression
from hlsmem.polyhedra import Set, UnionMap
from hlsmem.polyhedra.generated_loops import Loop, generate

OP = Operator
X, J, N = Name("i"), Name("j"), Name("N")


def op(operator: Operator, *arguments: Expression) -> Operation:
    return Operation(operator, arguments)


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (op(OP.MULTIPLY, Integer(5), op(OP.REMAINDER, X, Integer(2))), "5 * (i % 2)"),
        (op(OP.REMAINDER, op(OP.MULTIPLY, Integer(5), X), Integer(2)), "(5 * i) % 2"),
        (op(OP.SUBTRACT, X, op(OP.SUBTRACT, J, Integer(1))), "i - j + 1"),
        (op(OP.SUBTRACT, X, op(OP.ADD, J, N)), "i - j - N"),
        (op(OP.ADD, X, Integer(-2)), "i - 2"),
        (op(OP.SUBTRACT, X, Integer(-2)), "i + 2"),
        (op(OP.ADD, op(OP.MULTIPLY, Integer(-2), X), J), "j - 2 * i"),
        (op(OP.SUBTRACT, Integer(0), X), "-i"),
        (op(OP.SUBTRACT, Integer(0), op(OP.SUBTRACT, Integer(0), X)), "i"),
        (op(OP.MULTIPLY, op(OP.ADD, X, J), Integer(3)), "(i + j) * 3"),
        (op(OP.MULTIPLY, Integer(2), op(OP.MULTIPLY, X, J)), "2 * (i * j)"),
        (op(OP.QUOTIENT, X, op(OP.QUOTIENT, J, Integer(2))), "i / (j / 2)"),
        (op(OP.OR, op(OP.AND, X, J), N), "(i && j) || N"),
        (op(OP.EQUAL, op(OP.LESS, X, J), Integer(1)), "(i < j) == 1"),
        (op(OP.SELECT, op(OP.LESS, X, J), X, op(OP.SELECT, J, X, N)), "i < j ? i : (j ? i : N)"),
        (op(OP.MINIMUM, X, J, N), "HLSMEM_MIN(HLSMEM_MIN(i, j), N)"),
        (op(OP.MULTIPLY, Integer(-1), X), "-i"),
        (op(OP.MULTIPLY, X, Integer(-3)), "i * -3"),
        (op(OP.SUBTRACT, Integer(0), op(OP.MULTIPLY, Integer(2), X)), "-2 * i"),
        (op(OP.SUBTRACT, op(OP.MULTIPLY, Integer(-2), X), J), "-2 * i - j"),
        (op(OP.SUBTRACT, Integer(0), op(OP.REMAINDER, X, J)), "-(i % j)"),
    ],
)
def test_reads_as_a_person_writes(tree: Expression, text: str) -> None:
    assert print_expression(tree, C) == text


def test_atoms_are_parenthesized_unless_single() -> None:
    assert print_atom(op(OP.ADD, X, J), C) == "(i + j)"
    assert print_atom(X, C) == "i"
    assert print_atom(Integer(-1), C) == "(-1)"
    assert print_atom(op(OP.MINIMUM, X, J), C) == "HLSMEM_MIN(i, j)"


def test_names_print_as_told() -> None:
    assert print_expression(op(OP.ADD, X, N), C, {"N": "(int64_t)N"}) == "i + (int64_t)N"


def test_a_language_without_a_helper_says_so() -> None:
    with pytest.raises(ValueError, match="no way to write 'floor /' in this language"):
        print_expression(op(OP.FLOOR_DIVIDE, X, Integer(2)), Syntax())


_BINARY = [
    OP.SUBTRACT, OP.EQUAL, OP.LESS, OP.LESS_EQUAL, OP.GREATER, OP.GREATER_EQUAL, OP.AND, OP.OR
]  # fmt: skip
_DIVISIONS = [OP.QUOTIENT, OP.REMAINDER, OP.FLOOR_DIVIDE, OP.MODULO]
_MANY = [OP.ADD, OP.MULTIPLY, OP.MINIMUM, OP.MAXIMUM, OP.AND, OP.OR]


def random_tree(random_number: random.Random, depth: int) -> Expression:
    """A tree with every operator that prints; divisors are positive, products stay small."""
    if depth == 0 or random_number.random() < 0.15:
        return random_number.choice([X, J, N, Integer(random_number.randint(-4, 9))])
    kind = random_number.random()
    below = lambda: random_tree(random_number, depth - 1)  # noqa: E731
    if kind < 0.3:
        return Operation(random_number.choice(_BINARY), (below(), below()))
    if kind < 0.5:
        divisor = Integer(random_number.randint(1, 5))
        return Operation(random_number.choice(_DIVISIONS), (below(), divisor))
    if kind < 0.6:
        return op(OP.SELECT, below(), below(), below())
    if kind < 0.65:
        return op(OP.EXACT_DIVIDE, op(OP.MULTIPLY, Integer(3), below()), Integer(3))
    if kind < 0.7:
        return op(OP.SUBTRACT, Integer(0), below())
    size = random_number.choice([2, 2, 3])
    return Operation(random_number.choice(_MANY), tuple(below() for _ in range(size)))


def test_gcc_computes_what_the_tree_says(tmp_path: Path) -> None:
    number = random.Random(20260)
    trees = [random_tree(number, number.randint(1, 5)) for _ in range(400)]
    points = [{"i": i, "j": j, "N": n} for i in (-7, 0, 3) for j in (-2, 5) for n in (1, 4)]
    lines = ["#include <stdint.h>", "#include <stdio.h>"]
    lines += [line for definition in HELPERS.values() for line in definition]
    for position, tree in enumerate(trees):
        text = print_expression(tree, C)
        lines.append(f"static int64_t f{position}(int64_t i, int64_t j, int64_t N)")
        lines.append(f"{{ (void)i; (void)j; (void)N; return {text}; }}")
    lines.append("int main(void) {")
    for position in range(len(trees)):
        for point in points:
            arguments = ", ".join(str(value) for value in point.values())
            lines.append(f'printf("%lld\\n", (long long)f{position}({arguments}));')
    lines.append("return 0; }")
    (tmp_path / "trees.c").write_text("\n".join(lines))
    # Sums are reordered and products grow, but nothing here leaves 64 bits.
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror=parentheses", "-w"]
    subprocess.run(["cc", *flags, "trees.c", "-o", "trees"], cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "trees"], capture_output=True, text=True, check=True)
    found = [int(line) for line in printed.stdout.split()]
    expected = [evaluate(tree, point) for tree in trees for point in points]
    wrong = [
        (print_expression(trees[k // len(points)], C), points[k % len(points)], have, want)
        for k, (have, want) in enumerate(zip(found, expected, strict=True))
        if have != want
    ]
    assert wrong == []


def test_no_warning_about_parentheses(tmp_path: Path) -> None:
    number = random.Random(7)
    trees = [random_tree(number, 4) for _ in range(150)]
    lines = [line for definition in HELPERS.values() for line in definition]
    lines += ["long long i, j, N;", "long long all(void) { return 0"]
    lines += [f"+ ({print_expression(tree, C)})" for tree in trees]
    (tmp_path / "trees.c").write_text("\n".join([*lines, "; }"]))
    flags = ["-std=c99", "-Wparentheses", "-Werror", "-fsyntax-only"]
    done = subprocess.run(
        ["cc", *flags, "trees.c"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


def test_bounds_of_isl_use_plain_division() -> None:
    """isl promises non-negative dividends: no helper for rounding is needed."""
    schedule = UnionMap("[N] -> { S[i] -> [i] : 0 <= i < floor(N/2) and i mod 3 = 1 }")
    loop = generate(schedule, Set("[N] -> { : N >= 0 }"), ["i"])
    assert isinstance(loop, Loop)
    text = print_expression(loop.condition, C)
    assert "HLSMEM" not in text
    assert evaluate(loop.condition, {"i": 4, "N": 10}) == 1
    assert evaluate(loop.condition, {"i": 7, "N": 10}) == 0
