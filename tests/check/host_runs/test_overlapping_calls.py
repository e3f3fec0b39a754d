"""Where arguments are laid that overlap: every element stays at an address that its type allows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from hlsmem.check.c_runs.c_interface import Argument, Member
from hlsmem.check.c_runs.run_inputs import Inputs
from hlsmem.check.host_runs.overlapping_calls import Reached, placements

BYTES = tuple(Member(name=name, type="uint8_t") for name in "rgb")
MIXED = (*BYTES, Member(name="w", type="uint16_t"))
TYPES = {"pixel": BYTES, "mixed": MIXED, "uint8_t": (), "uint16_t": (), "uint64_t": ()}


def reached(name: str, kind: str, *, is_written: bool) -> Reached:
    argument = Argument(name=name, type=kind, extents=(7,), members=TYPES[kind])
    size = Reached(argument=argument, start=0, end=0, is_written=False, is_restrict=False).size
    return Reached(
        argument=argument, start=size, end=6 * size, is_written=is_written, is_restrict=False
    )


@pytest.mark.parametrize(("first", "second"), list(product(TYPES, repeat=2)))
def test_elements_stay_aligned(first: str, second: str) -> None:
    found = (reached("a", first, is_written=False), reached("b", second, is_written=True))
    made = placements(found, [(0, 1)], {(0, 1): [found[0].size * 3]})
    for one in made:
        assert [p % r.alignment for p, r in zip(one.places, found, strict=True)] == [0, 0]
    assert any(one.is_apart for one in made[1:])
    assert not all(one.is_apart for one in made)


@pytest.mark.parametrize(("other", "range_"), [("uint8_t", None), ("uint16_t", (0, 31))])
def test_no_element_begins_with_a_value_that_its_type_has_not(
    other: str, range_: tuple[int, int] | None
) -> None:
    """Elements of five bits lie over their own kind alone, and over whole ones."""
    narrow = Inputs(range=(Fraction(0), Fraction(31)))
    first = reached("a", "uint8_t", is_written=False)
    second = reached("b", other, is_written=True)
    first, alike = (
        replace(one, argument=replace(one.argument, inputs=narrow)) for one in (first, first)
    )
    if range_ is not None:
        second = replace(second, argument=replace(second.argument, inputs=narrow))
    apart = placements((first, second), [(0, 1)])
    assert all(one.is_apart for one in apart)
    over = placements((first, replace(alike, is_written=True)), [(0, 1)])
    assert not all(one.is_apart for one in over)
