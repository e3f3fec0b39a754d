"""Which bits of tdata are which element: what a datapath has to know of the streams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hlsmem.emit.expression import Syntax, print_expression
from hlsmem.expression import Operator
from hlsmem.order.unroll import lanes_of
from hlsmem.plan import Stream
from hlsmem.polyhedra.instances import bind, images
from hlsmem.polyhedra.loops import expression_of
from hlsmem.polyhedra.sets import parameter_names
from hlsmem.program import Access, Program, Statement
from hlsmem.verilog.ports import PortGroup, padded_bits

_SYNTAX = Syntax(
    helpers={
        Operator.FLOOR_DIVIDE: "floordiv",
        Operator.MODULO: "mod",
        Operator.MINIMUM: "min",
        Operator.MAXIMUM: "max",
    },
    integer=str,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operand:
    """An element of a beat: tdata[high:low], and the bit of tuser that says it is read, or None.

    `element` is written in the iterators of the statement; `lane` are the positions in unrolled
    loops.
    """

    stream: str
    high: int
    low: int
    element: str
    lane: tuple[int, ...] = ()
    user: int | None = None


def operands(
    program: Program, streams: Sequence[Stream], ports: Iterable[PortGroup]
) -> tuple[Operand, ...]:
    """The operands of the streams that have ports, in the order of these and of their bits."""
    own = {stream.name: stream for stream in streams}
    return tuple(
        operand for group in ports for operand in _operands(program, own[group.name], group)
    )


def _operands(program: Program, stream: Stream, ports: PortGroup) -> Iterator[Operand]:
    bits = program.arrays[stream.array].element.bits
    for position, (lane, element) in enumerate(_elements(program, stream, ports.is_write)):
        low = position * padded_bits(bits)
        yield Operand(
            stream=stream.name,
            high=low + bits - 1,
            low=low,
            element=element,
            lane=lane,
            user=position if ports.user_bits else None,
        )


def _elements(
    program: Program, stream: Stream, is_write: bool
) -> Iterator[tuple[tuple[int, ...], str]]:
    """Lanes and elements; the fill and the drain of an array pass its own elements."""
    if stream.statement is None:
        yield (), _element(program, stream.array, program.arrays[stream.array].index)
        return
    statement = next(one for one in program.statements if one.name == stream.statement)
    accesses = statement.writes if is_write else statement.reads
    for lane, _ in lanes_of(program, statement):
        for access in accesses:
            if access.array == stream.array:
                yield lane, _element(program, access.array, _subscripts(program, statement, access))


def _subscripts(program: Program, statement: Statement, access: Access) -> list[str]:
    """The coordinates of the element in the iterators of the statement."""
    taken = parameter_names(statement.domain)
    names = [f"{name}_" if name in taken else name for name in statement.iterators]
    instances = statement.domain.intersect_params(program.context)
    relation = access.relation.intersect_domain(instances)
    if not relation.is_single_valued():
        return ["*"] * len(program.arrays[access.array].index)
    return [
        print_expression(expression_of(image, bind(instances, names)), _SYNTAX)
        for image in images(relation, names)
    ]


def _element(program: Program, array: str, subscripts: Sequence[str]) -> str:
    """An element as the kernel calls it."""
    kernel = program.kernel
    if kernel is not None and array in kernel.variables:
        variable = kernel.variables[array]
        return variable.steps(str(variable.declaration.name), subscripts)
    return array + "".join(f"[{text}]" for text in subscripts)
