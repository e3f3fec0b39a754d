"""Bits of tdata of each element: the layout of beats, which a datapath needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hlsmem.core.expression import Operator
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.expression_text import Syntax, print_expression
from hlsmem.polyhedra.enclosing_instances import bind, images
from hlsmem.polyhedra.generated_loops import expression_of
from hlsmem.polyhedra.sets import parameter_names
from hlsmem.program.model import Access, Program, Statement
from hlsmem.timing.lanes import lanes_of
from hlsmem.verilog.verilog_ports import PortGroup, padded_bits

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
    program: Program, array: str, statement: str | None, ports: PortGroup
) -> Iterator[Operand]:
    """The operands of the stream of an array and a statement, in the order of their bits.

    `statement` is None for the fill and the drain of an array, which pass its own elements.
    """
    bits = program.arrays[array].element.bits
    for position, (lane, element) in enumerate(_elements(program, array, statement, ports)):
        low = position * padded_bits(bits)
        yield Operand(
            stream=ports.name,
            high=low + bits - 1,
            low=low,
            element=element,
            lane=lane,
            user=position if ports.user_bits else None,
        )


def _elements(
    program: Program, array: str, statement: str | None, ports: PortGroup
) -> Iterator[tuple[tuple[int, ...], str]]:
    """Lanes and elements."""
    if statement is None:
        yield (), _element(program, array, program.arrays[array].index)
        return
    own = next(one for one in program.statements if one.name == statement)
    accesses = own.writes if ports.is_write else own.reads
    for lane, _ in lanes_of(program, own):
        for access in accesses:
            if access.array == array:
                yield lane, _element(program, array, _subscripts(program, own, access))


def _subscripts(program: Program, statement: Statement, access: Access) -> list[str]:
    """The coordinates of the element in the iterators of the statement.

    Stars where an access is to several elements, or never happens.
    """
    taken = parameter_names(statement.domain)
    names = [f"{name}_" if name in taken else name for name in statement.iterators]
    instances = statement.domain.intersect_params(program.context)
    relation = access.relation.intersect_domain(instances)
    if relation.is_empty() or not relation.is_single_valued():
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
