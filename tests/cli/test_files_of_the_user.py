"""No verb writes over a file that hlsmem did not make, whatever its name."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.cli.parser import parser_of
from hlsmem.synthesis import Area, Figures
from hlsmem.verb import VERBS
from tests.plans import files_of, put

SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".C", ".yaml", ".yml", "")
SOURCES = (".c", ".cc", ".cpp", ".cxx")
KERNEL = """\
void k(const int in[4][4], int out[4][4])
{
    int t[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            t[i][j] = in[i][j];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out[i][j] = t[j][i];
}
"""
STEPS = """\
void s(const int in[8], int out[8])
{
    int a[8][8];
    for (int i = 0; i < 8; i++)
        a[0][i] = in[i];
    for (int t = 1; t < 8; t++)
        for (int i = 0; i < 8; i++)
            a[t][i] = a[t - 1][i] + 1;
    for (int i = 0; i < 8; i++)
        out[i] = a[7][i];
}
"""
DESIGN = "# mine\nhlsmem: 1\nname: k\nkernel: {file: k.c}\n"
APPLY = ("--set", "schedule=text", "--order", "any", "--kind", "fuse", "--apply", "1")
# Arguments that write a file or a folder outside of OUT; the last is its name.
WRITERS = {
    "plan --out": ("plan", "k.c", "-o"),
    "plan --debug": ("plan", "k.c", "-o", "fresh", "--debug"),
    "vectors --svg": ("vectors", "k.c", "--array", "t", "--kind", "ov", "--svg"),
    "tiles --svg": ("tiles", "s.c", "--kind", "pipelined", "--svg"),
    "network --out": ("network", "k.c", "-o"),
    "what-if --out": ("what-if", "k.c", *APPLY, "-o"),
    "view --output": ("view", "out", "-o"),
}
# Files that verbs read.
READ = {"profile", "include", "against"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder of the user's."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.c").write_text(KERNEL)
    (tmp_path / "s.c").write_text(STEPS)
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The files of OUT of the kernel."""
    kernel = tmp_path_factory.mktemp("made") / "k.c"
    kernel.write_text(KERNEL)
    return files_of(kernel)


def verbs() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    found = next(
        one for one in parser_of(VERBS.own.values())._actions if isinstance(one.choices, dict)
    )
    assert isinstance(found.choices, dict)
    yield from found.choices.items()


def options() -> Iterator[tuple[str, argparse.Action]]:
    """Each option that takes a path, and its verb."""
    for name, parser in verbs():
        for action in parser._actions:
            if action.type is Path and action.option_strings:
                yield name, action


def test_no_writer_is_left_out() -> None:
    found = {f"{verb} {one.option_strings[-1]}" for verb, one in options() if one.dest not in READ}
    assert found == set(WRITERS)


@pytest.mark.few("plan --out", "view")
@pytest.mark.parametrize("writer", WRITERS)
def test_a_file_that_is_there_stays(
    writer: str, folder: Path, made: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """One function says so, which knows no verb: one of them tries all suffixes."""
    put(folder / "out", made)
    for suffix in SUFFIXES:
        (folder / f"mine{suffix}").write_text(f"mine{suffix}")
    before = content(folder)
    for suffix in SUFFIXES if writer == "vectors --svg" else (".c", ""):
        assert main([*WRITERS[writer], f"mine{suffix}"]) == 2
        assert f"mine{suffix}" in capsys.readouterr().err
    assert content(folder).items() >= before.items()


@pytest.mark.few("vectors", "what-if")
@pytest.mark.few("vectors", "view")
@pytest.mark.parametrize("writer", [one for one in WRITERS if not one.startswith("plan")])
def test_a_file_that_hlsmem_made_is_replaced_and_any_other_by_force(
    writer: str, folder: Path, made: dict[str, str]
) -> None:
    put(folder / "out", made)
    before = content(folder)
    command = [*WRITERS[writer], "page.yaml"]
    assert main(command) == 0
    after = content(folder)
    assert after["page.yaml"].count(b"made by hlsmem") == 1
    assert after.items() >= before.items()
    (folder / "page.yaml").write_bytes(after["page.yaml"] + b"# mine\n")
    assert main(command) == 2
    assert main([*command, "--force"]) == 0
    assert content(folder) == after
    assert main(command) == 0


@pytest.mark.few(0.34)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_change_goes_beside_a_source(
    suffix: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = folder / f"gauss{suffix}"
    source.write_text(DESIGN if suffix in (".yaml", ".yml") else KERNEL)
    before = content(folder)
    code = main(["what-if", source.name, *APPLY])
    error = capsys.readouterr().err
    after = content(folder)
    if suffix in (".yaml", ".yml"):  # the design that is asked to be changed
        assert code == 0
        assert error.splitlines()[-1].endswith(f": written to gauss{suffix}")
        # With times of its own the kernel says what its steps and streams are.
        kept = b"{file: k.c, loops: pipelined, parameters: auto}"
        told = before[f"gauss{suffix}"].replace(b"{file: k.c}", kept)
        assert after[f"gauss{suffix}"].startswith(told)
        assert after.pop(f"gauss{suffix}.orig") == before[f"gauss{suffix}"]
        assert set(after) == set(before)
        return
    assert code == (0 if suffix in SOURCES else 2)
    if suffix in SOURCES:
        assert error.splitlines()[-1].endswith(": written to gauss.yaml")
        del after["gauss.yaml"]
    assert after == before


@pytest.mark.few(1)
@pytest.mark.parametrize("suffix", SOURCES)
def test_a_design_beside_a_source_stays(
    suffix: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / f"gauss{suffix}").write_text(KERNEL)
    (folder / "gauss.yaml").write_text(DESIGN)
    before = content(folder)
    assert main(["what-if", f"gauss{suffix}", *APPLY]) == 2
    assert capsys.readouterr().err == (
        "'gauss.yaml' is there, and is not as hlsmem made it; "
        "name another file, or replace it by --force\n"
    )
    assert content(folder) == before
    assert main(["what-if", f"gauss{suffix}", *APPLY, "--force"]) == 0
    assert content(folder).items() >= {f"gauss{suffix}": before[f"gauss{suffix}"]}.items()
    assert main(["plan", "gauss.yaml", "-o", "changed"]) == 0


COMMANDS = [
    "plan k.c -o out --set accelerator.build=whole",
    "check out --only proof",
    "view out",
    "explain out t",
    "bench out --starts 1 --rounds 1",
    "run out --frames 1",
    "synth out --seeds 0",
    "compare k.c",
    "vectors k.c --array t --kind ov",
    "tiles s.c --kind pipelined",
    "network k.c",
    "rank k.c S0",
    "dataflow k.c",
    "what-if k.c --kind slack",
    "diff out out",
    "doctor",
    "schema",
]


def test_what_somebody_put_into_out_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it has the name of a file that the verb writes."""
    # What a tool would find, so that what is written of it is, wherever Yosys is not.
    found = Figures(
        module="k_mem", family="ecp5", area=Area(luts=0, flip_flops=1, multipliers=0), timed=None
    )
    monkeypatch.setattr("hlsmem.synthesis.synthesise", lambda *_, **__: found)
    assert main(COMMANDS[0].split()) == 0
    for name in ("checks.json", "report.md", "report.html", "synth.json", "synth.md", "notes.txt"):
        (folder / "out" / name).write_text(f"mine: {name}")
    mine = {KERNEL.encode(), *(text for text in content(folder).values() if b"mine: " in text)}
    for command in COMMANDS:
        assert main(command.split()) in (0, 3), command  # 3: the doctor misses some tool
        assert mine <= set(content(folder).values()), command
    assert json.loads((folder / "out" / "synth.json").read_text())


def test_no_verb_is_left_out() -> None:
    assert {command.split()[0] for command in COMMANDS} == {name for name, _ in verbs()}
