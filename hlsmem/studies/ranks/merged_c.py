"""Two nests merged by number in C: the loops of the one, and a stepper or roots for the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.expression import Expression, Operation, Operator
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import C, free_name, helper_lines, words
from hlsmem.emit.c.cell_names import ByFunction
from hlsmem.emit.c.fragments import Cells, Fragment
from hlsmem.emit.c.loop_names import loop_variables, with_user_names
from hlsmem.emit.c.loop_printer import RegionPrinter, flattened
from hlsmem.emit.c.statement_text import Writer
from hlsmem.emit.expression_text import print_expression
from hlsmem.polyhedra import DimType, UnionMap
from hlsmem.polyhedra.generated_loops import Guard, Loop, Node, Visit, generate
from hlsmem.polyhedra.sets import has_divisions
from hlsmem.program.model import Program, Statement
from hlsmem.studies.ranks.loop_nest import LoopNest
from hlsmem.studies.ranks.ranks_in_c import parameters_of, rank_in_c

_TURNED = {
    Operator.LESS: Operator.GREATER_EQUAL,
    Operator.LESS_EQUAL: Operator.GREATER,
    Operator.GREATER: Operator.LESS_EQUAL,
    Operator.GREATER_EQUAL: Operator.LESS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """A loop of a stepper: `guard` is tested inside of it, `has_gaps` says that values of the
    loops outside may leave it without an iteration."""

    loop: Loop
    guard: Expression | None
    has_gaps: bool


def merged_in_c(
    program: Program,
    first: LoopNest,
    second: LoopNest,
    *,
    by_roots: bool,
    delay: int,
    head: Sequence[str],
) -> str:
    """C in which iteration K of the first nest runs before K of the second, which is `delay` later.

    `head` are lines of the comment in front. Raises InputError for a statement in several nests.
    """
    name = f"{program.name}_{first.label}_with_{second.label}"
    parameters = parameters_of(first.ranking, second.ranking)
    statements = (*first.members, *second.members)
    calls: dict[str, str] = {}
    variables = {*parameters, *(i for one in statements for i in one.iterators)}
    for one in statements:
        calls[one.name] = free_name(one.name, variables)
    around = frozenset({*parameters, *calls.values()})
    outer, _ = _chain(program, second, around)
    inner, steps = _chain(program, first, around | loop_variables(outer))
    visited = [f"if ({_not(inner.condition)})", "  return;"] if isinstance(inner, Guard) else []
    if by_roots:
        lines = _by_roots(program, first, calls, parameters, loop_variables(outer))
    else:
        lines = _by_steps(first, inner, steps, calls, is_late=delay > 0)
    start, run = lines
    body = [*visited, *start, *_ahead(run, delay)]
    body += _loops(program, second, outer, calls, run)
    arguments = ", ".join(f"int64_t {one}" for one in parameters) or "void"
    used = words(body)
    body = [*(f"(void){one};" for one in parameters if one not in used), *body]
    text = [f"void {name}({arguments});", "", f"void {name}({arguments})", "{"]
    text += [*(_wider(f"  {line}") for line in body), "}"]
    told = [*head, *_told(calls, statements)]
    if by_roots:
        prefix = f"{program.name}_{first.label}"
        ranks = rank_in_c(first.ranking, prefix, head=told)
    else:
        ranks = "\n".join(["/*", *(f" * {line}" for line in told), " */", "#include <stdint.h>\n"])
    known = ranks.splitlines()
    helpers = [line for line in helper_lines("\n".join(text)) if line not in known]
    blocks = [[ranks.rstrip("\n")], helpers, text]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def _told(calls: Mapping[str, str], statements: Sequence[Statement]) -> list[str]:
    """Functions that the C calls and does not define."""
    return [
        "instances are functions or macros of whoever includes this: "
        + ", ".join(f"{calls[one.name]}({', '.join(one.iterators)})" for one in statements)
    ]


def _chain(
    program: Program, nest: LoopNest, taken: frozenset[str]
) -> tuple[Node, tuple[_Step, ...]]:
    """The loops of a nest, called as its iterators are, whole and outermost first."""
    statement, order = nest.ranking.statement, nest.ranking.inverse.reverse()
    names = [f"t{entry}" for entry in range(len(nest.ranking.entries))]
    while taken.intersection(names):
        names = [f"{one}_" for one in names]
    tree = generate(UnionMap.from_map(order), program.context, names)
    if tree is None:
        what = f"{statement.name!r} has no instance for any parameters"
        raise InputError(Problem(what, "give it some", statement.source_location))

    def namer(visit: Visit) -> list[tuple[str, Expression]]:
        return list(zip(statement.iterators, visit.coordinates, strict=True))

    named = flattened(with_user_names(tree, namer, taken))
    times = order.range().coalesce()
    steps: list[_Step] = []
    node = named
    if isinstance(node, Guard) and node.otherwise is None:  # of parameters alone
        node = node.then
    while not isinstance(node, Visit):
        guard = None
        if not isinstance(node, Loop):
            what = f"{statement.name!r} stands in several loop nests: its instances are"
            what += " not those of one"
            remedy = "give each a statement of its own"
            raise InputError(Problem(what, remedy, statement.source_location))
        body = node.body
        if isinstance(body, Guard) and body.otherwise is None:
            guard, body = body.condition, body.then
        gaps = bool(steps) and _has_gaps(times, len(steps))
        steps.append(_Step(loop=node, guard=guard, has_gaps=gaps))
        node = body
    return named, tuple(steps)


def _has_gaps(times: Any, outer: int) -> bool:
    """True if loops may visit values of the `outer` ones with nothing inside.

    They do not where these values are one polyhedron without strides: isl bounds exactly that.
    """
    size = times.dim(DimType.set)
    values = times.project_out(DimType.set, outer, size - outer).coalesce()
    return bool(values.n_basic_set() != 1 or has_divisions(values))


def _ahead(run: Sequence[str], delay: int) -> list[str]:
    """The iterations of the first nest that run before the loops."""
    if not delay:
        return []
    ahead = free_name("ahead", words(run))
    header = f"for (int64_t {ahead} = 0; {ahead} < {delay}; {ahead}++) {{"
    return [header, *_indented(run), "}"]


def _loops(
    program: Program, nest: LoopNest, tree: Node, calls: Mapping[str, str], run: Sequence[str]
) -> list[str]:
    """The loops of the second nest, with an iteration of the first in front of each of its own."""
    name = nest.ranking.statement.name

    def text(at: tuple[Expression, ...], _: Cells) -> list[str]:
        own = [print_expression(one, C) for one in at]
        return [*run, *(_call(calls[one.name], own) for one in nest.members)]

    fragment = Fragment(name=name, names=lambda _: (), schedule=None, text=text)
    writer = Writer(program=program, folds={}, names={}, loop_type="int64_t")
    printer = RegionPrinter(fragments={name: fragment}, cells=ByFunction(writer))
    return printer.lines(tree)


def _wider(line: str) -> str:
    """The line indented by fours where it is by twos."""
    inner = line.lstrip(" ")
    return " " * (2 * (len(line) - len(inner))) + inner


def _call(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({', '.join(arguments)});"


def _by_roots(
    program: Program,
    nest: LoopNest,
    calls: Mapping[str, str],
    parameters: Sequence[str],
    taken: frozenset[str],
) -> tuple[list[str], list[str]]:
    """Lines in front of the loops, and lines that run a nest's next iteration by its number."""
    used = {*parameters, *taken, *calls.values()}
    places = []
    for one in nest.ranking.statement.iterators:
        places.append(_unlike(one, used))
        used.add(places[-1])
    number = _unlike("k", used)
    pointers = [f"&{one}" for one in places]
    own = parameters_of(nest.ranking)
    at = f"{program.name}_{nest.label}_at({', '.join([*own, f'{number}++', *pointers])})"
    start = [f"int64_t {', '.join(f'{one} = 0' for one in [number, *places])};"]
    run = [f"if ({at}) {{"]
    run += [f"  {_call(calls[one.name], places)}" for one in nest.members]
    return start, [*run, "}"]


