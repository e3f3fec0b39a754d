"""Loops around fragments as lines of C, indented by twos, with locals declared where they start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import C
from hlsmem.emit.c.cell_names import ByFunction, ByPointer, Held, Key, Recorder
from hlsmem.emit.c.fragments import Cells, Fragment, Local
from hlsmem.emit.c.pointer_walks import TURNED, Vectors, loop_header, walk_lines
from hlsmem.emit.c.statement_text import Writer
from hlsmem.emit.c.vector_pragmas import pairs_to_test, side_by_side
from hlsmem.emit.expression_text import print_expression
from hlsmem.host_loops.pointer_loop import LoopShape, ShapedLoop, loop_shape
from hlsmem.host_loops.vector_independence import Independent, Touch, independence, jumps
from hlsmem.polyhedra.generated_loops import Block, Guard, Loop, Node, Visit
from hlsmem.read.design_names import RESERVED


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionPrinter:
    """`cells` says what cells are called, `around` are the loops around, outermost first."""

    fragments: Mapping[str, Fragment]
    cells: Cells
    around: tuple[Loop, ...] = ()

    @property
    def writer(self) -> Writer:
        return self.cells.writer

    def lines(self, node: Node | None) -> list[str]:
        """The statements of a whole region or step; [] where nothing is ever visited.

        Locals start and end in it.
        """
        if node is None:
            return []
        node = flattened(node)
        return self._node(node, tuple(self._locals(node)), frozenset())

    def _locals(self, node: Node) -> dict[Local, None]:
        """The locals mentioned in a node outside loops, in textual order."""
        found: dict[Local, None] = {}
        match node:
            case Visit(statement):
                fragment = self.fragments[statement]
                found |= dict.fromkeys(fragment.uses)
                if fragment.defines:
                    found[fragment.defines] = None
            case Guard(_, then, otherwise):
                found |= self._locals(then)
                if otherwise is not None:
                    found |= self._locals(otherwise)
            case Block(nodes):
                for inner in nodes:
                    found |= self._locals(inner)
        return found

    def _node(
        self, node: Node, pending: tuple[Local, ...], constants: frozenset[Local]
    ) -> list[str]:
        """Lines of a node; `pending` locals are declared in it, `constants` at their value."""
        match node:
            case Visit(statement):
                defined = self.fragments[statement].defines
                start = [f"{p.type} {p.name} = 0;" for p in pending if p != defined]
                return [*start, *self._visit(node, constants.union(pending))]
            case Loop():
                return self._loop(node)
            case Guard(condition, then, otherwise):
                return self._guard(condition, then, otherwise, pending)
            case Block(nodes):
                return self._block(nodes, pending)

    def _visit(self, visit: Visit, constants: frozenset[Local]) -> list[str]:
        fragment = self.fragments[visit.statement]
        text = fragment.text(visit.coordinates, self.cells)
        local = fragment.defines
        if local is None:
            return text
        start = f"const {local.type} {local.name}" if local in constants else local.name
        return [f"{start} = {text[0]};"]

    def _loop(self, loop: Loop) -> list[str]:
        if isinstance(self.cells, Recorder):
            self.cells.nested.append(loop.iterator)
            return []
        if loop.degenerate:
            start = f"const {self.writer.loop_type} {loop.iterator} = {self._text(loop.first)};"
            return ["{", *_indent([start, *self._node(loop.body, (), frozenset())]), "}"]
        cells = self.cells
        shape = self._shape(loop, cells) if isinstance(cells, ByFunction) else None
        pairs = self._pairs(loop, shape)
        vectors = _vectors(pairs)
        held = None if pairs is None or pairs else self._held(loop.body)
        if shape is not None and shape.pointers:
            lines = walk_lines(loop, shape, self.writer, self._walked(loop.body, held), vectors)
            return ["{", *_indent(lines), "}"]
        within = replace(self, around=(*self.around, loop))
        inside = within._body(loop.body, held)
        if inside[0] == "{" and isinstance(loop.body, Loop):
            inside = [line.removeprefix("  ") for line in inside[1:-1]]
        return vectors([f"{loop_header(loop, self.writer)} {{", *_indent(inside), "}"])

    def _pairs(self, loop: Loop, shape: LoopShape | None) -> frozenset[tuple[str, str]] | None:
        """The arguments that have to lie apart for the iterations of an innermost loop to be
        lanes of vectors; None where they may need each other, or vectors would be gathered."""
        cells = self.cells
        if shape is None or not isinstance(cells, ByFunction) or cells.ground is None:
            return None
        touches = touches_of(flattened(loop.body), self.fragments)
        found = independence(self.around, loop, shape, touches, cells.ground)
        if not isinstance(found, Independent) or jumps(loop, touches or (), cells.ground.frames):
            return None
        pairs = pairs_to_test(found, self.writer, cells.ground.scale)
        cells.apart.update(pairs or ())
        return pairs

    def _held(self, body: Node) -> Touch | None:
        """The given element that several instances in the body of an independent loop store, one
        after the other, where they touch no other that it could be.

        Cells stay in memory: the host check follows every load and store of them.
        """
        body = flattened(body)
        if not isinstance(body, Block) or not all(isinstance(one, Visit) for one in body.nodes):
            return None
        touches = touches_of(body, self.fragments) or ()
        stored = {one for one in touches if one.stores}
        if len(stored) != 1 or sum(one.stores for one in touches) < 2:
            return None
        (target,) = stored
        beside = {(one.subscripts, one.cell) for one in touches if one.array == target.array}
        is_read_first = replace(target, stores=False) in touches[: touches.index(target)]
        if target.cell or len(beside) > 1 or target.subscripts is None or not is_read_first:
            return None
        element = self.writer.program.arrays[target.array].element
        return target if element.bits == 8 * element.cell_bytes else None

    def _body(self, body: Node, held: Touch | None) -> list[str]:
        """The body of an innermost loop, whose held element stands in a local."""
        if held is None or held.subscripts is None:
            return self._node(body, (), frozenset())
        name, writer = f"{RESERVED}held", self.writer
        place = writer.given_element(
            held.array, [print_expression(one, C, writer.names) for one in held.subscripts]
        )
        own = Held(self.cells, (held.array, held.subscripts), name)
        inside = replace(self, cells=own)._node(body, (), frozenset())
        kind = writer.program.arrays[held.array].element.c_name
        return [f"{kind} {name} = {place};", *inside, f"{place} = {name};"]

    def _shape(self, loop: Loop, cells: ByFunction) -> LoopShape | None:
        """The shape of an innermost loop, which is noted; None of one that has loops inside."""
        recorder = Recorder(writer=self.writer)
        replace(self, cells=recorder)._node(loop.body, (), frozenset())
        if recorder.nested:
            return None
        folds = self.writer.folds.items()
        frames = {name: fold.frame for name, fold in folds if fold.frame is not None}
        shape = loop_shape(loop, recorder.found, frames)
        cells.shaped.append(ShapedLoop(self.around, loop, tuple(recorder.found), shape))
        return shape

    def _walked(self, body: Node, held: Touch | None) -> Callable[[Mapping[Key, str]], list[str]]:
        def lines(cells: Mapping[Key, str]) -> list[str]:
            return replace(self, cells=ByPointer(self.writer, cells))._body(body, held)

        return lines

    def _guard(
        self,
        condition: Expression,
        then: Node,
        otherwise: Node | None,
        pending: tuple[Local, ...],
    ) -> list[str]:
        # The branches exclude each other: a step is in one of them, so each has its own locals.
        lines = [f"if ({self._text(condition)}) {{", *_indent(self._branch(then, pending))]
        if isinstance(otherwise, Guard):
            first, *rest = self._branch(otherwise, pending)
            return [*lines, f"}} else {first}", *rest]
        if otherwise is not None:
            lines += ["} else {", *_indent(self._branch(otherwise, pending))]
        return [*lines, "}"]

    def _branch(self, node: Node, pending: tuple[Local, ...]) -> list[str]:
        mentioned = self._locals(node)
        inside = replace(self, cells=self.cells.under_condition())
        return inside._node(node, tuple(p for p in pending if p in mentioned), frozenset())

    def _block(self, nodes: tuple[Node, ...], pending: tuple[Local, ...]) -> list[str]:
        """Nodes one after another, with `pending` declared as late as possible."""
        mentions = [self._locals(node) for node in nodes]
        lines: list[str] = []
        inner: dict[int, list[Local]] = {}
        ahead: dict[int, list[Local]] = {}
        constants: dict[int, list[Local]] = {}
        for local in pending:
            users = [i for i, mentioned in enumerate(mentions) if local in mentioned]
            if len(users) == 1:
                inner.setdefault(users[0], []).append(local)
            elif self._defines_once(nodes, users, local):
                constants.setdefault(users[0], []).append(local)
            else:
                ahead.setdefault(users[0], []).append(local)
        for position, node in enumerate(nodes):
            lines += [f"{local.type} {local.name} = 0;" for local in ahead.get(position, ())]
            inside = self._node(
                node,
                tuple(inner.get(position, ())),
                frozenset(constants.get(position, ())),
            )
            lines += ["{", *_indent(inside), "}"] if self._is_step(node) else inside
        return lines

    def _is_step(self, node: Node) -> bool:
        return isinstance(node, Visit) and self.fragments[node.statement].is_step

    def _defines_once(self, nodes: tuple[Node, ...], users: list[int], local: Local) -> bool:
        """True if the first user always defines the local and no other user does."""
        first = nodes[users[0]]
        if not isinstance(first, Visit) or self.fragments[first.statement].defines != local:
            return False
        return not any(self._is_defined_in(nodes[user], local) for user in users[1:])

    def _is_defined_in(self, node: Node, local: Local) -> bool:
        match node:
            case Visit(statement):
                return self.fragments[statement].defines == local
            case Guard(_, then, otherwise):
                branches = [then] if otherwise is None else [then, otherwise]
                return any(self._is_defined_in(branch, local) for branch in branches)
            case Block(nodes):
                return any(self._is_defined_in(inner, local) for inner in nodes)
        return False

    def _text(self, expression: Expression) -> str:
        return print_expression(_iterators_first(expression), C, self.writer.names)


def _vectors(pairs: frozenset[tuple[str, str]] | None) -> Vectors:
    """Gives the lines of a loop their pragma, where it is independent."""
    if pairs is None:
        return list
    return lambda lines: side_by_side(lines, is_tested=bool(pairs))


def touches_of(node: Node | None, fragments: Mapping[str, Fragment]) -> Sequence[Touch] | None:
    """Reads and stores of a node without loops, in the order of its text; None if not known."""
    match node:
        case None:
            return []
        case Visit(statement, coordinates):
            touches = fragments[statement].touches
            return None if touches is None else touches(coordinates)
        case Loop():
            return None
        case Guard(_, then, otherwise):
            parts = [then] if otherwise is None else [then, otherwise]
        case Block(nodes):
            parts = list(nodes)
    found: list[Touch] = []
    for part in parts:
        inside = touches_of(part, fragments)
        if inside is None:
            return None
        found += inside
    return found


def flattened(node: Node) -> Node:
    """The same nodes without blocks directly inside blocks and tests that decide nothing."""
    match node:
        case Loop():
            return replace(node, body=flattened(node.body))
        case Guard(condition, then, otherwise):
            inner = flattened(then)
            other = None if otherwise is None else flattened(otherwise)
            return inner if inner == other else Guard(condition, inner, other)
        case Block(nodes):
            found: list[Node] = []
            for inner in map(flattened, nodes):
                found += inner.nodes if isinstance(inner, Block) else [inner]
            return Block(tuple(found))
        case Visit():
            return node


def _iterators_first(expression: Expression) -> Expression:
    """i + 2 <= N rather than N >= i + 2: the longer side stands first."""
    match expression:
        case Operation(Operator.AND | Operator.OR as operator, arguments):
            return Operation(operator, tuple(_iterators_first(a) for a in arguments))
        case Operation(operator, (Name() | Integer() as left, Operation() as right)) if (
            operator in TURNED
        ):
            return Operation(TURNED[operator], (right, left))
    return expression


def _indent(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
