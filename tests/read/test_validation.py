"""Every way a key can be wrong, with the whole message."""

from __future__ import annotations

import pytest

from hlsmem.core.errors import InputError, Problems
from hlsmem.read.design_schema import DesignKeys
from hlsmem.read.document import read_document
from hlsmem.read.validation import NOT_YET, validate

GOOD = "hlsmem: 1\nname: x\nkernel: {file: x.c}\n"


def messages(text: str) -> list[str]:
    problems = Problems()
    validate(read_document(text, "d"), problems)
    try:
        problems.raise_if_any()
    except InputError as error:
        return [str(problem) for problem in error.problems]
    return []


def test_the_smallest_design_and_its_defaults() -> None:
    problems = Problems()
    keys = validate(read_document(GOOD, "d"), problems)
    assert not problems
    assert keys is not None
    assert (keys.name, keys.order, keys.params, keys.context) == ("x", "sequential", {}, None)
    assert (keys.plan.method, keys.plan.strict, keys.plan.budget) == ("auto", False, 1_000_000)
    assert keys.kernel is not None
    assert (keys.kernel.function, keys.kernel.cflags) == (None, ())
    assert keys.host.storage == "auto"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hlsmem: 2", "d:4:9: hlsmem must be 1, not 2; write 1"),
        ("name: 3", "d:4:7: name must be a text, not 3; put quotes around it"),
        ("plam: {}", "d:4:1: unknown key 'plam'; did you mean 'plan'?"),
        (
            "zzz: {}",
            "d:4:1: unknown key 'zzz'; the keys are: hlsmem, name, params, context, kernel,"
            " network, conflicts, code, arrays, schedule, multifor, order, live_in, live_out,"
            " pipeline, plan, target, accelerator, source, host, limits",
        ),
        ("params: {N: 1.5}", "d:4:13: params.N must be an integer, not 1.5; write it like 64"),
        ("params: {N: true}", "d:4:13: params.N must be an integer, not true; write it like 64"),
        ("params: {N: '1'}", "d:4:13: params.N must be an integer, not '1'; write it like 64"),
        (
            "params: [N]",
            "d:4:9: params must be a mapping, not a list; write it as {key: value}",
        ),
        ("live_in: x", "d:4:10: live_in must be a list, not 'x'; write it as [item, item]"),
        ("live_in: [x, 1]", "d:4:14: live_in.1 must be a text, not 1; put quotes around it"),
        (
            "arrays: {a: {parts: many}}",
            "d:4:21: arrays.a.parts must be one of 'auto', 'one', 'streams', 'operands' or a list,"
            " not 'many'; choose one of these",
        ),
        (
            "plan: {bands: [{kind: tiled, rows: 3}]}",
            "d:4:36: plan.bands.0.rows must be a text or a list, not 3; put quotes around it",
        ),
        (
            "arrays: {a: {storage: strem}}",
            "d:4:23: arrays.a.storage must be one of 'external', 'memory', 'stream', 'rom',"
            " 'state', 'datapath', not 'strem'; did you mean 'stream'?",
        ),
        (
            "arrays: {a: {storage: 1}}",
            "d:4:23: arrays.a.storage must be one of 'external', 'memory', 'stream', 'rom',"
            " 'state', 'datapath', not 1; choose one of these",
        ),
        (
            "arrays: {a: {parts: [{operands: [m_a_S.0], kind: heap}]}}",
            "d:4:50: arrays.a.parts.0.kind must be one of 'wire', 'registers', 'chain', 'fifo',"
            " 'banked', 'ram', not 'heap'; choose one of these",
        ),
        (
            "arrays: {a: {type: int65}}",
            "d:4:20: arrays.a.type must be a type, not 'int65';"
            " use int1 to int64, uint1 to uint64, float or double",
        ),
        (
            "arrays: {a: {extents: [N, null]}}",
            "d:4:27: arrays.a.extents.1 must be an integer or an expression, not nothing;"
            ' write it like 8 or "N/2 + 1"',
        ),
        (
            "arrays: {a: {tpye: int8}}",
            "d:4:14: unknown key 'tpye' in arrays.a; did you mean 'type'?",
        ),
        ("arrays: {a: 3}", "d:4:13: arrays.a must be a mapping, not 3; write it as {key: value}"),
        ("plan: {strict: 1}", "d:4:16: plan.strict must be true or false, not 1;"
         " write true or false"),
        ("plan: {budget: 0}", "d:4:16: plan.budget must be at least 1, not 0;"
         " choose a larger number"),
        ("plan: {slak: 0}", "d:4:8: unknown key 'slak' in plan; did you mean 'slack'?"),
        (
            "pipeline: {latency: {S: -1}}",
            "d:4:25: pipeline.latency.S must be at least 0, not -1; choose a larger number",
        ),
        (
            "network: {p: {statements: {S: {domain: ''}}}}",
            "d:4:28: the key 'schedule' is missing in network.p.statements.S; add it",
        ),
        (
            "network: {}",
            "d:4:1: a design has only one of kernel, network and conflicts,"
            " not kernel and network; keep one of them",
        ),
    ],
)  # fmt: skip
def test_bad_keys(line: str, message: str) -> None:
    key = line.split(":")[0]
    text = "".join(one if not one.startswith(key) else "\n" for one in GOOD.splitlines(True))
    assert messages(f"{text}{line}\n") == [message]


