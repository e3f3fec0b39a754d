from __future__ import annotations

import pytest

from hlsmem.core.errors import InputError, Problems
from hlsmem.read.availability import NOT_YET
from hlsmem.read.document import read_document
from hlsmem.read.schema import DesignKeys
from hlsmem.read.validation import validate

GOOD = "hlsmem: 1\nname: x\nkernel: {file: x.c}\n"


def messages(line: str) -> list[str]:
    problems = Problems()
    validate(read_document(GOOD + line, "d"), problems)
    try:
        problems.raise_if_any()
    except InputError as error:
        return [str(problem) for problem in error.problems]
    return []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("arrays: {a: {storage: rom}}", "d:4:23: arrays.a.storage: 'rom' is not available yet;"
         " leave it out or use 'external', 'memory', 'stream', 'state', 'datapath'"),
        ("plan: {share: true}", "d:4:15: plan.share: true is not available yet; leave it out"),
        ("plan: {objective: delay}", "d:4:19: plan.objective: 'delay' is not available yet;"
         " leave it out or use 'auto', 'cells', 'words', 'blocks', 'cycles'"),
    ],
)  # fmt: skip
def test_values_that_are_not_available_yet(line: str, message: str) -> None:
    assert messages(line) == [message]


def test_the_values_that_are_available() -> None:
    assert messages("arrays: {a: {storage: stream}, b: {storage: memory, style: auto}}") == []
    assert messages("arrays: {a: {style: block, max_banks: 2}}") == []
    assert messages("target: {device: ecp5-25k, block_rams: 4}") == []
    assert messages("plan: {schedules: given, objective: cells, round: none}") == []
    assert messages("plan: {objective: blocks}\ntarget: {device: ecp5-25k}") == []


def test_every_entry_names_a_key_and_begins_with_its_default() -> None:
    empty = {"hlsmem": 1, "name": "x", "arrays": {"*": {}}}
    defaults = DesignKeys.model_validate(empty).model_dump()
    for only in NOT_YET:
        value = defaults
        for step in only.key.split("."):
            value = value[step]
        assert value == only.values[0], only.key
