"""Every size and formula that a report prints is in the files that it is of."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from hlsmem.emit.mapping_text import mapping_lines
from hlsmem.emit.report import report
from hlsmem.plan import ArrayPlan, Part, Plan
from tests.conftest import EXAMPLES
from tests.plans import files_of, planning_of

DESIGNS = sorted(str(file.relative_to(EXAMPLES)) for file in EXAMPLES.glob("*/*.yaml"))


def has_number(text: str, number: int) -> bool:
    return re.search(rf"(?<![\w.]){number}(?![\w.])", text) is not None


def wrong_in_module(text: str, part: Part, plan: Plan, array: ArrayPlan) -> str:
    """What the module of a memory does not have of what the report says of it."""
    memory = plan.memories[part.memory]
    comments = [line for line in text.splitlines() if line.startswith("//")]
    header, code = " ".join(comments), text.split(") (" if ") (" in text else "(", 1)[1]
    if not memory.words:
        return "" if "a wire" in header else "no word about the wire"
    one_register = memory.kind == "registers" or memory.words == memory.copies
    if not one_register and not has_number(header, memory.words):
        return f"its comment has not {memory.words} words"
    if part.mapping is not None:
        for line in mapping_lines(array.name, array.index, part.mapping):
            if line.split(" = ", 1)[1] not in header:
                return f"its comment has not {line}"
    shown = memory.kind == "chain" and len(set(part.taps_expr or ())) <= 8
    for tap in part.taps_expr or ():
        if shown and tap not in header:
            return f"its comment has not the tap {tap}"
    depth = memory.words // memory.copies // memory.banks
    if memory.kind in ("ram", "banked", "window", "fifo") and depth > 1:
        ways = {depth, memory.words // memory.copies, depth - 1}
        if not any(has_number(code, one) for one in ways):
            return f"its code has no RAM of {depth} words"
    if memory.kind == "chain" and bits_of_chain(code) != memory.words * memory.bits:
        return f"its registers and delays have {bits_of_chain(code)} bits"
    return ""


def bits_of_chain(code: str) -> int:
    """The bits of the registers and of the delay lines of a chain."""
    runs = re.findall(r"^    reg \[(\d+):0\] run_\w+;", code, re.M)
    delays = re.findall(r"hlsmem_delay\w* #\(\s*\.WIDTH\((\d+)\),\s*\.DEPTH\((\d+)\)", code)
    return sum(int(high) + 1 for high in runs) + sum(int(w) * int(d) for w, d in delays)


@pytest.mark.few("blur/design.yaml", "two_readers/design.yaml")
@pytest.mark.parametrize("design", DESIGNS)
def test_what_the_report_says_of_hardware_is_in_the_verilog(design: str) -> None:
    plan, files = planning_of(EXAMPLES / design).plan, files_of(EXAMPLES / design)
    if plan.paths is None:
        return  # a stepper beside each RAM, or no Verilog
    wrong = {}
    for array in plan.arrays.values():
        memories = [plan.memories[part.memory] for part in array.hardware.parts]
        for part in array.hardware.parts:
            name = f"rtl/{plan.design}_{part.memory}_buffer.v"
            if said := wrong_in_module(files[name], part, plan, array):
                wrong[name] = said
        names = {part.memory for part in array.hardware.parts}
        beside = array.hardware.words - sum(memory.words for memory in memories)
        branches = [one for one in plan.elastic if any(f"_{k}_" in one.stream for k in names)]
        assert beside == 0 or branches
    assert wrong == {}


def c_of(files: Mapping[str, str]) -> str:
    return " ".join(
        re.sub(r"\n \* ", " ", text) for name, text in files.items() if name.startswith("host/")
    )


@pytest.mark.few("blur/design.yaml", "two_readers/design.yaml")
@pytest.mark.parametrize("design", DESIGNS)
def test_what_the_report_says_of_c_is_in_the_c(design: str, tmp_path: Path) -> None:
    plan, files = planning_of(EXAMPLES / design).plan, files_of(EXAMPLES / design)
    text, printed = c_of(files), report(plan)
    for array in plan.arrays.values():
        if array.host is not None:
            for line in mapping_lines(array.name, array.index, array.host.cells.mapping):
                assert line in printed
                assert line in text
    assert workspace_of(files, plan, tmp_path) in (None, bytes_of(plan))


def bytes_of(plan: Plan) -> int:
    """The end of the last array in the workspace of the C, by plan.json."""
    hosts = [array.host for array in plan.arrays.values() if array.host is not None]
    return max(
        (one.cells.at + one.bits // 8 for one in hosts if one.cells.at is not None), default=0
    )


def workspace_of(files: Mapping[str, str], plan: Plan, folder: Path) -> int | None:
    """NAME_WS_BYTES as a C compiler has it; None where the header says nothing of a workspace."""
    header = f"{plan.design}.h"
    name = f"{plan.design.upper()}_WS_BYTES"
    if f"#define {name} " not in files.get(f"host/{header}", ""):
        return None
    (folder / header).write_text(files[f"host/{header}"])
    main = f'#include <stdio.h>\n#include "{header}"\nint main(void)\n'
    (folder / "main.c").write_text(f'{main}{{ printf("%zu", (size_t){name}); return 0; }}\n')
    subprocess.run(["cc", "main.c", "-o", "main"], cwd=folder, check=True)
    done = subprocess.run(["./main"], cwd=folder, capture_output=True, text=True, check=True)
    return int(done.stdout)
