"""A YAML document as plain values, with the place of every key and every value.

YAML 1.2 as ruamel.yaml reads it (`no` and `N` are texts), composed to nodes and no further,
because nodes know where they stand, even inside a quoted text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hlsmem.core.errors import InputError, Note, Problem, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation, Span
from hlsmem.core.user_files import NotRegularError, read_bytes

KeyPath = tuple[str | int, ...]

_TAG = "tag:yaml.org,2002:"
_PLAIN_TAGS = (f"{_TAG}map", f"{_TAG}seq")
_BASES = {"0x": 16, "0o": 8, "0b": 2}

# No design comes near these. Aliases make a text of ten lines stand for more values than fit
# into any memory, and what reads values calls itself at every level.
_MOST_VALUES = 100_000
_MOST_LEVELS = 30
_MOST_DIGITS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """`value` is made of dict (text keys), list, str, int, float, bool and None.

    `values` and `keys` hold the spans of values and of mapping keys by their path.
    """

    file: str
    text: str
    value: Any
    values: Mapping[KeyPath, Span]
    keys: Mapping[KeyPath, Span]

    def get(self, *path: str | int) -> Any:
        """The value at `path`; None where there is none."""
        found = self.value
        for step in path:
            inside = isinstance(found, dict) and step in found
            inside = inside or (isinstance(found, list) and step in range(len(found)))
            if not inside:
                return None
            found = found[step]
        return found

    def span(self, *path: str | int) -> Span:
        """The stretch of the value at `path`, or of the nearest value around it."""
        while path not in self.values and path:
            path = path[:-1]
        return self.values[path]

    def place(self, *path: str | int) -> SourceLocation:
        """The place of the value at `path`, or of the nearest key around it."""
        return self.values[path].place() if path in self.values else self.key_place(*path[:-1])

    def key_place(self, *path: str | int) -> SourceLocation:
        """The place of the key that ends `path`, or of the nearest key around it."""
        while path and path not in self.keys and path not in self.values:
            path = path[:-1]
        if path in self.keys:
            return self.keys[path].place()
        return self.values[path].place()


def with_names(document: Document, new: Mapping[str, str]) -> Document:
    """`document` with other keys in `arrays`, which keep their places.

    >>> read = read_document("arrays: {a: {}}", "d.yaml")
    >>> with_names(read, {"a": "b"}).key_place("arrays", "b").column
    10
    """

    def moved(path: KeyPath) -> KeyPath:
        if len(path) < 2 or path[0] != "arrays":
            return path
        return ("arrays", new.get(str(path[1]), path[1]), *path[2:])

    own = document.get("arrays")
    value = {new.get(name, name): keys for name, keys in own.items()} if own else own
    return replace(
        document,
        value=document.value | {"arrays": value},
        values={moved(path): span for path, span in document.values.items()},
        keys={moved(path): span for path, span in document.keys.items()},
    )


def read_file(path: Path, name: str | None = None) -> str:
    """The text of a file, unchanged; raises InputError where there is no readable text.

    Places in it have its `name`, by default that within its folder.
    """
    try:
        content = read_bytes(path)
    except FileNotFoundError:
        raise _file_error(f"there is no file {str(path)!r}", "check the name") from None
    except NotRegularError as error:
        remedy = "name a file in it" if path.is_dir() else "name a file"
        raise _file_error(f"{str(path)!r} {error.strerror}", remedy) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise _file_error(f"cannot read {str(path)!r}: {reason}", "check the file") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", errors="replace")
        source_location = SourceLocation(
            file=name or path.name,
            line=before.count("\n") + 1,
            column=len(before) - before.rfind("\n"),
        )
        problem = Problem("the file is not UTF-8 text", "save it as UTF-8", source_location)
        raise InputError(problem) from None


@lru_cache(4)  # each order of a program is planned from the document anew
def read_document(text: str, file: str, *, numbered: bool = True) -> Document:
    """The document in `text`; raises InputError with all duplicate keys, or the syntax error.

    `numbered` is False for a text that stands in no file: places then name only `file`. What the
    document holds must not be changed.
    """
    whole = Span(file=file, source=text, start=0, end=len(text), numbered=numbered)
    return _read(text, whole)


def override(document: Document, setting: str, option: str) -> Document:
    """`document` with the value at a dotted key replaced or added.

    `setting` is KEY=VALUE with VALUE in YAML; `option` is what messages call it, such as
    "--set plan.strict=true". Raises InputError for bad YAML or a key inside of a text.
    """
    key, equals, value = setting.partition("=")
    steps = [step.strip() for step in key.split(".")]
    if not equals or not all(steps):
        problem = Problem(f"{option}: not KEY=VALUE", "write it like --set plan.strict=true")
        raise InputError(problem)
    whole = Span(file=option, source=setting, start=len(key) + 1, end=len(setting), numbered=False)
    part = _read(value, whole)
    path, content = _replaced(document.value, steps, part.value, option)
    name = replace(whole, start=0, end=len(key))
    kept_values = {p: s for p, s in document.values.items() if p[: len(path)] != path}
    kept_keys = {p: s for p, s in document.keys.items() if p[: len(path)] != path}
    made = {path[:n]: name for n in range(1, len(path)) if path[:n] not in kept_values}
    return replace(
        document,
        value=content,
        values=kept_values | made | {path + p: s for p, s in part.values.items()},
        keys=kept_keys | made | {path: name} | {path + p: s for p, s in part.keys.items()},
    )


def shown(value: Any) -> str:
    """A value as messages show it: as YAML writes it, with the kind alone for what is long."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list" if value else "an empty list"
    return repr(value) if isinstance(value, str) else str(value).lower()


