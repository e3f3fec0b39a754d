"""An innermost loop with pointers as lines of C; where pointers wrap it runs in segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.emit.c.c_syntax import C
from hlsmem.emit.c.cell_names import Key
from hlsmem.emit.c.cell_text import size_text
from hlsmem.emit.c.statement_text import Writer
from hlsmem.emit.expression_text import print_atom, print_expression
from hlsmem.host_loops.loop_polynomials import polynomial
from hlsmem.host_loops.pointer_loop import LoopShape, Pointer
from hlsmem.host_loops.symbolic_sizes import expression_of
from hlsmem.polyhedra.generated_loops import Loop
from hlsmem.read.design_names import RESERVED

Body = Callable[[Mapping[Key, str]], list[str]]
"""Gives the lines of the body of a loop with C for the cells that have a pointer."""
Vectors = Callable[[list[str]], list[str]]
"""Gives the lines of an innermost loop with what says that it is independent, if it is."""

TURNED = {
    Operator.LESS: Operator.GREATER,
    Operator.LESS_EQUAL: Operator.GREATER_EQUAL,
    Operator.GREATER: Operator.LESS,
    Operator.GREATER_EQUAL: Operator.LESS_EQUAL,
}

_FROM, _RUN, _END = (f"{RESERVED}{name}" for name in ("from", "run", "end"))


def walk_lines(
    loop: Loop, shape: LoopShape, writer: Writer, body: Body, vectors: Vectors
) -> list[str]:
    """The loop with its pointers in front, to stand in a block of its own."""
    names = _names(shape)
    starts = [
        f"{'' if pointer.wraps else 'const '}size_t {name} = {_start(pointer, writer)};"
        for pointer, name in names
    ]
    lines = _in_segments if shape.wrapping else _in_one
    return [*starts, "", *lines(loop, names, writer, body, vectors)]


def loop_header(loop: Loop, writer: Writer, *, moves: bool = True) -> str:
    """`for (..; ..; ..)`; without the step if it does not move there."""
    first = print_expression(loop.first, C, writer.names)
    test = print_expression(_name_first(loop.condition, loop.iterator), C, writer.names)
    step = f"{loop.iterator}++" if loop.step == 1 else f"{loop.iterator} += {loop.step}"
    start = f"{writer.loop_type} {loop.iterator} = {first}"
    return f"for ({start}; {test};{' ' + step if moves else ''})"


def _names(shape: LoopShape) -> list[tuple[Pointer, str]]:
    """The pointers with the variables that hold their cells."""
    return [
        (pointer, f"{RESERVED}{pointer.array}_{number}")
        for number, pointer in enumerate(shape.pointers)
    ]


def _start(pointer: Pointer, writer: Writer) -> str:
    subscripts = [print_expression(_collected(one), C, writer.names) for one in pointer.start]
    return writer.folds[pointer.array].place(subscripts)


def _in_one(
    loop: Loop, names: list[tuple[Pointer, str]], writer: Writer, body: Body, vectors: Vectors
) -> list[str]:
    """The loop where no pointer wraps."""
    moved = _difference(Name(loop.iterator), loop.first, writer)
    header = loop_header(loop, writer)
    return vectors([f"{header} {{", *_indent(body(_cells(names, moved))), "}"])


def _in_segments(
    loop: Loop, names: list[tuple[Pointer, str]], writer: Writer, body: Body, vectors: Vectors
) -> list[str]:
    """The loop, cut where a pointer comes to the end of its cells."""
    assert loop.last is not None, "a loop without a last iteration cannot be cut"
    kind, name = writer.loop_type, loop.iterator
    left = _difference(_sum(loop.last, Integer(1)), Name(name), writer)
    wrapping = [(pointer, variable) for pointer, variable in names if pointer.wraps is not None]
    cuts = [line for one in wrapping for line in _cut(*one)]
    turns = [line for one in wrapping for line in _turn(*one)]
    steady = [(pointer, variable) for pointer, variable in names if pointer.wraps is None]
    # Apart, so that a compiler told that int may wrap still sees neighbours.
    cells = _cells(wrapping, f"((size_t){name} - (size_t){_FROM})")
    segment = f"for (const {kind} {_END} = {name} + ({kind}){_RUN}; {name} < {_END}; {name}++)"
    inside = body(cells | _cells(steady, _difference(Name(name), loop.first, writer)))
    return [
        f"{loop_header(loop, writer, moves=False)} {{",
        f"  const {kind} {_FROM} = {name};",
        f"  size_t {_RUN} = {left};",
        "",
        *_indent(cuts),
        *_indent(vectors([f"{segment} {{", *_indent(inside), "}"])),
        *_indent(turns),
        "}",
    ]


def _cut(pointer: Pointer, variable: str) -> list[str]:
    """Lines that end a segment with the last iteration before the pointer wraps."""
    stride, modulus = _steps(pointer)
    if stride > 0:
        room = f"{modulus} - {variable}"
        room = room if stride == 1 else f"({room} + {stride - 1}u) / {stride}u"
    else:
        room = f"{variable} + 1u" if stride == -1 else f"{variable} / {-stride}u + 1u"
    return [f"if ({_RUN} > {room})", f"  {_RUN} = {room};"]


def _turn(pointer: Pointer, variable: str) -> list[str]:
    """Lines that move a pointer behind a segment."""
    stride, modulus = _steps(pointer)
    moved = _RUN if abs(stride) == 1 else f"{abs(stride)}u * {_RUN}"
    if stride > 0:
        return [
            f"{variable} += {moved};",
            f"if ({variable} >= {modulus})",
            f"  {variable} -= {modulus};",
        ]
    return [
        f"{variable} += {modulus} - {moved};" if stride == -1 else f"{variable} += {modulus};",
        *([] if stride == -1 else [f"{variable} -= {moved};"]),
        f"if ({variable} >= {modulus})",
        f"  {variable} -= {modulus};",
    ]


def _steps(pointer: Pointer) -> tuple[int, str]:
    stride = pointer.stride.constant_value()
    assert pointer.wraps is not None, "a loop is cut where a pointer wraps"
    assert stride is not None, "a loop is cut at constant strides"
    return stride, size_text(pointer.wraps)


def _cells(names: list[tuple[Pointer, str]], moved: str) -> dict[Key, str]:
    """C for the number of the cell of every reference, `moved` iterations behind the start."""
    return {
        (pointer.array, subscripts): variable + _offset(pointer.stride, moved)
        for pointer, variable in names
        for subscripts in pointer.serves
    }


def _offset(stride: QuasiPolynomial, moved: str) -> str:
    match stride.constant_value():
        case 0:
            return ""
        case 1:
            return f" + {moved}"
        case -1:
            return f" - {moved}"
        case int(value):
            return f" {'+' if value > 0 else '-'} {abs(value)}u * {moved}"
        case None:
            return f" + {size_text(stride)} * {moved}"


def _difference(value: Expression, start: Expression, writer: Writer) -> str:
    if start == Integer(0):
        return f"(size_t){print_atom(value, C, writer.names)}"
    moved = _sum(value, Operation(Operator.SUBTRACT, (Integer(0), start)))
    return f"(size_t)({print_expression(moved, C, writer.names)})"


def _sum(left: Expression, right: Expression) -> Expression:
    """The sum of two expressions."""
    return _collected(Operation(Operator.ADD, (left, right)))


def _collected(expression: Expression) -> Expression:
    """The expression with like terms together, where it is a polynomial."""
    form = polynomial(expression)
    return expression if form is None else expression_of(form)


def _name_first(condition: Expression, name: str) -> Expression:
    """i < N rather than N > i."""
    match condition:
        case Operation(operator, (left, Name(right))) if operator in TURNED and right == name:
            return Operation(TURNED[operator], (Name(right), left))
    return condition


def _indent(lines: list[str]) -> list[str]:
    return [f"  {line}" if line else line for line in lines]
