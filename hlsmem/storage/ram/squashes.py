"""Streams whose instances may not run: what a beat's address generator looks at before it is
offered.

The elements that the filters of a statement look at come on read streams of their arrays, which end
here. What was seen, with the loops of the address generator, says whether the instance runs; one
that does not moves the address generator on in a cycle, behind the same gates as a beat, so that
gates that rest on others stay right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hlsmem.addressing.address_generator import AddressGenerator, bits_for
from hlsmem.addressing.loop_forms import TRUE, Affine, Condition, Test, Value, condition_of
from hlsmem.addressing.loop_visits import simplified_condition
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.constraints import rows
from hlsmem.polyhedra.enclosing_instances import bind
from hlsmem.polyhedra.generated_loops import condition
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Filter, Program, Statement
from hlsmem.program.predicate_reads import (
    PREDICATE,
    Newest,
    PredicateRead,
    beats_of,
    newest,
    predicate_reads_of,
)
from hlsmem.verilog.verilog_ports import padded_bits
from hlsmem.verilog.verilog_text import literal, output_range, resized


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A read stream of a condition array that ends here: `operands` elements of `bits` a beat.

    `needed` is the address generator condition under which there is a beat for an instance, None:
    always.
    """

    name: str
    array: str
    operands: int
    bits: int
    is_signed: bool
    needed: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """sum of factor * value + form >= 0, or == 0 where `equal`.

    `factors` are by (stream, operand); `form` is an output of the address generator or a constant.
    """

    factors: tuple[tuple[int, int, int], ...]
    form: str | int
    equal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A filter: instances that `when` holds for, None: all, run where one of `ways` holds whole.

    A way is terms in the values, and address generator conditions. Where `restart` is not None the
    elements that instances before looked at count too: what holds is kept in a register, but for
    the instances of that condition, which begin anew.
    """

    when: str | None
    ways: tuple[tuple[tuple[Term, ...], tuple[str, ...]], ...]
    restart: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Squash:
    """The test whether the instances of a stream run."""

    seen: tuple[Seen, ...]
    asked: tuple[Asked, ...]


def squash_of(
    program: Program,
    stream: BeatStream,
    outputs: dict[str, Value],
    conditions: dict[str, Condition],
) -> Squash | None:
    """The filter of a stream, with the outputs of its address generator for it; None where all its
    instances run, or beats say themselves whether they do.

    Raises InputError where the values that let an instance run are nothing for a comparison.
    """
    own = next((one for one in program.statements if one.name == stream.statement), None)
    if own is None or not own.looks_apart:
        return None
    return _Maker(program, own, stream, outputs, conditions).squash()


class _Maker:
    def __init__(
        self,
        program: Program,
        statement: Statement,
        stream: BeatStream,
        outputs: dict[str, Value],
        conditions: dict[str, Condition],
    ) -> None:
        self.program, self.statement, self.stream = program, statement, stream
        self.outputs, self.conditions = outputs, conditions
        self.walk = stream.relation.walk
        self.loops = self.walk.loops
        self.backward = self.walk.key.reverse()
        self.predicate_reads = predicate_reads_of(statement)
        self.arrays = tuple(dict.fromkeys(one.array for one in self.predicate_reads))

    def squash(self) -> Squash:
        return Squash(
            seen=tuple(self.seen(array) for array in self.arrays),
            asked=tuple(
                asked
                for k, one in enumerate(self.statement.filters)
                for asked in self.asked(k, one)
            ),
        )

    def seen(self, array: str) -> Seen:
        mine = [one for one in self.predicate_reads if one.array == array]
        filters = dict.fromkeys(one.filter for one in mine)
        domains = [self.instances(self.statement.filters[one]) for one in filters]
        whole = domains[0]
        for other in domains[1:]:
            whole = whole.union(other)
        element = self.program.arrays[array].element
        return Seen(
            name=f"m_{array}_{self.stream.name}",
            array=array,
            operands=len(mine),
            bits=element.bits,
            is_signed=element.is_signed,
            needed=self.when(f"seen_{self.arrays.index(array)}", whole),
        )

    def instances(self, one: Filter) -> Any:
        """The values of the loops at which a filter asks."""
        domain = fix_parameters(one.value.domain(), self.program.values)
        return self.backward.intersect_range(domain).domain().coalesce()

    def when(self, name: str, inside: Any) -> str | None:
        """The address generator condition under which loops are `inside`, None: always."""
        if self.walk.key.range().is_subset(inside):
            return None
        bound = bind(inside, self.loops).coalesce().gist(self.walk.inside)
        positions = {loop: depth for depth, loop in enumerate(self.loops)}
        found = condition_of(condition(bound, self.walk.inside), positions)
        return self.condition(name, found)

    def condition(self, name: str, found: Condition) -> str | None:
        found = simplified_condition(found, self.walk.visits.region)
        if found == TRUE:
            return None
        self.conditions[name] = found
        return name

    def asked(self, number: int, one: Filter) -> Iterator[Asked]:
        """A filter, its values compared: entry by entry where one looks at several elements."""
        values = fix_parameters(one.value, self.program.values)
        allowed = self.backward.apply_range(values)
        inside = self.instances(one)
        when = self.when(f"asked_{number}", inside)
        mine = [look for look in self.predicate_reads if look.filter == number]
        instances = beats_of(self.statement, self.stream.name)
        several = [
            newest(self.program, self.statement, one, access, instances) for access in one.accesses
        ]
        if not any(several):
            yield Asked(when=when, ways=self.ways(f"{number}", inside, allowed, mine, one))
            return
        apart = [self.entry(allowed, k) for k in range(len(mine))]
        self.refuse_joint(allowed, inside, apart, several, one)
        for entry, (look, own, found) in enumerate(zip(mine, apart, several, strict=True)):
            restart = None
            if found is not None:
                first = fix_parameters(found.restart, self.program.values)
                begins = self.backward.intersect_range(first).domain().coalesce()
                restart = self.when(f"restart_{number}_{entry}", begins) or ""
            ways = self.ways(f"{number}_{entry}", inside, own, [look], one)
            yield Asked(when=when, ways=ways, restart=restart)

    def entry(self, allowed: Any, number: int) -> Any:
        """The values of one entry."""
        size = allowed.dim(DimType.out)
        found = allowed.project_out(DimType.out, number + 1, size - number - 1)
        return found.project_out(DimType.out, 0, number)

    def refuse_joint(
        self,
        allowed: Any,
        inside: Any,
        apart: Sequence[Any],
        several: Sequence[Newest | None],
        one: Filter,
    ) -> None:
        """Raise InputError where values of one entry depend on another's, or on the instance."""
        whole = apart[0]
        for other in apart[1:]:
            whole = whole.flat_range_product(other)
        fixed = all(
            found is None or own.is_equal(Map.from_domain_and_range(inside, own.range()))
            for own, found in zip(apart, several, strict=True)
        )
        if not whole.is_equal(allowed) or not fixed:
            what = f"the filter of {self.statement.name!r} looks at several elements, and which of"
            what += " their values let it run differs"
            raise InputError(Problem(what, PREDICATE, one.source_location))

    def ways(
        self,
        label: str,
        inside: Any,
        allowed: Any,
        predicate_reads: Sequence[PredicateRead],
        one: Filter,
    ) -> tuple[tuple[tuple[Term, ...], tuple[str, ...]], ...]:
        known = Map.from_domain_and_range(inside, self.box(predicate_reads))
        allowed = allowed.intersect(known).gist(known).coalesce()
        sets = allowed.wrap().flatten().get_basic_sets()
        return tuple(
            self.way(f"{label}_{place}", piece, predicate_reads, one)
            for place, piece in enumerate(sets)
        )

    def box(self, predicate_reads: Sequence[PredicateRead]) -> Any:
        """The values that the elements looked at have by their types."""
        names = [f"v{k}" for k in range(len(predicate_reads))]
        bounds = []
        for name, access in zip(names, predicate_reads, strict=True):
            low, high = self.program.arrays[access.array].element.value_range
            bounds.append(f"{low} <= {name} <= {high}")
        return Set(f"{{ [{', '.join(names)}] : {' and '.join(bounds)} }}")

    def way(
        self, label: str, piece: Any, predicate_reads: Sequence[PredicateRead], own: Filter
    ) -> tuple[tuple[Term, ...], tuple[str, ...]]:
        if piece.dim(DimType.div):
            what = f"the values with which {self.statement.name!r} runs are told by remainders"
            raise InputError(Problem(what, PREDICATE, own.source_location))
        depth = len(self.loops)
        terms, names = list[Term](), list[str]()
        for at, row in enumerate(rows(piece)):
            name = f"look_{label}_{at}"
            form = Affine(row.constant) + Affine(0, _trimmed(row.factors[:depth]))
            factors = tuple(
                (self.arrays.index(look.array), look.number, factor)
                for look, factor in zip(predicate_reads, row.factors[depth:], strict=True)
                if factor
            )
            if not factors:
                held = self.condition(name, Test(form, row.equal))
                names += [held] if held else []
                continue
            if form.depth:
                self.outputs[name] = form
            given = name if form.depth else form.constant
            terms.append(Term(factors=factors, form=given, equal=row.equal))
        return tuple(terms), tuple(names)


