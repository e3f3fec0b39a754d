"""Statements of networks that are called as something of ours: what is planned tells them apart."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.program.model import Program
from tests.read.loading import load_text, messages_of

_NETWORK = """hlsmem: 1
name: net
params: {N: 8}
arrays:
  a: {extents: [N]}
  a_b: {extents: ["N + 9"]}
  q: {extents: [N]}
  o: {extents: [N]}
live_in: ["[N] -> { q[x] : 0 <= x < N }"]
live_out:
  - "[N] -> { o[x] : 2 <= x < N }"
  - "[N] -> { a[x] : 0 <= x < N }"
  - "[N] -> { a_b[x] : 11 <= x < N + 9 }"
network:
  p:
    statements:
      S:
        domain: "[N] -> { S[x] : 0 <= x < N }"
        schedule: "{ S[x] -> [0, x] }"
        reads: ["{ S[x] -> q[x] }"]
        writes: ["{ S[x] -> a_b[x] }", "{ S[x] -> a[x] }"]
      R:
        domain: "[N] -> { R[x] : 2 <= x < N }"
        schedule: "{ R[x] -> [1, x] }"
        reads: ["[N] -> { R[x] -> a_b[x - 2] }"]
        writes: ["{ R[x] -> o[x] }", "{ R[x] -> a_b[x + 9] }"]
"""


def _named(first: str, second: str) -> str:
    return re.sub(r"\b[SR]\b", lambda one: {"S": first, "R": second}[one[0]], _NETWORK)


# What the two statements are called in what is planned.
_CASES = {
    ("fill", "drain"): ("fill_2", "drain_2"),
    ("fill", "fill_2"): ("fill_3", "fill_2"),
    ("b_c", "c"): ("b_c", "c_2"),
    ("b_fill", "S"): ("b_fill_2", "S"),
    ("a", "A"): ("a", "A"),
    ("malloc", "int"): ("malloc", "int"),
    ("hlsmem_x", "hlsmem_mix"): ("hlsmem_x", "hlsmem_mix"),
}


def _statements(folder: Path, text: str) -> tuple[str, ...]:
    program = load_text(folder, text).input
    assert isinstance(program, Program)
    return tuple(one.name for one in program.statements)


@pytest.mark.parametrize("names", _CASES, ids="-".join)
def test_no_statement_has_a_stream_of_anothers_name(names: tuple[str, str], tmp_path: Path) -> None:
    assert _statements(tmp_path, _named(*names)) == _CASES[names]


def test_settings_and_times_go_by_the_users_names(tmp_path: Path) -> None:
    times = "{ fill[x] -> [0, x]; drain[x] -> [1, x] }"
    settings = "pipeline: {latency: {fill: 3}}\nhost: {tile: {drain: [4, 2]}}\n"
    text = f'{_named("fill", "drain")}{settings}schedule: "{times}"\n'
    design = load_text(tmp_path, text)
    assert isinstance(design.input, Program)
    assert [one.latency for one in design.input.statements] == [3, 1]
    assert list(design.host.tile) == ["drain_2"]


def test_the_statement_of_a_stream_gives_way(tmp_path: Path) -> None:
    text = _named("S", "q_in").replace("q: {", "q: {storage: stream, ")
    assert _statements(tmp_path, text) == ("S", "q_in_2")


@pytest.mark.dear
@pytest.mark.parametrize(
    ("names", "check"),
    [(("fill", "drain"), "rtl"), (("b_c", "c"), "rtl"), (("int", "free"), "host")],
)
def test_what_is_planned_passes_its_checks(
    names: tuple[str, str], check: str, tmp_path: Path
) -> None:
    text = _named(*names)
    if check == "host":  # C loads the operands of each result anew
        text = text.replace(', "{ int[x] -> a[x] }"', "").replace(
            ', "{ free[x] -> a_b[x + 9] }"', ""
        )
        text = text.replace('  - "[N] -> { a[x] : 0 <= x < N }"\n', "").replace(
            "  a: {extents: [N]}\n", ""
        )
        text = text.replace('  - "[N] -> { a_b[x] : 11 <= x < N + 9 }"\n', "")
    (tmp_path / "net.yaml").write_text(text)
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        assert main(["plan", str(tmp_path / "net.yaml"), "-o", str(tmp_path / "out")]) == 0
        assert main(["check", str(tmp_path / "out"), "--only", "proof"]) == 0
        assert main(["check", str(tmp_path / "out"), "--only", check]) == 0
    for own, here in zip(names, _CASES.get(names, names), strict=True):
        assert (f"{own!r} is called {here!r} in what" in said.getvalue()) == (own != here)


def test_a_result_is_called_like_an_operand_where_no_body_names_both(tmp_path: Path) -> None:
    text = _NETWORK.replace(" o[", " a0[").replace(" o: ", " a0: ")
    assert _statements(tmp_path, text) == ("S", "R")
    told = messages_of(tmp_path, f"{text}        body: a0 = 1\n")
    assert any("a result and of an operand" in one for one in told)
