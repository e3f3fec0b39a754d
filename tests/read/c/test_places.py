"""Statements and accesses keep the bytes that they were written in, and what rewrote them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hlsmem.cli.command import problem_text
from hlsmem.core.errors import InputError
from hlsmem.core.rewrites import Inlined, Moved, Rewrite, Unrolled
from hlsmem.core.source_location import SourceLocation
from hlsmem.program.model import KernelBody, Program, Statement
from hlsmem.read.c import tree
from tests.read.c.corpus import Case, cases
from tests.steps import load

_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*|#\s*pragma[^\n]*|\s+", re.DOTALL)
_HEADER = re.compile(r"(if|while|for|do)\b")
_OPEN = {")": "(", "]": "[", "}": "{"}
_UNREAD = ("vertical", "window_guarded")  # their parameters come from elsewhere


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_bytes_of_a_statement_are_its_text(case: Case) -> None:
    if case.file.stem in _UNREAD:
        with pytest.raises(InputError):
            case.design()
        return
    kernel = case.kernel()
    texts = {one.name: one.text.encode() for one in kernel.sources}
    program = case.design().input
    assert isinstance(program, Program)
    for statement in program.statements:
        place = statement.source_location
        assert place is not None
        whole = texts[place.file]
        text = whole[place.start : place.stop].decode()
        assert _is_closed(text), text
        is_part = any(isinstance(one, Moved) for one in place.through)
        if not (is_part or _HEADER.match(text)):
            behind = _COMMENTS.sub("", whole[place.stop :].decode())
            assert ";" not in text
            assert behind[:1] in (";", ",", ")", "}"), text
        before = whole[: place.start].decode()
        assert not re.search(r"[\w.]$", before), text
        assert place.line == before.count("\n") + 1 or _is_guarded(statement), text
        for one in (*statement.reads, *statement.writes):
            at = one.source_location
            assert at is None or _is_closed(texts[at.file][at.start : at.stop].decode())


def _is_guarded(statement: Statement) -> bool:
    """True for a statement that stands where its guard does, or is a node of C without a place."""
    return isinstance(statement.body, KernelBody) and isinstance(statement.body.node, tree.If)


def _is_closed(text: str) -> bool:
    """True for a text that is not empty, whose brackets are closed and that is no end of a word."""
    pending: list[str] = []
    for one in re.sub(r'"(\\.|[^"])*"|\'(\\.|[^\'])*\'', "", text):
        if one in _OPEN.values():
            pending.append(one)
        elif one in _OPEN and (not pending or pending.pop() != _OPEN[one]):
            return False
    return bool(text.strip()) and not pending and text == text.strip()


KERNEL = """\
static void twice(int a[8], int k) { a[k] = 2 * k; }
void top(int a[8], const int b[4][4], int out[4][4]) {
    for (int i = 0; i < 8; i++)
        twice(a, i);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
#pragma HLS PIPELINE
            out[i][j] = 0;
            for (int k = 0; k < 2; k++)
                out[i][j] += b[k][j];
        }
    int n = 0;
    for (int i = 0; i < 8; i++)
        a[n++] = i;
}
"""


def _statements(folder: Path, text: str) -> Iterator[tuple[str, Statement, SourceLocation]]:
    (folder / "k.c").write_text(text)
    program = load(folder / "k.c", settings=["kernel.function=top"]).input
    assert isinstance(program, Program)
    for one in program.statements:
        place = one.source_location
        assert place is not None
        yield text[place.start : place.stop], one, place


def _said(through: tuple[Rewrite[SourceLocation], ...]) -> list[str]:
    return [f"{type(one).__name__} {one.at}" for one in through]


def test_rewrites_are_named_with_their_places(tmp_path: Path) -> None:
    found: dict[str, list[list[str]]] = {}
    for text, _, place in _statements(tmp_path, KERNEL):
        found.setdefault(text, []).append(_said(place.through))
    assert found["a[k] = 2 * k"] == [["Inlined k.c:4:9"]]
    assert found["out[i][j] += b[k][j]"] == 2 * [["Unrolled k.c:9:13"]]
    assert found["out[i][j] = 0"] == [[]]


def test_turns_stand_between_the_calls_inside_and_around(tmp_path: Path) -> None:
    text = (
        "static void one(int a[8], int k) { a[k] = k; }\n"
        "static void both(int a[8], int i) {\n"
        "    for (int k = 0; k < 2; k++)\n"
        "        one(a, 2 * i + k);\n"
        "}\n"
        "void top(int a[8]) {\n"
        "    for (int i = 0; i < 4; i++) {\n"
        "#pragma HLS PIPELINE\n"
        "        both(a, i);\n"
        "    }\n"
        "}\n"
    )
    chains = [_said(place.through) for own, _, place in _statements(tmp_path, text) if "=" in own]
    wanted = ["Inlined k.c:4:9", "Unrolled k.c:3:5", "Inlined k.c:9:9"]
    assert [one for one in chains if one] == [wanted, wanted]
    values = [
        one.value
        for own, _, place in _statements(tmp_path, text)
        for one in place.through
        if isinstance(one, Unrolled)
    ]
    assert values == [0, 1]


def test_what_is_read_ahead_of_a_call_is_moved(tmp_path: Path) -> None:
    text = (
        "static int last;\n"
        "static int keep(int v) { last = v; return v / 2; }\n"
        "void top(const int in[8], int out[8]) {\n"
        "    for (int i = 0; i < 8; i++)\n"
        "        out[i] = last - keep(in[i]);\n"
        "}\n"
    )
    moved = {own for own, _, place in _statements(tmp_path, text) if _moved_alone(place.through)}
    assert moved == {"last"}


def _moved_alone(through: tuple[Rewrite[SourceLocation], ...]) -> bool:
    return len(through) == 1 and isinstance(through[0], Moved)


def test_each_call_of_a_function_is_named_by_itself(tmp_path: Path) -> None:
    text = (
        "static void one(int a[8], int k) { a[k] = k; }\n"
        "void top(int a[8]) {\n"
        "    one(a, 1);\n"
        "    one(a, 2);\n"
        "}\n"
    )
    calls = [
        str(one.at)
        for _, _, place in _statements(tmp_path, text)
        for one in place.through
        if isinstance(one, Inlined)
    ]
    assert calls == ["k.c:3:5", "k.c:4:5"]


def test_a_message_names_the_turn_of_an_unrolled_loop(tmp_path: Path) -> None:
    text = (
        "static void one(int a[8], int k) { a[k * k] = k; }\n"
        "void top(int a[8]) {\n"
        "    for (int i = 0; i < 2; i++) {\n"
        "#pragma HLS PIPELINE\n"
        "        for (int k = 2; k < 4; k++)\n"
        "            one(a, k);\n"
        "    }\n"
        "}\n"
    )
    (tmp_path / "k.c").write_text(text)
    with pytest.raises(InputError) as caught:
        load(tmp_path / "k.c", settings=["kernel.function=top"])
    (problem,) = caught.value.problems
    ends = [line.rpartition("/")[2] for line in problem_text(problem).splitlines()[-2:]]
    assert ends == ["k.c:6:13: in one, called from here", "k.c:5:9: unrolled from here, k = 3"]


ARGUMENTS = """\
#define AT(a, i) a[i]
#define SAME(a) a
#define TWICE(a) ((a) + (a))
void top(const int a[9], const int b[9], const int c[9], int out[9])
{
    for (int i = 0; i < 9; i++)
        out[i] = TWICE(SAME(a[i])) +
            TWICE(
                b[8 - i]) + TWICE(AT(c, 8));
}
"""


def test_arguments_of_macros_have_their_own_places(tmp_path: Path) -> None:
    """What the body of a macro is part of has the place of its use."""
    found = {
        (one.array, at.line, ARGUMENTS[at.start : at.stop])
        for _, statement, _ in _statements(tmp_path, ARGUMENTS)
        for one in statement.reads
        if (at := one.source_location) is not None
    }
    assert found == {
        ("a", 7, "a[i]"),
        ("b", 9, "b[8 - i]"),
        ("c", 9, "TWICE(AT(c, 8))"),
    }