def _trimmed(factors: Sequence[int]) -> tuple[int, ...]:
    size = len(factors)
    while size and not factors[size - 1]:
        size -= 1
    return tuple(factors[:size])


def form_width(generator: AddressGenerator, name: str) -> tuple[int, bool]:
    """Bits and sign of an output that values are compared with."""
    low, high = output_range(dict(generator.outputs)[name], generator.registers)
    return bits_for(low, high), low < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenView:
    """An inner stream as the buffer that it ends in shows it: `is_own` if it comes from there."""

    name: str
    data_bits: int
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SquashView:
    """Wires `declared` as (range, name, value), and what says that an instance is known to run.

    `seen` are the inner streams with the condition under which a beat of theirs goes with the
    address generator's. `held` are registers: name, when they are set (empty: always), and to what.
    """

    declared: tuple[tuple[str, str, str], ...]
    known: str
    held: tuple[tuple[str, str, str], ...]
    runs: str
    seen: tuple[tuple[str, str], ...]


def squash_view(stream: str, generator: AddressGenerator, squash: Squash) -> SquashView:
    """The view of a stream's skips; wires carry its name."""
    printer = _Printer(stream, generator, squash)
    runs = [printer.asked(one) for one in squash.asked]
    known = [
        f"(~{stream}_{one.needed} | {one.name}_tvalid)" if one.needed else f"{one.name}_tvalid"
        for one in squash.seen
    ]
    fire = f"{stream}_fire"
    return SquashView(
        declared=tuple(printer.declared),
        held=tuple(printer.held),
        known=" & ".join(known),
        runs=" & ".join(runs),
        seen=tuple(
            (one.name, f"{fire} & {stream}_{one.needed}" if one.needed else fire)
            for one in squash.seen
        ),
    )


