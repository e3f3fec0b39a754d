from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.core.errors import Problems
from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.sets import points
from hlsmem.program.model import ConflictInput, ConflictSet, Storage
from hlsmem.read.conflict_sets import read_conflicts
from hlsmem.read.document import read_document
from hlsmem.read.parameter_values import read_parameters
from hlsmem.read.texts import Texts
from hlsmem.read.validation import validate
from tests.families import by_default
from tests.read.loading import CONFLICTS, DESIGNS, changed, load_text, messages_of
from tests.steps import load

GIVEN = 'differences: "[N] -> { [x,y] : 0 <= x < N and 0 <= y <= 1 }"'


def conflict_of(folder: Path, *changes: tuple[str, str]) -> ConflictSet:
    given_input = load_text(folder, changed(CONFLICTS, *changes)).input
    assert isinstance(given_input, ConflictInput)
    return given_input.conflicts["A"]


def test_the_example_of_a_bare_conflict_set() -> None:
    design = load(DESIGNS / "bare.yaml")
    given_input = design.input
    assert isinstance(given_input, ConflictInput)
    assert (given_input.name, given_input.parameters, given_input.values) == (
        "bare",
        ("N",),
        {"N": 64},
    )
    conflict = given_input.conflicts["A"]
    half = "1 <= x < N and 0 <= y <= 1"
    mirrored = "1 <= -x < N and 0 <= -y <= 1"
    assert conflict.differences.is_equal(
        Set(f"[N] -> {{ [x,y] : N >= 3 and ({half} or {mirrored} or (x = 0 and y = 0)) }}")
    )
    assert conflict.elements.is_equal(Set("[N] -> { A[x,y] : N >= 3 and 0 <= x,y < N }"))
    assert conflict.pairs is None
    assert conflict.closed
    assert (conflict.array.index, conflict.array.storage) == (("x", "y"), Storage.MEMORY)
    assert conflict.array.element.name == "int32"
    assert [source.name for source in design.sources] == ["bare.yaml"]


def test_closed_differences_stay_and_say_so(tmp_path: Path) -> None:
    conflict = conflict_of(tmp_path, (GIVEN, 'differences: "{ A[x] : -2 <= x <= 2 }"'))
    assert not conflict.closed
    assert conflict.differences.is_equal(Set("[N] -> { [x] : -2 <= x <= 2 and N >= 1 }"))
    assert conflict.array.index == ("x",)
    assert conflict.elements is None


def test_differences_without_bound_are_kept(tmp_path: Path) -> None:
    conflict = conflict_of(tmp_path, (GIVEN, 'differences: "{ [x] : x mod 3 = 0 }"'))
    assert conflict.differences.is_equal(Set("[N] -> { [x] : x mod 3 = 0 and N >= 1 }"))


def test_only_elements_that_there_are_conflict(tmp_path: Path) -> None:
    endless = (GIVEN, 'differences: "[N] -> { [x,y] : y = 0 or x = 20 }"')
    conflict = conflict_of(tmp_path, ("{A: {}}", "{A: {extents: [N, 2]}}"), endless)
    assert conflict.elements.is_equal(Set("[N] -> { A[x,y] : 0 <= x < N and 0 <= y <= 1 }"))
    assert conflict.differences.is_equal(
        Set(
            "[N] -> { [x,0] : -N < x < N; [20,y] : N > 20 and -1 <= y <= 1;"
            " [-20,y] : N > 20 and -1 <= y <= 1 }"
        )
    )
    product = conflict_of(tmp_path, ("{A: {}}", "{A: {extents: [N*N, 2]}}"), endless)
    assert product.elements is None


PAIRS = st.sets(st.tuples(*[st.integers(0, 3)] * 4), max_size=6)


@given(PAIRS)
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
def test_pairs_are_closed_under_exchange_and_differ(pairs: set[tuple[int, ...]]) -> None:
    listed = "; ".join(f"A[{a},{b}] -> A[{c},{d}]" for a, b, c, d in sorted(pairs))
    text = (
        "hlsmem: 1\nname: x\narrays: {A: {index: [x, y]}}\n"
        f'conflicts: {{A: {{pairs: "{{ {listed or "A[x,y] -> A[z,w] : 1 = 0"} }}"}}}}\n'
    )
    document, problems = read_document(text, "d"), Problems()
    keys = validate(document, problems)
    assert keys is not None
    texts = Texts(document, read_parameters(keys, document, problems), problems)
    conflict = read_conflicts(keys.conflicts or {}, keys.arrays, texts)["A"]
    problems.raise_if_any()
    symmetric = pairs | {(c, d, a, b) for a, b, c, d in pairs}
    apart = {pair for pair in symmetric if pair[:2] != pair[2:]}
    assert {tuple(row) for row in points(conflict.pairs)} == apart
    assert {tuple(row) for row in points(conflict.differences)} == {
        (c - a, d - b) for a, b, c, d in symmetric
    } | {(0, 0)}
    assert conflict.closed == (symmetric != pairs)


def test_anonymous_pairs_get_the_name_of_the_array(tmp_path: Path) -> None:
    conflict = conflict_of(tmp_path, (GIVEN, 'pairs: "[N] -> { [i] -> [i + 1] : 0 <= i < N }"'))
    assert conflict.pairs.is_equal(
        Map("[N] -> { A[i] -> A[i + 1] : 0 <= i < N; A[i] -> A[i - 1] : 1 <= i <= N }")
    )
    assert conflict.array.index == ("i",)


