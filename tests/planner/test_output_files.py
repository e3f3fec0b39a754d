"""OUT/verify.py: one file that proves a plan where hlsmem is not installed."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import islpy
import pytest

from hlsmem.core.user_files import from_bytes, to_bytes
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.output_files import verifier
from tests.conftest import EXAMPLES
from tests.plans import files_of

# Without site-packages there is nothing of hlsmem; libraries are those of a folder.
_SCRIPT = """
import runpy, sys
from importlib.util import find_spec
sys.path.append(sys.argv[1])
assert not find_spec("hlsmem") and not find_spec("hlsmem_verify")
del sys.argv[:2]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_bytes_that_are_no_text_come_back() -> None:
    content = bytes(range(256)) + "µ\r\n".encode()
    assert to_bytes(from_bytes(content)) == content
    assert from_bytes("µ\r\n".encode()) == "µ\r\n"


def test_modules_stand_in_it_as_they_are() -> None:
    archive = zipfile.ZipFile(io.BytesIO(to_bytes(verifier())))
    entries = archive.infolist()
    names = [one.filename for one in entries]
    root = Path(__file__).resolve().parents[2]
    modules = {file.relative_to(root).as_posix() for file in root.glob("hlsmem_verify/**/*.py")}
    assert names == sorted({"__main__.py", *modules})
    assert {(one.date_time[0], one.compress_type) for one in entries} == {
        (1980, zipfile.ZIP_STORED)
    }
    assert all(archive.read(one) == (root / one).read_bytes() for one in modules)


@pytest.mark.dear
def test_it_is_the_same_in_every_process() -> None:
    script = "import hashlib; from hlsmem.planner.output_files import *;"
    script += "from hlsmem.core.user_files import to_bytes;"
    script += "print(hashlib.sha256(to_bytes(verifier())).hexdigest())"
    found = {
        subprocess.run(
            [sys.executable, "-X", f"{option}", "-c", script],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for option in ("utf8=0", "utf8=1")
    }
    assert len(found) == 1


def test_it_proves_a_plan_without_hlsmem(tmp_path: Path) -> None:
    write_folder(tmp_path / "out", files_of(EXAMPLES / "blur" / "design.yaml", {"N": 8}))
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    home = Path(islpy.__file__).parent
    for one in home.parent.glob("islpy*"):
        (libraries / one.name).symlink_to(one)
    assert not [*libraries.glob("hlsmem*")]

    def prove(plan: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-S", "-c", _SCRIPT, str(libraries), "out/verify.py", plan]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    done = prove("out")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(" 0 false, 0 open\n")
    assert prove("out/plan.json").stdout.endswith("; storage not compared: no rtl here\n")
    file = tmp_path / "out" / "plan.json"
    document = json.loads(file.read_text())
    document["memories"]["blurx"]["words"] += 1
    file.write_text(json.dumps(document))
    done = prove("out")
    assert done.returncode == 1
    assert "FALSE  memories.blurx: rtl/" in done.stdout
