"""The functions that a text of C or C++ defines, and which of them pragmas mark as the top.

Only words and brackets count, before any preprocessor and for every dialect alike. Of
alternatives under `#if` all are seen, but what stands under `#if 0`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from hlsmem.core.lazy_dataclass import dataclass

_TOKEN = re.compile(
    r"""(?P<blank>\s+|//(?:[^\n\\]|\\.)*|/\*.*?(?:\*/|\Z))
    |(?P<directive>\#(?:[^\n\\]|\\.)*)
    |(?P<text>R"(?P<raw>[^()\s\\]*)\(.*?(?:\)(?P=raw)"|\Z)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<word>[A-Za-z_]\w*)
    |(?P<sign>::|.)""",
    re.DOTALL | re.VERBOSE,
)
_DIRECTIVE = re.compile(r"#\s*(\w+)\s*(.*)", re.DOTALL)
# SmartHLS and Vitis have it in the body, Catapult in front of the function, or of its class.
_TOP = re.compile(
    r"#[ \t]*pragma[ \t]+(?:HLS[ \t]+(?:function[ \t]+)?top|hls_(?:design[ \t]+)?top)\b",
    re.IGNORECASE,
)
_INTERFACE = re.compile(r"#[ \t]*pragma[ \t]+hls_design[ \t]+interface\b", re.IGNORECASE)
_CLASSES = ("class", "struct", "union")
_NO_NAMES = ("alignas", "__attribute__", "__declspec", "decltype", "noexcept", "throw")


@dataclass(frozen=True, slots=True)
class Outline:
    """The names of functions with a body, in their order, and the marks by name.

    A name has its namespaces and classes, as `ns::f`; a mark is the offset of its pragma.
    """

    functions: tuple[str, ...]
    marks: dict[str, int]

    def defines(self, name: str) -> bool:
        """True if a function has this name, or ends in it.

        >>> outline_of("namespace a { void f() {} }").defines("f")
        True
        """
        return has_name(self.functions, name)


@dataclass(frozen=True, slots=True)
class _Scope:
    """A namespace or class ("names"), a function, or a block of another kind."""

    kind: str
    name: str = ""


@dataclass(slots=True)
class _Position:
    """The scopes around a token, and the tokens since the last statement ended."""

    scopes: list[_Scope] = field(default_factory=list)
    head: list[str] = field(default_factory=list)

    def copy(self) -> _Position:
        return _Position([*self.scopes], [*self.head])


def has_name(functions: Iterable[str], name: str) -> bool:
    """True if one of some functions has this name, or ends in it.

    >>> has_name(["ns::f"], "f"), has_name(["ns::f"], "s::f")
    (True, False)
    """
    return any(one == name or one.endswith(f"::{name}") for one in functions)


def is_marked(text: str) -> bool:
    """True if a pragma may mark a top.

    >>> is_marked("#pragma hls_design top"), is_marked("#pragma HLS pipeline")
    (True, False)
    """
    return _TOP.search(text) is not None


def outline_of(text: str) -> Outline:
    """The functions of a text and the pragmas that mark some.

    >>> outline_of("int g(int x) { return x; }\\nvoid f() {\\n#pragma HLS top\\n}")
    Outline(functions=('g', 'f'), marks={'f': 38})
    """
    scan = _Scan()
    for kind, token, offset in _tokens(text):
        scan.take(kind, token, offset)
    return Outline(tuple(dict.fromkeys(scan.functions)), scan.marks)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """The tokens but blanks and comments, each with its kind and offset."""
    for found in _TOKEN.finditer(text):
        kind = "text" if found.lastgroup == "raw" else str(found.lastgroup)
        if kind != "blank":
            yield kind, found[0], found.start()


class _Scan:
    """Takes tokens one by one."""

    def __init__(self) -> None:
        self.at = _Position()
        self.choices: list[_Position] = []  # at each #if around, where its alternatives begin
        self.left_out = 0  # of the levels of #if, those at and below one with 0
        self.waiting: int | None = None  # a mark in front of its function
        self.in_class: int | None = None  # one in front of the class of it
        self.functions: list[str] = []
        self.marks: dict[str, int] = {}

    def take(self, kind: str, token: str, offset: int) -> None:
        if kind == "directive":
            self.directive(token, offset)
        elif self.left_out:
            return
        elif token == "{" and kind == "sign":
            self.open()
        elif token in ("}", ";") and kind == "sign":
            self.close(token)
        else:
            self.at.head.append(token if kind != "text" else '""')

    def directive(self, text: str, offset: int) -> None:
        found = _DIRECTIVE.match(text)
        word, rest = (found[1], found[2]) if found else ("", "")
        if word in ("if", "ifdef", "ifndef"):
            self.choices.append(self.at.copy())
            if self.left_out or (word == "if" and rest.split() == ["0"]):
                self.left_out += 1
        elif word in ("else", "elif") and self.choices:
            self.at = self.choices[-1].copy()
            self.left_out -= self.left_out == 1
        elif word == "endif" and self.choices:
            self.choices.pop()
            self.left_out -= self.left_out > 0
        elif self.left_out:
            return
        elif _TOP.match(text):
            self.mark(offset)
        elif self.in_class is not None and _INTERFACE.match(text):
            self.waiting, self.in_class = self.in_class, None

    def mark(self, offset: int) -> None:
        """A pragma in a function marks it, one in front of a function that."""
        around = [one.name for one in self.at.scopes if one.kind == "function"]
        if around:
            self.marks.setdefault(around[0], offset)
        else:
            self.waiting = offset

    def open(self) -> None:
        at = self.at
        scope = _scope_of(at.head, at.scopes)
        at.scopes.append(scope)
        at.head.clear()
        if scope.kind == "function":
            self.functions.append(scope.name)
            self.named(scope.name)
        elif scope.kind == "names" and self.waiting is not None:
            self.waiting, self.in_class = None, self.waiting

    def close(self, token: str) -> None:
        at = self.at
        if token == ";" and self.waiting is not None and _are_open(at.scopes):
            name = _function_of(at.head)
            if name:  # in front of a declaration
                self.named(_full(name, at.scopes))
        at.head.clear()
        if token == "}" and at.scopes:
            at.scopes.pop()

    def named(self, name: str) -> None:
        if self.waiting is not None:
            self.marks.setdefault(name, self.waiting)
            self.waiting = None


def _are_open(scopes: Sequence[_Scope]) -> bool:
    """True if functions may be defined here."""
    return all(one.kind == "names" for one in scopes)


def _full(name: str, scopes: Sequence[_Scope]) -> str:
    return "::".join([*(one.name for one in scopes if one.name), name])


def _scope_of(head: Sequence[str], scopes: Sequence[_Scope]) -> _Scope:
    """The scope that a brace opens behind some tokens."""
    if not _are_open(scopes):
        return _Scope("block")
    if not head or head == ["extern", '""']:
        return _Scope("names") if head else _Scope("block")
    if "namespace" in head:
        return _Scope("names", "".join(head[head.index("namespace") + 1 :]))
    name = _function_of(head)
    if name:
        return _Scope("function", _full(name, scopes))
    own = _without_templates(head)
    known = [k for k, word in enumerate(own) if word in _CLASSES]
    if known and "=" not in own:
        words = [one for one in own[known[-1] + 1 :] if re.match(r"[A-Za-z_]", one)]
        return _Scope("names", words[0] if words else "")
    return _Scope("block")


def _function_of(head: Sequence[str]) -> str:
    """The name of the function that some tokens declare; empty where they declare none."""
    own = _without_templates(head)
    for position, token in enumerate(own):
        if token == "=":
            return ""
        if token != "(" or not position:
            continue
        name, at = "", position
        while at and (re.match(r"[A-Za-z_]|::$", own[at - 1])):
            joins = own[at - 1] == "::" or name.startswith("::") or not name
            if not joins:
                break
            name, at = own[at - 1] + name, at - 1
        if own[position + 2 : position + 4] == [")", "("]:  # CCS_BLOCK(name)(..)
            return own[position + 1]
        return name if at else ""  # a name alone is a macro
    return ""


def _without_templates(head: Sequence[str]) -> list[str]:
    """Tokens without what stands in angle brackets, and without attributes and their brackets."""
    found, depth, attribute = list[str](), 0, 0
    for position, token in enumerate(head):
        if attribute or (token == "(" and position and head[position - 1] in _NO_NAMES):
            attribute += (token == "(") - (token == ")")
        elif token == "<":
            depth += 1
        elif token == ">" and depth:
            depth -= 1
        elif not depth and token not in ("template", *_NO_NAMES):
            found.append(token)
    return found
