"""The verb `tiles`: table, JSON, picture, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hlsmem.cli.command import main

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
JACOBI = str(EXAMPLES / "jacobi_tiles" / "design.yaml")
SEEDS = EXAMPLES.parent / "tests" / "seeds"
FIGURE_3 = str(SEEDS / "004a-figure-3.yaml")


def test_all_kinds_with_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "waves.svg"
    assert main(["tiles", JACOBI, "--svg", str(picture), "--parallel", "3"]) == 0
    text = capsys.readouterr().out
    assert "| pipelined  | t, t + i     | 2 x 4 |    19 |     9 |" in text
    assert "a full tile sends, computes and receives 2 points, 4 points and 2 points" in text
    drawn = ElementTree.fromstring(picture.read_text())
    assert "pipelined (t, t + i): 9 waves, first 1, widest 3" in "".join(drawn.itertext())


def test_json_has_the_keys_of_its_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tiles", JACOBI, "--kind", "diamond", "--sizes", "4", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (found,) = document.pop("tilings")
    assert document == {
        "format": "hlsmem-tiles/1",
        "design": "jacobi_tiles",
        "params": {"N": 12, "T": 8},
    }
    assert found["rows"] == ["t + i", "t - i"]
    assert found["tile"] == {"points_most": 8, "cells_any": 6, "cells_tiled": 6}
    assert (found["tiles"], found["count"], found["first"]) == (17, 5, 3)
    assert found["origin"] == [0, -11]
    assert found["grows_with"] == ["T"]
    assert found["expanded"] == []
    assert sum(found["waves"]) == found["tiles"]
    assert found["cycle"] is None


@pytest.mark.few(1)
def test_the_first_tile_begins_at_the_least_value_of_each_row(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Figure 1 of the paper: two tiles, five steps long from t = 1, that run at once."""
    design = str(SEEDS / "004a-figure-1.yaml")
    for origin, figures in (([], (2, 1)), (["--origin", "0,0"], (4, 2))):
        assert main(["tiles", design, "--sizes", "5,4", "--json", *origin]) == 0
        for one in json.loads(capsys.readouterr().out)["tilings"]:
            assert (one["tiles"], one["count"]) == figures
            assert one["rows"] == ["t", "i"]
            assert one["sizes"] == [5, 4]
            assert one["origin"] == ([0, 0] if origin else [1, 0])
            assert one["expanded"] == []


# Figure 3 of the paper: tiles, waves, extra points of each kind, from 0 and from the least values.
TWO_STATEMENTS = {
    "0": [(45, 14, 0), (45, 5, 96), (76, 8, 0), (50, 6, 0), (91, 11, 0), (50, 6, 0)],
    "": [(36, 13, 0), (32, 4, 112), (68, 8, 0), (42, 5, 0), (98, 12, 0), (42, 5, 0)],
}


