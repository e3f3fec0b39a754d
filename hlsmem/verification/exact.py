"""Check `exact`: isl proves that no two conflicting elements share a cell.

Conflicts come from `occupancy`, the folding from the numbers and formulas in plan.json. The
numbers are judged at the plan's parameters; where the certificate claims all parameters, the
formulas are judged for every value the context allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.options import Design
from hlsmem.planfile import Plan
from hlsmem.program import Array, ConflictInput, Order, Program
from hlsmem.values import dataclass
from hlsmem.verdict import Status, Verdict
from hlsmem.verification.agreement import (
    bound_disagreements,
    declared_disagreements,
    design_disagreements,
    disagreements,
    memory_disagreements,
    overlaps,
    tap_disagreements,
    width_disagreements,
)
from hlsmem.verification.branches import branch_verdicts
from hlsmem.verification.folding import Folding, read_folding
from hlsmem.verification.holdings import bounds_of, cells_in_c, whole
from hlsmem.verification.mapped import (
    Subject,
    bank_objection,
    claims_all_parameters,
    mapping_objection,
    subject_of,
    undefined,
)
from hlsmem.verification.own_times import (
    NoTimes,
    stated_times,
    times_fault,
    with_own_times,
    without_streamed,
)
from hlsmem.verification.parts import Divided, Part, divide
from hlsmem.verification.passing import (
    MOST_ACCESSES,
    chain_words,
    how_many,
    listed,
    passage_fault,
    undecided_fault,
)
from hlsmem.verification.rules import Rules, rules_of
from hlsmem.verification.selftimed import selftimed_verdicts, window_fault
from hlsmem.verification.serial import in_the_order_of_c
from hlsmem.verification.succession import NotFollowed, succession_fault
from hlsmem.verification.wires import is_wire, wire_fault
from hlsmem.wording import counted

Document = Mapping[str, Any]


def check_exact(
    design: Design,
    program: Program | None,
    plan: Plan,
    document: Document,
    *,
    hardware: bool = True,
) -> tuple[Verdict, ...]:
    """One verdict per array, one for each part of those that are in several, one per branch FIFO.

    `program` has its streams; None for a bare conflict set. `document` is plan.json as it stands,
    `plan` the same as read. Conflicts are recomputed by the definition in `occupancy`; bare
    conflict sets are taken as given. Without `hardware` nothing is said of parts: C has none.
    """
    source = program or design.input
    wrong = tuple(design_disagreements(document, design))
    planned = _planned(source)
    divided = divide(source, document) if hardware else None
    shared = {} if divided is None else dict(overlaps(divided.document, _foldings(divided)))
    verdicts: list[Verdict] = []
    for name in dict.fromkeys([*planned, *plan.arrays]):
        if name not in plan.arrays:
            verdicts.append(_verdict(name, "the plan has no such array", ""))
        elif name not in planned:
            verdicts.append(_verdict(name, "the design plans no such array", ""))
        else:
            judge = _Judge(source=source, document=document, divided=divided, shared=shared)
            verdicts += judge.array(planned[name], wrong)
            if _is_order_of_c(design, source):
                verdicts += judge.host(planned[name])
    if isinstance(source, Program) and stated_times(document) is not None:
        verdicts.append(_verdict("the order of C", _order_fault(source, document), _KEPT))
    if divided is not None and isinstance(source, Program):
        verdicts += branch_verdicts("exact", divided)
        if rules_of(document).is_selftimed:
            verdicts += selftimed_verdicts(divided)
    return tuple(verdicts)


def _verdict(subject: str, objection: str, proved: str) -> Verdict:
    status = Status.FAIL if objection else Status.PASS
    return Verdict(check="exact", subject=subject, status=status, detail=objection or proved)


def _is_order_of_c(design: Design, source: Program | ConflictInput) -> bool:
    """Whether C runs the program so; where it puts equal times into an order, that is judged."""
    given = design.input
    if not isinstance(source, Program) or not isinstance(given, Program):
        return False
    return in_the_order_of_c(given, source) is source


_KEPT = "every two instances that touch one element, one of them writing, keep their order"


def _order_fault(source: Program, document: Document) -> str:
    """Why C's own order does not compute what the program does; "" where it does."""
    try:
        own = without_streamed(source)
        return times_fault(own, with_own_times(own, document))
    except NoTimes as error:
        return str(error)


def _planned(source: Program | ConflictInput) -> dict[str, Array]:
    if isinstance(source, Program):
        return {array.name: array for array in source.planned_arrays()}
    return {name: conflict.array for name, conflict in source.conflicts.items()}


