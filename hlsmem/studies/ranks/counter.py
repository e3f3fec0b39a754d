"""A counter in Verilog over the instances of a statement, from any of them on.

Registers step by constants, as in all address generators. `load` sets them to an instance, whose
values are printed for the first one of each part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hlsmem.addressing.address_generator import bits_for
from hlsmem.addressing.generator_compiler import compile_generator
from hlsmem.addressing.state_changes import state_of
from hlsmem.addressing.time_walk import time_walk
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.templates import templates
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.studies.ranks.instance_numbers import Ranking
from hlsmem.verilog.generator_view import generator_view


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Initial values of the counter for a part: `left` instances from its first one on."""

    left: int
    registers: Mapping[str, int]
    state: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterView:
    module: str
    title: str
    notes: tuple[str, ...]
    left_bits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """The Verilog of a counter, and what to load for some instances."""

    text: str
    starts: tuple[Start, ...]


def counter(
    ranking: Ranking,
    values: Mapping[str, int],
    parts: Sequence[tuple[tuple[int, ...], int]],
    *,
    module: str,
    title: str,
) -> Counter:
    """The counter of a statement at some parameters.

    `parts` are the times of first instances, as `ranks.times_at` gives them, and how many
    instances follow from there, this one included.
    """
    statement = ranking.statement
    inverse = fix_parameters(ranking.inverse, values).coalesce()
    walk = time_walk(inverse)
    outputs = {
        _port(name): walk.iterator(position) for position, name in enumerate(statement.iterators)
    }
    generator = compile_generator(walk.node, walk.loops, outputs, {}, walk.visits)
    domain = inverse.range()
    widths = {}
    for position, name in enumerate(statement.iterators):
        low = int(domain.dim_min_val(position).to_python())
        high = int(domain.dim_max_val(position).to_python())
        widths[_port(name)] = (bits_for(low, high), low < 0)
    view = generator_view(
        generator,
        module=module,
        stream=statement.name,
        widths=widths,
        keys=(),
        next_keys=(),
        tells=(),
    )
    starts = tuple(
        Start(
            left=left,
            registers={one.name: int(one.form.at(point)) for one in generator.registers},
            state=state_of(walk.node, walk.visits, point) if len(generator.steps) > 1 else None,
        )
        for point, left in parts
    )
    shown = CounterView(
        module=module,
        title=title,
        notes=tuple(_notes(starts)),
        left_bits=bits_for(0, max(generator.beats, 1)),
    )
    template = templates("rtl").get_template("counter.v.j2")
    return Counter(text=template.render(counter=shown, generator=view), starts=starts)


def _port(name: str) -> str:
    return f"at_{name}"


def _notes(starts: Sequence[Start]) -> list[str]:
    lines = ["`load` sets the counter to an instance, `step` goes on to the next one."]
    for number, start in enumerate(starts):
        values = [f"left={start.left}", *(f"{n}={v}" for n, v in start.registers.items())]
        if start.state is not None:
            values.append(f"state={start.state}")
        lines.append(f"part {number}: {', '.join(values)}")
    return lines
