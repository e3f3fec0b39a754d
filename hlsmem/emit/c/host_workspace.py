"""Parts of the files of the host C, and the bytes of their workspace."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.alignment import LINE
from hlsmem.emit.c.c_names import spelling
from hlsmem.emit.c.c_wrapper import Memory, memory_of
from hlsmem.emit.c.entries import PLAIN, Entry, Heads
from hlsmem.emit.c.entry_guards import Test
from hlsmem.emit.c.first_state import state_folds
from hlsmem.emit.c.folded_arrays import Cells, Fold, total_bytes, workspace
from hlsmem.emit.c.folded_region import Region
from hlsmem.emit.c.memory_objects import Objects
from hlsmem.emit.c.overlap_test import Apart
from hlsmem.emit.c.unfolded_function import Unfolded, unfolded_bytes, unfolded_text
from hlsmem.emit.c.version_files import Profile, Version
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.plan import HostRam
from hlsmem.program.options import HostOptions
from hlsmem.read.c import tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """The function that is generated, whatever it was made from.

    `heads` gives its heads with a name and a further parameter, `test_heads` those of a function of
    the same parameters that says 0 or 1; `body` its lines around those
    of the region, `original` the unfolded function as a static one, for when the plan does not
    hold. `returned` is the type of its result, "" where it has none. `declarations` gives what a
    text with some names needs of the file, `statics` are variables in front of the functions.
    `types` are declarations that the header repeats, with the names `type_names`. `needs_c` says
    that its text has arrays of run-time extents, which C++ has not.
    """

    name: str
    parameters: tuple[str, ...]
    heads: Callable[[str, str | None], Heads] = field(compare=False)
    test_heads: Callable[[str, str | None], Heads] = field(compare=False)
    body: Any = field(compare=False)  # lines of the region -> lines of the function's body
    original: tuple[str, ...] | None
    original_name: str
    returned: str
    includes: tuple[str, ...]
    declarations: Callable[[Collection[str]], tuple[str, ...]] = field(compare=False)
    statics: tuple[str, ...]
    types: tuple[str, ...]
    type_names: tuple[str, ...]
    macros: Mapping[str, int]
    needs_c: bool


_PLACES = {
    Memory.STATIC: "static",
    Memory.STACK: "stack",
    Memory.GROWING: "stack",
    Memory.MALLOC: "heap",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Everything the files are made of.

    `own_bytes` are those of the folded arrays at the plan's parameters; the arrays `unfolded` are
    those of the function as it was, in the same workspace. `objects` are those of the source and
    what C keeps of them, None where there is no source. `was_static` says that the source holds
    one in a static variable, `grows` that a workspace of the plan's size is no limit. `state` is
    the function that gives a first state. What `is_as_it_was` has the function as it was alone.
    """

    name: str
    title: str
    function: Function
    region: Region
    folds: Mapping[str, Fold]
    scale: Scale
    test: Test | None
    cells: Cells
    host: HostOptions
    own_bytes: int
    unfolded: tuple[Unfolded, ...] = ()
    objects: Objects | None = None
    was_static: bool = False
    grows: bool = False
    apart: Apart | None = None
    versions: tuple[tuple[Version, Parts], ...] = ()
    text: Parts | None = None
    profile: Profile | None = None
    entries: tuple[Entry, ...] = (PLAIN,)
    state: tuple[str, ...] = ()
    is_as_it_was: bool = False

    @property
    def exceeds_source(self) -> bool:
        """True if C would keep more than its source, which it then runs as it was."""
        source = None if self.objects is None else self.objects.source
        return self.function.original is not None and self.ram.bytes > (source or 0)

    @property
    def stored(self) -> tuple[Fold, ...]:
        """The folds that the workspace has."""
        return workspace(self.folds.values())

    @property
    def has_memory(self) -> bool:
        """True if the workspace has any bytes."""
        if any(one.has_memory for _, one in self.versions):
            return True
        if self.runs_text and self.text is not None and self.text.stored:
            return True
        return bool(self.stored) or bool(self.unfolded and self.stands_by)

    @property
    def widest(self) -> str:
        """The widest type of C in the workspace."""
        return max(self._types, key=lambda one: one[0])[1]

    @property
    def _types(self) -> list[tuple[int, str]]:
        """The types of C in the workspace, with their bytes."""
        found = [(one.array.element.cell_bytes, one.type) for one in self.stored]
        if self.runs_text and self.text is not None:
            found += self.text._types
        if self.stands_by:
            found += [(one.widest, one.type) for one in self.unfolded]
        return found + [kind for _, one in self.versions for kind in one._types]

    @property
    def keeps_state(self) -> bool:
        return bool(state_folds(self.folds))

    @property
    def begins(self) -> bool:
        """True if the first call has to fill state: a static workspace holds zeros at first."""
        return any(fold.array.first != {} for fold in state_folds(self.folds))

    @property
    def overlap(self) -> str:
        """Behaviour of C where arguments overlap that its order needs apart: check or stop; none
        where there are none."""
        if self.apart is None:
            return "none"
        if self.host.alias in ("check", "stop"):
            return self.host.alias
        return "stop" if self.keeps_state or 2 * self.own_bytes < self.checked_bytes else "check"

    @property
    def runs_text(self) -> bool:
        """True if the order of the text is there, folded, for arguments that overlap."""
        return self.overlap == "check" and self.text is not None

    @property
    def unfolded_bytes(self) -> int:
        return unfolded_bytes(self.unfolded, self.scale.values)

    @property
    def checked_bytes(self) -> int:
        """The bytes of the workspace, at the plan's parameters, with which no call has to stop."""
        other = self.unfolded_bytes if self.text is None else self.text.own_bytes
        return max(self.own_bytes, other)

    @property
    def capacity(self) -> int:
        """The bytes of the workspace at the plan's parameters: the most that may run in it."""
        own = self.checked_bytes if self.overlap == "check" else self.own_bytes
        # Where sizes are known at a call, a version has a workspace of its own size.
        others = () if self.arguments else self.versions
        return max([own, *(one.held for _, one in others)])

    @property
    def memory(self) -> Memory:
        """The memory for the workspace of the function with the kernel's own signature."""
        is_for_sizes = self.runs_test and self.function.original is not None
        # A variable has no room for arrays that grow with an argument.
        was_static = self.was_static and (self.is_bounded or not is_for_sizes)
        found = memory_of(self.host, self.capacity, was_static=was_static)
        is_limit = found in (Memory.STACK, Memory.STATIC) and bool(self.arguments)
        return Memory.MALLOC if self.grows and is_limit else found

    @property
    def held(self) -> int:
        """The bytes of a workspace that is a variable: for whatever stands by too, unless what
        is larger comes from malloc."""
        is_all = self.stands_by and self.memory in (Memory.STACK, Memory.STATIC)
        return max(self.unfolded_bytes, self.capacity) if is_all else self.capacity

    @property
    def is_aligned(self) -> bool:
        """True if the workspace starts at a line of the cache, also in a block of malloc: not where
        C took more than its source for that."""
        if self.host.objective == "ram":
            return False
        return self.objects is None or self._bytes(LINE) <= self.objects.source

    @property
    def ram(self) -> HostRam:
        """Memory that C uses at the plan's parameters."""
        if self.is_as_it_was and self.objects is not None:
            source, place = self.objects.source, "static" if self.objects.static else "stack"
            return HostRam(bytes=source, where=place, source=source, overlap="none")
        kept = self.objects or Objects(source=0, static=0, frames=0)
        space = self._bytes(LINE if self.is_aligned else 1) - kept.static - kept.frames
        where = {"static": kept.static, "stack": kept.frames, "heap": 0}
        where[_PLACES[self.memory]] += space
        is_refused = self.host.alias == "refuse" and self.overlap == "none"
        stopped = self.overlap == "stop" and self.host.alias not in ("stop", "check")
        return HostRam(
            bytes=sum(where.values()),
            where=max(where, key=lambda name: where[name]),
            source=None if self.objects is None else self.objects.source,
            overlap="refuse" if is_refused else self.overlap,
            check=self._bytes(1, self.checked_bytes) if stopped else None,
        )

    def _bytes(self, line: int, space: int | None = None) -> int:
        """The bytes of all objects with a workspace of `space` bytes at a multiple of `line`."""
        kept = 0 if self.objects is None else self.objects.static + self.objects.frames
        if space is None:
            space = self.held if self.arguments else self.capacity
        if space and self.memory is Memory.MALLOC:
            return kept + space + line - 1
        widest = max((size for size, _ in self._types), default=1)
        return kept + -(-space // widest) * widest + self.begins

    @property
    def own_arguments(self) -> tuple[str, ...]:
        """The parameters, other than macros, that the folded arrays depend on."""
        return self._arguments({n for fold in self.stored for n in fold.cells.parameters()})

    @property
    def arguments(self) -> tuple[str, ...]:
        """The parameters, other than macros, that the size of the workspace depends on."""
        used = {n for fold in self.stored for n in fold.cells.parameters()}
        is_for_sizes = self.runs_test and self.function.original is not None
        if self.runs_text and self.text is not None:
            used |= {n for fold in self.text.stored for n in fold.cells.parameters()}
        if self.unfolded and (is_for_sizes or (self.overlap == "check" and not self.runs_text)):
            used |= {n for one in self.unfolded for n in one.used}
        if self.unfolded and is_for_sizes and self.test is not None:
            used |= self.test.names
        used |= {name for _, one in self.versions for name in one.arguments}
        found = self._arguments(used)
        fixed = {name for version, _ in self.versions for name, _ in version.values}
        return self._arguments(used | fixed) if found else ()

    def _arguments(self, used: Collection[str]) -> tuple[str, ...]:
        macros, given = self.function.macros, (*self.scale.parameters, *self.function.parameters)
        return tuple(dict.fromkeys(n for n in given if n in used and n not in macros))

    @property
    def bytes_macro(self) -> str:
        return f"{self.function.name.upper()}_WS_BYTES"

    @property
    def cells_macro(self) -> str:
        """The macro for the bytes of the folded arrays, where the workspace may take more."""
        return f"{self.function.name.upper()}_CELLS_BYTES"

    @property
    def stack_macro(self) -> str:
        return f"{self.function.name.upper()}_STACK_BYTES"

    @property
    def overlap_macro(self) -> str:
        """The macro that is called where arguments overlap."""
        return f"{self.function.name.upper()}_OVERLAP"

    @property
    def bytes_function(self) -> str:
        return f"{self.function.name}_ws_bytes"

    def bytes_name(self) -> str:
        """C for the size of the workspace."""
        if not self.arguments:
            return self.bytes_macro
        return f"{self.bytes_function}({', '.join(self.arguments)})"

    @property
    def words(self) -> Mapping[str, str]:
        """Spelling of names of the program in the files."""
        function = self.function
        return spelling(function.name, function.macros, function.type_names)

    @property
    def bytes_signature(self) -> str:
        parameters = ", ".join(f"int64_t {name}" for name in self.arguments) or "void"
        return f"size_t {self.bytes_function}({parameters})"

    def own_total(self) -> str:
        """C for the bytes of the folded arrays."""
        return total_bytes(self.stored)

    def total(self) -> str:
        """C for the size of the workspace: the greatest of what may run in it."""
        found = self._total()
        most = self.checked_bytes if self.overlap == "check" else self.own_bytes
        for version, one in self.versions:
            if self.arguments:
                found = f"({version.test}) ? ({one.total()}) : ({found})"
            elif one.held > most:
                found, most = one.total(), one.held
        return found

    def _total(self) -> str:
        """The same without its versions."""
        found, other = self.own_total(), unfolded_text(self.unfolded)
        if self.runs_text and self.text is not None:
            used = {n for fold in self.text.stored for n in fold.cells.parameters()}
            found = self._greater(self.text.own_total(), self.text.own_bytes, used)
        elif self.overlap == "check" and self.unfolded:
            used = {n for one in self.unfolded for n in one.used}
            return self._greater(other, self.unfolded_bytes, used)
        if self.unfolded and self.stands_by and self.runs_test and self.test is not None:
            return f"({self.test.fails}) ? ({other}) : ({found})"
        return found

    def _greater(self, other: str, many: int, used: Collection[str]) -> str:
        """C for the greater of the bytes of the folded arrays and of others, `many` in the plan,
        which depend on the parameters `used`."""
        own = self.own_total()
        if own == "0":
            return other
        if not used and not any(fold.cells.parameters() for fold in self.stored):
            return other if self.own_bytes <= many else own
        return f"({own}) > ({other}) ? ({own}) : ({other})"

    @property
    def is_constant(self) -> bool:
        """True if the workspace takes the same bytes at all sizes."""
        own = not any(fold.cells.parameters() for fold in self.stored)
        own = own and not (self.unfolded and self.stands_by) and not self.runs_text
        return own and all(one.is_constant for _, one in self.versions)

    @property
    def stands_by(self) -> bool:
        """True if the function as it was is there, for calls that the plan does not cover."""
        if self.function.original is None or self.is_as_it_was:
            return self.is_as_it_was
        is_limit = bool(self.own_arguments) and self.memory in (Memory.STACK, Memory.STATIC)
        is_for_all = self.overlap == "check" and self.text is None
        return self.runs_test or is_for_all or (is_limit and self.is_bounded)

    @property
    def is_bounded(self) -> bool:
        """True if the function as it was needs as many bytes for all arguments."""
        return not self._arguments({n for one in self.unfolded for n in one.used})

    @property
    def runs_test(self) -> bool:
        """True if the test is made at run time: the preprocessor knows macros only."""
        if self.test is None:
            return False
        is_of_macros = self.test.names <= set(self.function.macros)
        if self.function.original is None:
            return not is_of_macros
        return not self.scale.symbolic or not is_of_macros


def is_type(node: Any) -> bool:
    """True if a file-level declaration only makes types, which the header must have."""
    return isinstance(node, (tree.Typedef, tree.StructDef))
