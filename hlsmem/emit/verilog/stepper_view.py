"""View of a conflict set for the templates: a RAM and a stepper for every array.

The order of accesses is not known, so the user's own loops drive the stepper: it moves the
cell by one along an array dimension, up or down, by constants.
"""

from __future__ import annotations

from hlsmem.addressing.address_generator import bits_for
from hlsmem.core import verilog_library as library
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.plan import ArrayPlan, Plan
from hlsmem.read.design_names import free_name
from hlsmem.verilog.verilog_text import literal, ram_style


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveView:
    """One step: the value of {dim, down} and what the part becomes."""

    label: str
    comment: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartView:
    """A component of the cell, times the cells of all later components."""

    name: str
    bits: int
    modulus: int
    stride: int
    load: str
    moves: tuple[MoveView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepperView:
    ram: str
    stepper: str
    array: str
    index: tuple[str, ...]
    bits: int
    cells: int
    style: str
    cell_bits: int
    load_bits: int
    dim_bits: int
    parts: tuple[PartView, ...]
    cell: str
    mapping: str


def stepper_views(plan: Plan) -> tuple[StepperView, ...]:
    """One view an array; its modules have names of their own, in any case."""
    taken = set(map(library.versioned, library.modules()))
    return tuple(_view(plan, array, taken) for array in plan.arrays.values())


def _view(plan: Plan, array: ArrayPlan, taken: set[str]) -> StepperView:
    mapping = array.hardware.parts[0].mapping
    assert mapping is not None
    piece = mapping.pieces[0]
    rows, moduli = piece.matrix_at(plan.params), piece.modulus_at(plan.params)
    cells = mapping.cells
    cell_bits = bits_for(0, cells - 1)
    dim_bits = bits_for(0, len(array.index) - 1)
    parts: list[PartView] = []
    stride = low = 0
    for number, (row, modulus) in reversed(list(enumerate(zip(rows, moduli, strict=True)))):
        stride = stride or 1
        bits = bits_for(0, (modulus - 1) * stride)
        parts.append(
            PartView(
                name=f"part_{number}",
                bits=bits,
                modulus=modulus,
                stride=stride,
                load=f"load_cell[{low + bits - 1}:{low}]",
                moves=_moves(f"part_{number}", row, modulus, stride, bits, array.index, dim_bits),
            )
        )
        low, stride = low + bits, stride * modulus
    sums = [
        part.name if part.bits == cell_bits else f"{{{cell_bits - part.bits}'d0, {part.name}}}"
        for part in reversed(parts)
    ]
    return StepperView(
        ram=free_name(f"{plan.design}_{array.name}", taken),
        stepper=free_name(f"{plan.design}_{array.name}_step", taken),
        array=array.name,
        index=array.index,
        bits=array.bits,
        cells=cells,
        style=ram_style(plan.memories[array.hardware.parts[0].memory].style),
        cell_bits=cell_bits,
        load_bits=max(1, low),
        dim_bits=dim_bits,
        parts=tuple(reversed(parts)),
        cell=" + ".join(sums) or literal(0, cell_bits),
        mapping="; ".join(
            f"{_form_text(row, array.index)} mod {modulus}"
            for row, modulus in zip(rows, moduli, strict=True)
        ),
    )


def _form_text(row: tuple[int, ...], index: tuple[str, ...]) -> str:
    """A row of the map as a sum over the index names."""
    text = ""
    for factor, name in zip(row, index, strict=True):
        if factor:
            size = name if abs(factor) == 1 else f"{abs(factor)}*{name}"
            sign = ("-" if factor < 0 else "+") if text else ("-" if factor < 0 else "")
            text += f" {sign} {size}" if text else f"{sign}{size}"
    return text or "0"


def _moves(
    name: str,
    row: tuple[int, ...],
    modulus: int,
    stride: int,
    bits: int,
    index: tuple[str, ...],
    dim_bits: int,
) -> tuple[MoveView, ...]:
    moves: list[MoveView] = []
    for dimension, factor in enumerate(row):
        for down in (0, 1):
            step = (-factor if down else factor) % modulus
            value = name
            if step:
                wrap = literal((modulus - step) * stride, bits)
                onward = literal(step * stride, bits)
                value = f"({name} >= {wrap}) ? ({name} - {wrap}) : ({name} + {onward})"
            moves.append(
                MoveView(
                    label=literal(2 * dimension + down, dim_bits + 1),
                    comment=f"{index[dimension]} {'down' if down else 'up'}",
                    value=value,
                )
            )
    return tuple(moves)
