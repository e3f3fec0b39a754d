"""Proves an hlsmem plan from its own text, with islpy and nothing of hlsmem.

    python -m hlsmem_verify OUT|plan.json [--json] [--list] [--at N=5]..

The program in plan.json is the hypothesis. From it follow the conflicts, from these that no two
conflicting elements share a cell, the bounds, what parts and memories hold, and the streams: each
lemma is one function here. Of a folder OUT, the Verilog in rtl/ and the header in host/ are held
against what plan.json says of storage. Every leaf of the file has a class: hypothesis, proved,
measured (it takes a run or a tool) or informative. A proved leaf that is false fails, and so does
one that nothing here proves. `--at` plays the program at other parameters, access by access, and
holds the claims for all parameters against that: a second way, which has isl list points and no
more.

Exit codes: 0 all is proved, 1 something is false or not proved, 2 not a plan, 4 a limit.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from itertools import combinations, groupby, permutations, product
from math import gcd, lcm, prod
from pathlib import Path
from typing import Any, NoReturn

import islpy as isl

FORMAT = "hlsmem-plan/4"
DIM = isl.dim_type

# What anybody's file may have.
MOST_BYTES, DEEPEST, DIGITS, MOST_TEXT = 16 << 20, 24, 18, 64 << 10
MOST_FORMULA, LARGEST_EXPONENT, MOST_TERMS = 4096, 8, 400
MOST_TIME, MOST_INDEX = 32, 8
# Work: multiples of a modulus, points that are listed, lattices, regions of a count, rays and
# sides of a cone, rounds of squaring; writes that are swept, pairs of elements of a play, and
# residue classes.
MOST_MULTIPLES, MOST_SMALL, MOST_POINTS, MOST_LATTICES, MOST_REGIONS = 8, 4, 1 << 20, 400_000, 600
MOST_RAYS, MOST_SIDES, MOST_SQUARES, MOST_VALUES = 64, 400, 16, 8
MOST_SWEPT, MOST_PAIRS = 1 << 18, 4 << 20
MOST_CLASSES = 256
MOST_PIECES = 64  # of a relation between times
MOST_FILES = 4096  # of Verilog, and headers


class Refused(Exception):
    """Not a plan: what is wrong with the file (exit 2), and what to do."""

    def __init__(self, what: str, remedy: str = "run `hlsmem plan` again") -> None:
        super().__init__(what)
        self.remedy = remedy


class False_(Exception):
    """A claim that does not hold, with the reason."""


class Unknown(Exception):
    """A claim that no lemma here proves, with the reason."""


# ---- The shape of plan.json: keys, kinds of leaves, and the class of each leaf ----------------

H, P, M, S = "hypothesis", "proved", "measured", "informative"

# Objects, each after those in it. A key with ~ may be missing; a shape with ? may be null. Shapes:
# a leaf as class.kind or class=its words, [list], <object by names>, {object by files}, (row of
# entries), @object, one | another.
TABLE = """
piece       domain P.isl?; matrix [[P.formula]]; matrix_value [[P.int]]; modulus [P.formula];
            modulus_value [P.positive]; offset [P.formula]; offset_value [P.int]
certificate scope P=all-parameters,at; by S.text; at <P.int>; kernel~ [[P.formula]]
mapping     method S.label; cells P.positive; certificate @certificate; pieces [@piece]
cost        blocks M.natural; large M.natural; luts M.natural; lut_ram M.natural;
            flip_flops M.natural
boxes       lower [P.int]; sides [P.int]; counts [P.int]
moment      moment P.isl?
elements    elements P.isl
first       from P.positive
points      points [[P.int]]
formula     when P.isl; expr P.formula
bound       kind P=max-live,live-at,difference-clique,clique,exhaustive,width; cells P.positive;
            expr P.null | P.formula | (@formula);
            witness P.null | @moment | @elements | @first | @points
part        memory P.name; operands [(P.name P.natural)]; takes P.isl?; mapping P.null | @mapping;
            lattice P.null | @bound; base P.natural; bank_basis [[P.int]]?; bank_block P.positive?;
            storage_basis [[P.int]]?; boxes @boxes?; taps [P.natural]?; taps_expr [P.formula]?
cells       mapping @mapping; lattice P.null | @bound; cell_bytes P.positive; at M.natural?;
            shape S.label
hardware    parts [@part]; words P.natural; bits P.natural; bound P.null | @bound;
            standing P.text; certificate @certificate
host        parts [@cells]; words P.positive; bits P.positive; bound P.null | @bound;
            standing P.text; certificate @certificate
holdings    hardware @hardware; host @host?
band        kind H=sequential,tiled; rows [S.text]; maps <H.isl>
class       schedules H=sequential,tiled,any,affine,before; bands [@band]; before [H.isl]?;
            symbolic H.truth; relation P=exact,superset; fixed P.truth; outside P.truth
element     type H.name; bits P.positive
declared    cells P.positive; expr P.formula
conflicts   differences P.isl; pairs H.isl?; elements H.isl?
array       element @element; index [H.name]; extents [H.formula]?; declared @declared?;
            conflicts @conflicts?; state~ H.truth; class~ @class; holdings @holdings
access      array H.name; kind H=read,write,may-read,may-write,look; map H.isl; operand H.natural?
filter      entries H.positive; value H.isl
statement   process H.name; role H=compute,arrival,departure; domain H.isl; schedule H.isl;
            accesses [@access]; filters~ [@filter]
program     order H=sequential,iteration; time H.natural; step H.natural; lanes [H.positive];
            strict H.truth; slack H.natural; capacity~ H=selftimed; control~ H=skip;
            live_in <H.isl>; live_out <H.isl>; statements <@statement>
primitive   name M.text; count M.natural
memory      bits P.positive; words P.natural; banks P.positive; copies P.positive;
            kind P=wire,registers,ram,banked,chain,fifo,window;
            style P=auto,registers,distributed,block,large; primitive @primitive?;
            resources @cost?
operand     bits (P.natural P.natural); lane P.natural; element S.text
stream      name P.name; array P.name; statement P.name?; beats P.positive; operands [@operand]
elastic     stream M.name; beats M.positive; bits M.positive; waits_for M.name; latency <M.int>
run         seed M.natural; value M.natural
cycles      kind M=exact,by-run; value~ M.natural; bound~ M.natural; runs~ [@run]
timing      cycles @cycles?; interval M.null | M.natural | M.ratio; asked M.positive?;
            output_register M.truth
cut         vector S.positive?; outer S.positive?; rows S.positive?; jam S.positive
order       steps P.truth; times <P.isl>; cuts~ <@cut>; machine~ <S.positive>
as_written  bits S.natural; cycles S.natural?
found       what S.text; text @as_written
orders      hardware @found?; host @order?
kept        name S.name; type S.name; statements [S.name]
outside     why S.text; reads_a_step M.natural?
ram         bytes M.natural; where S=stack,heap,static; source M.natural?;
            overlap S=none,check,stop,refuse
c           ram @ram
target      device H.label; block_rams H.natural?
plan        format S=hlsmem-plan/4; tool S.text; design H.name; inputs {S.text};
            overrides [S.text]; params <H.int>; context H.isl;
            target @target?; program @program?; orders @orders; arrays <@array>;
            datapath [@kept]; outside <@outside>; host @c?;
            memories <@memory>; streams [@stream]; elastic [@elastic];
            paths [(M.text M.text)]?; timing @timing?
"""


@dataclass(frozen=True)
class Leaf:
    """A text, number or truth value of a kind, with its class."""

    kind: str
    claim: str
    words: tuple[str, ...] = ()
    none: bool = False


@dataclass(frozen=True)
class Keys:
    """An object with these keys and no others; `maybe` are keys that may be missing."""

    keys: dict[str, Any]
    maybe: tuple[str, ...] = ()
    none: bool = False


@dataclass(frozen=True)
class Named:
    """An object whose keys are of a kind."""

    kind: str
    values: Any


@dataclass(frozen=True)
class Many:
    """A list; null too where `none`."""

    items: Any
    none: bool = False


@dataclass(frozen=True)
class Row:
    """A list of so many entries, each of a shape of its own."""

    entries: tuple[Any, ...]


@dataclass(frozen=True)
class Either:
    """One of several shapes."""

    choices: tuple[Any, ...]


def _read_table(table: str) -> Keys:
    """The shape of the last object of a table."""
    objects: dict[str, Keys] = {}
    for block in re.split(r"\n(?=\w)", table.strip()):
        name, entries = block.split(None, 1)
        keys = dict(one.split(None, 1) for one in entries.split(";"))
        maybe = tuple(key[:-1] for key in keys if key[-1] == "~")
        objects[name] = Keys({k.rstrip("~"): _read(v, objects) for k, v in keys.items()}, maybe)
    return objects[name]


def _read(text: str, objects: dict[str, Keys]) -> Any:
    """One shape of the table."""
    tokens = re.findall(r"[\[\]<>{}()|?]|@\w+|[HPMS][.=][\w.,/-]+", text)[::-1]

    def one() -> Any:
        token = tokens.pop()
        shape: Any
        if token == "[":
            shape = Many(one())
        elif token in "<{":
            shape = Named("name" if token == "<" else "file", one())
        elif token == "(":
            entries = []
            while tokens[-1] != ")":
                entries.append(one())
            shape = Row(tuple(entries))
        elif token[0] == "@":
            shape = objects[token[1:]]
        else:
            claim = {"H": H, "P": P, "M": M, "S": S}[token[0]]
            words = tuple(token[2:].split(",")) if token[1] == "=" else ()
            shape = Leaf("word" if words else token[2:], claim, words)
        if token in "[<{(":
            tokens.pop()
        if tokens and tokens[-1] == "?":
            tokens.pop()
            shape = replace(shape, none=True)
        return shape

    choices = [one()]
    while tokens:
        tokens.pop()
        choices.append(one())
    return choices[0] if len(choices) == 1 else Either(tuple(choices))


SHAPE = _read_table(TABLE)

_NAME = r"[A-Za-z_][A-Za-z0-9_]{0,299}"
# The texts of each kind of leaf and of names; others are judged where they are read.
PATTERNS = {
    "name": _NAME,
    "file": r"[^\x00-\x1f\ud800-\udfff]{1,300}",
    "label": r"[A-Za-z0-9_.:@+-]{1,100}",
    "ratio": r"[0-9]{1,9}([./][0-9]{1,9})?",
    "text": r"[^\x00-\x08\x0b-\x1f\ud800-\udfff]{0,65536}",
    "formula": r"[A-Za-z0-9_ +*^()/-]{1,4096}",
    "isl": r"[A-Za-z0-9_' +*()/<>=,.:;\[\]{}\n-]{2,65536}",
}
LEAST = {"int": None, "natural": 0, "positive": 1}
_BANKS = ("bank_basis", "bank_block", "storage_basis", "boxes")


KeyPath = tuple[str | int, ...]


def misfits(value: Any, shape: Any, path: KeyPath = ()) -> Iterator[str]:
    """What is not of the shape, with its path."""
    match shape:
        case Keys() | Many() if value is None and shape.none:
            return
        case Keys():
            if not isinstance(value, dict):
                yield f"{joined(path) or 'the plan'} is no object"
                return
            for key in shape.keys:
                if key not in value and key not in shape.maybe:
                    yield f"{joined((*path, key))} is missing"
            for key, inner in value.items():
                if key not in shape.keys:
                    yield f"{joined((*path, key[:40]))} is no key of a plan"
                else:
                    yield from misfits(inner, shape.keys[key], (*path, key))
        case Named():
            if not isinstance(value, dict):
                yield f"{joined(path)} is no object"
                return
            for key, inner in value.items():
                if not re.fullmatch(PATTERNS[shape.kind], key):
                    yield f"{joined(path)} has {key[:40]!a}, which is no {shape.kind}"
                yield from misfits(inner, shape.values, (*path, key))
        case Many():
            if not isinstance(value, list):
                yield f"{joined(path)} is no list"
                return
            for position, inner in enumerate(value):
                yield from misfits(inner, shape.items, (*path, position))
        case Row():
            if not isinstance(value, list) or len(value) != len(shape.entries):
                yield f"{joined(path)} is no list of {len(shape.entries)}"
                return
            for position, (inner, one) in enumerate(zip(value, shape.entries, strict=True)):
                yield from misfits(inner, one, (*path, position))
        case Either():
            # Nobody means null by what is something else.
            choices = [one for one in shape.choices if value is None or not _is_null(one)]
            found = [list(misfits(value, one, path)) for one in choices]
            if all(found):
                yield min(found, key=lambda one: (len(one), -len(one[0])))[0]
        case _:
            if not _is_leaf(value, shape):
                yield f"{joined(path)} is {repr(value)[:60]}"


def _is_null(shape: Any) -> bool:
    return isinstance(shape, Leaf) and shape.kind == "null"


def _is_leaf(value: Any, leaf: Leaf) -> bool:
    if value is None:
        return leaf.none or leaf.kind == "null"
    if leaf.kind == "truth":
        return isinstance(value, bool)
    if leaf.kind in LEAST:
        least = LEAST[leaf.kind]
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and (least is None or value >= least)
    if not isinstance(value, str) or leaf.kind == "null":
        return False
    return value in leaf.words if leaf.words else bool(re.fullmatch(PATTERNS[leaf.kind], value))


def leaves(value: Any, shape: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """(path, class) of every leaf of a value that has the shape."""
    match shape:
        case Keys() if value is not None:
            for key, inner in value.items():
                yield from leaves(inner, shape.keys[key], (*path, key))
        case Named():
            for key, inner in value.items():
                yield from leaves(inner, shape.values, (*path, key))
        case Many() if value is not None:
            for position, inner in enumerate(value):
                yield from leaves(inner, shape.items, (*path, position))
        case Row():
            for position, (inner, one) in enumerate(zip(value, shape.entries, strict=True)):
                yield from leaves(inner, one, (*path, position))
        case Either():
            one = next(one for one in shape.choices if not any(misfits(value, one)))
            yield from leaves(value, one, path)
        case Leaf():
            yield path, shape.claim
        case _:
            yield path, _first_claim(shape)


def _first_claim(shape: Any) -> str:
    """The class of what is null where it could be an object or a list."""
    while not isinstance(shape, Leaf):
        match shape:
            case Keys():
                shape = next(iter(shape.keys.values()))
            case Many():
                shape = shape.items
            case Named():
                shape = shape.values
            case Row():
                shape = shape.entries[0]
            case _:
                shape = shape.choices[0]
    return shape.claim


def joined(path: KeyPath) -> str:
    """A path as people read it: of two paths the texts may be equal."""
    parts = (f".{key}" if isinstance(key, str) else f"[{key}]" for key in path)
    return "".join(parts).removeprefix(".")


# ---- Reading: JSON, formulas, isl texts --------------------------------------------------------


def read(file: Path) -> dict[str, Any]:
    """plan.json within its limits; raises Refused with the path of what is beyond."""
    try:
        if not file.is_file():  # to open a named pipe would wait for its writer
            raise Refused(f"{file} cannot be read")
        if file.stat().st_size > MOST_BYTES:
            raise Refused(f"{file} has more than {MOST_BYTES >> 20} MiB")
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise Refused(f"{file} cannot be read") from None
    return document_of(text)


def document_of(text: str) -> dict[str, Any]:
    """The document in a text; raises Refused where it has not the shape of a plan."""
    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=lambda one: _refuse(f"the number {one[:40]} is no integer"),
            parse_constant=lambda one: _refuse(f"{one} is no number"),
        )
    except json.JSONDecodeError as error:
        raise Refused(f"not JSON at line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise Refused(f"values stand more than {DEEPEST} deep") from None
    if _depth(document) > DEEPEST:
        raise Refused(f"values stand more than {DEEPEST} deep")
    made = document.get("format") if isinstance(document, dict) else None
    if made != FORMAT:
        raise Refused(f"the format is {str(made)[:40]!r}, not {FORMAT!r}")
    found = list(misfits(document, SHAPE))
    if found:
        raise Refused("; ".join(found[:8]))
    read: dict[str, Any] = document
    return read


def _refuse(what: str) -> Any:
    raise Refused(what)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise Refused(f"{twice!r} is there twice")
    return found


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > DIGITS:
        raise Refused(f"the number {digits[:DIGITS]}.. has more than {DIGITS} digits")
    return int(digits)


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


# In front of each parameter, so that no name of the plan is one of those that texts below give to
# dimensions: isl takes a dimension with a parameter's name for that parameter.
OWN = "P_"

Values = dict[str, int]


def own_values(values: Values) -> Values:
    """Values by the names that parameters have here."""
    return {OWN + name: value for name, value in values.items()}


class Poly:
    """A polynomial with rational factors; atoms are names, and floors as (Poly, divisor)."""

    def __init__(self, terms: dict[tuple[Any, ...], Fraction] | None = None):
        self.terms = {key: one for key, one in (terms or {}).items() if one}
        if len(self.terms) > MOST_TERMS:
            raise Refused(f"a formula of more than {MOST_TERMS} terms")

    @staticmethod
    def of(value: int | Fraction | str) -> Poly:
        return Poly({((value,) if isinstance(value, str) else ()): Fraction(1)}) * (
            1 if isinstance(value, str) else value
        )

    def __add__(self, other: Any) -> Poly:
        terms = dict(self.terms)
        for key, one in _poly(other).terms.items():
            terms[key] = terms.get(key, Fraction(0)) + one
        return Poly(terms)

    def __mul__(self, other: Any) -> Poly:
        if not isinstance(other, Poly):
            return Poly({key: one * other for key, one in self.terms.items()})
        if len(self.terms) * len(other.terms) > 100 * MOST_TERMS:
            raise Refused("a formula of too many products")
        terms: dict[tuple[Any, ...], Fraction] = {}
        for a, one in self.terms.items():
            for b, two in other.terms.items():
                key = tuple(sorted(a + b, key=str))
                terms[key] = terms.get(key, Fraction(0)) + one * two
        return Poly(terms)

    def __sub__(self, other: Any) -> Poly:
        return self + _poly(other) * -1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and not (self - other).terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __str__(self) -> str:
        """As isl reads it, where the polynomial is affine with whole factors."""
        terms = sorted(self.terms.items(), key=str)
        texts = [
            f"{one}" if not key else f"{one}*{'*'.join(map(_atom, key))}" for key, one in terms
        ]
        return " + ".join(f"({one})" if one[0] == "-" else one for one in texts) or "0"

    __repr__ = __str__  # atoms stand in the order of their texts

    def shown(self) -> str:
        """With the plan's own names of parameters."""
        plain = {name: Poly.of(name.removeprefix(OWN)) for name in self.names()}
        return str(self.with_(plain))

    def constant(self) -> int | None:
        """The whole number that it is, if it is one."""
        value = self.terms.get((), Fraction(0))
        is_whole = not any(self.terms.keys() - {()}) and value.denominator == 1
        return int(value) if is_whole else None

    def is_affine(self) -> bool:
        return all(
            len(key) <= 1 and one.denominator == 1 and all(_is_plain(atom) for atom in key)
            for key, one in self.terms.items()
        )

    def names(self) -> set[str]:
        found: set[str] = set()
        for key in self.terms:
            for atom in key:
                found |= {atom} if isinstance(atom, str) else atom[0].names()
        return found

    def divisors(self) -> set[int]:
        """The divisors of all floors in it."""
        floors = [atom for key in self.terms for atom in key if not isinstance(atom, str)]
        return {atom[1] for atom in floors}.union(*(atom[0].divisors() for atom in floors))

    def rounded(self) -> set[str]:
        """The names in all floors in it."""
        floors = [atom for key in self.terms for atom in key if not isinstance(atom, str)]
        return set().union(*(atom[0].names() for atom in floors))

    def at(self, values: Values) -> int:
        """Its value; raises False_ where it is not whole."""
        total = Fraction(0)
        for key, one in self.terms.items():
            for atom in key:
                if isinstance(atom, str):
                    one *= values[atom]
                else:
                    one *= atom[0].at(values) // atom[1]
            total += one
        if total.denominator != 1:
            raise False_("a value is not whole")
        return int(total)

    def with_(self, values: dict[str, Poly]) -> Poly:
        """The polynomial with others in place of names; floors are taken where they divide."""
        total = Poly()
        for key, one in self.terms.items():
            term = Poly({(): one})
            for atom in key:
                if isinstance(atom, str):
                    term = term * values.get(atom, Poly.of(atom))
                else:
                    term = term * floor_of(atom[0].with_(values), atom[1])
            total = total + term
        return total


def _poly(value: Any) -> Poly:
    return value if isinstance(value, Poly) else Poly({(): Fraction(value)})


def _atom(atom: Any) -> str:
    return atom if isinstance(atom, str) else f"floor(({atom[0]})/{atom[1]})"


def _is_plain(atom: Any) -> bool:
    return isinstance(atom, str) or atom[0].is_affine()


def floor_of(poly: Poly, divisor: int) -> Poly:
    """floor(poly / divisor); of a constant and of what divides its value."""
    whole = Poly({k: v for k, v in poly.terms.items() if (v / divisor).denominator == 1})
    rest = poly - whole
    value = rest.constant()
    if value is not None:
        return whole * Fraction(1, divisor) + value // divisor
    return Poly({((poly, divisor),): Fraction(1)})


def formula(text: str) -> Poly:
    """Reads + - * ^ ( ), integers, names and floor(e/d); raises Refused for anything else."""
    if len(text) > MOST_FORMULA:
        raise Refused(f"a formula of more than {MOST_FORMULA} characters")
    tokens = re.findall(r"\d+|[A-Za-z_]\w*|\S", text)
    position = depth = 0

    def peek() -> str:
        return tokens[position] if position < len(tokens) else ""

    def take() -> str:
        nonlocal position
        position += 1
        return tokens[position - 1] if position <= len(tokens) else ""

    def total() -> Poly:
        value = times()
        while peek() in ("+", "-"):
            value = value + times() if take() == "+" else value - times()
        return value

    def times() -> Poly:
        value = factor()
        while peek() in ("*", "/"):
            if take() == "*":
                value = value * factor()
            else:
                divisor = take()
                if not divisor.isdigit() or len(divisor) > DIGITS or not int(divisor):
                    raise Refused(f"{text[:60]!r} is no formula")
                value = floor_of(value, int(divisor))
        return value

    def factor() -> Poly:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise Refused(f"a formula more than {DEEPEST} deep")
        if peek() == "-":
            take()
            value = factor() * -1
        else:
            value = primary()
            if peek() == "^":
                take()
                power = take()
                if not power.isdigit() or len(power) > 2 or int(power) > LARGEST_EXPONENT:
                    raise Refused(f"a power of more than {LARGEST_EXPONENT}")
                value = prod([value] * int(power), start=Poly.of(1))
        depth -= 1
        return value

    def primary() -> Poly:
        token = take()
        if token.isdigit() and len(token) <= DIGITS:
            return Poly.of(int(token))
        if token == "floor" and peek() == "(":
            return primary()
        if token == "(":
            value = total()
            if take() == ")":
                return value
        elif re.fullmatch(_NAME, token):
            return Poly.of(token)
        raise Refused(f"{text[:60]!r} is no formula")

    value = total()
    if position < len(tokens):
        raise Refused(f"{text[:60]!r} is no formula")
    return value


def isl_text(text: str, what: str, parameters: Collection[str], kind: Any) -> Any:
    """A set or map of isl, its parameters with OWN in front; raises Refused for text behind it,
    and for other parameters."""
    body = re.fullmatch(r"\s*(?:\[([\w, \n]*)\]\s*->\s*)?\{([^{}]*)\}\s*", text)
    if body is None:
        raise Refused(f"{what} is no isl text")
    if any(len(digits) > DIGITS for digits in re.findall(r"\d+", text)):
        raise Refused(f"{what} has a number of more than {DIGITS} digits")
    named = [one.strip() for one in (body[1] or "").split(",") if one.strip()]
    if set(named) - set(parameters):
        raise Refused(f"{what} has a parameter that the plan has not")
    try:
        found = kind(text)
    except isl.Error:
        raise Refused(f"{what} is no isl text") from None
    for k in range(found.dim(DIM.param)):
        found = found.set_dim_name(DIM.param, k, OWN + found.get_dim_name(DIM.param, k))
    return found


