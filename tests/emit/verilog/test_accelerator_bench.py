"""OUT/sim of a whole accelerator: recorded frames, a bench and make, without Python."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hlsmem.cli.command import main
from tests.emit.verilog.test_project import fusesoc

KERNELS = Path(__file__).parents[2] / "datapath/kernels"
WHOLE = ["--set", "accelerator.build=whole"]

pytestmark = pytest.mark.needs("iverilog")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """OUT of a kernel with recorded frames."""
    out = tmp_path_factory.mktemp("bench") / "out"
    assert main(["plan", str(KERNELS / "gauss3.c"), *WHOLE, "-o", str(out)]) == 0
    assert main(["run", str(out), "--frames", "3"]) == 0
    return out


@pytest.fixture
def out(recorded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(recorded, tmp_path / "out"))


def made(out: Path, *arguments: str) -> tuple[int, str]:
    """How `make` ended, and what it printed, with nothing but the simulator's tools on PATH."""
    tools = out.parent / "tools"
    tools.mkdir(exist_ok=True)
    for name in ("make", "iverilog", "vvp"):
        found = shutil.which(name)
        assert found is not None
        if not (tools / name).exists():
            (tools / name).symlink_to(found)
    command = [str(tools / "make"), "-C", str(out / "sim"), *arguments]
    done = subprocess.run(
        command,
        env={"PATH": str(tools)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout


def test_recorded_frames_pass_with_and_without_stalls(out: Path) -> None:
    code, printed = made(out)
    assert code == 0
    assert "m_axis_out: 2052 beats, 0 wrong\n" in printed
    assert "m_axis_out: 807 cycles from frame to frame\n" in printed
    assert "PASSED after 2420 cycles\n" in printed
    assert "warning" not in printed
    code, printed = made(out, "STALL=60", "SEED=5", "WAVES=1")
    assert code == 0
    assert "PASSED" in printed
    assert (out / "sim/gauss3.vcd").is_file()


def test_without_frames_it_says_where_they_come_from(out: Path) -> None:
    for name in ("s_axis_in", "m_axis_out"):
        (out / f"sim/{name}.hex").write_text("")
    code, printed = made(out)
    assert code != 0
    assert "no frame leaves" in printed
    for name in ("s_axis_in", "m_axis_out"):
        (out / f"sim/{name}.hex").unlink()
    code, printed = made(out)
    assert code != 0
    lacking = (
        "sim/s_axis_in.hex is not there: hlsmem run OUT, or hlsmem check OUT, records frames\n"
    )
    assert lacking in printed
    assert main(["check", str(out), "--only", "rtl"]) == 0
    code, printed = made(out)
    assert code == 0
    assert "m_axis_out: 2736 beats, 0 wrong\n" in printed


def test_a_word_that_is_not_expected_fails(out: Path) -> None:
    file = out / "sim/m_axis_out.hex"
    words = file.read_text().split()
    other = f"{int(words[700]) ^ 1 if words[700].isdigit() else 0:02x}"
    file.write_text("\n".join([*words[:700], other, *words[701:]]))
    code, printed = made(out)
    assert code != 0
    assert f"m_axis_out: beat 700 is {words[700]}, not {other}, in cycle " in printed
    assert "m_axis_out: 2052 beats, 1 wrong\n" in printed
    file.write_text("\n".join(words[:-1]))
    code, printed = made(out)
    assert code != 0
    assert "m_axis_out: there are more beats than the frames have, beat 2051" in printed


def test_an_output_that_breaks_the_rules_fails(out: Path) -> None:
    """A wrapper around the top does what the top must not do."""
    top = out / "rtl/gauss3.v"
    right = top.read_text()
    wires = ("tdata", "tvalid", "tready", "tlast")
    for broken, words in [
        ("v & c", "tvalid falls before its beat is taken, beat "),
        ("v ? v : 1'bx", "tvalid or tlast is x, beat "),
    ]:
        named = right.replace("module gauss3 (", "module gauss3_right (")
        inside = [f".s_axis_in_{one}(s_axis_in_{one})" for one in wires]
        inside += [f".m_axis_out_{one}(m_axis_out_{one})" for one in ("tdata", "tlast")]
        inside += [".m_axis_out_tvalid(v)", ".m_axis_out_tready(m_axis_out_tready & c)"]
        inside += [".clk(clk)", ".rst(rst)", ".error(error)"]
        head = right[right.index("module gauss3 (") :].partition(");")[0] + ");"
        wrapper = f"{head}\nreg c = 1'b0;\nalways @(posedge clk) c <= ~c;\n"
        wrapper += f"wire v;\nassign m_axis_out_tvalid = {broken};\n"
        wrapper += f"gauss3_right u ({', '.join(inside)});\nendmodule\n"
        top.write_text(f"{named}\n{wrapper}")
        code, printed = made(out, "STALL=50")
        assert code != 0
        assert f"m_axis_out: {words}" in printed


SEVERAL = ("dense", "fir32", "harris")


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with OUTs of several kernels, which use different parts of the library."""
    folder = tmp_path_factory.mktemp("several")
    for name in SEVERAL:
        out = folder / name
        assert main(["plan", str(KERNELS / f"{name}.c"), *WHOLE, "-o", str(out)]) == 0
        assert main(["run", str(out), "--frames", "2"]) == 0
    return folder


@pytest.mark.long
def test_several_accelerators_and_their_benches_compile_in_one_line(several: Path) -> None:
    files = [
        str(one)
        for name in SEVERAL
        for one in sorted([*several.glob(f"{name}/rtl/*.v"), *several.glob(f"{name}/sim/*.v")])
    ]
    names = [Path(one).name for one in files]
    assert len(set(names)) < len(names)  # of the library, whose second copies add nothing
    tops = [word for name in SEVERAL for word in ("-s", f"tb_{name}")]
    command = ["iverilog", "-g2005", "-Wall", *tops, "-o", str(several / "all"), *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
@pytest.mark.needs("fusesoc")
def test_cores_in_one_project_simulate_their_frames(several: Path) -> None:
    for name in SEVERAL:
        assert "PASSED after" in fusesoc(several, "sim", f"hlsmem:generated:{name}")
