"""Inputs make the conditions of kernels hold, and fail, often."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from hlsmem.check.c_runs.run_inputs import Inputs, inputs_of
from hlsmem.cli.main import main
from hlsmem.program.model import Program
from tests.steps import load

KERNEL = """\
#include <stdlib.h>
void k(const {type} a[16], int out[16])
{{
    int t[16];
    for (int i = 0; i < 16; i++) {{
        t[i] = 1;
        {text}
            t[i] = 2;
        out[i] = t[i];
    }}
}}
"""


def kernel(folder: Path, text: str, kind: str = "short") -> Path:
    path = folder / "k.c"
    path.write_text(KERNEL.format(type=kind, text=text))
    return path


def inputs(folder: Path, text: str, kind: str = "short") -> Inputs:
    program = load(kernel(folder, text, kind)).input
    assert isinstance(program, Program)
    return inputs_of(program)["a"]


@pytest.mark.parametrize(
    ("text", "kind", "edges"),
    [
        ("if (a[i])", "short", "-1 0 1"),
        ("if (a[i] > 200)", "short", "199 200 201 202"),
        ("if (a[i] == 9 || a[i] == 700)", "short", "7 8 9 10 11 698 699 700 701 702"),
        ("if (a[i] > 250)", "unsigned char", "0 1 249 250 251 252 254 255"),
        ("if (abs(a[i]) > 3)", "short", "-4 -3 -2 -1 0 1 2 3 4"),
        ("int v = a[i]; if (v * v % 5 == 2)", "short", "-3 -2 -1 0 1 2 3"),
        ("int u[16]; u[i] = 3 * a[i]; if (u[i] < 0)", "short", "-1 0 1"),
        ("if (a[i] > 0.5f)", "float", "-3/2 -1 -1/2 0 1/2 1 3/2"),
    ],
)
def test_edges_lie_beside_what_conditions_compare_with(
    text: str, kind: str, edges: str, tmp_path: Path
) -> None:
    assert inputs(tmp_path, text, kind).edges == tuple(map(Fraction, edges.split()))


def test_what_chooses_elements_is_left_alone(tmp_path: Path) -> None:
    """Values beside constants may be no subscripts."""
    path = tmp_path / "k.c"
    path.write_text(
        "#include <stdlib.h>\n"
        "void k(const int a[8], const int t[1001], int out[8])\n{\n"
        "    for (int i = 0; i < 8; i++) {\n        int v = a[i];\n"
        "        if (abs(t[v]) > 3) out[i] = v;\n    }\n}\n"
    )
    program = load(path).input
    assert isinstance(program, Program)
    assert "a" not in inputs_of(program)


def test_what_divides_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(
        "void k(const int a[8], const int b[8], int out[8])\n{\n"
        "    for (int i = 0; i < 8; i++)\n        if (a[i] % b[i] == 1) out[i] = 1;\n}\n"
    )
    program = load(path).input
    assert isinstance(program, Program)
    assert list(inputs_of(program)) == ["T0"]


def test_bounds_of_the_user_come_first() -> None:
    found = Inputs(edges=(Fraction(-1), Fraction(3)), range=(Fraction(-4), Fraction(4)))
    assert found.within((Fraction(0), Fraction(9))).edges == (Fraction(3),)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("if (a[i])", "int"),
        ("if (!a[i])", "long long"),
        ("if (a[i] == 500)", "int"),
        ("if (abs(a[i]) > 3)", "int"),
        ("if (a[i] > 0.5f)", "float"),
    ],
)
def test_conditions_come_to_both_in_replay(
    text: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["plan", str(kernel(tmp_path, text, kind)), "-o", str(out)]) == 0
    assert main(["check", str(out), "--only", "replay"]) == 0
    told = re.search(r"S1 ran (\d+) times of (\d+)", capsys.readouterr().out)
    assert told is not None
    ran, times = int(told[1]), int(told[2])
    assert times / 10 <= ran <= times * 9 / 10


def test_conditions_come_to_both_on_the_host(tmp_path: Path) -> None:
    """An element of 500 is one in a thousand elsewhere."""
    found = inputs(tmp_path, "if (a[i] == 500)", "int")
    text = found.in_c("int", "other", lambda many: f"below({many})", "side()")
    assert text == (
        "(side() ? (int)((const long long[]){ 498LL, 499LL, 500LL, 501LL, 502LL })[below(5)]"
        " : other)"
    )
