"""Broken designs and kernels with exactly what `hlsmem plan` says of them.

Every file stands in c, cxx, yaml, isl or what_if beside a .txt: the exit code and the messages.
`HLSMEM_REFRESH=1 pytest tests/refusals` rewrites them, shows the differences and fails once.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
from pathlib import Path

import pytest

from hlsmem.cli.main import main

FOLDER = Path(__file__).parent
FINE = {"fine.c", "fine_functions.c", "fine.yaml", "nests.c"}
FILES = sorted(
    file
    for kind in ("c", "cxx", "isl", "what_if", "yaml")
    for file in (FOLDER / kind).iterdir()
    if file.suffix in (".c", ".cpp", ".yaml") and file.name not in FINE
)

# The texts that end clang: it has to be in a copy of the process.
ENDING = {FOLDER / "c" / "macro_ends_clang.c"}


def told(file: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The exit code and the messages; arguments stand behind "plan:" in the first line.

    Behind "what-if:" stand those of that verb.
    """
    first = file.read_bytes().partition(b"\n")[0].decode(errors="replace")
    marked = re.search(r"(plan|what-if):(.*)", first)
    verb, words = (marked[1], shlex.split(marked[2])) if marked else ("plan", [])
    target = ["-o", str(out)] if verb == "plan" else []
    code = main([verb, file.name, *words, *target])
    found = capsys.readouterr()
    assert found.out == ""
    return f"exit {code}\n{found.err}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_broken_file_gives_exactly_its_messages_and_no_folder(
    file: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if file in ENDING:
        request.getfixturevalue("in_copies")
    monkeypatch.chdir(file.parent)
    monkeypatch.setenv("NO_COLOR", "1")
    text = told(file, tmp_path / "out", capsys)
    assert os.listdir(tmp_path) == []
    golden = file.with_suffix(".txt")
    old = golden.read_text() if golden.exists() else ""
    difference = "".join(
        difflib.unified_diff(old.splitlines(True), text.splitlines(True), "golden", "told")
    )
    if difference and os.environ.get("HLSMEM_REFRESH"):
        golden.write_text(text)
    assert not difference, difference


def test_every_message_says_what_is_wrong_where_and_what_to_do() -> None:
    assert len(FILES) >= 60
    for file in FILES:
        code, *lines = file.with_suffix(".txt").read_text().splitlines()
        assert code == "exit 2"
        messages = [line for line in lines if not line.startswith(" ")]
        assert messages
        for message in messages:
            assert re.fullmatch(r"(\S+:\d+:\d+: |--\w+ \S+: |(?=the C text)).+; .+", message), (
                message
            )


def test_the_fine_files_are_fine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the broken files are variants of, so that only their faults are refused."""
    monkeypatch.chdir(FOLDER)
    assert main(["plan", "isl/fine.yaml", "-o", str(tmp_path / "net")]) == 0
    assert main(["plan", "yaml/fine.c", "--param", "N=8", "-o", str(tmp_path / "kernel")]) == 0
    capsys.readouterr()


def test_links_do_not_lead_out_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret.h").write_text("#define SECRET 1\n")
    (tmp_path / "secret.c").write_text((FOLDER / "yaml" / "fine.c").read_text())
    design = tmp_path / "design"
    design.mkdir()
    (design / "near.h").symlink_to("../secret.h")
    (design / "far").symlink_to("..")
    (design / "kernel.c").symlink_to("../secret.c")
    (design / "f.c").write_text(
        '#include "near.h"\n#include "far/secret.h"\n#include <secret.h>\n'
        "void f(int A[4])\n{\n#pragma scop\n    A[0] = SECRET;\n#pragma endscop\n}\n"
    )
    (design / "design.yaml").write_text("hlsmem: 1\nname: d\nkernel: {file: kernel.c}\n")
    monkeypatch.chdir(design)
    outside = "lies outside the folder of the design; copy it below that folder, "
    outside += "or include it by its name and say `--include DIR`"
    assert main(["plan", "f.c", "--set", "kernel.cflags=[-Ifar]"]) == 2
    messages = [one for one in capsys.readouterr().err.splitlines() if not one.startswith(" ")]
    assert messages == [
        f"f.c:1:10: 'near.h' {outside}",
        f"f.c:2:10: 'far/secret.h' {outside}",
        f"f.c:3:10: 'secret.h' {outside}",
    ]
    assert main(["plan", "design.yaml"]) == 2
    assert "'kernel.c' lies outside the folder of the design" in capsys.readouterr().err
