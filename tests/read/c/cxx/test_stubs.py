"""The stubs of ap_int.h and hls_stream.h against integers of Python."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from hlsmem.read.c.cxx.arbitrary import Width, result
from tests.read.c.cxx.compilers import STUBS, printed

_OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=")


def cut(value: int, width: Width) -> int:
    """The last bits of a number."""
    value &= (1 << width.bits) - 1
    return value - (1 << width.bits) if width.signed and value >> (width.bits - 1) else value


def held(value: int, width: Width) -> bool:
    return cut(value, width) == value


def drawn(random_: random.Random, width: Width) -> int:
    ends = [cut(1 << width.bits - 1, width), cut((1 << width.bits - 1) - 1, width), 0, 1, -1]
    return cut(random_.choice([*ends, random_.getrandbits(64)]), width)


def of_python(operator: str, a: int, b: int) -> int:
    """The value by the definition: integers without end, quotients cut towards zero."""
    match operator:
        case "/":
            return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        case "%":
            return a - of_python("/", a, b) * b
    return int(eval(f"({a}) {operator} ({b})"))


@dataclass(frozen=True)
class Case:
    text: str
    expected: int


def _type(width: Width) -> str:
    return f"ap_{'' if width.signed else 'u'}int<{width.bits}>"


def _literal(width: Width, value: int) -> str:
    return f"{_type(width)}((long){value % (1 << 64)}u)"


def cases(seed: int, count: int) -> list[Case]:
    """Operators of random widths, whose results have at most 64 bits."""
    random_ = random.Random(seed)
    found: list[Case] = []
    while len(found) < count:
        left, right = (Width(random_.randint(1, 64), random_.random() < 0.5) for _ in "ab")
        a, b = drawn(random_, left), drawn(random_, right)
        operator = random_.choice(_OPERATORS)
        if operator in "/%" and b == 0:
            continue
        spanning = max(left.bits, right.bits) + (left.signed != right.signed)
        if operator in _OPERATORS[:8]:
            width = result(operator, left, right)
            if width.bits > 64 or (operator in "/%" and spanning > 64):
                continue
            value = of_python(operator, a, b)
            assert held(value, width), (operator, left, right, a, b)
        elif spanning > 64:
            continue
        else:
            value = of_python(operator, a, b)
        found.append(Case(f"{_literal(left, a)} {operator} {_literal(right, b)}", value))
        shift = random_.randint(0, 63)
        found.append(Case(f"{_literal(left, a)} << {shift}", cut(a << shift, left)))
        found.append(Case(f"{_literal(left, a)} >> {shift}", a >> shift))
        found.append(Case(f"~{_literal(left, a)}", cut(~a, left)))
        found.append(Case(f"{_type(right)}({_literal(left, a)})", cut(a, right)))
        if left.bits < 64:
            found.append(Case(f"-{_literal(left, a)}", -a))
        for assigned in "+-*&|^":
            whole = cut(of_python(assigned, a, b), left)
            text = f"[] {{ {_type(left)} x = {_literal(left, a)};"
            text += f" x {assigned}= {_literal(right, b)}; return x; }}()"
            found.append(Case(text, whole))
    return found


def _program(found: list[Case]) -> str:
    lines = ["#include <ap_int.h>", "#include <stdio.h>"]
    lines += ["template <typename T> void put(T x) {"]
    lines += ['    if (T(0) > T(-1)) printf("%ld\\n", (long)x); else printf("%lu\\n", (long)x); }']
    groups = [found[at : at + 50] for at in range(0, len(found), 50)]
    for number, group in enumerate(groups):
        lines += [f"static void part{number}() {{", *(f"    put({c.text});" for c in group), "}"]
    calls = " ".join(f"part{number}();" for number in range(len(groups)))
    return "\n".join([*lines, f"int main() {{ {calls} }}"]) + "\n"


@pytest.mark.parametrize("count", [240, pytest.param(12000, marks=pytest.mark.long)])
def test_operators_give_what_integers_without_end_give(tmp_path: Path, count: int) -> None:
    found = cases(count, count)
    told = printed(tmp_path, {"cases.cpp": _program(found)}).split()
    wrong = [
        (case.text, case.expected, int(text))
        for case, text in zip(found, told, strict=True)
        if int(text) % (1 << 64) != case.expected % (1 << 64)
    ]
    assert not wrong


def test_sizes_are_those_of_the_vendor(tmp_path: Path) -> None:
    text = "#include <ap_int.h>\n#include <stdio.h>\nint main() {\n"
    text += "".join(f'printf("%d ", (int)sizeof(ap_uint<{w}>));\n' for w in range(1, 65)) + "}\n"
    sizes = list(map(int, printed(tmp_path, {"sizes.cpp": text}).split()))
    assert sizes == [1] * 8 + [2] * 8 + [4] * 16 + [8] * 32


@pytest.mark.parametrize("text", ["a * b", "a + c", "c < d", "c / d"])
def test_more_than_64_bits_do_not_compile(tmp_path: Path, text: str) -> None:
    (tmp_path / "wide.cpp").write_text(
        "#include <ap_int.h>\nint f(ap_int<40> a, ap_int<30> b, ap_int<64> c, ap_uint<64> d)"
        f" {{ return ({text}) != 0; }}\n"
    )
    command = ["g++", "-std=gnu++17", "-fsyntax-only", "-I", str(STUBS), "wide.cpp"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "64 bits" in done.stderr


def test_streams_give_what_they_got_in_its_order(tmp_path: Path) -> None:
    text = """
#include <ap_int.h>
#include <hls_stream.h>
int main() {
    hls::stream<ap_int<5> > s("s");
    for (int i = 0; i < 200; i++) s << ap_int<5>(i);
    ap_int<5> x;
    for (int i = 0; i < 100; i++) { s >> x; printf("%d ", (int)x); }
    for (int i = 0; i < 99; i++) printf("%d ", (int)s.read());
    s.read(x);
    printf("%d %d %d", (int)x, s.empty(), (int)s.size());
}
"""
    told = list(map(int, printed(tmp_path, {"stream.cpp": text}).split()))
    assert told == [cut(i, Width(5, True)) for i in range(200)] + [1, 0]
