from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.read.texts import default_index, index_names
from tests.read.loading import NETWORK, changed, load_text, messages_of, problems_of, stretches_of


@pytest.mark.parametrize(
    ("text", "name", "dimensions", "names"),
    [
        ("[N] -> { S[i,j] -> A[j, i] : i < N }", "A", 2, ("j", "i")),
        ("[N] -> { S[i,j] -> A[j, i] : i < N }", "S", 2, ("i", "j")),
        ("{ S[i] -> A[i+1]; T[i] -> A[i] }", "A", 1, None),
        ("{ S[i] -> A[i,i] }", "A", 2, None),
        ("{ S[i] -> A[0] }", "A", 1, None),
        ("{ S[i] -> A[i] }", "A", 2, None),
        ("{ S[i] -> A[i] }", "B", 1, None),
        ("{ S[i] -> AA[i] }", "A", 1, None),
        ("{ S[] -> A[] }", "A", 0, ()),
        ("[N] -> { [x,y] : x < N }", "", 2, ("x", "y")),
        ("[x] -> { A[y] : x < y }", "", 1, None),
    ],
)
def test_index_names(text: str, name: str, dimensions: int, names: tuple[str, ...] | None) -> None:
    assert index_names(text, name, dimensions) == names


def test_default_index() -> None:
    assert default_index(3) == ("i0", "i1", "i2")
    assert default_index(0) == ()


def test_places_inside_of_folded_isl_text(tmp_path: Path) -> None:
    text = changed(
        NETWORK,
        (
            'domain: "[N] -> { R[i] : 0 <= i < N }"',
            'domain: "[N] -> { R[i] :\n            0 <= i\n            and j < N }"',
        ),
        (
            'reads: ["{ R[i] -> a[i] }"]',
            "reads:\n          - |\n            { R[i] ->\n              a[k + 1] }",
        ),
    )
    found = problems_of(tmp_path, text)
    assert stretches_of(found) == ["j", "k"]
    assert [str(one.source_location).removeprefix(f"{tmp_path}/") for one in found] == [
        "design.yaml:19:17",
        "design.yaml:24:17",
    ]


@pytest.mark.parametrize(
    ("extent", "message"),
    [
        (
            '"N/"',
            "design.yaml:5:17: extent of 'a': expected a positive integer divisor at"
            " character 3 of 'N/'; write it like N/2 + 1",
        ),
        (
            "K",
            "design.yaml:5:17: extent of 'a' uses 'K', which is no parameter;"
            " add it to params; the parameters are: N",
        ),
    ],
)  # fmt: skip
def test_bad_extents(tmp_path: Path, extent: str, message: str) -> None:
    text = changed(NETWORK, ("a: {extents: [N]}", f"a: {{extents: [{extent}]}}"))
    assert messages_of(tmp_path, text) == [message]


def test_extents_are_integers_or_expressions(tmp_path: Path) -> None:
    text = changed(NETWORK, ("a: {extents: [N]}", 'a: {extents: ["(N + 1)*2"]}'))
    (extent,) = load_text(tmp_path, text).input.arrays["a"].extents  # type: ignore[union-attr, misc]
    assert str(extent) == "2*N + 2"
    text = changed(NETWORK, ("a: {extents: [N]}", "a: {extents: [8]}"))
    (extent,) = load_text(tmp_path, text).input.arrays["a"].extents  # type: ignore[union-attr, misc]
    assert str(extent) == "8"