def test_keys_that_are_missing() -> None:
    assert messages("kernel: {}\n") == [
        "d:1:1: the key 'hlsmem' is missing; add it",
        "d:1:1: the key 'name' is missing; add it",
        "d:1:1: the key 'file' is missing in kernel; add it",
    ]


@pytest.mark.parametrize(("rest", "line"), [("", 1), ("kernel:\n", 3), ("conflicts: \n", 3)])
def test_a_design_needs_an_input(rest: str, line: int) -> None:
    assert messages(f"hlsmem: 1\nname: x\n{rest}") == [
        f"d:{line}:1: a design needs one of kernel, network and conflicts;"
        " add for example kernel: {file: KERNEL.c}"
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "the file is empty"),
        ("- a", "a design is a mapping of keys"),
        ("3", "a design is a mapping of keys"),
    ],
)
def test_no_mapping_at_all(text: str, what: str) -> None:
    assert messages(text) == [f"d:1:1: {what}; begin it with hlsmem: 1 and name: NAME"]


def test_empty_sections_count_as_left_out() -> None:
    assert messages(GOOD + "plan:\narrays: {a: }\ncontext:\n") == []


def test_wrong_options_do_not_hide_other_problems() -> None:
    assert messages(GOOD + "host: {storag: 1}\nplan: {share: true}\nnetwork: {}\n") == [
        "d:4:8: unknown key 'storag' in host; did you mean 'storage'?",
        "d:5:15: plan.share: true is not available yet; leave it out",
        "d:6:1: a design has only one of kernel, network and conflicts,"
        " not kernel and network; keep one of them",
    ]


def test_all_wrong_keys_are_reported_in_the_order_of_the_file() -> None:
    text = "hlsmem: 1\nnme: x\nkernel: {file: 3}\nplan: {strict: 2}\n"
    assert messages(text) == [
        "d:1:1: the key 'name' is missing; add it",
        "d:2:1: unknown key 'nme'; did you mean 'name'?",
        "d:3:16: kernel.file must be a text, not 3; put quotes around it",
        "d:4:16: plan.strict must be true or false, not 2; write true or false",
    ]


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
    assert messages(GOOD + line) == [message]


def test_the_values_that_are_available() -> None:
    assert (
        messages(GOOD + "arrays: {a: {storage: stream}, b: {storage: memory, style: auto}}") == []
    )
    assert messages(GOOD + "arrays: {a: {style: block, max_banks: 2}}") == []
    assert messages(GOOD + "target: {device: ecp5-25k, block_rams: 4}") == []
    assert messages(GOOD + "plan: {schedules: given, objective: cells, round: none}") == []
    assert messages(GOOD + "plan: {objective: blocks}\ntarget: {device: ecp5-25k}") == []


def test_every_entry_names_a_key_and_begins_with_its_default() -> None:
    empty = {"hlsmem": 1, "name": "x", "arrays": {"*": {}}}
    defaults = DesignKeys.model_validate(empty).model_dump()
    for only in NOT_YET:
        value = defaults
        for step in only.key.split("."):
            value = value[step]
        assert value == only.values[0], only.key
