"""What the C of a kernel tests at its entry, and the hardware takes for granted."""

from __future__ import annotations

from hlsmem.emit.c.versions import versions_of
from hlsmem.options import Design
from hlsmem.program import Program
from hlsmem.wording import listed


def guard_remarks(design: Design) -> tuple[str, ...]:
    """Sentences for the report: what holds only where the C's tests say so."""
    program = design.input
    kernel = program.kernel if isinstance(program, Program) else None
    if kernel is None:
        return ()
    found = []
    if kernel.apart:
        pairs = "; ".join(f"{one} and {other}" for one, other in kernel.apart)
        found.append(
            f"C tests at its entry that these lie apart: {pairs} ({kernel.name}_apart()), and else"
            " runs the function as it was. The RTL has no such test: it takes arrays for disjoint."
        )
    if kernel.fixed:
        values = listed([f"{name} = {program.values[name]}" for name in kernel.fixed])
        others = "; ".join(
            " and ".join(f"{name} = {value}" for name, value in one.values)
            for one in versions_of(design)
        )
        also = f" C has versions of its own for {others}." if others else ""
        found.append(
            f"It is for {values} alone, in whose places its text has the values.{also} For other"
            " values C runs the function as it was."
        )
    return tuple(found)
