"""One simulation for a module: many parameter sets, and copies with faults planted in them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hlsmem.core.data_files import resource_folder
from hlsmem.tools.bench_simulation import simulate
from hlsmem.tools.simulators import Simulator

LIBRARY = resource_folder("rtl")
_PORT = re.compile(r"^ *(input|output) +(?:wire|reg) +(\[[^\]]+\])? *(\w+)", re.MULTILINE)
_PARAMETER = re.compile(r"^ *parameter (?:\[[^\]]+\] )?(\w+) =", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Fault:
    """A planted fault: `old` stands once in the module's text and becomes `new`."""

    old: str
    new: str

    def plant(self, text: str) -> str:
        assert text.count(self.old) == 1, f"{self.old!r} stands {text.count(self.old)} times"
        return text.replace(self.old, self.new)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A module with the parameters to run it at; `model_only` ones are no Verilog parameters."""

    module: str
    parameters: tuple[dict[str, Any], ...]
    faults: tuple[Fault, ...]
    model_only: tuple[str, ...] = ()
    cycles: int = 400
    uses: tuple[str, ...] = field(default=())


def run_case(case: Case, simulator: Simulator, folder: Path) -> list[dict[str, str | None]]:
    """First differences by parameter set: of the module as it is, then of every faulty copy."""
    text = (LIBRARY / f"{case.module}.v").read_text()
    copies = [case.module] + [f"{case.module}_fault{i}" for i in range(len(case.faults))]
    sources = [LIBRARY / f"{name}.v" for name in (case.module, *case.uses)]
    for copy, fault in zip(copies[1:], case.faults, strict=True):
        faulty = fault.plant(text).replace(f"module {case.module} ", f"module {copy} ")
        sources.append(_write(folder / f"{copy}.v", faulty))
    instances = [
        {"name": f"i{k}_{n}", "module": case.module, "copy": copy, "parameters": parameters}
        for k, copy in enumerate(copies)
        for n, parameters in enumerate(case.parameters)
    ]
    sources.append(_write(folder / "bench_top.v", _bench_top(case, text, instances)))
    job = {"cycles": case.cycles, "instances": instances}
    differences = folder / "differences.json"
    run = simulate(
        simulator,
        top="bench_top",
        bench="bench",
        bench_folder=Path(__file__).parent,
        sources=sources,
        build=folder / "build",
        variables={
            "HLSMEM_BENCH": str(_write(folder / "job.json", json.dumps(job))),
            "HLSMEM_DIFFERENCES": str(differences),
        },
        seconds=120,
    )
    assert run.passed, run.last_lines()
    found = json.loads(differences.read_text())
    return [
        {str(p): found[f"i{k}_{n}"] for n, p in enumerate(case.parameters)}
        for k in range(len(copies))
    ]


def _write(file: Path, text: str) -> Path:
    file.write_text(text)
    return file


def _bench_top(case: Case, text: str, instances: list[dict[str, Any]]) -> str:
    """A top with one frame an instance: registers on its inputs, wires on its outputs."""
    header = text[text.index("#(") : text.index(");", text.index(") ("))]
    parameters, ports = header.split(") (")
    frame_parameters = parameters.removeprefix("#(")
    names = _PARAMETER.findall(parameters)
    lines = []
    for copy in dict.fromkeys(one["copy"] for one in instances):
        lines += [f"module frame_{copy} #({frame_parameters}) (input wire clk);"]
        connections = []
        for direction, width, port in _PORT.findall(ports):
            connections.append(f".{port}({port})")
            if port != "clk":
                kind = "reg" if direction == "input" else "wire"
                lines.append(f"  {kind} {width} {port}{' = 0' if kind == 'reg' else ''};")
        passed = ", ".join(f".{name}({name})" for name in names)
        lines += [f"  {copy} #({passed}) u ({', '.join(connections)});", "endmodule"]
    lines.append("module bench_top (input wire clk);")
    for one in instances:
        given = {k: v for k, v in one["parameters"].items() if k not in case.model_only}
        passed = ", ".join(f".{name}({_literal(value)})" for name, value in given.items())
        lines.append(f"  frame_{one['copy']} #({passed}) {one['name']} (.clk(clk));")
    return "\n".join([*lines, "endmodule", ""])


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else f"{value}"
