"""The test at the entry: what pointers reach lies apart, at the addresses of the reference."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check.host_runs.host_check import check_host
from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.c import emit_host
from hlsmem.emit.c.overlap_test import apart_of
from hlsmem.plan import Plan
from hlsmem.planner.host import argument_overlap
from hlsmem.planner.host.argument_overlap import with_test
from hlsmem.planner.host.host_schedule import rescheduled
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.program.model import Kernel, Program
from hlsmem.program.options import Design
from tests.emit.c.plans import host_files, mappings_of, plan_by_planner, program_of, shaped
from tests.plans import put
from tests.programs import golden_cases
from tests.steps import load

CASES = {one["id"]: one for one in golden_cases("004") if one["kind"] == "alias"}
SETTINGS = "hlsmem: 1\nname: k\nparams: {PARAMS}\nkernel: {file: k.c}\nhost: {alias: check}\n"


def design_of(folder: Path, text: str, params: str = "N: 64", more: str = "") -> Design:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "k.c").write_text(text)
    (folder / "k.yaml").write_text(SETTINGS.replace("PARAMS", params) + more)
    return load(folder / "k.yaml")


def with_all_pairs(design: Design) -> Program:
    """The program with a test of all arguments of which one is written, whatever its order."""
    program = program_of(design)
    assert program.kernel is not None
    written = {access.array for one in program.statements for access in one.writes}
    pairs = combinations([one.name for one in program.arrays.values() if one.is_parameter], 2)
    apart = tuple(pair for pair in pairs if written & set(pair))
    return replace(program, kernel=replace(program.kernel, apart=apart))


def parameters_of(case: Any) -> list[str]:
    return [key for key in case["rows"][0] if key in ("N", "W", "H", "n")]


@pytest.mark.parametrize("name", CASES)
def test_the_reference_takes_the_same_version(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    assert answers(tmp_path, case) == [row["optimised"] for row in case["rows"]]


def answers(folder: Path, case: Any) -> list[bool]:
    """What the test in the generated C says at the addresses of each row of a case."""
    text = case["program"].replace("(int *A, int *B)", "(int *A, int *B, int N)")
    params = ", ".join(f"{one}: {case['rows'][0][one]}" for one in parameters_of(case))
    design = design_of(folder, text, params)
    kernel = kernel_of(design)
    plan = shaped(design, plan_by_planner(design))
    emitted = emit_host(design, with_all_pairs(design), mappings_of(plan))
    files = {one.name: one.text for one in emitted}
    (folder / "folded.c").write_text(files["host/k.c"])
    (folder / "k.h").write_text(files["host/k.h"])
    nodes = [node.name for node in kernel.function.parameters]
    calls = [
        f"    putchar('0' + {kernel.name}_apart({arguments(case, row, nodes)}));"
        for row in case["rows"]
    ]
    lines = ['#include "k.h"', "#include <stdio.h>", "int main(void)", "{", *calls]
    (folder / "main.c").write_text("\n".join([*lines, "    return 0;", "}"]) + "\n")
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"]
    command += ["-fno-sanitize=alignment", "folded.c", "main.c", "-o", "main"]
    subprocess.run(command, cwd=folder, check=True)
    found = subprocess.run(["./main"], cwd=folder, check=True, capture_output=True, text=True)
    return [bool(int(one)) for one in found.stdout]


def kernel_of(design: Design) -> Kernel:
    assert isinstance(design.input, Program)
    assert design.input.kernel is not None
    return design.input.kernel


def arguments(case: Any, row: Any, names: list[str]) -> str:
    """The arguments of a row: pointers at its distances, the rest its values."""
    at = dict.fromkeys(names, 1 << 20)
    for key, distance in row.items():
        if key.endswith("_bytes") and "_minus_" in key:
            name, _, other = key.removesuffix("_bytes").partition("_minus_")
            at[name] = at[other] + distance
    return ", ".join(
        str(row[n]) if n in row and n in parameters_of(case) else f"(void *){at[n]}" for n in names
    )


COPY = """
void copy(int *A, int *B, int N)
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = B[i] * 3;
    for (int i = 1; i < N; i++)
        A[i] = t[i] + B[i - 1];
