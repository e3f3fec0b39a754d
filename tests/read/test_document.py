from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import ruamel.yaml.composer
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from hlsmem.core.errors import InputError, Problem
from hlsmem.read.document import Document, override, read_document, read_file, shown
from tests.families import by_default


def read(text: str) -> Document:
    return read_document(text, "d.yaml")


def complaints(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(text)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-0x1f", -31),
        ("0o17", 15),
        ("010", 10),
        ("1_000", 1000),
        ("1.5", 1.5),
        ("no", "no"),
        ("N", "N"),
        ("yes", "yes"),
        ("True", True),
        ("false", False),
        ("~", None),
        ("null", None),
        ("2001-01-01", "2001-01-01"),
        ("'1'", "1"),
        ('"a\\tb"', "a\tb"),
        ("[1, [a], {}]", [1, ["a"], {}]),
        ("{1: 2, no: 3}", {"1": 2, "no": 3}),
        ("a: &x {b: 1}\nc: *x\n", {"a": {"b": 1}, "c": {"b": 1}}),
        ("", None),
        ("# nothing", None),
    ],
)
def test_values(text: str, value: object) -> None:
    found = read(text).value
    assert found == value
    assert type(found) is type(value)


TREES = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.none(), st.text("ab :#-'\"\\[]{}N01\n", max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text("abN", min_size=1), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(TREES, st.sampled_from([None, True, False]))
@settings(max_examples=by_default(25, 100), deadline=None, derandomize=True)
def test_what_ruamel_writes_is_read_back(tree: object, flow: bool | None) -> None:
    writer, text = YAML(typ="safe", pure=True), StringIO()
    writer.default_flow_style = flow
    writer.dump({"top": tree}, text)
    assert read(text.getvalue()).value == {"top": tree}


def test_places_of_keys_and_values() -> None:
    document = read("a: 1\nb:\n  c: [x, {d: 'y'}]\n")
    assert str(document.place("b", "c", 1, "d")) == "d.yaml:3:14"
    assert document.place("b", "c", 1, "d").carets().endswith("             ^^^")
    assert str(document.key_place("b", "c", 1, "d")) == "d.yaml:3:11"
    assert str(document.key_place("b", "c", 1)) == "d.yaml:3:10"
    assert str(document.place("a", "missing", "deep")) == "d.yaml:1:1"
    assert str(document.key_place("b", "missing")) == "d.yaml:2:1"
    assert str(document.place("missing")) == "d.yaml:1:1"
    assert document.get("b", "c", 1, "d") == "y"
    assert document.get("b", "c", 2) is None


@pytest.mark.parametrize(
    "text",
    [
        "k: abc  # comment",
        "k: 'a''bc'",
        'k: "a bc"',
        "k: |\n  a\n   bc\n",
        "k: >-  # folded\n  a\n  bc\n\n  d\n",
        'k: "a\n    bc"',
        "k: a\n   bc",
        "k: [1, 'a b, c']",
    ],
)
def test_every_character_of_a_text_has_its_place(text: str) -> None:
    document = read(text)
    path = ("k", 1) if text.startswith("k: [") else ("k",)
    value, span = document.get(*path), document.span(*path)
    if "''" in text:
        assert span.offsets is None
        assert span.place(2) == span.place()
        return
    lines = text.split("\n")
    for offset, letter in enumerate(value):
        source_location = span.place(offset)
        if not letter.isspace():
            assert lines[source_location.line - 1][source_location.column - 1] == letter


def test_duplicate_keys_are_all_reported_with_the_first_place() -> None:
    with pytest.raises(InputError) as caught:
        read("a: 1\nb: {c: 1, c: 2}\na: 3\n")
    assert str(caught.value) == (
        "d.yaml:2:11: key 'c' stands here twice; keep one of the two\n"
        "d.yaml:3:1: key 'a' stands here twice; keep one of the two"
    )
    notes = [
        f"{note.source_location}: {note.text}" for p in caught.value.problems for note in p.notes
    ]
    assert notes == ["d.yaml:2:5: first written here", "d.yaml:1:1: first written here"]


REMEDY = "check indentation, brackets and quotes; isl text needs quotes around it"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a: [1",
            f"d.yaml:1:5: not valid YAML: expected ',' or ']', but got '<stream end>'; {REMEDY}",
        ),
        ("a: b: c", f"d.yaml:1:5: not valid YAML: mapping values are not allowed here; {REMEDY}"),
        (
            "a: 1\n\t- b",
            "d.yaml:2:1: not valid YAML: found character '\\t' that cannot start any token;"
            " indent with blanks, not with tabs",
        ),
        (
            'a: "\\q"',
            f"d.yaml:1:6: not valid YAML: found unknown escape character 'q'; {REMEDY}",
        ),
        (
            "a: 1\n---\nb: 2",
            "d.yaml:2:1: not valid YAML: expected a single document in the stream,"
            f" but found another document; {REMEDY}",
        ),
        (
            "a: *b",
            "d.yaml:1:4: not valid YAML: found undefined alias 'b';"
            " put quotes around a text that begins with *",
        ),
        (
            "a: \x01",
            "d.yaml:1:1: not valid YAML: unacceptable character #x0001: special characters are"
            f" not allowed; {REMEDY}",
        ),
        (
            "a: &x [*x]",
            "d.yaml:1:4: values nested more than 30 levels deep, or inside of themselves;"
            " check the brackets and aliases",
        ),
        (
            "a: 1" + 100 * "0",
            "d.yaml:1:4: a number of 101 characters; write at most 100",
        ),
        ("a: !file x", "d.yaml:1:4: the tag '!file' means nothing here; remove it"),
        ("[a]: x", "d.yaml:1:1: a key must be a name; write it as NAME: VALUE"),
    ],
)
def test_bad_yaml(text: str, message: str) -> None:
    assert complaints(text) == [message]


