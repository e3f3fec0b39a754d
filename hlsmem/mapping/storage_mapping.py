"""The modular mapping: x -> (M x + offset) mod b, a list of pieces, and its certificate."""

from __future__ import annotations

from collections.abc import Mapping as Values
from dataclasses import field, replace

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.lifetime.storage_problem import Bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One modular map on a domain (isl text; None: everywhere).

    `matrix` has one row per component and one column per array index; `modulus` and
    `offset` one entry per component. A scalar has no rows and one cell.
    """

    matrix: tuple[tuple[QuasiPolynomial, ...], ...]
    modulus: tuple[QuasiPolynomial, ...]
    offset: tuple[QuasiPolynomial, ...]
    domain: str | None = None

    def cells(self) -> QuasiPolynomial:
        """The product of the moduli."""
        return QuasiPolynomial.product(self.modulus)

    def cells_at(self, values: Values[str, int]) -> int:
        return self.cells().evaluate(values)

    def matrix_at(self, values: Values[str, int]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(entry.evaluate(values) for entry in row) for row in self.matrix)

    def modulus_at(self, values: Values[str, int]) -> tuple[int, ...]:
        return tuple(entry.evaluate(values) for entry in self.modulus)

    def offset_at(self, values: Values[str, int]) -> tuple[int, ...]:
        return tuple(entry.evaluate(values) for entry in self.offset)

    def constant_at(self, values: Values[str, int]) -> Piece:
        """The same piece with numbers in place of formulas."""
        return replace(
            self,
            matrix=tuple(
                tuple(map(QuasiPolynomial.constant, row)) for row in self.matrix_at(values)
            ),
            modulus=tuple(map(QuasiPolynomial.constant, self.modulus_at(values))),
            offset=tuple(map(QuasiPolynomial.constant, self.offset_at(values))),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Why a mapping is valid: `scope` is all-parameters, or at (the plan's values).

    A problem without parameters has one case, which is proved: its scope is at, without values.
    `by` names the argument, e.g. widths or differences. `kernel` are generators of the
    lattice of all differences that share a cell, where the argument needs them.
    """

    scope: str
    by: str
    at: tuple[tuple[str, int], ...] = ()
    kernel: tuple[tuple[QuasiPolynomial, ...], ...] = ()

    @property
    def is_complete(self) -> bool:
        """True if it holds wherever the design does: for all parameters, or there are none."""
        return self.scope == "all-parameters" or not self.at

    def stated_at(self, values: Values[str, int]) -> Certificate:
        """As one of a mapping whose entries are the numbers at `values`: generators that are
        formulas say nothing of these."""
        return replace(self, scope="at", at=tuple(values.items()), kernel=())

    def __str__(self) -> str:
        if self.scope == "all-parameters":
            return f"proved for all parameters (by {self.by})"
        values = ", ".join(f"{name}={value}" for name, value in self.at)
        return f"checked at {values} (by {self.by})" if values else f"proved (by {self.by})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Measurement of a search along a vector, such as its width or a successive minimum.

    `value` is a quasi-polynomial, or an exact fraction, as text.
    """

    what: str
    vector: tuple[int, ...]
    value: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StorageMapping:
    """A valid mapping of one array: `cells` at the plan's parameters, `method` that found it.

    `unfinished` is the mapping as the method gave it, where its moduli were lowered since.
    `bounds` are what the method proved on its way, `findings` what its search measured.
    """

    pieces: tuple[Piece, ...]
    method: str
    cells: int
    certificate: Certificate
    work: int = field(default=0, compare=False)
    unfinished: StorageMapping | None = None
    bounds: tuple[Bound, ...] = ()
    findings: tuple[Finding, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        return f"<Mapping by {self.method}: {self.cells} cells>"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoMapping:
    """A method's answer when it has none: the reason, for the user, and bounds all the same."""

    method: str
    reason: str
    work: int = 0
    bounds: tuple[Bound, ...] = ()


def unfolded(
    extents: tuple[QuasiPolynomial, ...], lower: tuple[QuasiPolynomial, ...] | None = None
) -> Piece:
    """The piece of the array as declared: the identity, modulo its extents."""
    size = len(extents)
    one, zero = QuasiPolynomial.constant(1), QuasiPolynomial.constant(0)
    return Piece(
        matrix=tuple(
            tuple(one if row == column else zero for column in range(size)) for row in range(size)
        ),
        modulus=extents,
        offset=lower or (zero,) * size,
    )


Mapping = StorageMapping
"""The name that `hlsmem` has for it as well."""
