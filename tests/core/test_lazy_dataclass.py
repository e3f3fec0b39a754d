"""Dataclasses of hlsmem behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from hlsmem.core import lazy_dataclass as values

MAKERS: tuple[Any, Any] = (dataclasses.dataclass, values.dataclass)


def _plain(maker: Any) -> type:
    @maker(frozen=True, slots=True)
    class Plain:
        first: int
        second: tuple[int, ...] = ()

    return Plain


def _named(maker: Any) -> type:
    @maker(frozen=True, slots=True, kw_only=True)
    class Named:
        """Documented."""

        KIND: ClassVar[str] = "named"
        first: int
        found: dict[str, int] = dataclasses.field(default_factory=dict, compare=False)
        second: int = dataclasses.field(default=7, repr=False)
        third: Any = dataclasses.field(default=None, hash=False)

    return Named


def _changing(maker: Any) -> type:
    @maker(slots=True)
    class Changing:
        first: int
        second: list[int] = dataclasses.field(default_factory=list)

    return Changing


def _checked(maker: Any) -> type:
    @maker(frozen=True)
    class Checked:
        first: int
        second: int = 0

        def __post_init__(self) -> None:
            if self.first < self.second:
                raise ValueError(f"{self.first} is below {self.second}")

        def __repr__(self) -> str:
            return f"<{self.first}>"

    return Checked


def _derived(maker: Any) -> type:
    @maker(frozen=True, slots=True, kw_only=True)
    class Derived(_plain(maker)):  # type: ignore[misc]
        first: int
        third: int = 3

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self)) and self.third == other.third

    return Derived


def _same(maker: Any) -> type:
    @maker(frozen=True, eq=False, repr=False)
    class Same:
        first: int

    return Same


def _ordered(maker: Any) -> type:
    @maker(frozen=True, slots=True, order=True)
    class Ordered:
        first: int

    return Ordered


FORMS = (_plain, _named, _changing, _checked, _derived, _same, _ordered)
CALLS: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((), {}),
    ((1,), {}),
    ((1, 2), {}),
    ((1, 2, 3), {}),
    ((2,), {"second": 1}),
    ((), {"first": 1}),
    ((), {"first": 1, "found": {"a": 1}, "third": [1]}),
    ((), {"first": 1, "third": 4}),
    ((), {"first": 1, "unknown": 4}),
)


def _outcome(ask: Callable[[], Any]) -> Any:
    """The answer, or the kind of error and its message without the names of classes and places."""
    try:
        return ask()
    except Exception as error:
        return type(error), str(error).split("__init__", maxsplit=1)[-1]


def _facts(cls: Any) -> list[Any]:
    """What instances of all calls answer."""
    made = [_outcome(lambda a=a, n=n: cls(*a, **n)) for a, n in CALLS]  # type: ignore[misc]
    some = [one for one in made if isinstance(one, cls)]
    assert some
    return [
        [_shown(one) for one in made],
        [[a == b for b in some] for a in some],
        [isinstance(h := _outcome(lambda a=a: hash(a)), int) or h for a in some],  # type: ignore[misc]
        [[_outcome(lambda a=a, b=b: hash(a) == hash(b)) for b in some] for a in some],  # type: ignore[misc]
        [_outcome(lambda a=a: _shown(dataclasses.replace(a, first=9))) for a in some],  # type: ignore[misc]
        [dataclasses.asdict(one) for one in some],
        [_shown(copy.deepcopy(one)) for one in some],
        [_outcome(lambda a=a: setattr(a, "first", 5)) for a in some],  # type: ignore[misc]
        [_outcome(lambda a=a: delattr(a, "second")) for a in some],  # type: ignore[misc]
        [one != 1 for one in some],
        cls.__match_args__,
        "__slots__" in vars(cls),
    ]


def _shown(one: Any) -> Any:
    return [getattr(one, f.name) for f in dataclasses.fields(one)] if _is_ours(one) else one


def _is_ours(one: Any) -> bool:
    return dataclasses.is_dataclass(one) and not isinstance(one, type)


@pytest.mark.parametrize("form", FORMS)
def test_a_class_is_as_the_standard_one(form: Callable[[Any], type]) -> None:
    standard, own = (form(maker) for maker in MAKERS)
    assert _facts(own) == _facts(standard)


@pytest.mark.parametrize("form", [form for form in FORMS if form is not _same])
def test_a_value_is_written_as_the_standard_one(form: Callable[[Any], type]) -> None:
    standard, own = (form(maker)(first=4) for maker in MAKERS)
    assert repr(own) == repr(standard)


@values.dataclass(frozen=True, slots=True)
class Stored:
    """In a module, as pickle needs it."""

    first: int
    second: str = "b"


def test_a_value_is_the_same_behind_a_file() -> None:
    assert pickle.loads(pickle.dumps(Stored(1))) == Stored(1)


def test_methods_are_compiled_at_their_first_call() -> None:
    cls = _plain(values.dataclass)
    before = cls.__init__  # type: ignore[misc]
    assert cls(1) == cls(1, ())
    assert cls.__init__ is not before  # type: ignore[misc]
    assert cls.__init__.__code__.co_varnames == ("self", "first", "second")  # type: ignore[misc]
