"""The simulation that Verilator built for a run: OUT/sim keeps it while its Verilog is the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from hlsmem.core.user_files import read_bytes, read_text
from hlsmem.emit.output_folder import list_anew, rewrite_file
from hlsmem.tools.simulators import Simulator

BUILD = "sim/verilated"
_SAYS = "sim/verilated.json"
_FORMAT = "hlsmem-build/1"


def key_of(simulator: Simulator, sources: Sequence[Path], *, waves: bool) -> str:
    """Return a digest of all that a build depends on but how far it is optimized."""
    found = hashlib.sha256(f"{simulator.title} {waves}".encode())
    for one in sources:
        content = read_bytes(one)
        found.update(f"\n{one.name} {len(content)}\n".encode() + content)
    return found.hexdigest()


def kept_build(out: Path, key: str) -> bytes | None:
    """Return the program in OUT/sim; None where it is another one, or not as it was written."""
    try:
        document = json.loads(read_text(out / _SAYS))
        program = read_bytes(out / BUILD)
        wanted = {"format": _FORMAT, "key": key, "sha256": hashlib.sha256(program).hexdigest()}
    except (OSError, ValueError):
        return None
    return program if document == wanted else None


def keep_build(out: Path, key: str, program: bytes) -> None:
    """Write the program into OUT/sim; raises InputError where it cannot be written."""
    says = {"format": _FORMAT, "key": key, "sha256": hashlib.sha256(program).hexdigest()}
    rewrite_file(out / BUILD, program)
    rewrite_file(out / _SAYS, json.dumps(says) + "\n")
    list_anew(out, [BUILD, _SAYS])
