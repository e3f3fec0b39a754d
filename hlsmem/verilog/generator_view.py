"""View of an address generator for the template of its module."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from hlsmem.addressing.address_generator import (
    AddressGenerator,
    Branch,
    Finish,
    Move,
    Sign,
    Step,
    Term,
    bits_for,
)
from hlsmem.addressing.lookahead import after, tests_of
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.verilog.verilog_text import guard_text, literal, output_text, update_text


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterView:
    name: str
    range: str
    first: str
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PortView:
    """An output port: `range` is its declaration, `value` what it is."""

    name: str
    range: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateView:
    label: str
    lines: tuple[str, ...]


# What an address generator tells of a beat besides its values: whether there is one, whether it is
# the last, and whether that has gone.
TELLS = ("beat", "last", "done")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressGeneratorView:
    """`tells` are those of TELLS that somebody looks at."""

    module: str
    stream: str
    beats: int
    idle: int
    loops: str
    tells: tuple[str, ...]
    ports: tuple[PortView, ...]
    registers: tuple[RegisterView, ...]
    last: str
    states: tuple[StateView, ...]
    state_range: str
    first_state: str
    is_beat: str

    @property
    def counts_on(self) -> bool:
        """True if it matters that the last beat has gone: there is a register for it."""
        return bool(self.is_beat) or "beat" in self.tells or "done" in self.tells

    @property
    def outputs(self) -> tuple[str, ...]:
        """The declarations of its output ports, in their order."""
        own = [f"wire {port.range}{port.name}" for port in self.ports]
        told = [f"wire {name}" for name in ("beat", "last") if name in self.tells]
        return (*told, *own, *(["reg  done"] if "done" in self.tells else []))


def generator_view(
    generator: AddressGenerator,
    *,
    module: str,
    stream: str,
    widths: Mapping[str, tuple[int, bool]],
    keys: Sequence[int],
    next_keys: Sequence[int],
    tells: Collection[str],
    ahead: bool = False,
) -> AddressGeneratorView:
    """The view of an address generator; `widths` gives bits and sign of its outputs by name.

    `keys` and `next_keys` are the loops whose present and next value go out; `tells` are of TELLS
    what somebody looks at. `ahead` works comparisons out a beat ahead, for a register each and a
    higher clock rate.
    """
    registers = generator.registers
    flags = _flags(generator) if ahead else {}
    known = _known(generator, flags)
    bits = bits_for(0, len(generator.steps) - 1)
    several = len(generator.steps) > 1
    beats = [f"state == {literal(k, bits)}" for k, b in enumerate(generator.is_beat) if b]
    return AddressGeneratorView(
        module=module,
        stream=stream,
        beats=generator.beats,
        idle=generator.idle,
        loops=", ".join(generator.loops),
        tells=tuple(name for name in TELLS if name in tells),
        ports=tuple(_ports(generator, known, widths, (keys, next_keys))),
        registers=_register_views(generator, flags),
        last=guard_text(generator.last, registers, known),
        states=tuple(
            StateView(
                label=literal(number, bits),
                lines=tuple(_step_lines(step, generator, bits if several else 0, 0, flags, known)),
            )
            for number, step in enumerate(generator.steps)
        ),
        state_range=_range(bits, False) if several else "",
        first_state=literal(generator.first_state, bits),
        is_beat=" || ".join(beats) if several and not all(generator.is_beat) else "",
    )


def _ports(
    generator: AddressGenerator,
    known: Mapping[Sign, str],
    widths: Mapping[str, tuple[int, bool]],
    keys: tuple[Sequence[int], Sequence[int]],
) -> Iterator[PortView]:
    """The ports of conditions, of outputs, and of loops whose present and next value go out."""
    registers = generator.registers
    for name, condition in generator.conditions:
        yield PortView(name=name, range="", value=guard_text(condition, registers, known))
    for name, output in generator.outputs:
        bits, signed = widths[name]
        text = output_text(output, registers, bits, signed)
        yield PortView(name=name, range=_range(bits, signed), value=text)
    for prefix, loops, source in zip(("key", "key_next"), keys, ("", "next_"), strict=True):
        for loop in loops:
            register = registers[generator.loop_registers[loop]]
            yield PortView(
                name=f"{prefix}_{loop}",
                range=_range(register.bits, register.is_signed),
                value=f"{source}{register.name}",
            )


def _register_views(generator: AddressGenerator, flags: Flags) -> tuple[RegisterView, ...]:
    """The registers of the walk, then those of `flags`, comparisons worked out a beat ahead."""
    registers = generator.registers
    walked = tuple(
        RegisterView(
            name=register.name,
            range=_range(register.bits, register.is_signed),
            first=literal(register.first, register.bits, register.is_signed),
            comment=f"{register.least} .. {register.greatest}",
        )
        for register in registers
    )
    ahead = tuple(
        RegisterView(
            name=name,
            range="",
            first=f"1'b{int(_holds_first(sign, generator))}",
            comment=_bare(text),
        )
        for text, (name, sign) in flags.items()
    )
    return walked + ahead


def _range(bits: int, signed: bool) -> str:
    return f"{'signed ' if signed else ''}[{bits - 1}:0] "


def _holds_first(sign: Sign, generator: AddressGenerator) -> bool:
    """True if a comparison holds at the first place of the walk."""
    term = sign.term
    first = 0 if term.register is None else term.sign * generator.registers[term.register].first
    return first + term.constant == 0 if sign.equal else first + term.constant >= 0


Flags = Mapping[str, tuple[str, Sign]]


def _flags(generator: AddressGenerator) -> Flags:
    """Registers that hold what a test says, by its text: name and test."""
    found: dict[str, tuple[str, Sign]] = {}
    for sign in tests_of(generator):
        text = guard_text(sign, generator.registers)
        if " != " in text:  # at its greatest: the same, and an equality moves on as one
            register = sign.term.register
            assert register is not None
            sign = Sign(Term(register, 1, -generator.registers[register].greatest), True)
            text = guard_text(sign, generator.registers)
        if text not in found and not text.startswith("1'b"):
            found[text] = (f"is_{len(found)}", sign)
    return found


def _known(generator: AddressGenerator, flags: Flags) -> dict[Sign, str]:
    """Texts for tests that stand in a register."""
    known: dict[Sign, str] = {}
    for sign in tests_of(generator) if flags else ():
        text = guard_text(sign, generator.registers)
        if text in flags:
            known[sign] = flags[text][0]
        elif text.replace(" != ", " == ") in flags:
            known[sign] = f"~{flags[text.replace(' != ', ' == ')][0]}"
    return known


def _step_lines(
    step: Step,
    generator: AddressGenerator,
    state_bits: int,
    depth: int,
    flags: Flags,
    known: Mapping[Sign, str],
) -> Iterator[str]:
    indent = "    " * depth
    match step:
        case Finish():
            return
        case Move(state, updates):
            for update in updates:
                name = generator.registers[update.target].name
                yield f"{indent}next_{name} = {update_text(update, generator)};"
            for name, sign in flags.values():
                following = after(sign, step)
                if following is not None and following != sign:
                    yield f"{indent}next_{name} = {guard_text(following, generator.registers)};"
            if state_bits:
                yield f"{indent}next_state = {literal(state, state_bits)};"
        case Branch(guard, then, otherwise):
            yield f"{indent}if ({_bare(guard_text(guard, generator.registers, known))}) begin"
            yield from _step_lines(then, generator, state_bits, depth + 1, flags, known)
            rest = list(_step_lines(otherwise, generator, state_bits, depth + 1, flags, known))
            if rest:
                yield f"{indent}end else begin"
                yield from rest
            yield f"{indent}end"


def _bare(text: str) -> str:
    """The text without the parentheses around all of it."""
    if not text.startswith("("):
        return text
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[1:-1] if position == len(text) - 1 else text
    return text
