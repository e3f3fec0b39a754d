"""The array elements and scalars that an expression reads, in textual order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import Problem, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Set
from hlsmem.read.c import tree
from hlsmem.read.c.affine import NotAffineError, Reader
from hlsmem.read.c.headers import is_of_a_header
from hlsmem.read.c.operations import binary, unary
from hlsmem.read.c.products import Polynomial, polynomial
from hlsmem.read.c.purity import is_pure_call
from hlsmem.read.c.ranges import Range, range_of
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.symbols import (
    TO_POINTERS,
    Function,
    Scope,
    Variable,
)
from hlsmem.read.c.tree import BOOL, Float, Number
from hlsmem.read.c.trees import integer, is_assertion, nodes_of


@dataclass(frozen=True, slots=True)
class Touch:
    """One access: `subscripts` are PwAffs, `inside` the instances that make it.

    `must` is False where data decide whether it happens, or to which element: such a subscript
    is a Range. The place in a flat array is first a `product`, until all accesses to it are known
    (`flat`).
    """

    variable: Variable
    node: Any
    subscripts: tuple[Any, ...]
    inside: Any
    must: bool
    product: Polynomial | None = None

    @property
    def is_at_run_time(self) -> bool:
        """True if data choose the element."""
        return any(isinstance(one, Range) for one in self.subscripts)


@dataclass(frozen=True, slots=True)
class AccessReader:
    """Collects touches of expressions in one scope; what is refused goes to `problems`.

    `of_turns` has the subscripts of variables that are arrays over the loops around.
    """

    reader: Reader
    scope: Scope
    problems: Problems
    touches: list[Touch]
    of_turns: Mapping[Variable, tuple[Any, ...]] = field(default_factory=dict)

    def refuse(self, refusal: Refusal, node: Any, why: str, remedy: str | None = None) -> None:
        self.add(self.reader.refuse(refusal, node, why, remedy).problem)

    def value(self, node: Any, inside: Any, must: bool = True) -> None:
        """Note everything the evaluation of `node` reads in the instances `inside`."""
        match node:
            case tree.Constant():
                pass
            case tree.ID() | tree.ArrayRef() | tree.UnaryOp(op="*") | tree.StructRef():
                self.place(node, inside, must)
            case tree.BinaryOp(op="&&" | "||"):
                self.value(node.left, inside, must)
                self.branch(node.left, node.right, inside, must, when=node.op == "&&")
            case tree.BinaryOp():
                self.value(node.left, inside, must)
                self.value(node.right, inside, must)
            case tree.UnaryOp(op="+" | "-" | "!" | "~"):
                self.value(node.expr, inside, must)
            case tree.UnaryOp(op="&"):
                self.refuse(Refusal.ALIASING, node, "takes an address", _PASS_ELEMENTS)
            case tree.UnaryOp() | tree.Assignment():
                why = "changes a variable inside an expression"
                self.refuse(Refusal.OTHER, node, why, "make it a statement of its own")
            case tree.TernaryOp():
                self.value(node.cond, inside, must)
                self.branch(node.cond, node.iftrue, inside, must, when=True)
                self.branch(node.cond, node.iffalse, inside, must, when=False)
            case tree.Cast():
                self.cast(node, inside, must)
            case tree.FuncCall():
                self.call(node, inside, must)
            case tree.ExprList(exprs=[first, second]) if is_assertion(first):
                self.value(second, inside, must)
            case _:
                why = "is an expression hlsmem does not read"
                self.refuse(Refusal.OTHER, node, why)

    def branch(self, condition: Any, node: Any, inside: Any, must: bool, *, when: bool) -> None:
        """`node` is evaluated only where `condition` is `when`."""
        certain, possible = self.holds(condition, inside, when)
        if certain is None:
            self.value(node, possible, False)
        else:
            self.value(node, certain, must)

    def holds(self, condition: Any, inside: Any, when: bool) -> tuple[Any, Any]:
        """The instances where a condition is `when`, None if data decide, and where it may be."""
        match condition:
            case tree.UnaryOp(op="!"):
                return self.holds(condition.expr, inside, not when)
            case tree.BinaryOp(op="&&" | "||" as op):
                left, first = self.holds(condition.left, inside, when)
                right, second = self.holds(condition.right, inside, when)
                both = Set.intersect if when == (op == "&&") else Set.union
                known = left is not None and right is not None
                certain = both(left, right).coalesce() if known else None
                return certain, both(first, second).coalesce()
        try:
            holds = self.reader.condition(condition, self.scope, inside)
        except NotAffineError:
            return None, inside
        found = holds if when else inside.subtract(holds).coalesce()
        return found, found

    def cast(self, node: Any, inside: Any, must: bool) -> None:
        if not isinstance(node.type, (Number, Float)):
            self.refuse(Refusal.OTHER, node, "is a cast to something other than a number")
        else:
            self.value(node.expr, inside, must)

    def call(self, node: Any, inside: Any, must: bool) -> None:
        is_value = is_pure_call(node, self.scope)
        if not is_value:
            self.refuse(Refusal.FUNCTION_CALL, node, *why_not_inlined(node, self.scope))
        for argument in node.args:
            # A call that is refused may be given whole arrays.
            if is_value or not self.is_array(argument):
                self.value(argument, inside, must)

    def is_array(self, node: Any) -> bool:
        symbol = self.scope.find(node.name) if isinstance(node, tree.ID) else None
        return isinstance(symbol, Variable) and bool(symbol.shape.extents)

    def place(self, node: Any, inside: Any, must: bool = True) -> None:
        """Note one access to a scalar or an array element."""
        base, subscripts, path, ranks = unfold(node)
        if not isinstance(base, tree.ID):
            self.refuse(_base_class(base), node, _INDIRECT)
            return
        symbol = self.scope.find(base.name)
        if symbol is None or isinstance(symbol, Function):
            what = f"'{base.name}' is not declared" if symbol is None else "is no variable"
            self.problems.add(
                what if symbol is None else f"'{base.name}' {what}",
                "declare it, or define it: -D in kernel.cflags, or its header by `--include DIR`",
                self.reader.source.place(base),
            )
        elif not isinstance(symbol, Variable):
            if isinstance(node, tree.UnaryOp):
                self.refuse(Refusal.ALIASING, node, _INDIRECT)
            elif subscripts or path:
                self.refuse(Refusal.OTHER, node, "subscripts something that is no array")
        else:
            self.variable(symbol, node, subscripts, path, ranks, inside, must)

    def variable(
        self,
        variable: Variable,
        node: Any,
        subscripts: Sequence[Any],
        path: tuple[str, ...],
        ranks: tuple[int, ...],
        inside: Any,
        must: bool,
    ) -> None:
        """Note an access to a variable, or to a number inside of it where there is a `path`."""
        number = variable.members.get(path) if path else variable
        if variable in self.of_turns:
            self.touches.append(Touch(variable, node, self.of_turns[variable], inside, must))
        elif number is None:
            self.refuse(Refusal.OTHER, node, "is a struct", _EACH_MEMBER)
        elif self.is_readable(number, node, ranks):
            found = self.subscripts(subscripts, inside)
            if found is None:
                return
            if len(found) == 1 and isinstance(found[0], Polynomial):
                self.touches.append(Touch(number, node, (), inside, must, found[0]))
                return
            touch = Touch(number, node, found, inside, must)
            if touch.is_at_run_time:
                touch = replace(touch, must=False)
            self.touches.append(touch)
            for one, value in zip(subscripts, found, strict=True):
                if isinstance(value, Range):
                    self.value(one, inside, must)

    def is_readable(self, variable: Variable, node: Any, ranks: tuple[int, ...]) -> bool:
        shape = variable.shape
        if shape.scalar is None:
            refusal = Refusal.ALIASING if "pointer" in shape.reason else Refusal.OTHER
            remedy = _EACH_MEMBER if shape.members else None
            why = f"is {shape.reason}"
            if shape.reason == TO_POINTERS:
                why, remedy = f"{why}, whose rows may be anywhere", _WHOLE
            self.refuse(refusal, node, why, remedy)
        elif shape.pointer and variable.scope != "parameter":
            if variable not in self.reader.told:  # one problem a pointer, where it is used first
                self.reader.told.add(variable)
                why = "goes through a pointer that is no parameter"
                self.refuse(Refusal.ALIASING, node, why, _PASS_ELEMENTS)
        elif variable.static and variable.scope == "region" and not variable.is_read_only:
            why = "keeps its value between calls"
            self.refuse(Refusal.OTHER, node, why, "drop static, or declare it before #pragma scop")
        elif ranks != variable.ranks:
            subscripts, dimensions = sum(ranks), len(shape.extents)
            has = _number(dimensions, "dimension")
            name = ".".join((variable.object.name, *variable.path))
            why = f"has {_number(subscripts, 'subscript')}, but '{name}' has {has}"
            refusal = Refusal.ALIASING if subscripts < dimensions else Refusal.OTHER
            self.refuse(refusal, node, why, "use one subscript per dimension")
        else:
            return True
        return False

    def subscripts(self, nodes: Sequence[Any], inside: Any) -> tuple[Any, ...] | None:
        """The subscripts, or None after noting those that are none.

        Each is a PwAff, a Range where data decide, or, where it is the only one, a Polynomial.
        """
        found: list[Any] = []
        for node in nodes:
            if node is None:
                zero = integer(0)
                found.append(self.reader.integer(zero, self.scope, inside).expression)
                continue
            try:
                if len(nodes) == 1:
                    found.append(polynomial(node, self.scope, inside, self.reader))
                else:
                    found.append(self.reader.integer(node, self.scope, inside).expression)
            except NotAffineError as error:
                between = self.between(node, inside)
                if between is not None:
                    found.append(between)
                else:
                    self.add(error.problem)
        return tuple(found) if len(found) == len(nodes) else None

    def between(self, node: Any, inside: Any) -> Range | None:
        """The bounds of a subscript that data decide; None of one that no data is in."""
        if not any(self.is_data(part, inside) for part in nodes_of(node)):
            return None
        return range_of(node, self.scope, inside, self.reader)

    def is_data(self, node: Any, inside: Any) -> bool:
        """True if a node is an element, or a variable whose value depends on the run."""
        if isinstance(node, (tree.ArrayRef, tree.StructRef)):
            return True
        if not isinstance(node, tree.ID):
            return isinstance(node, tree.UnaryOp) and node.op == "*"
        symbol = self.scope.find(node.name)
        if not isinstance(symbol, Variable) or symbol.shape.extents or symbol.members:
            return False
        is_fixed = symbol.name not in self.reader.assigned and symbol.scope == "parameter"
        return not is_fixed and not self.is_affine(node, inside)

    def is_affine(self, node: Any, inside: Any) -> bool:
        try:
            self.reader.integer(node, self.scope, inside)
        except NotAffineError:
            return False
        return True

    def add(self, problem: Problem) -> None:
        self.problems.add(problem.what, problem.remedy, problem.source_location, problem.notes)


def why_not_inlined(node: Any, scope: Scope) -> tuple[str, str | None]:
    """Why the body of a function is not in the place of its call, and what to do."""
    symbol = scope.find(node.name)
    if not isinstance(symbol, Function) or symbol.definition is None:
        if is_of_a_header(node.name):
            return "may have side effects", "move it out of the region"
        return f"has no body: '{node.name}' is not in this file", _GIVE_BODY
    return "is made under a condition, or in the header of a loop", (
        "call it in a statement of its own, and use the variable that has its value"
    )


_GIVE_BODY = "add its body, include the file that has it, or name that in kernel.sources"
_INDIRECT = "reaches memory through a computed address"
_PASS_ELEMENTS = "name the array and its subscripts in place"
_WHOLE = "pass one array with its extents"
_EACH_MEMBER = "name a member that is a number, one at a time"


def unfold(node: Any) -> tuple[Any, tuple[Any, ...], tuple[str, ...], tuple[int, ...]]:
    """Base, subscripts, path of members and ranks (as of Variable) of an access.

    None is the subscript 0 of `*p` and of `p->x`; `*(p + i)` is p[i].
    """
    match node:
        case tree.ArrayRef():
            return _subscripted(node.name, node.subscript)
        case tree.UnaryOp(op="*"):
            return _subscripted(*_pointer(node.expr))
        case tree.StructRef():
            inner = _subscripted(node.name, None) if node.arrow else unfold(node.name)
            base, subscripts, path, ranks = inner
            return base, subscripts, (*path, node.field), (*ranks, 0)
    return node, (), (), (0,)


def _pointer(node: Any) -> tuple[Any, Any]:
    """Pointer and offset (None: 0) of `p`, `p + i`, `p + i - 1`, .."""
    match node:
        case tree.BinaryOp(op="+" | "-" as op, left=left, right=right):
            pointer, offset = _pointer(left)
            if offset is not None:
                return pointer, binary(op, offset, right)
            return pointer, right if op == "+" else unary("-", right)
    return node, None


def _subscripted(
    node: Any, subscript: Any
) -> tuple[Any, tuple[Any, ...], tuple[str, ...], tuple[int, ...]]:
    base, subscripts, path, ranks = unfold(node)
    return base, (*subscripts, subscript), path, (*ranks[:-1], ranks[-1] + 1)


def _base_class(base: Any) -> Refusal:
    return Refusal.OTHER if isinstance(base, tree.Cast) else Refusal.ALIASING


def _number(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"


def is_truth_value(node: Any, scope: Scope) -> bool:
    """True if an expression is 0 or 1 whatever the data, so that a _Bool keeps it as it is."""
    match node:
        case tree.Constant():
            return node.value in ("0", "1")
        case tree.BinaryOp(op="&&" | "||" | "<" | "<=" | ">" | ">=" | "==" | "!="):
            return True
        case tree.UnaryOp(op="!"):
            return True
        case tree.ExprList(exprs=[first, second]) if is_assertion(first):
            return is_truth_value(second, scope)
        case tree.BinaryOp(op="&", left=left, right=right) if _is_one(left) or _is_one(right):
            return True
        case tree.BinaryOp(op="&" | "|" | "^"):
            return is_truth_value(node.left, scope) and is_truth_value(node.right, scope)
        case tree.TernaryOp():
            return is_truth_value(node.iftrue, scope) and is_truth_value(node.iffalse, scope)
        case tree.ID(name="true" | "false"):
            return True
        case tree.ID() | tree.ArrayRef() | tree.StructRef():
            base, _, path, _ = unfold(node)
            symbol = scope.find(base.name) if isinstance(base, tree.ID) else None
            if isinstance(symbol, Variable) and path:
                symbol = symbol.members.get(path)
            scalar = symbol.shape.scalar if isinstance(symbol, Variable) else None
            return isinstance(scalar, Number) and scalar.is_bool
        case tree.Cast():
            return node.type == BOOL
        case tree.FuncCall(name=name):
            called = scope.find(name)
            definition = called.definition if isinstance(called, Function) else None
            return definition is not None and definition.returns == BOOL
    return False


def _is_one(node: Any) -> bool:
    return isinstance(node, tree.Constant) and node.value == "1"