@given(st.text(alphabet="ab: -[]{}&*!|>'\"#%@\n\t0", max_size=30))
@settings(max_examples=by_default(50, 200), deadline=None, derandomize=True)
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    problems: tuple[Problem, ...] = ()
    try:
        read(text)
    except InputError as error:
        problems = error.problems
    assert all(problem.source_location is not None for problem in problems)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("a.b=2", {"a": {"b": 2}, "l": [1, {"x": 1}]}),
        ("a=", {"a": None, "l": [1, {"x": 1}]}),
        ("a . c=[u, v]", {"a": {"b": 1, "c": ["u", "v"]}, "l": [1, {"x": 1}]}),
        ("l.1.x=no", {"a": {"b": 1}, "l": [1, {"x": "no"}]}),
        ("p.q.r={s: 1}", {"a": {"b": 1}, "l": [1, {"x": 1}], "p": {"q": {"r": {"s": 1}}}}),
        ("t=u=v", {"a": {"b": 1}, "l": [1, {"x": 1}], "t": "u=v"}),
    ],
)
def test_override(setting: str, value: object) -> None:
    assert override(read("a: {b: 1}\nl: [1, {x: 1}]"), setting, "--set").value == value


def test_places_after_an_override() -> None:
    document = override(read("a: {b: 1}\nc: 2"), "a.b={d: [x]}", "--set a.b={d: [x]}")
    source_location = document.place("a", "b", "d", 0)
    assert str(source_location) == "--set a.b={d: [x]}"
    assert source_location.carets() == "    a.b={d: [x]}\n             ^"
    assert document.key_place("a", "b").carets() == "    a.b={d: [x]}\n    ^^^"
    assert str(document.place("c")) == "d.yaml:2:4"
    assert str(document.key_place("a")) == "d.yaml:1:1"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("a", "--set a: not KEY=VALUE; write it like --set plan.strict=true"),
        ("=1", "--set =1: not KEY=VALUE; write it like --set plan.strict=true"),
        ("a..b=1", "--set a..b=1: not KEY=VALUE; write it like --set plan.strict=true"),
        (
            "a=[1",
            f"--set a=[1: not valid YAML: expected ',' or ']', but got '<stream end>'; {REMEDY}",
        ),
        ("c.d=1", "--set c.d=1: there is no key 'd' in a single value; check the key"),
        ("l.1=1", "--set l.1=1: there is no key '1' in a list; check the key"),
    ],
)
def test_bad_override(setting: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        override(read("a: {b: 1}\nc: 2\nl: [1]"), setting, f"--set {setting}")
    assert str(caught.value) == message


def test_files_are_read_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "d.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: \xc3\xa4\r\n")
    assert read_file(path) == "a: ä\r\n"
    assert read(read_file(path)).value == {"a": "ä"}


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_file(tmp_path / "none.yaml")
    assert str(caught.value) == f"there is no file '{tmp_path}/none.yaml'; check the name"


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_file(tmp_path)
    assert str(caught.value) == f"'{tmp_path}' is a folder; name a file in it"


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "d.yaml"
    path.write_bytes(b"a: 1\nb: \xff\n")
    with pytest.raises(InputError) as caught:
        read_file(path)
    assert str(caught.value) == "d.yaml:2:4: the file is not UTF-8 text; save it as UTF-8"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        (True, "true"),
        (3, "3"),
        ("x", "'x'"),
        ({}, "a mapping"),
        ([1], "a list"),
        ([], "an empty list"),
    ],
)
def test_shown(value: object, text: str) -> None:
    assert shown(value) == text


def test_no_more_is_composed_than_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value takes a hundred times its text."""
    composed = []
    real = ruamel.yaml.composer.Composer.compose_scalar_node

    def compose_scalar_node(self: Any, anchor: Any) -> Any:
        composed.append(anchor)
        return real(self, anchor)

    monkeypatch.setattr(ruamel.yaml.composer.Composer, "compose_scalar_node", compose_scalar_node)
    monkeypatch.setattr("hlsmem.read.document._MOST_VALUES", 100)
    with pytest.raises(InputError) as caught:
        read_document(f"a: [{'b, ' * 1000}]\n", "design.yaml")
    assert str(caught.value) == (
        "design.yaml:1:596: more than 100 values, those that aliases repeat counted again; "
        "write fewer values or aliases"
    )
    assert len(composed) == 198
