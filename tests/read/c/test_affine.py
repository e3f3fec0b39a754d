"""C integer expressions against the same expressions compiled by gcc."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hlsmem.polyhedra.sets import fix_parameters, points
from tests.families import by_default
from tests.read.c.kernels import messages, read, region

LEAVES = st.sampled_from(["i", "j", "N", "0", "1", "2", "3", "7"])
SMALL = st.sampled_from(["2", "3", "5", "(-3)", "(-2)"])


def _conditions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    compared = st.builds(
        "({} {} {})".format, inner, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), inner
    )
    joined = st.builds("({} {} {})".format, compared, st.sampled_from(["&&", "||"]), compared)
    return st.one_of(compared, joined, st.builds("!{}".format, compared))


def _grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-"]), inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["/", "%", "*"]), SMALL),
        st.builds("({} ? {} : {})".format, _conditions(inner), inner, inner),
        st.builds("(-{})".format, inner),
        st.builds("((long) {} + 1)".format, inner),
        _conditions(inner),
    )


EXPRESSIONS = st.recursive(LEAVES, _grow, max_leaves=7)
VALUES = range(-4, 5)


@settings(
    max_examples=by_default(4, 15),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(EXPRESSIONS, min_size=12, max_size=12))
def test_subscripts_have_the_values_of_c(tmp_path: Path, expressions: list[str]) -> None:
    subscripts = "".join(f"P{k}: A[{text}] = 0;" for k, text in enumerate(expressions))
    loops = "for (int i = -4; i <= 4; i++) for (int j = -4; j <= 4; j++) "
    reading = read(tmp_path, region(f"{loops} {{ {subscripts} }}"))
    expected = _compiled(tmp_path, expressions)
    for n in VALUES:
        for number, statement in enumerate(reading.statements):
            relation = fix_parameters(statement.writes[0].relation, {"N": n})
            found = {(i, j): value for i, j, value in points(relation).tolist()}
            wanted = {(i, j): expected[number][n, i, j] for i in VALUES for j in VALUES}
            assert found == wanted, (expressions[number], n)


def _compiled(folder: Path, expressions: list[str]) -> list[dict[tuple[int, int, int], int]]:
    prints = "".join(f'printf("%ld\\n", (long) ({text}));' for text in expressions)
    loops = "".join(f"for (int {x} = -4; {x} <= 4; {x}++) " for x in "Nij")
    source = f"#include <stdio.h>\nint main(void) {{ {loops} {{ {prints} }} return 0; }}\n"
    (folder / "table.c").write_text(source)
    program = folder / "table"
    subprocess.run(["gcc", "-w", "-o", program, folder / "table.c"], check=True)
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    lines = iter(map(int, output.split()))
    tables: list[dict[tuple[int, int, int], int]] = [{} for _ in expressions]
    for point in ((n, i, j) for n in VALUES for i in VALUES for j in VALUES):
        for table in tables:
            table[point] = next(lines)
    return tables


def test_masks_and_shifts_of_values_that_are_not_negative(tmp_path: Path) -> None:
    text = region("for (int i = 0; i < 20; i++) A[(i & 7) + (i >> 2) + (i << 3)] = 0;")
    relation = read(tmp_path, text).statements[0].writes[0].relation
    found = dict(points(fix_parameters(relation, {"N": 4})).tolist())
    assert found == {i: (i & 7) + (i >> 2) + (i << 3) for i in range(20)}


def test_a_constant_masks_sets_and_turns_bits(tmp_path: Path) -> None:
    subscripts = {"i & 6": lambda i: i & 6, "i | 5": lambda i: i | 5, "13 ^ i": lambda i: 13 ^ i}
    subscripts |= {"(i & 0) + (i | 0)": lambda i: i, "i ^ 42": lambda i: i ^ 42}
    body = "".join(f"P{k}: A[{text}] = 0;" for k, text in enumerate(subscripts))
    reading = read(tmp_path, region(f"for (int i = 0; i < 70; i++) {{ {body} }}"))
    for statement, wanted in zip(reading.statements, subscripts.values(), strict=True):
        relation = fix_parameters(statement.writes[0].relation, {"N": 4})
        assert dict(points(relation).tolist()) == {i: wanted(i) for i in range(70)}


def test_an_unsigned_difference_needs_a_context(tmp_path: Path) -> None:
    from hlsmem.polyhedra import Set

    text = region("for (unsigned i = 0; i < n - 1; i++) A[i] = 0;", "unsigned n, int A[n]")
    assert messages(tmp_path, text, ("n",)) == (
        "k.c:5:26: unsigned wrap-around: 'n - 1' may wrap around in an unsigned type of 32 bits; "
        "use a signed type that is wide enough, or state in context the parameters for which it "
        "does not wrap"
    )
    assert messages(tmp_path, text, ("n",), context=Set("[n] -> { : n >= 1 }")) == ""


def test_a_small_loop_variable_must_reach_its_bound(tmp_path: Path) -> None:
    text = region("for (unsigned char i = 0; i < 256; i++) A[i] = 0;")
    assert messages(tmp_path, text) == (
        "k.c:5:1: unsigned wrap-around: 'for (unsigned char i = 0; i < 256; i++)' may take 'i' "
        "out of its unsigned type of 8 bits; use a signed type that is wide enough, or state in "
        "context the parameters for which it does not wrap"
    )
    assert messages(tmp_path, text.replace("256", "255")) == ""