def _replaced(content: Any, steps: list[str], value: Any, option: str) -> tuple[KeyPath, Any]:
    """The path that `steps` name in `content`, and a copy of `content` with `value` there."""
    if not steps:
        return (), value
    first, rest = steps[0], steps[1:]
    if isinstance(content, list) and first.isdigit() and int(first) < len(content):
        position = int(first)
        path, inner = _replaced(content[position], rest, value, option)
        return (position, *path), [*content[:position], inner, *content[position + 1 :]]
    if content is not None and not isinstance(content, dict):
        kind = "a list" if isinstance(content, list) else "a single value"
        problem = Problem(f"{option}: there is no key {first!r} in {kind}", "check the key")
        raise InputError(problem)
    inside = content or {}
    path, inner = _replaced(inside.get(first), rest, value, option)
    return (first, *path), {**inside, first: inner}


def _read(text: str, whole: Span) -> Document:
    import ruamel.yaml
    from ruamel.yaml.composer import Composer
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    class Bounded(Composer):
        """Composes no more than anybody needs: a value takes a hundred times its text."""

        values = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            self.values += 1
            if self.values > 2 * _MOST_VALUES:  # with the keys
                mark = self.parser.peek_event().start_mark
                at = whole.start + mark.index
                raise InputError(_too_many(replace(whole, start=at, end=at + 1)))
            return super().compose_node(parent, index)

    yaml = ruamel.yaml.YAML(typ="safe", pure=True)
    yaml.Composer = Bounded
    try:
        root = yaml.compose(text)
        reader = _Reader(whole)
        value = reader.read(root, ()) if root is not None else None
    except MarkedYAMLError as error:
        raise InputError(_syntax_problem(error, whole)) from None
    except YAMLError as error:
        at = replace(whole, offsets=None).place()
        reason = str(error).splitlines()[0]
        raise InputError(_not_yaml(reason, at)) from None
    except RecursionError:
        what, remedy = "values nested too deeply", "check the brackets"
        raise InputError(Problem(what, remedy, whole.place())) from None
    reader.problems.raise_if_any()
    first = replace(whole, end=min(whole.start + 1, whole.end))
    values = {(): first} | reader.values  # an empty document has no node
    return Document(
        file=whole.file, text=whole.source, value=value, values=values, keys=reader.keys
    )


def _syntax_problem(error: Any, whole: Span) -> Problem:
    mark = error.problem_mark or error.context_mark
    reason = _reason(error)
    if mark is None:
        return _not_yaml(reason, whole.place())
    position = min(whole.start + mark.index, max(len(whole.source) - 1, 0))
    at = replace(whole, start=position, end=position + 1).place()
    return _not_yaml(reason, at)


def _reason(error: Any) -> str:
    """The message of ruamel.yaml, its context included where the sentence begins there."""
    problem, context = str(error.problem or ""), str(error.context or "")
    if problem.startswith("but "):
        return f"{context}, {problem}"
    return problem or context or "unknown syntax"


def _not_yaml(reason: str, source_location: SourceLocation) -> Problem:
    remedy = "check indentation, brackets and quotes; isl text needs quotes around it"
    if "'\\t'" in reason:
        remedy = "indent with blanks, not with tabs"
    elif "undefined alias" in reason:
        remedy = "put quotes around a text that begins with *"
    return Problem(f"not valid YAML: {reason}", remedy, source_location)


def _too_many(span: Span) -> Problem:
    what = f"more than {_MOST_VALUES:,} values, those that aliases repeat counted again"
    return Problem(what, "write fewer values or aliases", span.place())