#pragma endscop
}
"""


def planned(folder: Path, text: str = COPY) -> tuple[Path, Design, Plan]:
    """An OUT with design/ and host/, of two loops that run as one."""
    times = "[N] -> { S0[i] -> [i, 0]; S1[i] -> [i, 1] }"
    design = design_of(folder / "source", text, more=f"schedule: '{times}'\n")
    return written(folder, design)


def written(folder: Path, design: Design) -> tuple[Path, Design, Plan]:
    plan = shaped(design, plan_by_planner(design))
    files = {**host_files(design, plan)}
    files |= {f"design/{source.name}": source.text for source in design.sources}
    put(folder / "out", files)
    return folder / "out", design, plan


def verdicts(out: Path, design: Design, plan: Plan) -> tuple[Verdict, ...]:
    return check_host(out, design, program_of(design), plan)


def test_overlapping_arguments_run_the_original(tmp_path: Path) -> None:
    found = verdicts(*planned(tmp_path))
    assert not [one for one in found if one.status is Status.FAIL]
    assert any("where arguments overlap" in one.detail for one in found)


@pytest.mark.dear
def test_an_array_and_a_plain_pointer_are_apart_unless_asked(tmp_path: Path) -> None:
    file = tmp_path / "source/k.c"
    file.parent.mkdir()
    file.write_text(
        "void count(const int in[16], int out[16], int *total) {\n  int n = 0;\n"
        "  for (int y = 0; y < 16; y++) {\n    out[y] = in[y] + n;\n    n = n + 1;\n  }\n"
        "  *total = n;\n}\n"
    )
    found = verdicts(*written(tmp_path, load(file)))
    assert not [one for one in found if one.status is Status.FAIL]
    assert not any("where arguments overlap" in one.detail for one in found)


FAULTS = {
    "no element size": ("(int64_t)sizeof A[0] * ((int64_t)N - 1)", "((int64_t)N - 1)"),
    "one element short": ("+ (int64_t)sizeof B[0])", ")"),
    "reversed": ("to0 <= hlsmem_from1", "to0 >= hlsmem_from1"),
    "never asked": ("|| !copy_apart(A, B, N)", ""),
}


@pytest.mark.few("one element short")
@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_test_is_found(tmp_path: Path, name: str) -> None:
    out, design, plan = planned(tmp_path)
    old, new = FAULTS[name]
    text = (out / "host/k.c").read_text()
    assert old in text
    (out / "host/k.c").write_text(text.replace(old, new))
    (failed,) = [one for one in verdicts(out, design, plan) if one.status is Status.FAIL]
    assert failed.check == "host"
    assert failed.detail.startswith("copy")


PAIRS = """
int g[9]; static const int c[9] = {1};
void k(int *a, const int *b, const int *d, int *restrict r, int w[9], int e[9], int N) {
#pragma scop
    for (int i = 0; i < N; i++) a[i] = b[i] + d[i] + r[i] + w[i] + g[i] + c[i];
    for (int i = 0; i < N; i++) e[i] = b[i];
#pragma endscop
}
"""


def test_pairs_are_those_of_which_accesses_change_places(tmp_path: Path) -> None:
    given = program_of(design_of(tmp_path, PAIRS, "N: 9"))
    assert given.kernel is not None
    assert given.kernel.apart == ()
    names = [one.name for one in given.statements]
    times = [f"{{ {name}[i] -> [i, {k}] }}" for k, name in enumerate(names)]
    own = with_test(rescheduled(given, dict(zip(names, times, strict=True))), given)
    assert own.kernel is not None
    # e is written between the loads of what comes later in the first loop: restrict and constants
    # are no part of it; g, of the file, may be where `a` points to, but not where an array is.
    moved = {frozenset(("a", "b")), *(frozenset(("e", one)) for one in "abdw")}
    assert {frozenset(pair) for pair in own.kernel.apart} == moved
    assert set(own.kernel.in_place) == {("a", "b"), ("a", "e"), ("b", "e"), ("d", "e"), ("w", "e")}
    assert apart_of(own, own.kernel) is not None


def test_a_number_passed_by_value_lies_apart(tmp_path: Path) -> None:
    """Nothing reaches the copy that a call has of it, where a pointer to one may reach arrays."""
    text = """void k(int *a, const int *b, int s, const int *p, int N) {
#pragma scop
    for (int i = 0; i < N; i++) a[i] = b[i] * s + p[0];
#pragma endscop
}
"""
    given = program_of(design_of(tmp_path, text, "N: 9"))
    turned = with_test(rescheduled(given, {"S0": "{ S0[i] -> [-i] }"}), given)
    assert turned.kernel is not None
    assert {frozenset(pair) for pair in turned.kernel.apart} == {
        frozenset("ab"),
        frozenset("ap"),
    }


REFUSED = {
    "assigned": (
        "void k(int *A, int *B, int N) { int t[N]; B = B + 1;\n#pragma scop\n"
        "for (int i = 0; i < N; i++) t[i] = B[i];\nfor (int i = 0; i < N; i++) A[i] = t[i];\n"
        "#pragma endscop\n}",
        "k.c:1:43: aliasing: the base pointer 'B' varies, so that no test can tell its range; "
        "write subscripts of a parameter that stays as it is",
    ),
    "rows": (
        "void k(int **M, int N) { for (int i = 0; i < N; i++) M[i][0] = 0; }",
        "k.c:1:54: aliasing: 'M[i][0]' is a pointer to pointers, whose rows may be anywhere; "
        "pass one array with its extents",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_base_that_varies_is_refused(tmp_path: Path, name: str) -> None:
    text, message = REFUSED[name]
    with pytest.raises(InputError) as caught:
        design_of(tmp_path, text)
    assert str(caught.value).removeprefix(f"{tmp_path}/") == message


FOUR = """
void four(int N, int a[N], int b[N], int c[N], int d[N])
{
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = b[i];
    for (int i = 0; i < N; i++)
        c[i] = d[i];
#pragma endscop
}
"""


def test_the_pairs_of_arguments_are_looked_at_in_one_piece_of_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes too many operations is assumed to change, and the others are looked at."""
    program = program_of(design_of(tmp_path, FOUR, "N: 8"))
    works: list[int] = []

    def counted(operations: int, *given: Any, **named: Any) -> Any:
        works.append(operations)
        return within(operations, *given, **named)

    def tested() -> tuple[tuple[str, str], ...]:
        works.clear()
        kernel = with_test(program, program).kernel
        assert kernel is not None
        return kernel.apart

    monkeypatch.setattr(argument_overlap, "within", counted)
    assert (tested(), len(works)) == ((), 1)
    with monkeypatch.context() as patch:
        patch.setattr(argument_overlap, "_OPERATIONS", 1)
        pairs = [pair for pair in combinations("abcd", 2) if pair != ("b", "d")]
        assert (tested(), len(works)) == (tuple(pairs), 2 * len(pairs))  # at one place, too
    turned = argument_overlap._turned

    def dear(orders: Any, first: Any, second: Any, **named: Any) -> bool:
        if {*first, *second} == {"a", "c"}:
            raise WorkLimitError(())
        return turned(orders, first, second, **named)

    monkeypatch.setattr(argument_overlap, "_turned", dear)
    assert (tested(), len(works)) == ((("a", "c"),), 3)
