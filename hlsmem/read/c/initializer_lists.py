"""Lists in braces: the numbers inside of an object that an initialiser names (C99 6.7.8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import c_ast
from hlsmem.read.c.symbols import Scope, Shape, constant_integer

Step = int | str
SourceLocation = tuple[Step, ...]
"""The way to a number: subscripts and names of members as they stand behind the object."""


class UnknownValueError(Exception):
    """An initialiser whose places or values are not known here."""


class UnfitListError(UnknownValueError):
    """An initialiser that is wrong at `node`: `why` continues a sentence about it."""

    def __init__(self, node: Any, why: str, remedy: str) -> None:
        super().__init__(why)
        self.node, self.why, self.remedy = node, why, remedy


@dataclass(frozen=True, slots=True)
class Layout:
    """A type by its numbers: extents (None: not known) around a number, or around `members`."""

    extents: tuple[int | None, ...] = ()
    members: tuple[tuple[str, Layout], ...] = ()

    @property
    def is_number(self) -> bool:
        return not self.extents and not self.members

    @property
    def size(self) -> int | None:
        """Number of its parts: elements, or members."""
        return self.extents[0] if self.extents else len(self.members)

    @property
    def numbers(self) -> int | None:
        """Number of scalars in all; None where that is not known."""
        inner = [one.numbers for _, one in self.members] or [1]
        known = [one for one in (*self.extents, sum(one or 0 for one in inner)) if one is not None]
        return None if None in inner or None in self.extents else prod(known)

    def part(self, step: Step) -> Layout:
        """The type of an element, or of a member."""
        if self.extents:
            return replace(self, extents=self.extents[1:])
        return dict(self.members)[str(step)]

    def step(self, position: int) -> Step:
        """The subscript, or the name of the member, at a position."""
        return position if self.extents else self.members[position][0]


def layout_of(shape: Shape, scope: Scope) -> Layout:
    extents = [None if one is None else constant_integer(one, scope) for one in shape.extents]
    members = tuple((name, layout_of(member, scope)) for name, member in shape.members)
    return Layout(tuple(extents), members)


def values_in(node: Any, layout: Layout, scope: Scope) -> dict[SourceLocation, Any]:
    """The values that an initialiser names, by place, in its order; all other places get 0.

    Raises UnknownValueError.
    """
    values = _Values(scope)
    values.whole(node, layout, ())
    return values.found


def first_extent(values: Iterable[SourceLocation]) -> int:
    """The extent that a list gives to an array whose first one is not declared."""
    return 1 + max((at[0] for at in values if at and isinstance(at[0], int)), default=-1)


class _Values:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.found: dict[SourceLocation, Any] = {}

    def whole(self, node: Any, layout: Layout, at: SourceLocation) -> None:
        """An object and all that initialises it: a number, or a list in braces."""
        # The last one counts, and leaves nothing of those before.
        for place in [one for one in self.found if one[: len(at)] == at]:
            del self.found[place]
        if layout.is_number:
            while isinstance(node, c_ast.InitList):
                if len(node.exprs or []) != 1:
                    raise UnknownValueError
                node = node.exprs[0]
            self.found[at] = node
            return
        if not isinstance(node, c_ast.InitList):
            raise UnknownValueError
        items = list(node.exprs or [])
        position = 0
        while items:
            item = items.pop(0)
            if isinstance(item, c_ast.NamedInitializer):
                position, own = self.named(item.name[0], layout)
                steps, inner = [layout.step(position)], layout.part(layout.step(position))
                for one in item.name[1:]:
                    within, _ = self.named(one, inner)
                    steps.append(inner.step(within))
                    inner = inner.part(steps[-1])
                self.whole(item.expr, inner, (*at, *steps))
                is_last = not items or isinstance(items[0], c_ast.NamedInitializer)
                if own is not item.name[-1] and not is_last:
                    raise UnknownValueError  # what follows stands inside of what is named
            else:
                if layout.size is not None and position >= layout.size:
                    raise UnfitListError(
                        item,
                        f"is more than the {layout.size} {_parts(layout)} there are",
                        "leave it out, or make room for it",
                    )
                self.part(item, items, layout, at, position)
            position += 1

    def part(
        self, item: Any, items: list[Any], layout: Layout, at: SourceLocation, position: int
    ) -> None:
        """A part of an object; without braces it takes of `items` what it has numbers."""
        step = layout.step(position)
        inner = layout.part(step)
        if inner.is_number or isinstance(item, c_ast.InitList):
            self.whole(item, inner, (*at, step))
            return
        if inner.size is None or not _is_number(item, inner):
            raise UnknownValueError
        for within in range(inner.size):
            if within:
                if not items or isinstance(items[0], c_ast.NamedInitializer):
                    return
                item = items.pop(0)
            self.part(item, items, inner, (*at, step), within)

    def named(self, designator: Any, layout: Layout) -> tuple[int, Any]:
        """The position of the part that `[2]` or `.re` names, and the designator."""
        if not layout.extents:
            names = [name for name, _ in layout.members]
            name = getattr(designator, "name", None)
            if name not in names:
                raise UnfitListError(designator, "is no member", "name one of the struct")
            return names.index(name), designator
        position = constant_integer(designator.expr, self.scope)
        if position is None or position < 0:
            raise UnknownValueError
        if layout.size is not None and position >= layout.size:
            why = f"is behind the {layout.size} {_parts(layout)} there are"
            raise UnfitListError(designator, why, "correct it, or make room for it")
        return position, designator


def _parts(layout: Layout) -> str:
    noun = "element" if layout.extents else "member"
    return noun if layout.size == 1 else f"{noun}s"


def _is_number(node: Any, layout: Layout) -> bool:
    """True if an item without braces is the first number of a part, not all of it."""
    if isinstance(node, c_ast.Constant) and node.type == "string":
        return False
    if layout.members:  # else it may be a struct
        return isinstance(node, (c_ast.Constant, c_ast.BinaryOp)) or (
            isinstance(node, c_ast.UnaryOp) and node.op in ("-", "+", "~", "!")
        )
    return True


def elements_of(
    node: Any, extents: Sequence[int | None], scope: Scope
) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The elements of an array of numbers that an initialiser names. Raises UnknownValueError."""
    for at, value in values_in(node, Layout(tuple(extents)), scope).items():
        yield tuple(one for one in at if isinstance(one, int)), value
