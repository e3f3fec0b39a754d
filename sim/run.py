"""Builds Verilog and runs a cocotb bench on it: `python run.py --help`.

It stands alone: it needs cocotb and a simulator on PATH, nothing of hlsmem.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from xml.etree import ElementTree

from cocotb_tools.runner import get_runner

TIMESCALE = ("1ns", "1ps")


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    build = options.build.resolve()
    sources = [path.resolve() for path in options.sources]
    for listing in options.files:
        folder = listing.resolve().parent
        sources += [folder / line for line in listing.read_text().split()]
    sys.path.insert(0, str(options.folder.resolve()))  # the runner hands it to the bench
    runner = get_runner(options.simulator)
    runner.build(
        sources=sources,
        hdl_toplevel=options.top,
        build_dir=build,
        always=True,
        timescale=TIMESCALE,
        waves=options.waves,
    )
    results = runner.test(
        test_module=options.bench,
        hdl_toplevel=options.top,
        hdl_toplevel_lang="verilog",
        build_dir=build,
        test_dir=build,
        results_xml=str(build / "results.xml"),
        waves=options.waves,
        timescale=TIMESCALE,
    )
    return _judge(results)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Build Verilog and run a cocotb bench on it.")
    parser.add_argument("--simulator", choices=("icarus", "verilator"), default="icarus")
    parser.add_argument("--top", required=True, help="the top module")
    parser.add_argument("--bench", required=True, help="the Python module with the tests")
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent, help="where it is")
    parser.add_argument("--files", type=Path, action="append", default=[], help="a file list")
    parser.add_argument("--build", type=Path, default=Path("sim_build"), help="a work folder")
    parser.add_argument("--waves", action="store_true", help="write an FST (Icarus) or a VCD")
    parser.add_argument("sources", type=Path, nargs="*", help="Verilog files")
    return parser.parse_args(arguments)


def _judge(results: Path) -> int:
    """0 if at least one test ran and none failed; a bench without tests is a failure."""
    cases = list(ElementTree.parse(results).getroot().iter("testcase"))
    failed = [case for case in cases if any(case.iter("failure")) or any(case.iter("error"))]
    return 0 if cases and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
