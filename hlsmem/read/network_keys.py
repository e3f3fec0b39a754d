"""A process network: statements with domain, schedule, accesses and body as isl and C text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import Note
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.polyhedra import DimType
from hlsmem.program.model import Access, Array, Code, Mix, Statement, Storage
from hlsmem.read.array_keys import (
    check_array_names,
    check_tuple,
    declared_array,
    dimensions_of,
    refuse_elements,
    unknown_array,
    unnamed_range,
)
from hlsmem.read.body import read_body
from hlsmem.read.design_names import check_identifier
from hlsmem.read.design_schema import ArrayKeys, ProcessKeys, StatementKeys
from hlsmem.read.document import KeyPath
from hlsmem.read.filters import FilterDraft, check_values, read_filters
from hlsmem.read.texts import Texts, default_index, example_of, index_names


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkReading:
    """Arrays and statements in the order of the document, not restricted to the context."""

    arrays: Mapping[str, Array]
    statements: tuple[Statement, ...]
    time_dimensions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A statement whose accesses are not yet compared with the arrays."""

    statement: Statement
    keys: StatementKeys
    path: KeyPath
    filters: tuple[FilterDraft, ...]

    def accesses(self) -> list[tuple[KeyPath, str, Access]]:
        """Every access with its path and its isl text, those of filters last."""
        own = [
            ((*self.path, kind, position), getattr(self.keys, kind)[position], access)
            for kind in ("reads", "writes")
            for position, access in enumerate(getattr(self.statement, kind))
        ]
        return own + [one for draft in self.filters for one in draft.accesses()]


def read_network(
    network: Mapping[str, ProcessKeys],
    settings: Mapping[str, ArrayKeys],
    texts: Texts,
    code: Code | None = None,
) -> NetworkReading | None:
    """The arrays and statements of a network, whose bodies know what `code` declares.

    All problems go to `texts`; None where a statement could not be read at all.
    """
    check_array_names(settings, texts)
    before = len(texts.problems)
    _check_statement_names(network, texts)
    drafts = [
        draft
        for process, keys in network.items()
        for name in keys.statements
        if (draft := _draft(process, keys, name, texts)) is not None
    ]
    if not drafts and len(texts.problems) == before:
        source_location = texts.document.key_place("network")
        texts.problems.add("the network has no statements", "add a process", source_location)
    _check_time(drafts, texts)
    complete = len(drafts) == sum(len(keys.statements) for keys in network.values())
    if not complete or not drafts:
        return None
    arrays = _arrays(settings, drafts, texts)
    for draft in drafts:
        _check_accesses(draft, arrays, settings, texts)
    return NetworkReading(
        arrays=arrays,
        statements=tuple(_with_body(draft, texts, code) for draft in drafts),
        time_dimensions=drafts[0].statement.schedule.dim(DimType.out),
    )


def _check_statement_names(network: Mapping[str, ProcessKeys], texts: Texts) -> None:
    first: dict[str, KeyPath] = {}
    for process, keys in network.items():
        source_location = texts.document.key_place("network", process)
        check_identifier("process", process, source_location, texts.problems)
        for name in keys.statements:
            path = ("network", process, "statements", name)
            source_location = texts.document.key_place(*path)
            check_identifier("statement", name, source_location, texts.problems)
            if name in first:
                what = f"there are two statements {name!r}"
                note = Note("first written here", texts.document.key_place(*first[name]))
                texts.problems.add(what, "rename one of them", source_location, [note])
            first.setdefault(name, path)


def _draft(process: str, keys: ProcessKeys, name: str, texts: Texts) -> _Draft | None:
    path = ("network", process, "statements", name)
    statement = keys.statements[name]
    domain = texts.set(*path, "domain", what=f"the domain of {name!r}")
    if domain is not None and not _is_of(domain, name, texts, (*path, "domain")):
        domain = None
    # Schedule and accesses are looked at even so: they may be wrong as well.
    schedule = _schedule(domain, name, texts, (*path, "schedule"))
    reads, writes = (_accesses(domain, name, kind, statement, texts, path) for kind in _KINDS)
    filters = read_filters(name, statement, domain, texts, path)
    if domain is None or schedule is None or reads is None or writes is None or filters is None:
        return None
    latency = keys.latency if statement.latency is None else statement.latency
    return _Draft(
        keys=statement,
        path=path,
        filters=filters,
        statement=Statement(
            name=name,
            process=process,
            domain=domain,
            schedule=schedule,
            reads=reads,
            writes=writes,
            body=Mix(),
            iterators=_iterators(domain, statement.domain, name),
            latency=latency,
            source_location=texts.document.key_place(*path),
            filters=tuple(one.filter for one in filters),
        ),
    )


_KINDS = {"reads": "read", "writes": "write"}


def _is_of(instances: Any, name: str, texts: Texts, path: KeyPath) -> bool:
    """True if a set has the tuple of the statement."""
    found = instances.get_tuple_name() if instances.has_tuple_name() else None
    if found == name:
        return True
    shown = repr(found) if found else "an anonymous tuple"
    texts.problem(f"{shown} stands where {name!r} is meant", f"write {name}[...]", *path)
    return False


def _matches(relation: Any, domain: Any, name: str, texts: Texts, path: KeyPath) -> bool:
    """True if a relation starts at instances of the statement."""
    instances = relation.domain()
    if not _is_of(instances, name, texts, path):
        return False
    if domain is None:
        return True
    found, wanted = instances.dim(DimType.set), domain.dim(DimType.set)
    if found != wanted:
        what = f"{name!r} has {counted(wanted, 'dimension')}, but {found} stand here"
        texts.problem(what, "write the tuple of the domain", *path)
    return bool(found == wanted)