def _file_error(what: str, remedy: str) -> InputError:
    return InputError(Problem(what, remedy))


class _Reader:
    """Turns nodes into plain values and notes where each stands."""

    def __init__(self, whole: Span) -> None:
        self.whole = whole
        self.problems = Problems()
        self.values: dict[KeyPath, Span] = {}
        self.keys: dict[KeyPath, Span] = {}

    def read(self, node: Any, path: KeyPath) -> Any:
        self.within_limits(node, path)
        self.values[path] = self.span(node)
        content = node.value
        if node.id != "scalar" and node.tag not in _PLAIN_TAGS:
            self.refuse_tag(node)
        if node.id == "mapping":
            return self.mapping(content, path)
        if node.id == "sequence":
            return [self.read(item, (*path, position)) for position, item in enumerate(content)]
        return self.scalar(node)

    def within_limits(self, node: Any, path: KeyPath) -> None:
        """Raise InputError where aliases or brackets make more of a document than anybody needs."""
        if len(path) > _MOST_LEVELS:
            what = f"values nested more than {_MOST_LEVELS} levels deep, or inside of themselves"
            remedy = "check the brackets and aliases"
            raise InputError(Problem(what, remedy, self.span(node).place()))
        if len(self.values) >= _MOST_VALUES:
            raise InputError(_too_many(self.span(node)))

    def mapping(self, pairs: list[tuple[Any, Any]], path: KeyPath) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, item in pairs:
            span = self.span(key)
            if key.id != "scalar":
                self.problems.add("a key must be a name", "write it as NAME: VALUE", span.place())
                continue
            below = (*path, key.value)
            if key.value in found:
                first = Note("first written here", self.keys[below].place())
                remedy = "keep one of the two"
                self.problems.add(
                    f"key {key.value!r} stands here twice", remedy, span.place(), [first]
                )
                continue
            self.keys[below] = span
            found[key.value] = self.read(item, below)
        return found

    def scalar(self, node: Any) -> Any:
        kind, text = node.tag.removeprefix(_TAG), node.value
        match kind:
            case "str" | "timestamp" | "merge" | "value":
                return text
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "int" | "float":
                return self.number(node, kind, text)
        self.refuse_tag(node)
        return None

    def refuse_tag(self, node: Any) -> None:
        what = f"the tag {node.tag!r} means nothing here"
        self.problems.add(what, "remove it", self.span(node).place())

    def number(self, node: Any, kind: str, text: str) -> float | None:
        """The value of an integer or a float; a tag may say so of any text."""
        if len(text) > _MOST_DIGITS:
            what = f"a number of {len(text)} characters"
            self.problems.add(what, f"write at most {_MOST_DIGITS}", self.span(node).place())
            return None
        try:
            return _integer(text) if kind == "int" else _float(text)
        except ValueError:
            what = f"{text!r} is no number, as the tag {node.tag!r} says"
            self.problems.add(what, "remove the tag", self.span(node).place())
            return None

    def span(self, node: Any) -> Span:
        start, end = node.start_mark.index, node.end_mark.index
        base = self.whole.start
        text = self.whole.source[base + start : base + end]
        end -= len(text) - len(text.rstrip())
        offsets = None
        if node.id == "scalar":
            offsets = _offsets(node.value, text.rstrip(), base + start, node.style)
        return replace(self.whole, start=base + start, end=base + end, offsets=offsets)


def _integer(text: str) -> int:
    digits = text.replace("_", "").lower()
    base = _BASES.get(digits.lstrip("+-")[:2], 10)
    return int(digits, base)


def _float(text: str) -> float:
    return float(text.replace("_", "").replace(".inf", "inf").replace(".nan", "nan"))


def _offsets(value: str, source: str, start: int, style: str | None) -> tuple[int, ...] | None:
    """Position in the file of each character of `value`, or None where escapes hide it.

    Folding only changes blanks: the n-th other character of the value is the n-th of the
    source, quotes and the header of a block text left out.
    """
    skip = source.find("\n") + 1 if style in ("|", ">") else (1 if style else 0)
    inner = source[skip : len(source) - 1] if style in ("'", '"') else source[skip:]
    if inner == value and not value[:1].isspace():
        return tuple(range(start + skip, start + skip + len(value)))
    if "".join(inner.split()) != "".join(value.split()):
        return None
    marks = [start + skip + i for i, letter in enumerate(inner) if not letter.isspace()]
    found, last, following = [], start + skip, iter(marks)
    for letter in value:
        last = last + 1 if letter.isspace() else next(following)
        found.append(last)
    return tuple(found)
