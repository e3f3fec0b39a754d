"""Random programs of the class hlsmem takes, small enough to be enumerated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from tests.fuzz.language import (
    Array,
    Assign,
    Branch,
    Choice,
    Compared,
    Condition,
    Denied,
    Expression,
    Instance,
    Joined,
    Loop,
    Name,
    Number,
    Operation,
    Picked,
    Program,
    SourceLocation,
    Statement,
    TooLong,
    Value,
    arrays_named,
    assignments,
    lines_of,
    run,
)

_COUNTERS = "ijk"


@dataclass(frozen=True, slots=True)
class Scope:
    """Names in sight: loop variables, outermost first, and variables declared in the region.

    `ranks` are the arrays there are, with their dimensions.
    """

    ranks: Mapping[str, int]
    loops: tuple[str, ...] = ()
    locals: tuple[str, ...] = ()
    level: int = 0


def random_program(seed: int, *, large: bool = False) -> Program:
    """The program of a seed; `large` ones have more statements, loops and instances."""
    number = 0
    while True:
        random = Random(f"{seed}.{number}")
        made = _attempt(random, f"p{seed}", large)
        if made is not None:
            return made
        number += 1


def _attempt(random: Random, name: str, large: bool) -> Program | None:
    size = random.randint(3, 6 if large else 4)
    sizes = (size,) if random.random() < 0.6 else (size - 1, size)
    ranks = {"A": random.choice([1, 1, 2])}
    ranks |= {"B": 1} if random.random() < (0.8 if large else 0.2) else {}
    ranks |= {"s": 0} if random.random() < (0.5 if large else 0.2) else {}
    ranks |= {"in": 1, "out": 1} if random.random() < 0.6 else {}
    count = random.randint(1, 4) if large else random.choice([1, 1, 1, 2])
    made = tuple(_item(random, Scope(ranks), large) for _ in range(count))
    if _weight(made) > (9 if large else 5):
        return None
    kinds = {array: random.choice(["local", "parameter"]) for array in ranks}
    kinds |= {"s": "local", "in": "outside", "out": "outside"}
    program = Program(name, _labelled(random, made), (), size, sizes)
    try:
        runs = {n: run(program, n, 400 if large else 120) for n in sizes}
    except TooLong:
        return None
    used = {place[0] for found in runs.values() for one in found for place in _places(one)}
    if not used & {array for array, kind in kinds.items() if kind != "outside"}:
        return None
    return _finished(random, program, runs, kinds, ranks, sorted(arrays_named(made) & set(ranks)))


def _weight(statements: tuple[Statement, ...]) -> int:
    """How much there is to work out: statements, choices, quotients and remainders."""
    text = "".join(lines_of(statements))
    return text.count(";") // 3 + sum(map(text.count, "?%/")) + text.count("||")


def _places(one: Instance) -> list[tuple[str, tuple[int, ...]]]:
    return [*one.reads, one.write]


def _finished(
    random: Random,
    program: Program,
    runs: dict[int, list[Instance]],
    kinds: Mapping[str, str],
    ranks: Mapping[str, int],
    used: Sequence[str],
) -> Program | None:
    """The program with subscripts that start at 0, extents, and first writes of locals."""
    touched = {name: _box(name, runs) or [(0, 0)] * ranks[name] for name in used}
    low = {name: [a for a, _ in box] for name, box in touched.items()}
    extents = {name: tuple(b - a + 1 for a, b in box) for name, box in touched.items()}
    if any(extent > 40 for sizes in extents.values() for extent in sizes):
        return None
    body = _shifted(program.statements, low)
    # Nearly always locals are filled first; the others are read before they are written.
    first = tuple(
        _filling(name, extents[name], random)
        for name in used
        if kinds[name] == "local" and random.random() < 0.88
    )
    arrays = tuple(Array(name, extents[name], kinds[name]) for name in used)
    return replace(program, statements=first + body, arrays=arrays)


def _box(name: str, runs: dict[int, list[Instance]]) -> list[tuple[int, int]]:
    """The least and greatest subscripts of an array at all sizes."""
    elements = [
        element
        for found in runs.values()
        for one in found
        for array, element in _places(one)
        if array == name
    ]
    return [(min(column), max(column)) for column in zip(*elements, strict=True)]


def _filling(name: str, extents: tuple[int, ...], random: Random) -> Statement:
    """Loops that write every element of an array."""
    names = "xy"[: len(extents)]
    made: Statement = Assign(
        SourceLocation(name, tuple(map(Name, names))), "=", (Number(random.randint(0, 9)),)
    )
    for counter, extent in reversed(list(zip(names, extents, strict=True))):
        made = Loop(counter, Number(0), Compared("<", Name(counter), Number(extent)), 1, (made,))
    return made


def _shifted(statements: tuple[Statement, ...], low: dict[str, list[int]]) -> tuple:
    """The statements with the least subscript of every array at 0."""

    def place(one: SourceLocation) -> SourceLocation:
        least = low.get(one.array, [])
        moved = (
            sub if by == 0 else Operation("-" if by > 0 else "+", sub, Number(abs(by)))
            for sub, by in zip(one.subscripts, least, strict=True)
        )
        return SourceLocation(one.array, tuple(moved)) if one.subscripts else one

    def value(one: Value) -> Value:
        match one:
            case SourceLocation():
                return place(one)
            case Picked():
                return Picked(one.condition, value(one.then), value(one.otherwise))
        return one

    def statement(one: Statement) -> Statement:
        match one:
            case Assign():
                return replace(one, target=place(one.target), terms=tuple(map(value, one.terms)))
            case Branch():
                then, otherwise = map(
                    tuple, (map(statement, one.then), map(statement, one.otherwise))
                )
                return replace(one, then=then, otherwise=otherwise)
            case Loop():
                return replace(one, body=tuple(map(statement, one.body)))

    return tuple(map(statement, statements))


def _labelled(random: Random, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The statements with labels on some assignments, each its own."""
    if random.random() < 0.7:
        return statements
    count = [0]

    def named(one: Statement) -> Statement:
        match one:
            case Assign():
                count[0] += 1
                labelled = not one.declared and random.random() < 0.5
                return replace(one, label=f"L{count[0]}") if labelled else one
            case Branch():
                then, otherwise = map(tuple, (map(named, one.then), map(named, one.otherwise)))
                return replace(one, then=then, otherwise=otherwise)
            case Loop():
                return replace(one, body=tuple(map(named, one.body)))

    return tuple(map(named, statements))


