"""Statements of the functions of a file as its text has them: loops, branches, blocks, labels.

Macros are not expanded: what they hide is part of the statement that names them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.source_edits.source_tokens import Token, closing, code, tokens


@dataclass(frozen=True, slots=True)
class Counted:
    """The header of a loop whose variable steps by 1 from `lower`, below or up to `upper`.

    Both are bytes of the text; `is_inclusive`: `upper` is a value of the variable. `kind` is the
    type in front of the variable, empty where it is declared elsewhere.
    """

    variable: str
    kind: str
    lower: tuple[int, int]
    upper: tuple[int, int]
    is_inclusive: bool


@dataclass(frozen=True, slots=True)
class Plain:
    """A statement without others in it, a directive too, at bytes [start, stop)."""

    start: int
    stop: int
    is_directive: bool = False


@dataclass(frozen=True, slots=True)
class Compound:
    """Statements in braces, which stand at `start` and `stop` - 1."""

    start: int
    stop: int
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """A `for` with its body; `head` is where its closing parenthesis ends.

    `own` is where the word `for` stands, behind the label that `start` may be at. `counted` is None
    where the header is of another form. `directives` stand between header and body.
    """

    start: int
    stop: int
    own: int
    head: int
    counted: Counted | None
    directives: tuple[Plain, ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Other:
    """An if, a while, a do, a switch, a labelled statement: what it has inside, in the text's
    order."""

    start: int
    stop: int
    word: str
    children: tuple[Node, ...]


Node = Plain | Compound | Loop | Other


def children_of(node: Node) -> tuple[Node, ...]:
    """The statements inside of a statement."""
    match node:
        case Plain():
            return ()
        case Loop(directives=directives, body=body):
            return (*directives, body)
        case Compound(children=children) | Other(children=children):
            return children


def around(roots: Sequence[Node], at: int) -> tuple[Node, ...]:
    """The statements around a byte, outermost first."""
    found: list[Node] = []
    level: Sequence[Node] = roots
    while (inner := next((one for one in level if one.start <= at < one.stop), None)) is not None:
        found.append(inner)
        level = children_of(inner)
    return tuple(found)


def walk(node: Node) -> Iterator[Node]:
    """A statement and all inside of it."""
    yield node
    for one in children_of(node):
        yield from walk(one)


def statements_of(body: Node) -> tuple[Node, ...]:
    """The statements of a body, without directives."""
    every = body.children if isinstance(body, Compound) else (body,)
    return tuple(one for one in every if not (isinstance(one, Plain) and one.is_directive))


class _UnreadError(ValueError):
    """A text of another form than C has."""


def functions(text: str) -> tuple[Compound, ...]:
    """The bodies of the functions of a file, those of methods too; none where it is not read.

    >>> text = "void f(int a[4]) { for (int i = 0; i < 4; i++) a[i] = i; }"
    >>> (body,) = functions(text)
    >>> [type(one).__name__ for one in walk(body)]
    ['Compound', 'Loop', 'Plain']
    """
    reader = _Reader(text)
    try:
        return tuple(reader.bodies(0, len(reader.found)))
    except (_UnreadError, IndexError):
        return ()


class _Reader:
    """The tokens of a file, without comments; `at` is the next one of a function's body."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: tuple[Token, ...] = code(tokens(text))
        self.at = 0

    def bodies(self, first: int, stop: int) -> Iterator[Compound]:
        """The bodies between two tokens at the level of a file, a class or a namespace."""
        at = first
        while at < stop:
            one = self.found[at]
            if one.kind == "sign" and one.text == "{":
                last = self._closing(at)
                if self._is_body(at):
                    self.at = at
                    yield self._compound()
                else:
                    yield from self.bodies(at + 1, last)
                at = last
            elif one.kind == "sign" and one.text in "([":
                at = self._closing(at)
            at += 1

    def _is_body(self, at: int) -> bool:
        """True for braces behind the parameters of a function, and words such as const."""
        at -= 1
        while at >= 0 and self.found[at].text in ("const", "noexcept", "override", "final"):
            at -= 1
        return at >= 0 and self.found[at].text == ")"

    def _closing(self, at: int) -> int:
        found = closing(self.found, at)
        if found is None:
            raise _UnreadError
        return found

    def _compound(self) -> Compound:
        start, last = self.found[self.at].start, self._closing(self.at)
        self.at += 1
        children = []
        while self.at < last:
            children.append(self._statement())
        self.at = last + 1
        return Compound(start, self.found[last].stop, tuple(children))

    def _statement(self) -> Node:
        one = self.found[self.at]
        if one.kind == "directive":
            self.at += 1
            return Plain(one.start, one.stop, is_directive=True)
        match one.text:
            case "{":
                return self._compound()
            case "for":
                return self._loop(one.start)
            case "if" | "while" | "switch":
                return self._headed(one)
            case "do":
                return self._do(one)
        if one.kind == "word" and self._next_is(":") and one.text not in ("default", "public"):
            self.at += 2
            return self._labelled(one)
        return self._plain(one)

    def _next_is(self, sign: str) -> bool:
        return self.at + 1 < len(self.found) and self.found[self.at + 1].text == sign

    def _labelled(self, label: Token) -> Node:
        directives = self._directives()
        inner = self._statement()
        if isinstance(inner, Loop) and not directives:
            return Loop(
                label.start,
                *(inner.stop, inner.own, inner.head, inner.counted, inner.directives, inner.body),
            )
        return Other(label.start, inner.stop, "label", (*directives, inner))

    def _directives(self) -> tuple[Plain, ...]:
        found = []
        while self.found[self.at].kind == "directive":
            one = self.found[self.at]
            found.append(Plain(one.start, one.stop, is_directive=True))
            self.at += 1
        return tuple(found)

    def _loop(self, start: int) -> Loop:
        own, opening = self.found[self.at].start, self.at + 1
        last = self._closing(opening)
        counted = self._counted(opening + 1, last)
        self.at = last + 1
        directives = self._directives()
        body = self._statement()
        return Loop(start, body.stop, own, self.found[last].stop, counted, directives, body)

    def _headed(self, word: Token) -> Other:
        self.at += 1
        if self.found[self.at].text == "constexpr":
            self.at += 1
        self.at = self._closing(self.at) + 1
        children: list[Node] = [*self._directives(), self._statement()]
        if word.text == "if" and self.at < len(self.found) and self.found[self.at].text == "else":
            self.at += 1
            children += [*self._directives(), self._statement()]
        return Other(word.start, children[-1].stop, word.text, tuple(children))

    def _do(self, word: Token) -> Other:
        self.at += 1
        body = self._statement()
        self.at = self._closing(self.at + 1) + 1  # while ( .. )
        stop = self.found[self.at].stop
        self.at += 1
        return Other(word.start, stop, "do", (body,))

    def _plain(self, first: Token) -> Plain:
        ends = ";" if first.text not in ("case", "default") else ":"
        while self.found[self.at].text != ends:
            if self.found[self.at].text in ("(", "[", "{"):
                self.at = self._closing(self.at)
            elif self.found[self.at].text == "}" or self.found[self.at].kind == "directive":
                raise _UnreadError
            self.at += 1
        self.at += 1
        return Plain(first.start, self.found[self.at - 1].stop)

    def _counted(self, first: int, last: int) -> Counted | None:
        """A header between its parentheses, of a form like `int i = 0; i < N; i++`."""
        parts = [list[Token]()]
        for one in self.found[first:last]:
            if one.text == ";":
                parts.append([])
            else:
                parts[-1].append(one)
        if len(parts) != 3 or not all(parts):
            return None
        start, test, step = parts
        equal = next((k for k, one in enumerate(start) if one.text == "="), 0)
        name = start[equal - 1]
        has_step = sorted(one.text for one in step) == sorted((name.text, "++")) or [
            one.text for one in step
        ] == [name.text, "+=", "1"]
        is_plain = equal and name.kind == "word" and "," not in [one.text for one in start]
        is_test = len(test) > 2 and test[0].text == name.text and test[1].text in ("<", "<=", "!=")
        if not (is_plain and is_test and has_step) or len(start) < equal + 2:
            return None
        return Counted(
            name.text,
            self.text[start[0].start : name.start].strip(),
            (start[equal + 1].start, start[-1].stop),
            (test[2].start, test[-1].stop),
            test[1].text == "<=",
        )
