"""Random programs under conditions, against a simulation that shares no code with the analysis."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.program.model import Program, Statement
from tests.steps import load
from tests.studies.dataflow.judging import wrong_in_program
from tests.studies.dataflow.programs import design_of, program_of, random_program


# `make fuzz` goes on.
@pytest.mark.few(4)
@pytest.mark.parametrize("first", range(0, 300, 20))
def test_sources_of_random_programs(first: int) -> None:
    for seed in range(first, first + 20):
        assert not list(wrong_in_program(seed)), f"program {seed}"


@pytest.mark.parametrize("seed", range(0, 300, 37))
def test_a_random_program_is_what_its_design_says(seed: int, tmp_path: Path) -> None:
    lines = random_program(seed)
    path = tmp_path / "design.yaml"
    path.write_text(design_of(lines))
    read, made = load(path, conditional=True).input, program_of(lines)
    assert isinstance(read, Program)
    for name in ("name", "parameters", "values", "time_dimensions"):
        assert getattr(read, name) == getattr(made, name)
    for name in ("context", "live_out"):
        assert getattr(read, name).is_equal(getattr(made, name))
    assert {n: (a.element, a.storage) for n, a in read.arrays.items()} == {
        n: (a.element, a.storage) for n, a in made.arrays.items()
    }
    assert len(read.statements) == len(made.statements)
    for one, other in zip(read.statements, made.statements, strict=True):
        assert (one.name, one.iterators) == (other.name, other.iterators)
        loops = [[own.loops for own in statement.filters] for statement in (one, other)]
        assert loops[0] == loops[1]
        assert len(_relations(one)) == len(_relations(other))
        for mine, theirs in zip(_relations(one), _relations(other), strict=True):
            assert mine.is_equal(theirs)
        for mine in (a.relation.range() for own in one.filters for a in own.accesses):
            array = mine.get_tuple_name()
            if not any(w.array == array for s in read.statements for w in s.writes):
                assert made.live_in.intersect(mine).is_equal(read.live_in.intersect(mine))


def _relations(statement: Statement) -> list[object]:
    accesses = [*statement.reads, *statement.writes]
    accesses += [access for own in statement.filters for access in own.accesses]
    found = [statement.domain, statement.schedule, *(one.value for one in statement.filters)]
    return [*found, *(one.relation for one in accesses)]
