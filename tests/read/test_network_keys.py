from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.polyhedra import DimType, Map, Set, UnionSet
from hlsmem.program.model import Mix, NetworkBody, Order, Program, Storage
from tests.read.loading import DESIGNS, NETWORK, changed, load_text, messages_of, problems_of
from tests.steps import load


@pytest.fixture(scope="module")
def half() -> Program:
    program = load(DESIGNS / "half.yaml").input
    assert isinstance(program, Program)
    return program


def test_the_statements_of_a_network(half: Program) -> None:
    load_, reduce = half.statements
    assert [(s.name, s.process, s.latency, s.iterators) for s in half.statements] == [
        ("L", "load", 1, ("y", "x")),
        ("H", "half", 3, ("i", "j")),
    ]
    context = "N >= 4 and N mod 2 = 0"
    assert reduce.domain.is_equal(Set(f"[N] -> {{ H[i,j] : 0 <= 2i,2j < N and {context} }}"))
    assert reduce.schedule.is_equal(
        Map(f"[N] -> {{ H[i,j] -> [2i+1,2j+1,1] : 0 <= 2i,2j < N and {context} }}")
    )
    assert [access.array for access in reduce.reads] == ["a"] * 4
    assert reduce.reads[1].relation.is_equal(
        Map(f"[N] -> {{ H[i,j] -> a[2i,2j+1] : 0 <= 2i,2j < N and {context} }}")
    )
    assert load_.writes[0].must
    assert load_.body == Mix()
    assert reduce.body == NetworkBody("o = (a0 + a1 + a2 + a3) / 4")
    assert str(load_.writes[0].source_location) == "half.yaml:8:122"


def test_the_arrays_of_a_network(half: Program) -> None:
    a, o = half.arrays["a"], half.arrays["o"]
    assert (a.element.name, a.storage, a.index) == ("int16", Storage.MEMORY, ("y", "x"))
    assert (o.element.name, o.storage, o.index) == ("int16", Storage.EXTERNAL, ("i", "j"))
    assert [str(extent) for extent in o.extents or ()] == ["floor(N/2)"] * 2
    assert str(a.source_location) == "half.yaml:6:10"
    assert half.planned_arrays() == (a,)


def test_time_and_steps_of_a_network(half: Program) -> None:
    assert (half.time_dimensions, half.step_dimensions) == (3, 2)
    assert half.order is Order.SEQUENTIAL
    assert half.iterator_names == ("t0", "t1", "t2")


def test_names_of_time_dimensions_are_free(tmp_path: Path) -> None:
    text = NETWORK.replace("a: {", "t1: {").replace("-> a[", "-> t1[")
    program = load_text(tmp_path, text).input
    assert isinstance(program, Program)
    assert program.iterator_names == ("t_0", "t_1")


def test_what_is_live_as_given(half: Program) -> None:
    assert half.live_in.is_empty()
    assert half.live_out.is_equal(
        UnionSet("[N] -> { o[i,j] : 0 <= 2i,2j < N and N >= 4 and N mod 2 = 0 }")
    )


def test_what_is_live_by_default_is_what_the_surroundings_know(tmp_path: Path) -> None:
    program = load_text(tmp_path, NETWORK).input
    assert isinstance(program, Program)
    assert program.live_in.is_empty()
    assert program.live_out.is_equal(UnionSet("[N] -> { o[i] : 0 <= i < N }"))
    text = changed(NETWORK, ("a: {extents: [N]}", "a: {extents: [N], storage: stream}"))
    program = load_text(tmp_path, text).input
    assert isinstance(program, Program)
    assert program.live_in.is_equal(UnionSet("[N] -> { a[i] : 0 <= i < N }"))


def test_every_value_carries_exactly_the_parameters(half: Program) -> None:
    values = [half.context, half.live_in, half.live_out]
    for statement in half.statements:
        values += [statement.domain, statement.schedule]
        values += [access.relation for access in (*statement.reads, *statement.writes)]
    for value in values:
        space = value.get_space()
        assert [space.get_dim_name(DimType.param, i) for i in range(space.dim(DimType.param))] == [
            "N"
        ]


