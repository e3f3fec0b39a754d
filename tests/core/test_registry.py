"""Checks and verbs of other packages: they run beside ours, and harm nothing where they do not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.cli.main import main
from hlsmem.core.registry import entry_points
from hlsmem.core.verdict import CHECKS, Status
from hlsmem.emit.output_folder import write_folder
from hlsmem.verb import VERBS
from hlsmem.verbs.check import check
from tests.check.subjects import others_than
from tests.plans import files_of

BLUR = Path(__file__).parents[2] / "examples" / "blur" / "design.yaml"

PORTS = """\
from hlsmem.core.verdict import Check, Kind, Status, Verdict

def ports(subject):
    {body}
    return [Verdict(check="{of}", subject=subject.plan.design, status=Status.PASS, detail="two")]

CHECK = Check(
    name="ports",
    order=35,
    proves="no cell has more ports than two",
    on_whose_word="plan.json",
    run=ports,
    needs={needs},
    default=False,
    for_kinds={kinds},
)
"""


def package(folder: Path, points: str, **modules: str) -> None:
    """A package with entry points, as an installation has it."""
    metadata = folder / f"{'_'.join(modules)}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "entry_points.txt").write_text(points)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)


def ports(
    body: str = "", of: str = "ports", needs: str = "()", kinds: str = "frozenset(Kind)"
) -> str:
    return PORTS.format(body=body, of=of, needs=needs, kinds=kinds)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_folder(tmp_path / "out", files_of(BLUR, {"N": 8}))
    return tmp_path / "out"


def test_a_check_of_another_package_runs_beside_ours(
    out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    package(tmp_path / "site", "[hlsmem.checks]\nports = their_ports:CHECK\n", their_ports=ports())
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert CHECKS.names().index("ports") == CHECKS.names().index("proof") + 1
    assert main(["check", str(out), "--only", "ports", "--only", "source"]) == 0
    printed = capsys.readouterr()
    assert f"Passed: source, ports; not run: {others_than('source', 'ports')}" in printed.out
    assert printed.err == ""
    assert main(["doctor"]) in (0, 3)


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("CHECK =", "SyntaxError: invalid syntax (their_broken.py, line 1)"),
        ("", "AttributeError: module 'their_broken' has no attribute 'CHECK'"),
        ("CHECK = 3", "TypeError: it is no hlsmem.core.verdict.Check"),
        (ports().replace('name="ports"', 'name="p"'), "TypeError: it calls itself 'p'"),
    ],
    ids=["import", "exit", "syntax", "missing", "other", "name"],
)
def test_a_check_that_does_not_load_is_left_out(
    module: str,
    told: str,
    out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    points = "[hlsmem.checks]\nports = their_broken:CHECK\n"
    package(tmp_path / "site", points, their_broken=module)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.delitem(__import__("sys").modules, "their_broken", raising=False)
    why = f"check 'ports': their_broken:CHECK does not load: {told}"
    assert main(["check", str(out), "--only", "source"]) == 0
    assert capsys.readouterr().err == f"warning: {why}\n"
    assert main(["check", str(out), "--only", "ports"]) == 2
    assert capsys.readouterr().err == f"{why}; mend or remove what brings it\n"


def test_of_two_checks_of_one_name_ours_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = "[hlsmem.checks]\nproof = their_proof:CHECK\nports = their_first:CHECK\n"
    package(tmp_path / "a", points, their_first=ports())
    package(tmp_path / "b", "[hlsmem.checks]\nports = their_second:CHECK\n", their_second=ports())
    monkeypatch.syspath_prepend(str(tmp_path / "b"))
    monkeypatch.syspath_prepend(str(tmp_path / "a"))
    found = CHECKS.found()
    assert found.items["proof"] is CHECKS.own["proof"]
    assert found.origins == {"ports": "their_first:CHECK"}
    assert found.warnings == (
        "check 'proof' of their_proof:CHECK is left out: hlsmem.check.checks.proof has it",
        "check 'ports' of their_second:CHECK is left out: their_first:CHECK has it",
    )


@pytest.mark.parametrize(
    ("module", "status", "told"),
    [
        (ports(needs='("no-such-tool",)'), Status.SKIPPED, "no-such-tool is not on PATH"),
        (ports(kinds="[Kind.CONFLICTS]"), Status.SKIPPED, "a kernel has C of its own"),
        (ports(body="1 / 0"), Status.NOT_JUDGED, "broke: ZeroDivisionError: division by zero"),
        (ports(of="host"), Status.NOT_JUDGED, "gave <host of blur: pass>; give verdicts of ports"),
    ],
    ids=["tool", "kind", "breaks", "other"],
)
def test_a_check_that_cannot_judge_says_why(
    module: str,
    status: Status,
    told: str,
    out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    package(tmp_path / "site", "[hlsmem.checks]\nports = their_judge:CHECK\n", their_judge=module)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.delitem(__import__("sys").modules, "their_judge", raising=False)
    found = run_checks(out, ("ports",))
    (verdict,) = found.verdicts
    assert (verdict.status, verdict.detail) == (
        status,
        told if status is Status.SKIPPED else verdict.detail,
    )
    assert told in verdict.detail
    assert found.exit_code == (0 if "kernel" in told else 3)


@pytest.mark.parametrize("compares", [True, False])
def test_a_check_alone_is_given_host_c_where_it_compares_files(
    compares: bool,
    out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = ports('assert "host/blur.c" in subject.again()')
    module = module.replace("default=False", f"default=False, compares_files={compares}")
    package(tmp_path / "site", "[hlsmem.checks]\nports = their_files:CHECK\n", their_files=module)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.delitem(__import__("sys").modules, "their_files", raising=False)
    (verdict,) = check(out, only=["ports"]).verdicts
    assert verdict.status is (Status.PASS if compares else Status.NOT_JUDGED), verdict.detail


def test_entry_points_are_read_once_each(tmp_path: Path) -> None:
    text = (
        "[console_scripts]\nx = y:z\n[hlsmem.checks]\n# c = d\na = b:C [extra]\n\n[other]\nq = r\n"
    )
    package(tmp_path / "site", text, nothing="")
    (tmp_path / "site" / "bad.egg-info").mkdir()
    (tmp_path / "site" / "bad.egg-info" / "entry_points.txt").write_bytes(b"\xff\xfe")
    path = (str(tmp_path / "site"), str(tmp_path / "nowhere"), str(tmp_path / "site"))
    assert [*entry_points("hlsmem.checks", path)] == [("a", "b:C")]


STATS = """\
from hlsmem.verb import JSON, OUT, Verb, document_text

