"""The verb `network`: table, JSON, grains, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.cli.command import main

REFUSALS = Path(__file__).resolve().parents[2] / "refusals"
FINE = [str(REFUSALS / "yaml" / "fine.c"), "--param", "N=8"]


def test_the_table_has_a_line_for_every_channel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["network", *FINE]) == 0
    head, _, names, _, row, *rest = capsys.readouterr().out.splitlines()
    assert head == "fine at N=8: 2 processes"
    cells = dict(zip(names.split("|"), map(str.strip, row.split("|")), strict=True))
    found = {name.strip(): value for name, value in cells.items()}
    realised, words = found.pop("realised"), found.pop("words")
    assert found == {
        "": "",
        "from": "S",
        "array": "t",
        "to": "T",
        "operand": "0",
        "class": "register",
        "order": "fifo",
        "lag": "1",
        "tokens": "7",
        "reads": "7",
        "text": "2",
        "cycle": "1",
        "window": "1",
        "selftimed": "1",
        "control": "none",
        "holds for": "all parameters",
    }
    assert (realised, int(words) > 0) != ("none", False)
    assert rest[1] == (
        "self-timed capacities that are enough together, found one after the other: 1;"
        " 1 in all, 2 by text"
    )


def test_a_channel_through_the_datapath_has_no_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sum that is a step of its own is kept beside the arithmetic, and the plan has no cell."""
    kernel = tmp_path / "product.c"
    kernel.write_text(
        "#define K 4\nvoid product(const float a[5][K], const float b[K][6], float c[5][6])\n{\n"
        "    for (int i = 0; i < 5; i++)\n        for (int j = 0; j < 6; j++)\n"
        "            for (int k = 0; k < K; k++)\n"
        "                c[i][j] = c[i][j] + a[i][k] * b[k][j];\n}\n"
    )
    assert main(["network", str(kernel)]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "| c_sum " in line]
    assert rows
    assert all("| datapath |" in line for line in rows)


def test_json_has_the_keys_of_its_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["network", *FINE, "--json", "--processes", "nest"]) == 0
    document = json.loads(capsys.readouterr().out)
    (channel,) = document.pop("channels")
    assert channel["class"] == "register"
    assert channel["scope"] == "all-parameters"
    assert document == {
        "format": "hlsmem-network/1",
        "design": "fine",
        "params": {"N": 8},
        "processes": {"S_T": ["S", "T"]},
        "together": [2],
        "deadlock": [
            {
                "process": "S_T",
                "instance": "S at i=1",
                "channel": "S -> T.0 by t",
                "for_room": True,
            }
        ],
    }


def test_too_many_reads_have_a_class_and_no_capacities(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["network", FINE[0], "--param", "N=2000000"]) == 0
    text = capsys.readouterr().out
    assert "| register | fifo  |   1 | 1999999 | 1999999 |    - |" in text
    assert text.endswith("there is too much to list: ask at smaller parameters, --param\n")


def test_a_conflict_set_has_no_channels(capsys: pytest.CaptureFixture[str]) -> None:
    design = Path(__file__).resolve().parents[3] / "examples" / "jacobi1d" / "conflicts.yaml"
    assert main(["network", str(design)]) == 2
    assert "a conflict set has no processes" in capsys.readouterr().err


def test_a_read_that_may_not_happen_stays_in_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.c").write_text(
        "void k(const int in[9], int o[9]) {\n"
        "  int t[9], u[9];\n"
        "  for (int i = 0; i < 9; i++) { t[i] = in[i]; u[i] = -in[i]; }\n"
        "  for (int i = 0; i < 9; i++) o[i] = u[i] > 3 ? t[i] : 0;\n"
        "}\n"
    )
    assert main(["network", str(tmp_path / "k.c"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = {one["array"]: (one["control"], one["class"]) for one in document["channels"]}
    assert found == {"t": ("memory: conditional", None), "u": ("none", "fifo")}
    assert document["together"] == [1]


TRADEOFF = str(Path(__file__).parents[2] / "network" / "designs" / "tradeoff.yaml")


@pytest.mark.parametrize("capacities", ["1,1,3", "2,1,2", "3,1,1"])
def test_capacities_that_are_enough(capacities: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The least ones of the reference: one less of any is not enough."""
    assert main(["network", TRADEOFF, "--capacities", capacities]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith(" the network comes to its end")
    numbers = [int(one) for one in capacities.split(",")]
    for k, one in enumerate(numbers):
        if one > 1:
            less = ",".join(map(str, [*numbers[:k], one - 1, *numbers[k + 1 :]]))
            assert main(["network", TRADEOFF, "--capacities", less]) == 2


def test_too_little_capacity_names_who_waits_for_whom(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["network", TRADEOFF, "--capacities", "1,1,1"]) == 2
    assert capsys.readouterr().err == (
        "--capacities 1,1,1: the network is stuck: X: X at i=2 waits for room in X -> A.0 by x;"
        " A: A at i=1 waits for room in A -> C1.0 by a; C: C0 at i=2 waits for a value in"
        " X -> C0.0 by x; give X -> A.0 by x at least 3\n"
    )


@pytest.mark.parametrize(
    ("capacities", "message"),
    [
        ("1,1", "--capacities 1,1: there are 3 channels to give one"),
        ("1,0,1", "'1,0,1' are no capacities"),
        ("1,x", "'1,x' are no capacities"),
    ],
)
def test_capacities_are_one_for_each_channel(
    capacities: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status: object = main(["network", TRADEOFF, "--capacities", capacities])
    except SystemExit as error:  # argparse judges single arguments
        status = error.code
    assert status == 2
    assert message in capsys.readouterr().err


def test_filters_keep_channels_in_memory(capsys: pytest.CaptureFixture[str]) -> None:
    design = Path(__file__).parents[2] / "network" / "designs" / "filtered.yaml"
    assert main(["network", str(design), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {one["from"] for one in document["channels"]} == {"W", "V"}
    assert {(one["control"], one["class"]) for one in document["channels"]} == {
        ("memory: conditional", None)
    }
    assert main(["network", str(design)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("| V ")