def _schedule(domain: Any, name: str, texts: Texts, path: KeyPath) -> Any:
    what = f"the schedule of {name!r}"
    schedule = texts.map(*path, what=what)
    if schedule is None or not _matches(schedule, domain, name, texts, path):
        return None
    schedule = unnamed_range(schedule)
    if domain is None:
        return schedule
    missing = domain.intersect_params(texts.parameters.context).subtract(schedule.domain())
    if not missing.is_empty():
        texts.problem(
            f"{what} gives no time to {example_of(missing, texts.parameters)}",
            "let it cover the whole domain",
            *path,
        )
    schedule = schedule.intersect_domain(domain)
    if not schedule.is_single_valued():
        texts.problem(f"{what} gives several times to one instance", "give one", *path)
    return schedule


def _accesses(
    domain: Any,
    name: str,
    kind: str,
    keys: StatementKeys,
    texts: Texts,
    path: KeyPath,
) -> tuple[Access, ...] | None:
    found = [
        _access(
            domain, name, f"{_KINDS[kind]} {position} of {name!r}", texts, (*path, kind, position)
        )
        for position in range(len(getattr(keys, kind)))
    ]
    known = tuple(access for access in found if access is not None)
    return known if len(known) == len(found) else None


def _access(domain: Any, name: str, what: str, texts: Texts, path: KeyPath) -> Access | None:
    relation = texts.map(*path, what=what)
    if relation is None or not _matches(relation, domain, name, texts, path):
        return None
    if not relation.has_tuple_name(DimType.out):
        texts.problem(f"{what} names no array", "write it like { S[i] -> A[i] }", *path)
        return None
    if domain is not None:
        relation = relation.intersect_domain(domain)
        if relation.is_empty():
            texts.problem(f"{what} never happens", "compare its domain with the statement's", *path)
        elif not relation.is_single_valued():
            texts.problem(
                f"{what} reaches several elements from one instance",
                "give one map for every element; names in the last tuple must stand in the first",
                *path,
            )
    array = relation.get_tuple_name(DimType.out)
    return Access(array=array, relation=relation, source_location=texts.place(*path))


def _iterators(domain: Any, text: str, name: str) -> tuple[str, ...]:
    dimensions = domain.dim(DimType.set)
    return index_names(text, name, dimensions) or default_index(dimensions)


def _check_time(drafts: list[_Draft], texts: Texts) -> None:
    """All schedules map into one time space."""
    for draft in drafts[1:]:
        first = drafts[0]
        found, wanted = (d.statement.schedule.dim(DimType.out) for d in (draft, first))
        if found != wanted:
            what = (
                f"the schedule of {draft.statement.name!r} has {counted(found, 'dimension')},"
                f" but that of {first.statement.name!r} has {wanted}"
            )
            note = Note("the other schedule", texts.place(*first.path, "schedule"))
            source_location = texts.place(*draft.path, "schedule")
            texts.problems.add(what, "pad the shorter one with zeros", source_location, [note])


def _arrays(
    settings: Mapping[str, ArrayKeys], drafts: list[_Draft], texts: Texts
) -> dict[str, Array]:
    """The declared arrays; what they leave open is taken from the first access."""
    accesses = [one for draft in drafts for one in draft.accesses()]
    arrays = {}
    for name, keys in settings.items():
        refuse_elements(name, keys, texts)
        declared = dimensions_of(name, keys, texts)
        mine = [(text, access) for _, text, access in accesses if access.array == name]
        if declared is None and not mine:
            source_location = texts.document.key_place("arrays", name)
            remedy = "remove it, or give its extents"
            texts.problems.add(f"no statement uses {name!r}", remedy, source_location)
            continue
        size = declared if declared is not None else mine[0][1].relation.dim(DimType.out)
        known = [names for text, _ in mine if (names := index_names(text, name, size))]
        arrays[name] = declared_array(
            name,
            keys,
            texts,
            index=known[0] if known else default_index(size),
            storage=Storage.MEMORY,
        )
    return arrays


def _check_accesses(
    draft: _Draft, arrays: Mapping[str, Array], settings: Mapping[str, ArrayKeys], texts: Texts
) -> None:
    statement = draft.statement
    for path, _, access in draft.accesses():
        if access.array in arrays:
            check_tuple(access.relation.range(), arrays[access.array], texts, path)
        elif access.array not in settings:
            unknown_array(access.array, settings, texts, path)
    check_values(statement, draft.filters, arrays, texts)
    if not statement.reads and not statement.writes:
        what = f"{statement.name!r} neither reads nor writes"
        texts.problems.add(what, "add reads or writes", statement.source_location)
    written = [access.array for access in statement.writes]
    for position, array in enumerate(written):
        path = (*draft.path, "writes", position)
        if array in written[:position]:
            remedy = "split the statement, so that every write is one beat"
            first = Note("the first write", statement.writes[written.index(array)].source_location)
            what = f"{statement.name!r} writes {array!r} twice"
            texts.problems.add(what, remedy, texts.place(*path), [first])
        if draft.keys.body is not None and array in _operands(statement):
            what = f"{array!r} is the name of a result and of an operand of {statement.name!r}"
            texts.problem(what, "rename the array", *path)


def _operands(statement: Statement) -> list[str]:
    return [f"a{position}" for position in range(len(statement.reads))]


def _with_body(draft: _Draft, texts: Texts, code: Code | None) -> Statement:
    if draft.keys.body is None:
        return draft.statement
    results = [access.array for access in draft.statement.writes]
    operands = len(draft.statement.reads)
    iterators = draft.statement.iterators
    body = read_body(texts, (*draft.path, "body"), operands, results, iterators, code)
    return replace(draft.statement, body=body)
