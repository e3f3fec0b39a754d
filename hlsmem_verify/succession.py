"""FIFOs and chains of long runs, by relations between times."""

from __future__ import annotations

from typing import Any

import islpy as isl

from hlsmem_verify.algebra import Values
from hlsmem_verify.facts import Part
from hlsmem_verify.isl_values import at_values, coalesced
from hlsmem_verify.lives import Lives, values_seen
from hlsmem_verify.outcomes import MOST_PIECES, False_, Unknown


def succeed(part: Part, words: int, values: Values) -> None:
    """Lemma *succession*: the FIFO of a long run, by relations between times; nothing is listed.

    Where a write is the last one of what a read reads, reads follow writes in their order, one a
    write; and the write so many words later is in no step before the read. A word less is too few.
    Raises False_ or Unknown.
    """
    lives = part.lives
    if lives.program.rules.get("capacity") == "selftimed" or lives.slack or lives.strict:
        raise Unknown("no succession of what processes decide on, or of what stays longer")
    if len({stream for stream, _ in part.operands}) != 1:
        raise Unknown("a succession of several streams")
    writes, following, seen = _succession(lives, values)
    source = _few(seen.domain_factor_range())  # read -> written
    order, reads = isl.Map.lex_lt(writes.get_space()), coalesced(source.domain())
    if not source.is_injective() or not writes.is_subset(source.range()):
        raise False_("values are not read once each")
    turned = order.intersect_domain(reads).intersect_range(reads)
    turned = source.reverse().apply_range(turned).apply_range(source)
    if not source.is_single_valued() or not turned.is_subset(order):
        raise False_("values are not read in the order of writes")
    cut = at_values(lives.cut(), values)
    later = cut.apply_range(isl.Map.lex_gt(cut.range().get_space())).apply_range(cut.reverse())
    moved = _moved(source, following, words - 1)
    if words > 2 and moved.intersect(later).is_empty():
        raise False_(f"fewer values are alive at once than its {words} words")
    full = _few(moved.apply_range(following)).intersect(later)
    if not full.is_empty():
        raise False_(f"more than {words} values wait at once")


def rank(part: Part, taps: dict[tuple[str, int], int], values: Values) -> None:
    """Lemma *rank* by relations: from the write of what an operand reads it is its tap to the
    newest write. Raises False_ or Unknown."""
    lives = part.lives
    writes, following, seen = _succession(lives, values)
    before = isl.Map.lex_gt(writes.get_space()).intersect_range(writes)
    for name, number, relation in lives.reads:
        operand = (f"m_{part.name}_{name}", number)
        if operand not in taps:
            raise Unknown("a succession of what is read by no operand")
        source = seen.intersect_domain(at_values(relation, values).wrap()).domain_factor_range()
        newest = _few(before.intersect_domain(source.domain()).lexmax())
        if not _moved(_few(source), following, taps[operand]).is_equal(newest):
            raise False_(f"{operand[0]}.{number} is not {taps[operand]} behind the newest")


def _succession(lives: Lives, values: Values) -> tuple[Any, Any, Any]:
    """(times of writes, { a write -> the next }, { [x -> read] -> written }) at the plan's values.

    Raises Unknown where data decide on them, or several have one time.
    """
    own = lives.accesses
    births = at_values(lives.births, values)
    if not own.maybe.is_empty() or not own.choosing.is_empty() or lives.program.rules["lanes"]:
        raise Unknown("no succession of writes that data decide on, or of lanes")
    if not births.is_injective():
        raise Unknown("several writes at one time")
    writes = coalesced(births.range())
    order = isl.Map.lex_lt(writes.get_space())
    following = _few(order.intersect_domain(writes).intersect_range(writes).lexmin())
    return writes, following, at_values(values_seen(own, lives.time), values)


def _moved(relation: Any, following: Any, distance: int) -> Any:
    """A relation with its targets so many writes later: by squares of what follows."""
    while distance:
        if distance & 1:
            relation = _few(relation.apply_range(following))
        distance >>= 1
        if distance:
            following = _few(following.apply_range(following))
    return relation


def _few(relation: Any) -> Any:
    """A relation of few pieces; raises Unknown where it has more."""
    found = coalesced(relation)
    if found.n_basic_map() > MOST_PIECES:
        raise Unknown(f"times whose relation has more than {MOST_PIECES} pieces")
    return found
