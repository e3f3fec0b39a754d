"""Expressions of C as Verilog, against gcc: random ones, and the pitfalls of C one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.datapath.evaluate import NoCircuitError
from tests.datapath.random_expressions import Case, circuit, differences, random_case

pytestmark = pytest.mark.needs("iverilog")

BYTES = ("unsigned char", "signed char", "int", "unsigned")
STORED = ("int48", "int48", "uint40", "uint40")
PITFALLS = {
    "promotion is before the operator": (BYTES, "int", "a + a > 255"),
    "a difference of bytes is negative": (BYTES, "int", "a - 200"),
    "int and unsigned compare as unsigned": (BYTES, "int", "c < d"),
    "hexadecimal constants may be unsigned": (BYTES, "int", "c < 0x80000000"),
    "right shift of negatives": (BYTES, "int", "c >> 3"),
    "division towards zero": (BYTES, "int", "c / 7 + c / -8 + c / 16"),
    "remainders have the dividend's sign": (BYTES, "int", "c % 7 * 3 + c % 8 + b % -5"),
    "unsigned division": (BYTES, "unsigned", "d / 10 + d % 1000"),
    "the store cuts": (BYTES, "signed char", "c * d"),
    "_Bool is whether it is not zero": (BYTES, "_Bool", "c & 256"),
    "_Bool of a sum": (BYTES, "int", "(_Bool)(a + b) + 1"),
    "the common type of both arms": (BYTES, "int", "(a ? b : d) / 2 > 100"),
    "both sides of && are computed": (BYTES, "int", "(a && c) + 2 * (b || d)"),
    "signed overflow wraps": (BYTES, "int", "c * c + c * 3"),
    "unary minus of the least": (BYTES, "int", "-c - (-(c & 255))"),
    "complement": (BYTES, "int", "~a + ~c + (unsigned char)~a"),
    "shift by a variable": (BYTES, "int", "(c << (a & 31)) + (c >> (a & 31)) + (d >> (a & 31))"),
    "masks": (BYTES, "int", "(c & 6) + (c & -8) + (b & 127)"),
    "a clamp": (BYTES, "unsigned char", "c < 0 ? 0 : c > 255 ? 255 : c"),
    "a magnitude": (BYTES, "int", "(b < 0 ? -b : b) + (a - 7 < 0 ? 7 - a : a - 7)"),
    "casts": (BYTES, "int", "(signed char)c + (unsigned short)c + (short)d"),
    "equal factors": (BYTES, "int", "3 * a + 5 * b + 3 * c - 5 * (int)d + 7"),
    "a quotient of a constant": (BYTES, "int", "((b + 255) - b) / 255 + ((a + 3) - a < 0)"),
    "a sum that is known better as a tree": (
        BYTES,
        "int",
        "((a + (c & 255)) - a < 0) + (b - b == 1)",
    ),
    "a difference of equals": (BYTES, "int", "(a + b) - (b + a) + c - c"),
    "48 bits are computed in 64": (STORED, "int", "(a + b) >> 17"),
    "40 bits without a sign, too": (STORED, "int", "((c - d) >> 33) + (c < d - c) + c * d % 7"),
    "comparison with what cannot be": (BYTES, "int", "(a < 256) + (a == 300) + (b >= -128)"),
}


def test_pitfalls_are_as_gcc_has_them(tmp_path: Path) -> None:
    cases = [
        Case(f"p{k}", kinds, result, text)
        for k, (kinds, result, text) in enumerate(PITFALLS.values())
    ]
    assert differences(cases, 200, tmp_path) == []


def test_random_expressions_are_as_gcc_has_them(tmp_path: Path) -> None:
    cases = [random_case(seed, 3) for seed in range(60)]
    assert differences(cases, 100, tmp_path) == []


@pytest.mark.long
def test_many_random_expressions_are_as_gcc_has_them(tmp_path: Path) -> None:
    for begin in range(0, 10_000, 250):
        cases = [random_case(seed, 3 + seed % 2) for seed in range(begin, begin + 250)]
        assert differences(cases, 200, tmp_path) == []


FAULTS = {
    "a sign": ("+", "-"),
    "a comparison": (" < ", " > "),
    "a carry bit": ("1'd0, ", "1'd1, "),
    "a register": ("v5_1 <= v5", "v5_1 <= v5_1"),
    "an arm": (" ? ", " ? 5'd1 + "),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_seen(name: str, tmp_path: Path) -> None:
    old, new = FAULTS[name]
    case = Case("f", BYTES, "int", "(a + c) * 5 + (b < a ? a : b) - (c >> 2) * d")

    def changed(text: str) -> str:
        head, end, body = text.partition(");")
        assert old in body
        return head + end + body.replace(old, new, 1)

    assert differences([case], 200, tmp_path, changed)


REFUSED = {
    "c / d": "a division by what is no constant has no circuit of one beat",
    "c % (a - a)": "a division by 0 has no result",
    "c << 32": "a shift by 32 of 32 bits has no result",
    "c + e": "'e' has no circuit",
    "f(c)": "the function 'f' has no circuit, and no module is named for it",
    "1.5 * c": "it multiplies floats, and no module is named for 'd*'",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_circuit_says_why(text: str) -> None:
    with pytest.raises(NoCircuitError) as caught:
        circuit(Case("f", BYTES, "int", text))
    assert caught.value.why == REFUSED[text]
