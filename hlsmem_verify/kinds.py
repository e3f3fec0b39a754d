"""Kinds of storage: what a plan says of a part in each, and what the Verilog keeps it in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of storage and what its lemma `says`.

    Where it `has_mapping` elements have cells; where it `has_taps` operands are so many writes
    behind the newest; registers have either. `built_of` are the modules of the library that keep
    its words; None: RAMs, and registers for one word.
    """

    says: str
    has_mapping: bool = False
    has_taps: bool = False
    built_of: frozenset[str] | None = None

    @property
    def is_ordered(self) -> bool:
        """True if a part may do without cells: the order of its beats tells what is read."""
        return self.has_taps or not self.has_mapping


# All kinds, by their names in a plan; a claim of each that is ordered is in `claims.parts`.
KINDS = {
    "wire": Kind(
        "every operand is the newest element, which is read as it is written",
        has_taps=True,
        built_of=frozenset(),
    ),
    "registers": Kind(
        "no two conflicting elements share a cell; or operands are the newest element",
        has_mapping=True,
        has_taps=True,
        built_of=frozenset({"hlsmem_register"}),
    ),
    "ram": Kind(
        "no two conflicting elements share a cell, and each read port has the cells once",
        has_mapping=True,
    ),
    "banked": Kind(
        "no beat reads two elements of one bank, and no two that conflict share an offset",
        has_mapping=True,
    ),
    "chain": Kind(
        "operand k is the element so many writes before the newest",
        has_taps=True,
        built_of=frozenset({"hlsmem_delay"}),
    ),
    "fifo": Kind(
        "each value is read once, in the order of writes, and no more wait at once",
        built_of=frozenset({"hlsmem_fifo"}),
    ),
    "window": Kind(
        "a write has the cell of its number, and waits for all who read what was there",
        has_mapping=True,
    ),
}
