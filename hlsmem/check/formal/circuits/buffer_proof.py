"""The proof of a buffer's control: who accesses what, for every pattern of stalls.

RAMs and skids are replaced by modules that answer anything at any time. What is claimed: a
stream moves only on its beats; the address at the RAM is the plan's, of the element that the
program accesses in this beat; ports are used by one stream at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from hlsmem.check.formal.model.beat_tables import BeatTable, Places, at_places, places_of
from hlsmem.check.formal.model.cell_forms import bank_and_offset, cell_form, element_forms
from hlsmem.check.formal.model.ghost import (
    Ghost,
    ghost_text,
    make_ghost,
    quotient_claims,
    region_text,
)
from hlsmem.check.formal.model.ghost_forms import Form, Forms, number_text
from hlsmem.check.formal.model.stream_claims import Claim, Piece, used_quotients
from hlsmem.check.formal.module_text import (
    Wire,
    deciding,
    next_sources,
    probe,
    registers,
    tells_its_end,
)
from hlsmem.check.plans.plan_banks import Banked
from hlsmem.check.plans.plan_mapping import Folding
from hlsmem.check.rtl.simulated_device import WRITE, DeviceMemory, DeviceStream


def stream_piece(
    stream: DeviceStream,
    number: int,
    table: BeatTable,
    hints: Mapping[str, Any],
    generator: str,
    folding: Folding,
    banked: Banked | None,
    memory: DeviceMemory,
    banks: list[Form],
) -> Piece:
    """The ghost of a stream, and what is claimed of its address generator and of its accesses.

    `generator` is the text of its address generator's module; `banks` takes the bank of each
    operand, where there are banks. Raises NoGhost.
    """
    cells: list[Form] = []
    beats, table = table, visited(table, hints)

    def addresses(forms: Forms) -> Sequence[Form]:
        for elements, taken in zip(table.elements, table.taken, strict=True):
            element = element_forms(forms, elements, taken)
            if banked is None:
                cells.append(cell_form(forms, element, folding))
                continue
            bank, offset = bank_and_offset(forms, element, banked)
            banks.append(bank)
            cells.append(offset)
        if not banks:
            return cells
        # Banks of no beat are compared too, and cells bank after bank are the largest numbers.
        addressed = [c.plus(b, memory.bank_words) for c, b in zip(cells, banks, strict=True)]
        return [*cells, *banks, *addressed, forms.number(memory.banks)]

    piece = generator_piece(stream, number, beats, hints, generator, extra=addresses)
    there = f"(!{piece.ghost.name}_done && {piece.on_beat()})"
    piece.claims[f"{piece.ghost.name}_fires_on_a_beat"] = f"!{stream.name}_fire || {there}"
    piece.claims[f"{piece.ghost.name}_beat"] = f"{stream.name}_beat == {there}"
    if not table.is_write:
        name = stream.name
        if not stream.squashes:
            piece.claims[f"{piece.ghost.name}_tlast"] = f"{name}_tlast == {name}_side[0]"
        piece.claims[f"{piece.ghost.name}_reserves"] = f"!{stream.name}_fire || {stream.name}_room"
    elif re.search(r"output wire stored\b", generator):
        piece.stored = beats.fetched[0]
    _accesses(piece, stream, table, memory, cells, banks)
    return piece


def generator_piece(
    stream: DeviceStream,
    number: int,
    table: BeatTable,
    hints: Mapping[str, Any],
    generator: str,
    extra: Callable[[Forms], Sequence[Form]] = lambda _: (),
) -> Piece:
    """The ghost of a stream beside its address generator; `extra` are forms its width has to do
    for."""
    places = _places(table, hints)
    ghost, loops = make_ghost(f"g{number}", places.points), hints["loops"]
    instance = f"u_{stream.name}_walk"
    found = registers(generator)
    forms = {
        name: ghost.forms.read(form, range(len(loops)))
        for name, form in hints["registers"].items()
        if name in found
    }
    # All quotients are asked for before it is said what is known of them.
    states = [one for c in hints["states"].values() for one in condition_forms(ghost.forms, c)]
    more = [*extra(ghost.forms), *states]
    bits = _bits(ghost, [*forms.values(), *more], found.values())
    piece = Piece(ghost, bits, places.is_beat)
    alive = f"{ghost.name}_done"
    piece.lines += [probe(instance, found[name]) for name in forms]
    domain = region_text(ghost, ghost.domain, bits)
    piece.known.append(Claim(f"{ghost.name}_domain", domain, frozenset()))
    for position, text in enumerate(quotient_claims(ghost, bits)):
        inner = ghost.forms.quotients[position][0]
        name = f"{ghost.name}_quotient_{position}"
        piece.own[name] = frozenset({position})
        piece.known.append(Claim(name, text, frozenset({position, *used_quotients(inner)})))
    if tells_its_end(generator):
        piece.claims[f"{ghost.name}_over"] = f"{stream.name}_done == {alive}"
    sources = next_sources(generator)
    for name, form in forms.items():
        value = _value(f"\\{instance}.{name} ", found[name])
        claim = f"{alive} || {value} == {ghost.text(form, bits)}"
        others = [forms[other] for other in sources.get(name, ()) if other in forms]
        used = used_quotients(form).union(*(used_quotients(other) for other in others))
        piece.own[f"{ghost.name}_register_{name}"] = frozenset(used_quotients(form))
        piece.fact(f"{ghost.name}_register_{name}", claim, used)
    steering = deciding(generator)
    decides = [*states, *(form for name, form in forms.items() if name in steering)]
    piece.control = frozenset().union(*(used_quotients(form) for form in decides))
    piece.claims |= _states(ghost, hints, instance, found, piece.lines, bits, len(loops))
    if "is_0" in found:
        piece.claims |= _flags(ghost, generator, instance, found, piece.lines)
    if re.search(r"output wire last\b", generator):
        last = region_text(ghost, ghost.last, bits)
        piece.claims[f"{ghost.name}_last"] = f"{alive} || {stream.name}_last == ({last})"
    step = f"{stream.name}_fire"
    if not places.all_beats:
        step = f"({step} || (!{alive} && !{piece.on_beat()}))"
    piece.lines.append(ghost_text(ghost, "load", step, bits))
    return piece


def visited(table: BeatTable, hints: Mapping[str, Any]) -> BeatTable:
    """The table with a row at every place of the stream's address generator."""
    return at_places(table, _places(table, hints).is_beat)


