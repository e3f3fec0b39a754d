"""The proof of a buffer's control: who accesses what, for every pattern of stalls.

RAMs and skids are replaced by modules that answer anything at any time. What is claimed: a
stream moves only on its beats; the address at the RAM is the plan's, of the element that the
program accesses in this beat; ports are used by one stream at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from hlsmem.check.folding import Folding
from hlsmem.check.formal.beats import BeatTable
from hlsmem.check.formal.forms import Form, Forms, number_text
from hlsmem.check.formal.ghost import (
    Ghost,
    NoGhost,
    ghost_text,
    make_ghost,
    quotient_claims,
    region_text,
)
from hlsmem.check.formal.modules import (
    Wire,
    assertions,
    next_sources,
    probe,
    registers,
    stub,
    with_lines,
)
from hlsmem.check.formal.regions import region
from hlsmem.check.rtl.device import DeviceMemory, DeviceStream

_STUBS = ("hlsmem_ram", "hlsmem_ram_output", "hlsmem_register", "hlsmem_skid", "hlsmem_delay")
_SEEN = "proof_seen"
# Solvers take long for many remainders at once.
_MOST_QUOTIENTS = 3


@dataclass(slots=True)
class Part:
    """Claims that are proved together, on top of those of their stream; `quotients` they need."""

    claims: dict[str, str]
    quotients: set[int]


@dataclass(slots=True)
class Piece:
    """What is added to the buffer for one stream: claims that need no quotient, and parts.

    `notes` are claims that could not be made.
    """

    ghost: Ghost
    bits: int
    lines: list[str] = field(default_factory=list)
    claims: dict[str, str] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def claim(self, name: str, text: str, quotients: Collection[int]) -> None:
        """Add a claim, to the part that has its quotients: parts that share one become one."""
        if not quotients:
            self.claims[name] = text
            return
        touched = [part for part in self.parts if part.quotients & set(quotients)]
        joined = Part({}, set(quotients))
        for part in touched:
            joined.claims |= part.claims
            joined.quotients |= part.quotients
        joined.claims[name] = text
        self.parts = [part for part in self.parts if part not in touched] + [joined]


def stream_piece(
    stream: DeviceStream,
    number: int,
    table: BeatTable,
    hints: Mapping[str, Any],
    walker: str,
    folding: Folding,
    memory: DeviceMemory,
) -> Piece:
    """The ghost of a stream, and what is claimed of its walker and of its accesses.

    `walker` is the text of its walker's module. Raises NoGhost.
    """
    cells: list[Form] = []

    def addresses(forms: Forms) -> Form:
        cells.extend(_cells(forms, table, folding))
        return max(cells, key=forms.size)

    piece = walker_piece(stream, number, table, hints, walker, extra=addresses)
    alive = f"{piece.ghost.name}_done"
    piece.claims[f"{piece.ghost.name}_fires_on_a_beat"] = f"!{stream.name}_fire || !{alive}"
    if not table.is_write:
        name = stream.name
        piece.claims[f"{piece.ghost.name}_tlast"] = f"{name}_tlast == {name}_side[0]"
        piece.claims[f"{piece.ghost.name}_reserves"] = f"!{stream.name}_fire || {stream.name}_room"
    _accesses(piece, stream, table, memory, cells, piece.bits)
    return piece


def walker_piece(
    stream: DeviceStream,
    number: int,
    table: BeatTable,
    hints: Mapping[str, Any],
    walker: str,
    extra: Callable[[Forms], Form],
) -> Piece:
    """The ghost of a stream beside its walker; `extra` is a form its width has to do for."""
    loops = [one["entry"] for one in hints["loops"]]
    if hints["idle"]:
        raise NoGhost("its walker has places without a beat")
    ghost = make_ghost(f"g{number}", table.times[:, loops])
    instance = f"u_{stream.name}_walk"
    found = registers(walker)
    forms = {
        name: ghost.forms.read(form, range(len(loops)))
        for name, form in hints["registers"].items()
        if name in found
    }
    more = extra(ghost.forms)
    piece = Piece(ghost, _bits(ghost, [*forms.values(), more], found.values()))
    bits, alive = piece.bits, f"{ghost.name}_done"
    piece.lines += [probe(instance, found[name]) for name in forms]
    piece.claims[f"{ghost.name}_domain"] = region_text(ghost, ghost.domain, bits)
    for position, text in enumerate(quotient_claims(ghost, bits)):
        inner = ghost.forms.quotients[position][0]
        used = {position, *(n for _, n in inner.quotients)}
        piece.claim(f"{ghost.name}_quotient_{position}", text, used)
    piece.claims[f"{ghost.name}_over"] = f"{stream.name}_done == {alive}"
    sources = next_sources(walker)
    for name, form in forms.items():
        value = _value(f"\\{instance}.{name} ", found[name])
        claim = f"{alive} || {value} == {ghost.text(form, bits)}"
        used = _used(form).union(*(_used(forms[n]) for n in sources.get(name, ()) if n in forms))
        piece.claim(f"{ghost.name}_register_{name}", claim, used)
    piece.claims |= _states(ghost, hints, instance, found, piece.lines, bits, len(loops))
    if "is_0" in found:
        piece.claims |= _flags(ghost, walker, instance, found, piece.lines)
    if re.search(r"output wire last\b", walker):
        last = region_text(ghost, ghost.last, bits)
        piece.claims[f"{ghost.name}_last"] = f"{alive} || {stream.name}_last == ({last})"
    piece.lines.append(ghost_text(ghost, "load", f"{stream.name}_fire", bits))
    return piece


def _bits(ghost: Ghost, forms: Sequence[Form], wires: Iterable[Wire]) -> int:
    most = max([ghost.forms.greatest(), *(ghost.forms.size(form) for form in forms)])
    return max(most.bit_length() + 2, *(wire.bits + 1 for wire in wires))


def _used(form: Form) -> set[int]:
    return {number for _, number in form.quotients}


def _value(name: str, wire: Wire) -> str:
    return name if wire.signed else f"$signed({{1'b0, {name}}})"


def _cells(forms: Forms, table: BeatTable, folding: Folding) -> list[Form]:
    """Per operand the plan's address of its element, from the memory's base."""
    if len(folding.pieces) != 1 or folding.pieces[0].domain is not None:
        raise NoGhost("its array lies in several pieces")
    piece = folding.pieces[0]
    found = []
    for elements, taken in zip(table.elements, table.taken, strict=True):
        if not taken.any():
            found.append(forms.number(0))
            continue
        address = forms.number(folding.base + piece.start)
        indices = []
        for axis in range(piece.rank):
            index = _index(forms, elements[taken][:, axis], taken)
            indices.append(index)
        for row, stride in zip(piece.rows, piece.strides(), strict=True):
            form = forms.number(row.offset)
            for factor, index in zip(row.coefficients, indices, strict=True):
                form = form.plus(index, factor)
            address = address.plus(forms.modulo(form, row.modulus), stride)
        found.append(address)
    return found


def _index(forms: Forms, values: np.ndarray, taken: np.ndarray) -> Form:
    form = forms.fitted(values, None if taken.all() else taken)
    if form is None:
        raise NoGhost("an element it accesses is no affine form of its loops")
    return form


def _states(
    ghost: Ghost,
    hints: Mapping[str, Any],
    instance: str,
    found: Mapping[str, Wire],
    lines: list[str],
    bits: int,
    loops: int,
) -> dict[str, str]:
    """Which state the walker is in, where it has several."""
    if "state" not in found:
        return {}
    lines.append(probe(instance, found["state"]))
    texts = {
        state: _condition_text(ghost, condition, bits, loops)
        for state, condition in hints["states"].items()
    }
    claims = {}
    for state, text in texts.items():
        claims[f"{ghost.name}_state_{state}"] = (
            f"{ghost.name}_done || (\\{instance}.state == {state}) == ({text})"
        )
    return claims


def _condition_text(ghost: Ghost, document: Mapping[str, Any], bits: int, loops: int) -> str:
    for word, operator, empty in (("all", " && ", "1'b1"), ("any", " || ", "1'b0")):
        if word in document:
            parts = [_condition_text(ghost, part, bits, loops) for part in document[word]]
            return f"({operator.join(parts) or empty})"
    word, relation = ("equal", "==") if "equal" in document else ("at least", ">=")
    form = ghost.forms.read(document[word][0], range(loops))
    text = ghost.text(form, bits)
    return f"({text} {relation} {number_text(document[word][1], bits)})"


_FLAG = re.compile(r"reg +(?P<name>is_\d+);  // (?P<text>.*)")


def _flags(
    ghost: Ghost, walker: str, instance: str, found: Mapping[str, Wire], lines: list[str]
) -> dict[str, str]:
    """Registers that hold what a comparison says, worked out a beat ahead."""
    claims = {}
    for flag in _FLAG.finditer(walker):
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
    bits: int,
) -> None:
    """The address at the RAM in every beat, and that it is read where the beat needs it."""
    ghost, array = piece.ghost, memory.array
    fire = f"{stream.name}_fire"
    ports = [(k, copy, "r") for k, copy in enumerate(stream.copies) if copy is not None]
    if table.is_write:
        ports = [(0, copy, "w") for copy in range(memory.copies)]
    for operand, copy, kind in ports:
        enable = f"{array}_{copy}_{kind}_en"
        label = f"{ghost.name}_{'writes' if kind == 'w' else 'reads'}_{operand}_{copy}"
        taken = mask_text(ghost, table.taken[operand], bits)
        if taken is None:
            piece.notes.append(f"which beats of {stream.name} have operand {operand}")
            taken = "1'b1"
        elif table.fetched[operand].any():
            needed = mask_text(ghost, table.fetched[operand], bits)
            if needed is None:
                piece.notes.append(f"which beats of {stream.name} read operand {operand}")
            else:
                piece.claims[f"{label}_there"] = f"!{fire} || !({needed}) || {enable}"
        if memory.address_bits:
            address = ghost.text(cells[operand], bits)
            where = f"{array}_{copy}_{kind}_addr"
            piece.lines.append(f"wire signed [{bits - 1}:0] {label}_cell = {address};")
            claim = (
                f"!({fire} && {enable} && ({taken})) || $signed({{1'b0, {where}}}) == {label}_cell"
            )
            piece.claim(f"{label}_address", claim, _used(cells[operand]))


def mask_text(ghost: Ghost, mask: np.ndarray, bits: int) -> str | None:
    if mask.all():
        return "1'b1"
    found = region(ghost.forms, mask) if mask.any() else ()
    return None if found is None else region_text(ghost, found, bits)


@dataclass(frozen=True, slots=True)
class Task:
    """One proof: the claims to add to a buffer, with the ghosts they speak of."""

    pieces: tuple[Piece, ...]
    claims: Mapping[str, str]


def tasks(pieces: Sequence[Piece], ports: Mapping[str, str]) -> Iterator[Task]:
    """The proofs of a buffer: few claims with quotients in each, so that none takes long."""
    chosen: list[Piece] = []
    claims = dict(ports)
    weight = 0
    for piece in pieces:
        for part in piece.parts or [Part({}, set())]:
            if weight and weight + len(part.quotients) > _MOST_QUOTIENTS:
                yield Task(tuple(chosen), claims)
                chosen, claims, weight = [], {}, 0
            if piece not in chosen:
                chosen.append(piece)
            claims |= piece.claims | part.claims
            weight += len(part.quotients)
    yield Task(tuple(chosen), claims)


def task_sources(
    buffer: str, task: Task, library: Mapping[str, str], *, stubs: bool = True
) -> dict[str, str]:
    """The sources of a proof: the buffer with ghosts and claims, and stubs of its memories.

    `library` are the other files by name; without `stubs` memories are what they are.
    """
    lines = [f"reg {_SEEN} = 1'b0;", f"always @(posedge clk) {_SEEN} <= 1'b1;"]
    lines.append(f"always @* if (!{_SEEN}) assume (rst);")
    for piece in task.pieces:
        lines += piece.lines
    sources = {
        name: stub(text) if stubs and name.removesuffix(".v") in _STUBS else text
        for name, text in library.items()
    }
    sources["proof_buffer.v"] = with_lines(buffer, [*lines, *assertions(task.claims, _SEEN)])
    return sources


def port_claims(memory: DeviceMemory, streams: Sequence[DeviceStream]) -> dict[str, str]:
    """No port of a memory is used by two streams in a cycle, nor without a stream."""
    claims: dict[str, str] = {}
    writers = [s.name for s in streams if s.direction == "write"]
    for first, second in combinations(writers, 2):
        claims[f"one_write_{first}_{second}"] = f"!({first}_fire && {second}_fire)"
    for copy in range(memory.copies):
        readers = [s.name for s in streams if s.direction != "write" and copy in s.copies]
        for kind, users in (("r", readers), ("w", writers)):
            fires = " || ".join(f"{name}_fire" for name in users) or "1'b0"
            claims[f"port_{kind}_{copy}_by_a_beat"] = f"!{memory.array}_{copy}_{kind}_en || {fires}"
        for first, second in combinations(readers, 2):
            claims[f"one_read_{copy}_{first}_{second}"] = f"!({first}_fire && {second}_fire)"
    return claims


def walkers_of(buffer: str) -> Iterator[tuple[str, str]]:
    """(stream, module) of the walkers in a buffer."""
    for found in re.finditer(r"(\w+_walk) u_(\w+)_walk \(", buffer):
        yield found[2], found[1]
