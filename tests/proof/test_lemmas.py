"""The list of lemmas, which `--list` and docs/lemmas.md read."""

from __future__ import annotations

import os
from pathlib import Path

import hlsmem_verify
from hlsmem_verify.facts import Facts
from hlsmem_verify.judge import judged
from hlsmem_verify.lemmas import LEMMAS
from tests.proof.documents import plan_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "lemmas.md"
TEXT = """# What is proved of a plan, and by what

`hlsmem-verify OUT` and `check --only proof` go through these lemmas, which are values of
`hlsmem_verify.lemmas`; `hlsmem-verify OUT --list` names those of each leaf of plan.json. A leaf is
proved by all lemmas that are of it: by none, it is open, and one that fails decides.

"""


def test_the_page_has_them() -> None:
    rows = [f"| {one.name} | {one.says} | `{one.leaves()}` |" for one in LEMMAS]
    text = TEXT + "\n".join(["| lemma | says | proves |", "|---|---|---|", *rows]) + "\n"
    if os.environ.get("HLSMEM_REFRESH"):
        PAGE.write_text(text)
    assert PAGE.read_text() == text


def test_each_says_something_else_of_its_leaves() -> None:
    assert len({(one.name, one.at) for one in LEMMAS}) == len(LEMMAS)
    assert all(one.says and one.name for one in LEMMAS)


def test_a_leaf_without_its_lemma_is_open() -> None:
    """Whichever lemma is taken away, of those that are of the plan."""
    document = plan_of("blur/design.yaml")
    claims = [
        path
        for path, claim in hlsmem_verify.leaves(document, hlsmem_verify.SHAPE)
        if claim == hlsmem_verify.P and path[2:] not in (("kind",), ("style",))  # of rtl
    ]
    whole = judged(Facts(document))
    assert whole.false == []
    assert not [path for path in claims if whole.of(path)[1]]
    facts = Facts(document)
    tried = 0
    for lemma in LEMMAS:
        if not lemma.beside and [*lemma.objects(facts)]:
            found = judged(facts, [one for one in LEMMAS if one is not lemma])
            assert any(found.of(path)[1] for path in claims), lemma.name
            tried += 1
    assert tried > 10
