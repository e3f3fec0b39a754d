"""An address generator visits what isl lists, in order, with the right values, by additions
alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from hlsmem.addressing.address_generator import AddressGenerator, Term
from hlsmem.addressing.generator_compiler import compile_generator
from hlsmem.addressing.loop_forms import Affine, Value, loop_form, value_at
from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.generated_loops import generate
from hlsmem.polyhedra.sets import points
from tests.addressing.generator_run import output_at, positions

NESTS = {
    "line": "{ S[x] : 0 <= x < 9 }",
    "one beat": "{ S[y,x] : y = 3 and x = 4 }",
    "rectangle": "{ S[y,x] : 0 <= y < 5 and -2 <= x < 7 }",
    "triangle": "{ S[y,x] : 0 <= y < 7 and y <= x < 7 }",
    "lower triangle": "{ S[y,x] : 0 <= y < 7 and 0 <= x <= y }",
    "skewed": "{ S[y,x] : 0 <= y - 2x < 6 and 0 <= x < 5 }",
    "strided": "{ S[y,x] : 0 <= y < 20 and y mod 3 = 1 and 0 <= x < 11 and x mod 2 = 0 }",
    "checkerboard": "{ S[y,x] : 0 <= y < 6 and 0 <= x < 7 and (x + y) mod 2 = 0 }",
    "two pieces": "{ S[y,x] : 0 <= y < 3 and 0 <= x < 4; S[y,x] : 5 <= y < 7 and 1 <= x < 3 }",
    "borders": "{ S[y,x] : 0 <= y < 6 and 0 <= x < 6 and (x = 0 or x = 5) }",
    "frame": "{ S[y,x] : 0 <= y,x < 6 and (x = 0 or x = 5 or y = 0 or y = 5) }",
    "trapezium": "{ S[z,y,x] : 0 <= z < 4 and z <= y < 8 and 0 <= x < 5 and x <= y - z }",
    "minimum": "{ S[y,x] : 0 <= y < 9 and 0 <= x < 6 and x <= 8 - y and y - 2 <= x }",
    "sparse": "{ S[y,x] : 0 <= y < 12 and 0 <= x < 30 and 3x = 2y }",
    "gaps": "{ S[y,x] : 0 <= y < 30 and 7x <= 3y <= 7x + 1 and 0 <= x < 20 }",
    "holes": "{ S[y,x,z] : 0 <= y < 6 and 0 <= x < 6 and 0 <= z < 6 and (y + 2x) mod 5 <= 1"
    " and (x + 3z) mod 5 <= 1 and (y + z) mod 3 <= 1 }",
    "turned gaps": "{ S[y,x,z] : x = -y and 0 <= y < 6 and 0 <= z < 10 and (y + z) mod 5 <= 1 }",
    "tiled": "{ S[a,b,x] : 0 <= x < 23 and 4a <= x < 4a + 4 and b = x }",
    "imperfect": "{ S[y,x,z] : 0 <= y < 4 and (x = 0 and z = 0 or x = 1 and 0 <= z <= y) }",
}


def generator_of(
    text: str, outputs: dict[str, Value] | None = None, kept: tuple[str, ...] = ()
) -> tuple[AddressGenerator, Sequence]:
    domain = Set(text)
    loops = tuple(f"i{d}" for d in range(domain.n_dim()))
    order = Map.identity(domain.space.map_from_set()).intersect_domain(domain)
    schedule = UnionMap.from_map(order.reset_tuple_id(DimType.out))
    node = generate(schedule, Set("{ : }"), loops)
    assert node is not None
    generator = compile_generator(node, loops, outputs or {}, {}, kept=kept)
    return generator, sorted(map(tuple, points(domain)))


@cache
def plain_generator(name: str) -> tuple[AddressGenerator, Sequence]:
    return generator_of(NESTS[name])


@pytest.mark.parametrize("name", NESTS)
def test_a_walker_visits_what_isl_lists_in_order(name: str) -> None:
    generator, expected = plain_generator(name)
    walk = list(positions(generator))
    beats = [[p.registers[r] for r in generator.loop_registers] for p in walk if p.is_beat]
    assert [tuple(beat) for beat in beats] == expected
    assert (generator.beats, generator.idle) == (len(expected), len(walk) - len(expected))
    assert [p.is_last for p in walk] == [False] * (len(walk) - 1) + [True]


@pytest.mark.parametrize("name", NESTS)
def test_keys_rise_from_place_to_place(name: str) -> None:
    """Gates compare keys at places without a beat, too: none may be ahead of the next beat's."""
    generator, _ = plain_generator(name)
    keys = [tuple(p.registers[r] for r in generator.loop_registers) for p in positions(generator)]
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("name", NESTS)
def test_outputs_and_registers_are_their_forms(name: str) -> None:
    dimensions = Set(NESTS[name]).n_dim()
    last = loop_form(dimensions - 1)
    skew = loop_form(0).scaled(-2) + last.scaled(3)
    cells = skew.plus(5).modulo(7).scaled(3) + (last + loop_form(0)).modulo(3)
    outputs: dict[str, Value] = {"skew": skew.plus(4), "cell": cells, "half": last.floor_divide(2)}
    generator, _ = generator_of(NESTS[name], outputs)
    for position in positions(generator):
        point = [position.registers[r] for r in generator.loop_registers]
        for register, value in zip(generator.registers, position.registers, strict=True):
            assert value == register.form.at(point)
            assert register.least <= value <= register.greatest
        if position.is_beat:
            for output, term in generator.outputs:
                assert output_at(term, position.registers) == value_at(outputs[output], point)