class _Printer:
    def __init__(self, stream: str, generator: AddressGenerator, squash: Squash) -> None:
        self.stream, self.generator, self.squash = stream, generator, squash
        self.declared: list[tuple[str, str, str]] = []
        self.held: list[tuple[str, str, str]] = []

    def value(self, seen: int, number: int) -> str:
        """The wire of a value, declared where it is first used."""
        one, name = self.squash.seen[seen], f"{self.stream}_saw_{seen}_{number}"
        sign = "signed " if one.is_signed else ""
        low = number * padded_bits(one.bits)
        text = f"{one.name}_tdata[{low + one.bits - 1}:{low}]"
        wire = (f"{sign}[{one.bits - 1}:0] ", name, text)
        if wire not in self.declared:
            self.declared.append(wire)
        return name

    def asked(self, one: Asked) -> str:
        ways = [self.way(*way) for way in one.ways]
        text = "1'b0" if not ways else ways[0] if len(ways) == 1 else f"({' | '.join(ways)})"
        if one.restart:
            name = f"{self.stream}_held_{len(self.held)}"
            kept = f"{self.stream}_holds_{len(self.held)}"
            first = f"{self.stream}_{one.restart}"
            self.declared.append(("", kept, f"({first} | {name}) & {text}"))
            self.held.append((name, f"{self.stream}_{one.when}" if one.when else "", kept))
            text = kept
        return f"(~{self.stream}_{one.when} | {text})" if one.when else text

    def way(self, terms: Sequence[Term], names: Sequence[str]) -> str:
        parts = [f"{self.stream}_{name}" for name in names]
        parts += [self.term(term) for term in terms]
        if not parts:
            return "1'b1"
        return parts[0] if len(parts) == 1 else f"({' & '.join(parts)})"

    def term(self, term: Term) -> str:
        """A comparison: of one value with a constant as it stands, else a sum and its sign."""
        if len(term.factors) == 1 and isinstance(term.form, int):
            seen, number, factor = term.factors[0]
            own = self.squash.seen[seen]
            if factor in (1, -1):
                bound = literal(-factor * term.form, own.bits, own.is_signed)
                operator = "==" if term.equal else ">=" if factor > 0 else "<="
                return f"({self.value(seen, number)} {operator} {bound})"
        return self.sum(term)

    def sum(self, term: Term) -> str:
        reach = 0
        for seen, _, factor in term.factors:
            reach += abs(factor) << self.squash.seen[seen].bits
        form_bits, form_signed = 0, False
        if isinstance(term.form, int):
            reach += abs(term.form)
        else:
            form_bits, form_signed = form_width(self.generator, term.form)
            reach += 1 << form_bits
        bits = bits_for(-reach - 1, reach)
        if isinstance(term.form, int):
            text = literal(term.form, bits)
        else:
            text = resized(f"{self.stream}_{term.form}", form_bits, bits, form_signed)
        for seen, number, factor in term.factors:
            own = self.squash.seen[seen]
            wide = resized(self.value(seen, number), own.bits, bits, own.is_signed)
            text += "".join(_scaled(wide, factor))
        name = f"{self.stream}_sum_{len(self.declared)}"
        self.declared.append((f"signed [{bits - 1}:0] ", name, text))
        return f"({name} {'==' if term.equal else '>='} {literal(0, bits, True)})"


def _scaled(wide: str, factor: int) -> Iterator[str]:
    """Terms that add a multiple of a vector, in powers of two: multipliers are the user's."""
    sign = "+" if factor > 0 else "-"
    for place in range(abs(factor).bit_length()):
        if abs(factor) >> place & 1:
            yield f" {sign} ({wide} << {place})" if place else f" {sign} {wide}"