def _places(table: BeatTable, hints: Mapping[str, Any]) -> Places:
    beats = table.times[:, [one["entry"] for one in hints["loops"]]]
    return places_of(beats, hints["places"], hints["idle"])


def _bits(ghost: Ghost, forms: Sequence[Form], wires: Iterable[Wire]) -> int:
    most = max([ghost.forms.greatest(), *(ghost.forms.size(form) for form in forms)])
    return max(most.bit_length() + 2, *(wire.bits + 1 for wire in wires))


def _value(name: str, wire: Wire) -> str:
    return name if wire.signed else f"$signed({{1'b0, {name}}})"


def _states(
    ghost: Ghost,
    hints: Mapping[str, Any],
    instance: str,
    found: Mapping[str, Wire],
    lines: list[str],
    bits: int,
    loops: int,
) -> dict[str, str]:
    """Claims on the state of the address generator, where it has several."""
    if "state" not in found:
        return {}
    lines.append(probe(instance, found["state"]))
    texts = {
        state: condition_text(ghost, condition, bits, loops)
        for state, condition in hints["states"].items()
    }
    claims = {}
    for state, text in texts.items():
        claims[f"{ghost.name}_state_{state}"] = (
            f"{ghost.name}_done || (\\{instance}.state == {state}) == ({text})"
        )
    return claims


def condition_forms(forms: Forms, document: Mapping[str, Any]) -> Iterator[Form]:
    """The forms that a condition of invariants.json compares with numbers."""
    for word in ("all", "any"):
        for part in document.get(word, ()):
            yield from condition_forms(forms, part)
    for word in ("equal", "at least"):
        if word in document:
            yield forms.read(document[word][0], range(forms.rank))


