"""What the statements of a process network compute: their bodies as functions of their operands.

The body of a statement is C text over operands `a0`, `a1`, .. and iterators (`NetworkBody`). For
each result it becomes a function in a file of C, which is read as kernels are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.watchdog import scratch
from hlsmem.datapath.evaluate import NoCircuitError, Sight
from hlsmem.datapath.kernel_sources import stored_type
from hlsmem.datapath.semantics import NONE, Modules, Typed
from hlsmem.polyhedra.generated_loops import condition_in_c
from hlsmem.polyhedra.memoized import kept
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, Array, NetworkBody, Program, Statement
from hlsmem.read.c import tree
from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.c.tree import Number
from hlsmem.read.c.types import ScalarType
from hlsmem.read.design_folder import Folder

_FILE = "bodies.c"
_ROUNDING = """static int64_t hlsmem_floord(int64_t n, int64_t d)
{
    return n >= 0 ? n / d : -((-n + d - 1) / d);
}
static int64_t hlsmem_min(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t hlsmem_max(int64_t a, int64_t b) { return a > b ? a : b; }
"""
_CALLED = re.compile(r"\b(floord|min|max)\b")


class NetworkSources:
    """The bodies of a network as functions; `modules` are those of the user.

    Raises InputError where the bodies are not read as C.
    """

    def __init__(self, program: Program, modules: Modules = NONE) -> None:
        self.modules, self.program = modules, program
        self._calls: dict[tuple[str, str], tree.FuncCall] = {}
        self._reads: dict[str, dict[int, Access]] = {}
        texts = [text for one in program.statements for text in self._functions(one)]
        self._named = _read("\n".join([*_front(program), *texts])) if texts else {}

    def sight(self, element: Callable[[Any], Typed | None]) -> Sight:
        """Return what an expression may name, whose accesses are `element`."""
        return Sight(element=element, function=self._named.get, modules=self.modules)

    def type_of(self, array: Array) -> ScalarType:
        """Return the type of an element: that of its word."""
        return stored_type(array)

    def words(self, array: Array, node: Any) -> tuple[int, ...]:
        """Networks have no constant tables."""
        raise NoCircuitError(f"'{array.name}' is no table", node)

    def accesses(self, statement: Statement) -> Mapping[int, Access]:
        """Return the accesses that a statement reads, by the ids of their nodes."""
        return self._reads[statement.name]

    def value(self, statement: Statement, access: Access) -> Any:
        """Return the expression of what a statement writes by an access."""
        return self._calls[statement.name, access.array]

    def iterator_type(self, statement: Statement, position: int) -> Number:  # noqa: ARG002
        """Return the type of a loop variable."""
        return Number(64, True)

    def _functions(self, statement: Statement) -> Iterator[str]:
        """C functions of a body, one for each result, which a call of each is noted of."""
        body, place = statement.body, statement.source_location
        if not isinstance(body, NetworkBody):
            return
        nodes = tuple(tree.ID(f"a{k}") for k in range(len(statement.reads)))
        self._reads[statement.name] = {
            id(node): one for node, one in zip(nodes, statement.reads, strict=True)
        }
        iterators = tuple(tree.ID(name) for name in statement.iterators)
        for access in statement.writes:
            name = f"hlsmem_{statement.name}_{access.array}"
            self._calls[statement.name, access.array] = tree.FuncCall(
                name, (*nodes, *iterators), place=place
            )
            yield _function(self.program, statement, body, access, name)


def _front(program: Program) -> list[str]:
    """What the bodies of a network count on."""
    bodies = [one.body for one in program.statements if isinstance(one.body, NetworkBody)]
    code = program.code
    used = {name for body in bodies for name in body.parameters}
    used |= set(code.parameters) if code else set()
    values = [f"enum {{ {k} = {value} }};" for k, value in program.values.items() if k in used]
    own = [*code.includes, *values, *code.declarations] if code else values
    return ["#include <stdint.h>", _ROUNDING, *own]


def _function(
    program: Program, statement: Statement, body: NetworkBody, access: Access, name: str
) -> str:
    """The body of a statement as a function that returns one of its results."""
    arrays = program.arrays
    types = [arrays[one.array].element.c_name for one in statement.reads]
    heads = [f"{kind} hlsmem_a{k}" for k, kind in enumerate(types)]
    numbered = [f"hlsmem_i{k}" for k in range(len(statement.iterators))]
    heads += [f"int64_t {one}" for one in numbered]
    lines = [f"static {arrays[access.array].element.c_name} {name}({', '.join(heads) or 'void'})"]
    lines.append("{")
    for k, (one, kind) in enumerate(zip(statement.reads, types, strict=True)):
        lines.append(f"    const {kind} a{k} = {_operand(program, statement, one, k)};")
    for iterator, number in zip(statement.iterators, numbered, strict=True):
        lines += [f"    const int64_t {iterator} = {number};"] * (iterator in body.iterators)
    lines += [f"    {arrays[one.array].element.c_name} {one.array};" for one in statement.writes]
    return "\n".join([*lines, f"{body.text};", f"    return {access.array};", "}"])


def _operand(program: Program, statement: Statement, access: Access, k: int) -> str:
    """C of an operand: 0 in the instances that do not read it."""
    domain = fix_parameters(statement.domain, program.values)
    read = fix_parameters(access.relation, program.values).domain()
    if domain.is_subset(read):
        return f"hlsmem_a{k}"
    numbered = [f"hlsmem_i{k}" for k in range(len(statement.iterators))]
    test = condition_in_c(read.gist(domain), numbered)
    test = _CALLED.sub(r"hlsmem_\1", test)
    return f"{test} ? hlsmem_a{k} : 0"


@kept(4)
def _read(text: str) -> dict[str, tree.FuncDef]:
    """The functions of a file of C, by name."""
    with scratch("hlsmem-bodies-") as folder:
        (folder / _FILE).write_text(text, encoding="utf-8")
        try:
            found = read_file(Folder(folder), _FILE, None, is_main=False, is_whole=True)
        except InputError as error:
            what = f"the bodies of the network are not read: {error.problems[0].what}"
            raise InputError(Problem(what, error.problems[0].remedy)) from error
    return {one.name: one for one in found.parsed.tree.ext if isinstance(one, tree.FuncDef)}
