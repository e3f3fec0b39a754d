"""What hlsmem wrote for several designs, by several versions, in one project of somebody else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core import verilog_library as library
from hlsmem.tools.simulators import find_lint_verilator, find_simulator, simulator_environment
from hlsmem.version import VERSION
from tests.conftest import EXAMPLES

# The command as another version of hlsmem would run it.
COMMAND = """
import sys, hlsmem.version
hlsmem.version.VERSION = sys.argv[1]
hlsmem.version.TOOL = f"hlsmem {sys.argv[1]}"
from hlsmem.cli.main import main
sys.exit(main(sys.argv[2:]))
"""
# Design, parameter, version; two of one version that use different parts of the library.
DESIGNS = (("blur", "N=8", VERSION), ("half", "N=8", VERSION), ("fifo", "N=1025", "9.1.dev2"))
TOP = """\
module project;
    reg clk = 1'b0;
    reg rst = 1'b1;
    blur_mem u_blur (.clk(clk), .rst(rst), .start(1'b0));
    half_mem u_half (.clk(clk), .rst(rst), .start(1'b0));
    fifo_mem u_fifo (.clk(clk), .rst(rst), .start(1'b0), .s_queue_Put_tvalid(1'b0));
    initial begin
        repeat (6) #5 clk = ~clk;
        if ({u_blur.busy, u_half.busy, u_fifo.busy} === 3'b000) $display("all idle");
    end
endmodule
"""


# `.ci/run` has it as well, with FuseSoC.
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for design, parameter, version in DESIGNS:
        given = ["plan", str(EXAMPLES / design / "design.yaml"), "--param", parameter]
        given += ["-o", str(folder / design)]
        if version == VERSION:
            assert main(given) == 0
        else:
            command = [sys.executable, "-c", COMMAND, version, *given]
            subprocess.run(command, check=True, capture_output=True)
    (folder / "project.v").write_text(TOP)
    return folder


@pytest.mark.needs("iverilog")
def test_designs_of_several_versions_compile_in_one_line(project: Path) -> None:
    icarus = find_simulator(os.environ["PATH"], prefer="icarus")
    files = sorted(
        str(file) for design, *_ in DESIGNS for file in project.glob(f"{design}/rtl/*.v")
    )
    assert sum("hlsmem_ram_v" in file for file in files) == 3
    command = [str(icarus.folder / "iverilog"), "-g2005", "-s", "project", "-o", "project.out"]
    subprocess.run([*command, *files, "project.v"], cwd=project, check=True)
    done = subprocess.run(
        [str(icarus.folder / "vvp"), "project.out"], cwd=project, text=True, capture_output=True
    )
    assert "all idle" in done.stdout


def test_modules_of_a_design_begin_with_its_name(project: Path) -> None:
    for design, *_ in DESIGNS:
        for file in project.glob(f"{design}/rtl/**/*.v"):
            assert file.stem == design or file.stem.startswith((f"{design}_", "hlsmem_"))
            assert re.findall(r"(?m)^module (\w+)", file.read_text()) == [file.stem]


def test_files_of_the_library_stand_in_guards_that_name_them(project: Path) -> None:
    files = [*project.glob("*/rtl/**/hlsmem_*.v")]
    assert len({library.plain(file.stem) for file in files}) > 4
    for file in files:
        first, second, *_, last = file.read_text().splitlines()
        assert (first, second, last) == (
            f"`ifndef {file.stem.upper()}",
            f"`define {file.stem.upper()}",
            "`endif",
        )


CORE = """\
CAPI=2:
name: ::project:1.0
filesets:
  rtl:
    files: [project.v]
    file_type: verilogSource-2005
    depend: ["hlsmem:generated:blur", "hlsmem:generated:half", "hlsmem:generated:fifo"]
targets:
  sim:
    flow: sim
    flow_options: {tool: icarus}
    filesets: [rtl]
    toplevel: project
"""


@pytest.mark.needs("fusesoc", "iverilog")
def test_fusesoc_builds_lints_and_simulates_them_together(project: Path) -> None:
    (project / "project.core").write_text(CORE)
    assert "all idle" in fusesoc(project, "sim", "::project")
    verilator = find_lint_verilator(os.environ["PATH"])
    for design, _, version in DESIGNS:
        core = f"hlsmem:generated:{design}:{version}"
        if (project / design / f"sim/tb_{design}.v").exists():  # it plays what a run recorded
            assert main(["run", str(project / design)]) == 0
        fusesoc(project, "sim", core)
        if verilator is not None:
            own = simulator_environment(verilator, os.environ["PATH"])
            known = {name: value for name, value in own.items() if value is not None}
            found = fusesoc(project, "lint", core, {**os.environ, **known})
            assert "%Warning" not in found


def fusesoc(folder: Path, target: str, core: str, environment: dict[str, str] | None = None) -> str:
    """What FuseSoC printed that set up, built and ran a target."""
    script = "import sys; from fusesoc.main import main; sys.exit(main())"
    command = [sys.executable, "-c", script, "--cores-root", ".", "run", "--target", target, core]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
