"""Multiplexers between and behind the ways that were measured."""

from __future__ import annotations

from hlsmem.devices.primitives import Choosing

CHOOSING = Choosing(rows=((2, 1.0, 2.0), (4, 3.0, 4.0), (8, 6.0, 8.0)))


def test_measured_ways_are_what_was_measured() -> None:
    assert [CHOOSING.luts(ways, 10) for ways in (2, 4, 8)] == [12, 34, 68]


def test_between_them_it_is_linear_and_behind_the_last_a_share() -> None:
    assert CHOOSING.luts(6, 10) == 51
    assert CHOOSING.luts(16, 10) == 136


def test_one_way_needs_no_choice() -> None:
    assert CHOOSING.luts(1, 32) == 0
