"""The numbers of hls/include as libclang reads them: types of results, and what is called."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from typing import Any

import pytest

from hlsmem.core.data_files import resource_folder
from tests.hls.number_programs import drawn_sets
from tests.hls.numbers import OVERFLOWS, ROUNDINGS, Kind, result

cindex = pytest.importorskip("clang.cindex")

INCLUDE = resource_folder("hls") / "include"
OPTIONS = ["-x", "c++", "-std=gnu++17", "-nostdinc", "-nostdinc++", "-I", str(INCLUDE)]
HEADERS = "#include <ap_fixed.h>\n#include <ac_fixed.h>\n"

KERNEL = """
template <int W> int width(ap_int<W> x) { return W; }
template <int W, int I, ap_q_mode Q, ap_o_mode O> int places(ap_fixed<W, I, Q, O> x) {
    return W - I;
}
template <int W, bool S> bool is_signed(ac_int<W, S> x) { return S; }
int top(ap_uint<12> &x, ap_int<8> a, const ap_uint<8> b, ap_fixed<16, 6, AP_RND, AP_SAT> f, int i,
        float *p, ac_int<7, false> c) {
    x(7, 4) = b(3, 0);
    x[i] = a[0];
    x.range(3, 0) = x.range(7, 4);
    x = (b, ap_uint<4>(a));
    x = b.concat(a);
    ap_int<8> d = 1.5;
    f = 0.25;
    f += a * f;
    d++;
    --d;
    d <<= 2;
    if (a && !f)
        x ^= 3;
    switch (b) {
    case 1: return a.to_int();
    }
    p[b] = f * 2.0f - a;
    c.set_slc(2, c.slc<3>(1));
    i += (a < 0 ? ap_int<9>(-a) : ap_int<9>(a)) + (1 << b);
    return width(a) + places(f) + is_signed(c) + f.to_int();
}
"""


def parsed(text: str) -> Any:
    file = ("kernel.cpp", HEADERS + text)
    return cindex.Index.create().parse(
        "kernel.cpp", [*OPTIONS, "-DHLSMEM_READ"], unsaved_files=[file]
    )


def messages(text: str) -> list[str]:
    return [one.spelling for one in parsed(text).diagnostics if one.severity >= 3]


def below(cursor: Any) -> Iterator[Any]:
    for one in cursor.get_children():
        yield one
        yield from below(one)


def number(kind: Any) -> tuple[int, int, bool, int, int]:
    """The arguments of a num."""
    own = kind.get_canonical().get_declaration()
    assert own.spelling == "num"
    bits, whole, signed, rounding, overflow = map(own.get_template_argument_value, range(5))
    return bits, whole, bool(signed), rounding, overflow


def of(kind: Kind) -> tuple[int, int, bool, int, int]:
    """The same of a type by its definition; integers truncate, Algorithmic C's have bit 3."""
    of_amd = kind.places is None and not kind.algorithmic
    rounding = 1 if of_amd else ROUNDINGS.index(kind.rounding)
    modes = rounding + 8 * kind.algorithmic, OVERFLOWS.index(kind.overflow)
    return kind.bits, kind.bits - kind.point, kind.signed, *modes


def test_no_name_is_one_that_users_may_give_a_macro() -> None:
    names = [*string.ascii_letters, "SUM", "SAT", "WRAP", "WIDTH", "DEPTH", "SIZE", "BITS"]
    defined = "".join(f"#define {name} @\n" for name in names)
    others = ["hls/ap_fixpt.hpp", "ap_shift_reg.h", "ap_utils.h", "HLS/ac_int.h"]
    text = defined + HEADERS + "".join(f"#include <{one}>\n" for one in others)
    file = ("kernel.cpp", text)
    options = [*OPTIONS, "-DHLSMEM_READ"]
    for one in (options, [*OPTIONS[:3], *OPTIONS[4:]]):
        unit = cindex.Index.create().parse("kernel.cpp", one, unsaved_files=[file])
        assert [str(each) for each in unit.diagnostics] == []


def test_types_of_results_are_those_of_the_definition() -> None:
    random_ = random.Random(3)
    wanted: list[tuple[int, int, bool, int, int]] = []
    text: list[str] = []
    for one in drawn_sets(7, 24):
        integers = one.a.places is None
        operator = random_.choice("+-*/&|^%" if integers else "+-*/&|^")
        text.append(f"void f{len(text)}({one.a.text} a, {one.b.text} b) {{ a {operator} b; }}")
        wanted.append(of(result(operator, one.a, one.b)))
    calls = [
        one
        for one in below(parsed("\n".join(text)).cursor)
        if one.kind.name == "CALL_EXPR" and one.location.file.name == "kernel.cpp"
        if one.spelling.startswith("operator")
    ]
    assert [number(one.type) for one in calls] == wanted


def test_types_that_are_declared() -> None:
    kinds = [kind for one in drawn_sets(5, 12) for kind in (one.a, one.t)]
    unit = parsed("\n".join(f"{kind.text} x{i};" for i, kind in enumerate(kinds)))
    found = [one for one in unit.cursor.get_children() if one.kind.name == "VAR_DECL"]
    own = [one for one in found if one.location.file.name == "kernel.cpp"]
    assert [number(one.type) for one in own] == [of(kind) for kind in kinds]
    sizes = [1 << max(0, (kind.bits - 1).bit_length() - 3) for kind in kinds]
    assert [one.type.get_size() for one in own] == sizes


def test_operators_are_those_of_one_namespace() -> None:
    unit = parsed(KERNEL)
    assert [str(one) for one in unit.diagnostics] == []
    seen = set()
    for one in below(unit.cursor):
        known = one.referenced
        if one.kind.name != "CALL_EXPR" or known is None or one.location.file.name != "kernel.cpp":
            continue
        if known.spelling in ("width", "places", "is_signed"):
            continue
        owner = known
        while not owner.semantic_parent.kind.is_translation_unit():
            owner = owner.semantic_parent
        assert owner.spelling == "hlsmem", known.spelling
        seen.add(known.spelling.partition("<>")[0])
    operators = "() [] = , += <<= ! ++ -- - < + *"
    assert {f"operator{one}" for one in operators.split()} < seen
    assert {"operator long long", "operator unsigned long long"} < seen


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ap_int<0> x;", "a number has 1 to 1024 bits"),
        ("ap_uint<1025> x;", "a number has 1 to 1024 bits"),
        ("ap_fixed<8, 4, AP_TRN, AP_WRAP_SM> x;", "AP_WRAP_SM is not read: use AP_WRAP or AP_SAT"),
        (
            "ap_fixed<8, 4, AP_TRN, AP_WRAP, 1> x;",
            "saturated bits of a number that wraps are not read: leave them out",
        ),
    ],
)
def test_types_that_are_refused(text: str, message: str) -> None:
    assert any(message in one for one in messages(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("void f(ap_int<8> a, ap_int<8> b) { (a, b) = 3; }", "no viable overloaded '='"),
        ("void f(ap_int<8> a, ap_int<8> b) { a + b = 3; }", "no viable overloaded '='"),
        ("void f(const ap_int<8> a) { a[0] = 1; }", "expression is not assignable"),
    ],
)
def test_targets_that_are_values(text: str, message: str) -> None:
    assert messages(text) == [message]
