"""The verb `tiles`: table, JSON, picture, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hlsmem.cli.command import main

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
JACOBI = str(EXAMPLES / "jacobi_tiles" / "design.yaml")


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
    assert (found["tiles"], found["count"], found["first"]) == (20, 6, 3)
    assert found["grows_with"] == ["T"]
    assert sum(found["waves"]) == found["tiles"]
    assert found["cycle"] is None


def test_a_cycle_names_two_tiles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tiles", JACOBI, "--rows", "t,i"]) == 1
    assert "not legal: tiles (0, 0) and (0, 1) of rows t, i" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sizes", "0,3"], "--sizes 0,3: a tile has a size above 0"),
        (["--sizes", "1,2,3"], "the tiles have 2 rows, not 3; give 2 numbers"),
        (["--origin", "1"], "--origin 1: the tiles have 2 rows, not 1"),
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
    assert main(["tiles", str(EXAMPLES / "blur" / "conflicts.yaml")]) == 2
    assert "a conflict set has no loops" in capsys.readouterr().err
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
