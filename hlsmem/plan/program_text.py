"""The program that a plan is of, as plan.json has it: isl texts that need nothing beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.rewrites import Unrolled
from hlsmem.core.source_location import SourceLocation
from hlsmem.program.model import Access, Copy, Program, Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Bytes [start, end) of a file that something stands in, what brought it from there to where
    it runs (`via`), and the values that variables have there (`substitution`)."""

    file: str
    start: int
    end: int
    via: tuple[str, ...] = ()
    substitution: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessText:
    """An access: `kind` is read, write, may-read or may-write, the latter two by data, or look.

    `operand` numbers the reads of an array. A look is by a filter, and no operand.
    """

    array: str
    kind: str
    map: str
    operand: int | None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterText:
    """A filter: `value` are the values with which instances run, an entry for each look.

    The predicate reads of all filters of a statement stand among its accesses one behind the other.
    """

    entries: int
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementText:
    """A statement; `role` is compute, or arrival or departure of a stream, `latency` the cycles of
    its datapath."""

    process: str
    role: str
    domain: str
    schedule: str
    accesses: tuple[AccessText, ...]
    filters: tuple[FilterText, ...] = ()
    latency: int = 1
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramText:
    """Texts from which the conflicts of a program follow.

    `time` are the entries of a time, `step` the leading ones that make a step where the order is
    by iteration, `capacity` is schedule, or selftimed where FIFOs and windows hold what processes
    need that run by themselves, `control` is skip where streams pass over instances that do not
    run, `lanes` the factors of unrolled loops, whose entries stand behind those of the step.
    `live_in` and `live_out` are elements by array.
    """

    order: str
    time: int
    step: int
    lanes: tuple[int, ...] = ()
    strict: bool = False
    slack: int = 0
    capacity: str = "schedule"
    control: str = "predicate"
    live_in: Mapping[str, str] = field(default_factory=dict)
    live_out: Mapping[str, str] = field(default_factory=dict)
    statements: Mapping[str, StatementText] = field(default_factory=dict)


def program_text(
    program: Program,
    *,
    strict: bool = False,
    slack: int = 0,
    capacity: str = "schedule",
    has_origins: bool = False,
) -> ProgramText:
    """The texts of a program whose streams are statements already.

    Where processes run by themselves their processes are those (`Program.selftimed_process`).
    Statements and accesses that have a place in the user's text get it with `has_origins`.
    """
    is_selftimed = capacity == "selftimed"
    return replace(
        rules_of(program, strict=strict, slack=slack),
        capacity=capacity,
        live_in=dict(_by_array(program.live_in)),
        live_out=dict(_by_array(program.live_out)),
        statements={
            one.name: _statement_text(
                one, program.selftimed_process(one) if is_selftimed else one.process, has_origins
            )
            for one in program.statements
        },
    )


def rules_of(program: Program, *, strict: bool = False, slack: int = 0) -> ProgramText:
    """Rules of the times of a program, without its texts."""
    return ProgramText(
        order=program.order.value,
        time=program.time_dimensions,
        step=program.step_dimensions,
        lanes=program.lanes,
        strict=strict,
        slack=slack,
        control="skip" if program.skips else "predicate",
    )


def _by_array(elements: Any) -> Iterator[tuple[str, str]]:
    """(array, its elements) of a union of sets, by name."""
    sets = elements.get_set_list()
    found = [sets.get_at(k) for k in range(sets.n_set())]
    return iter(sorted((one.get_tuple_name(), str(one)) for one in found))


def _statement_text(statement: Statement, process: str, has_origins: bool) -> StatementText:
    role = "compute"
    if isinstance(statement.body, Copy):
        role = "arrival" if statement.writes else "departure"
    return StatementText(
        process=process,
        role=role,
        domain=str(statement.domain),
        schedule=str(statement.schedule),
        accesses=tuple(_accesses(statement, has_origins)),
        filters=tuple(
            FilterText(entries=len(one.accesses), value=str(one.value)) for one in statement.filters
        ),
        latency=statement.latency,
        origin=_origin(statement.source_location) if has_origins else None,
    )


def _origin(place: SourceLocation | None) -> Origin | None:
    if place is None or not place.stop:
        return None
    turns = [one for one in place.through if isinstance(one, Unrolled)]
    return Origin(
        file=place.file,
        start=place.start,
        end=place.stop,
        via=tuple(type(one).__name__.lower() for one in place.through),
        substitution={one.variable: one.value for one in turns},
    )


def _accesses(statement: Statement, has_origins: bool) -> Iterator[AccessText]:
    numbers: Counter[str] = Counter()
    for access in statement.reads:
        kind = "may-read" if access.chosen else "read"
        yield _access(access, kind, numbers[access.array], has_origins)
        numbers[access.array] += 1
    for access in statement.writes:
        yield _access(access, "write" if access.must else "may-write", None, has_origins)
    for access in statement.looked:
        yield _access(access, "look", None, has_origins)


def _access(access: Access, kind: str, operand: int | None, has_origins: bool) -> AccessText:
    return AccessText(
        array=access.array,
        kind=kind,
        map=str(access.relation),
        operand=operand,
        origin=_origin(access.source_location) if has_origins else None,
    )
