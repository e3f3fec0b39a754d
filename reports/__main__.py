"""`make reports`: rebuild every table of this folder, or those named."""

from __future__ import annotations

import sys
from importlib import import_module

REPORTS = ("papers", "classes", "tilings", "networks", "dataflow")
ALONE = ("seeds", "measured")

names = sys.argv[1:] or list(REPORTS)
unknown = [name for name in names if name not in (*REPORTS, *ALONE)]
if unknown:
    sys.exit(f"there is no report {unknown[0]!r}; use one of: {', '.join([*REPORTS, *ALONE])}")
for name in names:
    print(f"reports/{name}.md", flush=True)
    import_module(f"reports.{name}").main()
