from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.program.model import NetworkBody
from tests.read.loading import NETWORK, changed, load_text, messages_of, problems_of, stretches_of

BODY = 'body: "o = a0 + 1"'


def test_no_body_is_no_error(tmp_path: Path) -> None:
    text = changed(NETWORK, (BODY, "latency: 1"))
    assert load_text(tmp_path, text).input.statements[1].body != NetworkBody("")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "body",
    [
        "o = a0 * 2;",
        "o = a0 > 0 ? a0 : -a0",
        "o = (uint8_t) a0",
        "int twice = 2 * a0; o = twice + 1",
        "if (a0 > 3) o = 3; else o = a0;",
        "o = a0; o += 1",
    ],
)
def test_good_bodies(tmp_path: Path, body: str) -> None:
    program = load_text(tmp_path, changed(NETWORK, (BODY, f'body: "{body}"'))).input
    assert program.statements[1].body == NetworkBody(body)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("body", "stretch", "message"),
    [
        ("o = (a0))", ")", "21:24: body is not valid C: extraneous ')' before ';';"
         " write it like o = (a0 + a1) / 2"),
        ("o = a0 @ 1", " ", "21:22: body is not valid C: expected ';' after expression;"
         " write it like o = (a0 + a1) / 2"),
        ("o = a0 + )", ")", "21:25: body is not valid C: expected expression;"
         " write it like o = (a0 + a1) / 2"),
        ("o = (a0 + 1", '"o = (a0 + 1"', "21:15: body is not valid C: it ends too early;"
         " write it like o = (a0 + a1) / 2"),
        ("o = a1", "a1", "21:20: body uses 'a1', which it does not know;"
         " the operands are: a0; the results are: o;"
         " functions and constants go into the file of code"),
        ("o = abs(a0)", "abs", "21:20: body uses 'abs', which it does not know;"
         " the operands are: a0; the results are: o;"
         " functions and constants go into the file of code"),
        ("a0", '"a0"', "21:15: body never sets 'o'; add o = ..."),
    ],
)  # fmt: skip
def test_bad_bodies(tmp_path: Path, body: str, stretch: str, message: str) -> None:
    text = changed(NETWORK, (BODY, f'body: "{body}"'))
    assert messages_of(tmp_path, text) == [f"design.yaml:{message}"]
    assert stretches_of(problems_of(tmp_path, text)) == [stretch]


def test_places_inside_of_a_body_of_several_lines(tmp_path: Path) -> None:
    text = changed(NETWORK, (BODY, "body: |\n          int x = a0;\n          o = x ++ 3;"))
    assert messages_of(tmp_path, text) == [
        "design.yaml:23:19: body is not valid C: expected ';' after expression;"
        " write it like o = (a0 + a1) / 2"
    ]
