"""Statements of a network whose streams would have names of others: they get a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from hlsmem.core.errors import Problem
from hlsmem.polyhedra import DimType
from hlsmem.program.model import Access, Array, Statement, Storage
from hlsmem.read.design_names import name_of_statement, numbers_behind
from hlsmem.read.design_schema import DesignKeys
from hlsmem.read.schedule import Timing


def other_names(statements: Sequence[Statement], arrays: Mapping[str, Array]) -> dict[str, str]:
    """The names of statements that are called otherwise in what is planned.

    No two streams `<s or m>_<array>_<statement>` are alike, nor like those of what is live before
    and after, `s_<array>_fill` and `m_<array>_drain`; and a statement is called neither like a
    stream, `X_in` nor `X_out`, which statements of our own are.
    """
    stored = (Storage.MEMORY, Storage.STATE)
    live = [one.name for one in arrays.values() if one.storage in stored]
    passing = [one.name for one in arrays.values() if one.storage is Storage.STREAM]
    taken = {name for one in live for name in (f"s_{one}_fill", f"m_{one}_drain")}
    for one in passing:
        taken |= {f"{one}_in", f"{one}_out", f"s_{one}_{one}_in", f"m_{one}_{one}_out"}
    known = {one.name for one in statements}
    found = {}
    for statement in statements:
        names = (name for name in numbers_behind(statement.name) if name not in known)
        found[statement.name] = name_of_statement(
            chain([statement.name], names), _beginnings(statement), taken
        )
    return {own: here for own, here in found.items() if own != here}


def _beginnings(statement: Statement) -> list[str]:
    """Prefixes of the names of a statement's streams, those of predicate reads included."""
    own = [f"s_{one.array}" for one in statement.writes]
    own += [f"m_{one.array}" for one in statement.reads]
    return own + [f"m_{one.array}_{name}" for one in statement.looked for name in own]


def renamed(statements: Sequence[Statement], new: Mapping[str, str]) -> tuple[Statement, ...]:
    """The statements with `new` names."""
    return tuple(_renamed(one, new[one.name]) if one.name in new else one for one in statements)


def times_renamed(timing: Timing | None, new: Mapping[str, str]) -> Timing | None:
    """The times with `new` names of the statements."""
    if timing is None:
        return None
    times = {name: _from(one, new.get(name, name)) for name, one in timing.schedules.items()}
    schedules = {new.get(name, name): one for name, one in times.items()}
    return replace(timing, schedules=schedules)


def keys_renamed(keys: DesignKeys, new: Mapping[str, str]) -> DesignKeys:
    """Settings of a design on statements, by their `new` names."""

    def moved(given: Any) -> Any:
        return {new.get(name, name): one for name, one in given.items()}

    host, pipeline = keys.host, keys.pipeline
    if not isinstance(host.tile, str):
        host = host.model_copy(update={"tile": moved(host.tile)})
    moved_keys = {key: moved(getattr(pipeline, key)) for key in ("latency", "recurrence")}
    pipeline = pipeline.model_copy(update=moved_keys)
    return keys.model_copy(update={"host": host, "pipeline": pipeline})


def remarks(statements: Sequence[Statement], new: Mapping[str, str]) -> Iterator[Problem]:
    """A remark on each statement that is called otherwise in what is planned."""
    for one in statements:
        if one.name in new:
            what = f"{one.name!r} is called {new[one.name]!r} in what is planned: a stream would"
            what += " have the name of another"
            yield Problem(what, "settings go by its own name", one.source_location)


def _renamed(statement: Statement, name: str) -> Statement:
    def moved(accesses: Sequence[Access]) -> tuple[Access, ...]:
        return tuple(replace(one, relation=_from(one.relation, name)) for one in accesses)

    return replace(
        statement,
        name=name,
        domain=statement.domain.set_tuple_name(name),
        schedule=_from(statement.schedule, name),
        reads=moved(statement.reads),
        writes=moved(statement.writes),
        filters=tuple(
            replace(one, accesses=moved(one.accesses), value=_from(one.value, name))
            for one in statement.filters
        ),
    )


def _from(relation: Any, name: str) -> Any:
    return relation.set_tuple_name(DimType.in_, name)
