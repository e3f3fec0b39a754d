"""All lemmas: what each says, which leaves of plan.json it proves, and the function that proves it.

A leaf is proved by all lemmas that are of it: by none, it is open, and one that fails decides.
Lemmas that rest on others have these proved by `Facts.need`, and read no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hlsmem_verify.claims.access_streams import prove_streams
from hlsmem_verify.claims.array_conflicts import prove_conflicts, prove_declared, prove_element
from hlsmem_verify.claims.branch_fifos import has_chains_alone, prove_branches
from hlsmem_verify.claims.host_c import prove_bytes_of_c, prove_host, prove_order_of_c, prove_text
from hlsmem_verify.claims.memories import prove_built, prove_held, prove_top
from hlsmem_verify.claims.parts import prove_division, prove_given_part, prove_part
from hlsmem_verify.claims.source_text import (
    prove_beside_plan,
    prove_in_source,
    prove_order_of_source,
)
from hlsmem_verify.claims.whole_holdings import (
    prove_bounded,
    prove_counted,
    prove_lattice,
    prove_standing,
    prove_sums,
    prove_weakest,
)
from hlsmem_verify.facts import Facts
from hlsmem_verify.kinds import KINDS
from hlsmem_verify.shape import KeyPath

ANY = "*"


def _always(_facts: Facts, *_keys: Any) -> bool:
    return True


@dataclass(frozen=True)
class Lemma:
    """`at` is the path of an object, ANY for each of its names or places, which `prove` and `when`
    are given; what it proves stands below `keys` of it, or is all of it. `when`: whether it is of
    such an object; `beside`: its leaves need another lemma too."""

    name: str
    says: str
    at: tuple[str, ...]
    prove: Callable[..., None]
    keys: tuple[str, ...] = ()
    when: Callable[..., bool] = _always
    beside: bool = False

    def objects(self, facts: Facts) -> Iterator[tuple[KeyPath, tuple[Any, ...]]]:
        """(path, what stands for ANY in it) of the objects of a plan that it is of."""
        found: list[tuple[KeyPath, tuple[Any, ...], Any]] = [((), (), facts.document)]
        for key in self.at:
            found = [
                ((*path, one), (*names, one) if key == ANY else names, value[one])
                for path, names, value in found
                if value is not None
                for one in (_names(value) if key == ANY else [key])
                if key == ANY or key in value
            ]
        yield from ((path, names) for path, names, _ in found if self.when(facts, *names))

    def proves(self, path: KeyPath) -> list[KeyPath]:
        """The paths below which all is proved."""
        return [(*path, key) for key in self.keys] or [path]

    def leaves(self) -> str:
        """As people read it: `arrays.*.holdings.hardware.{words, bits}`."""
        below = ["{" + ", ".join(self.keys) + "}"] if len(self.keys) > 1 else [*self.keys]
        return ".".join([*self.at, *below]) or "all"


def _names(value: Any) -> list[Any]:
    return list(value) if isinstance(value, dict) else list(range(len(value)))


def _has_none(facts: Facts, *_names: Any) -> bool:
    return facts.program.rules is None


def _has_verilog(facts: Facts, *_names: Any) -> bool:
    return facts.has_verilog


def _is_built(facts: Facts, memory: str) -> bool:
    return facts.has_verilog and memory not in facts.unbuilt


def _in_memory(kind: str) -> Callable[..., bool]:
    """Of parts of a design with a program, in a memory of a kind."""
    return lambda facts, name, k: (
        facts.program.rules is not None and facts.kind(facts.held(name)[k]) == kind
    )


def _bounded_by(kind: str | None) -> Callable[..., bool]:
    def is_of(facts: Facts, name: str) -> bool:
        bound = facts.hardware(name)["bound"]
        return (None if bound is None else bound["kind"]) == kind

    return is_of


_ARRAY = ("arrays", ANY)
_HARDWARE = ("arrays", ANY, "holdings", "hardware")
_PART = (*_HARDWARE, "parts", ANY)
_MEMORY = ("memories", ANY)
_PLACES = (
    "memory", "operands", "takes", "mapping", "base", "bank_basis", "bank_block", "storage_basis",
    "boxes", "taps", "taps_expr",
)  # fmt: skip

_BOUNDS = {
    "max-live": "so many elements are alive just after one moment, and at no other are more",
    "live-at": "so many elements are alive just after one moment",
    "difference-clique": "any two of so many points are a difference of conflicting elements apart",
    "clique": "any two of so many elements conflict",
    "exhaustive": "every lattice of fewer cells holds a difference of conflicting elements",
    "width": "any two of so many elements conflict in some order of the class",
}
_KINDS = {
    **{name: kind.says for name, kind in KINDS.items()},
    "part": "its memory is one of the plan",
}

LEMMAS = (
    Lemma(
        "bytes of C",
        "the workspace of the header has the cells of each array, and no others",
        (),
        prove_bytes_of_c,
        ("host",),
        beside=True,
    ),
    Lemma(
        "top",
        "the top module has the buffer of each memory once, and none of one without streams",
        (),
        prove_top,
        ("memories",),
        _has_verilog,
        beside=True,
    ),
    Lemma(
        "built",
        "the module of a memory has its bits, words, copies, banks, kind and style, and no others"
        " read from it",
        _MEMORY,
        prove_built,
        ("bits", "words", "banks", "copies", "kind", "style"),
        _is_built,
    ),
    Lemma("element", "its type has so many bits", (*_ARRAY, "element"), prove_element, ("bits",)),
    Lemma(
        "extents",
        "cells as declared are the product of the extents",
        _ARRAY,
        prove_declared,
        ("declared",),
    ),
    Lemma(
        "conflict",
        "two elements conflict where one is written while a value of the other stays: those of the"
        " program",
        _ARRAY,
        prove_conflicts,
        ("conflicts",),
    ),
    Lemma(
        "class",
        "two elements conflict where some order of the class keeps both",
        _ARRAY,
        prove_conflicts,
        ("class",),
        lambda facts, name: "class" in facts.array(name),
    ),
    Lemma(
        "operands",
        "each operand of the read streams is served by one part, each of a memory of its own",
        _HARDWARE,
        prove_division,
        ("parts",),
        beside=True,
    ),
    Lemma(
        "one RAM",
        "given conflicts have no streams, and one mapping alone, which separates them",
        _PART,
        prove_given_part,
        _PLACES,
        _has_none,
    ),
    *(
        Lemma(kind, says, _PART, prove_part, _PLACES, _in_memory(kind))
        for kind, says in _KINDS.items()
    ),
    Lemma(
        "sum",
        "words and bits are those of the memories, and of branch FIFOs at them",
        _HARDWARE,
        prove_sums,
        ("words", "bits"),
    ),
    *(
        Lemma(kind, says, _HARDWARE, prove_bounded, ("bound",), _bounded_by(kind))
        for kind, says in _BOUNDS.items()
    ),
    Lemma(
        "no bound",
        "how many elements are alive at once cannot be counted, or one cell holds them",
        _HARDWARE,
        prove_counted,
        ("bound",),
        _bounded_by(None),
    ),
    Lemma(
        "lattice",
        "modular mappings take so many cells, where one is all that holds the array",
        _PART,
        prove_lattice,
        ("lattice",),
    ),
    Lemma(
        "standing",
        "the words beside the bound",
        _HARDWARE,
        prove_standing,
        ("standing",),
    ),
    Lemma(
        "weakest",
        "what holds of all parts holds of the whole",
        _HARDWARE,
        prove_weakest,
        ("certificate",),
    ),
    Lemma(
        "rows in C's order",
        "no two elements that conflict as C runs share a cell, no two arrays a byte",
        ("arrays", ANY, "holdings", "host"),
        prove_host,
        (),
        lambda facts, name: facts.array(name)["holdings"]["host"] is not None,
    ),
    Lemma(
        "rows in the text's order",
        "no two elements that conflict as the text runs share a cell, no two arrays a byte",
        ("host", "text", "arrays", ANY),
        prove_text,
    ),
    Lemma(
        "order of C",
        "every two instances that touch one element, one of them writing, keep their order",
        ("orders", "host"),
        prove_order_of_c,
    ),
    Lemma(
        "order of the source",
        "every read of the text that comes back sees what it sees in the user's text",
        ("source",),
        prove_order_of_source,
        ("times",),
        lambda facts: bool(facts.document["source"].get("times")),
    ),
    Lemma(
        "source",
        "no two elements that conflict in the order of the text that comes back share a cell; a"
        " value is read so many iterations after its write, or its arrival, as a line has words",
        ("arrays", ANY, "holdings", "source"),
        prove_in_source,
    ),
    Lemma(
        "source alone",
        "the same of arrays that are not planned",
        ("source", "arrays", ANY),
        prove_beside_plan,
    ),
    Lemma(
        "memory",
        "one part is in it, and is proved with it",
        _MEMORY,
        prove_held,
        ("bits", "words", "banks", "copies"),
    ),
    Lemma(
        "branch",
        "branch FIFOs hold as many beats as the paths of chains to their statement differ, in the"
        " fewest bits",
        (),
        prove_branches,
        ("elastic",),
        lambda facts: bool(facts.document["elastic"]) and has_chains_alone(facts),
    ),
    Lemma(
        "streams",
        "the streams are those of the accesses, with a beat an instance",
        (),
        prove_streams,
        ("streams",),
    ),
)