def stats(out):
    '''The memories of a folder OUT, by kind.'''
    from hlsmem.plan import read_plan
    kinds = [memory.kind for memory in read_plan(out).memories.values()]
    {body}
    return {{kind: kinds.count(kind) for kind in kinds}}

def shown(found, *, as_json, out):
    print(document_text(found) if as_json else found)
    return 0

VERB = Verb(
    name="stats",
    summary="memories by kind",
    order=200,
    options=(OUT, JSON),
    run=stats,
    print=shown,
)
"""


def test_a_verb_of_another_package_is_a_command(
    out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    points = "[hlsmem.verbs]\nstats = their_stats:VERB\nplan = their_plan:VERB\n"
    package(tmp_path / "site", points, their_stats=STATS.format(body=""))
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert main(["stats", str(out), "--json"]) == 0
    assert '"chain": 1' in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "    stats     memories by kind\n" in capsys.readouterr().out
    why = "verb 'plan' of their_plan:VERB is left out: hlsmem.verbs.plan has it"
    assert VERBS.found().warnings == (why,)


def test_studies_stand_below_the_other_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    others, _, below = capsys.readouterr().out.partition("\nstudies:\n")
    studies = re.findall(r"(?m)^  (\w+)  ", below)
    assert studies == ["vectors", "tiles", "network", "rank", "dataflow"]
    assert studies == [name for name, verb in VERBS.own.items() if verb.group == "studies"]
    assert not [name for name in studies if f"    {name} " in others]


def test_a_verb_of_another_package_that_breaks_is_no_bug_of_ours(
    out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    points = "[hlsmem.verbs]\nstats = their_worse:VERB\nlost = their_lost:VERB\n"
    package(tmp_path / "site", points, their_worse=STATS.format(body="1 / 0"))
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert main(["stats", str(out)]) == 3
    assert capsys.readouterr().err == (
        "their_worse:VERB broke: ZeroDivisionError: division by zero; mend it\n"
    )
    with pytest.raises(SystemExit) as ended:
        main(["lost"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(
        "hlsmem: error: verb 'lost': their_lost:VERB does not load: ModuleNotFoundError:"
        " No module named 'their_lost'; mend or remove what brings it\n"
    )


@pytest.mark.parametrize(
    ("word", "remedy"),
    [
        ("whatif", "did you mean what-if?"),
        ("pln", "did you mean plan?"),
        ("qqqqq", "`hlsmem --help` lists the verbs"),
    ],
)
def test_an_unknown_verb_names_the_nearest(
    word: str, remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([word, "x"])
    assert ended.value.code == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == f"hlsmem: error: there is no verb {word!r}; {remedy}"
