"""The sources of one read, with parameters where conditions decide.

Instances are those of nests. Parameters of a writer P are beta_P, lam_P_d (dimension d) and,
while it goes on, sig_P: how many outer loops the last P that ran has in common with the read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.memoized import set_of
from hlsmem.polyhedra.relations import dimension_names
from hlsmem.polyhedra.sets import involves_parameter, without_parameters
from hlsmem.studies.dataflow.condition import Fact, contradictions, implied, not_run
from hlsmem.studies.dataflow.last_writes import (
    Reader,
    Writer,
    at_level,
    last_of,
    later,
    none_of,
    writes_before,
)
from hlsmem.studies.dataflow.sources import Control, Flow, Kind, Parameter, Source, Step


def sources_of(reader: Reader, writers: Sequence[Writer], *, control: Control) -> Flow:
    """The flow into a read, by LEAST or STRICT; relations are those of nests."""
    return _Search(reader, writers, control).flow()


@dataclass(slots=True)
class _Last:
    """Scope of the parameters of a writer: levels from `level`, dimensions `kept`."""

    level: int
    kept: tuple[int, ...]


class _Search:
    def __init__(self, reader: Reader, writers: Sequence[Writer], control: Control) -> None:
        self.reader = reader
        self.writers = {one.nest.name: one for one in writers}
        self.control = control
        self.depth = reader.nest.depth
        self.domain = reader.read.domain()
        self.memory = {name: writes_before(reader, one) for name, one in self.writers.items()}
        self.loose = {name: self._loose(name) for name in self.writers}
        self.introduced: dict[str, _Last] = {}
        self.inputs: set[str] = set()
        self.steps = list[Step]()

    def _loose(self, name: str) -> tuple[int, ...]:
        """Dimensions in which the writes before a read differ, by loops around the condition."""
        writer = self.writers[name]
        together = reduce(lambda a, b: a.union(b), self.memory[name])
        found = []
        for at in range(min(writer.nest.depth, writer.condition.loops)):
            size = together.dim(DimType.out)
            alone = together.project_out(DimType.out, at + 1, size - at - 1)
            if not alone.project_out(DimType.out, 0, at).is_single_valued():
                found.append(at)
        return tuple(found)

    def _from(self, name: str, level: int) -> Any:
        """The writes before the read of at least so many equal loops."""
        return reduce(lambda a, b: a.union(b), self.memory[name][level:])

    def _sigma(self, name: str, comparison: str, level: int) -> Any:
        sigma = f"sig_{name}"
        return set_of(f"[{sigma}] -> {{ : {sigma} {comparison} {level} }}")

    def _kept(self, name: str, level: int) -> tuple[int, ...]:
        return tuple(at for at in self.loose[name] if at >= level)

    def _last(self, name: str, kept: Sequence[int]) -> Any:
        """{ P[..] }: instances with the iterators that parameters say."""
        size = self.memory[name][0].dim(DimType.out)
        iterators = dimension_names("i", size)
        parameters = [f"lam_{name}_{at}" for at in kept]
        same = [f"{iterators[at]} = lam_{name}_{at}" for at in kept]
        text = f"{name}[{', '.join(iterators)}] : {' and '.join(same) or 'true'}"
        return set_of(f"[{', '.join(parameters)}] -> {{ {text} }}")

    def _ran_last(self, name: str, level: int, kept: Sequence[int]) -> Any:
        """The last of a writer that ran, at a level from `level` on."""
        return self._last(name, kept).intersect_params(self._sigma(name, ">=", level))

    def flow(self) -> Flow:
        """All levels, innermost first."""
        final: dict[str, Any] = {}
        left = self.domain
        for level in range(self.depth, -1, -1):
            found: dict[str, Any] = {}
            for name in at_level(self.reader, self.writers, self.memory, level):
                memory = self.memory[name][level]
                relation, left = self._resolve(name, memory.intersect_domain(left), left, level)
                for other, known in list(found.items()):
                    order = later(self.writers[name].nest, self.writers[other].nest)
                    behind = memory.intersect(known.apply_range(order))
                    more, without = self._resolve(name, behind, known.domain(), level)
                    relation = relation.union(more)
                    found[other] = known.intersect_domain(without)
                found[name] = relation.coalesce()
            for name, relation in found.items():
                final[name] = final[name].union(relation) if name in final else relation
        return self._finish(final, left)

    def _resolve(self, name: str, memory: Any, domain: Any, level: int) -> tuple[Any, Any]:
        """The last of the writes in `memory` for reads in `domain`, and reads without one."""
        writer = self.writers[name]
        memory = memory.intersect_domain(domain)
        if domain.is_empty():
            return none_of(memory), domain
        kind, facts = self._kind(name, memory, domain, level)
        self.steps.append(Step(statement=name, level=level, kind=kind))
        if kind is Kind.EMPTY:
            return none_of(memory), domain
        if kind in (Kind.NONE, Kind.OUTPUT):
            relation = last_of(memory, writer)
            if kind is Kind.OUTPUT and self.control is Control.STRICT:
                kept = self._introduce(name, level)
                relation = relation.intersect_range(self._ran_last(name, level, kept))
            return relation, domain.subtract(memory.domain())
        self.inputs.add(name)
        kept = self._introduce(name, level)
        last = self._ran_last(name, level, kept)
        reached = self._from(name, level)
        possible = domain.intersect_params(self._sigma(name, "<", level))
        for inner in range(level, self.depth + 1):
            there = self.memory[name][inner].intersect_range(self._last(name, kept)).domain()
            possible = possible.union(there.intersect_params(self._sigma(name, "=", inner)))
        values = implied(facts, memory, writer.condition)
        sure = memory.subtract(values.apply_range(writer.condition.fails.reverse()))
        covered = reached.intersect_range(last)
        covered = covered.apply_range(Map.lex_ge(covered.range().get_space()))
        possible = possible.subtract(sure.subtract(covered).domain())
        possible = self._consistent(name, possible, domain, level)
        chosen = domain.intersect(memory.domain()).intersect(possible)
        others = domain.subtract(memory.domain())
        if involves_parameter(others, f"sig_{name}"):
            absent = others.subtract(self.memory[name][level].domain())
            others = others.subtract(absent.intersect_params(self._sigma(name, "=", level)))
        memory = memory.intersect_range(last)
        everything = chosen.union(others).coalesce()
        memory = memory.intersect_domain(everything)
        relation = last_of(memory, writer)
        return relation, everything.subtract(memory.domain()).coalesce()

    def _introduce(self, name: str, level: int) -> tuple[int, ...]:
        kept = self._kept(name, level)
        self.introduced[name] = _Last(level, kept)
        return kept

    def _kind(self, name: str, memory: Any, domain: Any, level: int) -> tuple[Kind, list[Fact]]:
        condition = self.writers[name].condition
        facts = list(self.reader.condition.filters)
        if memory.is_empty() or not condition.filters:
            return Kind.NONE, facts
        if memory.range().is_disjoint(condition.filtered):
            return Kind.NONE, facts
        known = implied(facts, memory, condition)
        if _is_disjoint(memory, known, condition.runs):
            return Kind.EMPTY, facts
        if _is_disjoint(memory, known, condition.fails):
            return Kind.NONE, facts
        facts = facts + self._absences(name, memory, domain, level, facts)
        known = implied(facts, memory, condition)
        if _is_disjoint(memory, known, condition.runs):
            return Kind.EMPTY, facts
        if _is_disjoint(memory, known, condition.fails):
            return Kind.OUTPUT, facts
        return Kind.INPUT, facts

    def _partners(self, name: str, domain: Any) -> list[str]:
        """Other writers whose parameters the reads of a step depend on already."""
        return [
            other
            for other in self.introduced
            if other != name and involves_parameter(domain, f"sig_{other}")
        ]

    def _absences(
        self, name: str, memory: Any, domain: Any, level: int, facts: list[Fact]
    ) -> list[Fact]:
        """Facts that follow since other writers did not run."""
        found = list[Fact]()
        reads = domain.intersect(memory.domain())
        for other in self._partners(name, domain):
            absent = self._absent(other, level).intersect_domain(reads)
            found += not_run(facts + found, absent, self.writers[other].condition)
        return found

    def _present(self, name: str, level: int) -> Any:
        """The writes before a read that ran for sure, by the parameters of their statement."""
        last = self.introduced[name]
        level = max(level, last.level)
        return self._from(name, level).intersect_range(self._ran_last(name, level, last.kept))

    def _absent(self, name: str, level: int) -> Any:
        """The writes before a read that did not run for sure."""
        level = max(level, self.introduced[name].level)
        present = self._present(name, level)
        passed = present.apply_range(Map.lex_ge(present.range().get_space()))
        return self._from(name, level).subtract(passed)

    def _consistent(self, name: str, reads: Any, domain: Any, level: int) -> Any:
        """The reads at which no two statements would need different values of a condition."""
        condition = self.writers[name].condition
        own = self.reader.condition
        identity = Map.identity(self.domain.get_space().map_from_set()).intersect_domain(reads)
        others = [(own, True, identity)] if own.filters else []
        for other in self._partners(name, domain):
            theirs = self.writers[other].condition
            others.append((theirs, True, self._present(other, level)))
            others.append((theirs, False, self._absent(other, level)))
        for ran, mine in ((True, self._present(name, level)), (False, self._absent(name, level))):
            for theirs, did, relation in others:
                wrong = contradictions(condition, ran, theirs, did)
                if wrong is None or wrong.is_empty():
                    continue
                both = mine.intersect_domain(reads).range_product(relation)
                reads = reads.subtract(both.intersect_range(wrong).domain())
        return reads.coalesce()

    def _finish(self, final: dict[str, Any], left: Any) -> Flow:
        relations = {name: one for name, one in final.items() if not one.is_empty()}
        for name in self.introduced:
            clause = self._clause(name)
            if name in self.inputs:
                relations = {one: rel.intersect_domain(clause) for one, rel in relations.items()}
                left = left.intersect(clause)
            elif name in relations:
                relations[name] = relations[name].intersect_domain(clause)
        hidden = [f"sig_{name}" for name in self.introduced]
        relations = {
            name: without_parameters(one, hidden).coalesce() for name, one in relations.items()
        }
        relations = {name: one for name, one in relations.items() if not one.is_empty()}
        left = without_parameters(left, hidden).coalesce()
        return Flow(
            sources=tuple(
                Source(
                    statement=name,
                    relation=one,
                    lowest_level=self.introduced[name].level if name in self.introduced else None,
                )
                for name, one in relations.items()
            ),
            no_source=left,
            parameters=self._parameters([*relations.values(), left]),
            steps=tuple(self.steps),
        )

    def _clause(self, name: str) -> Any:
        """The reads at which the parameters of a writer can have their values."""
        last = self.introduced[name]
        beta = f"beta_{name}"
        none = Set(f"[{beta}] -> {{ : {beta} = 0 }}").intersect(self._sigma(name, "<", last.level))
        one = Set(f"[{beta}] -> {{ : {beta} = 1 }}")
        result = self.domain.intersect_params(none)
        for level in range(last.level, self.depth + 1):
            there = self.memory[name][level].intersect_range(self._last(name, last.kept)).domain()
            there = there.intersect_params(one.intersect(self._sigma(name, "=", level)))
            result = result.union(there)
        return result

    def _parameters(self, relations: Sequence[Any]) -> tuple[Parameter, ...]:
        """The parameters that some relation depends on."""
        found = []
        for name, last in self.introduced.items():
            nest = self.writers[name].nest
            all_of = [Parameter(name=f"beta_{name}", statement=name, level=last.level)]
            all_of += [
                Parameter(
                    name=f"lam_{name}_{at}",
                    statement=name,
                    level=last.level,
                    loop=nest.loops[at],
                    dimension=at,
                )
                for at in last.kept
            ]
            found += [
                one for one in all_of if any(involves_parameter(rel, one.name) for rel in relations)
            ]
        return tuple(found)


def _is_disjoint(relation: Any, known: Any, values: Any) -> bool:
    """True if no pair k -> t has a value that is both in known(k) and in values(t)."""
    return bool(relation.intersect(known.apply_range(values.reverse())).is_empty())