# ---- The program, and when values live ----------------------------------------------------------


READS = ("read", "may-read")
WRITES = ("write", "may-write")


class Program:
    """The hypothesis: statements, times and live elements over the plan's parameters."""

    def __init__(self, document: dict[str, Any]):
        self.document = document
        self.values = own_values(document["params"])
        self.names = list(self.values)
        self.head = f"[{', '.join(self.names)}] -> "
        context = self._isl(document["context"], "context", isl.Set)
        if context.dim(DIM.set):
            raise Refused("context is no set of parameters")
        self.context = context.params().align_params(isl.Set(f"{self.head}{{ : }}").get_space())
        if self.context.intersect(self.point()).is_empty():
            raise Refused("params are outside of the context")
        self.rules = document["program"]
        self.statements: dict[str, dict[str, Any]] = {}
        if self.rules is not None:
            self._read(self.rules)
            if self.rules.get("control") == "skip":
                self.statements = dict(self._with_looks())
            times = ", ".join(f"t{k}" for k in range(self.rules["time"] + 1))
            self.time = isl.Set(f"{self.head}{{ [{times}] }}").get_space()

    def point(self, values: Values | None = None) -> Any:
        """The plan's values, or others, as a set of parameters."""
        every = self.values if values is None else values
        at = " and ".join(f"{name} = {value}" for name, value in every.items())
        return isl.Set(f"{self.head}{{ : {at or 'true'} }}").params()

    def _read(self, rules: dict[str, Any]) -> None:
        if rules["time"] > MOST_TIME or rules["step"] > rules["time"]:
            raise Refused(f"program.time is not 0 to {MOST_TIME}, or less than step")
        if len(rules["lanes"]) > rules["time"] - rules["step"] or rules["slack"] > 64:
            raise Refused("program.lanes or slack are none that a plan has")
        for name, one in rules["statements"].items():
            path = f"program.statements.{name}"
            if name in ("fill", "drain"):
                raise Refused(f"{path} has the name of streams of live elements")
            domain = self.set(one["domain"], f"{path}.domain")
            schedule = self.map(one["schedule"], f"{path}.schedule")
            if domain.get_tuple_name() != name or schedule.get_tuple_name(DIM.in_) != name:
                raise Refused(f"{path} has the sets of another statement")
            if schedule.dim(DIM.out) != rules["time"]:
                raise Refused(f"{path}.schedule has not {rules['time']} entries")
            if not domain.is_subset(schedule.domain()) or not schedule.is_single_valued():
                raise Refused(f"{path}.schedule gives no one time to each instance")
            times = schedule.intersect_domain(domain).insert_dims(DIM.out, 0, 1)
            times = times.fix_val(DIM.out, 0, isl.Val(1)).reset_tuple_id(DIM.out)
            accesses = []
            numbers: Counter[str] = Counter()
            for position, access in enumerate(one["accesses"]):
                where = f"{path}.accesses[{position}]"
                relation = self.map(access["map"], f"{where}.map").intersect_domain(domain)
                if relation.get_tuple_name(DIM.out) != access["array"]:
                    raise Refused(f"{where}.map is of another array")
                if relation.get_tuple_name(DIM.in_) != name:
                    raise Refused(f"{where}.map is of another statement")
                is_read = access["kind"] in READS
                if access["kind"] == "look" and not one.get("filters"):
                    raise Refused(f"{where} is a look, and {path} has no filters")
                operand = numbers[access["array"]] if is_read else None
                if access["operand"] != operand:
                    raise Refused(f"{where}.operand is {access['operand']}, not {operand}")
                numbers[access["array"]] += is_read
                accesses.append({**access, "relation": relation.reset_tuple_id(DIM.out)})
            self._check_filters(name, one, accesses, path)
            self.statements[name] = {
                "domain": domain,
                "times": times,
                "accesses": accesses,
                "filters": one.get("filters", []),
            }

    def _check_filters(
        self, name: str, one: dict[str, Any], accesses: list[dict[str, Any]], path: str
    ) -> None:
        """Lemma *filters*: what an instance that may not run writes is a may-write.

        Then whatever its filters say, the values that live in a run are among those of the text:
        what is read sees the last sure write or a later possible one, and what filters look at is
        read whether the instance runs or not.
        """
        looks = [access for access in accesses if access["kind"] == "look"]
        for number, given in enumerate(one.get("filters", [])):
            where = f"{path}.filters[{number}]"
            own, looks = looks[: given["entries"]], looks[given["entries"] :]
            value = self.map(given["value"], f"{where}.value")
            if len(own) != given["entries"] or value.dim(DIM.out) != given["entries"]:
                raise Refused(f"{where} has not {given['entries']} entries")
            asked = value.domain()
            if asked.get_tuple_name() != name:
                raise Refused(f"{where}.value is of another statement")
            for access in own:
                looking = access["relation"].domain()
                if not asked.is_subset(looking) or not looking.is_subset(asked):
                    raise Refused(f"{where} looks at elements for other instances than value has")
            for access in accesses:
                surely = access["kind"] == "write"
                if surely and not access["relation"].domain().is_disjoint(asked):
                    raise Refused(f"{path} has a filter and a write that surely happens")
        if looks:
            raise Refused(f"{path} has looks that are of no filter")

    def _with_looks(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The statements, those of streams that pass over instances in front of their own.

        A stream of a statement with filters is told by beats of what these look at, at the times of
        the instances: reads by a statement of its name. Values live and conflict as without.
        """
        for name, one in self.statements.items():
            looks = [access for access in one["accesses"] if access["kind"] == "look"]
            for prefix, kinds in (("m", READS), ("s", WRITES)) if looks else ():
                own = [access for access in one["accesses"] if access["kind"] in kinds]
                arrays = dict.fromkeys(access["array"] for access in own)
                for array in filter(self._has_streams, arrays):
                    mine = [a["relation"].domain() for a in own if a["array"] == array]
                    beats = reduce(lambda one, other: one.union(other), mine)
                    yield self._looking(f"{prefix}_{array}_{name}", one, looks, beats)
            yield name, one

    def _has_streams(self, array: str) -> bool:
        """Whether it is planned, and no data decide what is accessed.

        State has no streams where it begins with values that are not known, which C alone says.
        """
        planned = self.document["arrays"].get(array)
        if planned is None:
            return False
        if planned.get("state") and all(one["array"] != array for one in self.document["streams"]):
            return False
        return not self.is_decided(array)

    def is_decided(self, array: str) -> bool:
        """Whether data decide on an access: which element it is to, or whether it is made.

        A write under a filter is one that this decides on; to one of several elements it is not.
        """
        return any(
            access["kind"] == "may-read"
            or (
                access["kind"] == "may-write"
                and (not one["filters"] or not access["relation"].is_single_valued())
            )
            for one in self.statements.values()
            for access in one["accesses"]
            if access["array"] == array
        )

    def _looking(
        self, name: str, one: dict[str, Any], looks: list[dict[str, Any]], instances: Any
    ) -> tuple[str, dict[str, Any]]:
        if name in self.statements:
            raise Refused(f"program.statements.{name} has the name of a stream")
        numbers: Counter[str] = Counter()
        accesses = []
        for look in looks:
            relation = look["relation"].intersect_domain(instances)
            relation = relation.set_tuple_name(DIM.in_, name)
            number = numbers[look["array"]]
            accesses.append({**look, "kind": "read", "operand": number, "relation": relation})
            numbers[look["array"]] += 1
        times = one["times"].set_tuple_name(DIM.in_, name)
        domain = instances.set_tuple_name(name)
        found = {"domain": domain, "times": times, "accesses": accesses, "filters": []}
        return name, {**found, "looks": True}

    def in_times(self, texts: dict[str, str], apart: Collection[str] = ()) -> Program:
        """The same instances at other times, one after the other, but for statements `apart`."""
        own = {
            name: one
            for name, one in self.statements.items()
            if not one.get("looks") and name not in apart
        }
        if set(texts) != set(own) or self.rules["lanes"]:
            raise False_("it has times of other statements than the program")
        found = copy(self)
        found.statements, sizes = {}, set()
        for name, one in own.items():
            times = self.map(texts[name], f"host.times.{name}")
            if times.get_tuple_name(DIM.in_) != name or not times.is_single_valued():
                raise False_(f"{name} has no one time for each instance")
            if not one["domain"].is_subset(times.domain()):
                raise False_(f"{name} has instances without a time")
            sizes.add(times.dim(DIM.out))
            times = times.intersect_domain(one["domain"]).insert_dims(DIM.out, 0, 1)
            times = times.fix_val(DIM.out, 0, isl.Val(1)).reset_tuple_id(DIM.out)
            found.statements[name] = {**one, "times": times}
        if len(sizes) != 1 or (size := sizes.pop()) > MOST_TIME:
            raise False_(f"its times have several lengths, or more than {MOST_TIME} entries")
        found.rules = {**self.rules, "time": size, "step": size, "order": "sequential"}
        names = ", ".join(f"t{k}" for k in range(size + 1))
        found.time = isl.Set(f"{self.head}{{ [{names}] }}").get_space()
        return found

    def is_tied(self) -> bool:
        """Lemma *total order*: whether a statement has several instances at one time.

        C runs these one by one, and what reads in that time after, or before, what writes in it.
        Without any it reads a step before it writes.
        """
        own = [one for one in self.statements.values() if not one.get("looks")]
        return not all(one["times"].is_injective() for one in own)

    def swapped(self, other: Program) -> str:
        """Two statements of which instances that touch one element change places, or ""."""
        every = [
            (name, access)
            for name, one in self.statements.items()
            if name in other.statements
            for access in one["accesses"]
        ]
        for first, left in every:
            for second, right in every:
                if left["array"] != right["array"]:
                    continue
                if left["kind"] in READS and right["kind"] in READS:
                    continue
                pairs = left["relation"].apply_range(right["relation"].reverse())
                for program, late in ((self, False), (other, True)):
                    one, another = (program.statements[n]["times"] for n in (first, second))
                    space = one.range().get_space()
                    order = isl.Map.lex_ge(space) if late else isl.Map.lex_lt(space)
                    pairs = pairs.intersect(one.apply_range(order).apply_range(another.reverse()))
                if not pairs.is_empty():
                    return f"instances of {first} and {second} that touch one {left['array']}"
        return ""

    def _isl(self, text: str, what: str, kind: Any) -> Any:
        return isl_text(text, what, self.document["params"], kind)

    def set(self, text: str, what: str) -> Any:
        found = self._isl(text, what, isl.Set).align_params(self.context.get_space())
        return found.intersect_params(self.context)

    def map(self, text: str, what: str) -> Any:
        found = self._isl(text, what, isl.Map).align_params(self.context.get_space())
        return found.intersect_params(self.context)

    def poly(self, text: str) -> Poly:
        """A formula over the plan's parameters."""
        found = formula(text)
        if found.names() - self.document["params"].keys():
            raise Refused(f"{text[:60]!r} has a parameter that the plan has not")
        return found.with_({name: Poly.of(OWN + name) for name in found.names()})

    def live(self, key: str, array: str) -> Any:
        """Elements that are live before (live_in) or after (live_out) the run, or None."""
        text = self.rules[key].get(array)
        if text is None:
            return None
        found = self.set(text, f"program.{key}.{array}")
        if found.get_tuple_name() != array:
            raise Refused(f"program.{key}.{array} is of another array")
        return found.reset_tuple_id()


@dataclass(frozen=True)
class Accesses:
    """When an array is touched: { element -> [phase, time..] }, phase 0 before the run, 2 after it.

    `reads` with their statement and number; `sure` and `maybe` are writes, the latter by data,
    as are the reads `choosing`.
    """

    reads: list[tuple[str, int | None, Any]]
    sure: Any
    maybe: Any
    choosing: Any

    @property
    def read(self) -> Any:
        return _coalesced(reduce(isl.Map.union, (one for _, _, one in self.reads), self.none))

    @property
    def none(self) -> Any:
        return isl.Map.empty(self.sure.get_space())


def accesses(
    program: Program,
    array: str,
    size: int,
    operands: list[tuple[str, int]] | None = None,
    takes: Any = None,
) -> Accesses:
    """All accesses of an array; the reads of some operands alone, the writes of some elements."""
    names = ", ".join(f"x{k}" for k in range(size))
    element = isl.Set(f"{program.head}{{ [{names}] }}").get_space()
    none = isl.Map.empty(element.map_from_domain_and_range(program.time))
    found: dict[str, Any] = dict.fromkeys(("write", "may-write", "may-read"), none)
    reads: list[tuple[str, int | None, Any]] = []
    first, last = program.live("live_in", array), program.live("live_out", array)
    if first is not None:
        found["write"] = isl.Map.from_domain_and_range(first, _origin(program.time, 0))
    for name, one in program.statements.items():
        for access in one["accesses"]:
            if access["array"] != array:
                continue
            if access["relation"].dim(DIM.out) != size:
                raise Refused(f"accesses of {array} have other dimensions than index")
            times = access["relation"].reverse().apply_range(one["times"])
            kind, number = access["kind"], access["operand"]
            if kind == "look":  # of a filter: no operand, no stream brings it
                reads += [(name, None, times)] * (operands is None)
                continue
            if kind in READS and (operands is None or (f"m_{array}_{name}", number) in operands):
                reads.append((name, number, times))
            if kind not in READS and takes is not None:
                times = times.intersect_domain(takes)
            if kind != "read":
                found[kind] = found[kind].union(times)
    if last is not None and (operands is None or (f"m_{array}_drain", 0) in operands):
        reads.append(("", None, isl.Map.from_domain_and_range(last, _origin(program.time, 2))))
    return Accesses(reads, found["write"], found["may-write"], found["may-read"])


def values_seen(own: Accesses, time: Any) -> Any:
    """Lemma *values*: { [x -> read] -> written }, the last sure write before, and unsure later."""
    before = own.read.range_map().apply_range(isl.Map.lex_gt(time))
    known = own.read.domain_map()
    seen = known.apply_range(own.sure).intersect(before).lexmax()
    if own.maybe.is_empty():
        return seen
    unsure = known.apply_range(own.maybe).intersect(before)
    later = seen.range_product(unsure).intersect_range(isl.Map.lex_lt(time).wrap())
    return seen.union(later.range_factor_range()).union(unsure.subtract_domain(seen.domain()))


class Lives:
    """The values of an array, or of one of its parts: who sees them, and how long they stay.

    `operands` are the (stream, number) of the reads that count, None for all; `takes` the elements
    that are written. `births` { x -> written }, `stored` { [x -> written] -> read } of what is read
    in a later step, `until` { [x -> written] -> the last such step }.
    """

    def __init__(
        self,
        program: Program,
        array: str,
        size: int,
        *,
        order: str | None = None,
        strict: bool | None = None,
        slack: int | None = None,
        operands: list[tuple[str, int]] | None = None,
        takes: Any = None,
    ):
        self.program, self.array, rules = program, array, program.rules
        self.order = rules["order"] if order is None else order
        self.strict = rules["strict"] if strict is None else strict
        self.slack = rules["slack"] if slack is None else slack
        self.kept = 1 + rules["step" if self.order == "iteration" else "time"]
        self.time = program.time
        self.accesses = accesses(program, array, size, operands, takes)
        self.reads = self.accesses.reads
        self.births = _coalesced(self.accesses.sure.union(self.accesses.maybe))
        seen = values_seen(self.accesses, self.time)
        # Of a read that may find any of several elements, some may have no value.
        lost = self.accesses.read.wrap().subtract(seen.domain())
        if not lost.subtract(self.accesses.choosing.wrap()).is_empty():
            raise False_(f"{array}: an element is read that nothing has written")
        uses = seen.curry().range_reverse().uncurry()  # [x -> written] -> read
        cut = self._cut()
        made = self.births.range_map().apply_range(cut)
        later = isl.Map.lex_lt(cut.get_space().range()).apply_range(cut.reverse())
        self.stored = uses.intersect(made.apply_range(later))
        filled = self.births.intersect_range(_phase(self.time, 0))
        read_first = filled.intersect(uses.domain().unwrap())
        self.births = _coalesced(self.births.subtract(filled).union(read_first))
        released = self.stored if not self.slack else self._slack(uses)
        self.until = _coalesced(released.apply_range(cut).lexmax())

    def _cut(self) -> Any:
        """{ time -> step }: what happens at one step happens at once, reads first."""
        size = self.time.dim(DIM.set)
        same = isl.Map.identity(self.time.map_from_set())
        return same.project_out(DIM.out, self.kept, size - self.kept)

    def _slack(self, uses: Any) -> Any:
        """Lemma *slack*: a value stays until the k-th next beat of the stream that reads it."""
        found = self.stored.intersect_range(_phase(self.time, 2))
        for name in dict.fromkeys(name for name, _, _ in self.reads if name):
            times = self.program.statements[name]["times"]
            own: Any = None
            for reader, _, one in self.reads:
                if reader == name:
                    own = one if own is None else own.union(one)
            beats = _coalesced(own.range())
            if not times.is_injective():
                raise Unknown("slack where several instances of a statement share a time")
            later = isl.Map.lex_lt(self.time).intersect_domain(beats).intersect_range(beats)
            following = _coalesced(later.lexmin())
            moved = following
            for _ in range(self.slack - 1):
                moved = moved.apply_range(following)
            mine = self.stored.intersect(uses.intersect_range(beats))
            mine = mine.intersect(self._read_by(own, uses))
            rest = mine.subtract_range(moved.domain())
            end = isl.Map.from_domain_and_range(rest.domain(), _origin(self.time, 2))
            found = found.union(mine.apply_range(moved)).union(end)
        return _coalesced(found)

    def _read_by(self, own: Any, uses: Any) -> Any:
        """The uses whose read is one of `own` { x -> time }."""
        seen = uses.curry().range_reverse().uncurry()  # [x -> read] -> written
        return seen.intersect_domain(own.wrap()).curry().range_reverse().uncurry()

    def conflicts(self) -> Any:
        """Lemma *conflict*: one is written while a value of the other stays; both ways.

        A value stays from its write up to, without, its last reading step (with it if strict),
        and at least while it is written.
        """
        ends = (isl.Map.lex_ge if self.strict else isl.Map.lex_gt)(self.until.get_space().range())
        writes = _coalesced(self.births.range())
        at = self._cut().intersect_domain(writes).reverse()
        own = self.births.range_map()
        later = own.apply_range(isl.Map.lex_le(self.time)).intersect_range(writes)
        stays = self.until.apply_range(ends.apply_range(at)).intersect(later).union(own)
        meets = _coalesced(stays).apply_range(self.births.reverse()).domain_factor_domain()
        meets = meets.subtract(isl.Map.identity(meets.get_space()))
        return _coalesced(meets.union(meets.reverse()))

    def alive(self, moment: Any) -> Any:
        """Lemma *alive*: the elements with a value just after the writes at `moment`."""
        begun = self.births.range_map().apply_range(isl.Map.lex_le(self.time))
        ends = isl.Map.lex_gt(self.until.get_space().range())
        lasting = self.until.apply_range(ends).intersect_range(moment.apply(self._cut()))
        both = begun.intersect_range(moment).domain().intersect(lasting.domain())
        now = self.births.intersect_range(moment).domain()
        return _coalesced(both.unwrap().domain().union(now))


def _phase(time: Any, phase: int) -> Any:
    return isl.Set.universe(time).fix_val(DIM.set, 0, isl.Val(phase))


def _origin(time: Any, phase: int) -> Any:
    found = _phase(time, phase)
    for k in range(1, time.dim(DIM.set)):
        found = found.fix_val(DIM.set, k, isl.Val(0))
    return found


# ---- Classes of orders --------------------------------------------------------------------------


class Orders:
    """The orders of a class: what runs before what in all of them, on times [1, time..].

    `before` is within what they keep, and all of it where it `is_exact`; `fixed`: at the plan's
    values alone.
    """

    def __init__(self, program: Program, stated: dict[str, Any], arrays: Iterable[str]):
        self.program, self.fixed, self.is_exact = program, bool(stated["fixed"]), True
        rules = program.rules
        if rules["order"] == "iteration" or rules["slack"] or rules["lanes"]:
            raise False_("a class of orders, with steps, slack or lanes of one of them")
        self.times = {
            name: one["times"] if not self.fixed else self.fix(one["times"])
            for name, one in program.statements.items()
        }
        self.time = program.time
        self.events = isl.Set.empty(self.time)
        for times in self.times.values():
            if not times.is_injective() or not self.events.is_disjoint(times.range()):
                raise Unknown("a class of orders where instances share a time")
            self.events = _coalesced(self.events.union(times.range()))
        self.needed = self._dependences(set(arrays))
        match stated["schedules"]:
            case "sequential" | "tiled":
                self.before = self._banded(stated["bands"])
            case "any":
                self.before = self._closed()
            case "affine":
                if stated["symbolic"] and not self._is_uniform():
                    raise Unknown("no lemma here for affine schedules in the parameters")
                self.before = self._affine()
            case _:
                self.before = self._stated(stated["before"])
        own = self.before.intersect_domain(self.events).intersect_range(self.events)
        self.before = _coalesced(own.subtract(isl.Map.identity(own.get_space())))
        if not self.needed.is_subset(self.before):
            raise False_("an order of the class runs against a dependence")

    def fix(self, relation: Any) -> Any:
        found = at_values(relation, self.program.values)
        return found.align_params(self.program.context.get_space())

    def _dependences(self, planned: set[str]) -> Any:
        """Lemma *dependences*: values of all arrays; what is overwritten, where that is kept."""
        program = self.program
        found = isl.Map.empty(self.time.map_from_set())
        for array in dict.fromkeys(
            access["array"] for one in program.statements.values() for access in one["accesses"]
        ):
            size = next(
                access["relation"].dim(DIM.out)
                for one in program.statements.values()
                for access in one["accesses"]
                if access["array"] == array
            )
            own = accesses(program, array, size)
            writes = _coalesced(own.sure.union(own.maybe))
            found = found.union(values_seen(own, self.time).domain_factor_range().reverse())
            if array not in planned or not writes.is_single_valued():
                again = own.read.union(writes).reverse().apply_range(writes)
                found = found.union(again.intersect(isl.Map.lex_lt(self.time)))
        found = found.intersect_domain(self.events).intersect_range(self.events)
        found = self.fix(found) if self.fixed else found
        return _coalesced(found)

    def _banded(self, bands: list[dict[str, Any]]) -> Any:
        """Lemma *bands*: the outermost that differs decides; in a tiled one no row goes down."""
        equal = isl.Map.universe(self.time.map_from_set())
        found = isl.Map.empty(self.time.map_from_set())
        for band in bands:
            rows = self._rows(band["maps"])
            size = rows.dim(DIM.out)
            a, b = ([f"{n}{k}" for k in range(size)] for n in "ab")
            order = isl.Map.lex_lt(rows.range().get_space())
            if band["kind"] == "tiled":
                text = " and ".join(f"{x} <= {y}" for x, y in zip(a, b, strict=True))
                order = order.intersect(
                    isl.Map(f"{{ [{', '.join(a)}] -> [{', '.join(b)}] : {text} }}")
                )
            found = found.union(
                equal.intersect(rows.apply_range(order).apply_range(rows.reverse()))
            )
            equal = equal.intersect(rows.apply_range(rows.reverse()))
        return found.union(equal.intersect(isl.Map.lex_lt(self.time)))

    def _rows(self, maps: dict[str, str]) -> Any:
        """{ time -> rows } of a band."""
        found: Any = None
        for name, times in self.times.items():
            if name not in maps:
                raise False_(f"a band without rows of {name}")
            rows = self.program.map(maps[name], f"the rows of {name}")
            if rows.get_tuple_name(DIM.in_) != name or rows.dim(DIM.out) > MOST_TIME:
                raise False_(f"a band has no rows of {name}")
            own = times.reverse().apply_range(rows)
            if not times.range().is_subset(own.domain()) or not own.is_single_valued():
                raise False_(f"a band gives no one row to each instance of {name}")
            if found is not None and found.dim(DIM.out) != own.dim(DIM.out):
                raise False_("a band has rows of several lengths")
            found = own if found is None else found.union(own)
        return found

    def _stated(self, pairs: list[str]) -> Any:
        """Lemma *order*: the relation that is stated is a strict order, once equals are out."""
        found = isl.Map.empty(self.time.map_from_set())
        for text in pairs:
            relation = self.program.map(text, "class.before")
            ends = (relation.get_tuple_name(DIM.in_), relation.get_tuple_name(DIM.out))
            if not set(ends) <= set(self.times):
                raise False_("before is of other statements")
            first, second = (self.times[one] for one in ends)
            found = found.union(first.reverse().apply_range(relation).apply_range(second))
        found = _coalesced(found.subtract(isl.Map.identity(found.get_space())))
        if not found.is_disjoint(found.reverse()) or not found.apply_range(found).is_subset(found):
            raise False_("before is no order")
        return found

    def _closed(self) -> Any:
        """Lemma *closure*: no more than follows, by induction: C is in R, or R and then C."""
        once = self.needed
        if once.is_empty():
            return once
        for found in self._closures(once):
            if found.is_subset(once.union(once.apply_range(found))):
                self.is_exact = once.is_subset(found) and once.apply_range(found).is_subset(found)
                return found
        self.is_exact = False
        return once.union(once.apply_range(once))

    def _closures(self, once: Any) -> Iterator[Any]:
        yield once.transitive_closure()[0]
        apart = at_values(once, self.program.values).deltas()
        if count(apart) <= MOST_RAYS:
            rays = [tuple(map(int, one)) for one in listed(apart)]
            names = [f"x{k}" for k in range(len(rays[0]))]
            rows = [f"{_sum(one, names)} >= 0" for one in facets(rays)]
            inside = isl.Set(f"{{ [{', '.join(names)}] : {' and '.join(rows) or 'true'} }}")
            pairs = isl.Map.universe(self.time.map_from_set()).deltas_map()
            pairs = pairs.intersect_range(inside.align_params(self.time)).domain().unwrap()
            pairs = pairs.intersect_domain(self.events).intersect_range(self.events)
            yield pairs.subtract(isl.Map.identity(pairs.get_space()))
        if self.fixed:
            for _ in range(MOST_SQUARES):
                further = _coalesced(once.union(once.apply_range(once)))
                if further.is_subset(once):
                    break
                once = further
            yield once

    def _is_uniform(self) -> bool:
        """One statement, whose distances are the same at all parameters: so are its schedules."""
        (times, *others) = self.times.values()
        apart = times.apply_range(self.needed).apply_range(times.reverse()).deltas()
        here = self.fix(apart).intersect_params(self.program.context)
        return not others and bool(here.is_equal(apart.intersect_params(self.program.context)))

    def _affine(self) -> Any:
        """Lemma *affine schedules*: x before y in all legal ones, by Farkas: the row of y less
        that of x, with 1, lies in the cone of the dependences' rows with 1 each."""
        if not self.fixed and not self._is_uniform():
            raise Unknown("affine schedules of dependences that differ with the parameters")
        starts, size = {}, 0
        for name, times in self.times.items():
            starts[name] = size
            size += times.dim(DIM.in_) + 1

        rays = {(*[0] * size, -1)}  # sums of rows may be less by any number
        for x, y in product(self.times, repeat=2):
            pairs = self.times[x].apply_range(self.needed).apply_range(self.times[y].reverse())
            depth = pairs.dim(DIM.in_)
            for point in listed(at_values(pairs, self.program.values).wrap().flatten()):
                ray = [0] * size + [1]
                for name, own, sign in ((x, point[:depth], -1), (y, point[depth:], 1)):
                    for k, one in enumerate([*own, 1], start=starts[name]):
                        ray[k] += sign * one
                rays.add(tuple(ray))
        if len(rays) > MOST_POINTS:
            raise Unknown("too many dependences")
        sides = facets(sorted(rays))
        if all(side[-1] >= 0 for side in sides):
            raise False_("there is no affine schedule")
        found = isl.Map.empty(self.time.map_from_set())
        for x, y in product(self.times, repeat=2):
            a = [f"a{k}" for k in range(self.times[x].dim(DIM.in_))]
            b = [f"b{k}" for k in range(self.times[y].dim(DIM.in_))]
            lines = []
            for side in sides:
                earlier = _sum([-one for one in side[starts[x] :][: len(a)]], a)
                later = _sum(side[starts[y] :][: len(b)], b)
                constant = side[starts[y] + len(b)] - side[starts[x] + len(a)] + side[-1]
                lines.append(f"{earlier} + {later} + {constant} >= 0")
            conditions = " and ".join(lines) or "true"
            pairs = isl.Map(f"{{ {x}[{', '.join(a)}] -> {y}[{', '.join(b)}] : {conditions} }}")
            pairs = self.times[x].reverse().apply_range(pairs).apply_range(self.times[y])
            found = found.union(pairs)
        return found

    def conflicts(self, lives: Lives) -> Any:
        """Lemma *class*: in some order one is written neither before the other, nor after it and
        all its reads; both ways."""
        early, late = (_phase(self.time, phase) for phase in (0, 2))
        running = _phase(self.time, 1)
        always = isl.Map.from_domain_and_range(early, running.union(late))
        always = always.union(isl.Map.from_domain_and_range(running, late))
        before = self.before.union(always)
        weakly = before if lives.strict else before.union(isl.Map.identity(before.get_space()))
        births, stored = lives.births, lives.stored
        if self.fixed:
            births, stored = self.fix(births), self.fix(stored)
        own, writes = births.range_map(), _coalesced(births.range())
        unordered = _coalesced(isl.Map.from_domain_and_range(writes, writes).subtract(before))
        reads = _coalesced(isl.Map.from_domain_and_range(stored.range(), writes).subtract(weakly))
        late = (
            own.apply_range(unordered).union(stored.apply_range(reads)).apply_range(own.reverse())
        )
        meets = late.intersect(own.apply_range(unordered.reverse()).apply_range(own.reverse()))
        pairs = meets.domain_factor_domain().range_factor_domain()
        pairs = pairs.union(pairs.reverse())
        return _coalesced(pairs.subtract(isl.Map.identity(pairs.get_space())))


def facets(rays: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Lemma *cone*: the rows that are at least 0 on all sums of rays, none needless."""
    size = len(rays[0])
    kept: list[tuple[int, ...]] = []
    rows = [tuple(sign * (k == j) for j in range(size)) for k in range(size) for sign in (1, -1)]
    for ray in rays:
        side = {row: sum(a * b for a, b in zip(row, ray, strict=True)) for row in rows}
        if min(side.values()) >= 0:
            continue
        kept.append(tuple(ray))
        found = [row for row, value in side.items() if value >= 0]
        for (p, up), (q, down) in product(side.items(), repeat=2):
            if up > 0 > down:
                both = [up * b - down * a for a, b in zip(p, q, strict=True)]
                divisor = gcd(*both) or 1
                found.append(tuple(one // divisor for one in both))
        tight = {
            row: frozenset(
                k
                for k, one in enumerate(kept)
                if not sum(a * b for a, b in zip(row, one, strict=True))
            )
            for row in dict.fromkeys(found)
            if any(row)
        }
        narrow = {own for own in tight.values() if len(own) < len(kept)}
        rows = [
            row
            for own, row in {
                own if own in narrow else row: row for row, own in tight.items()
            }.items()
            if not (own in narrow and any(own < other for other in narrow))
        ]
        if len(rows) > MOST_SIDES:
            raise Unknown("a cone of many sides")
    return rows


def _sum(factors: Sequence[int], names: Sequence[str]) -> str:
    terms = (f"{one}*{name}" for one, name in zip(factors, names, strict=True))
    return " + ".join(f"({one})" if one[0] == "-" else one for one in terms) or "0"


# ---- That no two conflicting elements share a cell ----------------------------------------------


def at_values(points: Any, values: Values) -> Any:
    """A set or map at values of its parameters, without parameters."""
    for name, value in values.items():
        position = points.find_dim_by_name(DIM.param, name)
        if position >= 0:
            points = points.fix_val(DIM.param, position, isl.Val(value))
    return points.project_out(DIM.param, 0, points.dim(DIM.param))


def count(points: Any) -> int:
    """The points of a set without parameters."""
    if not points.is_bounded():
        raise Unknown("a set without end")
    return int(points.count_val().to_python())


def listed(points: Any) -> list[tuple[int, ...]]:
    """The points of a set without parameters."""
    many = count(points)
    if many > MOST_POINTS:
        raise Unknown(f"more than {MOST_POINTS} points")
    size = points.dim(DIM.set)
    if not many or not size:
        return [()] * many
    box = [
        (points.dim_min_val(k).to_python(), points.dim_max_val(k).to_python()) for k in range(size)
    ]
    if prod(high - low + 1 for low, high in box) == many:
        return list(product(*(range(low, high + 1) for low, high in box)))

    # "{ [1, -2] }": to ask for every coordinate takes three times as long.
    texts: list[str] = []
    _coalesced(points.flatten()).foreach_point(lambda point: texts.append(point.to_str()))
    return [tuple(map(int, text[text.index("[") + 1 : -3].split(", "))) for text in texts]


Modular = tuple[list[Poly], Poly]


def left_by(
    differences: Any, rows: list[Modular], program: Program, extents: list[Poly] | None
) -> Any:
    """The differences that the rows map to 0 modulo their moduli, without 0 itself."""
    left = differences.subtract(_zero(differences))
    for row, modulus in rows:
        if left.is_empty():
            break
        left = _coalesced(_multiples(left, row, modulus, program, extents))
    return left


def _zero(points: Any) -> Any:
    """The origin, in the space of some points."""
    zero = isl.Set(f"{{ [{', '.join(['0'] * points.dim(DIM.set))}] }}")
    return zero.align_params(points.get_space())


def _multiples(
    left: Any, row: list[Poly], modulus: Poly, program: Program, extents: list[Poly] | None
) -> Any:
    """Lemmas *affine row* and *row-major row*: the points where the row is a multiple of b."""
    constant = modulus.constant()
    try:
        kept = isl.Set.empty(left.get_space())
        for part, form in _forms(left, row):
            if constant is not None:
                kept = kept.union(_where(part, f"({form}) mod {constant} = 0", program))
            else:
                kept = kept.union(_affine_row(part, form, modulus, program))
        return kept
    except Unknown:
        if extents is None or constant is not None:
            raise
        return _row_major_but_small(left, row, modulus, program, extents)


def _where(part: Any, condition: str, program: Program) -> Any:
    names = ", ".join(f"d{k}" for k in range(part.dim(DIM.set)))
    return part.intersect(isl.Set(f"{program.head}{{ [{names}] : {condition} }}"))


def _forms(left: Any, row: list[Poly]) -> Iterator[tuple[Any, Poly]]:
    """(part, affine form): entries with parameters are multiplied by each value they meet."""
    symbolic = [k for k, entry in enumerate(row) if entry.constant() is None]
    ranges = []
    for k in symbolic:
        low, high = left.dim_min_val(k), left.dim_max_val(k)
        if not (low.is_int() and high.is_int()):
            raise Unknown("a row whose factors and differences grow together")
        if high.to_python() - low.to_python() > 2 * MOST_MULTIPLES:
            raise Unknown("a row whose factors meet many differences")
        ranges.append(range(low.to_python(), high.to_python() + 1))
    for choice in product(*ranges):
        part, form = left, Poly()
        for k, value in zip(symbolic, choice, strict=True):
            part = part.fix_val(DIM.set, k, isl.Val(value))
            form = form + row[k] * value
        for k, entry in enumerate(row):
            if k not in symbolic:
                form = form + Poly.of(f"d{k}") * entry
        if not part.is_empty():
            if not form.is_affine():
                raise Unknown("a row with products of parameters")
            yield part, form


def _affine_row(part: Any, form: Poly, modulus: Poly, program: Program) -> Any:
    """-(J+1) b < f < (J+1) b on the part: then f is a multiple of b iff it is j b, |j| <= J."""
    if not modulus.is_affine():
        raise Unknown("a modulus with products of parameters")
    for most in range(MOST_MULTIPLES + 1):
        limit = modulus * (most + 1)
        if _where(part, f"{form} >= {limit} or {form} <= {limit * -1}", program).is_empty():
            cases = " or ".join(f"{form} = {modulus * j}" for j in range(-most, most + 1))
            return _where(part, cases, program)
    raise Unknown(f"a row reaches more than {MOST_MULTIPLES} multiples of its modulus")


def _row_major_but_small(
    left: Any, row: list[Poly], modulus: Poly, program: Program, extents: list[Poly]
) -> Any:
    """The row-major row, and its multiples one by one at few least values of the only parameter,
    where the modulus may have no such digits."""
    try:
        return _row_major(left, row, modulus, program, extents)
    except Unknown:
        if len(program.names) != 1:
            raise
        (name,), line = program.names, left.params()
        line = isl.Set.from_params(line).move_dims(DIM.set, 0, DIM.param, 0, 1)
        if not line.dim_min_val(0).is_int():
            raise
        least = line.dim_min_val(0).to_python()
        for start in range(least + 1, least + 1 + MOST_SMALL):
            larger = left.intersect_params(
                isl.Set(f"{program.head}{{ : {name} >= {start} }}").params()
            )
            try:
                kept = _row_major(larger, row, modulus, program, extents)
            except Unknown:
                continue
            for value in range(least, start):
                here = {name: Poly.of(value)}
                there = left.intersect_params(
                    isl.Set(f"{program.head}{{ : {name} = {value} }}").params()
                )
                terms = (Poly.of(f"d{k}") * one.with_(here) for k, one in enumerate(row))
                form = sum(terms, start=Poly())
                text = f"({form}) mod {modulus.with_(here)} = 0"
                kept = kept.union(_where(there, text, program))
            return kept
        raise


def _row_major(
    left: Any, row: list[Poly], modulus: Poly, program: Program, extents: list[Poly]
) -> Any:
    """A row whose factors are products of extents: f = j b digit by digit, with carries.

    With u_k = s_k d_k - j digit_k: u_last = c r_last, u_mid + c = c' r_mid, .., u_slow + c'' = 0.
    """
    for axes, signs in _axes(row, extents):
        radices = [extents[axis] for axis in axes[1:]]
        for digits in _digits(modulus, radices):
            for most, carry in product((1, 2), (1, 2, 3)):
                forms = [Poly.of(f"d{a}") * s for a, s in zip(axes, signs, strict=True)]
                if _carries_suffice(left, forms, digits, radices, most, carry, program):
                    return _by_digits(left, forms, digits, radices, most, carry, program)
    raise Unknown("a row with products of parameters that is no row-major order")


def _axes(row: list[Poly], extents: list[Poly]) -> Iterator[tuple[list[int], list[int]]]:
    used = [k for k, entry in enumerate(row) if entry.terms]
    for order in permutations(used):
        stride = Poly.of(1)
        signs: list[int] = []
        for axis in reversed(order):
            if row[axis] != stride and row[axis] != stride * -1:
                break
            signs.insert(0, 1 if row[axis] == stride else -1)
            stride = stride * extents[axis]
        if len(signs) == len(used):
            yield list(order), signs


def _digits(value: Poly, radices: list[Poly]) -> Iterator[list[Poly]]:
    """Digits of a value, slowest first: sum of digit times the product of faster radices."""
    if not radices:
        if value.is_affine():
            yield [value]
        return
    radix = radices[-1]
    for name in sorted(radix.names()):
        found = _divided(value, radix, name)
        if found is None:
            continue
        for shift in (0, 1, -1):
            digit = found[1] + radix * shift
            if digit.is_affine():
                for rest in _digits(found[0] - shift, radices[:-1]):
                    yield [*rest, digit]


def _divided(value: Poly, radix: Poly, name: str) -> tuple[Poly, Poly] | None:
    """Quotient and rest by a radix in which the parameter has the factor 1."""
    if name in (radix - Poly.of(name)).names():
        return None
    quotient = Poly()
    for _ in range(LARGEST_EXPONENT):
        found = next(((key, one) for key, one in value.terms.items() if name in key), None)
        if found is None:
            return quotient, value
        left = list(found[0])
        left.remove(name)
        part = Poly({tuple(left): found[1]})
        quotient, value = quotient + part, value - part * radix
    return None


def _carries_suffice(
    left: Any,
    forms: list[Poly],
    digits: list[Poly],
    radices: list[Poly],
    most: int,
    carry: int,
    program: Program,
) -> bool:
    """|u_k| + C < (C+1) r_k at j = -(J+1) and J+1, and (J+1) digit_slow -+ s d_slow >= C+1."""
    far = most + 1
    wrong = [f"{digits[0] * far + forms[0] * sign} < {carry + 1}" for sign in (1, -1)]
    for form, digit, radix in zip(forms[1:], digits[1:], radices, strict=True):
        limit = radix * (carry + 1) - carry
        for j in (far, -far):
            u = form - digit * j
            wrong += [f"{u} >= {limit}", f"{u * -1} >= {limit}"]
    return bool(_where(left, " or ".join(f"({one})" for one in wrong), program).is_empty())


def _by_digits(
    left: Any,
    forms: list[Poly],
    digits: list[Poly],
    radices: list[Poly],
    most: int,
    carry: int,
    program: Program,
) -> Any:
    cases = []
    for j in range(-most, most + 1):
        u = [form - digit * j for form, digit in zip(forms, digits, strict=True)]
        for carries in product(range(-carry, carry + 1), repeat=len(radices)):
            into = [*carries, 0]  # into[k] goes from the next faster digit into digit k
            lines = [f"{u[0] + into[0]} = 0"]
            for k, radix in enumerate(radices, start=1):
                lines.append(f"{u[k] + into[k]} = {radix * carries[k - 1]}")
            cases.append(f"({' and '.join(lines)})")
    return _where(left, " or ".join(cases), program)


def positive(value: Poly, where: Any, program: Program) -> bool:
    """Lemma *moduli*: at least 1 at some parameters; of products, by these above their least."""
    if value.is_affine():
        return bool(where.is_subset(isl.Set(f"{program.head}{{ : {value} >= 1 }}").params()))
    above = {}
    for k, name in enumerate(program.names):
        line = isl.Set.from_params(where).move_dims(DIM.set, 0, DIM.param, k, 1)
        least = line.project_out(DIM.param, 0, line.dim(DIM.param)).dim_min_val(0)
        if not least.is_int():
            return False
        above[name] = Poly.of(name) + least.to_python()
    shifted = value.with_(above)
    rest = {key: one for key, one in shifted.terms.items() if key}
    plain = all(isinstance(atom, str) for key in rest for atom in key)
    return plain and min(rest.values(), default=0) >= 0 and shifted.terms.get((), 0) >= 1


def residues(
    divisors: Iterable[int], program: Program, rounded: Collection[str] | None = None
) -> Iterator[tuple[Any, dict[str, Poly]]]:
    """Lemma *residue classes*: (context, formulas of the parameters) without quotients, each.

    Only those that are `rounded` stand in quotients; None for all.
    """
    step = lcm(*divisors)
    names = [name for name in program.names if rounded is None or name in rounded]
    if step ** len(names) > MOST_CLASSES:
        raise Unknown("many residue classes")
    for rests in product(range(step), repeat=len(names)):
        shift = {name: Poly.of(name) for name in program.names}
        shift |= {n: Poly.of(n) * step + r for n, r in zip(names, rests, strict=True)}
        inside = _scaled(program.context, shift, program)
        if not inside.is_empty():
            yield inside, shift


Rows = list[list[Poly]]


def apart_by_kernel(
    differences: Any, rows: list[Modular], kernel: Rows, where: Any, program: Program
) -> bool:
    """Lemma *kernel*: its generators make all that shares a cell, and hold no difference but 0."""
    size = differences.dim(DIM.set)
    if len(kernel) != size or any(len(one) != size for one in kernel):
        raise False_(f"a kernel needs {size} generators")
    for (row, b), generator in product(rows, kernel):
        value = sum((x * y for x, y in zip(row, generator, strict=True)), start=Poly())
        if not any(value == b * k for k in range(-MOST_MULTIPLES, MOST_MULTIPLES + 1)):
            raise False_("a generator is not in the kernel")
    cells = prod((b for _, b in rows), start=Poly.of(1))
    if determinant(kernel) not in (cells, cells * -1):
        raise False_("the kernel has another number of classes than there are cells")
    chosen = combinations(range(size), len(rows))
    minors = (determinant([[row[k] for k in columns] for row, _ in rows]) for columns in chosen)
    if not any(one.constant() in (1, -1) for one in minors):
        raise Unknown("the map is not known to reach every cell")
    fixed = [k for k, one in enumerate(kernel) if all(x.constant() is not None for x in one)]
    moving = [k for k in range(size) if k not in fixed]
    factors = [
        range(-most, most + 1)
        for most in (_most(differences, kernel, k, cells, where, program) for k in moving)
    ]
    names = ", ".join(f"d{k}" for k in range(size))
    for choice in product(*factors):
        lines = []
        for axis in range(size):
            known = zip(choice, moving, strict=True)
            form = sum((kernel[k][axis] * f for f, k in known), start=Poly())
            form = form + sum((Poly.of(f"q{k}") * kernel[k][axis] for k in fixed), start=Poly())
            if not form.is_affine():
                raise Unknown("a kernel with products of parameters")
            lines.append(f"d{axis} = {form}")
        exists = f"exists {', '.join(f'q{k}' for k in fixed)} : " if fixed else ""
        points = isl.Set(f"{program.head}{{ [{names}] : {exists}{' and '.join(lines)} }}")
        if not differences.is_disjoint(points):
            return False
    return True


def _most(differences: Any, kernel: Rows, k: int, cells: Poly, where: Any, program: Program) -> int:
    """The largest factor of a generator in any difference, by Cramer's rule."""
    others = [one for i, one in enumerate(kernel) if i != k]
    sides = []
    for axis in range(len(kernel)):
        minor = determinant([[x for j, x in enumerate(one) if j != axis] for one in others])
        signed = next((m for m in (minor, minor * -1) if positive(m + 1, where, program)), None)
        if signed is None:
            raise Unknown("a generator whose sign is not known")
        pieces: list[Any] = []
        differences.dim_max(axis).coalesce().foreach_piece(
            lambda at, one, to=pieces: to.append((at.params(), one))
        )
        sides.append([(at, signed * affine(one)) for at, one in pieces])
    for most in range(MOST_MULTIPLES + 1):
        for choice in product(*sides):
            at = reduce(lambda a, b: a.intersect(b), (one for one, _ in choice), where)
            reach = sum((one for _, one in choice), start=Poly())
            if not at.is_empty() and not positive(cells * (most + 1) - reach, at, program):
                break
        else:
            return most
    raise Unknown("the factors of a generator are not known to be few")


def determinant(rows: Rows) -> Poly:
    """By the first row."""
    if not rows:
        return Poly.of(1)
    first, *rest = rows
    minors = ([[x for j, x in enumerate(row) if j != k] for row in rest] for k in range(len(first)))
    terms = (
        x * determinant(m) * (-1) ** k for k, (x, m) in enumerate(zip(first, minors, strict=True))
    )
    return sum(terms, start=Poly())


# ---- Counting for all parameters ----------------------------------------------------------------


def count_is(points: Any, expr: Poly, where: Any, program: Program) -> None:
    """Lemma *counting*: a set has as many points as a formula says, at all parameters of `where`.

    For each residue class of the parameters, variables are summed out one after the other; where
    bounds compete, the space is split by the tightest. Raises False_ or Unknown.
    """
    whole = points.intersect_params(where)
    hull = isl.Set.from_basic_set(whole.simple_hull()).gist_params(where)
    if points.n_basic_set() > 1 and hull.intersect_params(where).is_equal(whole):
        points = hull  # in one piece there
    divisors = expr.divisors()
    for piece in points.union(isl.Set.empty(points.get_space())).compute_divs().get_basic_sets():
        for k in range(piece.dim(DIM.div)):
            divisors.add(int(piece.get_div(k).get_denominator_val().to_python()))
    for _, shift in residues(divisors, program):
        inside = _scaled(where, shift, program)
        if inside.is_empty():
            continue
        parts = [(inside, Poly())]
        for domain, terms in _contributions(_scaled(points, shift, program), program):
            split = []
            for region, total in parts:
                both, other = region.intersect(domain), region.subtract(domain)
                split += [(both, total + terms)] if not both.is_empty() else []
                split += [(other, total)] if not other.is_empty() else []
            parts = split
            if len(parts) > MOST_REGIONS:
                raise Unknown("a count of many regions")
        for region, total in parts:
            _equal_on(region, total - expr.with_(shift), program)


def _scaled(points: Any, shift: dict[str, Poly], program: Program) -> Any:
    """The set with step * n + residue in place of each parameter n."""
    if not program.names:
        return points
    old = [f"old_{name}" for name in program.names]
    for k, name in enumerate(old):
        points = points.set_dim_name(DIM.param, k, name)
    given = " and ".join(f"old_{name} = {form}" for name, form in shift.items())
    head = f"[{', '.join([*old, *program.names])}] -> "
    both = isl.Set(f"{head}{{ : {given} }}").params()
    points = points.align_params(both.get_space()).intersect_params(both)
    return points.project_out(DIM.param, 0, len(old))


def _equal_on(region: Any, difference: Poly, program: Program) -> None:
    """Whether a polynomial is 0 on a set of parameters, by the equalities that hold there."""
    if not difference.terms:
        return
    line = isl.Set.from_params(region).move_dims(DIM.set, 0, DIM.param, 0, len(program.names))
    if line.is_bounded() and count(line) <= 64:
        for point in listed(line):
            if difference.at(dict(zip(program.names, point, strict=True))):
                raise False_("a count is not what its formula says")
        return
    _equal_along(line, difference, program.names)


def _equal_along(line: Any, difference: Poly, names: Sequence[str]) -> None:
    """The same for tuples of parameters: where bounds are near each other, place by place."""
    for name, value in _equalities(line, names):
        difference = difference.with_({name: value})
    if not difference.terms:
        return
    space = isl.LocalSpace.from_space(line.get_space())
    for whole in line.get_basic_sets():
        piece = whole.detect_equalities().remove_redundancies()
        for is_equal, row in _rows(piece.remove_divs()):
            form = isl.Aff.zero_on_domain(space).set_constant_val(isl.Val(row[-1]))
            for k, factor in enumerate(row[:-1]):
                form = form.set_coefficient_val(DIM.in_, k, isl.Val(factor))
            most = None if is_equal else piece.max_val(form)
            if most is None or not most.is_int() or most.to_python() >= MOST_VALUES:
                continue
            for place in range(most.to_python() + 1):
                here = form.add_constant_val(isl.Val(-place)).zero_basic_set()
                part = isl.Set.from_basic_set(piece.intersect(here))
                if not part.is_empty():
                    _equal_along(part, difference, names)
            break
        else:
            raise False_("a count is not what its formula says")


def _equalities(line: Any, names: Sequence[str]) -> Iterator[tuple[str, Poly]]:
    """Names and what they are on a set of parameters, to be put in place one after the other."""
    hull = line.affine_hull()
    forms = [row for is_equal, row in _rows(hull.remove_divs()) if is_equal]
    while forms:
        form = forms.pop()
        column = next((k for k in range(len(names)) if form[k]), None)
        if column is None:
            continue
        factor = Fraction(-1, form[column])
        yield names[column], _form(form, list(names), column) * factor
        forms = [
            [one * form[column] - other * row[column] for one, other in zip(row, form, strict=True)]
            for row in forms
        ]


def _contributions(points: Any, program: Program) -> Iterator[tuple[Any, Poly]]:
    """(parameters, polynomial) to be added up there, over disjoint pieces of the set."""
    budget = [MOST_REGIONS]
    for piece in points.make_disjoint().compute_divs().get_basic_sets():
        flat = _lifted(piece)
        size = len(program.names)
        names = [*program.names, *(f"v{k}" for k in range(flat.dim(DIM.set)))]
        flat = flat.move_dims(DIM.set, 0, DIM.param, 0, size)
        for rest, terms in _summed(flat, Poly.of(1), names, list(range(size, len(names))), budget):
            found = isl.Set.from_basic_set(rest)
            found = found.project_out(DIM.set, size, found.dim(DIM.set) - size)
            for k, name in enumerate(program.names):
                found = found.set_dim_name(DIM.set, k, name)
            yield found.move_dims(DIM.param, 0, DIM.set, 0, size).params(), terms


def _lifted(piece: Any) -> Any:
    """A basic set with its integer divisions as further dimensions, each with its definition."""
    many, size = piece.dim(DIM.div), piece.dim(DIM.set)
    if not many:
        return piece
    flat = piece.lift().flatten()
    space = isl.LocalSpace.from_space(flat.get_space())
    for position in range(many):
        form = piece.get_div(position)
        divisor = form.get_denominator_val()
        rest = isl.Aff.zero_on_domain(space).set_constant_val(form.get_constant_val().mul(divisor))
        columns = [(DIM.param, k, DIM.param, k) for k in range(piece.dim(DIM.param))]
        columns += [(DIM.in_, k, DIM.in_, k) for k in range(size)]
        columns += [(DIM.div, k, DIM.in_, size + k) for k in range(many)]
        for kind, k, target, place in columns:
            factor = form.get_coefficient_val(kind, k).mul(divisor)
            rest = rest.set_coefficient_val(target, place, factor)
        rest = rest.set_coefficient_val(DIM.in_, size + position, divisor.neg())
        for bound in (rest, rest.neg().add_constant_val(divisor.sub(isl.Val(1)))):
            flat = flat.add_constraint(isl.Constraint.inequality_from_aff(bound))
    return flat


def _rows(piece: Any) -> list[tuple[bool, list[int]]]:
    """(whether equal to 0, factors and the constant last) of the constraints of a basic set."""
    printer = isl.Printer.to_str(piece.get_ctx()).set_output_format(isl.format.POLYLIB)
    lines = printer.print_basic_set(piece).get_str().splitlines()[1:]
    found = [list(map(int, line.split())) for line in lines]
    return [(kind == 0, row) for kind, *row in found]


def _value_by_value(
    piece: Any, terms: Poly, names: list[str], free: list[int], budget: list[int]
) -> Iterator[tuple[Any, Poly]]:
    """The sum where bounds have factors, by the values of a dimension that has few."""
    whole = isl.Set.from_basic_set(piece)
    for k in free:
        low, high = whole.dim_min_val(k), whole.dim_max_val(k)
        if low.is_int() and high.is_int() and high.sub(low).to_python() < MOST_VALUES:
            for value in range(low.to_python(), high.to_python() + 1):
                part = piece.fix_val(DIM.set, k, isl.Val(value))
                yield from _summed(part, terms, names, free, budget)
            return
    raise Unknown("a count whose bounds have factors")


def _summed(
    piece: Any, terms: Poly, names: list[str], free: list[int], budget: list[int]
) -> Iterator[tuple[Any, Poly]]:
    """The sum of a polynomial over the free dimensions, in pieces without any."""
    piece = piece.detect_equalities().remove_redundancies()
    if piece.is_empty():
        return
    budget[0] -= 1
    if budget[0] < 0:
        raise Unknown(f"a count of more than {MOST_REGIONS} regions")
    if not free:
        yield piece, terms
        return
    rows = _rows(piece)
    for is_equal, row in rows:
        unit = next((k for k in free if is_equal and abs(row[k]) == 1), None)
        if unit is not None:
            value = _form([-row[unit] * entry for entry in row], names, unit)
            rest = piece.eliminate(DIM.set, unit, 1)
            left = [k for k in free if k != unit]
            yield from _summed(rest, terms.with_({names[unit]: value}), names, left, budget)
            return
    ready = [k for k in free if all(abs(row[k]) <= 1 for _, row in rows)]
    if not ready:
        yield from _value_by_value(piece, terms, names, free, budget)
        return
    column = min(ready, key=lambda k: sum(row[k] > 0 for _, row in rows))
    lows = [[-one for one in row] for _, row in rows if row[column] > 0]
    highs = [row for _, row in rows if row[column] < 0]
    if not lows or not highs:
        raise Unknown("a set without end")
    for low, high in product(range(len(lows)), range(len(highs))):
        part = piece
        for other in range(len(lows)):
            part = _at_least(part, lows[low], lows[other], other < low, other != low, column)
        for other in range(len(highs)):
            part = _at_least(part, highs[other], highs[high], other < high, other != high, column)
        if part.is_empty():
            continue
        ends = [_form(one, names, column) for one in (lows[low], highs[high])]
        total = _sum_over(terms, names[column], ends[0], ends[1])
        rest = part.eliminate(DIM.set, column, 1)
        left = [k for k in free if k != column]
        yield from _summed(rest, total, names, left, budget)


def _form(row: list[int], names: list[str], column: int) -> Poly:
    """The affine form of a row without one column."""
    found = Poly.of(row[-1])
    for k, name in enumerate(names):
        if k != column and row[k]:
            found = found + Poly.of(name) * row[k]
    return found


def _at_least(
    part: Any, left: list[int], right: list[int], more: bool, wanted: bool, column: int
) -> Any:
    """The part where one bound is at least another one, or above it."""
    if not wanted:
        return part
    constraint = isl.Constraint.inequality_alloc(part.get_local_space())
    for k in range(len(left) - 1):
        if k != column:
            constraint = constraint.set_coefficient_val(DIM.set, k, isl.Val(left[k] - right[k]))
    return part.add_constraint(
        constraint.set_constant_val(isl.Val(left[-1] - right[-1] - int(more)))
    )


def _sum_over(terms: Poly, name: str, low: Poly, high: Poly) -> Poly:
    """The sum of a polynomial over low <= name <= high, by Faulhaber's formulas."""
    total = Poly()
    for key, factor in terms.terms.items():
        power = sum(atom == name for atom in key)
        rest = Poly({tuple(atom for atom in key if atom != name): factor})
        total = total + rest * (_powers(power, high) - _powers(power, low - 1))
    return total


def _powers(power: int, last: Poly) -> Poly:
    """0^k + 1^k + .. + last^k."""
    found: list[Poly] = []
    for k in range(power + 1):
        total = prod([last + 1] * (k + 1), start=Poly.of(1))
        if k == 0:
            total = total - 0
        binomial = 1
        for i in range(k):
            total = total - found[i] * binomial
            binomial = binomial * (k + 1 - i) // (i + 1)
        found.append(total * Fraction(1, k + 1))
    return found[power]


# ---- A second way: the program is played at values of its parameters ----------------------------


Point = tuple[int, ...]


def images(relation: Any) -> dict[Point, list[Point]]:
    """{ point: its images } of a map without parameters."""
    found: dict[Point, list[Point]] = {}
    pieces: list[tuple[Any, Any]] = []
    if relation.is_single_valued():
        relation.as_pw_multi_aff().foreach_piece(lambda where, to: pieces.append((where, to)))
    if not pieces or not all(
        _is_integer(to.get_at(k)) for _, to in pieces for k in range(to.dim(DIM.out))
    ):
        size = relation.dim(DIM.in_)
        for row in listed(relation.wrap().flatten()):
            found.setdefault(row[:size], []).append(row[size:])
        return found
    for where, to in pieces:
        forms = [to.get_at(k) for k in range(to.dim(DIM.out))]
        rows = [
            (
                one.get_constant_val().to_python(),
                [one.get_coefficient_val(DIM.in_, k).to_python() for k in range(one.dim(DIM.in_))],
            )
            for one in forms
        ]
        plain = [(c, [(k, f) for k, f in enumerate(row) if f]) for c, row in rows]
        for point in listed(where):
            image = tuple(c + sum(f * point[k] for k, f in row) for c, row in plain)
            found.setdefault(point, []).append(image)
    return found


def _step(elements: Any, axis: int) -> int:
    """By how much neighbours along an axis differ; raises Unknown where not always by as much."""
    size = elements.dim(DIM.set)
    line = elements.project_out(DIM.set, axis + 1, size - axis - 1).project_out(DIM.set, 0, axis)
    step = int(line.get_stride(0).to_python())
    on = isl.Map(f"{{ [x] -> [y] : exists (k : k >= 0 and y = x + {step}*k) }}")
    on = on.align_params(line.get_space())
    between = isl.Set.from_basic_set(line.polyhedral_hull())
    if not line.lexmin().apply(on).intersect(between).is_subset(line):
        raise Unknown("the written elements are no box")
    return step


def _is_integer(form: Any) -> bool:
    """Whether a form has integers alone: x / 2 has not, nor what is rounded."""
    factors = [form.get_coefficient_val(DIM.in_, k) for k in range(form.dim(DIM.in_))]
    return not form.dim(DIM.div) and all(x.is_int() for x in (form.get_constant_val(), *factors))


@dataclass
class Value:
    """A value of an element: when it was written, who reads it, and its last reading step.

    `uses` are (time, stream, number), `stored` those in a later step; `until` is (-1,) where there
    are none.
    """

    element: Point
    born: Point
    uses: list[tuple[Point, str, int]]
    stored: list[tuple[Point, str, int]]
    until: Point = (-1,)


# The values written at a time, all that lie in cells just then by number, and of how many elements.
Moment = tuple[list[Value], dict[int, Value], int]


class Play:
    """The program at values of its parameters, access by access; isl lists points, no more."""

    def __init__(self, program: Program, values: Values, planned: Iterable[str]):
        self.program, self.values, self.planned = program, values, set(planned)
        self.known: dict[str, tuple[list[tuple[Point, Point]], list[dict[Point, list[Point]]]]] = {}
        if program.context.is_disjoint(program.point(values)):
            raise Refused("--at is outside of the context")

    def _statement(self, name: str) -> Any:
        """(time, instance) of a statement in order, and the images of each access."""
        if name not in self.known:
            one = self.program.statements[name]
            if count(at_values(one["domain"], self.values)) > MOST_POINTS:
                raise Unknown(f"more than {MOST_POINTS} instances")
            times = images(at_values(one["times"], self.values))
            relations = (at_values(access["relation"], self.values) for access in one["accesses"])
            ordered = sorted((time, x) for x, (time,) in times.items())
            self.known[name] = (ordered, list(map(images, relations)))
        return self.known[name]

    def lives(
        self,
        array: str,
        *,
        order: str | None = None,
        slack: int | None = None,
        operands: Iterable[tuple[str, int]] | None = None,
        takes: Any = None,
    ) -> list[Value]:
        """The values of an array in the order of their writes, as `Lives` has them."""
        rules, wanted = self.program.rules, None if operands is None else set(operands)
        kept = 1 + rules["step" if (order or rules["order"]) == "iteration" else "time"]
        taken = None if takes is None else set(listed(at_values(takes, self.values)))
        start, end = ((phase, *[0] * rules["time"]) for phase in (0, 2))
        found = [Value(element, start, [], []) for element in self._live("live_in", array)]
        now = {one.element: [one] for one in found}  # what a read of an element may see
        beats: dict[str, list[Point]] = {}
        for time, group in groupby(self._events(array), key=lambda one: one[0]):
            events = list(group)
            for _, kind, stream, number, element in events:
                counts = wanted is None or (stream, number) in wanted
                if "write" in kind or not counts:
                    continue
                for value in now.get(element, []):
                    value.uses.append((time, stream, number))
                beats.setdefault(stream, []).append(time)
                if kind != "may-read" and element not in now and array in self.planned:
                    raise False_(f"{array}{list(element)} is read, and nothing has written it")
            for _, kind, _, _, element in events:
                if "write" in kind and (taken is None or element in taken):
                    found.append(Value(element, time, [], []))
                    earlier = now.get(element, []) if kind == "may-write" else []
                    now[element] = [*earlier, found[-1]]
        drain = (f"m_{array}_drain", 0)
        if wanted is None or drain in wanted:
            for element in self._live("live_out", array):
                for value in now.get(element, []):
                    value.uses.append((end, *drain))
        far = rules["slack"] if slack is None else slack
        ordered = {stream: sorted(set(own)) for stream, own in beats.items()}
        for value in found:
            value.stored = [use for use in value.uses if use[0][:kept] > value.born[:kept]]
            for time, stream, _ in value.stored:
                if far and time != end:
                    own = ordered[stream]
                    place = bisect_right(own, time) + far - 1
                    time = own[place] if place < len(own) else end
                value.until = max(value.until, time[:kept])
        return [one for one in found if one.born != start or one.uses]

    def _live(self, key: str, array: str) -> list[Point]:
        elements = self.program.live(key, array)
        return [] if elements is None else listed(at_values(elements, self.values))

    def _events(self, array: str) -> list[tuple[Point, str, str, int, Point]]:
        """(time, kind, stream, number, element) of all accesses of an array, in order of time."""
        found = []
        for name, one in self.program.statements.items():
            own = [k for k, access in enumerate(one["accesses"]) if access["array"] == array]
            if not own:
                continue
            instances, relations = self._statement(name)
            first = 1 + self.program.rules["step"]
            ends = [time[first : first + len(self.program.rules["lanes"])] for time, _ in instances]
            lanes = {end: k for k, end in enumerate(sorted(set(ends)))}
            many = sum(one["accesses"][k]["kind"] in READS for k in own)
            for (time, x), end in zip(instances, ends, strict=True):
                for k in own:
                    access = one["accesses"][k]
                    number = (access["operand"] or 0) + many * lanes[end]
                    if access["kind"] == "look":
                        number = -1
                    for element in relations[k].get(x, ()):
                        found.append((time, access["kind"], f"m_{array}_{name}", number, element))
        found.sort(key=lambda one: one[0])
        return found

    def moments(self, values: list[Value], strict: bool = False) -> Iterator[Moment]:
        """What lies in cells, write after write; strict: until a read is over."""
        alive: dict[int, Value] = {}
        held: Counter[Point] = Counter()
        ends: list[tuple[Point, int]] = []
        number = 0
        for time, group in groupby(values, key=lambda one: one.born):
            while ends and ends[0][0] <= (now := time[: len(ends[0][0])]):
                if strict and ends[0][0] == now:
                    break
                element = alive.pop(heapq.heappop(ends)[1]).element
                held[element] -= 1
                if not held[element]:
                    del held[element]
            born = list(group)
            for value in born:
                alive[number] = value
                held[value.element] += 1
                heapq.heappush(ends, (value.until, number))
                number += 1
            yield born, alive, len(held)

    def meetings(self, values: list[Value], strict: bool = False) -> set[tuple[Point, Point]]:
        """Elements one of which is written while the other lies in its cell."""
        found: set[tuple[Point, Point]] = set()
        for born, alive, _ in self.moments(values, strict):
            if len(found) + len(alive) > MOST_PAIRS:
                raise Unknown(f"more than {MOST_PAIRS} conflicts")
            found |= {(a.element, b.element) for b in born for a in alive.values()}
        return {pair for pair in found if pair[0] != pair[1]}

    # -- classes of orders

    def kept_by(self, stated: dict[str, Any]) -> Callable[[Point, Point], bool]:
        """Whether every order of a class runs the instance of one time before that of another."""
        names = list(self.program.statements)
        if stated["schedules"] in ("sequential", "tiled"):
            rows = [
                (band["kind"] == "tiled", self._by_time(band["maps"])) for band in stated["bands"]
            ]
            return lambda x, y: _in_bands(rows, x, y)
        if stated["schedules"] == "affine":
            raise Unknown("affine schedules are not enumerated")
        after: dict[Point, set[Point]] = {}
        if stated["schedules"] == "before":
            for text in stated["before"]:
                relation = self.program.map(text, "class.before")
                x, y = (relation.get_tuple_name(kind) for kind in (DIM.in_, DIM.out))
                times = [{p: t for t, p in self._statement(one)[0]} for one in (x, y)]
                for point, to in images(at_values(relation, self.values)).items():
                    if point in times[0]:
                        own = after.setdefault(times[0][point], set())
                        own |= {times[1][one] for one in to if one in times[1]} - {times[0][point]}
            return lambda x, y: y in after.get(x, ())
        for x, y in self._needed():
            after.setdefault(x, set()).add(y)
        every = sorted(time for name in names for time, _ in self._statement(name)[0])
        if len(every) ** 2 > MOST_PAIRS:
            raise Unknown(f"more than {MOST_PAIRS} pairs of instances")
        for time in reversed(every):
            own = after.setdefault(time, set())
            own |= set().union(*(after[one] for one in own))
        return lambda x, y: y in after.get(x, ())

    def _by_time(self, maps: dict[str, str]) -> dict[Point, Point]:
        """The rows of a band, by the time of the instance."""
        found: dict[Point, Point] = {}
        for name in self.program.statements:
            rows = images(at_values(self.program.map(maps[name], "a band"), self.values))
            found |= {time: rows[x][0] for time, x in self._statement(name)[0]}
        return found

    def _needed(self) -> Iterator[tuple[Point, Point]]:
        """Dependences: values of all arrays, and what is overwritten, where that is kept."""
        arrays = {a["array"] for one in self.program.statements.values() for a in one["accesses"]}
        for array in arrays:
            values = self.lives(array)
            yield from (
                (one.born, time)
                for one in values
                for time, _, _ in one.uses
                if one.born[0] == time[0]
            )
            if array in self.planned and len({one.element for one in values}) == len(values):
                continue
            touched: dict[Point, list[tuple[Point, bool]]] = {}
            for time, kind, _, _, element in self._events(array):
                touched.setdefault(element, []).append((time, "write" not in kind))
            for own in touched.values():
                writes = sorted({time for time, is_read in own if not is_read})
                for time, _ in own:
                    yield from ((time, one) for one in writes[bisect_right(writes, time) :])

    def class_meetings(
        self, values: list[Value], before: Callable[[Point, Point], bool], strict: bool
    ) -> set[tuple[Point, Point]]:
        """Elements that some order of a class keeps in their cells at once."""
        if len(values) ** 2 > MOST_PAIRS:
            raise Unknown(f"more than {MOST_PAIRS} pairs of values")

        def precedes(x: Point, y: Point) -> bool:
            return x[0] < y[0] or (x[0] == y[0] == 1 and before(x, y))

        def is_free(a: Value, b: Value) -> bool:
            """Whether b is written after a and all its uses, in every order."""
            uses = (time for time, _, _ in a.stored)
            return precedes(a.born, b.born) and all(
                precedes(time, b.born) or (time == b.born and not strict) for time in uses
            )

        return {
            pair
            for a, b in product(values, repeat=2)
            if a.element != b.element and not is_free(a, b) and not precedes(b.born, a.born)
            for pair in ((a.element, b.element), (b.element, a.element))
        }


def _coalesced(relation: Any) -> Any:
    """The relation in fewer pieces; as it is where isl, as it may, fails at one of them."""
    try:
        return relation.coalesce()
    except isl.Error:
        return relation


def in_turn(values: list[Value]) -> None:
    """Lemma *FIFO*, its order: a beat reads each value, in however many operands; beats in the
    order of writes, some in the step that writes it."""
    if any(len({(time, stream) for time, stream, _ in one.uses}) != 1 for one in values):
        raise False_("values are not read once each")
    reads = [one.uses[0][0] for one in values]
    if reads != sorted(reads) or len(set(reads)) < len(reads):
        raise False_("values are not read in the order of writes")


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
    order, reads = isl.Map.lex_lt(writes.get_space()), _coalesced(source.domain())
    if not source.is_injective() or not writes.is_subset(source.range()):
        raise False_("values are not read once each")
    turned = order.intersect_domain(reads).intersect_range(reads)
    turned = source.reverse().apply_range(turned).apply_range(source)
    if not source.is_single_valued() or not turned.is_subset(order):
        raise False_("values are not read in the order of writes")
    cut = at_values(lives._cut(), values)
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
    writes = _coalesced(births.range())
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
    found = _coalesced(relation)
    if found.n_basic_map() > MOST_PIECES:
        raise Unknown(f"times whose relation has more than {MOST_PIECES} pieces")
    return found


def by_rank(values: list[Value], taps: dict[tuple[str, int], int], cut: int) -> None:
    """Lemma *rank*: what an operand reads was written so many writes before the newest.

    `cut` entries of a time make a beat, whose lanes are there at once; 0: of other kinds of loops.
    """
    born = [one.born[:cut] if cut else one.born for one in values]
    for number, value in enumerate(values):
        for time, stream, k in value.uses:
            newest = (bisect_right(born, time[:cut]) if cut else bisect_left(born, time)) - 1
            if newest - number != taps[stream, k]:
                raise False_(f"{stream}.{k} is {newest - number} behind the newest at {time}")


def _in_bands(bands: list[tuple[bool, dict[Point, Point]]], x: Point, y: Point) -> bool:
    for is_tiled, rows in bands:
        if rows[x] != rows[y]:
            one, other = rows[x], rows[y]
            return all(a <= b for a, b in zip(one, other, strict=True)) if is_tiled else one < other
    return x < y


# ---- The claims ---------------------------------------------------------------------------------


@dataclass
class Part:
    """A part of an array: as stated, its memory, who reads from it, and what lives in it."""

    name: str
    array: dict[str, Any]
    stated: dict[str, Any]
    memory: dict[str, Any]
    operands: list[tuple[str, int]]
    takes: Any
    lives: Any


class Judge:
    """Goes through all claims of a plan; notes what proved each leaf, what is false, or open."""

    def __init__(self, document: dict[str, Any]):
        self.document = document
        self.program = Program(document)
        self.values = self.program.values
        self.lemmas: dict[KeyPath, str] = {}
        self.false: list[str] = []
        self.open: dict[KeyPath, str] = {}
        self.lives: dict[str, Lives] = {}
        self.differences: dict[str, Any] = {}
        self.pairs: dict[str, Any] = {}

    @cached_property
    def play(self) -> Play:
        """The program at the plan's values."""
        return Play(self.program, self.values, self.document["arrays"])

    def claim(self, paths: KeyPath | list[KeyPath], lemma: str, prove: Any) -> bool:
        """Whether `prove` ends without an objection: then the leaves below `paths` are proved."""
        paths = paths if isinstance(paths, list) else [paths]
        try:
            prove()
        except False_ as reason:
            self.false.append(f"{joined(paths[0])}: {reason}")
        except Unknown as reason:
            self.open |= {path: str(reason) for path in paths}
        except isl.Error as error:
            text = str(error).splitlines()[0][:80] if str(error) else "isl gives up"
            self.open |= dict.fromkeys(paths, text)
        else:
            self.lemmas |= dict.fromkeys(paths, lemma)
            return True
        return False

    def judge(self) -> None:
        for name, array in self.document["arrays"].items():
            self._array(name, array, ("arrays", name))
        where: KeyPath = ("orders", "host")
        self.claim(where, "every two that meet keep their order", self._order_of_c)
        self._memories()
        self.claim(("streams",), "streams", self._streams)

    # -- arrays

    def _array(self, name: str, array: dict[str, Any], path: KeyPath) -> None:
        if len(array["index"]) > MOST_INDEX or len(set(array["index"])) < len(array["index"]):
            raise Refused(f"{joined(path)}.index has more than {MOST_INDEX} names, or one twice")
        self.claim((*path, "element", "bits"), "element", lambda: self._element(array))
        self.claim((*path, "declared"), "extents", lambda: self._declared(array))
        if not self.claim((*path, "conflicts"), "conflict", lambda: self._conflicts(name, array)):
            return
        if "class" in array:
            self.lemmas[*path, "class"] = "class"
        where: KeyPath = (*path, "holdings", "hardware")
        self._hardware(name, array, array["holdings"]["hardware"], where)
        host = array["holdings"]["host"]
        if host is not None:
            self._host(name, array, host, (*path, "holdings", "host"))

    def _element(self, array: dict[str, Any]) -> None:
        found = re.fullmatch(r"u?int([1-9]\d?)|float|double", array["element"]["type"])
        if found is None:
            raise False_(f"{array['element']['type']} is no type")
        bits = int(found[1]) if found[1] else {"float": 32, "double": 64}[found[0]]
        _same("bits", array["element"]["bits"], bits)

    def _declared(self, array: dict[str, Any]) -> None:
        declared, extents = array["declared"], array["extents"]
        if (declared is None) != (extents is None):
            raise False_("declared goes with extents")
        if extents is None:
            return
        _same("extents", len(extents), len(array["index"]))
        cells = prod(map(self.program.poly, extents), start=Poly.of(1))
        if cells != self.program.poly(declared["expr"]):
            raise False_("it is not the product of the extents")
        _same("cells", declared["cells"], cells.at(self.values))

    def _conflicts(self, name: str, array: dict[str, Any]) -> None:
        """Those in the file are those that follow from the program."""
        stated, size = array["conflicts"], len(array["index"])
        if stated is None:
            raise Unknown("the conflicts are not stated")
        given = self.program.set(stated["differences"], f"arrays.{name}.conflicts.differences")
        if given.dim(DIM.set) != size:
            raise False_("the differences have other dimensions than the index")
        given = given.reset_tuple_id()
        zero = isl.Set(f"{{ [{', '.join(['0'] * size)}] }}").align_params(given.get_space())
        given = given.union(zero.intersect_params(self.program.context))
        self.differences[name] = given
        if self.program.rules is None:
            self._given(array, given)
            return
        if stated["pairs"] is not None or stated["elements"] is not None:
            raise False_("pairs and elements go with a plan without a program")
        lives = self.lives[name] = Lives(self.program, name, size)
        self.pairs[name] = own = lives.conflicts()
        if "class" not in array:
            if not own.deltas().union(zero).intersect_params(self.program.context).is_equal(given):
                raise False_("they are not the conflicts of the program")
            return
        stated = array["class"]
        orders = Orders(self.program, stated, self.document["arrays"])
        self.pairs[name] = pairs = orders.conflicts(lives)
        found = pairs.deltas().union(zero).intersect_params(self.program.context)
        if orders.fixed:
            found, given, own = orders.fix(found), orders.fix(given), orders.fix(own)
        is_exact = orders.is_exact and stated["relation"] == "exact"
        if not (found.is_equal(given) if is_exact else found.is_subset(given)):
            raise False_("they are not the conflicts of the class")
        if not orders.is_exact and stated["relation"] == "exact":
            raise Unknown("what all orders of the class keep is not known to be all")
        _same("class.outside", stated["outside"], not own.is_subset(pairs))

    def _given(self, array: dict[str, Any], given: Any) -> None:
        """Without a program they are the hypothesis, with pairs the differences of these."""
        if not given.is_equal(given.neg()):
            raise False_("the differences are not symmetric")
        if array["conflicts"]["pairs"] is not None:
            pairs = self.program.map(array["conflicts"]["pairs"], "conflicts.pairs")
            if not pairs.deltas().reset_tuple_id().is_subset(given):
                raise False_("a pair has another difference")

    # -- what holds them

    def _hardware(
        self, name: str, array: dict[str, Any], held: dict[str, Any], path: KeyPath
    ) -> None:
        self._parts(name, array, held["parts"], path)
        self.claim([(*path, "words"), (*path, "bits")], "sum", lambda: self._sums(name, held))
        wires = any(self._kind(part) == "wire" for part in held["parts"])

        def bounded() -> None:
            if (self.program.rules or {}).get("capacity") == "selftimed":
                if held["bound"] is not None:
                    raise False_("processes that run by themselves have no order to count in")
            elif held["bound"] is not None:
                self._bound(name, array, held["bound"], held["words"], [], self.lives.get(name))
            elif not wires and held["words"] > 1:
                self._bounded(name, array)

        self.claim((*path, "bound"), "bound", bounded)
        for k, part in enumerate(held["parts"]):
            where = (*path, "parts", k, "lattice")
            self.claim(where, "lattice", lambda part=part: self._lattice(name, array, held, part))
        self.claim((*path, "standing"), "standing", lambda: self._standing(held))
        scopes = [self._scope(part) for part in held["parts"]]
        self.claim((*path, "certificate"), "weakest", lambda: self._weakest(held, scopes))

    def _bounded(self, name: str, array: dict[str, Any]) -> None:
        """What lives at once is stated wherever it can be counted: nobody may leave it out."""
        if self.program.rules is None or "class" in array:
            return
        births = at_values(self.lives[name].births, self.values).wrap()
        if 0 < count(births) <= MOST_SWEPT:
            raise False_("how many elements are alive at once is not stated")

    def _lattice(
        self, name: str, array: dict[str, Any], held: dict[str, Any], part: dict[str, Any]
    ) -> None:
        """A bound of modular mappings is of one that is all that holds the array."""
        bound, whole = part["lattice"], held["bound"]
        if bound is None:
            return
        if len(held["parts"]) != 1 or part["mapping"] is None:
            raise False_("it is of no mapping of the whole array")
        known = [] if whole is None else [(whole["kind"], whole["cells"])]
        self._bound(name, array, bound, part["mapping"]["cells"], known, self.lives.get(name))

    def _sums(self, name: str, held: dict[str, Any]) -> None:
        """Words and bits are those of the memories, and of the branch FIFOs at them."""
        words = bits = 0
        for part in held["parts"]:
            memory = self._memory(part)
            words, bits = words + memory["words"], bits + memory["words"] * memory["bits"]
            own = [str(stream) for stream, _ in part["operands"]]
            names = {f"m_{part['memory']}_{one.removeprefix(f'm_{name}_')}": one for one in own}
            for one in self.document["elastic"]:
                stream, inner = one["stream"], f"s_{part['memory']}_"
                if stream in names or stream.startswith(inner):
                    values = own.count(names[stream]) if stream in names else 1
                    words, bits = words + one["beats"] * values, bits + one["beats"] * one["bits"]
        _same("words", held["words"], words)
        _same("bits", held["bits"], bits)

    def _standing(self, held: dict[str, Any]) -> None:
        """The words beside the bounds: those of all, and of modular mappings where one is all."""
        words, bound = held["words"], held["bound"]
        lattice = held["parts"][0]["lattice"] if len(held["parts"]) == 1 else None
        gap = "" if bound is None else f"{words - bound['cells']} above {_kind(bound)}"
        if words <= 1:
            found = "optimal"
        elif bound is not None and bound["cells"] == words:
            found = "optimal for the class" if "points" in (bound["witness"] or {}) else "optimal"
        elif lattice is not None and lattice["cells"] == words:
            found = ", ".join(["optimal among modular mappings", *([gap] if gap else [])])
        else:
            found = gap or "no bound known"
        _same("standing", held["standing"], found)

    def _scope(self, part: dict[str, Any]) -> str:
        """What a part is proved for: its mapping or its taps; words of a FIFO are a number."""
        if part["mapping"] is not None:
            return str(part["mapping"]["certificate"]["scope"])
        sure = part["taps_expr"] is not None or (part["taps"] is not None and not any(part["taps"]))
        return "all-parameters" if sure else "at"

    def _weakest(self, held: dict[str, Any], scopes: list[str]) -> None:
        scope = "all-parameters" if set(scopes) == {"all-parameters"} else "at"
        _same("scope", held["certificate"]["scope"], scope)
        at = {} if scope == "all-parameters" else self.document["params"]
        _same("at", held["certificate"]["at"], at)
        if len(held["parts"]) == 1 and held["parts"][0]["mapping"] is not None:
            _same("certificate", held["certificate"], held["parts"][0]["mapping"]["certificate"])
        elif "kernel" in held["certificate"]:
            raise False_("a kernel is of a mapping")

    # -- mappings

    def _mapping(
        self, name: str, array: dict[str, Any], mapping: dict[str, Any], lives: Lives | None
    ) -> None:
        """No two conflicting elements share a cell: for all parameters, or at the plan's."""
        certificate, size, program = mapping["certificate"], len(array["index"]), self.program
        everywhere = certificate["scope"] == "all-parameters"
        if certificate["at"] != ({} if everywhere else self.document["params"]):
            raise False_("certificate.at has not the plan's parameters")
        if not mapping["pieces"]:
            raise False_("it has no pieces")
        total, domains = 0, []
        for piece in mapping["pieces"]:
            rows = self._rows(piece, size)
            total += prod(b.at(self.values) for _, b in rows)
            differences = self.differences[name] if lives is None else lives.conflicts().deltas()
            if piece["domain"] is not None:
                domain = program.set(piece["domain"], "a domain").reset_tuple_id()
                if domain.dim(DIM.set) != size:
                    raise False_("a domain has other dimensions than the index")
                domains.append(domain)
                pairs = self.pairs.get(name) if lives is None else lives.conflicts()
                if pairs is None:
                    raise Unknown("pieces of given conflicts")
                differences = pairs.intersect_domain(domain).intersect_range(domain).deltas()
            kernel = certificate.get("kernel", [])
            if everywhere:
                generators = [[program.poly(one) for one in row] for row in kernel]
                self._separated(array, differences, rows, generators)
                continue
            if kernel:
                raise False_("a kernel goes with a proof for all parameters")
            plain = program.context.get_space()

            def fixed(formula: Poly) -> Poly:
                return Poly.of(formula.at(self.values))

            if any(b.at(self.values) < 1 for _, b in rows):
                raise False_("a modulus is less than 1")
            at = [([fixed(e) for e in row], fixed(b)) for row, b in rows]
            self._apart_by_rows(at_values(differences, self.values).align_params(plain), at, None)
        _same("cells", mapping["cells"], total)
        self._pieces(name, domains, len(mapping["pieces"]), lives)

    def _separated(
        self, array: dict[str, Any], differences: Any, rows: list[Modular], kernel: Rows
    ) -> None:
        """No difference is in the kernel of the rows, for all parameters, class by class."""
        extents = array["extents"]
        strides = None if extents is None else [self.program.poly(one) for one in extents]
        formulas = [e for row, b in rows for e in (*row, b)] + [e for row in kernel for e in row]
        divisors = set().union(*(one.divisors() for one in formulas))
        rounded = set().union(*(one.rounded() for one in formulas))
        for where, shift in residues(divisors, self.program, rounded):
            own = _scaled(differences, shift, self.program)
            changed = [([e.with_(shift) for e in row], b.with_(shift)) for row, b in rows]
            for _, b in changed:
                if not positive(b, where, self.program):
                    raise (False_ if b.is_affine() else Unknown)(f"{b.shown()} may be less than 1")
            if kernel:
                generators = [[e.with_(shift) for e in row] for row in kernel]
                own = own.subtract(_zero(own))
                if not apart_by_kernel(own, changed, generators, where, self.program):
                    raise False_("a difference of conflicting elements is in the kernel")
            else:
                sides = None if strides is None else [one.with_(shift) for one in strides]
                self._apart_by_rows(own, changed, sides)

    def _apart_by_rows(self, differences: Any, rows: list[Modular], sides: Any) -> None:
        left = left_by(differences, rows, self.program, sides)
        if not left.is_empty():
            point, size = left.sample_point(), left.dim(DIM.set)
            apart = [point.get_coordinate_val(DIM.set, k).to_python() for k in range(size)]
            raise False_(f"conflicting elements {apart} apart share a cell")

    def _rows(self, piece: dict[str, Any], size: int) -> list[Modular]:
        """The rows of a piece, whose numbers are those of its formulas."""
        many = len(piece["modulus"])
        for key in ("matrix", "matrix_value", "modulus_value", "offset", "offset_value"):
            _same(key, len(piece[key]), many)
        rows = []
        for k in range(many):
            row, b = map(self.program.poly, piece["matrix"][k]), piece["modulus"][k]
            rows.append((list(row), self.program.poly(b)))
            _same("a row", len(rows[-1][0]), size)
            _same(
                "matrix_value", piece["matrix_value"][k], [e.at(self.values) for e in rows[-1][0]]
            )
            _same("modulus_value", piece["modulus_value"][k], rows[-1][1].at(self.values))
            offset = self.program.poly(piece["offset"][k]).at(self.values)
            _same("offset_value", piece["offset_value"][k], offset)
        return rows

    def _pieces(self, name: str, domains: list[Any], many: int, lives: Lives | None) -> None:
        """Every element is in one piece."""
        if not domains and many == 1:
            return
        own = lives or self.lives.get(name)
        if len(domains) != many or own is None:
            raise False_("several pieces, of which one has no domain")
        rest = own.births.domain()
        for domain in domains:
            if not domain.intersect(own.births.domain()).is_subset(rest):
                raise False_("an element is in two pieces")
            rest = rest.subtract(domain)
        if not rest.is_empty():
            raise False_("an element is in no piece")

    # -- bounds

    def _bound(
        self,
        name: str,
        array: dict[str, Any],
        bound: dict[str, Any],
        size: int,
        known: list[tuple[str, int]],
        lives: Lives | None,
    ) -> None:
        kind, witness, cells = bound["kind"], bound["witness"], bound["cells"]
        keys = {"max-live": "moment", "live-at": "moment", "exhaustive": "from", "width": "points"}
        given = list(witness or {})
        if given != [keys.get(kind, "elements")] and (kind, given) != ("clique", ["points"]):
            raise (Unknown if witness is None else False_)(f"it has no witness for {kind}")
        if "moment" not in witness and bound["expr"] is not None:
            raise False_(f"a {kind} has no formula")
        if kind != "difference-clique" and cells > size:
            raise False_(f"it is above the {size} words that hold the array")
        if "moment" in witness:
            self._max_live(bound, lives)
        elif "points" in witness:
            self._width(name, array, cells, witness["points"])
        elif kind == "exhaustive":
            self._exhaustive(name, cells, witness["from"], known)
        else:
            self._clique(name, array, bound)

    def _max_live(self, bound: dict[str, Any], lives: Lives | None) -> None:
        """Lemma *max-live*: so many elements are alive just after one moment."""
        program, moment = self.program, bound["witness"]["moment"]
        if lives is None:
            raise False_("there is no time without a program")
        expr, where = bound["expr"], program.context
        if isinstance(expr, list):
            where = program.set(expr[0]["when"], "when").params().intersect(where)
            expr = expr[0]["expr"]
            if where.intersect(program.point()).is_empty():
                raise False_("its formula is for other parameters")
        if moment is None:
            _same("cells", bound["cells"], 1)
            if expr != "1" or not where.is_subset(lives.births.domain().params()):
                raise False_("there may be no value at all")
            if bound["kind"] == "max-live":
                self._sweep(lives, 1)
            return
        at = program.set(moment, "moment")
        if at.dim(DIM.set) != program.rules["time"] + 1 or not _is_point(at):
            raise False_("the moment is no one [phase, time..]")
        alive = lives.alive(at)
        number = count(at_values(alive, self.values))
        if number != bound["cells"]:
            raise False_(f"{number} elements are alive then, not {bound['cells']}")
        if expr is not None:
            count_is(alive, program.poly(expr), where, program)
        if bound["kind"] == "max-live":
            self._sweep(lives, number)

    def _sweep(self, lives: Lives, most: int) -> None:
        """Lemma *sweep*: no moment has more elements alive, at the plan's values."""
        births = at_values(lives.births, self.values)
        size = births.dim(DIM.in_)
        if count(births.wrap()) > MOST_SWEPT:
            raise Unknown(f"more than {MOST_SWEPT} writes: it is a live-at")
        ends = images(at_values(lives.until, self.values).flatten_domain())
        rows = sorted(listed(births.wrap().flatten()), key=lambda row: row[size:])
        values = [Value(row[:size], row[size:], [], [], *ends.get(row, ())) for row in rows]
        held = max((held for *_, held in self.play.moments(values)), default=0)
        if held > most:
            raise False_(f"{held} elements are alive at another time, not {most}")

    def _clique(self, name: str, array: dict[str, Any], bound: dict[str, Any]) -> None:
        """Lemma *difference clique*: any two of so many points are a difference apart."""
        points = self.program.set(bound["witness"]["elements"], "elements")
        points = at_values(points, self.values)
        if points.dim(DIM.set) != len(array["index"]):
            raise False_("its elements have other dimensions than the index")
        _same("cells", bound["cells"], count(points))
        within = at_values(self.differences[name], self.values)
        apart = isl.Map.from_domain_and_range(points, points).deltas()
        if not apart.is_subset(within):
            raise False_("two of its elements do not conflict")
        if bound["kind"] == "clique":
            if self.program.rules is not None or array["conflicts"]["pairs"] is not None:
                raise False_("of given differences alone any two such elements conflict")
            stated = array["conflicts"]["elements"]
            if stated is not None:
                elements = self.program.set(stated, "conflicts.elements").reset_tuple_id()
                if not points.is_subset(at_values(elements, self.values)):
                    raise False_("its elements are not elements of the array")

    def _width(self, name: str, array: dict[str, Any], cells: int, points: list[list[int]]) -> None:
        """Lemma *width*: of so many elements any two conflict in some order of the class."""
        size = len(array["index"])
        if "class" not in array or any(len(one) != size for one in points):
            raise False_("it is no bound of elements of a class")
        _same("cells", cells, len(set(map(tuple, points))))
        within = at_values(self.pairs[name], self.values)
        every = set(map(tuple, points))
        for point in every:
            own = within
            for k, value in enumerate(point):
                own = own.fix_val(DIM.in_, k, isl.Val(value))
            if not every - {point} <= set(listed(own.range())):
                raise False_(f"not every other of its elements conflicts with {list(point)}")

    def _exhaustive(self, name: str, cells: int, first: int, known: list[tuple[str, int]]) -> None:
        """Lemma *exhaustive*: every lattice of fewer cells holds a difference that is not 0."""
        if first > max((value for _, value in known), default=1):
            raise Unknown(f"no bound proved here excludes lattices of fewer than {first} cells")
        if first > cells:
            raise False_("it begins above its cells")
        if first == cells:
            return
        points = listed(at_values(self.differences[name], self.values))
        table: dict[tuple[int, ...], set[int]] = {}
        for *prefix, last in points:
            if any(prefix) or last:
                table.setdefault(tuple(prefix), set()).add(last)
        budget = MOST_LATTICES
        for determinant in range(first, cells):
            for pivots in _factors(determinant, len(points[0])):
                budget -= prod(p**k for k, p in enumerate(pivots))
                if budget < 0:
                    raise Unknown(f"more than {MOST_LATTICES} lattices")
                free = _free_lattice(table, pivots)
                if free is not None:
                    raise False_(f"the lattice {free} of {determinant} cells holds no difference")

    # -- parts

    def _parts(
        self, name: str, array: dict[str, Any], parts: list[dict[str, Any]], path: KeyPath
    ) -> None:
        program = self.program
        where: list[KeyPath] = [(*path, "parts", k) for k in range(len(parts))]
        if program.rules is None:
            self.claim(where, "one RAM", lambda: self._given_part(name, array, parts))
            return
        wanted = [op for op, _ in self._operands(name)]
        served = [(str(s), int(k)) for part in parts for s, k in part["operands"]]
        dead = {s for s, _ in served} - {s for s, _ in wanted}

        def divide() -> None:
            if array.get("state") and not self._is_kept(name):
                raise False_("what a run leaves is not what the next one finds")
            if sorted(op for op in served if op[0] not in dead) != sorted(wanted):
                raise False_("the parts do not serve each operand of the read streams once")
            for stream in dead:
                statement = stream.removeprefix(f"m_{name}_")
                if statement not in program.statements:
                    raise False_(f"{stream} is no stream of {name}")
            if len({part["memory"] for part in parts}) != len(parts) or not parts:
                raise False_("two parts are in one memory, or there is none")
            if len(parts) > 1 and (program.rules["lanes"] or program.live("live_in", name)):
                raise False_("an array of unrolled loops, or live before the run, is in one part")

        if not self.claim((*path, "parts"), "operands", divide):
            return
        del self.lemmas[*path, "parts"]
        for k, part in enumerate(parts):
            self.claim(
                where[k],
                self._kind(part),
                lambda part=part: self._part(name, array, part, len(parts)),
            )

    def _held(self, name: str) -> list[dict[str, Any]]:
        """The parts of an array; none of one that is not planned."""
        array = self.document["arrays"].get(name)
        return [] if array is None else list(array["holdings"]["hardware"]["parts"])

    def _kind(self, part: dict[str, Any]) -> str:
        memory = self.document["memories"].get(part["memory"])
        return "part" if memory is None else str(memory["kind"])

    def _given_part(self, name: str, array: dict[str, Any], parts: list[dict[str, Any]]) -> None:
        """Lemma *one RAM*: given conflicts have no streams, and one mapping alone."""
        _same("parts", len(parts), 1)
        (stated,) = parts
        own = {key: stated[key] for key in ("memory", "mapping", "lattice")}
        if stated != {**dict.fromkeys(stated), **own, "operands": [], "base": 0}:
            raise False_("it is no mapping in one RAM")
        if stated["mapping"] is None:
            raise False_("it has no mapping")
        self._mapping(name, array, stated["mapping"], None)
        self._fits(Part("", array, stated, self._memory(stated), [], None, None), 1)

    def _operands(self, name: str) -> list[tuple[tuple[str, int], Any]]:
        """((stream, number), instances -> elements) of all reads that have beats; drains last."""
        found: list[tuple[tuple[str, int], Any]] = []
        if self._has_no_streams(name):
            return found
        for statement in self.program.statements:
            own = self._reads(statement, name)
            if all(at_values(one, self.values).is_empty() for one in own):
                continue
            number = 0
            for _, instances in self._lanes(statement):
                for relation in own:
                    key = (f"m_{name}_{statement}", number)
                    found.append((key, relation.intersect_domain(instances)))
                    number += 1
        drain = None if self._is_state(name) else self._drain(name)
        if drain is not None and not at_values(drain, self.values).is_empty():
            found.append(((f"m_{name}_drain", 0), None))
        return found

    def _live_operands(
        self, name: str, operands: list[tuple[str, int]]
    ) -> list[tuple[tuple[str, int], Any]]:
        """Lemma *operands*: those of a part that have beats, in the order of its taps."""
        known = dict(self._operands(name))
        return [(one, known[one]) for one in operands if one in known]

    def _has_no_streams(self, name: str) -> bool:
        """Whether data decide what is accessed: no stream can bring that. State may have none."""
        parts = self._held(name)
        if self._is_state(name) and not any(part["operands"] for part in parts):
            return True
        kinds = {
            access["kind"]
            for one in self.program.statements.values()
            for access in one["accesses"]
            if access["array"] == name
        }
        if "look" in kinds and "read" not in kinds and self._drain(name) is None:
            return True  # for filters alone
        return self.program.is_decided(name)

    def _is_state(self, name: str) -> bool:
        return bool(self.document["arrays"][name].get("state"))

    def _is_kept(self, name: str) -> bool:
        """Whether the same elements are live before and after."""
        first, last = self.program.live("live_in", name), self._drain(name)
        if first is None or last is None:
            return first is last
        return bool(first.is_equal(last))

    def _drain(self, name: str) -> Any:
        return self.program.live("live_out", name)

    def _reads(self, statement: str, name: str) -> list[Any]:
        accesses = self.program.statements[statement]["accesses"]
        return [a["relation"] for a in accesses if a["array"] == name and a["kind"] in READS]

    def _lanes(self, statement: str) -> list[tuple[tuple[int, ...], Any]]:
        """(lane, its instances) that a statement has; one where nothing is unrolled."""
        one, rules = self.program.statements[statement], self.program.rules
        if not rules["lanes"]:
            return [((), one["domain"])]
        found = []
        for lane in product(*(range(size) for size in rules["lanes"])):
            times = one["times"]
            for k, value in enumerate(lane, start=1 + rules["step"]):
                times = times.fix_val(DIM.out, k, isl.Val(value))
            if not at_values(times.domain(), self.values).is_empty():
                found.append((lane, times.domain()))
        return found

    def _memory(self, part: dict[str, Any]) -> dict[str, Any]:
        memory = self.document["memories"].get(part["memory"])
        if memory is None:
            raise False_(f"there is no memory {part['memory']}")
        found: dict[str, Any] = memory
        return found

    def _part(self, name: str, array: dict[str, Any], stated: dict[str, Any], many: int) -> None:
        """What its operands read lies where the part says."""
        memory, takes = self._memory(stated), None
        if stated["takes"] is not None:
            takes = self.program.set(stated["takes"], "takes").reset_tuple_id()
            if takes.dim(DIM.set) != len(array["index"]):
                raise False_("takes has other dimensions than the index")
        operands = [(str(s), int(k)) for s, k in stated["operands"]]
        whole = many == 1 and takes is None and stated["mapping"] is not None
        counted = None if self.program.rules["lanes"] else operands
        lives = self.lives[name]
        if not whole:
            lives = Lives(self.program, name, len(array["index"]), operands=counted, takes=takes)
        part = Part(name, array, stated, memory, operands, takes, lives)
        kind, banks = memory["kind"], any(stated[key] is not None for key in _BANKS)
        if stated["mapping"] is not None:
            if kind not in ("ram", "banked", "registers", "window") or stated["taps"] is not None:
                raise False_(f"it has a mapping, and taps or a memory of kind {kind}")
            if kind == "window" and not banks:
                self._window(part)
                self._fits(part, self._ports(part))
                return
            self._mapping(name, array, stated["mapping"], None if whole else lives)
            if kind == "banked":
                self._banked(part)
            elif banks:
                raise False_("it has banks in one RAM")
            else:
                self._fits(part, self._ports(part))
            return
        if stated["base"] or banks or kind not in ("wire", "registers", "chain", "fifo"):
            raise False_(f"no mapping, but a base, banks or a memory of kind {kind}")
        if any(stream == f"m_{name}_drain" for stream, _ in operands):
            raise False_("it is drained, and nothing stays in it")
        if (stated["taps"] is None) != (kind == "fifo"):
            raise False_(f"taps do not go with a memory of kind {kind}")
        if memory["copies"] != 1 or memory["banks"] != 1:
            raise False_(f"a {kind} has no copies or banks")
        _same("bits", memory["bits"], array["element"]["bits"])
        if kind == "fifo":
            self._fifo(part)
        else:
            self._chain(part)

    def _window(self, part: Part) -> None:
        """Lemma *window*: a write has the cell of its number, and waits for all who read it."""
        mapping, rules = part.stated["mapping"], self.program.rules
        if rules.get("capacity") != "selftimed":
            raise False_("a window is for processes that run by themselves")
        at = {"scope": "at", "at": self.document["params"]}
        if mapping["certificate"] != mapping["certificate"] | at:
            raise False_("it is not for the plan's parameters")
        _same("pieces", [one["domain"] for one in mapping["pieces"]], [None])
        ((_, modulus),) = self._rows(mapping["pieces"][0], len(part.array["index"]))
        words = modulus.at(self.values)
        _same("cells", mapping["cells"], words)
        if words < 1:
            raise False_("a modulus is less than 1")
        cell = self._cells(mapping, self.values)
        values = self.play.lives(part.name, operands=part.operands, takes=part.takes)
        if len({one.element for one in values}) < len(values):
            raise False_("an element is written twice")
        first = cell(values[0].element)[1] if values else 0
        for number, one in enumerate(values):
            if cell(one.element) != (0, (first + number) % words):
                raise False_(f"write {number} of {list(one.element)} has not the cell of its turn")
        self._fires()

    def _fires(self) -> None:
        if self._waiting:
            raise False_(f"processes do not come to their end: {self._waiting} waits for itself")

    @cached_property
    def _waiting(self) -> str:
        """Lemma *firing*: an instance that waits for itself; "" where there is none.

        A process fires its instances in their order, each once what it reads is written and what
        it writes has a place. A FIFO of w words has one for a write when the value w writes before
        is read, a window when all have read the one in its cell; other arrays keep the order of
        the schedule. Where no instance waits for itself all fire, however fast each process is.
        """
        before: dict[tuple[str, Point], set[tuple[str, Point]]] = {}
        turns: dict[str, list[tuple[Point, str]]] = {}
        for name in self.program.statements:
            queue = turns.setdefault(self.program.rules["statements"][name]["process"], [])
            queue += [(time, name) for time, _ in self.play._statement(name)[0]]
        process_of: dict[str, str] = {}
        for process, own in turns.items():
            own.sort()
            process_of |= dict.fromkeys((name for _, name in own), process)
            last = None
            for time, name in own:
                before[name, time] = set() if last is None else {last}
                last = (name, time)
        for array in {a["array"] for s in self.program.statements.values() for a in s["accesses"]}:
            events = self.play._events(array)
            held: list[Any] = [*self._held(array)]
            held = held or [None]
            for part in held:
                if part and self._memory(part)["kind"] in ("fifo", "window"):
                    writer = {t: s[3 + len(array) :] for t, kind, s, *_ in events if kind in WRITES}
                    for one, other in self._waits(array, part, self._memory(part), writer):
                        before[one] |= {other} - {one}
                    continue
                seen: dict[bool, dict[str, tuple[str, Point]]] = {True: {}, False: {}}
                for time, kind, stream, number, _ in events:
                    is_write, name = kind in WRITES, stream[3 + len(array) :]
                    if is_write or not part or [stream, number] in part["operands"]:
                        before[name, time] |= set(seen[not is_write].values()) - {(name, time)}
                        seen[is_write][process_of[name]] = (name, time)
        followers: dict[tuple[str, Point], list[tuple[str, Point]]] = {}
        left = {one: len(those) for one, those in before.items()}
        for one, those in before.items():
            for other in those:
                followers.setdefault(other, []).append(one)
        ready = [one for one, many in left.items() if not many]
        while ready:
            for one in followers.get(fired := ready.pop(), ()):
                left[one] -= 1
                if not left[one]:
                    ready.append(one)
            del left[fired]
        return "".join(f"{name} at {list(time[1:])}" for name, time in [*left][:1])

    def _waits(
        self, array: str, part: dict[str, Any], memory: dict[str, Any], writer: dict[Point, str]
    ) -> Iterator[tuple[tuple[str, Point], tuple[str, Point]]]:
        """(instance, one that it waits for) of a FIFO or a window."""
        takes = part["takes"] and self.program.set(part["takes"], "takes").reset_tuple_id()
        operands = [(str(s), int(k)) for s, k in part["operands"]]
        places: dict[int, list[tuple[str, Point]]] = {}
        values = self.play.lives(array, operands=operands, takes=takes)
        for number, value in enumerate(values):
            if value.born[0] != 1 or any(time[0] != 1 for time, *_ in value.uses):
                raise Unknown("values from before or after a run that times itself")
            written = (writer[value.born], value.born)
            readers = [(stream[3 + len(array) :], time) for time, stream, _ in value.stored]
            yield from ((reader, written) for reader in readers)
            place = number % max(1, memory["words"] // memory["copies"])
            yield from ((written, reader) for reader in places.get(place, ()))
            places[place] = readers

    def _fits(self, part: Part, ports: int) -> None:
        """Lemma *RAM*: it has the cells once for each read port; one cell is a register."""
        memory = part.memory
        cells = part.stated["base"] + part.stated["mapping"]["cells"]
        copies = 1 if memory["kind"] == "registers" else max(1, ports)
        if memory["kind"] not in ("ram", "registers", "window"):
            raise False_(f"its cells are in a memory of kind {memory['kind']}")
        _same("banks", memory["banks"], 1)
        _same("copies", memory["copies"], copies)
        _same("words", memory["words"], cells * copies)
        _same("bits", memory["bits"], part.array["element"]["bits"])

    def _ports(self, part: Part) -> int:
        """Operands that come from cells; equal ones of a statement share a port."""
        found, stored = 0, at_values(part.lives.stored.domain_factor_domain(), self.values)
        for statement, one in self.program.statements.items():
            distinct: list[Any] = []
            for (stream, k), relation in self._operands(part.name):
                if (stream, k) in part.operands and stream == f"m_{part.name}_{statement}":
                    read = at_values(relation.reverse().apply_range(one["times"]), self.values)
                    own = at_values(self._by_beat(statement, relation), self.values)
                    if not read.is_disjoint(stored) and not any(map(own.is_equal, distinct)):
                        distinct.append(own)
            found += len(distinct)
        return found

    def _by_beat(self, statement: str, relation: Any) -> Any:
        """{ beat -> elements }: a beat is an instance, or all lanes of an unrolled loop."""
        rules = self.program.rules
        if not rules["lanes"]:
            return relation
        times, size = self.program.statements[statement]["times"], rules["time"] - rules["step"]
        return times.project_out(DIM.out, 1 + rules["step"], size).reverse().apply_range(relation)

    def _banked(self, part: Part) -> None:
        """Lemma *banks*: one bank a read, one offset an element, at the plan's values."""
        stated, memory, lives = part.stated, part.memory, part.lives
        size, basis = len(part.array["index"]), stated["bank_basis"]
        storage, boxes, block = stated["storage_basis"], stated["boxes"], stated["bank_block"] or 0
        pivots = _pivots(basis, size)
        classes = prod(row[k] for row, k in zip(basis, pivots, strict=True))
        if (boxes is None) == (storage is None) or not block or classes % block:
            raise False_("banks need a storage_basis or boxes, and whole blocks")
        elements = at_values(lives.births.domain(), self.values)
        conflicts = at_values(lives.conflicts().deltas(), self.values)
        zero = isl.Set(f"{{ [{', '.join(['0'] * size)}] }}")
        if boxes is not None:
            for key in ("lower", "sides", "counts"):
                _same(f"boxes.{key}", len(boxes[key]), size)
            if min(*boxes["sides"], *boxes["counts"]) < 1:
                raise False_("a box has no size")
            ranges = zip(boxes["lower"], boxes["sides"], boxes["counts"], strict=True)
            inside = [f"{low} <= x{k} < {low + s * c}" for k, (low, s, c) in enumerate(ranges)]
            names = ", ".join(f"x{k}" for k in range(size))
            if not elements.is_subset(isl.Set(f"{{ [{names}] : {' and '.join(inside)} }}")):
                raise False_("an element is in no box")
            near = " and ".join(f"-{s} < x{k} < {s}" for k, s in enumerate(boxes["sides"]))
            same = isl.Set(f"{{ [{names}] : {near} }}").intersect(_lattice(basis, size))
            words = prod(boxes["counts"]) * block
        else:
            for k, row in enumerate(storage):
                if len(row) != size or row[k] < 1 or any(row[:k]):
                    raise False_("storage_basis is not in Hermite form")
            _same("storage_basis", len(storage), size)
            rows = [
                [sum(a * basis[i][k] for i, a in enumerate(row)) for k in range(size)]
                for row in storage
            ]
            same = conflicts.intersect(_lattice(rows, size))
            words = prod(row[k] for k, row in enumerate(storage)) * block
        if not same.subtract(zero).is_empty():
            raise False_("two elements of one bank that may both be alive have one offset")
        self._apart(part, _bank_map(basis, pivots, block))
        drain = f"m_{part.name}_drain"
        streams = {stream for stream, _ in part.operands}
        fetching = {
            stream
            for (stream, _), relation in self._operands(part.name)
            if relation is None
            or not self._fetched(part, stream.removeprefix(f"m_{part.name}_"), relation).is_empty()
        }
        readers = len((streams & fetching) - {drain})
        _same("banks", memory["banks"], classes // block)
        if memory["copies"] not in {max(1, readers), max(1, readers + (drain in streams))}:
            raise False_(f"{memory['copies']} copies for {readers} read streams")
        _same("words", memory["words"], memory["copies"] * memory["banks"] * words)
        _same("bits", memory["bits"], part.array["element"]["bits"])
        _same("base", stated["base"], 0)

    def _apart(self, part: Part, bank: Any) -> None:
        """No beat reads two elements of one bank; by iteration what is made in it needs none."""
        by_stream: dict[str, list[Any]] = {}
        for (stream, k), relation in self._operands(part.name):
            if relation is None or (stream, k) not in part.operands:
                continue
            statement = stream.removeprefix(f"m_{part.name}_")
            fetched = self._fetched(part, statement, relation)
            own = at_values(self._by_beat(statement, fetched), self.values)
            by_stream.setdefault(stream, []).append(own)
        for reads in by_stream.values():
            for one, other in combinations(reads, 2):
                both = one.apply_range(bank).intersect(other.apply_range(bank)).domain()
                if not both.is_subset(one.intersect(other).domain()):
                    raise False_("a beat reads two elements of one bank")

    def _fetched(self, part: Part, statement: str, relation: Any) -> Any:
        """The reads of a statement that go to the cells: by iteration not those of its own step."""
        if self.program.rules["order"] != "iteration":
            return relation
        stored = self.lives[part.name].stored.domain_factor_domain()
        times = self.program.statements[statement]["times"]
        at = relation.reverse().apply_range(times).intersect(stored)  # x -> time
        return relation.intersect(times.apply_range(at.reverse()))

    def _chain(self, part: Part) -> None:
        """Lemma *chain*: operand k is the element so many writes before the newest."""
        taps, formulas, name, kind = (
            part.stated["taps"],
            part.stated["taps_expr"],
            part.name,
            part.memory["kind"],
        )
        live = self._live_operands(name, part.operands)
        _same("taps", len(taps), len(live))
        if formulas is not None:
            formulas = [self.program.poly(one) for one in formulas]
            _same("taps", taps, [one.at(self.values) for one in formulas])
        lanes = self._write_lanes(name)
        deepest = [0] * lanes
        for tap in taps:
            deepest[tap % lanes] = max(deepest[tap % lanes], tap // lanes)
        skid = self.program.rules["slack"] > 0
        words = 0 if kind == "wire" else lanes * (1 + skid) + sum(deepest)
        _same("words", part.memory["words"], words)
        if kind == "wire" and any(taps):
            raise False_("a wire keeps nothing")
        places = {op: k for k, (op, _) in enumerate(live)}
        try:
            self._taps(part, live)
        except Unknown:
            by_place = {op: taps[k] for op, k in places.items()}
            try:
                if formulas is None:
                    rank(part, by_place, self.values)
                    return
            except Unknown:
                pass  # access by access
            own = part.lives.accesses
            sure = own.maybe.is_empty() and own.choosing.is_empty()
            # What plays takes all writes for certain: of several values any may be the newest.
            if formulas is not None or not (sure or part.lives.births.is_single_valued()):
                raise
            values = self.play.lives(
                name, operands=None if lanes > 1 else part.operands, takes=part.takes
            )
            by_rank(
                values,
                by_place,
                part.lives.kept if lanes > 1 else 0,
            )

    def _taps(self, part: Part, live: list[tuple[tuple[str, int], Any]]) -> None:
        """Lemma *axes*: elements are written axis by axis of a box, in whatever order: by rank."""
        lives, formulas = part.lives, part.stated["taps_expr"]
        fixed, known = formulas is None, None
        if not lives.births.is_single_valued() or not lives.births.is_injective():
            self._newest(part.stated["taps"], fixed, lives)
            return
        for position, ((stream, _), relation) in enumerate(live):
            apart = self._behind(stream.removeprefix(f"m_{part.name}_"), relation, lives)
            tap = self.program.poly(str((part.stated["taps"] if fixed else formulas)[position]))
            if fixed:
                apart = at_values(apart, self.values).align_params(self.program.context.get_space())
            zero = isl.Set(f"{{ [{', '.join(['0'] * len(part.array['index']))}] }}")
            if apart.is_subset(zero.align_params(apart.get_space())):
                if tap.terms:
                    raise False_(f"tap {position} is the newest element")
                continue
            if known is None:
                known = self._rank(lives, fixed)
            rank, boxed = known
            for piece, form in _forms(apart.intersect_params(boxed), rank):
                if not piece.is_subset(_where(piece, f"{form} = {tap}", self.program)):
                    raise False_(f"tap {position} is not {tap.shown()} elements behind the newest")

    def _newest(self, taps: list[int], fixed: bool, lives: Lives) -> None:
        """Lemma *newest value*: tap 0 of elements that are written again.

        The last write before each read, of whatever element, is that of the value it sees.
        """
        rules = self.program.rules
        own = lives.accesses
        sure = own.maybe.is_empty() and own.choosing.is_empty()
        if rules["order"] == "iteration" or rules["lanes"] or not sure or any(taps):
            raise Unknown("a chain of elements with several values")
        seen = _coalesced(lives.stored.domain_factor_range().reverse())  # read -> written
        before = isl.Map.lex_gt(lives.time).intersect_domain(seen.domain())
        newest = before.intersect_range(_coalesced(lives.births.range())).lexmax()
        if fixed:
            seen, newest = (at_values(one, self.values) for one in (seen, newest))
        if not seen.is_subset(newest):
            raise False_("an operand reads what is not the newest element")

    def _write_lanes(self, name: str) -> int:
        found = [1]
        for statement, one in self.program.statements.items():
            if any(a["array"] == name and "write" in a["kind"] for a in one["accesses"]):
                found.append(len(self._lanes(statement)))
        return max(found)

    def _behind(self, statement: str, relation: Any, lives: Lives) -> Any:
        """The newest element minus the one that is read, over all reads of an operand."""
        rules = self.program.rules
        times = self.program.statements[statement]["times"]
        written = _coalesced(lives.births.reverse())  # time -> element
        before = isl.Map.lex_gt(lives.time)
        if rules["lanes"]:  # all lanes of a beat are there at once
            cut = lives._cut()
            step = cut.get_space().range()
            before = cut.apply_range(isl.Map.lex_ge(step)).apply_range(cut.reverse())
        newest = before.intersect_range(written.domain()).intersect_domain(times.range())
        newest = newest.lexmax().apply_range(written)
        reads = times.intersect_domain(relation.domain()).apply_range(newest)
        both = relation.range_product(reads).range().unwrap()  # read -> newest
        return _coalesced(both.deltas().intersect_params(self.program.context))

    def _rank(self, lives: Lives, fixed: bool) -> tuple[list[Poly], Any]:
        """Factors of the number of a write, where elements fill a box axis by axis.

        And the parameters for which they do: at others taps in the parameters claim nothing.
        """
        written = _coalesced(lives.births)
        if fixed:
            space = self.program.context.get_space()
            written = at_values(written, self.values).align_params(space)
        elements = _coalesced(written.domain())
        late = written.apply_range(isl.Map.lex_ge(lives.time)).apply_range(written.reverse())
        rules = self.program.rules
        for k in range(1 + rules["step"] + len(rules["lanes"]), 1 + rules["time"]):
            if rules["lanes"] and not written.range().plain_get_val_if_fixed(DIM.set, k).is_int():
                raise Unknown("several writes of a lane of an unrolled loop")
        late = _coalesced(late).intersect_domain(elements)
        size = elements.dim(DIM.set)
        for axes in permutations(range(size)):  # row-major first
            names = ", ".join(f"x{k}" for k in range(size))
            turned = isl.Map(f"{{ [{names}] -> [{', '.join(f'x{k}' for k in axes)}] }}")
            order = turned.apply_range(isl.Map.lex_lt(turned.range().get_space()))
            if late.is_disjoint(order.apply_range(turned.reverse())):
                break
        else:
            raise Unknown("elements are written in the order of no axes")
        strides, stride = [Poly.of(1)] * size, Poly.of(1)
        box = isl.Set.universe(elements.get_space())
        for k in range(size):
            line = elements.project_out(DIM.set, k + 1, size - k - 1).project_out(DIM.set, 0, k)
            plain = isl.Map.from_domain_and_range(isl.Set.universe(elements.get_space()), line)
            same = isl.Map(f"{{ [{', '.join(f'x{j}' for j in range(size))}] -> [x{k}] }}")
            box = box.intersect(plain.intersect(same.align_params(plain.get_space())).domain())
        boxed = self.program.context.subtract(box.subtract(elements).params())
        if boxed.intersect(self.program.point()).is_empty():
            raise Unknown("the written elements are no box")
        steps = [_step(elements.intersect_params(boxed), k) for k in range(size)]
        for axis, next_ in zip(reversed(axes), [*reversed(axes)][1:], strict=False):
            low, high = elements.dim_min(axis), elements.dim_max(axis)
            span = _affine(high.sub(low).gist_params(boxed)) * Fraction(1, steps[axis])
            stride = stride * (span + 1)
            strides[next_] = stride
        strides = [one * Fraction(1, step) for one, step in zip(strides, steps, strict=True)]
        return strides, boxed

    def _fifo(self, part: Part) -> None:
        """Lemma *FIFO*: each value is read once, in the order of writes; no more wait at once."""
        memory, rules = part.memory, self.program.rules
        if memory["copies"] != 1 or memory["banks"] != 1:
            raise False_("a FIFO has no copies or banks")
        _same("bits", memory["bits"], part.array["element"]["bits"])
        if rules["lanes"]:
            raise Unknown("a FIFO of unrolled loops")
        try:
            succeed(part, memory["words"], self.values)
            return
        except Unknown:
            pass  # access by access
        values = self.play.lives(part.name, operands=part.operands, takes=part.takes)
        in_turn(values)
        kept = part.lives.kept
        reads = [one.uses[0][0][:kept] for one in values]
        gone = (bisect_right(reads, one.born[:kept]) for one in values)
        most = max((number + 1 - past for number, past in enumerate(gone)), default=0)
        if rules.get("capacity") == "selftimed":
            self._fires()
        elif most > memory["words"]:
            raise False_(f"{most} values wait at once, it has {memory['words']} words")
        held = max((held for *_, held in self.play.moments(values)), default=0)
        if memory["words"] > max(2, held):
            raise False_(f"{held} values are alive at once, for {memory['words']} words")

    # -- the host, memories and streams

    def _order_of_c(self) -> None:
        """C of the whole has the order of the program, or times that change no value."""
        order = self.document["orders"]["host"]
        if order is None or not order["times"]:
            return
        if order["steps"]:
            raise False_("it has times of its own, and steps")
        if self.program.rules is None:
            raise False_("it has times, and there is no program")
        found = self.program.swapped(self._in_times(order["times"]))
        if found:
            raise False_(f"{found} change places")

    def _in_times(self, texts: dict[str, str]) -> Program:
        """The program in times of C, which takes streams of the hardware alone as they stand."""
        arrays = self.document["arrays"]
        apart = [
            name
            for name, one in self.document["program"]["statements"].items()
            if one["role"] != "compute"
            and all(
                arrays[access["array"]]["holdings"]["host"] is None for access in one["accesses"]
            )
        ]
        return self.program.in_times(texts, apart)

    def _lives_in_c(self, name: str, size: int) -> Lives | None:
        """When values live as C runs; None where there is no C of the whole, but cells alone."""
        order = self.document["orders"]["host"]
        if order is None or self.program.rules is None:
            return None
        program = self._in_times(order["times"]) if order["times"] else self.program
        own = "iteration" if order["steps"] else "sequential"
        strict = not order["steps"] and program.is_tied()
        return Lives(program, name, size, order=own, strict=strict, slack=0)

    def _host(self, name: str, array: dict[str, Any], held: dict[str, Any], path: KeyPath) -> None:
        def prove() -> None:
            _same("parts", len(held["parts"]), 1)
            (cells,) = held["parts"]
            lives = self._lives_in_c(name, len(array["index"]))
            self._mapping(name, array, cells["mapping"], lives)
            bits = array["element"]["bits"]
            wide = next((w for w in (8, 16, 32, 64) if w >= bits), 0)
            _same("cell_bytes", cells["cell_bytes"], wide // 8)
            _same("words", held["words"], cells["mapping"]["cells"])
            _same("bits", held["bits"], 8 * cells["cell_bytes"] * held["words"])
            _same("certificate", held["certificate"], cells["mapping"]["certificate"])
            self._standing(held)
            if lives is not None:
                self._alone(name, cells)
            elif cells["at"] is not None:
                raise False_("it has a place, and there is no C of the whole")
            known = []
            if held["bound"] is not None:
                own = lives or self.lives.get(name)
                self._bound(name, array, held["bound"], held["words"], [], own)
                known = [(held["bound"]["kind"], held["bound"]["cells"])]
            if cells["lattice"] is not None:
                if self.document["orders"]["host"] not in (None, _IN_THE_ORDER):
                    raise Unknown("lattices are counted in the order of the program")
                own = self.lives.get(name)
                self._bound(name, array, cells["lattice"], held["words"], known, own)

        self.claim(path, "rows, in C's order", prove)

    def _alone(self, name: str, host: dict[str, Any]) -> None:
        """No other array of C has cells among those of this one, which are aligned."""
        if host["at"] is None:
            return _same(f"cells of '{name}' without a place", host["mapping"]["cells"], 1)
        if host["at"] % host["cell_bytes"]:
            raise False_(f"cells of '{name}' are not aligned")
        first, last = _bytes_in_c(host)
        for other, array in self.document["arrays"].items():
            if other == name or array["holdings"]["host"] is None:
                continue
            for one in array["holdings"]["host"]["parts"]:
                if one["at"] is not None:
                    start, end = _bytes_in_c(one)
                    if start < last and first < end:
                        raise False_(f"cells of '{name}' and '{other}' overlap")
        return None

    def _memories(self) -> None:
        """Each memory holds one part, and is proved with it."""
        holders = {
            part["memory"]: ("arrays", name, "holdings", "hardware", "parts", k)
            for name in self.document["arrays"]
            for k, part in enumerate(self._held(name))
        }
        many = sum(len(self._held(name)) for name in self.document["arrays"])
        if many != len(holders):
            self.false.append("memories: two parts are in one memory")
        for name in self.document["memories"]:
            holder = holders.get(name)
            if holder is None:
                self.false.append(f"memories.{name}: no part is in it")
            elif holder in self.lemmas:
                self.lemmas["memories", name] = self.lemmas[holder]
            else:
                self.open["memories", name] = f"{joined(holder)} is not proved"

    def _streams(self) -> None:
        """The streams are those of the accesses, with a beat an instance."""
        found = list(self._wanted())
        if len({one["name"] for one in found}) < len(found):
            raise False_("two of them have one name")
        _same("streams", [s["name"] for s in self.document["streams"]], [s["name"] for s in found])
        for stated, wanted in zip(self.document["streams"], found, strict=True):
            operands = [{k: v for k, v in o.items() if k != "element"} for o in stated["operands"]]
            _same(f"{wanted['name']}.operands", operands, wanted["operands"])
            for key in ("array", "statement", "beats"):
                _same(f"{wanted['name']}.{key}", stated[key], wanted[key])

    def _wanted(self) -> Iterator[dict[str, Any]]:
        if self.program.rules is None:
            return
        rules = self.program.rules
        arrays = [one for one in self.document["arrays"] if not self._has_no_streams(one)]
        for name, one in self.program.statements.items():
            for prefix, is_read in (("m", True), ("s", False)):
                own: dict[str, list[Any]] = {}
                for access in one["accesses"]:
                    if access["kind"] == "look":
                        continue
                    if access["array"] in arrays and (access["kind"] in READS) == is_read:
                        own.setdefault(access["array"], []).append(access["relation"])
                for array, relations in own.items():
                    instances = relations[0].domain()
                    for relation in relations[1:]:
                        instances = instances.union(relation.domain())
                    if rules["lanes"]:
                        times = one["times"].intersect_domain(instances)
                        first = 1 + rules["step"]
                        beats = times.project_out(DIM.out, first, len(rules["lanes"])).range()
                        instances = beats
                    beats = count(at_values(instances, self.values))
                    if beats:
                        lanes = [len(relations)] * len(self._lanes(name))
                        yield self._stream(f"{prefix}_{array}_{name}", array, name, beats, lanes)
        for array in arrays:
            if self._is_state(array):  # it stays in place
                continue
            first, last = self.program.live("live_in", array), self._drain(array)
            lives = self.lives.get(array)
            if first is not None and lives is not None:
                filled = lives.births.intersect_range(_phase(lives.time, 0)).domain()
                beats = count(at_values(filled, self.values))
                if beats:
                    yield self._stream(f"s_{array}_fill", array, None, beats, [1])
            if last is not None:
                beats = count(at_values(last, self.values))
                if beats:
                    yield self._stream(f"m_{array}_drain", array, None, beats, [1])

    def _stream(
        self, name: str, array: str, statement: str | None, beats: int, lanes: list[int]
    ) -> dict[str, Any]:
        bits = -(-self.document["arrays"][array]["element"]["bits"] // 8) * 8
        numbers = [lane for lane, many in enumerate(lanes) for _ in range(many)]
        operands = [
            {"bits": [k * bits, (k + 1) * bits - 1], "lane": lane} for k, lane in enumerate(numbers)
        ]
        return {
            "name": name,
            "array": array,
            "statement": statement,
            "beats": beats,
            "operands": operands,
        }

    # -- what is built

    def is_built(self, texts: dict[str, str]) -> bool:
        """Holds memories against Verilog, and cells of C against the header; False: no Verilog."""
        self.claim(("host",), "bytes of C", lambda: bytes_of_c(self.document, texts))
        if not any(name.startswith("rtl/") for name in texts):
            return False
        design, suffix = self.document["design"], "" if self.program.rules is None else "_buffer"
        modules = {name: f"{design}_{name}{suffix}" for name in self.document["memories"]}
        if suffix and modules:
            top = lambda: self._top(f"{design}_mem", [*modules.values()], texts)  # noqa: E731
            self.claim(("memories",), "built", top)
            self.lemmas.pop(("memories",), None)
        for name, memory in self.document["memories"].items():
            where: KeyPath = ("memories", name)
            earlier = self.lemmas.get(where)

            def prove(name: str = name, memory: dict[str, Any] = memory) -> None:
                self._built(name, memory, module_of(modules[name], texts))

            if self.claim(where, "built", prove):
                own = [(*where, key) for key in ("kind", "style")]
                self.lemmas |= dict.fromkeys(own, "built")
                self.lemmas[where] = "built" if earlier is None else f"{earlier}, built"
        return True

    def _built(self, name: str, memory: dict[str, Any], module: Module) -> None:
        """The module has the words of a memory, and streams to all that reads from it."""
        found = ((one, part) for one in self.document["arrays"] for part in self._held(one))
        array, part = next(
            (one for one in found if one[1]["memory"] == name), ("", {"operands": []})
        )
        if self.program.rules is None or not array:
            built(memory, module, 0, 1)
            return
        readers = [one.removeprefix(f"m_{array}_") for one, _ in part["operands"]]
        latched = memory["kind"] == "fifo" and self._is_latched(array, readers, memory["words"])
        built(memory, module, int(latched), self._write_lanes(array))
        wanted = {f"m_{name}_{one}" for one in readers}
        own = {one.removesuffix("_tdata") for one in module.outputs if one.endswith("_tdata")}
        # What decides on a stream of the array itself may stay inside.
        streams = {one["name"] for one in self.document["streams"] if one["array"] == array}
        inside = {f"m_{name}_{one}" for one in readers if one in streams}
        if not wanted - inside <= own <= wanted:
            here, there = (", ".join(sorted(one)) or "nothing" for one in (own, wanted))
            raise False_(f"{shown(module.place)}: {here} reads from it, {there} is planned")

    def _is_latched(self, array: str, readers: list[str], words: int) -> bool:
        """Whether the latch behind the RAM of a FIFO has one of its words: it takes that as soon
        as it is empty, if the reader waits for no other memory, and leaves a power of two."""
        less, planned = words - 1, self.document["arrays"]
        if less < 2 or less & (less - 1):
            return False
        own = [self.program.statements[one] for one in readers if one in self.program.statements]
        alone = all(
            access["array"] == array and access["kind"] in READS
            for one in own
            for access in one["accesses"]
            if access["array"] in planned
        )
        return alone and not any(one["filters"] for one in own)

    def _top(self, name: str, modules: list[str], texts: dict[str, str]) -> None:
        """The top has the buffer of each memory once."""
        top = module_of(name, texts)
        many = Counter(one.module for one in top.instances)
        for one in modules:
            if many[one] != 1:
                raise False_(f"{shown(top.place)}: {name} has {many[one]} of {one}, not one")

    # -- claims for all parameters, at some

    def at(self, values: Values) -> None:
        """Holds all claims for all parameters against a play at other values."""
        play = Play(self.program, own_values(values), self.document["arrays"])
        at = " at " + ", ".join(f"{name}={value}" for name, value in values.items())
        for name, array in self.document["arrays"].items():

            def prove(name: str = name, array: dict[str, Any] = array) -> None:
                self._played(play, name, array)

            self.claim(("arrays", f"{name}{at}"), "a play", prove)

    def _played(self, play: Play, name: str, array: dict[str, Any]) -> None:
        values, stated = play.values, array["conflicts"]
        given = set()
        if stated is not None:
            apart = self.program.set(stated["differences"], "differences")
            given = set(listed(at_values(apart, values))) - {(0,) * len(array["index"])}
        held, host = array["holdings"]["hardware"], array["holdings"]["host"]
        if self.program.rules is None:
            for one in (*held["parts"], *(host["parts"] if host else ())):
                if self._scope_of(one) == "all-parameters":
                    zero = (((0,) * len(point)) for point in given)
                    together(zip(given, zero, strict=True), self._cells(one["mapping"], values))
            return
        if "class" in array and array["class"]["fixed"] and values != self.values:
            return
        strict = self.program.rules["strict"]
        lives = play.lives(name)
        pairs = play.meetings(lives, strict)
        if "class" in array:
            before = play.kept_by(array["class"])
            pairs = play.class_meetings(lives, before, strict)
        found = {
            tuple(a - b for a, b in zip(x, y, strict=True))
            for pair in pairs
            for x, y in (pair, pair[::-1])
        }
        exact = "class" not in array or array["class"]["relation"] == "exact"
        if stated is not None and (found != given if exact else not found <= given):
            raise False_(f"its conflicts are others: {sorted(found ^ given)[:2]}")
        bound = held["bound"]
        if bound is not None and bound["kind"] == "max-live" and bound["expr"] is not None:
            self._max_live_at(bound, play, lives)
        whole = len(held["parts"]) == 1 and held["parts"][0]["takes"] is None
        for one in held["parts"]:
            if whole and self._scope_of(one) == "all-parameters":
                together(pairs, self._cells(one["mapping"], values))
            else:
                self._part_at(play, name, one)
        order = self.document["orders"]["host"]
        if host is None or order is None or order["times"]:
            return
        (cells,) = host["parts"]
        bound = host["bound"]
        own = play.lives(name, order="iteration" if order["steps"] else "sequential", slack=0)
        if bound is not None and bound["kind"] == "max-live" and bound["expr"] is not None:
            self._max_live_at(bound, play, own)
        if self._scope_of(cells) == "all-parameters":
            strict = not order["steps"] and self.program.is_tied()
            together(play.meetings(own, strict), self._cells(cells["mapping"], values))

    def _scope_of(self, one: dict[str, Any]) -> str:
        """What a mapping is proved for; "" where there is none."""
        return "" if one["mapping"] is None else str(one["mapping"]["certificate"]["scope"])

    def _cells(self, mapping: dict[str, Any], values: Values) -> Callable[[Point], Any]:
        """The cell of an element: its piece, and the remainders by its moduli."""
        pieces: list[tuple[Any, list[tuple[list[int], int, int]]]] = []

        def value(text: str) -> int:
            return self.program.poly(text).at(values)

        for piece in mapping["pieces"]:
            inside = None
            if piece["domain"] is not None:
                domain = self.program.set(piece["domain"], "a domain")
                inside = set(listed(at_values(domain, values)))
            rows = zip(piece["matrix"], piece["offset"], piece["modulus"], strict=True)
            at = [([value(e) for e in row], value(c), value(b)) for row, c, b in rows]
            if any(b < 1 for *_, b in at):
                raise False_("a modulus is not at least 1")
            pieces.append((inside, at))

        def cell(x: Point) -> Any:
            for k, (inside, rows) in enumerate(pieces):
                if inside is None or x in inside:
                    return k, *((sum(map(_times, row, x)) + c) % b for row, c, b in rows)
            return None

        return cell

    def _max_live_at(self, bound: dict[str, Any], play: Play, lives: list[Value]) -> None:
        expr = bound["expr"]
        if isinstance(expr, list):
            where = self.program.set(expr[0]["when"], "when").params()
            if where.is_disjoint(self.program.point(play.values)):
                return
            expr = expr[0]["expr"]
        most = max((held for *_, held in play.moments(lives)), default=0)
        _same("max-live", self.program.poly(expr).at(play.values), most)

    def _part_at(self, play: Play, name: str, stated: dict[str, Any]) -> None:
        takes, lanes = stated["takes"], bool(self.program.rules["lanes"])
        if takes is not None:
            takes = self.program.set(takes, "takes").reset_tuple_id()
        operands = [(str(s), int(k)) for s, k in stated["operands"]]
        own = play.lives(name, operands=None if lanes else operands, takes=takes)
        mapping, formulas = stated["mapping"], stated["taps_expr"]
        if mapping is not None and mapping["certificate"]["scope"] == "all-parameters":
            together(
                play.meetings(own, self.program.rules["strict"]), self._cells(mapping, play.values)
            )
        if formulas is not None:
            live = [op for op, _ in self._live_operands(name, operands)]
            taps = [self.program.poly(one).at(play.values) for one in formulas]
            cut = 1 + self.program.rules["step"] if self._write_lanes(name) > 1 else 0
            by_rank(own, dict(zip(live, taps, strict=True)), cut)


def together(pairs: Iterable[tuple[Point, Point]], cell: Callable[[Point], Any]) -> None:
    """Raises False_ where two of a pair have one cell."""
    for x, y in pairs:
        if cell(x) == cell(y):
            raise False_(f"{list(x)} and {list(y)} conflict and share a cell")


def _times(a: int, b: int) -> int:
    return a * b


def _same(what: str, stated: Any, found: Any) -> None:
    if stated != found:
        raise False_(f"{what} is {str(stated)[:60]}, not {str(found)[:60]}")


# C runs the program as it is.
_IN_THE_ORDER = {"steps": False, "times": {}}


def _kind(bound: dict[str, Any]) -> str:
    """What a bound counts: of a long run that so many live at some moment."""
    return "max-live" if bound["kind"] == "live-at" else str(bound["kind"])


def _bytes_in_c(host: dict[str, Any]) -> tuple[int, int]:
    """The bytes of the workspace from which and up to which an array has cells."""
    return host["at"], host["at"] + host["mapping"]["cells"] * host["cell_bytes"]


def _is_point(points: Any) -> bool:
    return bool(isl.Map.from_range(points).is_single_valued()) and not points.is_empty()


def _affine(form: Any) -> Poly:
    """The polynomial of an affine expression of one piece over the parameters."""
    pieces: list[Any] = []
    form.coalesce().foreach_piece(lambda _, one: pieces.append(one))
    if len(pieces) != 1:
        raise Unknown("an extent of several pieces")
    return affine(pieces[0])


def affine(one: Any) -> Poly:
    """The polynomial of an affine expression over the parameters."""
    if one.dim(DIM.div):
        raise Unknown("an extent with quotients")
    found: Poly = Poly.of(0) + one.get_constant_val().to_python()
    for k in range(one.dim(DIM.param)):
        factor = one.get_coefficient_val(DIM.param, k).to_python()
        found = found + Poly.of(one.get_dim_name(DIM.param, k)) * factor
    return found


def _factors(number: int, size: int) -> Iterator[tuple[int, ...]]:
    """All tuples of so many positive integers with this product."""
    if size == 1:
        yield (number,)
        return
    for one in range(1, number + 1):
        if number % one == 0:
            for rest in _factors(number // one, size - 1):
                yield (one, *rest)


def _free_lattice(
    table: dict[tuple[int, ...], set[int]], pivots: tuple[int, ...]
) -> list[list[int]] | None:
    """A lattice in Hermite form with these pivots that holds no point of the table; or None."""
    size, last = len(pivots), pivots[-1]
    inside = {
        prefix: {one % last for one in ends}
        for prefix, ends in table.items()
        if not prefix or prefix[0] % pivots[0] == 0
    }
    places = [(i, j) for i in range(size) for j in range(i + 1, size)]
    near = sorted(inside.items(), key=lambda one: sum(map(abs, one[0])))
    for entries in product(*(range(pivots[j]) for _, j in places)):
        above = dict(zip(places, entries, strict=True))
        for prefix, ends in near:
            rest, end = list(prefix), 0
            for i in range(size - 1):
                if rest[i] % pivots[i]:
                    break
                k = rest[i] // pivots[i]
                for j in range(i + 1, size - 1):
                    rest[j] -= k * above[i, j]
                end += k * above[i, size - 1]
            else:
                if end % last in ends:
                    break
        else:
            return [
                [above.get((i, j), pivots[i] * (i == j)) for j in range(size)] for i in range(size)
            ]
    return None


def _pivots(basis: Any, size: int) -> list[int]:
    """The dimension of each row's pivot: later rows have zeros there."""
    if basis is None or len(basis) != size or any(len(row) != size for row in basis):
        raise False_("bank_basis is no square matrix")
    found: list[int] = []
    for row in reversed(basis):
        own = [k for k, entry in enumerate(row) if entry and k not in found]
        if len(own) != 1 or row[own[0]] < 1:
            raise False_("bank_basis has no positive pivot in each row")
        found.insert(0, own[0])
    return found


def _lattice(rows: list[list[int]], size: int) -> Any:
    names = [f"x{k}" for k in range(size)]
    lines = [
        f"x{k} = {' + '.join(f'({row[k]})*q{i}' for i, row in enumerate(rows))}"
        for k in range(size)
    ]
    unknowns = ", ".join(f"q{i}" for i in range(len(rows)))
    text = re.sub(r"\((-?\d+)\)", r"\1", f"exists {unknowns} : {' and '.join(lines)}")
    return isl.Set(f"{{ [{', '.join(names)}] : {text} }}" if size else "{ [] }")


def _bank_map(basis: list[list[int]], pivots: list[int], block: int) -> Any:
    """{ element -> bank }: the remainder by the basis, flattened, div block."""
    size = len(basis)
    rest = [f"x{k}" for k in range(size)]
    lines = []
    for i, (row, pivot) in enumerate(zip(basis, pivots, strict=True)):
        lines.append(f"0 <= {rest[pivot]} - {row[pivot]}*q{i} < {row[pivot]}")
        rest = [
            f"{form} - {entry}*q{i}" if entry >= 0 else f"{form} + {-entry}*q{i}"
            for form, entry in zip(rest, row, strict=True)
        ]
    number, stride = [], 1
    for row, pivot in reversed(list(zip(basis, pivots, strict=True))):
        number.append(f"{stride}*({rest[pivot]})")
        stride *= row[pivot]
    lines.append(f"{block}*b <= {' + '.join(number)} < {block}*b + {block}")
    names, unknowns = (", ".join(f"{n}{k}" for k in range(size)) for n in ("x", "q"))
    return isl.Map(f"{{ [{names}] -> [b] : exists {unknowns} : {' and '.join(lines)} }}")


# ---- What is built: Verilog and the header of C against plan.json -------------------------------

STORING = ("hlsmem_ram", "hlsmem_ram_output", "hlsmem_delay", "hlsmem_fifo", "hlsmem_register")
# They hold beats on their way, and addresses.
PASSING = ("hlsmem_skid", "hlsmem_hold", "hlsmem_turn", "hlsmem_gate", "hlsmem_gate_count")
RAMS = STORING[:2]
STYLES = {"large": "huge"}  # as the attribute ram_style has it
_TEXT = re.compile(
    r"//[^\n]*|/\*.*?\*/|(?P<token>\"[^\"\n]*\"|\d+(?:'[bodhBODH]\w+)?|`?[A-Za-z_$][\w$]*|[^\s])",
    re.DOTALL,
)
_WORDS = frozenset(
    re.findall(
        r"\w+",
        "always and assign begin case casex casez default else end endcase endfunction function if"
        " inout input integer localparam negedge not or output parameter posedge reg signed wire",
    )
)
# What would have to be executed, or read elsewhere, to know what is built.
_NOT_READ = frozenset({"generate", "genvar", "defparam", "for", "while", "repeat", "module", "\\"})
Token = tuple[str, int]
Place = tuple[str, int]  # a file and a line of it


def texts_of(out: Path) -> dict[str, str]:
    """The Verilog and the headers of a folder OUT by name; raises Refused beyond the limits."""
    found: dict[str, str] = {}
    size = 0
    for folder, endings in (("rtl", (".v", ".sv", ".vh")), ("host", (".h",))):
        for file in sorted((out / folder).rglob("*")):
            if file.suffix not in endings:
                continue
            name = file.relative_to(out).as_posix()
            remedy = "run `hlsmem plan` again into an empty folder"
            if not file.is_file():
                raise Refused(f"{name} cannot be read", remedy)
            size += file.stat().st_size
            if size > MOST_BYTES or len(found) > MOST_FILES:
                raise Refused(
                    f"{name}: rtl and host have more than {MOST_BYTES >> 20} MiB, or"
                    f" {MOST_FILES} files",
                    remedy,
                )
            try:
                text = file.read_bytes().decode("utf-8")
            except (OSError, UnicodeDecodeError):
                raise Refused(f"{name} cannot be read", remedy) from None
            if "\r" in text:
                line = text.count("\n", 0, text.index("\r")) + 1
                raise Refused(f"{name}:{line}: lines end in CR, as hlsmem writes none", remedy)
            found[name] = text
    return found


def tokens_of(text: str) -> list[Token]:
    """(token, line) of a text of Verilog or C, without comments."""
    found, line, last = [], 1, 0
    for one in _TEXT.finditer(text):
        if one["token"] is not None:
            line += text.count("\n", last, one.start())
            last = one.start()
            found.append((one["token"], line))
    return found


@dataclass(frozen=True)
class Instance:
    """An instance of a module; parameters that are one token, others as None."""

    module: str
    parameters: dict[str, str | None]
    place: Place

    def number(self, name: str) -> int:
        """A parameter that is a number; raises False_ where it is none."""
        value = self.parameters.get(name)
        if value is None or not value.isdigit() or len(value) > DIGITS:
            raise False_(f"{shown(self.place)}: {name} of {self.module} is no number")
        return int(value)

    @property
    def words(self) -> int:
        return 1 if self.module == "hlsmem_register" else self.number("DEPTH")


def shown(place: Place) -> str:
    return f"{place[0]}:{place[1]}"


@dataclass(frozen=True)
class Module:
    """What a module is made of: its outputs, its instances, and (name, bits) of its registers."""

    place: Place
    outputs: set[str]
    instances: list[Instance]
    registers: list[tuple[str, int]]


def module_of(name: str, texts: dict[str, str]) -> Module:
    """The module of a name; raises False_ where there is none, several, or one not understood."""
    found = []
    for file, text in texts.items():
        if name not in text or not file.startswith("rtl/"):
            continue
        tokens = tokens_of(text)
        found += [
            (file, tokens, k)
            for k in range(1, len(tokens))
            if tokens[k][0] == name and tokens[k - 1][0] in ("module", "macromodule")
        ]
    if not found:
        raise False_(f"rtl: there is no module {name}")
    file, tokens, start = found[0]
    if len(found) > 1:
        places = " and ".join(shown((one, own[k][1])) for one, own, k in found[:2])
        raise False_(f"{places}: module {name} is there twice")
    end = next((k for k in range(start, len(tokens)) if tokens[k][0] == "endmodule"), None)
    if end is None:
        raise False_(f"{file}:{tokens[start][1]}: module {name} has no end")
    for token, line in tokens:
        if token[0] == "`":
            raise False_(f"{file}:{line}: {token} may be anything; nothing here reads macros")
    return _Reader(file, tokens[start:end]).module()


class _Reader:
    """Goes through the tokens of a module."""

    def __init__(self, file: str, tokens: list[Token]) -> None:
        self.file, self.tokens = file, tokens

    def at(self, k: int) -> str:
        return self.tokens[k][0] if k < len(self.tokens) else ""

    def place(self, k: int) -> Place:
        return self.file, self.tokens[min(k, len(self.tokens) - 1)][1]

    def fail(self, k: int, what: str) -> NoReturn:
        raise False_(f"{shown(self.place(k))}: {what}")

    def module(self) -> Module:
        instances: list[Instance] = []
        registers: list[tuple[str, int]] = []
        depth, k = 0, self.closing(1) + 1
        while k < len(self.tokens):
            token = self.at(k)
            if token in _NOT_READ:
                self.fail(k, f"{token} stands where only what is built once is read")
            depth += (token in ("begin", "case")) - (token in ("end", "endcase"))
            if token == "reg":
                k, own = self.declared(k + 1)
                registers += own
                continue
            if self.is_name(k) and (self.at(k + 1) == "#" or self.is_name(k + 1)):
                if depth or self.at(k - 1) not in (";", "end", "endcase"):
                    self.fail(k, f"{token} is built under a condition")
                k, instance = self.instance(k)
                instances.append(instance)
                continue
            k += 1
        return Module(self.place(0), self.outputs(), instances, registers)

    def outputs(self) -> set[str]:
        """The names of the outputs: each is declared by itself."""
        found, is_output = set(), False
        for k in range(2, self.closing(1) + 1):
            is_output = (is_output and self.at(k) not in (",", "input")) or self.at(k) == "output"
            if is_output and self.at(k + 1) in (",", ")"):
                found.add(self.at(k))
        return found

    def is_name(self, k: int) -> bool:
        token = self.at(k)
        return (token[:1].isalpha() or token[:1] == "_") and token not in _WORDS

    def closing(self, k: int) -> int:
        """Where the parenthesis closes that opens at or behind k."""
        depth = 0
        for here in range(k, len(self.tokens)):
            token = self.at(here)
            depth += (token == "(") - (token == ")")
            if token == ")" and not depth:
                break
        else:
            self.fail(k, "a parenthesis is not closed")
        return here

    def declared(self, k: int) -> tuple[int, list[tuple[str, int]]]:
        """(behind, (name, bits)..) of a declaration of registers."""
        bits, found = 1, []
        k += self.at(k) == "signed"
        if self.at(k) == "[":
            if not self.at(k + 1).isdigit() or self.at(k + 2) != ":" or self.at(k + 3) != "0":
                self.fail(k, "the bits of a register are no numbers")
            bits, k = int(self.at(k + 1)) + 1, k + 5
        while True:
            if not self.is_name(k):
                self.fail(k, "a register has no name")
            if self.at(k + 1) == "[":
                self.fail(k, f"{self.at(k)} is a memory of its own")
            found.append((self.at(k), bits))
            if self.at(k + 1) != ",":
                return k + 1, found
            k += 2

    def instance(self, k: int) -> tuple[int, Instance]:
        place, parameters = self.place(k), dict[str, str | None]()
        module = re.sub(r"(?<=\w)_v\d+(_\d+)*$", "", self.at(k))
        k += 1
        if self.at(k) == "#":
            end = self.closing(k)
            parameters = self.parameters(k + 2, end)
            k = end + 1
        if not self.is_name(k) or self.at(k + 1) != "(":
            self.fail(k, f"an instance of {module} is not understood")
        end = self.closing(k + 1)
        if self.at(end + 1) != ";":
            self.fail(end, f"an instance of {module} is not understood")
        return end + 1, Instance(module, parameters, place)

    def parameters(self, k: int, end: int) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        while k < end:
            if self.at(k) != "." or self.at(k + 2) != "(" or self.at(k + 1) in found:
                self.fail(k, "parameters are not given by name, once each")
            close = self.closing(k + 2)
            found[self.at(k + 1)] = self.at(k + 3) if close == k + 4 else None
            k = close + 2
        return found


def built(memory: dict[str, Any], module: Module, latched: int, lanes: int) -> None:
    """Lemma *built*: the module of a memory has its bits, kind, copies, banks and style.

    Skids, holds, gates and walkers are no storage; nor is what a RAM or a register shows, but for
    so many words that are `latched`. A chain that is registers alone has one a lane.
    """
    kind, bits, words = memory["kind"], memory["bits"], memory["words"]
    storing = [one for one in module.instances if one.module in STORING]
    for one in module.instances:
        if one.module not in (*STORING, *PASSING) and not one.module.endswith("_walk"):
            raise False_(f"{shown(one.place)}: {one.module} is nothing that a memory is made of")
    place = shown(storing[0].place if storing else module.place)
    runs = [
        (own, size) for own, size in module.registers if re.fullmatch(r"run_\d+(_lane_\d+)?", own)
    ]
    kept = [size for own, size in module.registers if own.endswith("_kept")]
    is_chain = kind == "chain" or (kind in ("registers", "wire") and not storing)
    names = {one.module for one in storing}
    wanted = {
        "chain": {"hlsmem_delay"},
        "fifo": {"hlsmem_fifo"},
        "registers": {"hlsmem_register"},
        "wire": set(),
    }.get(kind, {*RAMS} if words > 1 else {*RAMS, "hlsmem_register"})
    if not names <= wanted or (not storing and not is_chain) or (runs and not is_chain):
        other = ", ".join(sorted(names)) or f"{len(runs)} runs of registers"
        raise False_(f"{place}: {other} are built, a memory of kind {kind} is planned")
    total = sum(one.number("WIDTH") * one.words for one in storing)
    total += sum(size for _, size in runs)
    if is_chain:  # what waits in the skid of a chain has the width of its stream
        total += sum(size // (-(-bits // 8) * 8) * bits for size in kept)
    total += bits * latched
    if total != bits * words:
        planned = f"{bits * words} are planned, {words} words of {bits}"
        raise False_(f"{place}: {total} bits are built, {planned}")
    if is_chain:
        single = not storing and [size for _, size in runs] == [bits] * lanes
        if kind != "wire" and single != (kind == "registers"):
            raise False_(f"{place}: {len(runs)} runs are built, a memory of kind {kind} is planned")
    else:
        _copies_built(memory, storing, place)
    if kind in ("registers", "wire"):
        return
    style = STYLES.get(memory["style"], memory["style"])
    for one in storing:
        own = (one.parameters.get("STYLE", '"auto"') or "").strip('"')
        either = ("auto", "block") if one.module == "hlsmem_ram_output" else (own,)
        if style not in either:
            raise False_(f"{shown(one.place)}: style {own} is built, {style} is planned")


def _copies_built(memory: dict[str, Any], storing: list[Instance], place: str) -> None:
    """Each copy is one RAM of its words, or as many as there are banks, of whole words."""
    bits, words, copies, banks = (memory[key] for key in ("bits", "words", "copies", "banks"))
    for one in storing:
        if one.number("WIDTH") != bits:
            raise False_(
                f"{shown(one.place)}: {one.number('WIDTH')} bits are built, {bits} are planned"
            )
    if memory["kind"] in ("fifo", "registers"):
        if (len(storing), copies, banks) != (1, 1, 1):
            raise False_(f"{place}: {len(storing)} are built, {copies} x {banks} are planned")
        return
    each = words // copies
    whole = sum(one.words == each for one in storing)
    parts = sum(one.words * banks == each for one in storing) if banks > 1 else 0
    divided = memory["kind"] != "banked" or parts
    if whole + parts != len(storing) or whole + parts // banks != copies or not divided:
        sizes = Counter(one.words for one in storing)
        found = " and ".join(f"{many} RAMs of {size} words" for size, many in sizes.items())
        planned = f"{copies} copies of {each} words in {banks} banks are planned"
        raise False_(f"{place}: {found} are built, {planned}")


SIZES = {
    "char": 1, "bool": 1, "_Bool": 1, "short": 2, "int": 4, "unsigned": 4, "signed": 4, "float": 4,
    "double": 8, "long": 8,
} | {f"{sign}int{bits}_t": bits // 8 for sign in ("", "u") for bits in (8, 16, 32, 64)}  # fmt: skip


class Header:
    """The macros and types of a header of C, and the value of an expression of them."""

    def __init__(self, file: str, text: str, values: Values) -> None:
        self.file, self.values = file, values
        self.macros: dict[str, list[tuple[int, list[str]]]] = {}
        self.types: dict[str, list[str]] = {}
        whole = text.replace("\\\n", "  ")
        for number, line in enumerate(whole.splitlines(), start=1):
            define = re.match(r"\s*#\s*define\s+(\w+)(?![\w(])(.*)", line)
            if define is not None:
                body = [one for one, _ in tokens_of(define[2])]
                self.macros.setdefault(define[1], []).append((number, body))
            typedef = re.match(r"\s*typedef\s+([\w ]+?)\s+(\w+)\s*;", line)
            if typedef is not None:
                self.types[typedef[2]] = typedef[1].split()

    def only(self, name: str) -> tuple[int, list[str]]:
        """The line and the tokens of a macro; raises False_ where there are several."""
        if len(self.macros[name]) > 1:
            places = " and ".join(f"{self.file}:{line}" for line, _ in self.macros[name][:2])
            raise False_(f"{places}: {name} is there twice")
        return self.macros[name][0]

    def terms(self, name: str) -> list[tuple[int, bool]]:
        """(value, whether it is a number of cells) of the terms of a macro."""
        self.line, tokens = self.only(name)
        self.tokens, self.k, self.sized, self.depth = [*tokens], 0, False, 0
        while self.tokens[:1] == ["("] and self._closing() == len(self.tokens) - 1:
            self.tokens = self.tokens[1:-1]
        found: list[tuple[int, bool]] = []
        while not found or self.take("+"):
            self.sized = False
            found.append((self.product(), self.sized))
        if self.k < len(self.tokens):
            self.fail()
        return found

    def _closing(self) -> int:
        depth = 0
        for k, token in enumerate(self.tokens):
            depth += (token == "(") - (token == ")")
            if not depth:
                return k
        return -1

    def fail(self) -> NoReturn:
        raise False_(f"{self.file}:{self.line}: a number of bytes or cells is not understood")

    def peek(self) -> str:
        return self.tokens[self.k] if self.k < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        self.k += (found := self.peek() == token)
        return found

    def total(self) -> int:
        value = self.product()
        while self.peek() in ("+", "-"):
            value += self.product() if self.take("+") else -(self.take("-") and self.product())
        return value

    def product(self) -> int:
        value = self.factor()
        while (sign := self.peek()) in ("*", "/", "%") and sign:
            self.k += 1
            other = self.factor()
            if sign == "*":
                value *= other
            elif other <= 0 or value < 0:
                self.fail()
            else:
                value = value // other if sign == "/" else value % other
        return value

    def factor(self) -> int:
        token = self.peek()
        self.k += 1
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail()
        value = 0
        if token.isdigit() and len(token) <= DIGITS:
            value = int(token)
            if re.fullmatch(r"[uUlL]{1,3}", self.peek()):
                self.k += 1
        elif token == "-":
            value = -self.factor()
        elif token == "(" and self.peek() in ("size_t", "int64_t", "uint64_t"):
            self.k += 1
            value = self.factor() if self.take(")") else self.fail()
        elif token == "(":
            value = self.total()
            if not self.take(")"):
                self.fail()
        elif token == "sizeof" and self.take("("):
            value, self.sized = self.size(), True
        elif token in ("HLSMEM_FLOOR_DIVIDE", "HLSMEM_MODULO", "HLSMEM_MAX") and self.take("("):
            value = self.called(token)
        elif token in self.macros:
            self.tokens[self.k - 1 : self.k] = ["(", *self.only(token)[1], ")"]
            self.k -= 1
            if len(self.tokens) > MOST_TERMS:
                self.fail()
            value = self.factor()
        elif token in self.values:
            value = self.values[token]
        else:
            self.fail()
        self.depth -= 1
        return value

    def called(self, function: str) -> int:
        one = self.total()
        other = self.total() if self.take(",") else 0
        if not self.take(")") or (function != "HLSMEM_MAX" and other <= 0):
            self.fail()
        if function == "HLSMEM_MAX":
            return max(one, other)
        return one // other if function == "HLSMEM_FLOOR_DIVIDE" else one % other

    def size(self) -> int:
        """The bytes of the type up to the next parenthesis."""
        words: list[str] = []
        while not self.take(")"):
            if not self.peek():
                self.fail()
            words.append(self.peek())
            self.k += 1
        for _ in range(DEEPEST):
            if len(words) != 1 or words[0] not in self.types:
                break
            words = self.types[words[0]]
        words = [one for one in words if one not in ("const", "volatile")]
        own = [one for one in words if one not in ("signed", "unsigned", "int", "long")]
        known = own or [one for one in ("long", "int", "unsigned", "signed") if one in words]
        if not words or any(one not in SIZES for one in words):
            self.fail()
        return SIZES[known[0]]


def bytes_of_c(document: dict[str, Any], texts: dict[str, str]) -> bool:
    """Lemma *bytes of C*: the workspace of the header has the cells of each array, and no others.

    Whether there is a header that says how many.
    """
    file = f"host/{document['design']}.h"
    text = texts.get(file)
    arrays = {
        name: array["holdings"]["host"]["parts"][0]
        for name, array in document["arrays"].items()
        if array["holdings"]["host"] is not None
    }
    placed = {name: one for name, one in arrays.items() if one["at"] is not None}
    if text is None:
        return False
    header = Header(file, text, document["params"])
    for name, one in arrays.items():
        macro = f"{name.upper()}_CELLS"
        if document["program"] is None and macro in header.macros:
            cells = sum(value for value, _ in header.terms(macro))
            if cells != one["mapping"]["cells"]:
                place = f"{file}:{header.line}"
                raise False_(
                    f"{place}: {cells} cells hold {name}, {one['mapping']['cells']} are planned"
                )
    names = [name for name in header.macros if name.endswith("_WS_BYTES")]
    if not names:
        if placed and re.search(r"_ws_bytes\(void\)", text):
            raise False_(f"{file}: it does not define the bytes of the workspace")
        return False
    if len(names) > 1:
        raise False_(f"{file}: {names[0]} and {names[1]} are there")
    line = header.only(names[0])[0]
    terms = header.terms(names[0])
    sizes = [value for value, is_sized in terms if is_sized]
    wanted = sorted(placed.items(), key=lambda one: _bytes_in_c(one[1]))
    for (name, one), size in zip(wanted, sizes, strict=False):
        first, last = _bytes_in_c(one)
        if size != last - first:
            raise False_(
                f"{file}:{line}: {size} bytes of C hold {name}, {last - first} are planned"
            )
    total = sum(value for value, _ in terms)
    end = max((_bytes_in_c(one)[1] for _, one in wanted), default=0)
    if total != end or len(sizes) != len(wanted):
        raise False_(f"{file}:{line}: the workspace has {total} bytes, {end} are planned")
    return True


# ---- The command --------------------------------------------------------------------------------


def verify(
    document: dict[str, Any], sizes: Iterable[Values] = (), texts: dict[str, str] | None = None
) -> dict[str, Any]:
    """{leaves: [(path, class, what proved it)], false: [..], open: {path: reason}, storage} of a
    plan; storage says whether it was held against Verilog.

    Claims for all parameters are held against a play at each of some sizes too. `texts` are the
    Verilog and the headers beside the plan by name, as `texts_of` reads them.
    """
    judge = Judge(document)
    judge.judge()
    earlier, judge.false = judge.false, []
    is_built = judge.is_built(texts or {})
    judge.false += earlier  # what is built comes first: of two figures the plan may have either
    for values in sizes:
        judge.at(document["params"] | values)
    found, left = [], {}
    for path, claim in leaves(document, SHAPE):
        if document["program"] is None and path[2:] == ("conflicts", "differences"):
            claim = H
        if _is_of_rtl(document, path, is_built):
            claim = M
        how = claim
        if claim == P:
            above = [path[:size] for size in range(len(path), 0, -1)]
            lemma = next((judge.lemmas[one] for one in above if one in judge.lemmas), "")
            unknown = next((judge.open[one] for one in above if one in judge.open), "")
            how = f"proved by {lemma}"
            if unknown or not lemma:
                left[path] = unknown or "nothing here proves it"
                how = "nothing proves it"
        found.append((path, claim, how))
    told = {path[:size] for path in left for size in range(len(path) + 1)}
    left |= {path: why for path, why in judge.open.items() if path not in told}
    storage = "compared with rtl" if is_built else "not compared: no rtl here"
    return {"leaves": found, "false": judge.false, "open": left, "storage": storage}


def _is_of_rtl(document: dict[str, Any], path: KeyPath, is_built: bool) -> bool:
    """Whether the Verilog alone says a leaf of a memory, and is not here; registers have no
    style."""
    match path:
        case ("memories", str(name), "kind" | "style" as key):
            kind = document["memories"][name]["kind"]
            return not is_built or (key == "style" and kind in ("registers", "wire"))
    return False


def _size(text: str, params: Values) -> Values:
    """The values of N=5 or M=5,N=6; raises Refused for anything else."""
    pairs = dict(one.partition("=")[::2] for one in text.split(","))
    if not set(pairs) <= set(params) or not all(
        re.fullmatch(r"-?\d{1,9}", v) for v in pairs.values()
    ):
        what = f"--at {text[:60]!a} gives no values of {', '.join(params)}"
        raise Refused(what, "write it like --at N=5,M=6")
    return {name: int(value) for name, value in pairs.items()}


def _tell(found: dict[str, Any], asked: argparse.Namespace) -> None:
    """Print the verdicts."""
    listed = [(joined(path), claim, how) for path, claim, how in found["leaves"]]
    left = {joined(path): why for path, why in found["open"].items()}
    if asked.json:
        print(json.dumps({**found, "leaves": listed, "open": left}, indent=1))
        return
    if asked.list:
        for path, claim, how in listed:
            print(f"{path}: {how if claim == P else claim}")
    for line in found["false"]:
        print(f"FALSE  {line}")
    for path, why in left.items():
        print(f"OPEN   {path}: nothing proves it ({why})")
    claims = [path for path, claim, _ in found["leaves"] if claim == P]
    proved = sum(path not in found["open"] for path in claims)
    false, many = len(found["false"]), len(left)
    storage = "" if found["storage"].startswith("compared") else f"; storage {found['storage']}"
    print(f"{proved} of {len(claims)} claims proved, {false} false, {many} open{storage}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="hlsmem-verify", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("plan", type=Path, help="a folder OUT, or a plan.json")
    parser.add_argument("--json", action="store_true", help="the verdicts as JSON")
    parser.add_argument("--list", action="store_true", help="each leaf, its class, what proved it")
    parser.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="N=5",
        help="claims for all parameters by a play",
    )
    asked = parser.parse_args(arguments)
    is_folder = asked.plan.is_dir()
    file = asked.plan / "plan.json" if is_folder else asked.plan
    try:
        document = read(file)
        sizes = [_size(one, document["params"]) for one in asked.at]
        found = verify(document, sizes, texts_of(asked.plan) if is_folder else None)
    except Refused as reason:
        print(f"hlsmem-verify: {file}: {reason}; {reason.remedy}", file=sys.stderr)
        return 2
    except MemoryError:
        remedy = "plan at smaller parameters, or give it more"
        print(f"hlsmem-verify: {file}: memory is not enough; {remedy}", file=sys.stderr)
        return 4
    try:
        _tell(found, asked)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; the verdict is in the exit status.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1 if found["false"] or found["open"] else 0


if __name__ == "__main__":
    sys.exit(main())
