"""The order of the rooms: imports point one way, and only one room knows isl."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Set
from functools import cache
from pathlib import Path

import pytest

from tests.pages import show

PACKAGE = Path(__file__).resolve().parent.parent / "hlsmem"

# Left to right: a room imports itself and rooms before it, never one behind it.
ORDER = [
    "version",
    "core",
    "polyhedra",
    "program",
    "devices",
    "timing",
    "read",
    "verb",
    "lifetime",
    "mapping",
    "schedule_search",
    "banks",
    "plan",
    "addressing",
    "host_loops",
    "dependences",
    "network",
    "cycle_model",
    "verilog",
    "datapath",
    "storage",
    "emit",
    "source_edits",
    "tools",
    "synthesis",
    "check",
    "frames",
    "viewing",
    "planner",
    "questions",
    "api",
    "cli",
    "verbs",
    "studies",
    "__main__",
]
# Statements as ruff formats them; words of a text may look alike, and are parsed in vain.
IMPORT = re.compile(r"(?m)^[ ]*((?:from [\w.]+ )?import (?:\([^)]*\)|[\w., ]+))")
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


@cache
def imports_of(file: Path) -> set[str]:
    """What a module imports, found by a pattern first: most text has no import."""
    found: set[str] = set()
    text = "\n".join(one[1] for one in IMPORT.finditer(file.read_text(encoding="utf-8")))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def name_of(file: Path) -> str:
    relative = file.relative_to(PACKAGE.parent).with_suffix("")
    return ".".join(part for part in relative.parts if part != "__init__")


# A test a room: a test a module would be a thousand, each of which takes longer than its work.
ROOMS = sorted({room_of(name_of(file)) for file in MODULES} - {""})


def imports_of_room(room: str) -> dict[str, set[str]]:
    """What each module of a room imports."""
    modules = ((name_of(file), file) for file in MODULES)
    return {name: imports_of(file) for name, file in modules if room_of(name) == room}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_rooms_before_it(room: str) -> None:
    for name, imports in imports_of_room(room).items():
        for imported in imports:
            if imported.startswith("hlsmem.") and (other := room_of(imported)) in ORDER:
                assert ORDER.index(other) <= ORDER.index(room), f"{name} imports {imported}"


def test_every_room_has_its_place_in_the_order() -> None:
    assert set(ROOMS) <= set(ORDER)


def test_contributing_has_the_rooms_in_their_order() -> None:
    rooms = " → ".join(f"`{one}`" for one in ORDER if one != "__main__")
    show(PACKAGE.parent / "CONTRIBUTING.md", "rooms", rooms)


@pytest.mark.parametrize("room", [one for one in ROOMS if one != "polyhedra"])
def test_only_polyhedra_knows_isl(room: str) -> None:
    for name, imports in imports_of_room(room).items():
        assert not {one for one in imports if one.split(".")[0] == "islpy"}, name


# isl's own answers of some strided sets are no extremes: `extremes` looks at them again.
EXTREME = re.compile(r"\.lex(?:max|min)(?:_pw_multi_aff)?\b")


def test_only_extremes_asks_isl_for_extremes() -> None:
    found = [name_of(file) for file in MODULES if EXTREME.search(file.read_text(encoding="utf-8"))]
    assert found == ["hlsmem.polyhedra.extremes"]


# Of these rooms and modules `check` may import anything: values, words, files, and programs that it
# starts.
SHARED = {
    "check",
    "core.budgets",
    "core.data_files",
    "core.errors",
    "core.lazy_dataclass",
    "core.quasi_polynomial",
    "core.user_files",
    "core.verdict",
    "core.verilog_library",
    "core.watchdog",
    "core.wording",
    "program",
    "tools",
}

# Of these it may import what stands here. What `polyhedra` computes is held against enumeration on
# random inputs: tests/polyhedra/test_shared.py.
SHARED_NAMES = {
    "plan": {
        "": "Plan PlannedPort from_json main_file to_json",
        "plan_folder": "refuse_strange",
        "plan_json": "read_text",
        "program_text": "ProgramText StatementText program_text",
    },
    "polyhedra": {
        "": "DimType Map Set Space UnionMap UnionSet Val",
        "enumeration": "distinct_points",
        "extremes": "first_point lexmax lexmin",
        "generated_loops": "condition_in_c",
        "quantities": "maximum quantity_pieces",
        "relations": "array_elements maps_of named sets_of union_map",
        "sets": "count fix_parameters parameter_names points points_around without_name",
        "signs": "is_never_negative",
        "sweep": "contains evaluate",
        "isl_text": "parse_map parse_set",
    },
    # The design, and what its programs are called with. C itself is read by `check.c_trees`.
    "read": {
        "as_written": "AS_WRITTEN",
        "c": "tree",
        "c.c_text": "Printer",
        "c.constants": "integer_literal",
        "c.extents": "UnknownExtentError quantity",
        "c.symbols": "Parameter Scope Shape declare shape_of",
        "c.tree": "Float INT Node Number Void parts_of with_parts",
        "c.types": "ScalarType element_type",
        "design": "changed load",
        "design_names": "nearest",
        "filter_conditions": "with_possible_writes",
        "suffixes": "is_cxx",
        "undecided": "left_open",
    },
}


@cache
def names_imported(text: str) -> frozenset[str]:
    """What a text imports of the package, name by name: `hlsmem.timing.arranged`.

    A module that is imported whole stands as itself: it is on no list of names.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return frozenset(one for one in found if one.split(".")[0] in {"", "hlsmem"})