def condition_text(ghost: Ghost, document: Mapping[str, Any], bits: int, loops: int) -> str:
    for word, operator, empty in (("all", " && ", "1'b1"), ("any", " || ", "1'b0")):
        if word in document:
            parts = [condition_text(ghost, part, bits, loops) for part in document[word]]
            return f"({operator.join(parts) or empty})"
    word, relation = ("equal", "==") if "equal" in document else ("at least", ">=")
    form = ghost.forms.read(document[word][0], range(loops))
    text = ghost.text(form, bits)
    return f"({text} {relation} {number_text(document[word][1], bits)})"


_FLAG = re.compile(r"reg +(?P<name>is_\d+);  // (?P<text>.*)")


def _flags(
    ghost: Ghost, generator: str, instance: str, found: Mapping[str, Wire], lines: list[str]
) -> dict[str, str]:
    """Registers that hold what a comparison says, worked out a beat ahead."""
    claims = {}
    for flag in _FLAG.finditer(generator):
        lines.append(probe(instance, found[flag["name"]]))
        text = re.sub(
            r"(?<!['\w])([a-z]\w*)",
            lambda name: f"\\{instance}.{name[1]} " if name[1] in found else name[0],
            flag["text"],
        )
        claims[f"{ghost.name}_flag_{flag['name']}"] = (
            f"{ghost.name}_done || \\{instance}.{flag['name']} == ({text})"
        )
    return claims


def _accesses(
    piece: Piece,
    stream: DeviceStream,
    table: BeatTable,
    memory: DeviceMemory,
    cells: Sequence[Form],
    banks: Sequence[Form],
) -> None:
    """The address at the RAM in every beat, and that it is read where the beat needs it."""
    ports = [(k, copy) for k, copy in enumerate(stream.copies) if copy is not None]
    if table.is_write:
        ports = [(0, copy) for copy in range(memory.copies)]
    for operand, copy in ports:
        taken = piece.mask(table.taken[operand])
        if taken is None:
            piece.notes.append(f"which beats of {stream.name} have operand {operand}")
        needed: str | None = "1'b0"
        if taken is not None and table.fetched[operand].any():
            needed = piece.mask(table.fetched[operand])
            if needed is None:
                piece.notes.append(f"which beats of {stream.name} access operand {operand}")
        there, used = taken or "1'b1", used_quotients(cells[operand])
        if piece.stored is not None:
            enables = _enables(memory, copy)
            claim = f"!({stream.accesses} && {enables}) || ({needed or there})"
            piece.claims[f"{piece.ghost.name}_stores_only_{copy}"] = claim
        if copy not in memory.banked:
            cell = cells[operand]
            if banks:  # bank after bank
                cell = cell.plus(banks[operand], memory.bank_words)
                used |= used_quotients(banks[operand])
            name, addressed = f"{memory.array}_{copy}", memory.address_bits > 0
            _access(piece, stream, operand, copy, name, cell, there, needed, addressed)
            continue
        bank = piece.ghost.text(banks[operand], piece.bits)
        known = bank_known(piece)
        for other, _ in (port for port in ports if port[1] == copy):
            if other == operand or _meet(piece, table, banks, operand, other):
                known |= _offset_known(piece, other)
        for number in range(memory.banks):
            here = f"({there}) && {bank} == {number_text(number, piece.bits)}"
            wanted = f"({needed}) && {bank} == {number_text(number, piece.bits)}"
            name = f"{memory.array}_{copy}_b{number}"
            more = known | used_quotients(banks[operand])
            _access(
                piece, stream, operand, copy, name, cells[operand], here, wanted, True, more, number
            )
            if table.is_write:
                claim = f"!({stream.accesses} && {name}_w_en) || {here}"
                piece.goal(f"{piece.ghost.name}_writes_only_{copy}_bank_{number}", claim, more)
        wire = stream.banks[operand] if not table.is_write else None
        if wire is not None:
            claim = f"!({stream.name}_fire && ({there})) || $signed({{1'b0, {wire}}}) == {bank}"
            name = f"{piece.ghost.name}_bank_of_{operand}"
            piece.goal(name, claim, bank_known(piece) | used_quotients(banks[operand]))


