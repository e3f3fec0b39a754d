"""A family is one file: with it there, everything that names families knows it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hlsmem
from hlsmem.core.data_files import resource_folder
from hlsmem.core.wording import listed
from hlsmem.devices import FAMILIES

PACKAGE = Path(hlsmem.__file__).resolve().parent
EXAMPLES = Path(__file__).parents[2] / "examples"
FAMILY = Path(__file__).with_name("tang.py")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with hlsmem and one file more."""
    folder = tmp_path_factory.mktemp("program")
    package = folder / "hlsmem"
    package.mkdir()
    for entry in PACKAGE.iterdir():
        if entry.name != "devices":
            (package / entry.name).symlink_to(entry)
    shutil.copytree(PACKAGE / "devices", package / "devices")
    shutil.copy(FAMILY, package / "devices" / "families")
    for name in ("rtl", "templates", "sim"):
        if not (PACKAGE / "data").is_dir():
            (folder / name).symlink_to(resource_folder(name))
    return folder


def hlsmem_of(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(program)}
    return subprocess.run(
        [sys.executable, "-m", "hlsmem", *arguments],
        capture_output=True,
        text=True,
        cwd=program,
        env=environment,
    )


@pytest.mark.long
def test_command_line_schema_and_messages_name_a_new_family(program: Path) -> None:
    names = sorted({*FAMILIES, "tang"})
    assert f"{{{','.join(names)}}}" in hlsmem_of(program, "synth", "--help").stdout
    assert f"families are {listed(names)}" in hlsmem_of(program, "schema").stdout
    blur = str(EXAMPLES / "blur" / "design.yaml")
    refused = hlsmem_of(program, "plan", blur, "--set", "target.device=tang-5k")
    assert refused.returncode == 2
    assert "'tang-5k' is no device known here; use tang: tang-4k" in refused.stderr


def test_a_new_family_plans_and_synthesis_says_what_is_missing(program: Path) -> None:
    blur = str(EXAMPLES / "blur" / "design.yaml")
    settings = ("--set", "target.device=tang-4k", "--set", "arrays.blurx.reads=copies")
    planned = hlsmem_of(program, "plan", blur, "-o", "out", *settings)
    assert planned.returncode == 0, planned.stderr
    assert "6 of 10 TANG8K on tang-4k" in planned.stdout
    found = hlsmem_of(program, "synth", "out", "--seeds", "5")
    assert found.returncode == 3
    assert found.stderr == (
        "no synthesis for tang: hlsmem calls Yosys, which has none for Tang 1;"
        " use Tang Studio on the files that rtl/files.f names\n"
    )
    assert not (program / "out" / "synth.json").exists()
