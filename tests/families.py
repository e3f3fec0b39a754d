"""Families of tests: which members run by default, and which in `make test-all` only.

    @pytest.mark.few(2)               the first two members of a parametrized test
    @pytest.mark.few("blur", "fifo")  those with one of these words in their id (1 is not in 16)
    @pytest.mark.few(0.25)            every fourth, from the first

What the others would show differs from the chosen in size or number rather than in kind.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

Amount = TypeVar("Amount")

_whole: list[bool] = [True]


def pytest_configure(config: pytest.Config) -> None:
    _whole[0] = "not long" not in config.option.markexpr
    # How long a machine takes under load is no property of the program.
    settings.register_profile(
        "suite",
        max_examples=by_default(10, 100),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("suite")


def by_default(amount: Amount, in_all: Amount) -> Amount:
    """How many examples a test draws: `amount` by default, `in_all` in `make test-all`."""
    return in_all if _whole[0] else amount


def mark_families(items: Iterable[pytest.Item]) -> None:
    """Mark all members as long but those that are chosen."""
    families: defaultdict[tuple[object, str], list[pytest.Function]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("few"):
            families[item.parent, item.originalname].append(item)
    for members in families.values():
        chosen = members[0].get_closest_marker("few").args
        for number, member in enumerate(members):
            if not any(_is_chosen(member, number, one) for one in chosen):
                member.add_marker(pytest.mark.long)


def _is_chosen(member: pytest.Function, number: int, chosen: float | str) -> bool:
    if isinstance(chosen, int):
        return number < chosen
    if isinstance(chosen, float):
        return number % round(1 / chosen) == 0
    before = r"(?<!\w)" if chosen[0].isalnum() else ""
    after = r"(?!\d)" if chosen[-1].isdigit() else ""
    return re.search(before + re.escape(chosen) + after, member.callspec.id) is not None