def _unlike(name: str, used: set[str]) -> str:
    """The name, or one with a number where it is used."""
    found, number = name, 1
    while found in used:
        number += 1
        found = f"{name}_{number}"
    return found


def _by_steps(
    nest: LoopNest,
    tree: Node,
    steps: Sequence[_Step],
    calls: Mapping[str, str],
    *,
    is_late: bool,
) -> tuple[list[str], list[str]]:
    """Lines in front of the loops, and lines that run an iteration of a nest and step to the next.

    Where the other nest `is_late`, the iterations of this one come to an end before the loops do.
    """
    stepper = _Stepper(tuple(steps))
    visit = _visit(tree)
    own = [print_expression(one, C) for one in visit.coordinates]
    run = [_call(calls[one.name], own) for one in nest.members]
    run += stepper.next(len(steps) - 1)
    if is_late:
        run = [f"if ({stepper.is_left}) {{", *_indented(run), "}"]
    return stepper.first(), run


def _visit(node: Node) -> Visit:
    while not isinstance(node, Visit):
        node = node.then if isinstance(node, Guard) else node.body  # type: ignore[union-attr]
    return node


@dataclass(frozen=True, slots=True)
class _Stepper:
    """Lines that set the variables of loops to their first and to their next values, in which no
    root and no product is computed. Behind the last ones `is_left` does not hold."""

    steps: tuple[_Step, ...]

    @property
    def is_left(self) -> str:
        return print_expression(self.steps[0].loop.condition, C)

    def first(self) -> list[str]:
        lines: list[str] = []
        for level, step in enumerate(self.steps):
            text = f"{step.loop.iterator} = {print_expression(step.loop.first, C)}"
            if lines and lines[-1].startswith("int64_t "):
                lines[-1] = f"{lines[-1].removesuffix(';')}, {text};"
            else:
                lines.append(f"int64_t {text};")
            if step.has_gaps:
                lines += self._entered(level)
            if step.guard is not None:
                test = f"{self.is_left} && {_not(step.guard)}"
                lines += [f"while ({test}) {{", *_indented(self.next(level)), "}"]
        return lines

    def next(self, level: int) -> list[str]:
        """Lines that set the variables down to a loop to their next values."""
        step = self.steps[level]
        name, size = step.loop.iterator, step.loop.step
        lines = [f"{name}++;" if size == 1 else f"{name} += {size};"]
        if level:
            lines += self._entered(level)
        if step.guard is None:
            return lines
        return ["do {", *_indented(lines), f"}} while ({self.is_left} && {_not(step.guard)});"]

    def _entered(self, level: int) -> list[str]:
        """Lines that carry to the loop outside where a variable has passed its last value."""
        step = self.steps[level]
        carried = [*self.next(level - 1)]
        carried.append(f"{step.loop.iterator} = {print_expression(step.loop.first, C)};")
        passed = _not(step.loop.condition)
        test = f"while ({self.is_left} && {passed}) {{" if step.has_gaps else f"if ({passed}) {{"
        return [test, *_indented(carried), "}"]


def _not(condition: Expression) -> str:
    """The text of what holds where a condition does not."""
    if isinstance(condition, Operation) and condition.operator in _TURNED:
        turned = Operation(_TURNED[condition.operator], condition.arguments)
        return print_expression(turned, C)
    return f"!({print_expression(condition, C)})"


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]
