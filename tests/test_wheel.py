"""The wheel carries everything: installed elsewhere, it plans from another folder."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("hlsmem-*.whl"))


def test_templates_verilog_and_benches_are_inside(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("templates", "rtl", "sim"):
        for file in (ROOT / folder).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                assert f"hlsmem/data/{folder}/{file.relative_to(ROOT / folder)}" in inside
    assert "hlsmem_verify/claims/banks.py" in inside
    assert not [name for name in inside if "faults" in name]  # what tests plant is no part of it


def test_an_editable_installation_has_no_copy_of_a_module(tmp_path: Path) -> None:
    script = "import sys; from hatchling.build import build_editable; build_editable(sys.argv[1])"
    command = [sys.executable, "-c", script, str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("hlsmem-*.whl"))) as archive:
        modules = [one for one in archive.namelist() if one.endswith(".py")]
        paths = [archive.read(one) for one in archive.namelist() if one.endswith(".pth")]
    # Tools find these two where the package is, not beside the copies.
    assert {one.rsplit("/", 1)[0] for one in modules} <= {
        "hlsmem/data/sim",
        "hlsmem/data/sim/light",
    }
    assert paths == [str(ROOT).encode()]


@pytest.mark.dear
def test_an_installed_wheel_plans_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    # Dependencies come from this environment: the test is about the wheel, not about the index.
    venv.create(home, with_pip=False, symlinks=True)
    packages = next((home / "lib").glob("python*")) / "site-packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    ours = Path(next(p for p in sys.path if p.endswith("site-packages")))
    (packages / "borrowed.pth").write_text(f"{ours}\n")
    work = tmp_path / "work"
    shutil.copytree(ROOT / "examples" / "blur", work)
    command = [str(home / "bin" / "python"), "-I", "-c", _SCRIPT, "plan", "design.yaml", "--json"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["arrays"]["blurx"]["holdings"]["hardware"]["words"] == 129
    assert str(home) in done.stderr, "the installed copy must be the one that ran"


_SCRIPT = """
import sys, hlsmem
print(hlsmem.__file__, file=sys.stderr)
from hlsmem.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
