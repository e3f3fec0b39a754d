"""What address generators tell: no logic is there that nothing looks at."""

from __future__ import annotations

import re

import pytest

from hlsmem.planner.output_files import output_files
from tests.conftest import EXAMPLES
from tests.plans import hardware_of

# A chain, forks and joins beside RAMs, wires, a run-time filter.
DESIGNS = {
    "blur": {"N": 8},
    "durbin": {"N": 8},
    "unsharp": {},
    "threshold": {},
    "heat2d": {"N": 8},
    "camera": {},
}


@pytest.mark.few("blur")
@pytest.mark.parametrize("design", DESIGNS)
def test_what_walkers_tell_is_looked_at(design: str) -> None:
    """But whether a read stream is over, which proofs look at where no gate does."""
    files = output_files(hardware_of(EXAMPLES / design / "design.yaml", DESIGNS[design]))
    seen = 0
    for file in files.values():
        text = re.sub(r" *//.*", "", file)
        looked, _, _ = text.partition("    wire unused =")
        for generator, ports in re.findall(r"^    (\w+_walk) u_\w+ \((.*?)\);", text, re.M | re.S):
            outputs = re.findall(r"^    output .*?(\w+),?$", files[f"rtl/{generator}.v"], re.M)
            wires = dict(re.findall(r"\.(\w+)\((\w+)\)", ports))
            assert set(outputs) <= set(wires)
            for port in outputs:
                # Declared, connected, and looked at; a port may have the name of its wire.
                uses = len(re.findall(rf"(?<!\.)\b{wires[port]}\b", looked))
                assert uses > 2 or (port == "done" and wires[port].startswith("m_")), generator
                seen += 1
    assert seen
