"""Dataclasses of ours do what those of the library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from hlsmem import values

Decorator = Callable[..., Any]


@values.dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """It crosses processes: pickle finds it by its name."""

    a: int
    b: tuple[int, ...] = ()
    c: dict[int, int] = field(default_factory=dict, compare=False)


def classes_of(dataclass: Decorator) -> dict[str, Any]:
    """The same classes by either decorator."""

    @dataclass
    class Plain:
        a: int
        b: list[int] = field(default_factory=list)

        def __post_init__(self) -> None:
            self.b = [*self.b, self.a]

    @dataclass(frozen=True, slots=True)
    class Frozen:
        a: int
        b: str = field(default="b", repr=False)
        c: int = field(default=3, compare=False)
        d: int = field(default=4, init=False)

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Derived(Frozen):
        e: int = 5
        f: tuple[int, ...] = field(default_factory=lambda: (6,))

    @dataclass(frozen=True, slots=True)
    class Nothing:
        pass

    @dataclass(frozen=True, slots=True, eq=False)
    class Itself:
        a: int

    @dataclass(frozen=True, slots=True, repr=False)
    class Own:
        a: int

        def __repr__(self) -> str:
            return f"<{self.a}>"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and self.a % 2 == other.a % 2

        def __hash__(self) -> int:
            return self.a % 2

    @dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        a: int
        b: int

    every = (Plain, Frozen, Derived, Nothing, Itself, Own, Ordered)
    return {one.__name__: one for one in every}


OURS, THEIRS = classes_of(values.dataclass), classes_of(dataclasses.dataclass)
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Plain", (1,), {}),
    ("Plain", (1, [2]), {}),
    ("Plain", (1,), {"b": [2]}),
    ("Plain", (), {}),
    ("Frozen", (1,), {}),
    ("Frozen", (1, "x"), {"c": 7}),
    ("Frozen", (2, "b", 3), {}),
    ("Frozen", (1,), {"d": 2}),
    ("Derived", (1,), {"e": 2}),
    ("Derived", (1,), {"f": ()}),
    ("Derived", (1, "b", 3, 4), {}),
    ("Nothing", (), {}),
    ("Nothing", (1,), {}),
    ("Itself", (1,), {}),
    ("Own", (1,), {}),
    ("Own", (3,), {}),
    ("Ordered", (1, 2), {}),
    ("Ordered", (1, 1), {}),
]


def outcome(work: Callable[[], Any]) -> Any:
    """What work returns, or the kind of its error."""
    try:
        return work()
    except Exception as error:
        return type(error)


def made(classes: dict[str, Any]) -> list[Any]:
    return [
        outcome(lambda name=name, given=given, named=named: classes[name](*given, **named))  # type: ignore[misc]
        for name, given, named in CALLS
    ]


def seen(one: Any, others: list[Any]) -> list[Any]:
    """All that can be said of a value, without its identity."""
    if isinstance(one, type):
        return [one]
    fields = dataclasses.fields(one)
    held = [getattr(one, field.name) for field in fields]
    is_hashed_by_fields = type(one).__hash__ not in (None, object.__hash__)
    return [
        [field.name for field in fields],
        held,
        repr(one).rsplit(".", 1)[-1] if type(one).__name__ != "Itself" else "",
        type(one).__match_args__,
        hasattr(one, "__dict__"),
        [one == other for other in others],
        [outcome(lambda other=other: one < other) for other in others],  # type: ignore[misc]
        [is_hashed_by_fields and hash(one) == hash(other) for other in others if one == other],
        outcome(lambda: hash(one) and 0),
        isinstance(outcome(lambda: setattr(copy.copy(one), "a", 8)), type),
        isinstance(outcome(lambda: delattr(copy.copy(one), "a")), type),
        outcome(lambda: dataclasses.replace(one, a=9).a),
        outcome(lambda: dataclasses.asdict(copy.copy(one))),
        outcome(lambda: [getattr(copy.deepcopy(one), field.name) for field in fields]),
    ]


def test_values_are_those_of_the_library() -> None:
    ours, theirs = made(OURS), made(THEIRS)
    for (name, given, named), one, other in zip(CALLS, ours, theirs, strict=True):
        assert seen(one, ours) == seen(other, theirs), (name, given, named)


def test_a_value_that_crosses_processes_is_the_same() -> None:
    sent = Sent(a=1, b=(2,), c={3: 4})
    received = pickle.loads(pickle.dumps(sent))
    assert received == sent
    assert received.c == sent.c


def test_what_is_missing_is_named() -> None:
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'a'"):
        Sent()  # type: ignore[call-arg]
    with pytest.raises(dataclasses.FrozenInstanceError, match="'a'"):
        Sent(a=1).a = 2  # type: ignore[misc]


def test_a_class_is_compiled_at_its_first_value_and_once() -> None:
    """Loading a class is to cost no compiling: of most that a plan loads there is no value."""
    loaded = classes_of(values.dataclass)["Frozen"]
    before = loaded.__init__
    loaded(1)
    after = loaded.__init__
    loaded(2)
    assert before.__code__.co_filename == values.__file__
    assert after.__code__.co_filename != values.__file__
    assert loaded.__init__ is after
