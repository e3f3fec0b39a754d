from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.polyhedra import Set
from tests.read.loading import NETWORK, changed, load_text, messages_of, problems_of, stretches_of

PARAMS = "params: {N: 8}"


def test_the_default_context_is_every_parameter_at_least_one(tmp_path: Path) -> None:
    program = load_text(tmp_path, NETWORK).input
    assert (program.parameters, program.values) == (("N",), {"N": 8})
    assert program.context.is_equal(Set("[N] -> { : N >= 1 }"))


def test_the_context_carries_all_parameters_in_the_order_of_params(tmp_path: Path) -> None:
    text = changed(NETWORK, (PARAMS, 'params: {M: 4, N: 8}\ncontext: "[N] -> { : N >= 3 }"'))
    program = load_text(tmp_path, text).input
    assert program.parameters == ("M", "N")
    assert str(program.context) == "[M, N] -> {  : N >= 3 }"


def test_an_unused_parameter_without_value_is_dropped(tmp_path: Path) -> None:
    text = changed(NETWORK, (PARAMS, 'params: {M: , N: 8}\ncontext: "[N,M] -> { : N > M > 2 }"'))
    program = load_text(tmp_path, text).input
    assert (program.parameters, program.values) == (("N",), {"N": 8})
    assert program.context.is_equal(Set("[N] -> { : N >= 4 }"))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("{ W[i] : 0 <= i < N }", "{ W[i] : 0 <= i < M }"), "the domain of 'W'"),
        (('"{ W[i] -> [i,0] }"', '"[M] -> { W[i] -> [i + M,0] }"'), "the schedule of 'W'"),
        (('"{ R[i] -> a[i] }"', '"[M] -> { R[i] -> a[i] : i < M }"'), "an access to 'a' in 'R'"),
        (("a: {extents: [N]}", "a: {extents: [M]}"), "the size of 'a'"),
    ],
)
def test_a_parameter_that_is_used_needs_a_value(
    tmp_path: Path, change: tuple[str, str], what: str
) -> None:
    text = changed(NETWORK, (PARAMS, "params: {N: 8, M: null}"), change)
    text = text.replace('"[N] -> { W', '"[N,M] -> { W')
    assert messages_of(tmp_path, text) == [
        f"design.yaml:3:16: parameter 'M' has no value, but {what} needs one;"
        " give it one in params, or with --param M=..."
    ]


def test_the_size_of_an_external_array_needs_no_value(tmp_path: Path) -> None:
    text = changed(
        NETWORK, (PARAMS, "params: {N: 8, M: null}"), ("o: {extents: [N]", "o: {extents: [M]")
    )
    assert load_text(tmp_path, text).input.parameters == ("N",)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            'params: {N: 2}\ncontext: "[N] -> { : N >= 3 }"',
            "design.yaml:3:13: N=2 is outside of the context '[N] -> { : N >= 3 }';"
            " choose other values, or change the context",
        ),
        (
            "params: {N: 0}",
            "design.yaml:3:13: N=0 is outside of the context that every parameter is at"
            " least 1; choose other values, or change the context",
        ),
        (
            'params: {N: 4, M: 3}\ncontext: "[N, M] -> { : N = M }"',
            "design.yaml:3:13: N=4, M=3 are outside of the context '[N, M] -> { : N = M }';"
            " choose other values, or change the context",
        ),
        (
            'params: {N: 4, M: 0}\ncontext: "[N, M] -> { : N > M > 0 }"',
            "design.yaml:3:19: M=0 is outside of the context '[N, M] -> { : N > M > 0 }';"
            " choose other values, or change the context",
        ),
        (
            'params: {N: 4}\ncontext: "{ [i] : i > 3 }"',
            "design.yaml:4:10: context has a tuple, but speaks of parameters only;"
            " write it like [N] -> { : N >= 3 }",
        ),
        (
            'params: {N: 4}\ncontext: "[N] -> { : N > 3 and N < 3 }"',
            "design.yaml:4:10: context allows no values at all; remove what contradicts",
        ),
        (
            'params: {N: 4}\ncontext: "[N] -> { : N > M }"',
            "design.yaml:4:26: context uses 'M', which is no dimension and no parameter;"
            " add it to params, or to the tuple",
        ),
        (
            "params: {N: 4, 2x: 1, wire: 2, max: 3}",
            "design.yaml:3:16: the parameter name '2x' is no C identifier;"
            " use letters, digits and _, no digit first\n"
            "design.yaml:3:32: the parameter name 'max' is a keyword of isl;"
            " choose another name",
        ),
        (
            f"params: {{{', '.join(f'P{k}: 1' for k in range(66))}}}",
            "design.yaml:3:517: params has 66 parameters: at most 64 are read;"
            " leave out those that no text of the design uses",
        ),
    ],
)
def test_bad_parameters(tmp_path: Path, params: str, message: str) -> None:
    assert "\n".join(messages_of(tmp_path, changed(NETWORK, (PARAMS, params)))) == message


def test_a_bad_value_of_the_command_line_is_named_as_it_was_given(tmp_path: Path) -> None:
    message = (
        "N=0 is outside of the context that every parameter is at least 1;"
        " choose other values, or change the context"
    )
    assert messages_of(tmp_path, NETWORK, parameters={"N": 0}) == [f"--param N=0: {message}"]
    found = problems_of(tmp_path, NETWORK, settings=["params.N=0"])
    assert [str(one) for one in found] == [f"--set params.N=0: {message}"]
    assert stretches_of(found) == ["0"]


@pytest.mark.parametrize(
    ("given", "narrowed"),
    [
        ("", "[N] -> { : N >= 3 }"),
        ('\ncontext: "[N] -> { : N mod 2 = 0 }"', "[N] -> { : N >= 4 and N mod 2 = 0 }"),
    ],
)
def test_every_array_has_elements(tmp_path: Path, given: str, narrowed: str) -> None:
    """C has no arrays of -1 elements, and they need no plan."""
    text = changed(NETWORK, (PARAMS, PARAMS + given), ("o: {extents: [N]", 'o: {extents: ["N-2"]'))
    text = text.replace("R[i] : 0 <= i < N", "R[i] : 0 <= i < N - 2")
    assert load_text(tmp_path, text).input.context.is_equal(Set(narrowed))
    (message,) = messages_of(tmp_path, text, parameters={"N": 2})
    assert message.endswith(
        "'o' has an extent of 0 at N=2; make it at least 1, or choose other values"
    )
