"""Arithmetic of arbitrary precision as C has the values that it has by definition."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from hlsmem.read.c import tree
from hlsmem.read.c.clang import exact_numbers
from hlsmem.read.c.clang.exact_numbers import NotExact, Value, binary, converted, unary, value_of
from hlsmem.read.c.clang.lowered_types import text_in_c
from hlsmem.read.c.tree import BOOL, INT, Float
from tests.families import by_default
from tests.read.c.clang.exact_arithmetic import (
    AT,
    Case,
    case_of,
    check,
    constant,
    exact,
    last_bits,
    random_expressions,
    random_number,
    random_type,
    stored,
    variable,
    worth,
)


@pytest.mark.parametrize("fixed", [False, True], ids=["integers", "fixed"])
def test_expressions_have_their_values(fixed: bool, tmp_path: Path) -> None:
    chance = random.Random(int(fixed))
    made = random_expressions(chance, by_default(100, 2000), fixed=fixed)
    check([case_of(chance, one, types, 8) for one, types in made], tmp_path)


def test_wide_words_have_their_values(tmp_path: Path) -> None:
    chance = random.Random(2)
    made = random_expressions(chance, by_default(50, 2000), fixed=False, words=True)
    check([case_of(chance, one, types, 6) for one, types in made], tmp_path)


def _index(name: str, factor: int, plus: int) -> tree.Expression:
    i = tree.ID(name, INT, AT)
    times = tree.BinaryOp("*", tree.Constant(str(factor), INT, AT), i, INT, AT)
    return tree.BinaryOp("+", times, tree.Constant(str(plus), INT, AT), INT, AT)


def test_slices_at_variable_places_have_their_bits_and_leave_the_others(tmp_path: Path) -> None:
    chance = random.Random(3)
    cases: list[Case] = []
    for _ in range(by_default(40, 1000)):
        kind = random_type(chance, fixed=chance.random() < 0.3)
        other = random_type(chance, fixed=False)
        width = chance.randint(1, kind.bits)
        is_variable = chance.random() < 0.6
        first = 0 if is_variable else chance.randint(0, kind.bits - width)
        rows, bits, wanted = [], [], []
        for _ in range(8):
            i = chance.randint(0, (kind.bits - width) // 2)
            low = 2 * i if is_variable else first
            x, y = random_number(chance, kind), random_number(chance, other)
            rows.append({"x": x, "y": y, "i": i})
            bits.append((x >> low) % 2**width)
            mask = (2**width - 1) << low
            wanted.append(last_bits((x & ~mask) | ((y % 2**width) << low), kind))
        start = _index("i", 2, 0) if is_variable else first
        end = _index("i", 2, width - 1) if is_variable else first + width - 1
        types = {"x": kind, "y": other, "i": INT}
        found = exact_numbers.slice_value(variable("x", kind), end, start)
        cases.append(Case(found.node, exact(width, False), types, rows, bits))
        x_node = tree.ID("x", kind, AT)
        (before,) = exact_numbers.slice_assignments(x_node, end, start, variable("y", other))
        cases.append(Case(x_node, kind, types, rows, wanted, [before]))
    check(cases, tmp_path)


def test_slices_of_wide_words_have_their_bits_and_leave_the_others(tmp_path: Path) -> None:
    chance = random.Random(7)
    cases: list[Case] = []
    for _ in range(by_default(15, 500)):
        is_variable = chance.random() < 0.5
        kind = exact(chance.choice([128, 192, 256, 96, 100]), chance.random() < 0.3)
        width = chance.choice([1, 4, 8, 32, 64]) if is_variable else chance.randint(1, kind.bits)
        is_variable &= not (kind.signed and kind.bits % 64)
        first = 0 if is_variable else chance.randint(0, kind.bits - width)
        other = exact(width, False)
        rows, bits, wanted = [], [], []
        for _ in range(6):
            i = chance.randint(0, kind.bits // width - 1)
            low = width * i if is_variable else first
            x, y = random_number(chance, kind), random_number(chance, other)
            rows.append({"x": x, "y": y, "i": i})
            bits.append((x >> low) % 2**width)
            mask = (2**width - 1) << low
            wanted.append(last_bits((x & ~mask) | (y << low), kind))
        start = _index("i", width, 0) if is_variable else first
        end = _index("i", width, width - 1) if is_variable else first + width - 1
        types = {"x": kind, "y": other, "i": INT}
        found = exact_numbers.slice_value(variable("x", kind), end, start)
        cases.append(Case(found.node, other, types, rows, bits))
        x_node = tree.ID("x", kind, AT)
        before = exact_numbers.slice_assignments(x_node, end, start, variable("y", other))
        cases.append(Case(x_node, kind, types, rows, wanted, before))
    check(cases, tmp_path)


def test_a_word_is_shifted_in_its_place_in_an_order_of_limbs(tmp_path: Path) -> None:
    chance = random.Random(8)
    kind = exact(250, True)
    x = tree.ID("x", kind, AT)
    cases = []
    for places in (-70, -64, -3, 3, 64, 70):
        numbers_of_x = [random_number(chance, kind) for _ in range(4)]
        moved = _binary(">>" if places < 0 else "<<", value_of(x), constant(abs(places)))
        wanted = [
            last_bits(one << places if places > 0 else one >> -places, kind) for one in numbers_of_x
        ]
        rows = [{"x": one} for one in numbers_of_x]
        before = exact_numbers.word_assignments(x, moved, AT)
        cases.append(Case(x, kind, {"x": kind}, rows, wanted, before))
    check(cases, tmp_path)


def test_floating_point_numbers_are_rounded_and_limited_as_exact_ones(tmp_path: Path) -> None:
    chance = random.Random(5)
    cases = []
    for _ in range(by_default(40, 1000)):
        to = random_type(chance, fixed=chance.random() < 0.8)
        steps = [chance.choice([0.5, 0.25, 1.0, 0.3, 0.0, 1e-9]) for _ in range(8)]
        size = to.bits if to.overflow or to.bits < 60 else 60
        values = [
            float(Fraction(chance.randint(-(2**size), 2**size) + step) / Fraction(2) ** to.point)
            for step in steps
        ]
        kind = Float(64)
        found = converted(variable("x", kind), to)
        wanted = [stored(Fraction(value), to) for value in values]
        cases.append(Case(found.node, to, {"x": kind}, [{"x": v} for v in values], wanted))
        text = repr(abs(values[0]))
        literal: tree.Expression = tree.Constant(text, kind, AT)
        literal = tree.UnaryOp("-", literal, kind, AT) if values[0] < 0 else literal
        folded = converted(value_of(literal), to)
        assert folded.constant == wanted[0]
    check(cases, tmp_path)


def test_exact_numbers_become_floating_point_numbers_rounded_once(tmp_path: Path) -> None:
    chance = random.Random(6)
    cases = []
    for _ in range(20):
        kind = random_type(chance, fixed=True)
        rows = [{"x": random_number(chance, kind)} for _ in range(6)]
        double = converted(variable("x", kind), Float(64)).node
        for row in rows:
            text = float(worth(row["x"], kind)).hex()
            expected = tree.Constant(text.removeprefix("-"), Float(64), AT)
            signed = tree.UnaryOp("-", expected, Float(64), AT) if text[0] == "-" else expected
            same = tree.BinaryOp("==", double, signed, INT, AT)
            cases.append(Case(same, BOOL, {"x": kind}, [row], [1]))
    check(cases, tmp_path)


# The text is as short as a person would write it.

A8, B8 = variable("a", exact(8, True)), variable("b", exact(8, True))
U8 = variable("u", exact(8, False))
LONG_A, LONG_B = variable("a", exact(64, True)), variable("b", exact(64, True))
F = variable("f", exact(16, True, 10))


def _binary(op: str, a: Value, b: Value) -> Value:
    return binary(op, a, b, exact_numbers.result_of(op, a.type, b.type))


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (_binary("+", A8, B8), "a + b"),
        (converted(_binary("+", A8, B8), exact(8, True)), "(signed char) (a + b)"),
        (converted(_binary("*", U8, U8), exact(12, False)), "u * u & 0xfff"),
        (converted(_binary("+", A8, U8), exact(6, True)), "(int) ((unsigned) (a + u) << 26) >> 26"),
        (
            converted(_binary("+", LONG_A, LONG_B), exact(64, True)),
            "(long) ((unsigned long) a + b)",
        ),
        (_binary("*", F, F), "f * f"),
        (_binary("+", _binary("*", F, F), F), "f * f + f * 1024"),
        (converted(_binary("*", F, F), exact(16, True, 10)), "(short) ((f * f) >> 10)"),
        (converted(F, exact(8, True, 4, 2)), "(signed char) ((f + 32) >> 6)"),
        (converted(F, exact(8, True, 4, 5, 1)), "hlsmem_saturate_8((f + 32 - (f < 0)) >> 6)"),
        (converted(U8, exact(4, False, 0, 0, 1)), "u > 15 ? 15 : u"),
        (converted(value_of(tree.Constant("0.3f", Float(32), AT)), exact(16, True, 10)), "307"),
        (_binary("<", A8, U8), "a < u"),
        (unary("~", U8, exact(8, False)), "(unsigned char) (~u)"),
        (unary("-", A8, exact(9, True)), "-a"),
        (exact_numbers.slice_value(U8, 7, 4), "u >> 4"),
        (exact_numbers.slice_value(A8, 7, 4), "(a >> 4) & 0xf"),
        (exact_numbers.concatenated([U8, U8]), "(u << 8) | u"),
        (_binary("<<", U8, constant(3)), "(unsigned char) (u << 3)"),
    ],
)
def test_text(made: Value, text: str) -> None:
    assert text_in_c(made.node).replace("(u * u) &", "u * u &") == text


W = variable("w", exact(128, False))


def _texts(made: tuple[tree.Assignment, ...]) -> list[str]:
    return [text_in_c(one) for one in made]


def test_text_of_wide_words() -> None:
    target = tree.ID("t", exact(128, False), AT)
    joined = exact_numbers.concatenated(
        [variable("a", exact(64, False)), variable("b", exact(64, False))]
    )
    assert _texts(exact_numbers.word_assignments(target, joined, AT)) == ["t[0] = b", "t[1] = a"]
    both = _binary("^", W, value_of(target))
    assert _texts(exact_numbers.word_assignments(target, both, AT)) == [
        "t[0] = w[0] ^ t[0]",
        "t[1] = w[1] ^ t[1]",
    ]
    total = variable("t", exact(80, True))
    more = converted(_binary("+", total, _binary("*", A8, B8)), exact(80, True))
    upper, lower = _texts(exact_numbers.word_assignments(total.node, more, AT))
    assert "(((__int128) (((unsigned __int128) t[1] << 64) | t[0]) + a * b) >> 64)" in upper
    assert lower == "t[0] = t[0] + a * b"  # the limb that both need comes last
    part = exact_numbers.slice_value(W, _index("i", 64, 63), _index("i", 64, 0))
    assert text_in_c(part.node) == "w[i]"
    assert text_in_c(exact_numbers.slice_value(W, 39, 8).node) == "(unsigned) (w[0] >> 8)"
    assert _texts(exact_numbers.slice_assignments(target, 127, 64, U8)) == [
        "t[1] = (unsigned long) u"
    ]
    i8 = exact_numbers.slice_value(W, _index("i", 8, 7), _index("i", 8, 0))
    assert text_in_c(i8.node) == "(w[(8 * i + 0) / 64] >> ((8 * i + 0) % 64)) & 0xff"


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (*exact_numbers.slice_assignments(U8.node, 7, 4, A8), "u = (u & 0xf) | ((a & 0xf) << 4)"),
        (*exact_numbers.slice_assignments(A8.node, 3, 0, constant(0)), "a = a & ~0xf"),
    ],
)
def test_text_of_an_assignment(made: tree.Assignment, text: str) -> None:
    assert text_in_c(made) == text


# Refusals.

_I = tree.ID("i", INT, AT)
_WRAP_SM = exact(8, True, 4, 0, 4)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: _binary("%", F, F), "takes '%' of a fixed-point number"),
        (lambda: _binary("<<", A8, constant(-2)), "shifts by a negative constant"),
        (lambda: converted(F, _WRAP_SM), "has an overflow mode (AP_WRAP_SM) that is not read"),
        (
            lambda: exact_numbers.slice_value(A8, _I, 0),
            "has a width that is not known to be constant",
        ),
        (lambda: exact_numbers.slice_value(A8, 0, 3), "names its bits in reverse"),
        (
            lambda: exact_numbers.slice_value(A8, 9, 3),
            "names 7 bits from 3 on, and the number has 8",
        ),
        (lambda: _binary("+", W, W), "computes with 128 bits, and at most 127 are read"),
        (lambda: _binary("<<", W, A8), "shifts a number of 128 bits by a variable"),
        (
            lambda: exact_numbers.slice_value(W, _index("i", 12, 11), _index("i", 12, 0)),
            "names 12 bits of a wide word at a variable place that may cross two limbs of 64",
        ),
        (
            lambda: exact_numbers.word_assignments(
                W.node,
                exact_numbers.concatenated(
                    [exact_numbers.slice_value(W, 63, 0), exact_numbers.slice_value(W, 127, 64)]
                ),
                AT,
            ),
            "exchanges parts of a wide word",
        ),
        (
            lambda: _binary("*", _binary("*", LONG_A, LONG_A), LONG_A),
            "needs 190 bits, and at most 128 are read",
        ),
    ],
)
def test_what_is_not_exact_is_refused_by_name(make: object, what: str) -> None:
    with pytest.raises(NotExact) as refused:
        make()  # type: ignore[operator]
    assert refused.value.what == what
    assert refused.value.remedy
