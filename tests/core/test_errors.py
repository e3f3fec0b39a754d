from __future__ import annotations

import pytest

from hlsmem.core.errors import (
    HlsmemError,
    InputError,
    LimitError,
    Note,
    Problem,
    Problems,
    ToolError,
)
from hlsmem.core.source_location import SourceLocation


def at(line: int, column: int = 1, file: str = "a.c") -> SourceLocation:
    return SourceLocation(file=file, line=line, column=column)


def test_a_problem_says_where_what_and_what_to_do() -> None:
    assert str(Problem("it is wrong", "mend it", at(2, 5))) == "a.c:2:5: it is wrong; mend it"
    assert str(Problem("it is wrong", "", at(2, 5))) == "a.c:2:5: it is wrong"
    assert str(Problem("it is wrong", "mend it")) == "it is wrong; mend it"


@pytest.mark.parametrize(("kind", "code"), [(InputError, 2), (ToolError, 3), (LimitError, 4)])
def test_exit_codes(kind: type[HlsmemError], code: int) -> None:
    assert kind.exit_code == code


def test_an_error_prints_all_its_problems() -> None:
    assert str(InputError(Problem("a", "b"), Problem("c", "d"))) == "a; b\nc; d"


def test_problems_come_in_the_order_of_the_source() -> None:
    problems = Problems()
    problems.add("third", "", at(9, 1))
    problems.add("second", "", at(2, 7))
    problems.add("other file", "", at(1, file="b.c"))
    problems.add("first", "", at(2, 3))
    problems.add("nowhere", "")
    with pytest.raises(InputError) as caught:
        problems.raise_if_any()
    whats = [problem.what for problem in caught.value.problems]
    assert whats == ["nowhere", "first", "second", "third", "other file"]


def test_the_same_problem_counts_once() -> None:
    problems = Problems()
    problems.add("a", "b", at(1))
    problems.add("a", "b", at(1), [])
    problems.extend(InputError(Problem("a", "b", at(1)), Problem("c", "d")))
    assert len(problems) == 2


def test_a_note_makes_another_problem() -> None:
    problems = Problems()
    problems.add("a", "b", at(1))
    problems.add("a", "b", at(1), [Note("first written here", at(3))])
    assert len(problems) == 2


def test_no_problems_raise_nothing() -> None:
    problems = Problems()
    problems.raise_if_any()
    assert not problems