# Items of a body.


def _item(random: Random, scope: Scope, large: bool) -> Statement:
    kind = random.random()
    deepest = 3 if large else 2 + (random.random() < 0.15)
    if len(scope.loops) < deepest and (not scope.loops or kind < 0.45 - 0.1 * scope.level):
        return _loop(random, scope, large)
    if scope.loops and scope.level < 4 and kind < 0.62:
        then = _body(random, replace(scope, level=scope.level + 1), large)
        otherwise = ()
        if random.random() < 0.4:
            otherwise = _body(random, replace(scope, level=scope.level + 1), large)
        return Branch(_condition(random, scope), then, otherwise)
    return _assignment(random, scope)


def _body(random: Random, scope: Scope, large: bool) -> tuple[Statement, ...]:
    made: list[Statement] = []
    if scope.loops and random.random() < 0.12:
        name = f"v{len(scope.locals)}{len(scope.loops)}{scope.level}"
        if name not in scope.locals:
            made.append(Assign(SourceLocation(name, ()), "=", _terms(random, scope), declared=True))
            scope = replace(scope, locals=(*scope.locals, name))
    for _ in range(random.choice([1, 1, 1, 2, 2, 3] if large else [1, 1, 1, 1, 2])):
        made.append(_item(random, scope, large))
    return tuple(made)


def _loop(random: Random, scope: Scope, large: bool) -> Loop:
    name = _COUNTERS[len(scope.loops)]
    low, high = _low(random, scope), _high(random, scope)
    step = random.choice([1, 1, 1, 1, 2, 3])
    inner = replace(scope, loops=(*scope.loops, name), level=scope.level + 1)
    variable = Name(name)
    if random.random() < 0.75:
        operator = random.choice(["<", "<", "<="])
        tests = [Compared(operator, variable, high), Compared(_turned(operator), high, variable)]
        first, condition = low, random.choice(tests[:1] * 4 + tests)
    else:
        operator = random.choice([">=", ">"])
        tests = [Compared(operator, variable, low), Compared(_turned(operator), low, variable)]
        first, condition, step = high, random.choice(tests), -step
    if random.random() < 0.08:
        condition = Joined("&&", condition, _condition(random, replace(scope, loops=scope.loops)))
    body = _body(random, inner, large)
    return Loop(name, first, condition, step, body, random.randrange(12))


def _turned(operator: str) -> str:
    return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[operator]


def _low(random: Random, scope: Scope) -> Expression:
    simple: list[Expression] = [Number(0), Number(0), Number(1), Number(-1)]
    for name in scope.loops:
        simple += [Name(name), Operation("+", Name(name), Number(1))]
    chosen = random.choice(simple)
    if random.random() < 0.1:
        return _greater(chosen, random.choice(simple))
    return chosen


def _high(random: Random, scope: Scope) -> Expression:
    size = Name("N")
    simple: list[Expression] = [size, size, Operation("-", size, Number(1)), Number(3)]
    for name in scope.loops:
        own = Name(name)
        simple += [own, own, Operation("+", own, Number(2)), Operation("-", size, own)]
    simple.append(Operation("/", size, Number(2)))
    chosen = random.choice(simple)
    if random.random() < 0.1:
        return _lesser(chosen, random.choice(simple))
    return chosen


