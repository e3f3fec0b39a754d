"""Bodies of networks as values: instance by instance what C says of their text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.datapath.statements import Computed, computed
from hlsmem.program.model import NetworkBody, Program
from hlsmem.read.design import load
from tests.datapath.graph_values import numbers

NETWORK = Path(__file__).parent / "kernels/network.yaml"


def program() -> Program:
    found = load(NETWORK).program
    assert found is not None
    return found


def of(name: str, body: str = "") -> Computed:
    """What a statement of the network computes, with another body where one is given."""
    whole = program()
    own = next(one for one in whole.statements if one.name == name)
    if body:
        own = replace(own, body=NetworkBody(body, own.iterators, ("SCALE",)))
    statements = tuple(own if one.name == name else one for one in whole.statements)
    return computed(replace(whole, statements=statements), [own])


def result(found: Computed, reads: list[int | None], at: dict[str, int]) -> int:
    """The one result, of the operands in the order of the text: of one not read, any number."""
    (output,) = found.outputs
    whole = [one for one in found.inputs if one.access is not None]
    wholly = {
        one.name: 12345 if value is None else value
        for one, value in zip(whole, reads, strict=False)
    }
    wholly |= {one.name: at[one.iterator] for one in found.inputs if one.iterator}
    return numbers([output.value], wholly)[output.value.number]


def test_an_operand_that_is_not_read_is_0() -> None:
    found = of("S")
    assert result(found, [100, 7, 9], {"y": 1, "x": 5}) == 2 * 100 - 7 - 9 + 3
    assert result(found, [100, None, 9], {"y": 1, "x": 0}) == -(2 * 100 - 9 + 3)
    assert result(found, [100, 7, None], {"y": 1, "x": 23}) == 2 * 100 - 7 + 3


def test_iterators_are_numbers_of_64_bits() -> None:
    found = of("S", "t = (x - 9) / 2 + (y << 3)")
    assert result(found, [], {"y": 2, "x": 4}) == -2 + 16


def test_results_have_the_bits_of_their_elements() -> None:
    found = of("M", "flag = a0 + 2")
    assert [result(found, [one], {"y": 2, "x": 3}) for one in (1, 2, 4095)] == [1, 0, 1]


def test_functions_of_the_code_are_called() -> None:
    found = of("O")
    reads = [(-5, 2), (100, 100), (200, 90)]
    assert [result(found, [*one], {"y": 1, "x": 0}) for one in reads] == [0, 200, 255]


def test_what_has_no_circuit_is_refused_at_its_statement() -> None:
    with pytest.raises(InputError) as caught:
        of("M", "flag = a0 / (a0 + 1)")
    (problem,) = caught.value.problems
    assert problem.what.startswith("M has no circuit")
    assert problem.source_location == next(
        one.source_location for one in program().statements if one.name == "M"
    )
