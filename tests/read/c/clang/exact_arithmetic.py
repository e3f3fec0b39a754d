"""Random expressions of arbitrary precision: what they are worth by definition, and run as C.

A number is worth its stored integer / 2**point. Widths of results are those of AMD UG1399.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from pathlib import Path

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import base_name
from hlsmem.read.c.clang.exact_numbers import (
    NotExact,
    Value,
    binary,
    concatenated,
    conditional,
    converted,
    helpers,
    is_wide,
    limbs_in,
    slice_value,
    truth,
    unary,
    value_of,
    word_assignments,
)
from hlsmem.read.c.clang.lowered_types import text_in_c
from hlsmem.read.c.tree import BOOL, INT, Float, Number, SourceRange

AT = SourceRange("k.cpp", 1, 1)
_HALF = Fraction(1, 2)


def exact(bits: int, signed: bool, point: int = 0, rounding: int = 0, overflow: int = 0) -> Number:
    return Number(bits, signed, point, rounding, overflow, exact=True)


def variable(name: str, kind: tree.Type) -> Value:
    return value_of(tree.ID(name, kind, AT))


def constant(number: int) -> Value:
    found: tree.Expression = tree.Constant(str(abs(number)), INT, AT)
    return value_of(tree.UnaryOp("-", found, INT, AT) if number < 0 else found)


# By definition.


def last_bits(number: int, kind: Number) -> int:
    number %= 2**kind.bits
    return number - 2**kind.bits if kind.signed and number >= 2 ** (kind.bits - 1) else number


def stored(number: Fraction, to: Number) -> int:
    """The integer that a type of arbitrary precision stores for a number."""
    scaled = number * Fraction(2) ** to.point
    whole = floor(scaled)
    rest = scaled - whole
    is_up = {
        0: False,
        1: rest > 0 and number < 0,
        2: rest >= _HALF,
        3: rest > _HALF or (rest == _HALF and number < 0),
        4: rest > _HALF,
        5: rest > _HALF or (rest == _HALF and number >= 0),
        6: rest > _HALF or (rest == _HALF and whole % 2 == 1),
        7: rest > _HALF or (rest == _HALF and whole % 2 == 0),
    }
    whole += is_up[to.rounding % 8 if to.exact else 1]
    greatest = 2 ** (to.bits - to.signed) - 1
    least = -(2 ** (to.bits - 1)) if to.signed else 0
    if to.overflow == 3 and to.signed:
        least = -greatest
    if to.overflow == 0:
        return last_bits(whole, to)
    if least <= whole <= greatest:
        return whole
    return 0 if to.overflow == 2 else min(max(whole, least), greatest)


def worth(number: int, kind: Number) -> Fraction:
    return Fraction(number) / Fraction(2) ** kind.point


def _divided(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _shifted(number: int, places: int) -> int:
    return number << min(places, 200) if places >= 0 else number >> -places


Values = Mapping[str, int]  # of variables; of one alone also a float


@dataclass(frozen=True)
class Exact:
    """An expression: as the product makes it, and its stored integer by definition."""

    value: Value
    type: Number
    of: Callable[[Values], int]

    def worth(self, values: Values) -> Fraction:
        return worth(self.of(values), self.type)


def again(value: Value) -> Value:
    """A value as the lowering finds it: by its node, and its type in C++."""
    return value_of(value.node, value.type)


def leaf(name: str, kind: Number) -> Exact:
    return Exact(variable(name, kind), kind, lambda values: values[name])


def whole(number: int) -> Exact:
    return Exact(constant(number), INT, lambda _: number)


def both(op: str, a: Exact, b: Exact) -> Exact:
    """An operator on two expressions."""
    kind = result_type(op, a.type, b.type)
    value = binary(op, again(a.value), again(b.value), kind)
    one = Fraction(2) ** kind.point

    def of(values: Values) -> int:
        first, second = a.of(values), b.of(values)
        x, y = worth(first, a.type), worth(second, b.type)
        match op:
            case "+" | "-" | "*":
                found = {"+": x + y, "-": x - y, "*": x * y}[op] * one
                assert found.denominator == 1
                return int(found)
            case "/":
                return _divided(first << max(b.type.point, 0), second)
            case "%":
                return first - second * _divided(first, second)
            case "&" | "|" | "^":
                one_side, other = int(x * one), int(y * one)
                ands, ors = one_side & other, one_side | other
                return last_bits({"&": ands, "|": ors, "^": ors - ands}[op], kind)
            case "<<" | ">>":
                return last_bits(_shifted(first, second if op == "<<" else -second), kind)
            case "&&" | "||":
                return int(bool(x) and bool(y)) if op == "&&" else int(bool(x) or bool(y))
            case _:
                outcomes = {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y}
                return int(outcomes.get(op, x != y))

    return Exact(value, kind, of)


def one(op: str, a: Exact) -> Exact:
    """An operator on one expression."""
    bits, signed, point = a.type.bits, a.type.signed, a.type.point
    kind = {"-": exact(bits + 1, True, point), "!": BOOL}.get(op, exact(bits, signed, point))

    def of(values: Values) -> int:
        number = a.of(values)
        return {"-": -number, "~": last_bits(~number, kind), "!": int(not number)}.get(op, number)

    return Exact(unary(op, again(a.value), kind), kind, of)


def chosen(cond: Exact, a: Exact, b: Exact, kind: Number) -> Exact:
    def of(values: Values) -> int:
        return stored((a if cond.of(values) else b).worth(values), kind)

    value = conditional(truth(again(cond.value)).node, again(a.value), again(b.value), kind)
    return Exact(value, kind, of)


def given(a: Exact, kind: Number) -> Exact:
    """A conversion."""

    def of(values: Values) -> int:
        number = a.of(values)
        return number if a.type == kind else stored(worth(number, a.type), kind)

    return Exact(converted(again(a.value), kind), kind, of)


def sliced(a: Exact, high: int, low: int) -> Exact:
    """Bits of an expression."""
    kind = exact(high - low + 1, False)
    value = slice_value(again(a.value), high, low)
    return Exact(value, kind, lambda values: last_bits(a.of(values) >> low, kind))


def joined(a: Exact, b: Exact) -> Exact:
    """A concatenation."""
    kind = exact(a.type.bits + b.type.bits, False)

    def of(values: Values) -> int:
        upper, lower = last_bits(a.of(values), kind), b.of(values) % 2**b.type.bits
        return last_bits(upper * 2**b.type.bits + lower, kind)

    return Exact(concatenated([again(a.value), again(b.value)]), kind, of)


def result_type(op: str, a: Number, b: Number) -> Number:
    if op in ("<", "<=", ">", ">=", "==", "!=", "&&", "||"):
        return BOOL
    if op in ("<<", ">>"):
        return exact(a.bits, a.signed, a.point)
    either = a.signed or b.signed
    if op == "*":
        return exact(a.bits + b.bits, either, a.point + b.point)
    if op == "/":
        places = max(b.point, 0)
        return exact(a.bits + places + b.signed, either, a.point - b.point + places)
    if op == "%":
        return exact(min(a.bits, b.bits + (a.signed and not b.signed)), a.signed)
    before = max(
        a.bits - a.point + (b.signed and not a.signed),
        b.bits - b.point + (a.signed and not b.signed),
    )
    point = max(a.point, b.point)
    if op in ("&", "|", "^"):
        return exact(before + point, either, point)
    return exact(before + point + 1, either or op == "-", point)


# At random.


_WIDTHS = [1, 2, 8, 12, 16, 31, 32, 33, 40, 63, 64]
_WIDE = [65, 72, 80, 100, 127, 128, 129, 192, 200, 256]


def random_type(chance: random.Random, *, fixed: bool, words: bool = False) -> Number:
    width = chance.choice([*_WIDTHS, chance.randint(1, 64), *(_WIDE if words else [])])
    point = chance.randint(-2, width + 2) if fixed else 0
    modes = (chance.randint(0, 7), chance.choice([0, 1, 2, 3])) if fixed else (1, 0)
    return exact(width, chance.random() < 0.6, point, *modes)


def random_expression(
    chance: random.Random,
    depth: int,
    types: dict[str, Number],
    *,
    fixed: bool,
    words: bool = False,
) -> Exact:
    def inner() -> Exact:
        return random_expression(chance, depth - 1, types, fixed=fixed, words=words)

    if depth == 0:
        if chance.random() < 0.15:
            return whole(chance.choice([0, 1, -1, 2, 7, 100, -3, 4096]))
        name = f"x{len(types)}"
        if types and chance.random() < 0.2:
            name = chance.choice(list(types))
        kind = types.setdefault(name, random_type(chance, fixed=fixed, words=words))
        return leaf(name, kind)
    kind = random_type(chance, fixed=fixed, words=words)
    draw = chance.random()
    if draw < 0.15:
        return given(inner(), kind)
    if draw < 0.2:
        bits = (number := inner()).type.bits
        low = chance.randint(0, bits - 1)
        most = bits - 1 if words else min(bits - 1, low + 63)
        return sliced(number, chance.randint(low, most), low)
    if draw < 0.23:
        return joined(inner(), inner())
    if draw < 0.30:
        return one(chance.choice("-~!+"), inner())
    if draw < 0.36:
        return chosen(inner(), inner(), inner(), kind)
    if draw < 0.47:
        amount = whole(chance.randint(0, 140 if words else 40))
        if chance.random() < 0.5 and not words:
            amount = given(inner(), chance.choice([exact(3, False), exact(7, True), INT]))
        return both(chance.choice(["<<", ">>"]), inner(), amount)
    operators = ["+", "-", "*", "+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="]
    return both(
        chance.choice(operators + (["/"] if fixed else ["/", "%", "&&", "||"])), inner(), inner()
    )


def random_expressions(
    chance: random.Random, amount: int, *, fixed: bool, words: bool = False
) -> Iterator[tuple[Exact, dict[str, Number]]]:
    """Expressions that are converted to a type at last; those that are not exact are left out."""
    while amount:
        types: dict[str, Number] = {}
        depth = chance.choice([1, 1, 2, 2, 3])
        try:
            made = random_expression(chance, depth, types, fixed=fixed, words=words)
            if made.type.bits <= (800 if words else 120):
                yield given(made, random_type(chance, fixed=fixed, words=words)), types
                amount -= 1
        except NotExact:
            continue


def random_number(chance: random.Random, kind: Number) -> int:
    least, greatest = last_bits(1 << (kind.bits - 1), kind), 0
    least, greatest = (least, -least - 1) if kind.signed else (0, 2**kind.bits - 1)
    edges = [least, greatest, 0, greatest // 2, least // 2, 1 if greatest else 0]
    return chance.choice([*edges, chance.randint(least, greatest), chance.randint(least, greatest)])


# As C.


@dataclass(frozen=True)
class Case:
    """An expression with values of its variables and what it is worth with each.

    Assignments come before it.
    """

    node: tree.Expression
    to: tree.Number
    types: Mapping[str, tree.Type]
    rows: Sequence[Values]
    wanted: Sequence[int]
    before: Sequence[tree.Assignment] = ()


def case_of(chance: random.Random, made: Exact, types: Mapping[str, Number], rows: int) -> Case:
    found: list[Values] = []
    wanted: list[int] = []
    for _ in range(rows):
        values = {name: random_number(chance, kind) for name, kind in types.items()}
        try:
            wanted.append(made.of(values))
            found.append(values)
        except ZeroDivisionError:
            continue
    return Case(made.value.node, made.type, types, found, wanted)


_BASES = {8: "char", 16: "short", 32: "int", 64: "long"}


def _typedef(kind: Number) -> str:
    base = next(base for bits, base in _BASES.items() if bits >= kind.bits)
    return f"typedef {'signed' if kind.signed else 'unsigned'} {base} {base_name(kind)};"


def program(cases: Sequence[Case]) -> str:
    """A program that prints each case with another value than is wanted."""
    kinds = {kind for case in cases for kind in (*case.types.values(), case.to)}
    narrow = {one for one in kinds if isinstance(one, Number) and one.exact and one.bits <= 64}
    lines = ["#include <stdio.h>", "#include <math.h>", *sorted(map(_typedef, narrow))]
    bodies = [_body(case) for case in cases]
    calls = {word for body in bodies for line in body for word in _words(line)}
    lines += [text_in_c(one) for one in helpers(calls, AT)]
    for number, (case, body) in enumerate(zip(cases, bodies, strict=True)):
        lines += [f"static void t{number}(void)", "{"]
        for name, kind in case.types.items():
            lines.append(_table(f"{name}s", [values[name] for values in case.rows], kind))
        lines.append(_table("wanted", case.wanted, case.to))
        lines += [f"    for (int row = 0; row < {len(case.rows)}; row++) {{", *body]
        lines += [f'            printf("{number} %d\\n", row);', "    }", "}"]
    lines += ["int main(void)", "{", *(f"    t{k}();" for k in range(len(cases)))]
    return "\n".join([*lines, "    return 0;", "}", ""])


def _table(name: str, numbers: Sequence[int | float], kind: tree.Type) -> str:
    """An array with the numbers of all rows; limbs lie side by side."""
    if isinstance(kind, Float):
        row = ", ".join(float(one).hex() for one in numbers)
        return f"    static const {base_name(kind)} {name}[] = {{{row}}};"
    count = limbs_in(kind) if is_wide(kind) else 1
    limbs = [int(one) >> (64 * k) for one in numbers for k in range(count)]
    row = ", ".join(f"{one % 2**64}ul" for one in limbs)
    return f"    static unsigned long {name}[] = {{{row}}};"


def _body(case: Case) -> list[str]:
    """The lines that compute a row of a case, up to the test of whether it is wrong."""
    lines = []
    for name, kind in case.types.items():
        if is_wide(kind):
            lines.append(f"unsigned long *{name} = {name}s + {limbs_in(kind)} * row;")
        else:
            lines.append(f"{base_name(kind)} {name} = ({base_name(kind)}) {name}s[row];")
        lines.append(f"(void) {name};")
    lines += [f"{text_in_c(one)};" for one in case.before]
    if is_wide(case.to):
        count = limbs_in(case.to)
        lines.append(f"unsigned long found[{count}];")
        found = tree.ID("found", case.to, AT)
        value = converted(value_of(case.node), case.to)
        lines += [f"{text_in_c(one)};" for one in word_assignments(found, value, AT)]
        tests = [f"found[{k}] != wanted[{count} * row + {k}]" for k in range(count)]
        lines.append(f"if ({' || '.join(tests)})")
    else:
        lines.append(f"{base_name(case.to)} found = {text_in_c(case.node)};")
        lines.append("if ((unsigned long) found != wanted[row])")
    return [f"        {line}" for line in lines]


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()


def check(cases: Sequence[Case], folder: Path) -> None:
    """All cases have the values that they should, in C without undefined behaviour."""
    (folder / "main.c").write_text(program([case for case in cases if case.rows]))
    flags = ["-std=c99", "-O0", "-Wsign-compare", "-fsanitize=undefined"]
    command = ["gcc", *flags, "-o", "run", "main.c", "-lm"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert not built.stderr, built.stderr[:3000]
    run = subprocess.run(["./run"], cwd=folder, capture_output=True, text=True, check=True)
    assert not run.stderr, run.stderr[:2000]
    first = [line.split() for line in run.stdout.splitlines()[:5]]
    used = [case for case in cases if case.rows]
    wrong = [_told(used[int(number)], int(row)) for number, row in first]
    assert not wrong, "\n".join(wrong)


def _told(case: Case, row: int) -> str:
    return (
        f"{text_in_c(case.node)}\n  to {case.to}\n  of {case.types}\n"
        f"  with {case.rows[row]} is not {case.wanted[row]}"
    )
