"""Broken kernels: an InputError with a message, never anything else."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.source_location import SourceLocation
from tests.families import by_default
from tests.read.c.kernels import read

TEXT = (Path(__file__).parent / "fuzz_seed.c").read_text()
WORDS = re.findall(r"\w+|\s+|[^\w\s]", TEXT)
PARTS = st.sampled_from([*sorted(set(WORDS)), "&", "*", "->", ".", "goto", "\0", "é", "#if", "0"])


@st.composite
def mutated(draw: st.DrawFn) -> str:
    words = list(WORDS)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(words) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                del words[at]
            case 1:
                words[at] = draw(PARTS)
            case 2:
                words.insert(at, draw(PARTS))
            case _:
                other = draw(st.integers(0, len(words) - 1))
                words[at], words[other] = words[other], words[at]
    return "".join(words)


@settings(
    max_examples=by_default(37, 150),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(mutated())
def test_mutated_kernels_are_read_or_refused_with_a_place(tmp_path: Path, text: str) -> None:
    problems: tuple[Problem, ...] = ()
    places: list[SourceLocation | None] = []
    try:
        places = [one.source_location for one in read(tmp_path, text, ("N", "n")).statements]
    except InputError as error:
        problems = error.problems
    assert all(problem.what and problem.remedy for problem in problems)
    assert bool(problems) != bool(places)
    assert None not in places
