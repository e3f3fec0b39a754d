"""Windows and line buffers that are shifted by hand, and that no output sees the first values of.

`static int line[N]` without initial values, or with those of the frame before, fills up while what
is computed of it is thrown away: it may as well hold 0. Its values are then read where they come
from, from the first iteration on. A static array that is read and written in place, and is no such
window, is 0 then where nothing has written it yet: nothing is kept from frame to frame.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hlsmem.core.errors import InputError
from hlsmem.program.model import Program, Storage
from hlsmem.program.options import Design
from hlsmem.read.design_folder import Folder
from hlsmem.read.macro_parameters import with_macros
from hlsmem.read.suffixes import is_cxx
from hlsmem.timing.undefined_values import ignores_first_values

_MOST_STATE = 8
"""Arrays and scalars of which each is looked at by itself, where not all can be plain."""


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
    return _for_all_sizes(own, with_macros(own, folder, filled), read, _may_fill)


def without_first_values(plain: Design, folder: Folder, read: Callable[..., Design]) -> Design:
    """The design with macros as parameters, and with static arrays that hold nothing from an
    earlier call where no output sees that and they would be state else.

    `plain` and `read` are as above, and so is what has to hold for sizes.
    """
    kept = with_macros(plain, folder, read)
    before = _program(kept)
    names = _unseen(plain) if before is not None and _state(before) else frozenset()
    if not names:
        return kept
    plainly = partial(read, fresh=names)
    try:
        own = plainly()
    except InputError:
        return kept
    known = _program(own)
    if known is None or _state(known) & names:
        return kept
    found = with_macros(own, folder, plainly)
    return _for_all_sizes(own, found, read, lambda one: names <= _unseen(one))


def _for_all_sizes(
    own: Design, found: Design, read: Callable[..., Design], holds: Callable[[Design], bool]
) -> Design:
    """The design `found`, whose macros are parameters, if what it rests on holds for all of them in
    the plain one; else `own`, with their numbers."""
    known, program = _program(own), _program(found)
    assert known is not None
    assert program is not None
    sizes = {name: one for name, one in program.values.items() if name not in known.values}
    if sizes and not holds(read(macros=sizes, context=str(program.context))):
        return own
    return found


def _unseen(design: Design) -> frozenset[str]:
    """The state of a kernel in C++ that no output needs the first values of, all or some arrays.

    Of C none is: `reading` holds the origin of each byte that is stored to that of the user's text.
    """
    program = _program(design)
    if program is None or program.kernel is None or not is_cxx(program.kernel.file):
        return frozenset()
    if _windows_are_asked(program):
        return frozenset()
    state = _state(program)
    if not state or ignores_first_values(program, state):
        return state
    if len(state) == 1 or len(state) > _MOST_STATE:
        return frozenset()
    found = frozenset(one for one in state if ignores_first_values(program, {one}))
    # Where no array is state, scalars are seen outside: that they are kept would be lost.
    return found if any(program.arrays[one].index for one in state - found) else frozenset()


def _state(program: Program) -> frozenset[str]:
    arrays = program.arrays.values()
    return frozenset(one.name for one in arrays if one.storage is Storage.STATE)


def _windows_are_asked(program: Program) -> bool:
    kernel = program.kernel
    return kernel is not None and any(one.startswith("kernel.windows=") for one in kernel.defaults)


def _program(design: Design) -> Program | None:
    return design.input if isinstance(design.input, Program) else None


def _may_fill(design: Design) -> bool:
    """True if windows stay for what they hold at first, and no output needs that."""
    program = _program(design)
    if program is None or program.kernel is None or not program.kernel.unset:
        return False
    return not _windows_are_asked(program) and ignores_first_values(program, program.kernel.unset)


def _propagated(program: Program) -> set[str]:
    return set() if program.kernel is None else set(program.kernel.propagated)
