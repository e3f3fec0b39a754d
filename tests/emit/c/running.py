"""Compile the original and the generated C once each, run both, compare: a quick host check."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from hlsmem.check.c_runs.c_harness import harness
from hlsmem.check.c_runs.c_interface import kernel_interface
from hlsmem.plan import Plan
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from tests.emit.c.plans import host_files

WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Werror")


def emitted(design: Design, plan: Plan) -> dict[str, str]:
    """Texts of the generated files by the last part of their names."""
    files = host_files(design, plan)
    return {name.removeprefix("host/"): text for name, text in files.items()}


def write_out(folder: Path, design: Design, plan: Plan) -> None:
    for name, text in emitted(design, plan).items():
        (folder / name).write_text(text)


def agree(
    folder: Path,
    design: Design,
    plan: Plan,
    *,
    flags: tuple[str, ...] = WARNINGS,
    values: Mapping[str, int] | None = None,
) -> bool:
    """Whether original and generated C leave the same bytes, through both entries.

    The generated file must compile without a warning. `values` are for function parameters.
    """
    program = design.input
    assert isinstance(program, Program)
    assert program.kernel is not None
    folder.mkdir(parents=True, exist_ok=True)
    write_out(folder, design, plan)
    for source in design.sources:
        (folder / f"original_{source.name}").write_text(source.text)
    values = {**program.values, **(values or {})}
    interface = kernel_interface(program, program.kernel, values)
    (folder / "harness.c").write_text(harness(interface))
    name = program.kernel.name
    sizes = [str(values[p]) for p in program.parameters if p in interface_names(interface)]
    (folder / "size.c").write_text(
        f'#include "{program.name}.h"\nsize_t hlsmem_workspace_bytes(void) {{\n'
        f"#ifdef {name.upper()}_WS_BYTES\n    return {name}_ws_bytes();\n#else\n"
        f"    return {name}_ws_bytes({', '.join(sizes)});\n#endif\n}}\n"
    )
    # One harness for both: what only the generated file has, the original never calls.
    with (folder / f"original_{program.kernel.file}").open("a") as original:
        original.write(f"\nvoid {name}_ws(void) {{}}\n")
        original.write("unsigned long hlsmem_workspace_bytes(void) { return 0; }\n")
    compiler = ["cc", "-std=c99", "-I."]
    build(folder, [*compiler, "-w", "-DHLSMEM_WITH_WORKSPACE", "-c", "harness.c", "size.c"])
    compiler += ["-O1", "-fwrapv", "-ffp-contract=off"]
    both = ["harness.o", "-lm"]
    build(folder, [*compiler, "-w", f"original_{program.kernel.file}", *both, "-o", "original"])
    generated = [*flags, f"{program.name}.c", "size.o", *both]
    build(folder, [*compiler, *generated, "-o", "generated"])
    same = True
    for seed in ("1", "2"):
        subprocess.run(["./original", "want", seed], cwd=folder, check=True)
        for entry in ([], ["ws"]):
            subprocess.run(["./generated", "have", seed, *entry], cwd=folder, check=True)
            same &= (folder / "want").read_bytes() == (folder / "have").read_bytes()
    return same


def interface_names(interface: object) -> set[str]:
    return {argument.name for argument in interface.arguments}  # type: ignore[attr-defined]


def build(folder: Path, command: list[str]) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
