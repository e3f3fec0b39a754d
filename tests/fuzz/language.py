"""Static-control programs as trees: their C text, and what they do when run in plain Python.

A language of its own, so that what a program means is worked out from C's rules alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Env = Mapping[str, int]
Element = tuple[int, ...]
Time = tuple[int, ...]


# Integer expressions and conditions, with C's division: truncated, the sign of the dividend.


@dataclass(frozen=True, slots=True)
class Number:
    value: int

    def at(self, _env: Env) -> int:
        return self.value

    def __str__(self) -> str:
        return str(self.value) if self.value >= 0 else f"({self.value})"


@dataclass(frozen=True, slots=True)
class Name:
    name: str

    def at(self, env: Env) -> int:
        return env[self.name]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """+, -, * or, with a constant that is not 0 on the right, / and %."""

    operator: str
    left: Expression
    right: Expression

    def at(self, env: Env) -> int:
        left, right = self.left.at(env), self.right.at(env)
        if self.operator == "+":
            return left + right
        if self.operator == "-":
            return left - right
        if self.operator == "*":
            return left * right
        quotient = abs(left) // abs(right)
        if (left < 0) != (right < 0):
            quotient = -quotient
        return quotient if self.operator == "/" else left - quotient * right

    def __str__(self) -> str:
        return f"({self.left} {self.operator} {self.right})"


@dataclass(frozen=True, slots=True)
class Choice:
    condition: Condition
    then: Expression
    otherwise: Expression

    def at(self, env: Env) -> int:
        return (self.then if self.condition.holds(env) else self.otherwise).at(env)

    def __str__(self) -> str:
        return f"({self.condition} ? {self.then} : {self.otherwise})"


@dataclass(frozen=True, slots=True)
class Compared:
    operator: str
    left: Expression
    right: Expression

    def holds(self, env: Env) -> bool:
        left, right = self.left.at(env), self.right.at(env)
        return {
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
            "==": left == right,
            "!=": left != right,
        }[self.operator]

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True, slots=True)
class Joined:
    operator: str
    left: Condition
    right: Condition

    def holds(self, env: Env) -> bool:
        if self.operator == "&&":
            return self.left.holds(env) and self.right.holds(env)
        return self.left.holds(env) or self.right.holds(env)

    def __str__(self) -> str:
        return f"(({self.left}) {self.operator} ({self.right}))"


@dataclass(frozen=True, slots=True)
class Denied:
    condition: Condition

    def holds(self, env: Env) -> bool:
        return not self.condition.holds(env)

    def __str__(self) -> str:
        return f"!({self.condition})"


Expression = Number | Name | Operation | Choice
Condition = Compared | Joined | Denied


# Statements.


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """An array element, or a variable without subscripts."""

    array: str
    subscripts: tuple[Expression, ...]

    def at(self, env: Env) -> tuple[str, Element]:
        return self.array, tuple(one.at(env) for one in self.subscripts)

    def __str__(self) -> str:
        return self.array + "".join(f"[{one}]" for one in self.subscripts)


@dataclass(frozen=True, slots=True)
class Picked:
    """One of two values, by an affine condition: only that one is read."""

    condition: Condition
    then: Value
    otherwise: Value

    def __str__(self) -> str:
        return f"({self.condition} ? {self.then} : {self.otherwise})"


Value = SourceLocation | Picked | Number | Name


@dataclass(frozen=True, slots=True)
class Assign:
    """`target operator terms`, with the terms added; `++` and `--` have none."""

    target: SourceLocation
    operator: str
    terms: tuple[Value, ...]
    declared: bool = False
    label: str = ""

    def __str__(self) -> str:
        start = f"{self.label}: " if self.label else ""
        if self.operator in ("++", "--"):
            return f"{start}{self.target}{self.operator};"
        kind = "int " if self.declared else ""
        return f"{start}{kind}{self.target} {self.operator} {' + '.join(map(str, self.terms))};"


@dataclass(frozen=True, slots=True)
class Branch:
    condition: Condition
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """Counts from `first` while `condition` holds, by `step`; `spelling` is how C steps."""

    name: str
    first: Expression
    condition: Condition
    step: int
    body: tuple[Statement, ...]
    spelling: int = 0

    def header(self) -> str:
        """The text of the for, without its body."""
        amount, sign = abs(self.step), "+" if self.step > 0 else "-"
        steps = [f"{self.name} {sign}= {amount}", f"{self.name} = {self.name} {sign} {amount}"]
        if amount == 1:
            steps = [f"{self.name}{sign}{sign}", f"{sign}{sign}{self.name}", *steps]
        step = steps[self.spelling % len(steps)]
        return f"for (int {self.name} = {self.first}; {self.condition}; {step})"


Statement = Assign | Branch | Loop


def lines_of(statements: tuple[Statement, ...], indent: int = 1) -> Iterator[str]:
    """The C text of some statements."""
    space = "    " * indent
    for one in statements:
        match one:
            case Assign():
                yield space + str(one)
            case Branch():
                yield f"{space}if ({one.condition}) {{"
                yield from lines_of(one.then, indent + 1)
                if one.otherwise:
                    yield f"{space}}} else {{"
                    yield from lines_of(one.otherwise, indent + 1)
                yield f"{space}}}"
            case Loop():
                yield f"{space}{one.header()} {{"
                yield from lines_of(one.body, indent + 1)
                yield f"{space}}}"


@dataclass(frozen=True, slots=True)
class Array:
    """`extents` as declared; `kind`: planned local or parameter, or one that stays outside."""

    name: str
    extents: tuple[int, ...]
    kind: str  # local | parameter | outside


@dataclass(frozen=True, slots=True)
class Program:
    """A kernel over the parameter N at `n`, right for all `sizes` of it."""

    name: str
    statements: tuple[Statement, ...]
    arrays: tuple[Array, ...]
    n: int
    sizes: tuple[int, ...]

    def text(self) -> str:
        """The C file; N is a parameter of the function, or a macro where it has one size."""
        given = [_declared(one) for one in self.arrays if one.kind != "local"]
        own = [f"    {_declared(one)};" for one in self.arrays if one.kind == "local"]
        sized = len(self.sizes) > 1
        lines = [
            "" if sized else f"#define N {self.n}",
            f"void {self.name}({', '.join(['int N'] * sized + given) or 'void'})",
            "{",
            *own,
            "#pragma scop",
            *lines_of(self.statements),
            "#pragma endscop",
            "}",
        ]
        return "\n".join(lines) + "\n"


def _declared(array: Array) -> str:
    return f"int {array.name}" + "".join(f"[{extent}]" for extent in array.extents)


def assignments(statements: tuple[Statement, ...]) -> Iterator[Assign]:
    """All assignments in textual order."""
    for one in statements:
        match one:
            case Assign():
                yield one
            case Branch():
                yield from assignments(one.then)
                yield from assignments(one.otherwise)
            case Loop():
                yield from assignments(one.body)


def arrays_named(statements: tuple[Statement, ...]) -> set[str]:
    """The names of all arrays in the text, whether anything reaches them or not."""
    found: set[str] = set()
    pending: list[Value] = []
    for one in assignments(statements):
        pending += [one.target, *one.terms]
    while pending:
        match pending.pop():
            case SourceLocation(array):
                found.add(array)
            case Picked(_, then, otherwise):
                pending += [then, otherwise]
    return found


# Running.


@dataclass(frozen=True, slots=True)
class Instance:
    """One execution of an assignment: its number in textual order, loops around, accesses.

    `time` is [slot, loop, slot, .., slot] of the source: slots are textual positions, loops that
    count down are negated.
    """

    statement: int
    iterators: tuple[int, ...]
    time: Time
    reads: tuple[tuple[str, Element], ...]
    write: tuple[str, Element]


class TooLong(Exception):
    """A program with more instances than anybody wants to enumerate."""


@dataclass(slots=True)
class _Machine:
    """`meanings` are the variables declared in the region that each assignment sees by name."""

    most: int
    instances: list[Instance] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    meanings: dict[int, dict[str, str]] = field(default_factory=dict)


def run(program: Program, n: int, most: int = 400) -> list[Instance]:
    """The instances of a program in the order in which they run. Raises TooLong.

    Variables of different blocks that share a name are v, v_2, .. in textual order.
    """
    machine = _Machine(most)
    for number, one in enumerate(assignments(program.statements)):
        machine.numbers[id(one)] = number
    _name(machine, program.statements, {}, {})
    _block(machine, program.statements, {"N": n}, (), (), [0])
    return machine.instances


def _name(
    machine: _Machine,
    statements: tuple[Statement, ...],
    known: dict[str, str],
    used: dict[str, int],
) -> None:
    """Find out which variable a name means: those of a block end with it."""
    known = dict(known)
    for one in statements:
        match one:
            case Assign():
                if one.declared:
                    name = one.target.array
                    used[name] = used.get(name, 0) + 1
                    known[name] = name if used[name] == 1 else f"{name}_{used[name]}"
                machine.meanings[id(one)] = dict(known)
            case Branch():
                _name(machine, one.then, known, used)
                _name(machine, one.otherwise, known, used)
            case Loop():
                _name(machine, one.body, known, used)


def _block(
    machine: _Machine,
    statements: tuple[Statement, ...],
    env: dict[str, int],
    iterators: tuple[int, ...],
    time: Time,
    slots: list[int],
) -> None:
    """`slots` counts the textual positions of one loop body, branches included."""
    for one in statements:
        match one:
            case Assign():
                _assign(machine, one, env, iterators, (*time, slots[0]))
                slots[0] += 1
            case Branch():
                holds = one.condition.holds(env)
                for taken, part in ((holds, one.then), (not holds, one.otherwise)):
                    if taken:
                        _block(machine, part, env, iterators, time, slots)
                    else:
                        slots[0] += _positions(part)
            case Loop():
                inside = dict(env)
                value = one.first.at(env)
                inside[one.name] = value
                while one.condition.holds(inside):
                    ordered = value if one.step > 0 else -value
                    around = (*time, slots[0], ordered)
                    _block(machine, one.body, inside, (*iterators, value), around, [0])
                    value += one.step
                    inside = {**inside, one.name: value}
                slots[0] += 1


def _positions(statements: tuple[Statement, ...]) -> int:
    """How many slots some statements take."""
    return sum(
        _positions(one.then) + _positions(one.otherwise) if isinstance(one, Branch) else 1
        for one in statements
    )


def _assign(
    machine: _Machine, one: Assign, env: Env, iterators: tuple[int, ...], time: Time
) -> None:
    reads: list[tuple[str, Element]] = []
    if one.operator != "=":
        reads.append(one.target.at(env))
    for term in one.terms:
        _read(term, env, reads)
    number, meant = machine.numbers[id(one)], machine.meanings[id(one)]
    seen = tuple((meant.get(array, array), element) for array, element in reads)
    array, element = one.target.at(env)
    machine.instances.append(
        Instance(number, iterators, time, seen, (meant.get(array, array), element))
    )
    if len(machine.instances) > machine.most:
        raise TooLong


def _read(value: Value, env: Env, reads: list[tuple[str, Element]]) -> None:
    match value:
        case SourceLocation():
            reads.append(value.at(env))
        case Picked():
            _read(value.then if value.condition.holds(env) else value.otherwise, env, reads)
