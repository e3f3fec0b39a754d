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


def alike(count: int) -> Problems:
    problems = Problems()
    for line in range(1, count + 1):
        problems.add(f"'f_{line}' has no body", f"write 'f_{line}'", at(line))
    return problems


def test_a_few_problems_of_a_kind_are_each_said() -> None:
    assert alike(3).by_kind().problems == alike(3).problems


def test_of_many_problems_those_of_a_kind_are_one_with_their_places() -> None:
    problems = alike(12)
    problems.add("another", "", at(20))
    first, other = problems.by_kind().problems
    assert str(first) == "a.c:1:1: 'f_1' has no body; write 'f_1'"
    assert [str(one.source_location) for one in first.notes[:6]] == [
        f"a.c:{line}:1" for line in range(2, 8)
    ]
    assert [one.text for one in first.notes[5:]] == ["and 'f_7' here", "and in 5 more places"]
    assert str(other) == "a.c:20:1: another"
