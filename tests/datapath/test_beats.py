"""Statements that make one beat: which these are, and what keeps them apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.datapath.beats import statements_together
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.joined_statements import joined, parts_of
from hlsmem.program.model import Program
from hlsmem.program.packed_words import read_word
from hlsmem.read.design import load

KERNELS = Path(__file__).parent / "kernels"


def program_of(folder: Path, body: str, *settings: str) -> Program:
    file = folder / "k.c"
    head = "const int a[8][8], const int b[8][8], int c[8][8], int d[8][8]"
    loops = "for (int y = 1; y < 8; y++) for (int x = 0; x < 8; x++)"
    file.write_text(f"void k({head}) {{\n int t[8][8];\n {loops} {{\n{body}\n }}\n}}\n")
    streams = [f"arrays.{name}.storage=stream" for name in "abcd" if f"{name}[" in body]
    program = load(file, settings=[*streams, *settings]).program
    assert program is not None
    return program


TOGETHER = {
    "a value that is kept": ("int v = a[y][x]; c[y][x] = v; d[y][x] = -v;", (("S2", "S0", "S1"),)),
    "operands of one array": ("c[y][x] = a[y][x]; d[y][x] = a[y-1][x];", (("S1", "S0"),)),
    "nothing": ("c[y][x] = a[y][x]; d[y][x] = b[y][x];", ()),
    "what another one writes": ("t[y][x] = a[y][x]; c[y][x] = t[y][x] + a[y-1][x];", ()),
    "what an earlier beat wrote": (
        "t[y][x] = a[y][x]; c[y][x] = (y > 1 ? 1 : 0) + a[y-1][x];",
        (("S1", "S0"),),
    ),
    "one between that needs the first": (
        "int v = a[y][x]; t[y][x] = v + 1; c[y][x] = t[y][x] + b[y][x]; d[y][x] = v;",
        (("S1", "S0", "S3"),),
    ),
    "one between that is needed too": (
        "int v = a[y][x]; t[y][x] = v; c[y][x] = t[y][x]; d[y][x] = t[y][x] + v;",
        (),
    ),
    "elements of one array": ("c[y][x] = a[y][x]; c[y-1][x] = a[y][x] + 1;", ()),
}


@pytest.mark.parametrize("name", TOGETHER)
def test_statements_are_one_where_order_allows(name: str, tmp_path: Path) -> None:
    body, groups = TOGETHER[name]
    assert statements_together(program_of(tmp_path, body)) == groups


def test_a_joined_statement_reads_each_element_once(tmp_path: Path) -> None:
    body = "int v = a[y][x] + a[y-1][x]; c[y][x] = v * a[y][x]; d[y][x] = v - b[y][x];"
    program = program_of(tmp_path, body)
    whole = joined(replace(program, together=statements_together(program)))
    (one,) = whole.statements
    assert [part.name for part in parts_of(one)] == ["S0", "S1", "S2"]
    assert [access.array for access in one.reads] == ["a", "a", "b"]
    assert [access.array for access in one.writes] == ["v", "c", "d"]
    assert whole.source.statements == program.statements
    assert joined(program) is program


ASKED = {
    "another write": ("[[S1, S0]]", "pipeline.together changes which write of 't' is seen"),
    "a name": ("[[S0, S7]]", "there is no statement 'S7'"),
    "twice": ("[[S0, S1], [S1, S2]]", "'S1' stands together twice"),
    "other loops": ("[[S0, S3]]", "S0 and S3 do not run as often"),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_cannot_be_one_is_refused(name: str, tmp_path: Path) -> None:
    asked, words = ASKED[name]
    body = "t[y][x] = a[y][x]; c[y][x] = t[y][x]; d[y][x] = 1; }\n for (int y = 0; y < 8; y++) {"
    file = tmp_path / "k.c"
    program_of(tmp_path, body + " c[0][y] = 3;")
    settings = ["accelerator.build=memories", f"pipeline.together={asked}"]
    with pytest.raises(InputError) as caught:
        plan_design(load(file, settings=settings))
    assert words in str(caught.value)


WORDS = {
    "neighbours": ("uint8_t out[8][6]", "out[y][3 * x + {0}]", 3, "uint24", 2),
    "whole bytes": ("ap_uint<12> out[8][4]", "out[y][2 * x + {0}]", 2, "uint32", 2),
    "no more than 64 bits": ("int out[8][3]", "out[y][{0}]", 3, "int32", 3),
    "no multiple": ("uint8_t out[8][7]", "out[y][2 * x + 1 + {0}]", 2, "uint8", 7),
    "not in a row": ("uint8_t out[8][6]", "out[y][x + 3 * {0}]", 2, "uint8", 6),
}


@pytest.mark.parametrize("name", WORDS)
def test_neighbours_that_one_beat_writes_are_a_word(name: str, tmp_path: Path) -> None:
    """The first is in the lowest bits, whatever is written first."""
    declared, element, count, kind, extent = WORDS[name]
    file = tmp_path / "k.cpp"
    writes = "".join(f"    {element.format(k)} = v + {k};\n" for k in reversed(range(count)))
    file.write_text(
        "#include <stdint.h>\n#include <ap_int.h>\n"
        f"void k(const uint8_t in[8][2], {declared}) {{\n"
        "  for (int y = 0; y < 8; y++) for (int x = 0; x < 2; x++) {\n"
        f"    int v = in[y][x];\n{writes}  }}\n}}\n"
    )
    if name == "no more than 64 bits":
        file.write_text(file.read_text().replace("in[8][2]", "in[8][1]").replace("x < 2", "x < 1"))
    settings = ["arrays.in.storage=stream", "arrays.out.storage=stream"]
    program = load(file, settings=settings).program
    assert program is not None
    together = statements_together(program)
    assert bool(together) == (kind not in ("uint8", "int32"))
    out = joined(replace(program, together=together)).arrays["out"]
    assert out.extents is not None
    assert (out.element.name, out.extents[-1].constant_value()) == (kind, extent)
    assert out.lanes == (count if together else 1)


COMING = {
    "three colours": ("uint8_t in[8][3]", "in[y][0] + in[y][1] - in[y][2]", "uint24", 3),
    "with a sign, of 12 bits": ("ap_int<12> in[8][2]", "in[y][0] * in[y][1]", "uint32", 2),
    "of two rows": (
        "short in[8][2]",
        "in[y][0] + in[y][1] + in[7 - y][0] * in[7 - y][1]",
        "uint32",
        2,
    ),
    "one of them alone": ("uint8_t in[8][3]", "in[y][0] + in[y][2]", "uint8", 1),
    "one of them from another row": ("uint8_t in[8][2]", "in[y][0] + in[7 - y][1]", "uint8", 1),
    "more than 64 bits": ("int in[8][3]", "in[y][0] + in[y][1] - in[y][2]", "int32", 1),
}


@pytest.mark.parametrize("name", COMING)
def test_neighbours_that_each_beat_reads_are_a_word(name: str, tmp_path: Path) -> None:
    """Where a beat reads one of them it reads all."""
    declared, value, kind, lanes = COMING[name]
    file = tmp_path / "k.cpp"
    file.write_text(
        "#include <stdint.h>\n#include <ap_int.h>\n"
        f"void k(const {declared}, int out[8]) {{\n"
        f"  for (int y = 0; y < 8; y++) out[y] = {value};\n}}\n"
    )
    settings = ["arrays.in.storage=stream", "arrays.out.storage=stream"]
    program = load(file, settings=settings).program
    assert program is not None
    assert read_word(program, program.arrays["in"]) == lanes
    asked = load(file, settings=[*settings, f"arrays.in.word={lanes}"]).program
    assert asked is not None
    found = joined(asked)
    assert found.arrays["in"].element.name == kind
    assert found.apart.arrays["in"].lanes == 1
    (statement,) = found.statements
    assert len(statement.reads) == (len(program.statements[0].reads) // lanes)


def test_a_word_of_which_beats_read_a_part_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "void k(const short in[8][2], int out[8]) {\n"
        "  for (int y = 0; y < 8; y++) out[y] = in[y][0];\n}\n"
    )
    with pytest.raises(InputError, match="no beats read whole words of 2 elements of 'in'"):
        plan_design(load(file, settings=["arrays.in.word=2", "accelerator.build=whole"]))
