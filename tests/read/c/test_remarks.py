"""What is said of arrays that stay where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.cli.main import main
from tests.read.c.kernels import read

SEEN = """
int gain[8];
static int seen[8];
static int own[8];
void f(int N, const int in[8], int out[8])
{
    static int z[8];
    int t[8];
#pragma scop
    for (int i = 1; i < 8; i++) {
        z[i] = z[i - 1] + in[i];
        seen[i] = gain[i] + z[i];
        own[i] = seen[i];
        t[i] = own[i];
        out[i] = t[i];
    }
#pragma endscop
    out[0] = %s;
}
int peek(void) { return seen[0]; }
"""


def test_each_array_that_stays_is_named_with_its_reason(tmp_path: Path) -> None:
    remarks = read(tmp_path, SEEN % "t[0]").kernel.remarks
    assert {name: str(one) for name, one in remarks.items()} == {
        "gain": "k.c:2:5: 'gain' stays as it is: other files can see it; "
        "declare it static, or in the function",
        "seen": "k.c:3:12: 'seen' stays as it is: other functions of the file use it; "
        "declare it in the function",
        "z": "k.c:11:16: 'z' is state: this may read what an earlier call wrote; write it first "
        "in every call if nothing is to be kept",
        "t": "k.c:8:9: 't' stays as it is: code of the function outside of the region uses it; "
        "move that code into the region, and what it needs behind it into variables",
    }


def test_a_static_array_of_the_file_that_another_function_sees_is_no_scratch(
    tmp_path: Path,
) -> None:
    planned = {a.name for a in read(tmp_path, SEEN % "0").arrays if a.storage.value == "memory"}
    assert planned == {"own", "t"}


def test_a_kernel_without_arrays_of_its_own_says_so_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "copy.c").write_text(
        "void copy(const int in[8], int out[8])\n{ out[0] = in[0]; }\n"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["plan", "copy.c", "--as-written"]) == 0
    assert capsys.readouterr().err.splitlines()[1] == (
        "remark: copy.c:1:21: nothing is planned: 'copy' has no arrays but its parameters, which "
        "stay outside; ask for one with --set arrays.in.storage=memory, or =stream"
    )
    assert main(["plan", "copy.c", "--as-written", "--set", "arrays.in.storage=stream"]) == 0
    assert "remark" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("for (int t = 0; t < 4; t++) for (int i = 0; i < 8; i++) a[i] = a[i] + b[i];", True),
        ("for (int i = 0; i < 8; i++) a[i] = b[i]; for (int i = 3; i < 5; i++) a[i] = 2;", True),
        ("for (int i = 0; i < 8; i++) a[i] = a[i] + b[i];", False),
    ],
)
def test_what_is_overwritten_may_be_expanded(
    body: str,
    said: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "f.c").write_text(f"void f(const int b[8], int a[8])\n{{ {body} }}\n")
    monkeypatch.chdir(tmp_path)
    assert main(["plan", "f.c", "--as-written"]) == 0
    told = capsys.readouterr().err
    text = "'a' is written in place: --set plan.expand=[a] plans its values"
    assert (text in told) == said
    if said:
        assert main(["plan", "f.c", "--set", "plan.expand=[a]"]) == 0
        assert "nothing is planned" not in capsys.readouterr().err


VISIBLE = """int rows[8][8];
void f(int in[8][8], int out[8][8])
{
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            rows[y][x] = in[y][x];
            out[y][x] = y > 0 ? rows[y - 1][x] : 0;
        }
}
"""


def test_what_a_visible_array_would_take_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.c").write_text(VISIBLE)
    monkeypatch.chdir(tmp_path)
    assert main(["plan", "f.c", "--as-written"]) == 0
    assert capsys.readouterr().err.splitlines()[1] == (
        "remark: f.c:1:5: 'rows' stays as it is: other files can see it; declare it static, or in "
        "the function: it would take 9 cells"
    )
    (tmp_path / "f.c").write_text(f"static {VISIBLE}")
    assert main(["plan", "f.c", "--as-written"]) == 0
    printed = capsys.readouterr()
    assert "remark" not in printed.err
    assert "| rows  | int32 |       64 |     9 | chain |     9 |" in printed.out


def test_state_of_unknown_first_values_has_no_streams(tmp_path: Path) -> None:
    text = """extern const float unit;
    void f(float out[4])
    {
        static float z[2] = {(float)sizeof(int)};
        out[0] = z[0];
        z[0] = out[0] + 1;
    }
    """
    reading = read(tmp_path, text, ())
    z = next(array for array in reading.arrays if array.name == "z")
    assert z.first is None
    assert reading.kernel.remarks["z"].remedy.endswith("not constants that are known here")