@pytest.mark.dear
@pytest.mark.parametrize("settings", [[], ["--set", "plan.expand=[A,B]"]], ids=["own", "set"])
@pytest.mark.parametrize("start", TWO_STATEMENTS)
def test_what_arrays_in_place_forbid_is_tiled_by_their_values(
    start: str, settings: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    origin = ["--origin", "0,0"] if start else []
    assert main(["tiles", FIGURE_3, *origin, *settings]) == 0
    note = "\nexpanded: A, B (value-based flow; plan.expand=[A,B] plans it so)\n"
    assert (note in capsys.readouterr().out) is not settings
    assert main(["tiles", FIGURE_3, *origin, *settings, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["tilings"]
    assert [
        (one["tiles"], one["count"], one["points"]["computed"] - one["points"]["useful"])
        for one in found
    ] == TWO_STATEMENTS[start]
    assert all(one["expanded"] == ([] if settings else ["A", "B"]) for one in found)


@pytest.mark.few(1)
@pytest.mark.parametrize(("size", "tiles"), [(34, 50), (48, 71), (64, 95)])
def test_waves_of_diamonds_do_not_grow_with_the_data(
    size: int, tiles: int, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--param", f"N={size}", "--origin", "0,0", "--sizes", "4"]
    assert main(["tiles", FIGURE_3, "--kind", "diamond", *at, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["tilings"]
    assert (one["tiles"], one["count"]) == (tiles, 6)


def test_the_values_are_tiled_of_what_is_forbidden_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is read ahead is written over in the same step: (0, 1); by values it is (1, -1)."""
    (tmp_path / "ahead.c").write_text(
        "void ahead(int a[9]) {\n"
        "  for (int t = 0; t < 6; t++)\n"
        "    for (int i = 0; i < 8; i++)\n"
        "      a[i] = a[i + 1];\n"
        "}\n"
    )
    assert main(["tiles", str(tmp_path / "ahead.c")]) == 0
    told = capsys.readouterr().out
    kinds = "overlapped, split, diamond, molecular, faced"
    note = "expanded: a (value-based flow; plan.expand=[a] plans it so)"
    assert f"\n{kinds}: {note}\n" in told


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            ["--kind", "split"],
            "split: the dependence (0, -1) does not go forward in time 't';"
            " plan.expand=[A,B] allows it\n",
        ),
        (
            ["--kind", "faced"],
            "faced: no rows have time inside of their cone: the dependence (0, -1) does not go"
            " forward in time 't'; plan.expand=[A,B] allows it\n",
        ),
        (
            ["--rows", "t,t+i"],
            "rows: not legal: tiles (0, 0) and (0, 1) of rows t, t + i each need the other; use"
            " rows that go down along no dependence; plan.expand=[A,B] allows it\n",
        ),
        (
            ["--rows", "t,i"],
            "rows: not legal: tiles (0, 0) and (0, 1) of rows t, i each need the other; use"
            " rows that go down along no dependence\n",
        ),
    ],
)
def test_arrays_that_are_kept_are_refused_with_the_setting(
    asked: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tiles", FIGURE_3, "--no-expand", *asked]) == 1
    assert capsys.readouterr().out == f"figure_3: loops t, i at N=34, T=8\n\n{message}"


def test_a_tile_has_no_more_cells_than_elements(capsys: pytest.CaptureFixture[str]) -> None:
    """The least lattice for every order has 8 cells in its box, for 7 elements."""
    at = ["--param", "m=5", "--param", "n=6", "--rows", "2i-j,3i-j", "--sizes", "4"]
    assert main(["tiles", str(EXAMPLES / "e1" / "design.yaml"), *at, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["tilings"]
    assert found["tile"] == {"points_most": 7, "cells_any": 7, "cells_tiled": 6}


def test_values_that_are_not_known_are_not_tiled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "some.c").write_text(
        "void some(int a[9]) {\n"
        "  for (int t = 0; t < 6; t++)\n"
        "    for (int i = 0; i < 8; i++)\n"
        "      if (a[i] > t)\n"
        "        a[i] = a[i + 1];\n"
        "}\n"
    )
    assert main(["tiles", str(tmp_path / "some.c"), "--kind", "split"]) == 1
    told = capsys.readouterr().out
    assert "split: the dependence (0, 1) does not go forward in time 't'\n" in told


def test_a_cycle_names_two_tiles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tiles", JACOBI, "--rows", "t,i"]) == 1
    assert "not legal: tiles (0, 0) and (0, 1) of rows t, i" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sizes", "0,3"], "--sizes 0,3: a tile has a size above 0"),
        (["--sizes", "1,2,3"], "the tiles have 2 rows, not 3; give 2 numbers"),
        (["--origin", "1"], "--origin 1: the tiles have 2 rows, not 1; give 2 numbers\n"),
        (["--origin", "1,2,3"], "--origin 1,2,3: the tiles have 2 rows, not 3; give 2 numbers\n"),
        (["--rows", "t", "--origin", "1,2"], "--origin 1,2: the tiles have 1 rows, not 2; give 1"),
        (["--rows", "t+q"], "'q', which is no dimension"),
        *(
            (["--rows", row], f"'{row}' is no sum of multiples of the loops t, i; write rows like")
            for row in ("t+1", "t/2", "t mod 2", "", "t : t > 5", "1000001t", f"{2**70}t")
        ),
        (["--sizes", str(2**70)], f"--sizes {2**70},{2**70}: above {2**40}; give smaller numbers"),
        (["--origin", f"0,-{2**70}"], f"--origin 0,-{2**70}: above {2**40}"),
    ],
)
def test_bad_options(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tiles", JACOBI, *options]) == 2
    assert message in capsys.readouterr().err


def test_what_has_no_tiles(capsys: pytest.CaptureFixture[str]) -> None:
    for options in ([], ["--no-expand"]):
        assert main(["tiles", str(EXAMPLES / "blur" / "conflicts.yaml"), *options]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        what = "a conflict set has no loops that could run in tiles; give a program\n"
        assert told.err == what
    assert main(["tiles", str(EXAMPLES / "fifo" / "design.yaml")]) == 2
    assert "tiles need a nest of two loops" in capsys.readouterr().err


def test_large_nests_have_a_formula_or_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    large = ["--param", "T=2000", "--param", "N=40000", "--sizes", "2,4"]
    assert main(["tiles", JACOBI, *large]) == 0
    text = capsys.readouterr().out
    assert "pipelined: counted by the formula of its rows" in text
    assert "split: the nest has 80040000 instances, more than 1000000" in text


WAVE = """\
#define NX 10
#define NY 9
#define NT 7
void wave(const float u0[NX][NY], const float u1[NX][NY], float out[NX][NY])
{
    float p[NT][NX][NY];
    for (int t = 0; t < NT; t++)
        for (int x = 0; x < NX; x++)
            for (int y = 0; y < NY; y++) {
                if (t == 0)
                    p[t][x][y] = u0[x][y];
                else if (t == 1)
                    p[t][x][y] = u1[x][y];
                else if (x > 0 && x < NX - 1 && y > 0 && y < NY - 1)
                    p[t][x][y] = 2 * p[t-1][x][y] - p[t-2][x][y]
                        + 0.1f * (p[t-1][x-1][y] + p[t-1][x+1][y] + p[t-1][x][y-1]
                            + p[t-1][x][y+1] - 4 * p[t-1][x][y]);
                else
                    p[t][x][y] = 0;
            }
    for (int x = 0; x < NX; x++)
        for (int y = 0; y < NY; y++)
            out[x][y] = p[NT - 1][x][y];
}
"""


def test_a_tile_that_a_statement_has_no_part_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wave.c").write_text(WAVE)
    file = str(tmp_path / "wave.c")
    sizes = [part for one in ("NX=10", "NY=9", "NT=7") for part in ("--param", one)]
    assert main(["tiles", file, *sizes, "--kind", "pipelined", "--json"]) == 0
    tilings = {one["kind"]: one for one in json.loads(capsys.readouterr().out)["tilings"]}
    assert tilings["pipelined"]["tile"]["cells_any"] == 32


def test_loops_that_never_run_have_no_tiles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.c").write_text(
        "void k(const int a[8], int n, int o[8]) {\n"
        "  for (int i = 0; i < n; i++)\n"
        "    for (int j = 0; j < n; j++)\n"
        "      o[j] = a[j];\n"
        "}\n"
    )
    design = tmp_path / "design.yaml"
    design.write_text(
        "hlsmem: 1\nname: k\nparams: {n: 0}\ncontext: '[n] -> { : n >= 0 }'\nkernel: {file: k.c}\n"
    )
    assert main(["tiles", str(design)]) == 2
    assert "k.c:4:7: no statement ever runs at n=0" in capsys.readouterr().err


def test_a_nest_with_more_waves_than_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    large = ["--param", "T=1000000000", "--param", "N=1000000000", "--kind", "pipelined"]
    assert main(["tiles", JACOBI, *large]) == 1
    assert "pipelined: more than 10000000 waves: use larger tiles" in capsys.readouterr().out
