"""Small functions of generated C: values reduced to n bits, network bodies, the mix."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hlsmem.emit.c.c_names import apart_from
from hlsmem.program.model import Access, ElementType, Mix, NetworkBody, Program, Statement, mix
from hlsmem.read.design_names import RESERVED

_NATURAL = (8, 16, 32, 64)


def needs_wrap(element: ElementType) -> bool:
    """True if the C type of an element is wider than the element."""
    return not element.is_float and element.bits not in _NATURAL


def wrap(element: ElementType, text: str) -> str:
    """C for `text` reduced to the bits of an integer element."""
    return f"{RESERVED}{element.name}({text})"


def wrap_lines(element: ElementType) -> list[str]:
    """The function that reduces an integer to the bits of an element."""
    mask = (1 << element.bits) - 1
    sign = 1 << (element.bits - 1)
    if element.is_signed:
        bits = f"((uint64_t)value & {mask:#x}u) ^ {sign:#x}u"
        result = f"({element.c_name})((int64_t)({bits}) - {sign})"
    else:
        result = f"({element.c_name})((uint64_t)value & {mask:#x}u)"
    return [
        f"/* the low {element.bits} bits of a value{', sign-extended' * element.is_signed} */",
        f"static inline {element.c_name} {RESERVED}{element.name}(int64_t value)",
        "{",
        f"    return {result};",
        "}",
    ]


def body_function(statement: Statement, access: Access) -> str:
    """The name of the function that computes what a network statement writes by `access`."""
    several = len({write.array for write in statement.writes}) > 1
    return f"{RESERVED}{access.array + '_of_' if several else ''}{statement.name}_body"


def network_functions(program: Program) -> list[list[str]]:
    """The functions of all network statements, and the mix where a statement has no body."""
    found = []
    for statement in program.statements:
        written = {access.array: access for access in statement.writes}
        for access in written.values():
            match statement.body:
                case NetworkBody() as body:
                    found.append(_body_lines(program, statement, access, body))
                case Mix():
                    own = _mix_body_lines(program, statement, access)
                    found.append(apart_from(program.parameters, own))
    if any(isinstance(statement.body, Mix) for statement in program.statements):
        reads = [a.array for s in program.statements for a in s.reads if isinstance(s.body, Mix)]
        elements = {program.arrays[name].element for name in reads}
        found.insert(0, apart_from(program.parameters, _mix_lines(elements)))
    return found


def _operands(program: Program, statement: Statement) -> list[tuple[str, str]]:
    """Type and name of every operand."""
    return [
        (program.arrays[access.array].element.c_name, f"a{position}")
        for position, access in enumerate(statement.reads)
    ]


def _body_lines(
    program: Program, statement: Statement, access: Access, given: NetworkBody
) -> list[str]:
    text = given.text
    operands = [("int64_t", name) for name in given.iterators] + _operands(program, statement)
    parameters = ", ".join(f"const {kind} {name}" for kind, name in operands) or "void"
    body = text.strip() if text.strip().endswith((";", "}")) else f"{text.strip()};"
    words = set(re.findall(r"[A-Za-z_]\w*", text))
    element = program.arrays[access.array].element
    result = access.array
    value = wrap(element, result) if needs_wrap(element) else result
    lines = [f"static inline {element.c_name} {body_function(statement, access)}({parameters})"]
    lines.append("{")
    for name in dict.fromkeys(write.array for write in statement.writes):
        lines.append(f"    {program.arrays[name].element.c_name} {name};")
    lines += [f"    (void){name};" for _, name in operands if name not in words]
    lines += [f"    {line}" if line.strip() else "" for line in body.split("\n")]
    lines += [f"    (void){w.array};" for w in statement.writes if w.array != result]
    inside = {name for _, name in operands} | {write.array for write in statement.writes}
    return apart_from(inside & {*program.parameters}, [*lines, f"    return {value};", "}"])


def _mix_body_lines(program: Program, statement: Statement, access: Access) -> list[str]:
    operands = _operands(program, statement)
    iterators = [("int64_t", f"i{position}") for position in range(len(statement.iterators))]
    parameters = ", ".join(f"{kind} {name}" for kind, name in [*iterators, *operands]) or "void"
    start = mix(statement.name, (), ())
    element = program.arrays[access.array].element
    lines = [
        f"/* {statement.name} has no body: a mix of its name, iteration and operands */",
        f"static inline {element.c_name} {body_function(statement, access)}({parameters})",
        "{",
        f"    uint32_t h = {start}u; /* the mix of the name */",
    ]
    lines += [f"    h = {RESERVED}mix(h, (uint32_t){name});" for _, name in iterators]
    for (_, name), read in zip(operands, statement.reads, strict=True):
        pattern = _pattern(program.arrays[read.array].element, name)
        lines.append(f"    h = {RESERVED}mix64(h, {pattern});")
    return [*lines, f"    return {_mixed_value(element)};", "}"]


def _pattern(element: ElementType, name: str) -> str:
    return f"{RESERVED}{element.name}_bits({name})" if element.is_float else f"(uint64_t){name}"


def _mixed_value(element: ElementType) -> str:
    if element.name == "float":
        return "(float)(h >> 8)"
    if element.name == "double":
        return "(double)h"
    both = "((uint64_t)h << 32 | h)"
    if element.bits == 64 or not element.is_signed:
        kept = both if element.bits == 64 else f"{both} & {(1 << element.bits) - 1:#x}u"
        return f"({element.c_name})({kept})"
    return wrap(element, f"(int64_t){both}")


def mixed_elements(program: Program) -> set[ElementType]:
    """The element types whose wrap function the mixes need."""
    return {
        program.arrays[access.array].element
        for statement in program.statements
        if isinstance(statement.body, Mix)
        for access in statement.writes
        if _mixed_value(program.arrays[access.array].element).startswith(RESERVED)
    }


def _mix_lines(elements: Iterable[ElementType]) -> list[str]:
    lines = [
        f"static inline uint32_t {RESERVED}mix(uint32_t h, uint32_t word)",
        "{",
        "    h = (h ^ word) * 16777619u;",
        "    return h ^ (h >> 15);",
        "}",
        "",
        f"static inline uint32_t {RESERVED}mix64(uint32_t h, uint64_t bits)",
        "{",
        f"    return {RESERVED}mix({RESERVED}mix(h, (uint32_t)bits), (uint32_t)(bits >> 32));",
        "}",
    ]
    for element in sorted((e for e in elements if e.is_float), key=lambda e: e.name):
        lines += [
            "",
            f"static inline uint64_t {RESERVED}{element.name}_bits({element.name} value)",
            "{",
            f"    uint{element.bits}_t bits;",
            "    memcpy(&bits, &value, sizeof bits);",
            "    return bits;",
            "}",
        ]
    return lines
