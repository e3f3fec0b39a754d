"""What the page of a plan takes: CPU seconds of trace and page beside the plan, memory, bytes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

BLUR = Path(__file__).resolve().parent.parent / "examples" / "blur" / "design.yaml"
SIZES = (64, 512, 1024)
# In a process of its own, so that memory is that of one size.
SCRIPT = """
import json, resource, sys, time
from pathlib import Path
import hlsmem
from hlsmem.verification import load_subject
from hlsmem.viewing.page import page_of
from hlsmem.viewing.trace import trace_of

def seconds(): return sum(resource.getrusage(who)[k] for who in
    (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) for k in (0, 1))

design, size, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
planning = hlsmem.plan(design, params={"N": size})
planned = seconds()
planning.write(out)
subject = load_subject(Path(out))
start = seconds()
page = page_of(trace_of(subject))
print(json.dumps({"plan": planned, "page": seconds() - start, "bytes": len(page),
    "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))
"""


def print_table() -> None:
    """A line for each size of the blur."""
    print("The page of the blur, CPU seconds:")
    print(f"{'N':>6} {'instances':>10} {'plan':>8} {'page':>8} {'MiB':>6} {'bytes':>8}")
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", SCRIPT, str(BLUR), str(size), f"{folder}/out"]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
        row = json.loads(done.stdout)
        instances = size * size + (size - 2) * size
        print(
            f"{size:>6} {instances:>10} {row['plan']:>8.2f} {row['page']:>8.2f}"
            f" {row['MiB']:>6} {row['bytes']:>8}"
        )
