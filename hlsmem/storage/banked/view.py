"""View of banks for the template of a buffer: their ports, and the rotated operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hlsmem.addressing.address_generator import bits_for
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.bank_forms import Distance, Route
from hlsmem.storage.banked.routes import is_turned, lane_turns, reads_alone
from hlsmem.verilog.verilog_text import concatenation, literal, resized

if TYPE_CHECKING:
    from hlsmem.storage.ram.circuit import MemoryCircuit, StreamCircuit


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesView:
    """`name` is the text in `cases` at the value of `selector`, else `otherwise`."""

    name: str
    range: str
    selector: str
    cases: tuple[tuple[str, str], ...]
    otherwise: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BankView:
    """A bank of a copy: what enables its ports, and the address of its read port.

    `mover` enables its output register where its words wait in it, empty elsewhere. With `asked` it
    enables a register in front of the read port, too.
    """

    name: str
    write_enable: str
    read_enable: str
    read_address: str
    routed: CasesView | None
    mover: str
    asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DelayView:
    """A selector of a stream as its words find it: (register, source, enable or "") each."""

    name: str
    range: str
    stages: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedView:
    """The banks of a stream whose words `hlsmem_rotator` brings to their operands.

    `words` are (name, high, low): the bits of an operand in what comes out of it.
    """

    lanes: int
    bits: int
    selector: str
    data: str
    words: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteView:
    """A read stream on a banked copy: the bank of every operand at issue, and its word.

    `banks` are for whoever watches. Words come by `turned`; without it `delays` keep the
    selectors until the words `lanes` are there.
    """

    stream: str
    banks: tuple[CasesView, ...]
    delays: tuple[DelayView, ...]
    lanes: tuple[CasesView, ...]
    turned: TurnedView | None


def bank_bits(memory: MemoryCircuit) -> int:
    """Bits of a bank number."""
    return bits_for(0, memory.banks - 1)


def offset_bits(memory: MemoryCircuit) -> int:
    """Bits of an address in a bank."""
    return bits_for(0, memory.bank_words - 1)


def bank_views(memory: MemoryCircuit, copy: int) -> tuple[BankView, ...]:
    """The banks of a copy, with all streams that read it."""
    readers = [s for s in memory.streams if s.route is not None and s.route.copy == copy]
    # A drain reads when nobody else does: where it asks, its address goes first.
    readers.sort(key=lambda stream: not stream.is_drain)
    return tuple(_bank(memory, copy, bank, readers) for bank in range(memory.banks))


def route_view(memory: MemoryCircuit, stream: StreamCircuit, route: Route) -> RouteView:
    """The selection of the banks and words of a stream's operands."""
    bits = bank_bits(memory)
    last, alone = memory.read_latency, reads_alone(memory, stream)
    range_text = f"[{bits - 1}:0] "
    turned = _turned(memory, stream, route)
    banks, lanes = [], []
    for operand, selector, lane in zip(route.operands, route.selectors, route.lanes, strict=True):
        wire = f"{stream.name}_{selector}"
        numbers = [(value, literal(bank, bits)) for value, bank in _known(lane)]
        words = [
            (value, f"{memory.array}_{route.copy}_b{bank}_r_data") for value, bank in _known(lane)
        ]
        name = f"{stream.name}_at_{operand}"
        banks.append(_cases(name, range_text, wire, bits, numbers))
        name = f"{stream.name}_word_{operand}"
        words_range = f"[{memory.bits - 1}:0] "
        if turned is None:
            lanes.append(_cases(name, words_range, f"{wire}_{last}", bits, words))
    delays = []
    for selector in dict.fromkeys(view.selector for view in lanes if view.cases):
        name = selector.removesuffix(f"_{last}")
        later = [name, *(f"{name}_{k}" for k in range(1, last + 1))]
        enables = [f"{stream.name}_fire", f"{stream.name}_move"] if alone else ["", ""]
        stages = tuple(zip(later[1:], later[:-1], enables[:last], strict=True))
        delays.append(DelayView(name=name, range=range_text, stages=stages))
    return RouteView(
        stream=stream.name,
        banks=tuple(banks),
        delays=tuple(delays),
        lanes=tuple(lanes),
        turned=turned,
    )


def _turned(memory: MemoryCircuit, stream: StreamCircuit, route: Route) -> TurnedView | None:
    turns = lane_turns(route, memory.banks)
    if turns is None or not is_turned(memory, stream):
        return None
    reads = (f"{memory.array}_{route.copy}_b{bank}_r_data" for bank in range(memory.banks))
    return TurnedView(
        lanes=memory.banks,
        bits=bank_bits(memory),
        selector=f"{stream.name}_{route.selectors[0]}",
        data=concatenation(reversed(list(reads))),
        words=tuple(
            (f"{stream.name}_word_{k}", (turn + 1) * memory.bits - 1, turn * memory.bits)
            for k, turn in zip(route.operands, turns, strict=True)
        ),
    )


def unused_lanes(route: RouteView, bits: int) -> list[str]:
    """The bits of what comes out of `hlsmem_rotator` that are no operand's: of banks to spare."""
    if route.turned is None:
        return []
    used = {low for _, _, low in route.turned.words}
    return [
        f"{route.stream}_turned[{low + bits - 1}:{low}]"
        for low in range(0, route.turned.lanes * bits, bits)
        if low not in used
    ]


