"""Conditions on data in C are the filters that a design could have named itself."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.program.model import Filter, Program, Statement
from tests.steps import load


def read(folder: Path, text: str) -> Program:
    file = folder / "k.c"
    file.write_text(dedent(text))
    program = load(file).input
    assert isinstance(program, Program)
    return program


def named(program: Program, name: str) -> Statement:
    return next(one for one in program.statements if one.name == name)


def predicate_reads(program: Program, name: str) -> list[tuple[list[str], str]]:
    """Of each filter the relations of its entries, and its values, as short texts."""
    return [
        ([_short(one.relation) for one in own.accesses], _short(own.value))
        for own in named(program, name).filters
    ]


def _short(relation: object) -> str:
    return str(relation.coalesce())  # type: ignore[attr-defined]


def same(one: Filter, accesses: list[str], value: str) -> bool:
    """Whether a filter is the one of these isl texts."""
    found = [access.relation for access in one.accesses]
    wanted = [Map(text) for text in accesses]
    known = [a.is_equal(b) for a, b in zip(found, wanted, strict=True)]
    return all(known) and bool(one.value.is_equal(Map(value)))


def test_a_test_of_an_element_is_a_filter_on_it(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        """
        void f(const short m[8], const int in[8], int out[8]) {
          for (int i = 0; i < 8; i++) if (m[i] > 3) out[i] = in[i];
        }
        """,
    )
    (own,) = named(program, "S0").filters
    box = "0 <= i < 8"
    assert same(own, [f"{{ S0[i] -> m[i] : {box} }}"],
                f"{{ S0[i] -> [v] : {box} and 3 < v <= 32767 }}")  # fmt: skip
    assert not program.asks_data() or not program.decided_by_data()
    assert [one.array for one in named(program, "S0").reads] == ["in"]


def test_both_branches_look_at_the_same_element(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        """
        void f(const unsigned char m[8], int a[8], int b[8]) {
          for (int i = 0; i < 8; i++) { if (m[i] >= 5) a[i] = 1; else b[i] = 2; }
        }
        """,
    )
    first, second = (named(program, name).filters[0] for name in ("S0", "S1"))
    both = first.value.range().union(second.value.range())
    assert both.is_equal(Set("{ [v] : 0 <= v <= 255 }"))
    assert first.value.range().intersect(second.value.range()).is_empty()


def test_conditions_on_indices_join_the_domain_and_leave_the_filter(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        """
        void f(const unsigned char m[8], int a[8]) {
          for (int i = 0; i < 8; i++) if (i > 2 && (i == 5 || m[i] != 0)) a[i] = 1;
        }
        """,
    )
    statement = named(program, "S0")
    assert statement.domain.is_equal(Set("{ S0[i] : 2 < i < 8 }"))
    (own,) = statement.filters
    assert own.value.domain().is_equal(Set("{ S0[i] : 2 < i < 8 and i != 5 }"))


def test_a_condition_on_two_elements_has_two_entries(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        """
        void f(const signed char p[8], const signed char q[8], int a[8]) {
          for (int i = 0; i < 8; i++) if (p[i] > q[i] || !(p[i] + 2 * q[i] < 7)) a[i] = 1;
        }
        """,
    )
    (own,) = named(program, "S0").filters
    box = "0 <= i < 8 and -128 <= p < 128 and -128 <= q < 128"
    assert same(
        own,
        ["{ S0[i] -> p[i] : 0 <= i < 8 }", "{ S0[i] -> q[i] : 0 <= i < 8 }"],
        f"{{ S0[i] -> [p, q] : {box} and (p > q or p + 2q >= 7) }}",
    )


@pytest.mark.parametrize(
    "condition",
    [
        "in[i] * in[i] > 9", "abs(in[i]) > 3", "x[i] > 0.5f", "in[in[i] & 7] > 2", "u[i] - 1u > 3u",
        "u[i] % 3u == 1", "in[i] > 4 && in[i] % 2 == 0",
    ],
)  # fmt: skip
def test_what_is_not_affine_in_elements_is_a_statement(tmp_path: Path, condition: str) -> None:
    program = read(
        tmp_path,
        f"""
        #include <stdlib.h>
        void f(const int in[8], const float x[8], const unsigned u[8], int a[8]) {{
          for (int i = 0; i < 8; i++) if ({condition}) a[i] = 1;
        }}
        """,
    )
    (own,) = named(program, "S0").filters
    assert same(own, ["{ S0[i] -> T0[i] : 0 <= i < 8 }"], "{ S0[i] -> [1] : 0 <= i < 8 }")
    assert program.arrays["T0"].element.name == "uint1"


def test_indices_join_the_domain_where_a_statement_decides_the_rest(tmp_path: Path) -> None:
    """At i = 0 neither the test nor what it guards would find t[i - 1]."""
    program = read(
        tmp_path,
        """
        void f(const short in[8], int out[8], int other[8]) {
          int t[8];
          for (int i = 0; i < 8; i++) {
            t[i] = in[i];
            if (i > 0 && t[i] * t[i - 1] > 9 && i != 4) out[i] = t[i - 1];
            else other[i] = 0;
          }
        }
        """,
    )
    assert named(program, "T0").domain.is_equal(Set("{ T0[i] : 0 < i < 8 }"))
    assert named(program, "S1").domain.is_equal(Set("{ S1[i] : 0 < i < 8 and i != 4 }"))
    assert named(program, "S2").domain.is_equal(Set("{ S2[i] : 0 <= i < 8 }"))
    (own,) = named(program, "S2").filters
    assert own.value.domain().is_equal(Set("{ S2[i] : 0 < i < 8 and i != 4 }"))


def test_a_condition_on_what_is_written_outside_is_a_statement(tmp_path: Path) -> None:
    """The datapath wrote it and no memory has it; of what stays inside it is a filter."""
    program = read(
        tmp_path,
        """
        void f(const int x[8], int y[8], int a[8]) {
          int t[8];
          for (int i = 0; i < 8; i++) {
            y[i] = x[i];
            t[i] = x[i];
            if (y[i] > 4) a[i] = 1;
            if (t[i] > 4) a[i] = 2;
          }
        }
        """,
    )
    outside, inside = (own for one in program.statements for own in one.filters if one.name != "T0")
    assert same(outside, ["{ S2[i] -> T0[i] : 0 <= i < 8 }"], "{ S2[i] -> [1] : 0 <= i < 8 }")
    assert [one.array for one in inside.accesses] == ["t"]
    assert not named(program, "T0").filters


def test_elements_that_a_branch_writes_are_tested_by_a_statement(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        """
        void f(int a[8], int b[8]) {
          for (int i = 0; i < 8; i++) { if (a[i] > 3) { a[i] = 0; b[i] = 1; } }
        }
        """,
    )
    assert [one.name for one in program.statements] == ["T0", "S0", "S1"]


def test_a_condition_within_another_is_asked_where_that_holds(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        """
        int abs(int);
        void f(const int a[8], const int b[8], int out[8]) {
          for (int i = 0; i < 8; i++) if (abs(a[i]) > 3) for (int j = 0; j < 2; j++)
            if (abs(b[i]) > j) out[i] = j;
        }
        """,
    )
    outer, inner = named(program, "T0"), named(program, "T1")
    assert not outer.filters
    (own,) = inner.filters
    assert [one.array for one in own.accesses] == ["T0"]
    assert own.loops == 1
    (last,) = named(program, "S0").filters
    assert [one.array for one in last.accesses] == ["T0", "T1"]
    assert last.loops == 2


def test_a_break_looks_at_all_turns_before(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        """
        void f(const int in[8], int out[8]) {
          for (int i = 1; i < 7; i += 2) { out[i] = 3; if (in[i] < 0) break; out[i + 1] = 4; }
        }
        """,
    )
    turns = "0 < i < 7 and i mod 2 = 1 and 0 < a < 7 and a mod 2 = 1"
    before = f"{turns} and a < i"
    (first,) = named(program, "S0").filters
    assert same(first, [f"{{ S0[i] -> T0[a] : {before} }}"],
                "{ S0[i] -> [0] : 1 < i < 7 and i mod 2 = 1 }")  # fmt: skip
    (told,) = named(program, "T0").filters
    assert told.accesses[0].relation.is_equal(Map(f"{{ T0[i] -> T0[a] : {before} }}"))
    (last,) = named(program, "S1").filters
    assert same(last, [f"{{ S1[i] -> T0[a] : {turns} and a <= i }}"],
                "{ S1[i] -> [0] : 0 < i < 7 and i mod 2 = 1 }")  # fmt: skip
    assert last.loops == 1


def test_a_while_goes_on_where_its_condition_held_in_all_turns(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        """
        int abs(int);
        void f(int in[4], int out[4]) {
          for (int y = 0; y < 4; y++) {
            int v = in[y];
        #pragma hlsmem trips(5)
            while (abs(v) > 1) v = v / 2;
            out[y] = v;
          }
        }
        """,
    )
    (own,) = named(program, "S1").filters
    assert own.value.range().is_equal(Set("{ [1] }"))
    relation = own.accesses[0].relation
    assert relation.dim(DimType.out) == 2
    assert relation.domain().is_equal(Set("{ S1[y, t] : 0 <= y < 4 and 0 <= t < 5 }"))
    wanted = "{ S1[y, t] -> T0[y, a] : 0 <= y < 4 and 0 <= t < 5 and 0 <= a <= t }"
    assert relation.is_equal(Map(wanted))


def test_flat_arrays_are_looked_at_by_rows(tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "void f(int w, const unsigned char *restrict m, int *restrict out) {\n"
        "  for (int y = 0; y < 4; y++) for (int x = 0; x < w; x++)\n"
        "    if (m[y * w + x]) out[y * w + x] = 1;\n}\n"
    )
    program = load(file, parameters={"w": 6}).input
    assert isinstance(program, Program)
    (own,) = named(program, "S0").filters
    assert own.accesses[0].relation.dim(DimType.out) == 2


def test_a_call_that_is_not_pure_is_refused_in_a_condition(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"function call: 'rand\(\)' may have side effects"):
        read(
            tmp_path,
            """
            #include <stdlib.h>
            void f(int a[8]) { for (int i = 0; i < 8; i++) if (rand() > 3) a[i] = 1; }
            """,
        )


def test_a_bound_in_the_data_is_a_filter_where_its_values_are_promised(tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "void f(int M, const int n[4], int a[4][M]) {\n"
        "#pragma hlsmem values n(0, M - 1)\n"
        "  for (int i = 0; i < 4; i++) for (int j = 1; j <= n[i] + 1; j++) a[i][j - 1] = j;\n}\n"
    )
    program = load(file, parameters={"M": 6}).input
    assert isinstance(program, Program)
    (own,) = named(program, "S0").filters
    box = "[M] -> { S0[i, j] : 0 <= i < 4 and 1 <= j <= M }"
    domain = named(program, "S0").domain
    assert domain.is_equal(Set(box).intersect_params(program.context))
    looked = own.accesses[0].relation
    assert looked.domain().is_equal(own.value.domain())
    given = Map("[M] -> { S0[i, j] -> [v] : 0 <= i < 4 and 2 <= j <= M and j - 1 <= v < M }")
    assert own.value.is_equal(given.intersect_params(program.context))
    assert program.arrays["n"].values is not None


def test_promises_that_no_parameters_make_are_refused_with_their_places(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read(
            tmp_path,
            """
            #pragma hlsmem values n(0, K)
            #pragma hlsmem values n
            #pragma hlsmem values m(0, 3)
            #pragma hlsmem values m(0, 4)
            void f(const int n[4], int a[4]) { for (int i = 0; i < 4; i++) a[i] = n[i]; }
            """,
        )
    found = [str(one) for one in raised.value.problems]
    assert ["'K' is no parameter" in found[0], "says no values" in found[1]] == [True, True]
    assert "values of 'm' are from 0 to 4 here, and from 0 to 3" in found[2]


def test_what_a_break_left_unwritten_is_asked_by_nobody_that_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "void f(const int in[8], int out[8]) {\n  int t[8];\n"
        "  for (int i = 0; i < 8; i++) {\n    t[i] = in[i];\n    if (in[i] < 0) break;\n"
        "    out[i] = t[i];\n  }\n}\n"
    )
    assert main(["dataflow", str(file), "S1"]) == 0
    assert "from S0: { S1[i] -> S0[i' = i] : 0 <= i <= 7 }" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "setting", "turns"),
    [
        ("#pragma hlsmem trips(2 * w - 1)\n", "", "2w - 1"),
        ("L: ", "kernel.trips={L: 2*w - 1}", "2w - 1"),
        ("L: ", "kernel.trips={L: w}", "w"),
    ],
)
def test_trips_are_sums_of_parameters(text: str, setting: str, turns: str, tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "void f(int w, const int in[4], int out[4]) {\n"
        "  for (int y = 0; y < 4; y++) {\n    int v = in[y];\n"
        f"{text}while (v % 7 > 1) v = v / 2;\n    out[y] = v;\n  }}\n}}\n"
    )
    program = load(file, parameters={"w": 3}, settings=[setting] if setting else []).input
    assert isinstance(program, Program)
    (own,) = named(program, "S1").filters
    wanted = f"[w] -> {{ S1[y, t] : 0 <= y < 4 and 0 <= t < {turns} }}"
    assert own.value.domain().is_equal(Set(wanted).intersect_params(Set("[w] -> { : w > 0 }")))


@pytest.mark.dear
@pytest.mark.parametrize(
    ("width", "message"),
    [(60, ""), (2, "T1(y=0, turn=2): the loop of line 6 runs more than w times")],
)
def test_a_loop_that_runs_longer_is_named(
    width: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "void f(int w, const int in[4], int out[4]) {\n  int t[4];\n"
        "  for (int y = 0; y < 4; y++) {\n    t[y] = in[y] % 50 + 5;\n"
        "#pragma hlsmem trips(w)\n    while (t[y] > 1) t[y] = t[y] - 1;\n"
        "    out[y] = t[y];\n  }\n}\n"
    )
    out = tmp_path / "out"
    assert main(["plan", str(file), "--param", f"w={width}", "-o", str(out)]) == 0
    code = main(["check", str(out), "--only", "replay"])
    told = capsys.readouterr().out
    assert (code, message in told) == (bool(message), True), told


def test_a_cast_of_a_product_is_tested_by_a_statement(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        """
        void top(const int a[64], const int b[64], int out[64]) {
            for (int i = 0; i < 64; i++) {
                out[i] = 0;
                if ((short)(a[i] * b[i]) > 3)
                    out[i] = b[i];
            }
        }
        """,
    )
    assert predicate_reads(program, "S1") == [
        (["{ S1[i] -> T0[i] : 0 <= i <= 63 }"], "{ S1[i] -> [1] : 0 <= i <= 63 }")
    ]