def test_loops_without_gaps_have_no_idle_visits() -> None:
    for name in ("rectangle", "triangle", "skewed", "strided", "trapezium", "minimum", "borders"):
        assert generator_of(NESTS[name])[0].idle == 0, name


def test_a_raster_needs_two_loops_and_one_wrap() -> None:
    cell = (loop_form(0).scaled(64) + loop_form(1)).modulo(131)
    generator, _ = generator_of("{ S[y,x] : 0 <= y,x < 64 }", {"cell": cell})
    assert len(generator.registers) == 3  # y, x, and the cell, which goes on by one into a new row
    rows, _ = generator_of("{ S[y,x] : 0 <= y < 64 and 0 <= x < 60 }", {"cell": cell})
    assert len(rows.registers) == 3  # ... or by five, modulo 131
    skewed, _ = generator_of("{ S[y,x] : 0 <= y < 64 and 0 <= x <= y }", {"cell": cell})
    assert len(skewed.registers) == 5  # x against y, and the cell of the row's start


def test_the_end_of_a_loop_is_told_by_loops_alone_where_few_boxes_do() -> None:
    plus = "{ S[y,x] : 0 <= y,x < 64 and 1 <= y + x < 126 and -63 < y - x < 63 }"
    generator, _ = generator_of(plus, {})
    assert [register.name for register in generator.registers] == ["i0", "i1"]
    triangle, _ = generator_of("{ S[y,x] : 0 <= y < 9 and 0 <= x <= y }", {})
    assert len(triangle.registers) == 3  # x against y


@pytest.mark.parametrize(("kept", "constant"), [((), 1), (("after",), 0)])
def test_outputs_that_are_kept_are_registers_and_not_sums(
    kept: tuple[str, ...], constant: int
) -> None:
    after = loop_form(0).plus(1)
    generator, expected = generator_of("{ S[y,x] : 0 <= y,x < 8 }", {"after": after}, kept)
    ((_, term),) = generator.outputs
    assert isinstance(term, Term)
    assert term.constant == constant
    for position, point in zip(positions(generator), expected, strict=True):
        assert output_at(term, position.registers) == point[0] + 1


def test_quotients_of_multiples_are_taken_out() -> None:
    form = Affine(7, (6, 3)).floor_divide(3)
    assert form == Affine(2, (2, 1))
