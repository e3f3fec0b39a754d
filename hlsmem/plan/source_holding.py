"""What holds arrays in the user's text as it comes back, and the order that this text runs in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.plan.program_text import ProgramText


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLoop:
    """A loop around lines: its variable, which is entry `at` of a time, runs from `lower` to
    before `upper`."""

    at: int
    lower: QuasiPolynomial
    upper: QuasiPolynomial


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A register or a line buffer of `words`: it has the values of number `after` so many
    iterations later; 0 is the value of the iteration, 1 the first line."""

    after: int
    words: QuasiPolynomial


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLines:
    """Lines of an array for reads of `statements` in the body of `loops`.

    Where its elements arrive, e does in the iteration e + `shift`; None where a statement writes
    them.
    """

    statements: tuple[str, ...]
    loops: tuple[SourceLoop, ...]
    lines: tuple[SourceLine, ...]
    shift: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceHolding:
    """Holding of an array in the text that comes back: cells of a `mapping`, or `lines`."""

    form: str
    words: int
    bits: int
    mapping: StorageMapping | None = None
    lines: tuple[SourceLines, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceArray:
    """An array of the text that is not planned for the Verilog."""

    element: str
    bits: int
    index: tuple[str, ...]
    extents: tuple[QuasiPolynomial, ...] | None
    held: SourceHolding


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """The order of the text that comes back: that of the program, or `times` of its statements.

    `arrays` are those beside the arrays of the plan.
    """

    program: ProgramText
    times: Mapping[str, str] = field(default_factory=dict)
    arrays: Mapping[str, SourceArray] = field(default_factory=dict)
