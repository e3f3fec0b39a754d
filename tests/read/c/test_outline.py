"""Functions by their words and brackets alone, and the pragmas that mark tops."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.read.c.outline import is_marked, outline_of

DEFINED = {
    "void f(int x) { if (x) { g(x); } }": "f",
    "namespace a { namespace b::c { int f() { return 0; } } }": "a::b::c::f",
    "namespace { void f() { } }": "f",
    'extern "C" { void f() { } }': "f",
    "struct S { int a; }; struct S f(struct S x) { return x; }": "f",
    "class C : public B<4> { int x[2] = {1, 2}; void run(int) { } };": "C::run",
    "template <typename T, int N = (3)> void f(T x[N]) { }": "f",
    "template <> void f<16, short>(int x) { }": "f",
    "void ns::C<3>::run(int x) { }": "ns::C::run",
    "__attribute__((noinline)) void f(int x) { }": "f",
    "void CCS_BLOCK(run)(int x) { }": "run",
    "auto f(int x) -> decltype(x) { return x; }": "f",
    "#ifdef A\nvoid f(int x) {\n#else\nvoid f(char x) {\n#endif\n}": "f",
    "void f() { auto l = [](int x) { return x; }; }": "f",
    "// void g() { }\n/* void h() { } */ void f() { char c = '{'; }": "f",
    'const char *s = "void i() {"; void f() { }': "f",
    'const char *s = R"x(void g() { )" )x"; void f() { }': "f",
    "#define G void g() { \\\n  }\nvoid f() { }": "f",
    "#if 0\nvoid g() {\n#endif\nvoid f() { }": "f",
}
NOTHING = (
    "int table[2] = {1, f(3)};",
    "enum E { A, B };",
    "void f(int x);",
    "DEFINE(f) { }",
    "void (*f)(int) = { 0 };",
    "struct S { int a; } s = { 1 };",
)


@pytest.mark.parametrize("text", DEFINED)
def test_a_function_has_its_full_name(text: str) -> None:
    assert outline_of(text).functions == (DEFINED[text],)


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_no_function_has_no_name(text: str) -> None:
    assert outline_of(text).functions == ()


MARKED = {
    "void f() {\n#pragma HLS top\n}": ["f"],
    "void f() {\n{\n#  pragma   HLS  function top dataflow\n}\n}\nvoid g() { }": ["f"],
    "void g() { }\n#pragma hls_design top\nvoid f() { }\nvoid h() { }": ["f"],
    "#pragma hls_top\nvoid f(int x);\nvoid g() { }": ["f"],
    "namespace n { struct C {\n#pragma hls_design top\nvoid run() { } }; }": ["n::C::run"],
    "#pragma hls_design top\nclass C { C() { }\n#pragma hls_design interface\nvoid run() { } };": [
        "C::run"
    ],
    "void f() {\n#pragma HLS top name=x\n}\nvoid g() {\n#pragma HLS TOP\n}": ["f", "g"],
    "void f() {\n#if 0\n#pragma HLS top\n#else\n}\nvoid g() {\n#pragma HLS top\n#endif\n}": ["g"],
    "void f() {\n// #pragma HLS top\n}": [],
    "void f() {\n#pragma HLS topology\n}": [],
    "#pragma hls_design interface\nvoid f() { }": [],
}


@pytest.mark.parametrize("text", MARKED)
def test_a_pragma_marks_the_function_around_it_or_the_next(text: str) -> None:
    found = outline_of(text)
    assert [*found.marks] == MARKED[text]
    assert all(text[offset] == "#" for offset in found.marks.values())
    assert is_marked(text) or not found.marks


@given(st.text(alphabet="af(){};:<>=\"'#/*\\\n \t"))
def test_any_text_has_an_outline(text: str) -> None:
    found = outline_of(text)
    assert all(found.defines(name) for name in found.functions)