def unused_selectors(stream: StreamCircuit, route: Route, view: RouteView) -> list[str]:
    """Selectors nobody looks at, as the words of every operand are in one bank at all times."""
    known = {value for lane in route.lanes for value, _ in _known(lane)}
    asks = not route.is_shared or any(_there(stream, operand) for operand in route.operands)
    if asks or len(known) > 1 or view.turned is not None:
        return []
    return [f"{stream.name}_{selector}" for selector in dict.fromkeys(route.selectors)]


def _known(lane: Sequence[int | None]) -> list[tuple[int, int]]:
    return [(value, bank) for value, bank in enumerate(lane) if bank is not None]


def _cases(
    name: str, range_text: str, selector: str, bits: int, choices: Sequence[tuple[int, str]]
) -> CasesView:
    """Choices by values of a selector; the last one needs no comparison."""
    return CasesView(
        name=name,
        range=range_text,
        selector=selector,
        cases=tuple((literal(value, bits), text) for value, text in choices[:-1]),
        otherwise=choices[-1][1],
    )


def _bank(
    memory: MemoryCircuit, copy: int, bank: int, readers: Sequence[StreamCircuit]
) -> BankView:
    name = f"{memory.array}_{copy}_b{bank}"
    number = literal(bank, bank_bits(memory))
    enables: list[str] = []
    addresses: list[tuple[str, str]] = []
    routed = None
    for stream in readers:
        assert stream.route is not None
        if stream.route.is_shared:
            found, routed, address = _shared(memory, stream, stream.route, bank, name)
            if not found:
                continue
            enables.append(found)
            addresses.append((f"{stream.name}_fire", address))
            continue
        for k, (operand, selector) in enumerate(
            zip(stream.route.operands, stream.route.selectors, strict=True)
        ):
            asks = f"{_there(stream, operand)}{stream.name}_{selector} == {number}"
            enables.append(f"({stream.name}_fire & {asks})")
            asks = f"{stream.name}_fire & {asks}" if len(readers) > 1 else asks
            addresses.append((f"({asks})", f"{stream.name}_{stream.route.offsets[k]}"))
    text = addresses[-1][1] if addresses else literal(0, offset_bits(memory))
    for condition, address in reversed(addresses[:-1]):
        text = f"{condition} ? {address} : {text}"
    return BankView(
        name=name,
        write_enable=f"write_enable & write_bank == {number}",
        read_enable=" | ".join(enables) or "1'b0",
        read_address=text,
        routed=routed,
        mover=_mover(memory, readers[0]),
        asked=is_turned(memory, readers[0]),
    )


def _mover(memory: MemoryCircuit, stream: StreamCircuit) -> str:
    if is_turned(memory, stream):
        return f"{stream.name}_room"
    return f"{stream.name}_move" if reads_alone(memory, stream) else ""


def _there(stream: StreamCircuit, operand: int) -> str:
    """The conditions, each followed by &, under which an operand is fetched."""
    own = stream.operands[operand]
    text = f"{stream.name}_{own.taken} & " if own.taken else ""
    return text + (f"~{stream.name}_{own.wired} & " if own.wired else "")


def _shared(
    memory: MemoryCircuit, stream: StreamCircuit, route: Route, bank: int, name: str
) -> tuple[str, CasesView | None, str]:
    """(enable, what its selector chooses, address) of a bank where one selector says who reads."""
    bits = bank_bits(memory)
    selector = f"{stream.name}_{route.selectors[0]}"
    users = [
        (value, k)
        for value in range(memory.banks)
        for k, lane in enumerate(route.lanes)
        if lane[value] == bank
    ]
    if not users:
        return "", None, ""
    offsets = [(value, f"{stream.name}_{route.offsets[k]}") for value, k in users]
    asked: dict[str, list[int]] = {}
    for value, k in users:
        asked.setdefault(_there(stream, route.operands[k]), []).append(value)
    enable = f"{stream.name}_fire"
    values = {value for lane in route.lanes for value, _ in _known(lane)}
    if set(asked) != {""} or {value for value, _ in users} != values:
        parts = [
            f"({there}{selector} == {literal(value, bits)})"
            for there, own in asked.items()
            for value in own
        ]
        enable = f"({enable} & ({' | '.join(parts)}))"
    if route.distances is not None:
        return enable, *_stepped(memory, stream, route, users, name)
    address_range = f"[{offset_bits(memory) - 1}:0] "
    routed = _cases(f"{name}_routed", address_range, selector, bits, offsets)
    return enable, routed, routed.name


def _stepped(
    memory: MemoryCircuit,
    stream: StreamCircuit,
    route: Route,
    users: Sequence[tuple[int, int]],
    name: str,
) -> tuple[CasesView | None, str]:
    """Distance of the address of a bank from the one offset of a stream, and that address."""
    distances = route.distances or ()
    ends = [end for d in distances for end in (d.least, d.least + d.more)]
    least, width = min(0, *ends), offset_bits(memory)
    bits = min(width, bits_for(least, max(ends)))
    offset = f"{stream.name}_{route.offsets[0]}"
    if not any(ends):
        return None, offset

    def text(distance: Distance) -> str:
        plain = literal(distance.least, bits)
        if distance.when is None:
            return plain
        more = literal(distance.least + distance.more, bits)
        return f"{stream.name}_{distance.when} ? {more} : {plain}"

    selector = f"{stream.name}_{route.selectors[0]}"
    choices = [(value, text(distances[k])) for value, k in users]
    step = _cases(f"{name}_step", f"[{bits - 1}:0] ", selector, bank_bits(memory), choices)
    return step, f"{offset} + {resized(step.name, bits, width, least < 0)}"