@pytest.mark.parametrize(
    ("extents", "access", "names"),
    [
        ("", "a[i]", ("i",)),
        ("", "a[i + 1]", ("i0",)),
        ("extents: [2, N]", "a[0, i]", ("i0", "i1")),
        ("index: [k]", "a[i]", ("k",)),
    ],
)
def test_index_names(tmp_path: Path, extents: str, access: str, names: tuple[str, ...]) -> None:
    text = changed(
        NETWORK,
        ("a: {extents: [N]}", f"a: {{{extents}}}"),
        ("W[i] -> a[i]", f"W[i] -> {access}"),
        ("R[i] -> a[i]", f"R[i] -> {access}"),
    )
    array = load_text(tmp_path, text).input.arrays["a"]  # type: ignore[union-attr]
    assert array.index == names
    assert array.element.name == "int32"


def test_scalars(tmp_path: Path) -> None:
    text = changed(
        NETWORK, ("a: {extents: [N]}", "a: {}"), ("-> a[i]", "-> a[]"), ("-> a[i]", "-> a[]")
    )
    array = load_text(tmp_path, text).input.arrays["a"]  # type: ignore[union-attr]
    assert (array.index, array.extents) == ((), None)


def test_an_access_may_have_a_smaller_domain(tmp_path: Path) -> None:
    text = changed(NETWORK, ('"{ R[i] -> a[i] }"', '"[N] -> { R[i] -> a[i] : i mod 2 = 0 }"'))
    program = load_text(tmp_path, text).input
    assert isinstance(program, Program)
    assert (
        program.statements[1]
        .reads[0]
        .relation.is_equal(Map("[N] -> { R[i] -> a[i] : i mod 2 = 0 and 0 <= i < N }"))
    )


def test_latency_of_process_statement_and_pipeline(tmp_path: Path) -> None:
    text = changed(NETWORK, ("  make:\n", "  make:\n    latency: 4\n"))
    assert [s.latency for s in load_text(tmp_path, text).input.statements] == [4, 1]  # type: ignore[union-attr]
    text = changed(text, ("      W:\n", "      W:\n        latency: 0\n"))
    assert [s.latency for s in load_text(tmp_path, text).input.statements] == [0, 1]  # type: ignore[union-attr]
    text += "pipeline: {latency: {W: 7}}\n"
    design = load_text(tmp_path, text)
    assert [s.latency for s in design.input.statements] == [7, 1]  # type: ignore[union-attr]
    assert design.pipeline.latency == {"W": 7}


