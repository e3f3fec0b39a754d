"""Whether what tells the checks of OUT/rtl about it is what this version generates.

`sim/<design>.json` is believed by the benches: it names the instances whose traces are read. So it
is compared with the text that the design gives when it is planned again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hlsmem.errors import HlsmemError
from hlsmem.verification.frames import Planner

_REMEDY = "plan again, or say `--foreign` to judge it as it is"


def other_description(out: Path, document: Mapping[str, Any], planner: Planner) -> str:
    """Where the description in `out` differs from the one that its design gives; "" if nowhere.

    `document` is plan.json. What has no description, a plan without Verilog, is left to others.
    """
    name = f"sim/{document['design']}.json"
    file = out / "design" / next(iter(document["inputs"]))
    try:
        files = planner(file, document["params"], document["overrides"])
    except HlsmemError as error:
        return f"{name} cannot be compared, the design has no plan: {error}"
    try:
        text = (out / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError):
        return f"{name} cannot be read"
    if text == files.get(name):
        return ""
    lines, others = text.splitlines(), files.get(name, "").splitlines()
    line = next((n for n, (a, b) in enumerate(zip(lines, others, strict=False), 1) if a != b), None)
    place = min(len(lines), len(others)) + 1 if line is None else line
    return f"{name}:{place}: not what this version generates for the design; {_REMEDY}"