@pytest.mark.parametrize(
    ("settings_text", "names"),
    [
        ("", ("x", "y")),
        ('elements: "[N] -> { A[row, column] : 0 <= row, column < N }"', ("row", "column")),
        ('elements: "{ [0, 0] }"', ("x", "y")),
        ("index: [p, q]", ("p", "q")),
        ("extents: [N, 2]", ("x", "y")),
    ],
)
def test_index_names(tmp_path: Path, settings_text: str, names: tuple[str, ...]) -> None:
    conflict = conflict_of(tmp_path, ("{A: {}}", f"{{A: {{{settings_text}}}}}"))
    assert conflict.array.index == names


def test_index_names_where_the_text_has_none(tmp_path: Path) -> None:
    conflict = conflict_of(tmp_path, (GIVEN, 'differences: "{ [0,1] }"'))
    assert conflict.array.index == ("i0", "i1")


def test_extents_and_type(tmp_path: Path) -> None:
    conflict = conflict_of(tmp_path, ("{A: {}}", "{A: {extents: [N, 2], type: uint5}}"))
    assert [str(extent) for extent in conflict.array.extents or ()] == ["N", "2"]
    assert conflict.array.element.bits == 5


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("conflicts: {A:", "conflicts: {AA:",
         "4:10: 'A' has no conflict set; add conflicts: {A: {differences: ...}}\n"
         "design.yaml:5:17: there is no array 'AA'; did you mean 'A'?"),
        (GIVEN, "", "5:13: 'A' has neither differences nor pairs; give one of the two"),
        (GIVEN, GIVEN + ', pairs: "{ A[0,0] -> A[1,1] }"',
         "5:13: 'A' has both differences and pairs; give one of the two"),
        (GIVEN, 'differences: "{ A[x] -> A[y] }"',
         "5:31: differences of 'A' is a map, but a set is needed here; write"
         " { A[i] -> B[j] : ... } for a map and { A[i] : ... } for a set"),
        (GIVEN, 'pairs: "{ A[x] : x > 0 }"',
         "5:25: pairs of 'A' is a set, but a map is needed here; write"
         " { A[i] -> B[j] : ... } for a map and { A[i] : ... } for a set"),
        (GIVEN, 'differences: "{ B[x] : x > 0 }"',
         "5:30: 'B' stands where 'A' is meant; write A[...]"),
        (GIVEN, 'pairs: "{ A[0] -> A[0,1] }"',
         "5:24: 'A' has 1 dimension, but 2 stand here; give an entry for every dimension"),
        (GIVEN, 'pairs: "{ A[0] -> B[1] }"',
         "5:24: 'B' stands where 'A' is meant; write A[...]"),
        ("{A: {}}", "{A: {index: [i]}}",
         "5:30: 'A' has 1 dimension, but 2 stand here; give an entry for every dimension"),
        ("{A: {}}", "{A: {index: [i, i]}}",
         "4:25: the index 'i' of 'A' stands here twice; give every coordinate its own name"),
        ("{A: {}}", '{A: {elements: "{ A[i] : i > 0 }"}}',
         "5:30: 'A' has 1 dimension, but 2 stand here; give an entry for every dimension"),
        ("{A: {}}", "{A: {storage: stream}}",
         "4:23: 'A' has storage 'stream', but a conflict set has no accesses;"
         " leave storage out, or use 'memory'"),
        ("{A: {}}", '{A: {arrival: "{ A[i,j] -> [i] }"}}',
         "4:23: 'A' has arrival, but a conflict set has no times; remove it"),
        ("{A: {}}", "{A: {reads: banks}}",
         "4:21: 'A' has reads, but a conflict set has no accesses; remove it"),
        ("{A: {}}", "{A: {parts: operands}}",
         "4:21: 'A' has parts, but a conflict set has no accesses; remove it"),
        ("{A: {}}", "{A: {max_banks: 2}}",
         "4:25: 'A' has max_banks, but a conflict set has no accesses; remove it"),
        ("{A: {}}", "{1A: {}}",
         "4:10: the array name '1A' is no C identifier;"
         " use letters, digits and _, no digit first\n"
         "design.yaml:4:10: '1A' has no conflict set; add conflicts: {1A: {differences: ...}}\n"
         "design.yaml:5:16: there is no array 'A'; did you mean '1A'?"),
        ("params: {N: 8}", "params: {N: }",
         "3:10: parameter 'N' has no value, but the conflict set of 'A' needs one;"
         " give it one in params, or with --param N=..."),
        ("params: {N: 8}", "params: {N: 8}\norder: iteration",
         "4:1: order has no meaning for a conflict set, which has no order; remove it"),
        ("params: {N: 8}", "params: {N: 8}\nlive_in: []",
         "4:1: live_in has no meaning for a conflict set, which has no order; remove it"),
    ],
)  # fmt: skip
def test_bad_conflict_sets(tmp_path: Path, old: str, new: str, message: str) -> None:
    found = "\n".join(messages_of(tmp_path, changed(CONFLICTS, (old, new))))
    assert found == f"design.yaml:{message}"


def test_pairs_have_to_be_elements(tmp_path: Path) -> None:
    text = changed(
        CONFLICTS,
        ("{A: {}}", '{A: {elements: "{ A[i] : 0 <= i < 4 }"}}'),
        (GIVEN, 'pairs: "{ A[i] -> A[i + 1] : 0 <= i < 4 }"'),
    )
    assert messages_of(tmp_path, text) == [
        "design.yaml:5:24: A[4] at N=8 conflicts, but is none of the elements of 'A';"
        " add it to elements, or bound the pairs to them"
    ]
