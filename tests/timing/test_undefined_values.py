"""Instances that only hold undefined values are left out; what an output needs is refused.

Compared with the definition, instance by instance: what reads an element that nothing may have
written is undefined, and so is all that its values may reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hlsmem.core.errors import InputError
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra import Map, Set, UnionSet
from hlsmem.polyhedra.sets import points
from hlsmem.program.model import Access, Filter, Program, Statement, Storage
from hlsmem.timing import undefined_values
from hlsmem.timing.undefined_values import ignores_first_values, without_undefined
from tests.programs import make_program

Point = tuple[str, int]
Element = tuple[str, int]

SIZE = 5
STORAGES = {
    "a": Storage.MEMORY,
    "b": Storage.MEMORY,
    "x": Storage.EXTERNAL,
    "y": Storage.EXTERNAL,
}


@dataclass(frozen=True)
class Form:
    """The element of an array that an instance i accesses."""

    array: str
    factor: int
    constant: int

    def at(self, i: int) -> Element:
        return self.array, self.factor * i + self.constant

    def text(self, name: str) -> str:
        return f"{{ {name}[i] -> {self.array}[{self.factor}*i + {self.constant}] }}"


@dataclass(frozen=True)
class Part:
    """A statement: its iterations, the nest that it is in, and its accesses."""

    low: int
    high: int
    nest: int
    reads: tuple[Form, ...]
    write: Form
    condition: Form | None


@dataclass(frozen=True)
class Small:
    """A program over a and b on chip, x from outside and y that outside sees.

    Elements of b from `kept` on are live after it.
    """

    parts: tuple[Part, ...]
    kept: int

    def named(self) -> Iterator[tuple[str, Part]]:
        return ((f"S{k}", part) for k, part in enumerate(self.parts))

    def program(self) -> Program:
        left = "; ".join(f"b[{element}]" for element in sorted(self.left()))
        found = make_program(
            values={},
            domains=[f"{{ {n}[i] : {p.low} <= i < {p.high} }}" for n, p in self.named()],
            schedules=[f"{{ {n}[i] -> [{p.nest}, i, {n[1:]}] }}" for n, p in self.named()],
            reads=[one.text(n) for n, p in self.named() for one in p.reads],
            writes=[p.write.text(n) for n, p in self.named()],
            live_in=["{ x[i] : -20 <= i <= 20 }"],
            live_out=[f"{{ {left} }}"] if left else [],
            planned=("a", "b"),
        )
        some_array = next(iter(found.arrays.values()))
        arrays = dict(found.arrays)
        for name, storage in STORAGES.items():
            arrays.setdefault(name, replace(some_array, name=name, storage=storage))
        parts = dict(self.named())
        statements = tuple(_guarded(one, parts[one.name].condition) for one in found.statements)
        return replace(found, statements=statements, arrays=arrays)

    def instances(self) -> list[Point]:
        """All instances, in their order."""
        found = [(p.nest, i, k, n) for k, (n, p) in enumerate(self.named()) for i in range(SIZE)]
        parts = dict(self.named())
        inside = (one for one in found if parts[one[3]].low <= one[1] < parts[one[3]].high)
        return [(name, i) for _, i, _, name in sorted(inside)]

    def left(self) -> set[int]:
        """The elements of b that are surely written, and live after the program."""
        parts = dict(self.named())
        sure = (parts[n].write.at(i) for n, i in self.instances() if not parts[n].condition)
        return {e for array, e in sure if array == "b" and self.kept <= e}


def _guarded(statement: Statement, condition: Form | None) -> Statement:
    if condition is None:
        return statement
    relation = Map(condition.text(statement.name)).intersect_domain(statement.domain)
    value = Map(f"{{ {statement.name}[i] -> [v] : v > 0 }}").intersect_domain(statement.domain)
    look = Access(array=condition.array, relation=relation)
    perhaps = tuple(replace(one, must=False) for one in statement.writes)
    return replace(statement, filters=(Filter(accesses=(look,), value=value),), writes=perhaps)


@dataclass(frozen=True)
class Meaning:
    """What values reach, by the definition: who reads what whom wrote, and what is needed."""

    undefined: frozenset[Point]
    readers: dict[Point, set[Point]]
    outputs: frozenset[Point]

    def reached(self, first: Iterable[Point]) -> set[Point]:
        found, left = set(first), [*first]
        while left:
            further = self.readers.get(left.pop(), set()) - found
            found |= further
            left += further
        return found

    @property
    def harmful(self) -> set[Point]:
        """The undefined instances that an output needs."""
        return {one for one in self.undefined if self.reached([one]) & self.outputs}


def meaning(small: Small) -> Meaning:
    """Instance by instance: the last sure write of an element, and possible ones since."""
    parts = dict(small.named())
    seen: dict[Element, list[Point | None]] = {}
    undefined, outputs = set[Point](), set[Point]()
    readers: dict[Point, set[Point]] = {}

    def sources(element: Element) -> list[Point | None]:
        return [None] if element[0] == "x" else seen.get(element, [])

    for name, i in small.instances():
        part, own = parts[name], (name, i)
        for form in (*part.reads, *([part.condition] if part.condition else [])):
            found = sources(form.at(i))
            if not found:
                undefined.add(own)
            for one in found:
                if one is not None:
                    readers.setdefault(one, set()).add(own)
        if part.condition:
            decides = sources(part.condition.at(i))
            outputs |= {one for one in decides if one is not None}
            if not decides:
                outputs.add(own)
        element = part.write.at(i)
        if element[0] == "y":
            outputs.add(own)
        before = sources(element) if part.condition else []
        seen[element] = [*before, own]
    for element in small.left():
        outputs |= {one for one in sources(("b", element)) if one is not None}
    return Meaning(frozenset(undefined), readers, frozenset(outputs))


def forms(arrays: str) -> some.SearchStrategy[Form]:
    return some.builds(
        Form,
        some.sampled_from(arrays),
        some.sampled_from([0, 1, 1, 1, -1]),
        some.integers(-1, SIZE),
    )


def parts() -> some.SearchStrategy[Part]:
    return some.builds(
        Part,
        low=some.integers(0, 2),
        high=some.integers(3, SIZE),
        nest=some.integers(0, 1),
        reads=some.lists(forms("aabbx"), max_size=2).map(tuple),
        write=forms("aaabbby"),
        condition=some.none() | some.none() | some.none() | forms("abx"),
    )


def instances_of(program: Program) -> set[Point]:
    return {(one.name, int(row[0])) for one in program.statements for row in points(one.domain)}


@given(
    some.builds(Small, some.lists(parts(), min_size=2, max_size=5).map(tuple), some.integers(0, 9))
)
def test_what_is_left_out_is_undefined_and_reaches_no_output(small: Small) -> None:
    program, truth = small.program(), meaning(small)
    found = without_undefined(program)
    gone = instances_of(program) - instances_of(found)
    expected = truth.reached(truth.undefined - truth.harmful)
    # A program of which nothing would be left keeps all of it, and is refused.
    stays = bool(expected) and expected == instances_of(program)
    assert gone == (set() if stays else expected)
    assert not gone & truth.outputs
    if not truth.undefined:
        assert found is program
    if truth.harmful or stays:
        with pytest.raises(InputError, match=r"is read before|writes it at"):
            storage_problems(found)
    elif found.statements:
        storage_problems(found)


@given(
    some.builds(Small, some.lists(parts(), min_size=2, max_size=5).map(tuple), some.integers(0, 9))
)
def test_first_values_are_ignored_where_no_output_needs_them(small: Small) -> None:
    """Those of state as those of what is not set at first."""
    program, truth = small.program(), meaning(small)
    assert ignores_first_values(program, {"a", "b"}) is not bool(truth.harmful)
    state = replace(program.arrays["a"], storage=Storage.STATE)
    every = UnionSet("{ a[i] : -20 <= i <= 20 }")
    kept = replace(
        program,
        arrays={**program.arrays, "a": state},
        live_in=program.live_in.union(every),
        live_out=program.live_out.union(every),
    )
    assert ignores_first_values(kept, {"a", "b"}) is not bool(truth.harmful)


def test_what_stays_beside_is_the_program_with_all_instances() -> None:
    program = vertical()
    found = without_undefined(program)
    assert found.with_undefined is program
    assert found.as_read is program
    left = {one.name: one.domain for one in found.statements}
    every = {one.name: one.domain for one in program.statements}
    assert [name for name in every if not left[name].is_equal(every[name])] == ["Shift", "Sum"]
    late = "[N, K] -> { Shift[t, i] : 0 <= t < N and 0 <= i < K - 1 and i + t >= K - 1 }"
    assert left["Shift"].is_equal(Set(late).intersect(every["Shift"]))


def vertical() -> Program:
    """A shift register of K values over N steps, whose sums are given from step K - 1 on."""
    return make_program(
        values={"N": 9, "K": 4},
        context="[N, K] -> { : N >= 1 and K >= 2 }",
        domains=[
            "[N, K] -> { Shift[t, i] : 0 <= t < N and 0 <= i < K - 1 }",
            "[N, K] -> { Take[t] : 0 <= t < N }",
            "[N, K] -> { Sum[t] : 0 <= t < N }",
            "[N, K] -> { Give[t] : K - 1 <= t < N }",
        ],
        schedules=[
            "{ Shift[t, i] -> [t, 0, i] }",
            "{ Take[t] -> [t, 1, 0] }",
            "{ Sum[t] -> [t, 2, 0] }",
            "{ Give[t] -> [t, 3, 0] }",
        ],
        reads=[
            "{ Shift[t, i] -> A[i + 1] }",
            "{ Sum[t] -> A[0] }",
            "{ Give[t] -> s[0] }",
        ],
        writes=[
            "{ Shift[t, i] -> A[i] }",
            "[K] -> { Take[t] -> A[K - 1] }",
            "{ Sum[t] -> s[0] }",
            "{ Give[t] -> out[t] }",
        ],
        planned=("A", "s"),
    )


def test_what_takes_too_long_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undefined_values, "_OPERATIONS", 10)
    program = vertical()
    assert without_undefined(program) is program
