"""Seconds of the search for banks, for every pattern that the tests know."""

from __future__ import annotations

import time

from hlsmem.banks.bank_search import BankRequest, BankSearch, find_banks
from hlsmem.banks.pattern import Pattern
from tests.banks.patterns import PATTERNS


def print_table() -> None:
    """Each pattern with one and two ports a bank; then lines in four directions at once."""
    print(f"\n{'banks of':24} {'ports':>5} {'banks':>5} {'scheme':>12} {'seconds':>8}")
    for name, offsets in PATTERNS.items():
        for ports in (1, 2):
            dimensions = len(offsets[0])
            request = BankRequest(
                array=name,
                patterns=(Pattern.everywhere(offsets),),
                lower=(0,) * dimensions,
                upper=((63,) * 2, (31,) * 3)[dimensions - 2],
                ports=ports,
            )
            _print(name, request)
    for length in (4, 8, 16):
        lines = ([(0, i), (i, 0), (i, i), (i, -i)] for i in range(length))
        patterns = tuple(Pattern.everywhere(line) for line in zip(*lines, strict=True))
        name = f"4 lines of {length}"
        _print(name, BankRequest(array=name, patterns=patterns, lower=(0, 0), upper=(63, 63)))


def _print(name: str, request: BankRequest) -> None:
    start = time.perf_counter()
    found: BankSearch = find_banks(request)
    seconds = time.perf_counter() - start
    best = found.best
    banks = best.storage.banks.banks
    print(f"{name:24} {request.ports:5} {banks:5} {best.scheme:>12} {seconds:8.3f}", flush=True)
