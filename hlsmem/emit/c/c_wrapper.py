"""The function with the kernel's own signature: where the memory of its workspace comes from."""

from __future__ import annotations

from enum import Enum

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.alignment import ALIGNED, FIRST_LINE, asked_of_malloc
from hlsmem.emit.c.c_syntax import free_name
from hlsmem.program.options import HostOptions


class Memory(Enum):
    """Memory of a wrapper's workspace; `GROWING`: the stack, malloc for larger sizes."""

    STACK = "stack"
    STATIC = "static"
    MALLOC = "malloc"
    GROWING = "auto"

    @property
    def text(self) -> str:
        """Its text in the header."""
        return {
            Memory.STACK: "the workspace on the stack",
            Memory.STATIC: "a static workspace: not reentrant",
            Memory.MALLOC: "a workspace from malloc; aborts where there is no memory",
            Memory.GROWING: "the workspace on the stack, a large one from malloc",
        }[self]


def memory_of(host: HostOptions, capacity: int, *, was_static: bool) -> Memory:
    """The memory by `host.storage` for a workspace of `capacity` bytes at the plan's sizes.

    `auto`: static if the source array was static, else the stack up to `stack_kib`, else malloc.
    Raises InputError for a stack that is asked for and too small.
    """
    fits = capacity <= 1024 * host.stack_kib
    if host.storage != "auto":
        if host.storage == "stack" and not fits:
            most = f"host.stack_kib: {host.stack_kib}"
            what = f"the workspace takes {capacity} bytes, more than {most}"
            remedy = "use host.storage: auto, static or malloc, or a larger host.stack_kib"
            raise InputError(Problem(what, remedy, host.storage_place))
        return Memory(host.storage)
    if was_static:
        return Memory.STATIC
    return Memory.GROWING if fits else Memory.MALLOC


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper:
    """Data of a wrapper's text.

    `name` is what it is called, `head` its first lines, `on_stack` the name and the first lines of
    a function of the same `parameters` whose frame holds the workspace, `call` the call of the
    folded function with `{space}` for the workspace, `returned` the type of its result or "".
    `size` is C for the bytes of the workspace: a constant of the compiler if it is `fixed`, the
    same at all sizes if it is `constant`.
    `aligned` is the widest type in it, `capacity` its bytes at the plan's sizes, `stack_bytes`
    what may stand on the stack, `limit` the macro for what does where malloc gives the rest,
    `begins` a statement for the first call, "" for none, `original` the call of the original, ""
    where there is none. Where it `is_aligned` the workspace starts at a line of the cache.
    """

    name: str
    head: tuple[str, ...]
    on_stack: tuple[str, tuple[str, ...]]
    call: str
    parameters: tuple[str, ...]
    returned: str
    size: str
    fixed: bool
    constant: bool
    aligned: str
    capacity: int
    stack_bytes: int
    limit: str
    memory: Memory
    begins: str
    original: str
    is_aligned: bool
    taken: frozenset[str]

    def lines(self) -> list[str]:
        """The function."""
        return [*self._bound(), *self._stacked(), *self.head, "{", *self._body(), "}"]

    @property
    def _grows(self) -> bool:
        return self.memory is Memory.GROWING and not self.constant

    def _bound(self) -> list[str]:
        """A declaration that does not compile where the stack that was asked for is too small."""
        if self.memory is not Memory.STACK or self.constant or not self.fixed:
            return []
        fits = f"{self.size} <= {self.stack_bytes}u ? 1 : -1"
        return [f"typedef char {self.name}_exceeds_host_stack_kib[{fits}];", ""]

    def _body(self) -> list[str]:
        match self.memory:
            case Memory.MALLOC:
                return self._allocated()
            case Memory.GROWING if self._grows:
                return self._growing()
            case _:
                return self._held()

    def _allocated(self) -> list[str]:
        block = free_name("block", self.taken)
        return [
            f"    void *const {block} = {self._asked()};",
            "",
            f"    if ({block} == NULL)",
            "        abort();",
            *self._run_and_free(self._first(block), block),
        ]

    def _stacked(self) -> list[str]:
        """The function that has the workspace in its frame, where a larger one is from malloc.

        One frame for both would hold it beside the block.
        """
        if not self._grows:
            return []
        held = f"{self.limit} > 0u ? {self.limit} : 1u"
        if self.fixed:
            held = f"{self.size} <= {self.limit} ? {self.size} : 1u"
        space = free_name("workspace", self.taken)
        lines = [*self.on_stack[1], "{", *self._variable(space, held), ""]
        return [*lines, self._run(f"&{space}"), "}", ""]

    def _growing(self) -> list[str]:
        name, _ = self.on_stack
        call = f"{name}({', '.join(self.parameters)})"
        early = return_early(f"{self.size} <= {self.limit}", call, self.returned)
        return [*early, *self._allocated()]

    def _run(self, space: str) -> str:
        return f"    {'return ' * bool(self.returned)}{self.call.format(space=space)};"

    def _held(self) -> list[str]:
        """The workspace as a variable; where it is too small the original runs, if it has room."""
        space = free_name("workspace", self.taken)
        lines = self._variable(space, self.size if self.fixed else f"{self.capacity}u")
        lines.append("")
        if not self.fixed:
            call = self.original.format(space=f"&{space}") if self.original else "abort()"
            lines += return_early(f"{self.size} > sizeof {space}", call, self.returned)
        if self.begins:
            begun = free_name("begun", self.taken)
            lines.insert(-1, f"    static unsigned char {begun};")
            lines += [f"    if (!{begun}) {{", f"        {begun} = 1;"]
            lines += [f"        {self.begins.format(space=space)}", "    }"]
        return [*lines, self._run(f"&{space}")]

    def _variable(self, space: str, size: str) -> list[str]:
        return [
            f"    {'static ' * (self.memory is Memory.STATIC)}{ALIGNED} union {{",
            f"        unsigned char bytes[{size}];",
            f"        {self.aligned} aligned;",
            f"    }} {space};",
        ]

    def _asked(self) -> str:
        """C for the block that malloc is asked for."""
        return asked_of_malloc(self.size) if self.is_aligned else f"malloc({self.size})"

    def _first(self, block: str) -> str:
        """C for where the workspace starts in a block."""
        return f"{FIRST_LINE}({block})" if self.is_aligned else block

    def _run_and_free(self, space: str, block: str) -> list[str]:
        call = self.call.format(space=space)
        if not self.returned:
            return [f"    {call};", f"    free({block});"]
        result = free_name("result", self.taken)
        return [
            f"    const {self.returned} {result} = {call};",
            f"    free({block});",
            f"    return {result};",
        ]


def return_early(test: str, call: str, returned: str) -> list[str]:
    """Lines that run `call` in place of what follows where `test` holds."""
    if returned:
        return [f"    if ({test})", f"        return {call};"]
    return [f"    if ({test}) {{", f"        {call};", "        return;", "    }"]


def limit_lines(limit: str, size: int) -> list[str]:
    """The lines of a source that define the macro `limit`, which those who compile it may."""
    return [
        "/* The bytes that a workspace may have on the stack; larger ones are from malloc. */",
        f"#ifndef {limit}",
        f"#define {limit} {size}u",
        "#endif",
    ]
