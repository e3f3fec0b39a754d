"""What the C of a kernel tests at its entry, and the hardware takes for granted."""

from __future__ import annotations

from hlsmem.core.wording import listed
from hlsmem.emit.c.version_files import versions_of
from hlsmem.plan import HostRam
from hlsmem.program.model import Program
from hlsmem.program.options import Design


def guard_remarks(
    design: Design, in_c: Program | None = None, ram: HostRam | None = None
) -> tuple[str, ...]:
    """Sentences for the report: what holds only where the tests of the C say so; `in_c` is the
    program in its order, and `ram` what it keeps."""
    kernel, values_of = design.kernel, design.input.values
    if kernel is None:
        return ()
    found = []
    tested = None if in_c is None else in_c.kernel
    if tested is not None and tested.apart and ram is not None:
        pairs = "; ".join(f"{one} and {other}" for one, other in tested.apart)
        does = "runs in the order of the text, in the same workspace"
        if ram.check is not None:
            does = f"calls {kernel.name.upper()}_OVERLAP(), as that takes {ram.bytes} bytes in"
            does += f" place of {ram.check} with host.alias: check"
        elif ram.overlap == "stop":
            does = f"calls {kernel.name.upper()}_OVERLAP()"
        found.append(
            f"C tests at its entry that these lie apart: {pairs} ({kernel.name}_apart()), and else"
            f" {does}. The RTL has no such test: it takes arrays for disjoint."
        )
    if kernel.fixed:
        values = listed([f"{name} = {values_of[name]}" for name in kernel.fixed])
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
