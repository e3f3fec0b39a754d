"""Windows and line buffers that are shifted by hand, and that no output sees the first values of.

`static int line[N]` without initial values, or with those of the frame before, fills up while what
is computed of it is thrown away: it may as well hold 0. Its values are then read where they come
from, from the first iteration on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hlsmem.core.errors import InputError
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.read.design_folder import Folder
from hlsmem.read.macro_parameters import with_macros
from hlsmem.timing.undefined_values import ignores_first_values


def with_filled_windows(
    plain: Design, folder: Folder, read: Callable[..., Design]
) -> Design | None:
    """The design with windows that hold 0 at first, and with macros as parameters; None where that
    reads no more of them at their source.

    `plain` is what `read` gives without macros. What holds for its sizes has to hold for all that
    macros then may have.
    """
    if not _may_fill(plain):
        return None
    filled = partial(read, fills_windows=True)
    try:
        own = filled()
    except InputError:
        return None
    known, before = _program(own), _program(plain)
    if known is None or before is None or not _propagated(known) > _propagated(before):
        return None
    found = with_macros(own, folder, filled)
    program = _program(found)
    assert program is not None
    sizes = {name: one for name, one in program.values.items() if name not in known.values}
    if sizes and not _may_fill(read(macros=sizes, context=str(program.context))):
        return own
    return found


def _program(design: Design) -> Program | None:
    return design.input if isinstance(design.input, Program) else None


def _may_fill(design: Design) -> bool:
    """True if windows stay for what they hold at first, and no output needs that."""
    program = _program(design)
    if program is None or program.kernel is None or not program.kernel.unset:
        return False
    asked = any(one.startswith("kernel.windows=") for one in program.kernel.defaults)
    return not asked and ignores_first_values(program, program.kernel.unset)


def _propagated(program: Program) -> set[str]:
    return set() if program.kernel is None else set(program.kernel.propagated)
