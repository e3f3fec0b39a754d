"""The unit of rewriting in the normal form: a file with the function that is planned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.read.c import tree
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.symbols import Function, Scope, declare
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.tree import INT, Type
from hlsmem.read.c.trees import changed, nodes_of_body, rewrite
from hlsmem.read.c.trips import Trips


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A variable that says whether a condition holds: in the program an array over the loops.

    One that `ends` a loop says in each of its iterations whether it goes on: once it does not, it
    stays as it is.
    """

    name: str
    ends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A parsed file and the function in it that is planned.

    `headers` has the names of the system headers and of the parameters. `arguments` are
    variables that stand for the arguments of calls whose bodies were put in their place;
    `least` are the least values in the context of parameters that are at least 1. `trips` says of
    loops that data end how often they run at most. `tested` are the places of conditions that
    are no filter on elements, so that a statement has to say whether they hold; `conditions` are
    the variables that such statements write. `ranges` are promised values, by names. `passed` are
    the variables that parameters of called functions were given, by function and parameter.
    `pointees` says that variables stand in place of pointers to them, `copies` that compilers copy
    what the region assigns element by element: structs, initial values. Where it `follows_pragmas`,
    those of HLS say how loops run. `outlined` are the declarations of variables whose loads
    functions make, not once each in their places. Where it `pipelines_loops` it does so without
    pragmas; loops at the places `sized` run to sizes of arrays, be these numbers; those at the
    places `written_out` were written iteration by iteration. `collected` are variables of which
    sums are stored once, `summing` is the function that stores each term.
    """

    tree: Any
    function: Any
    source: SourceMap
    headers: Scope
    parameters: tuple[str, ...]
    problems: Problems
    least: Mapping[str, int] = field(default_factory=dict)
    arguments: frozenset[str] = frozenset()
    trips: Trips = field(default_factory=Trips)
    tested: frozenset[str] = frozenset()
    conditions: tuple[Condition, ...] = ()
    ranges: Mapping[str, tuple[QuasiPolynomial, QuasiPolynomial]] = field(default_factory=dict)
    passed: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    copies: bool = False
    pointees: bool = False
    follows_pragmas: bool = True
    outlined: tuple[Any, ...] = ()
    pipelines_loops: bool = False
    sized: frozenset[str] = frozenset()
    written_out: frozenset[str] = frozenset()
    collected: frozenset[str] = frozenset()
    summing: Any = None

    def with_function(self, function: Any) -> Unit:
        """The unit with another body of the function, itself where nothing changed."""
        if function is self.function:
            return self
        root = changed(
            self.tree, ext=[function if one is self.function else one for one in self.tree.ext]
        )
        return replace(self, tree=root, function=function)

    def with_region(self, write: Callable[[list[Any]], list[Any]]) -> Unit:
        """The unit with other statements between the scop pragmas."""
        region = find_region(self.function, self.source)
        old = list(region.statements)
        new = write(old)
        if len(new) == len(old) and all(a is b for a, b in zip(old, new, strict=True)):
            return self
        items = region.parent.block_items
        items = [*items[: region.start], *new, *items[region.stop :]]
        parent = changed(region.parent, block_items=items)
        around = {id(self.function), *map(id, region.enclosing)}

        def replaced(node: Any) -> Any | None:
            if node is region.parent:
                return parent
            return None if id(node) in around else node

        return self.with_function(rewrite(self.function, replaced))

    def functions(self) -> dict[str, Any]:
        """The functions that the file defines, by name."""
        return {n.name: n for n in self.tree.ext if isinstance(n, tree.FuncDef)}

    def file_scope(self) -> Scope:
        """The names of the file, functions that stand behind the planned one included."""
        scope = Scope(self.headers, is_file=True)
        for node in self.tree.ext:
            if isinstance(node, tree.FuncDef):
                scope.names[node.name] = Function(node.name, node)
            elif not (isinstance(node, tree.LINKED) and node.name in scope.names):
                declare(node, scope, "file")
        return scope

    def type_of(self, name: str) -> Type:
        """The type of a variable of the function or of the file; int for others: sizes."""
        nodes = (*self.function.parameters, *nodes_of_body(self.function), *self.tree.ext)
        declared = (one for one in nodes if isinstance(one, tree.Decl) and one.name == name)
        return next((one.type for one in declared), INT)

    def refuse(self, refusal: Refusal, node: Any, why: str, remedy: str | None = None) -> None:
        """Note a problem of the text of `node`; `why` continues a sentence about it."""
        what = f"{refusal.value}: '{self.source.text(node)}' {why}"
        source_location = self.source.place(node)
        self.problems.add(what, remedy or refusal.remedy, source_location)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """One step to the normal form; `run` returns the unit it was given where it finds nothing."""

    name: str
    description: str
    run: Callable[[Unit], Unit]
