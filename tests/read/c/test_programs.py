"""Random static-control programs: the reading against the accesses a C++ compiler's code makes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.families import by_default
from tests.read.c.kernels import read
from tests.read.c.programs import random_region
from tests.read.c.tracked import Case, agree, build, predicted, recorded

HEAD = """double f(int N, int M, double A[N][M], double B[N])
{
    int i, j, k, t;
    double s = 1;
#pragma scop
"""
TAIL = """
#pragma endscop
    return s;
}
"""
PROGRAMS = by_default(15, 60)
VALUES = [(0, 1), (3, 2), (4, 6)]


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [
        Case(f"p{seed}", random_region(Random(seed)), ("N", "M"), ("A", "B", "s"))
        for seed in range(PROGRAMS)
    ]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, cases: list[Case]) -> Path:
    return build(tmp_path_factory.mktemp("programs"), cases)


def test_random_programs_are_read_as_they_run(
    tmp_path: Path, program: Path, cases: list[Case]
) -> None:
    events = 0
    for number, case in enumerate(cases):
        text = f"{HEAD}{case.body}{TAIL}"
        reading = read(tmp_path, text, case.parameters)
        for values in VALUES:
            expected = recorded(program, number, values)
            at = dict(zip(case.parameters, values, strict=True))
            found = predicted(reading, case.tracked, at)
            assert agree(found, expected), (case.body, values)
            events += len(found)
    assert events > 15 * PROGRAMS