def _foldings(divided: Divided) -> list[Folding]:
    """The foldings of all parts that have addresses, but for those that cannot be read."""
    found = (_folding(p.name, p.entry) for p in divided.parts if p.has_addresses)
    return [folding for folding in found if isinstance(folding, Folding)]


def _folding(name: str, entry: Document) -> Folding | str:
    """The folding of an array or part, or what is malformed about it."""
    try:
        return read_folding(name, entry)
    except (ValueError, KeyError, TypeError) as error:
        return f"the mapping cannot be read: {error}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judge:
    """Judges the arrays of one plan; `shared` has why parts overlap another in a memory."""

    source: Program | ConflictInput
    document: Document
    divided: Divided | None
    shared: Mapping[str, str]

    def array(self, array: Array, wrong: Sequence[str]) -> list[Verdict]:
        """The verdict on an array, and those on its parts where there are several."""
        own, values = self.document["arrays"][array.name], self.document["params"]
        entry = whole(own)
        folding = None if entry is None else _folding(array.name, entry)
        if isinstance(folding, str):
            return [_verdict(array.name, folding, "")]
        parts = () if self.divided is None else self.divided.of(array.name)
        several = self.divided is not None and self.divided.is_divided(array.name)
        found = [*wrong, *declared_disagreements(own, values)]
        if entry is not None and folding is not None:
            found += disagreements(entry, values, folding, array)
        else:
            found += bound_disagreements(bounds_of(own), values)
        if self.divided is not None and array.name in self.divided.faults:
            found.append(self.divided.faults[array.name])
        if not several:
            for part in parts:
                found += self.disagreements(part, array, entry)
        if found:
            return [_verdict(array.name, "; ".join(found), "")]
        subject = self.subject(self.source, array)
        objection = undefined(self.source, subject)
        words = own["holdings"]["hardware"]["words"]
        proved = f"{counted(words, 'word')} hold it"
        is_window = any(part.is_window for part in parts)
        if entry is not None and folding is not None and not is_window:
            objection = objection or mapping_objection(self.source, subject, folding, entry)
            proved = _proved(entry, values)
        if several:
            return [
                _verdict(array.name, objection, f"{proved} in {len(parts)} parts"),
                *(self.part(part, array) for part in parts),
            ]
        for part in parts:
            assert self.divided is not None
            source = self.divided.source
            objection = objection or self.held(part, entry, source, subject)
            proved += _held_text(source, part, self.words(part))
        return [_verdict(array.name, objection, proved)]

    def host(self, array: Array) -> Iterator[Verdict]:
        """The verdict on the cells that C has apart, for the order of C; none where it has none."""
        own, values = self.document["arrays"][array.name], self.document["params"]
        entry, name = cells_in_c(own), f"{array.name} in C"
        order = self.document["orders"]["host"]
        if entry is None or order is None or not isinstance(self.source, Program):
            return
        moved = stated_times(self.document) is not None
        in_hardware = whole(own)
        same = in_hardware is not None and entry["mapping"] == in_hardware["mapping"]
        steps = Order.ITERATION if order["steps"] else Order.SEQUENTIAL
        if same and not moved and steps.value == rules_of(self.document).order:
            return
        folding = _folding(array.name, entry)
        if isinstance(folding, str):
            yield _verdict(name, folding, "")
            return
        found = "; ".join(disagreements(entry, values, folding, array))
        # One instance after the other, or steps that read first and store last.
        source = replace(self.source, order=steps)
        if moved:
            try:
                source = with_own_times(without_streamed(self.source), self.document)
            except NoTimes as error:
                yield _verdict(name, str(error), "")
                return
        subject = subject_of(source, array, strict=False, slack=0)
        objection = found or mapping_objection(source, subject, folding, entry)
        yield _verdict(name, objection, _proved(entry, values))

    def part(self, part: Part, array: Array) -> Verdict:
        """The verdict on a part of several, on the divided program."""
        assert self.divided is not None
        program = self.divided.program
        found = self.disagreements(part, array, None)
        if found:
            return _verdict(part.name, "; ".join(found), "")
        subject = self.subject(program, program.arrays[part.name])
        objection = undefined(program, subject) or self.held(part, None, program, subject)
        proved = "all that its operands read is written into it"
        if part.has_addresses and not part.is_window:
            proved = _proved(part.entry, self.document["params"])
        return _verdict(part.name, objection, proved + _held_text(program, part, self.words(part)))

    def subject(self, source: Program | ConflictInput, array: Array) -> Subject:
        rules = rules_of(self.document)
        return subject_of(source, array, strict=rules.strict, slack=rules.slack)

    def words(self, part: Part) -> int:
        found: int = self.document["memories"][part.entry["memory"]]["words"]
        return found

    def disagreements(self, part: Part, array: Array, whole: Document | None) -> list[str]:
        """What in a part contradicts itself, its memory or the design.

        `whole` is the array it is all of: what has been judged there is left out.
        """
        memories = self.document["memories"]
        found = list(width_disagreements(part.entry, memories))
        if not part.has_addresses:
            return [*found, *tap_disagreements(part.entry, self.document["params"])]
        folding = _folding(part.name, part.entry)
        if isinstance(folding, str):
            return [folding]
        if whole is None or part.entry["mapping"] != whole["mapping"]:
            found += disagreements(part.entry, self.document["params"], folding, array)
        found += memory_disagreements(part.entry, folding, memories)
        if part.name in self.shared:
            found.append(self.shared[part.name])
        return found

    def held(
        self,
        part: Part,
        whole: Document | None,
        source: Program | ConflictInput,
        subject: Subject,
    ) -> str:
        """The objection to what holds a part, of whose plan nothing contradicts itself."""
        memory = self.document["memories"][part.entry["memory"]]
        if not part.has_addresses:
            assert isinstance(source, Program)
            fault = wire_fault(source, part, self.document) if is_wire(part) else ""
            fault = fault or undecided_fault(source, part)
            return fault or _passes(source, part, memory, rules_of(self.document))
        objection = ""
        if part.is_window:  # whether its cells are enough, the run of all processes says
            assert isinstance(source, Program)
            objection = window_fault(source, part, rules_of(self.document))
        elif whole is None or part.entry["mapping"] != whole["mapping"]:
            folding = read_folding(part.name, part.entry)
            objection = mapping_objection(source, subject, folding, part.entry)
        return objection or bank_objection(source, subject, part, memory)


