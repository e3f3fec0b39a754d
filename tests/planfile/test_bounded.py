"""plan.json from anybody: what is beyond a limit is refused, with the path of the field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hlsmem.errors import InputError
from hlsmem.planfile.bounded import MOST_BYTES, document_of, read_text


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth > 1 else 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": {"b": 1, "b": 2}}', "p.json: 'b' is there twice"),
        ('{"a": NaN}', "p.json: NaN is no number"),
        ('{"a": -Infinity}', "p.json: -Infinity is no number"),
        ('{"a": 1e400}', "p.json: the number 1e400 is none that a plan has"),
        (f'{{"a": {"7" * 19}}}', f"p.json: the number {'7' * 18}.. has more than 18 digits"),
        (f'{{"a": -{"7" * 5000}}}', f"p.json: the number -{'7' * 17}.. has more than 18 digits"),
        ("[" * 100_000, "p.json: values stand more than 24 deep in others"),
        ("[1, ", "p.json:1:5: not JSON: Expecting value"),
        (
            json.dumps({"a": [{"b": "x" * 65_537}]}),
            "p.json: a[0].b has 65537 characters, more than 65536",
        ),
        ('{"a": ["\\ud800"]}', "p.json: a[0] is no Unicode text"),
        ('{"a": {"\\ud800": 1}}', "p.json: the name of a.'\\ud800' is no Unicode text"),
        (
            json.dumps({"arrays": {"A": {"index": list("abcdefghi")}}}),
            "p.json: arrays.A.index has 9 dimensions, more than 8",
        ),
        (json.dumps({"a": nested(24)}), "p.json: a" + "[0]" * 23 + " stands more than 24 deep"),
    ],
)
def test_what_is_beyond_a_limit_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        document_of(text, "p.json")
    assert str(caught.value) == f"{message}; run `hlsmem plan` again"


def test_all_fields_beyond_a_limit_are_named_at_once() -> None:
    text = json.dumps({"a": "x" * 65_537, "b": ["\ud800"]})
    with pytest.raises(InputError) as caught:
        document_of(text, "p.json")
    assert len(caught.value.problems) == 2


def test_what_is_at_the_limits_is_read() -> None:
    value = {"a": int("9" * 18), "b": nested(23), "c": "\u00fc" * 65_536, "d": 1.25}
    assert document_of(json.dumps(value), "p.json") == value


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    with file.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    with pytest.raises(InputError, match="has more than 16 MiB"):
        read_text(file, "")