W_DOMAIN = '"[N] -> { W[i] : 0 <= i < N }"'
W_TIME = '"{ W[i] -> [i,0] }"'
W_WRITE = '"{ W[i] -> a[i] }"'
R_READ = '"{ R[i] -> a[i] }"'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            W_DOMAIN,
            '"[N] -> { V[i] : 0 <= i < N }"',
            "design.yaml:11:17: 'V' stands where 'W' is meant; write W[...]",
        ),
        (
            W_DOMAIN,
            '"[N] -> { [i] : 0 <= i < N }"',
            "design.yaml:11:17: an anonymous tuple stands where 'W' is meant; write W[...]",
        ),
        (
            W_DOMAIN,
            '"[N] -> { W[i] : 0 <= i }"',
            "design.yaml:10:7: 'W' has infinitely many instances at N=8;"
            " bound its domain on all sides\n"
            "design.yaml:13:18: 'W' writes a[8], but the extents of 'a' are [8] at N=8;"
            " correct the subscript, the domain or the extents",
        ),
        (
            W_TIME,
            '"{ W[i] -> [i,0] : i > 0 }"',
            "design.yaml:12:19: the schedule of 'W' gives no time to W[0] at N=8;"
            " let it cover the whole domain",
        ),
        (
            W_TIME,
            '"{ W[i] -> [i,j] : 0 <= j <= i }"',
            "design.yaml:12:19: the schedule of 'W' gives several times to one instance; give one",
        ),
        (
            W_TIME,
            '"{ W[i,j] -> [i,0] }"',
            "design.yaml:12:19: 'W' has 1 dimension, but 2 stand here;"
            " write the tuple of the domain",
        ),
        (
            W_WRITE,
            '"{ W[i] -> [i] }"',
            "design.yaml:13:18: write 0 of 'W' names no array; write it like { S[i] -> A[i] }",
        ),
        (
            W_WRITE,
            '"{ W[i] -> aa[i] }"',
            "design.yaml:13:18: there is no array 'aa'; did you mean 'a'?",
        ),
        (
            W_WRITE,
            '"{ W[i] -> buffer[i] }"',
            "design.yaml:13:18: there is no array 'buffer'; add buffer to arrays",
        ),
        (
            W_WRITE,
            '"{ W[i] -> a[i,0] }"',
            "design.yaml:13:18: 'a' has 1 dimension, but 2 stand here;"
            " give an entry for every dimension",
        ),
        (
            W_WRITE,
            '"{ W[i] -> a[i + 1] }"',
            "design.yaml:13:18: 'W' writes a[8], but the extents of 'a' are [8] at N=8;"
            " correct the subscript, the domain or the extents",
        ),
        (
            W_WRITE,
            '"{ W[i] -> a[i] }", "{ W[i] -> a[0] }"',
            "design.yaml:13:38: 'W' writes 'a' twice;"
            " split the statement, so that every write is one beat",
        ),
        (
            f"writes: [{W_WRITE}]",
            "latency: 1",
            "design.yaml:10:7: 'W' neither reads nor writes; add reads or writes",
        ),
        (
            R_READ,
            '"{ R[i] -> a[j] : 0 <= j <= i }"',
            "design.yaml:19:17: read 0 of 'R' reaches several elements from one instance;"
            " give one map for every element; names in the last tuple must stand in the first",
        ),
        (
            R_READ,
            '"{ R[i] -> a[i] : i < 0 }"',
            "design.yaml:19:17: read 0 of 'R' never happens;"
            " compare its domain with the statement's",
        ),
        (
            R_READ,
            '"{ R[i] -> a[i - 1] : i < 2 }"',
            "design.yaml:19:17: 'R' reads a[-1], but the extents of 'a' are [8] at N=8;"
            " correct the subscript, the domain or the extents",
        ),
        (
            '"{ R[i] -> [i,1] }"',
            '"{ R[i] -> [i] }"',
            "design.yaml:18:19: the schedule of 'R' has 1 dimension, but that of 'W' has 2;"
            " pad the shorter one with zeros",
        ),
        (
            "      R:\n",
            "      W:\n",
            "design.yaml:16:7: there are two statements 'W'; rename one of them\n"
            "design.yaml:17:17: 'R' stands where 'W' is meant; write W[...]\n"
            "design.yaml:18:19: 'R' stands where 'W' is meant; write W[...]\n"
            "design.yaml:19:17: 'R' stands where 'W' is meant; write W[...]\n"
            "design.yaml:20:18: 'R' stands where 'W' is meant; write W[...]",
        ),
        (
            "  make:\n",
            "  make-it:\n",
            "design.yaml:8:3: the process name 'make-it' is no C identifier;"
            " use letters, digits and _, no digit first",
        ),
        (
            "arrays:\n",
            "arrays:\n  b: {}\n",
            "design.yaml:5:3: no statement uses 'b'; remove it, or give its extents",
        ),
        (
            "a: {extents: [N]}",
            "a: {extents: [N], index: [x, y]}",
            "design.yaml:5:28: 'a' has 1 extents, but 2 index names; give as many of both\n"
            "design.yaml:13:18: 'a' has 2 dimensions, but 1 stand here;"
            " give an entry for every dimension\n"
            "design.yaml:19:17: 'a' has 2 dimensions, but 1 stand here;"
            " give an entry for every dimension",
        ),
        (
            "a: {extents: [N]}",
            'a: {extents: [N], elements: "{ a[i] }"}',
            "design.yaml:5:31: elements belongs to conflict sets;"
            " remove it: the accesses say which elements exist",
        ),
    ],
)
def test_bad_networks(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert "\n".join(messages_of(tmp_path, changed(NETWORK, (old, new)))) == message


def test_notes_lead_to_the_other_place(tmp_path: Path) -> None:
    found = problems_of(tmp_path, changed(NETWORK, ("R[i] -> [i,1]", "R[i] -> [i]")))
    (note,) = found[0].notes
    assert (
        f"{note.source_location}: {note.text}"
        == f"{tmp_path}/design.yaml:12:19: the other schedule"
    )


def test_a_network_without_statements(tmp_path: Path) -> None:
    text = changed(NETWORK, (NETWORK[NETWORK.index("  make:") :], "  make: {statements: {}}\n"))
    assert messages_of(tmp_path, text) == [
        "design.yaml:7:1: the network has no statements; add a process"
    ]


def test_an_operand_may_not_have_the_name_of_a_result(tmp_path: Path) -> None:
    text = NETWORK.replace("o: {", "a0: {").replace("-> o[i]", "-> a0[i]").replace("o =", "a0 =")
    assert messages_of(tmp_path, text) == [
        "design.yaml:20:18: 'a0' is the name of a result and of an operand of 'R'; rename the array"
    ]
