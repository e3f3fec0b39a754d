"""The modules that a circuit is made of, with the parameters that they have in it, from Yosys."""

from __future__ import annotations

import json
from collections.abc import Mapping

from hlsmem.check.formal.circuits.library_proof import Use
from hlsmem.core.errors import Problem, ToolError
from hlsmem.core.watchdog import scratch
from hlsmem.tools.provers import Prover
from hlsmem.tools.run import run
from hlsmem.tools.sandbox import Sandbox

_SECONDS = 400


def modules_in(prover: Prover, rtl: Mapping[str, str], top: str) -> tuple[Use, ...]:
    """Every module below `top` of the texts by file name, once for each set of parameters.

    Raises ToolError where Yosys does not read them.
    """
    with scratch("hlsmem-hierarchy-") as folder:
        for file, text in rtl.items():
            (folder / file).write_text(text, encoding="utf-8")
        script = (
            f"read_verilog {' '.join(rtl)}; hierarchy -check -top {top}; proc;"
            " write_json modules.json"
        )
        done = run(
            [*prover.yosys.command, "-q", "-p", script],
            folder=folder,
            seconds=_SECONDS,
            sandbox=Sandbox(writable=folder, unlimited=True),
        )
        if not done.succeeded:
            what = f"{done.arguments[0]} ended with {done.ending()}:\n{done.last_lines()}"
            raise ToolError(Problem(what, "report the design if it came from hlsmem"))
        found = json.loads((folder / "modules.json").read_text(encoding="utf-8"))["modules"]
    return tuple(
        Use(
            module["attributes"].get("hdlname", name).lstrip("\\"),
            tuple(
                (parameter, _value(value))
                for parameter, value in sorted(module.get("parameter_default_values", {}).items())
            ),
        )
        for name, module in sorted(found.items())
    )


def _value(bits: str) -> str:
    """A parameter as Verilog writes it; Yosys has numbers in binary and texts as they are.

    >>> _value("00000000000000000000000000011001"), _value("auto")
    ('25', '"auto"')
    """
    if bits and set(bits) <= {"0", "1"}:
        number = int(bits, 2)
        return str(number - (1 << len(bits)) if len(bits) == 32 and bits[0] == "1" else number)
    return f'"{bits}"'
