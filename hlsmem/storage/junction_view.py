"""Views of forks and joins for the templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.storage.junctions import Junction
from hlsmem.verilog.generator_view import AddressGeneratorView, generator_view
from hlsmem.verilog.verilog_ports import PortGroup, padded_bits, stream_document, unaddressed
from hlsmem.verilog.verilog_text import concatenation


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchView:
    """A part's stream: `there` is when a beat has to do with it, `data` what goes to it."""

    name: str
    ports: PortGroup
    there: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JunctionView:
    """A fork of a write stream, or a join of a read stream."""

    kind: ClassVar[str] = "junction"

    module: str
    name: str
    comment: str
    is_write: bool
    ports: PortGroup
    branches: tuple[BranchView, ...]
    generators: tuple[AddressGeneratorView, ...]
    conditions: tuple[str, ...]
    data: str
    user: str
    last: str
    unused: tuple[str, ...]

    @property
    def template(self) -> str:
        return "fork.v.j2" if self.is_write else "join.v.j2"


def junction_view(design: str, junction: Junction, inner: Mapping[str, PortGroup]) -> JunctionView:
    """The view of a junction; `inner` are the ports of the parts' streams by name."""
    name = junction.name
    generators: tuple[AddressGeneratorView, ...] = ()
    conditions: tuple[str, ...] = ()
    if junction.generator is not None:
        conditions = tuple(condition for condition, _ in junction.generator.conditions)
        generators = (
            generator_view(
                junction.generator,
                module=f"{design}_{name}_walk",
                stream=name,
                widths={},
                keys=(),
                next_keys=(),
                tells=("last",) if junction.is_write else ("last", "done"),
            ),
        )
    branches = tuple(
        BranchView(
            name=branch.stream,
            ports=inner[branch.stream],
            there=branch.condition or "1'b1",
        )
        for branch in junction.branches
    )
    data, users = _operands(junction, inner)
    verb = "goes to the parts that take it" if junction.is_write else "joins its parts"
    return JunctionView(
        module=f"{design}_{name}_{'fork' if junction.is_write else 'join'}",
        name=name,
        comment=f"{name} {verb}",
        is_write=junction.is_write,
        ports=junction_ports(junction),
        branches=branches,
        generators=generators,
        conditions=conditions,
        data=concatenation(reversed(data)),
        user=concatenation(reversed(users)) if junction.has_user else "",
        last="last" if generators else f"{branches[0].name}_tlast",
        unused=tuple(_unused(junction, inner, bool(generators))),
    )


def _operands(junction: Junction, inner: Mapping[str, PortGroup]) -> tuple[list[str], list[str]]:
    """Per operand of a read beat its bits of a part's beat, and whether it is read."""
    if junction.is_write:
        return [f"{junction.name}_tdata"], []
    width = padded_bits(junction.bits)
    data = [f"{width}'d0"] * junction.operands
    users = ["1'b0"] * junction.operands
    for branch in junction.branches:
        for position, operand in enumerate(branch.operands):
            low = position * width
            bits = f"{branch.stream}_tdata[{low + width - 1}:{low}]"
            # What a part shows beside this beat may change while the beat waits: it is of a later.
            here = f"({{{width}{{{branch.condition}}}}} & {bits})"
            data[operand] = here if branch.condition else bits
            user = f"{branch.stream}_tuser[{position}]" if inner[branch.stream].user_bits else ""
            texts = [text for text in (branch.condition, user) if text]
            users[operand] = " & ".join(texts) or "1'b1"
    return data, users


def _unused(junction: Junction, inner: Mapping[str, PortGroup], walks: bool) -> Sequence[str]:
    if junction.is_write:
        found = [f"{junction.name}_tlast"] if walks else []
        # Nobody reads what a stream without branches brings.
        return found if junction.branches else [*found, f"{junction.name}_tdata"]
    found = [f"{branch.stream}_tlast" for branch in junction.branches[0 if walks else 1 :]]
    if not junction.has_user:
        found += [f"{b.stream}_tuser" for b in junction.branches if inner[b.stream].user_bits]
    return found


def junction_ports(junction: Junction) -> PortGroup:
    """The ports of the whole stream."""
    return PortGroup(
        name=junction.name,
        is_write=junction.is_write,
        data_bits=junction.operands * padded_bits(junction.bits),
        user_bits=junction.operands if junction.has_user else 0,
    )


def junction_document(junction: Junction) -> dict[str, Any]:
    """The whole stream in sim/<design>.json."""
    document = stream_document(
        junction.array,
        junction.statement,
        junction_ports(junction),
        beats=junction.beats,
        idle=0 if junction.generator is None else junction.generator.idle,
        operands=() if junction.is_write else unaddressed(junction.operands),
    )
    return {**document, "path": f"u_{junction.name}"}
