"""The number types of C, by their widths on 64-bit systems (LP64)."""

from __future__ import annotations

from hlsmem.program.model import ElementType
from hlsmem.read.c.tree import Float, Number, Type

ScalarType = Number | Float


def scalar_type(kind: Type) -> ScalarType | None:
    """The number that a type is, by its width; None for others, and for integers of 128 bits."""
    match kind:
        case Number(bits=bits) if bits < 128:
            return Number(bits, kind.signed, is_bool=kind.is_bool)
        case Float():
            return kind
    return None


def integer_type(kind: Type) -> Number | None:
    """The integer that a type is, by its width; None for others."""
    found = scalar_type(kind)
    return found if isinstance(found, Number) else None


def element_type(scalar: ScalarType) -> ElementType:
    """The hlsmem name of a C scalar type."""
    if isinstance(scalar, Float):
        return ElementType("float" if scalar.bits == 32 else "double")
    return ElementType(f"{'' if scalar.signed else 'u'}int{scalar.bits}")


def stored_bytes(scalar: ScalarType) -> int:
    """The bytes of a C scalar type; an integer of a width that C has not is stored in the next.

    >>> stored_bytes(Number(9, False)), stored_bytes(Number(1, False))
    (2, 1)
    """
    return element_type(scalar).cell_bytes
