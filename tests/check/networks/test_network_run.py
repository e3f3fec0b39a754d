"""The run of a network, compared with a plain interpreter in Python."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.networks.network_run import run_outcomes
from hlsmem.core.errors import ToolError
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.program.model import (
    Access,
    Body,
    Copy,
    ElementType,
    KernelBody,
    NetworkBody,
    Program,
    Statement,
    mix,
)
from tests.check.subjects import blur
from tests.programs import make_program


def with_bodies(program: Program, bodies: dict[str, Body], types: dict[str, str]) -> Program:
    return replace(
        program,
        arrays={
            name: replace(array, element=ElementType(types.get(name, "int32")))
            for name, array in program.arrays.items()
        },
        statements=tuple(
            replace(statement, body=bodies.get(statement.name, statement.body))
            for statement in program.statements
        ),
    )


def ran(program: Program, array: str) -> list[tuple[str, tuple[int, ...], bool, list[int], int]]:
    """(statement, iterators, write, element, bits) of every access, in the order made."""
    ((run, times),) = run_outcomes(program, None, [None])
    assert [tuple(t) for t in times] == sorted(tuple(t) for t in times)
    own = run.accesses[array]
    return [
        (*run.instance_name(int(at)), bool(write), element, int(bits))
        for at, write, element, bits in zip(
            own.instance, own.write, own.element.tolist(), own.bits, strict=True
        )
    ]


def signed(value: int) -> int:
    return value - 2**32 if value >= 2**31 else value


def test_a_statement_without_a_body_mixes_what_it_reads() -> None:
    found = ran(blur(4), "b")
    content = {
        tuple(element): bits for name, _, write, element, bits in found if write and name == "P"
    }
    for name, iterators, write, element, bits in found:
        if write:
            assert bits == signed(mix(name, iterators, ()))
        else:
            assert bits == content[tuple(element)]
    assert len(found) == 16 + 3 * 8


PAIR: dict[str, Any] = {
    "values": {},
    "domains": ["{ L[i] : 0 <= i < 6 }", "{ H[i] : 0 <= i < 5 }"],
    "schedules": ["{ L[i] -> [i,0] }", "{ H[i] -> [i+1,1] }"],
    "reads": ["{ H[i] -> a[i] }", "{ H[i] -> a[i+1] }", "{ H[i] -> o[i-1] : i > 0 }"],
    "writes": ["{ L[i] -> a[i] }", "{ H[i] -> o[i] }"],
    "planned": ("a", "o"),
}


@pytest.mark.parametrize("kind", ["int16", "uint8", "int5", "uint64", "float", "double"])
def test_mixed_values_are_converted_to_the_element_type(kind: str) -> None:
    program = with_bodies(make_program(**PAIR), {}, {"a": kind})
    written = {tuple(e): bits for _, _, write, e, bits in ran(program, "a") if write}
    for position in range(6):
        state = mix("L", (position,), ())
        pattern = written[(position,)] & (2**64 - 1)
        if kind == "float":
            assert (
                np.array([pattern], np.uint64).astype(np.uint32).view(np.float32)[0] == state >> 8
            )
        elif kind == "double":
            assert np.array([pattern], np.uint64).view(np.float64)[0] == state
        else:
            bits = ElementType(kind).bits
            low = state * (2**32 + 1) % 2**bits
            negative = ElementType(kind).is_signed and low >= 2 ** (bits - 1)
            assert pattern == (low - 2**bits if negative else low) % 2**64


def test_bodies_see_their_operands_and_zero_for_those_not_read() -> None:
    bodies: dict[str, Body] = {
        "L": NetworkBody("a = 1000"),
        "H": NetworkBody("int d = a0 - a1; o = a2 ? d + 2 * a2 : d - 7;"),
    }
    program = with_bodies(make_program(**PAIR), bodies, {"a": "int8", "o": "int16"})
    loaded = 1000 - 1024
    expected = [-7]
    for _ in range(4):
        expected.append(2 * expected[-1])
    assert [bits for _, _, write, _, bits in ran(program, "a") if write] == [loaded] * 6
    assert [bits for _, _, write, _, bits in ran(program, "o") if write] == expected
    assert sum(1 for access in ran(program, "o") if not access[2]) == 4


def test_at_one_time_all_reads_come_before_all_writes() -> None:
    rotate = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 3 }", "{ R[t,i] : 0 <= t < 2 and 0 <= i < 3 }"],
        schedules=["{ S[i] -> [0] }", "{ R[t,i] -> [t+1] }"],
        reads=["{ R[t,i] -> a[(i+1) mod 3] }"],
        writes=["{ S[i] -> a[i] }", "{ R[t,i] -> a[i] }"],
        planned=("a",),
    )
    program = with_bodies(rotate, {"R": NetworkBody("a = a0")}, {})
    first = {
        tuple(e): bits for name, _, write, e, bits in ran(program, "a") if name == "S" and write
    }
    last = {e[0]: bits for _, at, write, e, bits in ran(program, "a") if write and at[:1] == (1,)}
    assert [last[i] for i in range(3)] == [first[((i + 2) % 3,)] for i in range(3)]


def test_arrivals_bring_and_departures_take_what_the_array_holds() -> None:
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 4 }"],
        schedules=["{ S[i] -> [i,1] }"],
        reads=["{ S[i] -> a[i] }"],
        writes=["{ S[i] -> a[i] }"],
        planned=("a",),
    )
    whole = Map("{ X[i] -> a[i] : 0 <= i < 4 }")
    arrival = Statement(
        name="a_in",
        process="a_in",
        domain=Set("{ a_in[i] : 0 <= i < 4 }"),
        schedule=Map("{ a_in[i] -> [i,0] }"),
        reads=(),
        writes=(Access(array="a", relation=whole.set_tuple_name(_IN, "a_in")),),
        body=Copy(),
    )
    departure = replace(
        arrival,
        name="a_out",
        domain=Set("{ a_out[i] : 0 <= i < 4 }"),
        schedule=Map("{ a_out[i] -> [i,2] }"),
        reads=(Access(array="a", relation=whole.set_tuple_name(_IN, "a_out")),),
        writes=(),
    )
    program = replace(program, statements=(arrival, *program.statements, departure))
    program = with_bodies(program, {"S": NetworkBody("a = a0 + 5")}, {})
    found = ran(program, "a")
    assert [access[0] for access in found[:4]] == ["a_in", "S", "S", "a_out"]
    for came, read, written, left in zip(*(iter(found),) * 4, strict=True):
        assert came[4] == read[4] == written[4] - 5 == left[4] - 5
    assert len({access[4] for access in found}) > 4


_IN = DimType.in_


def test_a_body_that_does_not_compile_is_shown() -> None:
    program = with_bodies(make_program(**PAIR), {"L": NetworkBody("a = = 1")}, {})
    with pytest.raises(ToolError, match="refuses the program to replay"):
        list(run_outcomes(program, None, [None]))


def test_a_body_of_a_kernel_is_no_body_of_a_network() -> None:
    program = with_bodies(make_program(**PAIR), {"L": KernelBody(None)}, {})
    with pytest.raises(NotUnderstood, match="L has a kernel's body in a network"):
        list(run_outcomes(program, None, [None]))


def test_an_operand_is_one_element() -> None:
    program = make_program(
        values={},
        domains=["{ S[i] : 0 <= i < 4 }"],
        schedules=["{ S[i] -> [i] }"],
        reads=["{ S[i] -> a[j] : 0 <= j < 2 }"],
        planned=("a",),
    )
    with pytest.raises(NotUnderstood, match="touches several elements at once"):
        list(run_outcomes(program, None, [None]))


def test_a_body_that_divides_by_zero_is_no_comparison() -> None:
    program = with_bodies(make_program(**PAIR), {"H": NetworkBody("o = 1 / (a0 - a0)")}, {})
    with pytest.raises(NotUnderstood, match=r"SIG\w+ in the body of H$"):
        list(run_outcomes(program, None, [None]))
