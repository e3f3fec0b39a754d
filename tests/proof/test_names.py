"""Names that texts of the verifier, isl, C or Verilog use too: they change no verdict.

A plan is renamed throughout, by isl where a text has the name of a parameter as a dimension too.
What is right is proved by any name, and what is false by none.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import islpy as isl
import pytest

import hlsmem_verify
from hlsmem_verify.facts import Facts
from tests.families import by_default
from tests.proof.documents import Document, plan_of, verdict

# Dimensions and unknowns in texts of the verifier and of isl, and names that are made of such.
PARAMETERS = [
    *("d0", "d1", "v0", "v1", "x0", "x1", "t0", "t1", "q0", "i0", "o0", "e0", "a0", "b"),
    *("N_old", "old_P_N", "P_N", "P_d0", "r", "n"),
]
KEYWORDS = ["mod", "floor", "exists", "min", "max", "and", "not", "rat", "NaN", "MAX", "Infinity"]
OTHERS = ["for", "sizeof", "module", "reg", "always", "streams", "m_", "S", "hlsmem", "params"]
NAMES = [*PARAMETERS, *KEYWORDS, *OTHERS]
NO_NAMES = ["t.conflicts", "größe", "a b", "x'", "1st", "a[0]", "", "x\n", "µ", "a" * 301]

EXAMPLES: dict[str, tuple[str, ...]] = {
    "by_hand.json": (),
    "e1/design.yaml": (),
    "blur/design.yaml": ("params.N=8",),
    "blur/conflicts.yaml": ("params.N=12",),
    "blur/network.yaml": ("params.N=8",),
    "bicubic/design.yaml": ("params.N=16",),
    "camera/design.yaml": (),
    "durbin/design.yaml": ("params.N=8",),
    "echo/design.yaml": (),
    "edges/design.yaml": (),
    "fifo/design.yaml": (),
    "half/design.yaml": ("params.N=8",),
    "heat2d/design.yaml": ("params.N=6",),
    "jacobi1d/design.yaml": (),
    "matmul_relu/design.yaml": (),
    "mixed/design.yaml": (),
    "receiver/design.yaml": (),
    "threshold/design.yaml": (),
    "transpose/design.yaml": (),
    "triangle/design.yaml": (),
    "two_readers/design.yaml": (),
    "unsharp/design.yaml": (),
    "window3/design.yaml": (),
}


def document_of(design: str) -> Document:
    if design.endswith(".json"):
        found: Document = json.loads((Path(__file__).parent / design).read_text())
        return found
    return plan_of(design, EXAMPLES[design])


def objects_of(document: Document) -> dict[str, list[str]]:
    """The names that a plan has, by what they are of."""
    statements = (document["program"] or {"statements": {}})["statements"]
    return {
        "parameter": list(document["params"]),
        "array": list(document["arrays"]),
        "statement": list(statements),
        "memory": list(document["memories"]),
    }


def renamed(document: Document, kind: str, old: str, new: str) -> Document:
    """The plan with another name for one of its objects."""
    if kind == "memory":
        found = copy.deepcopy(document)
        found["memories"] = {new if k == old else k: v for k, v in found["memories"].items()}
        for array in found["arrays"].values():
            for part in array["holdings"]["hardware"]["parts"]:
                part["memory"] = new if part["memory"] == old else part["memory"]
        return found
    if kind == "parameter":
        return _mapped(document, lambda text: _other_parameter(text, old, new))
    objects = objects_of(document)
    names = {
        f"{way}_{array}_{end}": f"{way}_{_swap(array, kind, 'array', old, new)}"
        f"_{_swap(end, kind, 'statement', old, new)}"
        for way, array, end in product(
            "ms", objects["array"], [*objects["statement"], "fill", "drain"]
        )
    }
    names[old] = new
    tuples = re.compile(rf"(?<![\w']){re.escape(old)}(?=\[)")
    return _mapped(document, lambda text: names.get(text, tuples.sub(new, text)))


def _swap(name: str, kind: str, its: str, old: str, new: str) -> str:
    return new if (kind, name) == (its, old) else name


def _other_parameter(text: str, old: str, new: str) -> str:
    if "{" not in text:
        return re.sub(rf"\b{old}\b", new, text)
    relation = (isl.Map if "->" in text.partition("{")[2] else isl.Set)(text)
    position = relation.find_dim_by_name(isl.dim_type.param, old)
    if position < 0:
        return text
    return str(relation.set_dim_name(isl.dim_type.param, position, new))


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """A document with all its texts and keys changed."""
    match value:
        case dict():
            return {change(key): _mapped(inner, change) for key, inner in value.items()}
        case list():
            return [_mapped(inner, change) for inner in value]
        case str():
            return change(value)
    return value


def faults_of(document: Document) -> list[Document]:
    """A mapping of all elements to one cell, and a memory that is too large."""
    one_cell, large = copy.deepcopy(document), copy.deepcopy(document)
    array = max(one_cell["arrays"].values(), key=_cells)
    parts = [part for held in array["holdings"].values() if held for part in held.get("parts", [])]
    for mapping in (part["mapping"] for part in parts):
        for piece in mapping["pieces"] if mapping else ():
            piece["matrix"] = [["0"] * len(row) for row in piece["matrix"]]
            piece["matrix_value"] = [[0] * len(row) for row in piece["matrix_value"]]
    for memory in large["memories"].values():
        memory["words"] += 1
    return [one_cell, large]


def _cells(array: Document) -> int:
    """The cells of an array in C, or the words of its memories where there is no C."""
    held = array["holdings"]["host"] or array["holdings"]["hardware"]
    found: int = held["words"]
    return found


def choices(document: Document) -> Iterator[list[tuple[str, str, str]]]:
    """Names for an object of each kind; every name comes up for every kind."""
    objects = objects_of(document)
    statements = (document["program"] or {"statements": {}})["statements"].values()
    taken = {access["array"] for one in statements for access in one["accesses"]}
    taken = taken.union(*objects.values())
    for turn in range(len(NAMES)):
        found = []
        for place, (kind, own) in enumerate(objects.items()):
            usable = PARAMETERS if kind == "parameter" else NAMES
            new = usable[(turn + 7 * place) % len(usable)]
            if own and new not in taken:
                found.append((kind, own[turn % len(own)], new))
        if len({new for *_, new in found}) == len(found):
            yield found


@pytest.mark.few("blur/design.yaml", "e1/design.yaml")
@pytest.mark.parametrize("design", EXAMPLES)
def test_names_change_no_verdict(design: str) -> None:
    document = document_of(design)
    wrong = faults_of(document)
    assert [verdict(one) for one in (document, *wrong)] == ["pass", "false", "false"]
    for turn, names in enumerate(by_default([*choices(document)][::9], [*choices(document)])):
        right, false = document, wrong[turn % 2]
        for one in names:
            right, false = renamed(right, *one), renamed(false, *one)
        assert (names, verdict(right)) == (names, "pass")
        assert (names, verdict(false)) == (names, "false")


@pytest.mark.parametrize("kind", ["parameter", "array", "statement", "memory"])
def test_what_is_no_name_is_refused(kind: str) -> None:
    document = document_of("blur/design.yaml")
    (old, *_) = objects_of(document)[kind]
    for new in NO_NAMES:
        planted = _mapped(document, lambda text, new=new: new if text == old else text)
        said = [*hlsmem_verify.misfits(planted, hlsmem_verify.SHAPE)]
        assert any(f"has {new[:40]!a}, which is no name" in one for one in said), said
        assert verdict(planted) == "refused"


def test_keywords_of_isl_are_no_parameters() -> None:
    document = document_of("blur/design.yaml")
    for new in KEYWORDS:
        planted = _mapped(document, lambda text, new=new: re.sub(r"\bN\b", new, text))
        assert (new, verdict(planted)) == (new, "refused")


@pytest.mark.parametrize("name", ["fill", "drain"])
def test_streams_of_live_elements_have_names_of_their_own(name: str) -> None:
    document = document_of("blur/network.yaml")
    assert verdict(renamed(document, "statement", "C", name)) == "refused"


def test_what_ends_unknown_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever claim it is, at the plan's values or at others."""
    document = document_of("by_hand.json")
    proofs: list[tuple[Any, ...]] = []
    end, unknown = Facts._end, -1

    def ended(facts: Facts, prove: Any, *keys: Any) -> Any:
        proofs.append((prove.__name__, *keys))
        if len(proofs) - 1 == unknown:
            return hlsmem_verify.Unknown("it gives up")
        return end(facts, prove, *keys)

    monkeypatch.setattr(Facts, "_end", ended)
    sizes = [{"N": 11, "L": 4}]
    assert not hlsmem_verify.verify(document, sizes)["open"]
    for unknown in range(len(proofs)):
        proofs.clear()
        found = hlsmem_verify.verify(document, sizes)
        assert found["open"], proofs[unknown]
        assert "it gives up" in found["open"].values()