def _greater(one: Expression, other: Expression) -> Expression:
    return Choice(Compared(">", one, other), one, other)


def _lesser(one: Expression, other: Expression) -> Expression:
    return Choice(Compared("<", one, other), one, other)


def _linear(random: Random, scope: Scope) -> Expression:
    """A sum of a loop variable or two and a constant, sometimes a quotient or remainder of it."""
    if not scope.loops or random.random() < 0.08:
        return Number(random.randint(0, 2))
    made: Expression = Name(random.choice(scope.loops))
    shape = random.random()
    if shape < 0.08:
        made = Operation("*", Number(2), made)
    elif shape < 0.16:
        made = Operation("-", Name("N"), made)
    elif shape < 0.34 and len(scope.loops) > 1:
        made = Operation(random.choice("+-"), made, Name(random.choice(scope.loops)))
    if random.random() < 0.4:
        made = Operation(random.choice("+-"), made, Number(random.randint(1, 2)))
    if random.random() < 0.1:
        made = Operation(random.choice("/%"), made, Number(random.choice([2, 2, 3, -2])))
    return made


def _condition(random: Random, scope: Scope, depth: int = 0) -> Condition:
    shape = random.random()
    if depth < 2 and shape < 0.18:
        left, right = (_condition(random, scope, depth + 1) for _ in range(2))
        return Joined(random.choice(["&&", "||"]), left, right)
    if depth < 2 and shape < 0.25:
        return Denied(_condition(random, scope, depth + 1))
    if shape < 0.45 and scope.loops:
        remainder = Operation("%", _linear(random, scope), Number(random.choice([2, 2, 3])))
        return Compared(
            random.choice(["==", "==", "!=", "<"]), remainder, Number(random.randint(0, 1))
        )
    right = random.choice([_linear(random, scope), Number(random.randint(0, 3))])
    operator = random.choice(["<", "<=", ">", ">=", "==", "!="])
    return Compared(operator, _linear(random, scope), right)


def _place(random: Random, scope: Scope, names: Sequence[str]) -> SourceLocation:
    name = random.choice(names)
    return SourceLocation(name, tuple(_linear(random, scope) for _ in range(scope.ranks[name])))


def _assignment(random: Random, scope: Scope) -> Assign:
    names = [name for name in scope.ranks if name != "in"]
    target = _place(random, scope, ["A", "A", *names])
    if random.random() < 0.06:
        return Assign(target, random.choice(["++", "--"]), ())
    operator = random.choice(["=", "=", "=", "=", "+=", "-="])
    return Assign(target, operator, _terms(random, scope))


def _terms(random: Random, scope: Scope) -> tuple[Value, ...]:
    return tuple(_value(random, scope) for _ in range(random.choice([1, 1, 2, 2, 3])))


def _value(random: Random, scope: Scope) -> Value:
    shape = random.random()
    if shape < 0.12:
        return Number(random.randint(0, 9))
    if shape < 0.2 and scope.loops:
        return Name(random.choice(scope.loops))
    if shape < 0.27 and scope.loops:
        return Picked(_condition(random, scope), _value(random, scope), _value(random, scope))
    if shape < 0.45 and scope.locals:
        return SourceLocation(random.choice(scope.locals), ())
    return _place(random, scope, ["A", "A", *(name for name in scope.ranks if name != "out")])


# What programs are like.


def has_triangles(program: Program) -> bool:
    """Whether a bound of a loop depends on a loop around it."""

    def inside(statements: Sequence[Statement], loops: frozenset[str]) -> bool:
        for one in statements:
            if isinstance(one, Branch) and (
                inside(one.then, loops) or inside(one.otherwise, loops)
            ):
                return True
            if isinstance(one, Loop):
                texts = f"{one.first} {one.condition}"
                words = set("".join(c if c.isalnum() else " " for c in texts).split())
                if words & loops or inside(one.body, loops | {one.name}):
                    return True
        return False

    return inside(program.statements, frozenset())


def has_guards(program: Program) -> bool:
    """Whether a condition decides if something happens."""

    def inside(statements: Sequence[Statement]) -> bool:
        return any(
            isinstance(one, Branch) or (isinstance(one, Loop) and inside(one.body))
            for one in statements
        )

    return inside(program.statements)


def statement_names(program: Program) -> list[str]:
    """The label of every assignment, else S0, S1, .. over the others."""
    return [
        one.label or f"S{number}"
        for number, one in _numbered(list(assignments(program.statements)))
    ]


def _numbered(statements: Sequence[Assign]) -> list[tuple[int, Assign]]:
    found, number = [], 0
    for one in statements:
        found.append((number, one))
        number += not one.label
    return found
