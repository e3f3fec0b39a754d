"""Slices of numbers of more than 64 bits, concatenations to such, and assignments limb by limb."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_integers import cut, literal, masked, operation
from hlsmem.read.c.clang.exact_values import NotExact, Value, as_typed
from hlsmem.read.c.clang.linear_indices import Index, constant_index, is_pure, linear_form
from hlsmem.read.c.clang.slice_masks import bits_type, with_bits_at, with_bits_from
from hlsmem.read.c.clang.types_in_c import LIMB, limbs_in, literal_number
from hlsmem.read.c.clang.wide_words import (
    bits_from,
    either,
    is_word,
    limb,
    limb_from,
    word,
)
from hlsmem.read.c.tree import INT, UNSIGNED_LONG, Number, SourceRange


def slice_of_word(number: Value, bits: int, low: Index) -> Value:
    """Return some bits of a word from index `low` on."""
    first = constant_index(low)
    if first is not None:
        return bits_from(number, first, bits_type(bits))
    if not is_word(number) or bits > LIMB or isinstance(low, int):
        raise _crossing(bits)
    one, place_in_limb = _limb_at(number.node, bits, low)
    place = number.node.place
    moved = one if place_in_limb == 0 else operation(">>", one, _node(place_in_limb, place), place)
    to = bits_type(bits)
    return as_typed(Value(masked(moved, bits), to, 0, to.greatest))


def _crossing(bits: int) -> NotExact:
    what = f"names {bits} bits of a wide word at a variable place that may cross two limbs of 64"
    return NotExact(
        what, "take bits at multiples of their number, such as x.range(8 * i + 7, 8 * i)"
    )


def _limb_at(
    node: tree.Expression, bits: int, low: tree.Expression
) -> tuple[tree.Expression, Index]:
    """Return the limb that has bits at a variable index, and their place in it.

    They are in one limb for all values of the names where they are in a part of it that begins at
    the same bits always.
    """
    form = linear_form(low)
    step = gcd(LIMB, *(factor for name, factor in form.items() if name))
    start = form.get("", 0) % step
    if start + bits > step:
        raise _crossing(bits)
    place = node.place
    index = _over_limbs(low)
    if index is None:
        index = operation("/", low, literal(LIMB, INT, place), place)
    found = tree.ArrayRef(node, index, UNSIGNED_LONG, place)
    return found, start if step == LIMB else operation("%", low, literal(LIMB, INT, place), place)


def _over_limbs(node: tree.Expression) -> tree.Expression | None:
    """Return an index divided by 64 where that needs no division: of 64 * i + 8 it is i."""
    number, place = literal_number(node), node.place
    if number is not None:
        return literal(number // LIMB, INT, place)
    match node:
        case tree.BinaryOp(op="+", right=tree.Constant()):
            form = linear_form(node.left)
            left = _over_limbs(node.left)
            if left is None or form.get("", 0) % LIMB:
                return None
            more = _over_limbs(node.right)
            is_none = more is None or literal_number(more) == 0
            return left if is_none else tree.BinaryOp("+", left, more, node.type, place)  # type: ignore[arg-type]
        case tree.BinaryOp(op="*"):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                factor = literal_number(other)
                if factor is not None and factor % LIMB == 0:
                    by = literal(factor // LIMB, INT, place)
                    same = factor == LIMB
                    return one if same else tree.BinaryOp("*", one, by, node.type, place)
    return None


def _node(index: Index, place: SourceRange) -> tree.Expression:
    return literal(index, INT, place) if isinstance(index, int) else index


# Assignments.


def slice_assignments(
    target: tree.Expression, low: Index, bits: Value, place: SourceRange
) -> tuple[tree.Assignment, ...]:
    """Return the assignments of some bits of a word: one to each limb that has some of them."""
    kind, width = target.type, bits.number.bits
    assert isinstance(kind, Number)
    first = constant_index(low)
    if first is None:
        if width > LIMB or isinstance(low, int):
            raise _crossing(width)
        one, start = _limb_at(target, width, low)
        if kind.signed and kind.bits % LIMB:
            what = "assigns bits of a signed wide word at a variable place"
            raise NotExact(what, f"declare it unsigned, ap_uint<{kind.bits}>")
        return (_limb_assigned(one, bits_type(LIMB), width, start, bits, place),)
    found = []
    for position in range(first // LIMB, (first + width - 1) // LIMB + 1):
        begin = max(first, LIMB * position)
        end = min(first + width, LIMB * (position + 1))
        piece = bits_from(bits, begin - first, bits_type(end - begin))
        one = limb(Value(target, kind), position)
        is_last = position == limbs_in(kind) - 1
        own = Number(kind.bits - LIMB * position, True) if is_last and kind.signed else None
        begin -= LIMB * position
        size = own or bits_type(LIMB)
        found.append(_limb_assigned(one, size, piece.number.bits, begin, piece, place))
    return tuple(found)


def _limb_assigned(
    one: tree.Expression, kind: Number, width: int, start: Index, bits: Value, place: SourceRange
) -> tree.Assignment:
    """Return the assignment of bits of a limb; `kind` is the number of which it is the bits."""
    if isinstance(start, int):
        made = with_bits_at(one, kind, width, start, bits)
    else:
        made = with_bits_from(one, kind, width, start, bits)
    value = cut(made, kind).node
    return tree.Assignment("=", one, value, UNSIGNED_LONG, place)


def word_assignments(
    target: tree.Expression, value: Value, place: SourceRange
) -> tuple[tree.Assignment, ...]:
    """Return the assignments of a value to a word, limb by limb.

    They stand in an order in which no limb is read after it was assigned. Names are those of
    different objects; elements of one array may be the same.
    """
    kind = target.type
    assert isinstance(kind, Number)
    if not is_pure(target):
        raise NotExact("assigns a wide word to what has an effect", "write the effect before")
    count = limbs_in(kind)
    values = [limb(value, k) for k in range(count)]
    root = _root(target)
    reads = [_limbs_read(one, root) - {k} for k, one in enumerate(values)]
    order: list[int] = []
    while len(order) < count:
        left = [k for k in range(count) if k not in order]
        free = [k for k in left if not any(k in reads[other] for other in left if other != k)]
        if not free:
            what = "exchanges parts of a wide word"
            raise NotExact(what, "assign the new value to another variable first")
        order.append(free[0])
    whole = Value(target, kind)
    return tuple(
        tree.Assignment("=", limb(whole, k), values[k], UNSIGNED_LONG, place) for k in order
    )


def _root(node: tree.Expression) -> str:
    """Return the name of the object that an expression is, or is a part of."""
    match node:
        case tree.ID(name):
            return name
        case tree.ArrayRef() | tree.StructRef():
            return _root(node.name)
        case tree.UnaryOp(op="*"):
            return _root(node.expr)
    return ""


def _limbs_read(node: tree.Expression, root: str) -> set[int]:
    """Return the limbs of words of an object that an expression reads."""
    match node:
        case tree.ArrayRef(name, tree.Constant() as index) if _root(name) == root:
            found = literal_number(index)
            return set() if found is None else {found}
        case tree.ArrayRef(name) if _root(name) == root:
            return set(range(limbs_in(Number(1024, False))))
        case tree.UnaryOp() | tree.Cast():
            return _limbs_read(node.expr, root)
        case tree.BinaryOp():
            return _limbs_read(node.left, root) | _limbs_read(node.right, root)
        case tree.TernaryOp():
            parts = (node.cond, node.iftrue, node.iffalse)
            return set().union(*(_limbs_read(one, root) for one in parts))
        case tree.FuncCall():
            return set().union(*(_limbs_read(one, root) for one in node.args))
    return set()


# Concatenations.


def concatenated_word(parts: Sequence[Value]) -> Value:
    """Return the bits of numbers side by side, those of the first the highest."""
    place = parts[0].node.place
    to = bits_type(sum(one.number.bits for one in parts))
    limbs: list[list[tree.Expression]] = [[] for _ in range(limbs_in(to))]
    start = 0
    for one in reversed(parts):
        bits = bits_from(one, 0, bits_type(one.number.bits))
        for position in range(start // LIMB, (start + one.number.bits - 1) // LIMB + 1):
            limbs[position].append(limb_from(bits, LIMB * position - start))
        start += one.number.bits
    return word([either(one[::-1], place) for one in limbs], to, place)
