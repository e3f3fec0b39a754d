"""The regions that the literature refuses, and those that it takes: what the reader says of them.

Source: table 1 of Doerfert, Hammacher, Streit, Hack, "SPolly: Speculative Optimizations in the
Polyhedral Model" (IMPACT 2013), with a minimal example a cause. What is taken here and not there
is read by what came since: filters and accesses by data, trips, guards, specialised values.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.read.c.refusal import Refusal
from tests.programs import golden_case, golden_cases
from tests.steps import load

# Words of the table for the classes of the reader.
CAUSES = {
    "non-affine-expression": Refusal.NON_AFFINE_EXPRESSION,
    "alias": Refusal.ALIASING,
    "non-affine-bound": Refusal.NON_AFFINE_BOUND,
    "call": Refusal.FUNCTION_CALL,
    "induction-variable": Refusal.LOOP_VARIABLE,
    "control-flow": Refusal.CONTROL_FLOW,
    "unsigned-compare": Refusal.UNSIGNED_WRAP,
    "other": Refusal.OTHER,
}
_PLAIN = "int n, int A[n], int B[n + 2]"
# The parameters of those that are no function, and declarations around them, where not plain.
HEADS = {
    "index-product": "int n, int A[n * n]",
    "flattened": "int n, int m, int A[n * m]",
    "bound-product": "int n, int A[n * n]",
    "bound-data": "int n, int A[n][n]",
    "call-io": "int n, int A[n]",
    "iv-modified": "int n, int A[n + 1]",
    "iv-float": "int n, float s",
    "unsigned": "unsigned n, int A[n]",
    "unsigned-down": "unsigned n, int A[n]",
    "int-to-pointer": "int n, long base",
    "ok-pure": "int n, float A[n], float B[n]",
}
BEFORE = {
    "bound-data": "static int g(int x) { return x / 2; }",
    "call-unknown": "void log_it(int);",
    "call-io": "#include <stdio.h>",
    "several": "int g(int);",
    "ok-pure": "#include <math.h>",
}
# Settings with which a refused region is taken.
REMEDIES = {
    "alias-params": "host.alias=auto",
    "bound-product": "host.specialise=auto",
    "bound-dynamic": "kernel.trips={L: 8}",
}
# Regions that are taken now, and what the reader has for them.
TAKEN = {
    "flattened": "rows of a flat array",
    "indirect": "an access that data choose",
    "predicate-nonaffine": "a filter",
    "predicate-data": "a filter",
    "bound-data": "a loop of at most n turns, and a filter",
    "cfg-break": "a filter",
    "unsigned": "no wrap, proved",
}
# Of the several causes those that are none any more.
FEWER = {"several": ("non-affine-expression",)}
NAMES = (
    "index-product", "flattened", "indirect", "predicate-nonaffine", "predicate-data",
    "alias-params", "alias-rows", "bound-product", "bound-data", "bound-dynamic",
    "bound-quadratic", "call-unknown", "call-io", "iv-geometric", "iv-modified", "iv-float",
    "cfg-goto", "cfg-break", "cfg-switch", "cfg-return", "unsigned", "unsigned-down",
    "int-to-pointer", "several", "ok-restrict", "ok-readonly-pair", "ok-quasi-affine", "ok-down",
    "ok-pure",
)  # fmt: skip


def kernel(folder: Path, name: str) -> Path:
    """The example as a kernel."""
    program: str = golden_case("004", f"s004-refuse-{name}")["program"]
    program = program.partition("//")[0].strip()
    if program.startswith("void k("):
        head, _, body = program.partition("{")
        body = body.rpartition("}")[0]
    else:
        head, body = f"void k({HEADS.get(name, _PLAIN)})", program
        body = body.replace("for (i =", "for (int i =").replace("for (j =", "for (int j =")
    label = "L: " if "trips" in REMEDIES.get(name, "") else ""
    local = "" if "int m" in head else "    int m;\n"
    text = (
        f"{BEFORE.get(name, '')}\n{head.strip()}\n{{\n{local}#pragma scop\n"
        f"    {label}{body.strip()}\n#pragma endscop\n}}\n"
    )
    file = folder / "k.c"
    file.write_text(text, encoding="utf-8")
    return file


def refusals(file: Path, *settings: str) -> tuple[Refusal, ...]:
    """The classes that a kernel is refused for, in the order of the table; none where it is
    planned."""
    parameters = {"n": 8} | ({"m": 8} if "int m," in file.read_text() else {})
    try:
        plan_hardware(load(file, parameters=parameters, settings=settings))
    except InputError as error:
        words = [one.what.partition(":")[0] for one in error.problems]
        return tuple(sorted(map(Refusal, words), key=list(Refusal).index))
    return ()


@pytest.mark.parametrize("name", NAMES)
def test_each_cause_is_found_or_has_a_reading(name: str, tmp_path: Path) -> None:
    causes = golden_case("004", f"s004-refuse-{name}")["causes"]
    left = [one for one in causes if name not in TAKEN and one not in FEWER.get(name, ())]
    file = kernel(tmp_path, name)
    strict = ("host.alias=refuse", "host.specialise=none")
    assert refusals(file, *strict) == tuple(CAUSES[one] for one in left)
    if name in REMEDIES:
        assert refusals(file, REMEDIES[name]) == ()


def test_all_of_the_reference_are_here() -> None:
    """But its three of specialised values, which `emit/c` runs."""
    found = [one["id"] for one in golden_cases("004")]
    assert [f"s004-refuse-{one}" for one in NAMES] == [one for one in found if "-refuse-" in one]


def test_more_values_are_asked_for_where_they_would_help(tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "void f(int n, int m, int a[64])\n{\n    for (int i = 0; i < n * n; i++)\n"
        "        a[i] = 0;\n    for (int i = 0; i < m; i++)\n        a[i] = 1;\n}\n"
    )
    with pytest.raises(InputError, match=r"k\.c:5:25: 'm' is a parameter of 'f' without a value"):
        load(file, parameters={"n": 8})
    assert load(file, parameters={"n": 8, "m": 8}).program is not None