def _meet(piece: Piece, table: BeatTable, banks: Sequence[Form], operand: int, other: int) -> bool:
    """True if two operands come from one bank in a beat: both are then one word of its port."""
    both = table.fetched[operand] & table.fetched[other]
    forms = piece.ghost.forms
    same: np.ndarray = forms.values(banks[operand]) == forms.values(banks[other])
    return bool((both & same).any())


def _enables(memory: DeviceMemory, copy: int) -> str:
    """Condition that a copy is written, in any of its banks."""
    banks = [f"_b{bank}" for bank in range(memory.banks)] if copy in memory.banked else [""]
    return f"({' || '.join(f'{memory.array}_{copy}{bank}_w_en' for bank in banks)})"


def bank_known(piece: Piece) -> set[int]:
    """The quotients of the bank numbers that the address generator keeps."""
    found: set[int] = set()
    for name, own in piece.own.items():
        if "_register_bank_" in name:
            found |= own
    return found


def _offset_known(piece: Piece, operand: int) -> set[int]:
    """The quotients of the offset that the address generator keeps for an operand, else of any."""
    registers = {n: own for n, own in piece.own.items() if "_register_offset_" in n}
    mine = {n: own for n, own in registers.items() if f"_offset_{operand}_" in n}
    return set().union(*(mine or registers).values())


def _access(
    piece: Piece,
    stream: DeviceStream,
    operand: int,
    copy: int,
    port: str,
    cell: Form,
    there: str,
    needed: str | None,
    addressed: bool,
    more: Collection[int] = (),
    bank: int | None = None,
) -> None:
    """Claims on one port: `there`, when the beat has the operand; `needed`, when it must go."""
    ghost, bits = piece.ghost, piece.bits
    kind, verb = ("w", "writes") if stream.direction == WRITE else ("r", "reads")
    label = f"{ghost.name}_{verb}_{operand}_{copy}" + ("" if bank is None else f"_bank_{bank}")
    fire, enable = stream.accesses, f"{port}_{kind}_en"
    if needed is not None:
        piece.goal(f"{label}_there", f"!{fire} || !({needed}) || {enable}", more)
    if not addressed:
        return
    piece.lines.append(f"wire signed [{bits - 1}:0] {label}cell_form = {ghost.text(cell, bits)};")
    claim = f"!({fire} && {enable} && ({there}))"
    claim += f" || $signed({{1'b0, {port}_{kind}_addr}}) == {label}cell_form"
    piece.goal(f"{label}_address", claim, {*used_quotients(cell), *more})


def port_claims(memory: DeviceMemory, streams: Sequence[DeviceStream]) -> dict[str, str]:
    """No port of a memory is used by two streams in a cycle, nor without a stream."""
    claims: dict[str, str] = {}
    writers = [s for s in streams if s.direction == WRITE]
    for first, second in combinations(writers, 2):
        both = f"{first.accesses} && {second.accesses}"
        claims[f"one_write_{first.name}_{second.name}"] = f"!({both})"
    for copy in range(memory.copies):
        readers = [s for s in streams if s.direction != WRITE and copy in s.copies]
        for kind, users in (("r", readers), ("w", writers)):
            fires = " || ".join(one.accesses for one in users) or "1'b0"
            for bank in range(memory.banks) if copy in memory.banked else [None]:
                name = f"{memory.array}_{copy}" + ("" if bank is None else f"_b{bank}")
                claims[f"port_{kind}_{name}_by_a_beat"] = f"!{name}_{kind}_en || {fires}"
        for first, second in combinations(readers, 2):
            both = f"{first.accesses} && {second.accesses}"
            claims[f"one_read_{copy}_{first.name}_{second.name}"] = f"!({both})"
    return claims


def generators_of(buffer: str) -> Iterator[tuple[str, str]]:
    """(stream, module) of the address generators in a buffer."""
    for found in re.finditer(r"(\w+_walk) u_(\w+)_walk \(", buffer):
        yield found[2], found[1]