def _passes(program: Program, part: Part, memory: Document, rules: Rules) -> str:
    """The objection to a chain or FIFO: its words, its taps, the order of its reads."""
    if part.entry["taps"] is not None and not is_wire(part):
        held = chain_words(program, part, skid=rules.slack > 0)
        if memory["words"] != held:
            return f"its taps need {held} words, its memory has {memory['words']}"
    words = None if rules.is_selftimed else memory["words"]
    if _is_long(program, part):
        fault, _ = _followed(program, part, words)
        return fault
    return passage_fault(program, part, listed(program, part), words)


def _followed(program: Program, part: Part, words: int | None) -> tuple[str, str]:
    """The fault in what passes through a part of a long run, and why that was not followed."""
    try:
        return succession_fault(program, part, words), ""
    except NotFollowed as reason:
        return "", str(reason)


def _is_long(program: Program, part: Part) -> bool:
    return how_many(program, part.name) > MOST_ACCESSES


def _held_text(source: Program | ConflictInput, part: Part, words: int) -> str:
    """What was shown of a part besides its mapping."""
    if part.entry["bank_basis"] is not None:
        return "; at these parameters so do the banks, and no beat reads one twice"
    if part.is_window:
        return f"; a window of {counted(words, 'word')} has its values one after the other"
    if part.has_addresses or not isinstance(source, Program):
        return ""
    if _is_long(source, part):
        _, reason = _followed(source, part, words)
        if reason:
            return (
                f"; what passes through it has more than {MOST_ACCESSES} accesses and is not"
                f" followed by relations ({reason}): `rtl` sees the beginning of it"
            )
    if part.entry["taps"] is None:
        return "; at these parameters its FIFO gives each value once, in the order of the writes"
    if is_wire(part):
        return "; at these parameters its operands are what the step of each read writes last"
    taps = ", ".join(str(tap) for tap in part.entry["taps"])
    return f"; at these parameters its operands lie {taps} elements behind the newest"


def _proved(own: Document, values: Mapping[str, int]) -> str:
    cells = own["mapping"]["cells"]
    many = "1 cell separates" if cells == 1 else f"{cells} cells separate"
    if claims_all_parameters(own) and values:
        return f"proved for all parameters: {many} all conflicting elements"
    at = ", ".join(f"{name}={value}" for name, value in values.items())
    return f"proved{' at ' + at if at else ''}: {many} all conflicting elements"
