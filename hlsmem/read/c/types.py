"""The number types of C, by their widths on 64-bit systems (LP64)."""

from __future__ import annotations

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.program.model import ElementType


@dataclass(frozen=True, slots=True)
class IntegerType:
    """A C integer type by its width; _Bool has one bit, as has an ap_uint<1>, which is no truth."""

    bits: int
    signed: bool
    is_bool: bool = False

    @property
    def least(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def greatest(self) -> int:
        return (1 << (self.bits - self.signed)) - 1

    def promoted(self) -> IntegerType:
        """C99 6.3.1.1: what is narrower than int becomes int."""
        return INT if self.bits < INT.bits else self

    def common(self, other: IntegerType) -> IntegerType:
        """C99 6.3.1.8: the type both operands are converted to."""
        a, b = self.promoted(), other.promoted()
        if a.bits != b.bits:
            return a if a.bits > b.bits else b
        return a if not a.signed else b


@dataclass(frozen=True, slots=True)
class FloatType:
    """float (32 bits) or double (64)."""

    bits: int


ScalarType = IntegerType | FloatType
INT = IntegerType(32, True)
LONG = IntegerType(64, True)
BOOL = IntegerType(1, False, is_bool=True)


def element_type(scalar: ScalarType) -> ElementType:
    """The hlsmem name of a C scalar type."""
    if isinstance(scalar, FloatType):
        return ElementType("float" if scalar.bits == 32 else "double")
    return ElementType(f"{'' if scalar.signed else 'u'}int{scalar.bits}")


def stored_bytes(scalar: ScalarType) -> int:
    """`sizeof` of a C scalar type; an integer of a width that C has not is stored in the next.

    >>> stored_bytes(IntegerType(9, False)), stored_bytes(BOOL)
    (2, 1)
    """
    return element_type(scalar).cell_bytes
