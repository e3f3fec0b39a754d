"""The header of a bare conflict set: where the cell of an element is, and how many there are."""

from __future__ import annotations

from collections.abc import Mapping

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator
from hlsmem.emit.c.c_syntax import C
from hlsmem.emit.c.folded_arrays import Cells, fold_comment
from hlsmem.emit.expression_text import print_expression
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.program.model import Array, ConflictInput, SourceFile
from hlsmem.program.options import Design
from hlsmem.version import TOOL


def conflict_files(design: Design, cells: Cells, remark: str = "") -> tuple[SourceFile, ...]:
    """host/<name>.h with A_CELLS and A_CELL(x, y) for every array, at the plan's parameters.

    Elements may have any coordinates that an int64_t holds, negative ones too. `remark` is a
    sentence for the reader of the header.
    """
    given = design.input
    guard = f"HLSMEM_{given.name.upper()}_H"
    values = ", ".join(f"{name} = {value}" for name, value in given.values.items())
    at = f" at {values}" if values else ""
    lines = [
        f"/* Cells of the arrays of {given.name}{at}; made by {TOOL} */",
        *([f"/* {remark} */"] if remark else []),
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#include <stddef.h>",
        "#include <stdint.h>",
    ]
    for name, mapping in cells.items():
        array = (
            given.conflicts[name].array if isinstance(given, ConflictInput) else given.arrays[name]
        )
        lines += ["", *_array_lines(array, mapping, given.values)]
    text = "\n".join([*lines, "", "#endif"]) + "\n"
    return (SourceFile(name=f"host/{given.name}.h", text=text),)


def _array_lines(array: Array, mapping: StorageMapping, values: Mapping[str, int]) -> list[str]:
    if len(mapping.pieces) != 1:
        raise InputError(
            Problem(
                f"host C for '{array.name}' in pieces is not available yet",
                "choose another method for it",
            )
        )
    piece = mapping.pieces[0]
    names = [f"x{position}" for position in range(len(array.index))]
    rows = zip(
        piece.matrix_at(values),
        piece.modulus_at(values),
        piece.offset_at(values),
        strict=True,
    )
    text = "0"
    body = []
    for position, (factors, modulus, offset) in enumerate(rows):
        form = _form(names, factors, offset)
        body += [
            f"    const int64_t r{position} = {print_expression(form, C)} % {modulus};"
            if isinstance(form, (Name, Integer))
            else f"    const int64_t r{position} = ({print_expression(form, C)}) % {modulus};",
        ]
        cell = f"(r{position} < 0 ? r{position} + {modulus} : r{position})"
        text = cell if text == "0" else f"({text}) * {modulus} + {cell}"
    upper = array.name.upper()
    parameters = ", ".join(f"int64_t {name}" for name in names) or "void"
    listed = ", ".join(array.index)
    used = {n for n in names if any(n in line for line in body)}
    body = [f"    (void){name};" for name in names if name not in used] + body
    return [
        *fold_comment(array, mapping, values),
        f"#define {upper}_CELLS {mapping.cells}",
        "",
        f"static inline size_t {array.name}_cell({parameters})",
        "{",
        *body,
        f"    return (size_t)({text});",
        "}",
        "",
        f"#define {upper}_CELL({listed}) {array.name}_cell({listed})",
    ]


def _form(names: list[str], factors: tuple[int, ...], offset: int) -> Expression:
    terms: list[Expression] = [
        Name(name) if factor == 1 else Operation(Operator.MULTIPLY, (Integer(factor), Name(name)))
        for name, factor in zip(names, factors, strict=True)
        if factor
    ]
    if offset or not terms:
        terms.append(Integer(offset))
    return terms[0] if len(terms) == 1 else Operation(Operator.ADD, tuple(terms))
