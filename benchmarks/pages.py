"""What people wait for: the page of a plan, in Python and in a browser; explain; diff; import."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
BLUR = EXAMPLES / "blur" / "design.yaml"
SIZES = (64, 512, 1024)
# In a process of its own, so that memory is that of one size.
SCRIPT = """
import json, resource, sys, time
from pathlib import Path
import hlsmem
from hlsmem.check import load_subject
from hlsmem.viewing.page import page_of
from hlsmem.viewing.run_trace import trace_of

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
Path(out, "page.html").write_text(page)
"""
# Steps are drawn one after the other, each until the browser has nothing left to do for it.
REDRAW = """() => {
  const forward = document.getElementById("forward"), found = [];
  for (let k = 0; k < 51; k++) {
    const start = performance.now();
    forward.click(); document.body.offsetHeight;
    found.push(performance.now() - start);
  }
  return found.sort((a, b) => a - b)[25];
}"""


def print_table() -> None:
    """A line for each size of the blur, then one for each example, then diff and import."""
    print("The page of the blur; CPU seconds, in the browser seconds to ready, MB of its heap, ms:")
    print(
        f"{'N':>6} {'instances':>10} {'plan':>8} {'page':>8} {'MiB':>6} {'bytes':>8}"
        f" {'ready':>7} {'heap':>6} {'redraw':>7}"
    )
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", SCRIPT, str(BLUR), str(size), f"{folder}/out"]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            shown = _in_a_browser(Path(folder) / "out" / "page.html")
        row = json.loads(done.stdout)
        instances = size * size + (size - 2) * size
        print(
            f"{size:>6} {instances:>10} {row['plan']:>8.2f} {row['page']:>8.2f}"
            f" {row['MiB']:>6} {row['bytes']:>8} {shown}"
        )
    print("\nExplain beside plan, CPU seconds of the processes:")
    with tempfile.TemporaryDirectory() as folder:
        for design in sorted(EXAMPLES.glob("*/design.yaml")):
            plan = _process_seconds("plan", str(design), "-o", f"{folder}/{design.parent.name}")
            explain = _process_seconds("explain", str(design))
            print(f"{design.parent.name:>16} {plan:>8.2f} {explain:>8.2f} {explain / plan:>6.1f}x")
        two = [f"{folder}/{name}/plan.json" for name in ("blur", "blur")]
        print(f"\ndiff of two plan.json {_process_seconds('diff', *two):.2f} s")
    empty = _best(lambda: subprocess.run([sys.executable, "-c", ""], check=True))
    loaded = _best(lambda: subprocess.run([sys.executable, "-c", "import hlsmem"], check=True))
    print(f"import hlsmem {1000 * (loaded - empty):.0f} ms above an empty Python")


def _in_a_browser(page: Path) -> str:
    """Seconds until a page is ready, megabytes of its heap, milliseconds a step."""
    path = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if path is None:
        return "no browser"
    arguments = ["--no-sandbox", "--enable-precise-memory-info"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        shown = browser.new_page(viewport={"width": 1400, "height": 900})
        shown.goto(page.as_uri())
        shown.wait_for_selector("html[data-ready='1']", timeout=120_000)
        ready = shown.evaluate("performance.now() / 1000")
        heap = shown.evaluate("performance.memory.usedJSHeapSize / 1e6")
        redraw = shown.evaluate(REDRAW)
        browser.close()
    return f"{ready:>7.2f} {heap:>6.0f} {redraw:>7.1f}"


def _process_seconds(*arguments: str) -> float:
    command = [sys.executable, "-m", "hlsmem", *arguments]
    return _cpu(lambda: subprocess.run(command, check=False, capture_output=True))


def _best(action: Callable[[], object]) -> float:
    return min(_cpu(action) for _ in range(5))


def _cpu(action: Callable[[], object]) -> float:
    """Seconds of processor time that the children of this process take meanwhile."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
