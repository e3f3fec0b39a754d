"""The order of the rooms: imports point one way, and only one room knows isl."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "hlsmem"

# Left to right: a room imports itself and rooms before it, never one behind it.
ORDER = [
    "version",
    "places",
    "errors",
    "resources",
    "watchdog",
    "library",
    "wording",
    "quantity",
    "expression",
    "polyhedra",
    "program",
    "classes",
    "options",
    "devices",
    "read",
    "order",
    "lifetime",
    "bounds",
    "mapping",
    "vectors",
    "tiles",
    "orders",
    "banks",
    "planfile",
    "verdict",
    "walk",
    "shape",
    "gates",
    "network",
    "predict",
    "verilog",
    "storage",
    "emit",
    "tools",
    "synthesis",
    "verification",
    "viewing",
    "pipeline",
    "api",
    "cli",
    "__main__",
]
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def imports_of(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def name_of(file: Path) -> str:
    relative = file.relative_to(PACKAGE.parent).with_suffix("")
    return ".".join(part for part in relative.parts if part != "__init__")


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_a_room_imports_only_rooms_before_it(file: Path) -> None:
    room = room_of(name_of(file))
    if not room:
        return
    for imported in imports_of(file):
        if imported.startswith("hlsmem.") and (other := room_of(imported)) in ORDER:
            assert ORDER.index(other) <= ORDER.index(room), f"{room} imports {imported}"


def test_every_room_has_its_place_in_the_order() -> None:
    rooms = {room_of(name_of(file)) for file in MODULES} - {""}
    assert rooms <= set(ORDER)


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_only_polyhedra_knows_isl(file: Path) -> None:
    if room_of(name_of(file)) != "polyhedra":
        assert not {name for name in imports_of(file) if name.split(".")[0] == "islpy"}


@pytest.mark.parametrize("file", sorted((PACKAGE / "verification").rglob("*.py")), ids=name_of)
def test_checks_share_no_code_with_what_they_judge(file: Path) -> None:
    judged = {"lifetime", "bounds", "mapping", "devices", "banks", "place", "walk", "gates", "emit"}
    assert not {name for name in imports_of(file) if room_of(name) in judged}


def test_planning_loads_no_simulator_and_no_graph_library(tmp_path: Path) -> None:
    design = PACKAGE.parent / "examples" / "blur" / "design.yaml"
    script = (
        "import sys; from hlsmem.cli.main import main; "
        f"code = main(['plan', {str(design)!r}, '-o', {str(tmp_path / 'out')!r}]); "
        "heavy = {'pyverilog', 'cocotb', 'networkx', 'pytest'} & set(sys.modules); "
        "sys.exit(f'{code} {heavy}' if code or heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_help_loads_no_isl() -> None:
    script = (
        "import sys; from hlsmem.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit: pass\n"
        "sys.exit(str({'islpy', 'numpy', 'jinja2', 'pydantic'} & set(sys.modules) or ''))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr.strip() == ""
