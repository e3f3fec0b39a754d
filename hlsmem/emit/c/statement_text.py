"""The text of statements: the user's C, calls of network bodies, copies of streams.

Iterators become the coordinates that the loops give, accesses to folded arrays become their
cells or, within an atomic step, locals. Everything else is printed as the user wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from dataclasses import replace as with_parts
from typing import Any

from hlsmem.core.expression import Expression, Integer, Name, substituted
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import C, identifiers, print_tree, subscripts, walk
from hlsmem.emit.c.folded_arrays import Fold
from hlsmem.emit.c.fragments import Cells
from hlsmem.emit.c.small_functions import body_function, wrap
from hlsmem.emit.expression_text import print_atom, print_expression
from hlsmem.host_loops.vector_independence import Touch
from hlsmem.polyhedra.enclosing_instances import bind, images
from hlsmem.polyhedra.generated_loops import condition, expression_of
from hlsmem.polyhedra.memoized import kept
from hlsmem.polyhedra.sets import parameter_names
from hlsmem.program.model import (
    Access,
    Copy,
    ElementType,
    Joined,
    KernelBody,
    Mix,
    NetworkBody,
    Program,
    Statement,
)
from hlsmem.read.c import tree
from hlsmem.read.c.operations import indexed
from hlsmem.read.c.trees import assigned_value, rewrite
from hlsmem.read.design_names import RESERVED

Coordinates = tuple[Expression, ...]
_Coordinate = tuple[ElementType, Expression]
_INT = ElementType("int32")
SourceLocation = Callable[[Access, Coordinates], str]
"""Gives the C text that stands for an access in an instance."""


# Expressions of subscripts that are kept: the loops of one kernel, and their order in steps.
_KEPT = 256


@kept(_KEPT)
def _expressions(
    relation: Any, domain: Any, context: Any, names: tuple[str, ...]
) -> tuple[Expression, ...] | None:
    """The entries of what instances in `domain`, named `names`, are related to; None for none."""
    inside = relation.intersect_domain(domain)
    if inside.is_empty():
        return None
    there = bind(domain.intersect_params(context), names)
    # A domain of single points would have the expression ask at which of them it is.
    found = images(inside.gist_domain(domain), names)
    return tuple(expression_of(image, there) for image in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Writes the text of statements of `program`.

    `folds` are the folded arrays. `names` says how parameters print in integer expressions,
    `loop_type` the type of loop variables in the generated loops. `aliases` are variables of
    the region that may stand in the user's subscripts for their values; `renamed` are new
    names of variables of the C around.
    """

    program: Program
    folds: Mapping[str, Fold]
    names: Mapping[str, str]
    loop_type: str = "int"
    aliases: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)

    def statement(
        self, statement: Statement, at: Coordinates, read: SourceLocation, write: SourceLocation
    ) -> list[str]:
        """Lines that run one instance; `read` and `write` say where its accesses go."""
        if isinstance(statement.body, KernelBody):
            lines = [self.kernel_statement(statement, statement.body, at, read, write)]
            return lines + self._written_too(statement, at, write)
        if isinstance(statement.body, Copy):
            if not statement.writes:
                source = statement.reads[0]
                return [f"{self.outer_element(source, statement, at)} = {read(source, at)};"]
        elif len(statement.writes) > 1:
            return self._several(statement, at, read, write)
        (access,) = statement.writes
        text = f"{write(access, at)} = {self.value(statement, access, at, read)};"
        return self._guarded(statement, access, at, text)

    def _several(
        self, statement: Statement, at: Coordinates, read: SourceLocation, write: SourceLocation
    ) -> list[str]:
        """Lines that load each operand once, compute all values from them, and store these."""
        kinds = [
            self.program.arrays[one.array].element.c_name
            for one in (*statement.reads, *statement.writes)
        ]
        names = [f"{RESERVED}{position}" for position in range(len(kinds))]
        operands, results = names[: len(statement.reads)], names[len(statement.reads) :]
        texts = [self._operand(statement, one, at, read) for one in statement.reads]
        texts += [self._called(statement, one, at, operands) for one in statement.writes]
        lines = [
            f"const {kind} {name} = {text};"
            for kind, name, text in zip(kinds, names, texts, strict=True)
        ]
        for access, name in zip(statement.writes, results, strict=True):
            lines += self._guarded(statement, access, at, f"{write(access, at)} = {name};")
        return ["{", *(f"  {line}" for line in lines), "}"]

    def _called(
        self, statement: Statement, access: Access, at: Coordinates, operands: Sequence[str]
    ) -> str:
        """The call that computes what a network statement writes by `access`."""
        body = statement.body
        named = body.iterators if isinstance(body, NetworkBody) else statement.iterators
        own = dict(zip(statement.iterators, at, strict=True))
        given = [*(self._integer(own[name]) for name in named), *operands]
        return f"{body_function(statement, access)}({', '.join(given)})"

    def value(
        self, statement: Statement, access: Access, at: Coordinates, read: SourceLocation
    ) -> str:
        """The expression of the value that an instance writes by `access`."""
        match statement.body:
            case KernelBody(node):
                return self._kernel_value(statement, node, access, at, read)
            case Copy():
                if statement.reads:
                    return read(statement.reads[0], at)
                return self.outer_element(access, statement, at)
            case NetworkBody() | Mix():
                operands = [self._operand(statement, a, at, read) for a in statement.reads]
                return self._called(statement, access, at, operands)
            case Joined():
                raise TypeError("C has the statements of a beat one by one")

    def kernel_statement(
        self,
        statement: Statement,
        body: KernelBody,
        at: Coordinates,
        read: SourceLocation,
        write: SourceLocation,
    ) -> str:
        """The user's own statement; compound assignments stay where nothing must be wrapped."""
        node, access = body.node, statement.writes[0]
        if isinstance(node, tree.If):
            places = self._operands(statement, at, read)
            places |= {id(one.node): read(one, at) for one in body.tests}
            test = print_tree(self._rewritten(statement, node.cond, at, places))
            inner = with_parts(body, node=node.iftrue)
            text = f"if ({test}) {self.kernel_statement(statement, inner, at, read, write)}"
            return text + self._else_kept(statement, body, at, read, write)
        kept = self._kept_form(statement, node)
        if kept:
            places = self._operands(statement, at, read)
            places |= {id(a.node): write(a, at) for a in statement.writes[:1]}
            return print_tree(self._rewritten(statement, node, at, places)) + ";"
        return f"{write(access, at)} = {self._kernel_value(statement, node, access, at, read)};"

    def _else_kept(
        self,
        statement: Statement,
        body: KernelBody,
        at: Coordinates,
        read: SourceLocation,
        write: SourceLocation,
    ) -> str:
        """The `else` branch that carries over a C variable's value."""
        if body.kept is None or body.kept.relation.is_empty():
            return ""
        text = f"{write(statement.writes[0], at)} = {read(body.kept, at)};"
        test = self._condition(statement, body.kept, at)
        return f" else {text}" if test is None else f" else if ({test}) {text}"

    def _written_too(
        self, statement: Statement, at: Coordinates, write: SourceLocation
    ) -> list[str]:
        """Lines for further writes of a value: the last one of an element that was expanded."""
        value, *further = statement.writes
        return [
            line
            for access in further
            for line in self._guarded(
                statement, access, at, f"{write(access, at)} = {write(value, at)};"
            )
        ]

    def _operands(
        self, statement: Statement, at: Coordinates, read: SourceLocation
    ) -> dict[int, str]:
        """Texts in place of the references that are read.

        A reference of an expanded array has several accesses, of which an instance makes one.
        """
        found = dict[int, list[Access]]()
        for access in statement.reads:
            if access.node is not None:
                found.setdefault(id(access.node), []).append(access)
        return {
            node: self._choice(statement, accesses, at, read) for node, accesses in found.items()
        }

    def _choice(
        self,
        statement: Statement,
        accesses: Sequence[Access],
        at: Coordinates,
        read: SourceLocation,
    ) -> str:
        texts = [read(access, at) for access in accesses]
        if len(set(texts)) == 1:
            return texts[0]
        found = texts[-1]
        for access, text in zip(accesses[-2::-1], texts[-2::-1], strict=True):
            found = f"({self._condition(statement, access, at)}) ? {text} : {found}"
        return f"({found})"

    def _kept_form(self, statement: Statement, node: Any) -> bool:
        """True if the statement may be printed in its own form: reads and writes in place."""
        array = statement.writes[0].array
        fold = self.folds.get(array)
        if (fold is not None and fold.wraps) or not self._is_of_c(array):
            return False
        target = statement.writes[0].node
        if any(one.node is target and one.array != array for one in statement.reads):
            return False  # it reads the element elsewhere
        return isinstance(node, (tree.Assignment, tree.UnaryOp))

    def _is_of_c(self, array: str) -> bool:
        """True if the user's text names the array: one of values has elements of its own."""
        return self.program.kernel is not None and array in self.program.kernel.variables

    def _is_flat(self, array: str) -> bool:
        """True if the user's text has one subscript for an array of several dimensions."""
        kernel = self.program.kernel
        return kernel is not None and bool(kernel.variables[array].strides)

    def _kernel_value(
        self, statement: Statement, node: Any, access: Access, at: Coordinates, read: SourceLocation
    ) -> str:
        """The value assigned, with compound assignments spelled out."""
        places = self._operands(statement, at, read)
        root = assigned_value(node)
        text = print_tree(self._rewritten(statement, root, at, places))
        text = f"({text})" if isinstance(root, tree.ExprList) else text
        fold = self.folds.get(access.array)
        return wrap(fold.array.element, text) if fold is not None and fold.wraps else text

    def _rewritten(
        self,
        statement: Statement,
        root: Any,
        at: Coordinates,
        places: Mapping[int, str],
        *,
        is_subscript: bool = False,
    ) -> Any:
        coordinates = self._coordinates(statement, at)

        def replace(node: Any, *, is_subscript: bool) -> Any | None:
            if id(node) in places:
                return tree.ID(places[id(node)])
            match node:
                case tree.ID(name=name) if name in coordinates:
                    return tree.ID(self._iterator(coordinates[name], is_subscript))
                case tree.ID(name=name) if name in self.renamed:
                    return tree.ID(self.renamed[name])
                case tree.ArrayRef():
                    inner = rewrite(node.subscript, lambda n: replace(n, is_subscript=True))
                    index = node.subscript
                    if isinstance(index, tree.ID) and index.name in coordinates:
                        inner = tree.ID(self._integer(coordinates[index.name][1]))
                    name = rewrite(node.name, lambda n: replace(n, is_subscript=is_subscript))
                    return indexed(name, inner)
            return None

        return rewrite(root, lambda node: replace(node, is_subscript=is_subscript))

    def _coordinates(self, statement: Statement, at: Coordinates) -> dict[str, _Coordinate]:
        """The loop variables around a statement by the user's names."""
        types = getattr(statement.body, "types", ()) or [_INT] * len(at)
        return dict(zip(statement.iterators, zip(types, at, strict=True), strict=True))

    def _iterator(self, coordinate: _Coordinate, is_subscript: bool) -> str:
        """A loop variable in the user's arithmetic, of the type it had there."""
        kind, value = coordinate
        text = print_atom(value, C, self.names)
        promoted = _INT if kind.bits < 32 else kind
        width = 32 if self.loop_type == "int" else 64
        if is_subscript or (promoted.is_signed and promoted.bits == width):
            return text
        return f"({'int' if promoted == _INT else promoted.c_name}){text}"

    def folded_element(self, access: Access, statement: Statement, at: Coordinates) -> str:
        """The cell of an access to a folded array."""
        fold = self.folds[access.array]
        if fold.is_variable:
            return fold.variable
        return fold.element(self._subscripts(access, statement, at))

    def folded_cell(self, array: str, coordinates: Coordinates) -> str:
        """The cell of the element of a folded array with these coordinates."""
        return self.folds[array].element([self._integer(value) for value in coordinates])

    def outer_element(self, access: Access, statement: Statement, at: Coordinates) -> str:
        """An access to an array that the function is given."""
        return self.given_element(access.array, self._subscripts(access, statement, at))

    def given_element(self, array: str, subscripts: Sequence[str]) -> str:
        """An element as the C around names it; scalars of networks are arrays of one element."""
        kernel = self.program.kernel
        if kernel is not None and array in kernel.variables:
            variable = kernel.variables[array]
            name = str(variable.declaration.name)
            return variable.steps(self.renamed.get(name, name), subscripts)
        scalar = "[0]" if kernel is None and not subscripts else ""
        return array + "".join(f"[{text}]" for text in subscripts) + scalar

    def element(self, access: Access, statement: Statement, at: Coordinates, cells: Cells) -> str:
        """An access where it goes in sequential order: to its cell, or out."""
        if access.array in self.folds:
            return cells.element(access, statement, at)
        return cells.outside(access, statement, at)

    def outside(self, access: Access, statement: Statement, at: Coordinates) -> str:
        """An access to an array that is not folded, as the user wrote it where that will do."""
        if access.node is not None:
            root = access.node
            plain = not isinstance(root, (tree.Decl, tree.Assignment)) and not access.chosen
            if plain and self._are_of_loops(subscripts(root) or [root], statement):
                return print_tree(self._rewritten(statement, root, at, {}))
        return self.outer_element(access, statement, at)

    def _subscripts(self, access: Access, statement: Statement, at: Coordinates) -> list[str]:
        """The coordinates of the element, from the user's text where there is any."""
        named = access.node is not None and self._is_of_c(access.array)
        named = named and not self._is_flat(access.array)
        if access.chosen:
            return [print_tree(one) for one in self._chosen(access, statement, at)]
        trees = subscripts(access.node) if named else None
        if trees is not None and self._are_of_loops(trees, statement):
            coordinates = self._coordinates(statement, at)

            def replace(node: Any) -> Any | None:
                if isinstance(node, tree.ID) and node.name in coordinates:
                    return tree.ID(self._iterator(coordinates[node.name], True))
                return None

            return [
                self._integer(coordinates[root.name][1])
                if isinstance(root, tree.ID) and root.name in coordinates
                else print_tree(rewrite(root, replace))
                for root in trees
            ]
        names, texts = self._bound(statement, at)
        own = {name: self._integer(value) for name, value in zip(names, at, strict=True)}
        return [
            own[form.name]
            if isinstance(form, Name) and form.name in own
            else print_expression(form, C, texts)
            for form in self._images(access, statement, names)
        ]

    def _chosen(self, access: Access, statement: Statement, at: Coordinates) -> list[Any]:
        """Subscripts that data decide: the user's, where they read other elements those of C."""
        trees = subscripts(access.node)
        assert trees is not None
        inner = _inside(access, statement)
        places = {id(one.node): self._direct(one, statement, at) for one in inner}
        return [self._rewritten(statement, root, at, places, is_subscript=True) for root in trees]

    def _direct(self, access: Access, statement: Statement, at: Coordinates) -> str:
        """An access where its element lies."""
        if access.array in self.folds:
            return self.folded_element(access, statement, at)
        return self.outer_element(access, statement, at)

    def _images(
        self, access: Access, statement: Statement, names: Sequence[str]
    ) -> list[Expression]:
        found = _expressions(access.relation, statement.domain, self.program.context, tuple(names))
        if found is None:  # of an access that never happens any element will do
            return [Integer(0)] * len(self.program.arrays[access.array].index)
        return [*found]

    def coordinates_of(self, access: Access, statement: Statement, at: Coordinates) -> Coordinates:
        """The coordinates of the element that an instance accesses, as expressions."""
        names, _ = self._bound(statement, at)
        values = dict(zip(names, at, strict=True))
        return tuple(substituted(form, values) for form in self._images(access, statement, names))

    def touches(self, statement: Statement, at: Coordinates) -> list[Touch]:
        """Reads and stores of one instance that runs by itself, in the order of its text."""
        copies = isinstance(statement.body, Copy)
        arrives = statement.writes if copies and not statement.reads else ()
        leaves = statement.reads if copies and not statement.writes else ()
        found = [self.touch(one, statement, at, cell=False) for one in arrives]
        found += [self.touch(one, statement, at) for one in statement.reads]
        for one in statement.writes:
            found.append(self.touch(one, statement, at, stores=True))
            if one is statement.writes[0] and len(statement.writes) > 1:
                found.append(self.touch(one, statement, at))  # what the others are given
        found += [self.touch(one, statement, at, cell=False, stores=True) for one in leaves]
        return found

    def touch(
        self,
        access: Access,
        statement: Statement,
        at: Coordinates,
        *,
        cell: bool | None = None,
        stores: bool = False,
    ) -> Touch:
        """The touched object of an access: the cell, where it is folded, or the given element."""
        known = access.must and access.relation.is_single_valued()
        return Touch(
            array=access.array,
            subscripts=self.coordinates_of(access, statement, at) if known else None,
            cell=access.array in self.folds if cell is None else cell,
            stores=stores,
        )

    def is_always_made(self, access: Access, statement: Statement) -> bool:
        """True if every instance makes the access."""
        instances = statement.domain.intersect_params(self.program.context)
        return bool(instances.is_subset(access.relation.domain()))

    def _are_of_loops(self, trees: Sequence[Any], statement: Statement) -> bool:
        """True if subscripts can be printed as they stand: aliases may not be set by then."""
        return self.aliases.isdisjoint(identifiers(trees) - set(statement.iterators))

    def _bound(self, statement: Statement, at: Coordinates) -> tuple[list[str], dict[str, str]]:
        """Names for the iterators of a statement as isl parameters, and what they print as."""
        taken = parameter_names(statement.domain)
        names = [
            name if name not in taken else f"{RESERVED}{position}"
            for position, name in enumerate(statement.iterators)
        ]
        texts = {n: print_atom(c, C, self.names) for n, c in zip(names, at, strict=True)}
        return names, {**self.names, **texts}

    def _condition(self, statement: Statement, access: Access, at: Coordinates) -> str | None:
        """Condition under which an instance makes the access; None where it always does."""
        if self.is_always_made(access, statement):
            return None
        made = access.relation.domain()
        instances = statement.domain.intersect_params(self.program.context)
        names, texts = self._bound(statement, at)
        inside = bind(made.intersect(instances).gist(instances), names)
        return print_expression(condition(inside, bind(instances, names)), C, texts)

    def _operand(
        self, statement: Statement, access: Access, at: Coordinates, read: SourceLocation
    ) -> str:
        test = self._condition(statement, access, at)
        return read(access, at) if test is None else f"({test}) ? {read(access, at)} : 0"

    def _guarded(
        self, statement: Statement, access: Access, at: Coordinates, text: str
    ) -> list[str]:
        test = self._condition(statement, access, at)
        return [text] if test is None else [f"if ({test})", f"  {text}"]

    def _integer(self, value: Expression) -> str:
        return print_expression(value, C, self.names)


def _inside(access: Access, statement: Statement) -> list[Access]:
    """The reads that stand in the subscripts of an access where data decide on its element."""
    inside = {id(part) for root in subscripts(access.node) or () for part in walk(root)}
    return [one for one in statement.reads if id(one.node) in inside]


def reads_of_subscripts(statement: Statement) -> list[Access]:
    """The reads that only say which elements others access: they are made where these are."""
    accesses = (*statement.reads, *statement.writes)
    return [one for access in accesses if access.chosen for one in _inside(access, statement)]
