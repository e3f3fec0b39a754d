"""The traced C: every form of a statement, what is refused, and the run of the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlsmem.check.c_runs.c_trace import trace_runs
from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.c_trees.instrumented_c import TracedStatement, instrument
from hlsmem.check.replayed.run_events import Run
from hlsmem.program.model import Array, ElementType, Kernel, SourceFile, Storage

KERNELS = Path(__file__).parents[1] / "kernels"
RANKS = {"row": 1, "total": 0, "turns": 0, "half": 0}


def kernel(name: str, text: str | None = None, **flags: tuple[str, ...]) -> Kernel:
    files = {file.name: file.read_text() for file in KERNELS.iterdir()}
    if text is not None:
        files[f"{name}.c"] = text
    return Kernel(
        file=f"{name}.c",
        name=name,
        function=None,
        region=(),
        region_parent=None,
        sources=tuple(SourceFile(name=file, text=content) for file, content in files.items()),
        **flags,
    )


def run_of(kernel: Kernel, **asked: Any) -> Run:
    (run,) = trace_runs(kernel, **asked)
    return run


def arrays(ranks: dict[str, int]) -> list[Array]:
    return [
        Array(
            name=name,
            element=ElementType("float"),
            index=tuple(f"i{k}" for k in range(rank)),
            extents=None,
            storage=Storage.MEMORY,
        )
        for name, rank in ranks.items()
    ]


def test_every_form_of_a_statement_is_numbered_in_textual_order() -> None:
    found = instrument(
        KERNELS, "forms.c", "forms", cflags=("-DLEFT=0.5f",), values={"N": 6, "m": 6}, ranks=RANKS
    )
    assert found.statements == (
        TracedStatement(None, ()),
        TracedStatement("First", ()),
        *[TracedStatement(None, ("i",))] * 3,
        TracedStatement("Sum", ("i",)),
        *[TracedStatement(None, ("i",))] * 5,
    )
    assert found.includes == ("#include <math.h>",)
    assert "0.5f * left" in found.text
    assert "main" not in found.text
    assert "row[i] = HLSMEM_READ(3, half, 0);" in found.text
    assert "sizeof(row[i])" in found.text


def test_the_trace_holds_every_access_with_its_value() -> None:
    run = run_of(
        kernel("forms", cflags=("-DLEFT=0.5f",)),
        values={"N": 6, "m": 6},
        planned=arrays(RANKS),
        rows={"result": 6},
    )
    row = run.accesses["row"]
    steps = [
        (*run.instance_name(int(at)), bool(write), int(element[0]))
        for at, write, element in zip(row.instance, row.write, row.element, strict=True)
    ]
    assert steps[:5] == [
        ("S3", (0,), True, 0),
        ("S4", (0,), False, 0),
        ("S4", (0,), True, 0),
        ("S6", (0,), True, 1),
        ("S3", (2,), True, 2),
    ]
    turns = run.accesses["turns"]
    assert turns.bits.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert turns.write.tolist() == [True, False, True, False, True, False, True, False]
    values = row.bits.astype(np.uint32).view(np.float32)
    half = run.accesses["half"].bits.astype(np.uint32).view(np.float32)
    assert values[0] == half[0]
    assert 0.25 <= half[0] < 0.75
    assert values[3] == 4.0  # sizeof(float), untraced


def test_the_values_of_the_parameters_replace_the_defines() -> None:
    found = instrument(KERNELS, "forms.c", "forms", cflags=(), values={"N": 9, "m": 4}, ranks=RANKS)
    assert "pixel row[9 + 1];" in found.text
    assert "1.0f * left" in found.text


def test_a_chain_of_assignments_is_one_statement_each() -> None:
    text = (
        "void chain(int n, int out[2])\n{\n    int a[2], b;\n#pragma scop\n"
        "    for (int i = 0; i < 2; i++)\nlast:   out[i] = a[i] = b = i + 5;\n"
        "    int c = b += a[1];\n    out[0] = c;\n#pragma endscop\n}\n"
    )
    planned = arrays({"a": 1, "b": 0, "c": 0})
    run = run_of(kernel("chain", text), values={}, planned=planned, rows={})
    assert run.statements == ("S0", "S1", "last", "S3", "S4", "S5")
    assert run.accesses["a"].bits.tolist() == [5, 5, 6, 6, 6]
    assert run.accesses["b"].bits.tolist() == [5, 5, 6, 6, 6, 12, 12]
    assert run.accesses["c"].bits.tolist() == [12, 12]


REFUSED = {
    "a[i] = (b = 1) + 1;": "an assignment inside an expression",
    "a[i] = b++;": "p++ inside an expression",
    "while (0) a[i] = 1;": "this statement cannot be replayed",
    "f(a);": "this statement cannot be replayed",
    "b = t[1][0];": "'t' is used with 2 subscripts",
    "int c[2] = {1, 2};": "an initializer list cannot be replayed",
    "for (;;) a[i] = 1;": "this loop has no single iterator",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_what_cannot_be_followed_is_refused(statement: str, tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(
        "int f(int *);\nvoid k(int n)\n{\n    int a[4], t[4][2], b, i = 0;\n#pragma scop\n"
        f"    {statement}\n#pragma endscop\n}}\n"
    )
    with pytest.raises(NotUnderstood) as refusal:
        instrument(tmp_path, "k.c", "k", cflags=(), values={}, ranks={"a": 1, "b": 0, "t": 1})
    assert str(refusal.value).endswith(REFUSED[statement])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("void k(void) { }", "there is no #pragma scop"),
        (
            "void k(void) {\n#pragma scop\n}",
            "#pragma scop has no #pragma endscop in the same block",
        ),
        ("void other(void) { }", "there is no function 'k'"),
        ("void k(void) {\n    int = 3; }", "k.c:2:"),
    ],
)
def test_a_file_without_a_region_is_refused(text: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(text)
    with pytest.raises(NotUnderstood) as refusal:
        instrument(tmp_path, "k.c", "k", cflags=(), values={}, ranks={})
    assert found in str(refusal.value)


def test_names_of_the_user_do_not_clash_with_those_of_the_trace() -> None:
    text = (
        "static int index(int trace) { return trace + 1; }\n"
        "static int state = 3;\nint table[2][3];\n"
        "void clash(int argc, int argv[4], int file[argc])\n{\n    int random;\n#pragma scop\n"
        "    for (int count = 0; count < 4; count++) {\n"
        "        random = argv[count] + file[0] * table[1][2];\n"
        "        file[count] = index(random) + state;\n    }\n#pragma endscop\n}\n"
    )
    run = run_of(kernel("clash", text), values={"argc": 4}, planned=arrays({"random": 0}), rows={})
    assert len(run.accesses["random"]) == 8
    assert min(run.accesses["random"].bits) > 1


def test_a_program_that_crashes_is_no_comparison() -> None:
    text = (
        "void abort(void);\nstatic int die(int a) { abort(); return a; }\n"
        "void crash(int n, int out[1])\n{\n    int a;\n#pragma scop\n    a = 0;\n"
        "    out[0] = die(a);\n#pragma endscop\n}\n"
    )
    with pytest.raises(NotUnderstood, match="running it ended with SIGABRT"):
        run_of(kernel("crash", text), values={}, planned=arrays({"a": 0}), rows={})


def outside(parameter: str, last: str) -> Run:
    """The run of a kernel with a parameter that only the code behind its region uses."""
    text = (
        f"void outside(int out[2], {parameter})\n{{\n    int a;\n#pragma scop\n    a = 7;\n"
        f"    out[0] = a;\n#pragma endscop\n    {last}\n}}\n"
    )
    return run_of(kernel("outside", text), values={}, planned=arrays({"a": 0}), rows={})


USABLE = {
    "float *total": "total[9] = 1;",
    "float total[]": "total[9] = 1;",
    "float (*total)[3]": "total[9][2] = 1;",
    "void *total": "*(float *)total = 1;",
}


@pytest.mark.parametrize("parameter", USABLE)
def test_an_argument_without_a_size_may_be_used_outside_the_region(parameter: str) -> None:
    assert outside(parameter, USABLE[parameter]).accesses["a"].bits.tolist() == [7, 7]


def test_an_argument_of_pointers_without_a_size_is_no_comparison() -> None:
    with pytest.raises(NotUnderstood, match="parameter 'total' has no size"):
        outside("float **total", "total[0][0] = 1;")
