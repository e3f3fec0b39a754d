"""Families of tests: which members run by default."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest


def first_by_default(members: Iterable[Any], count: int = 1) -> list[Any]:
    """Parameters of a test, of which all but the first `count` run in `make test-all` only."""
    given = iter(members)
    chosen = list(islice(given, count))
    return [*chosen, *(pytest.param(member, marks=pytest.mark.long) for member in given)]