def order_of(package: Path) -> list[str]:
    """The modules of a package in the order that its docstring ends a paragraph with."""
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text())) or ""
    found = re.search(r"before it in this\s+list:\s+([\w,\s]+)\.", text)
    assert found is not None
    return found[1].replace(",", " ").split()


@pytest.mark.parametrize("folder", ["", "claims"])
def test_modules_of_the_verifier_import_only_those_before_them(folder: str) -> None:
    package = PACKAGE.parent / "hlsmem_verify" / folder
    order = order_of(package)
    modules = {one.stem for one in package.iterdir() if not one.name.startswith("_")}
    assert sorted(order) == sorted(modules)
    prefix = ".".join(filter(None, ("hlsmem_verify", folder)))
    for place, name in enumerate(order):
        for file in (*package.glob(f"{name}.py"), *package.glob(f"{name}/*.py")):
            later = order[place + (file.parent != package) :]
            assert len(file.read_text().splitlines()) <= 420, file
            imported = {one.removeprefix(f"{prefix}.").split(".")[0] for one in imports_of(file)}
            assert imported.isdisjoint(later), f"{name} imports {imported}"


def listed() -> set[str]:
    return {
        ".".join(filter(None, ("hlsmem", room, module, name)))
        for room, modules in SHARED_NAMES.items()
        for module, names in modules.items()
        for name in names.split()
    }


def rooms_of(name: str) -> tuple[str, str]:
    """Return the room of a name, and the module in it: `core` and `core.errors`."""
    parts = name.split(".")
    return room_of(name), ".".join(parts[1:3])


def strange(names: Set[str]) -> Set[str]:
    """Those of the names that `check` may not import."""
    return {one for one in names if not SHARED & set(rooms_of(one))} - listed()


def imported_by_checks() -> set[str]:
    files = (file for file in MODULES if room_of(name_of(file)) == "check")
    return set().union(*(names_imported(file.read_text(encoding="utf-8")) for file in files))


def test_checks_share_with_what_they_judge_only_what_is_listed() -> None:
    assert not strange(imported_by_checks())


def test_checks_follow_c_by_a_reading_of_their_own() -> None:
    """What parses the user's C again, and traces it, has of the reader nodes and their printer."""
    folder = PACKAGE / "check"
    modules = ("c_types", "c_trace")
    files = [*folder.glob("c_trees/*.py"), *(folder / "c_runs" / f"{one}.py" for one in modules)]
    assert len(files) > 10
    names = set[str]().union(*(names_imported(one.read_text(encoding="utf-8")) for one in files))
    read = {one for one in names if room_of(one) == "read"}
    nodes = {f"hlsmem.read.c.tree.{one}" for one in ("INT", "Node", "parts_of", "with_parts")}
    assert read == {"hlsmem.read.c.tree", "hlsmem.read.c.c_text.Printer", *nodes}


def test_what_is_listed_as_shared_is_shared() -> None:
    imported = imported_by_checks()
    assert listed() <= imported
    assert {room for one in imported for room in rooms_of(one)} >= SHARED


def test_what_is_shared_of_polyhedra_is_held_against_enumeration() -> None:
    file = Path(__file__).resolve().parent / "polyhedra" / "test_shared.py"
    held = names_imported(file.read_text(encoding="utf-8"))
    # What stands in the room itself is isl's own.
    functions = {one for one in listed() if re.match(r"hlsmem\.polyhedra\.\w+\.", one)}
    assert functions <= held


@pytest.mark.parametrize("room", [one for one in ROOMS if one != "studies"])
def test_nothing_imports_studies(room: str) -> None:
    for name, imports in imports_of_room(room).items():
        assert not {one for one in imports if room_of(one) == "studies"}, name


@cache
def names_of_modules() -> frozenset[str]:
    return frozenset(map(name_of, MODULES))


def module_of(name: str) -> str:
    """The module of a name: `hlsmem.polyhedra.sets` of `hlsmem.polyhedra.sets.count`."""
    return name if name in names_of_modules() else name.rpartition(".")[0]


def test_what_studies_import_of_the_rest_is_listed() -> None:
    files = [file for file in MODULES if room_of(name_of(file)) == "studies"]
    names = set[str]().union(*(names_imported(file.read_text(encoding="utf-8")) for file in files))
    imported: dict[str, set[str]] = {}
    for module in map(module_of, names):
        _, room, *within = module.split(".")
        imported.setdefault(room, set()).add(".".join(within) or "itself")
    del imported["studies"]
    text = ast.get_docstring(ast.parse((PACKAGE / "studies" / "__init__.py").read_text())) or ""
    lines = text.partition("they import:")[2].replace("\n        ", " ").strip().splitlines()
    listed = {
        room.strip(): set(modules.split(", "))
        for room, _, modules in (one.partition(": ") for one in lines)
    }
    assert listed == imported


@pytest.mark.parametrize(
    "planted",
    [
        "from hlsmem.timing.planned_program import arranged",
        "from hlsmem.timing import with_streams as dataflow",
        "def check():\n    from hlsmem.lifetime import analysis",
        "import hlsmem.polyhedra.sets",
        "from hlsmem.polyhedra import sets",
        "from hlsmem.polyhedra.sets import *",
        "from hlsmem import order",
        "from ..mapping import basis",
    ],
)
def test_an_import_that_is_not_listed_is_found(planted: str) -> None:
    assert strange(names_imported(planted))


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
