"""Designs whose C, YAML or isl text was changed at random, and what the command makes of them.

Whatever the text: an exit code that people know, no traceback, an end within the limit, and a
folder that is written whole or not at all.
"""

from __future__ import annotations

import os
import re
import resource
import shlex
import shutil
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
CONSTRUCTS = ROOT / "tests" / "read" / "c" / "constructs"
_ODD = (
    "",
    "0",
    "-1",
    "2147483648",
    "18446744073709551616",
    "1000000",
    "N",
    "{",
    "}",
    "[",
    "]",
    "->",
    ":",
    "and",
    "mod",
    "floor(",
    "exists",
    "&",
    "*",
    "/",
    "%",
    "#if",
    "#include",
    "goto",
    "struct",
    "static",
    "unsigned",
    "&a *a",
    "\0",
    "é",
    "\t",
    '"',
    "'",
    "!",
    "|",
    "?",
    "null",
    "true",
    "1e400",
)


@dataclass(frozen=True, slots=True)
class Source:
    """A folder with a design in it, and the arguments that plan it."""

    folder: Path
    design: str
    arguments: tuple[str, ...] = ()


def sources() -> list[Source]:
    """All examples, and the kernels of every construct."""
    found = [
        Source(file.parent, file.name)
        for pattern in ("examples/*/*.yaml", "tests/read/designs/*.yaml")
        for file in sorted(ROOT.glob(pattern))
    ]
    for file in sorted(CONSTRUCTS.glob("*.c")):
        first = file.read_text().partition("\n")[0]
        words = shlex.split(first.removeprefix("// plan:"))
        found.append(Source(file.parent, file.name, tuple(words)))
    return found


def mutated(random: Random, text: str) -> str:
    """The text with one to four small changes."""
    for _ in range(random.choice([1, 1, 2, 3, 4])):
        text = _changed(random, text)
    return text


def _changed(random: Random, text: str) -> str:
    kind = random.random()
    if kind < 0.12:
        lines = text.split("\n")
        at = random.randrange(len(lines))
        lines[at : at + 1] = random.choice([[], [lines[at], lines[at]], [random.choice(lines)]])
        return "\n".join(lines)
    if kind < 0.15:
        return text[: random.randrange(len(text) + 1)]
    words = re.findall(r"\w+|\s+|[^\w\s]", text)
    if not words:
        return random.choice(_ODD)
    at = random.randrange(len(words))
    match random.randrange(6):
        case 0:
            del words[at]
        case 1:
            words.insert(at, random.choice([*_ODD, *words]))
        case 2:
            words[at] = random.choice([*_ODD, *words])
        case 3:
            other = random.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        case _:
            numbers = [k for k, word in enumerate(words) if word.isdigit()]
            if numbers:
                at = random.choice(numbers)
                words[at] = str(int(words[at]) + random.choice([-2, -1, 1, 2, 7]))
    return "".join(words)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The arguments of a command, and the folder that it is about and may write to."""

    folder: Path
    arguments: tuple[str, ...]

    @property
    def out(self) -> Path:
        """What a plan is written to."""
        return Path(self.arguments[-1]) if "-o" in self.arguments else self.folder / "out"

    @property
    def plans(self) -> bool:
        return self.arguments[0] == "plan"


def prepare(seed: int, folder: Path) -> Attempt:
    """Copy a design into `folder` and break one of its texts."""
    random = Random(f"{seed}.text")
    source = random.choice(sources())
    work = folder / "design"
    work.mkdir()
    if source.folder == CONSTRUCTS:
        shutil.copy(source.folder / source.design, work)
        shutil.copytree(source.folder / "include", work / "include")
    else:
        shutil.copytree(source.folder, work, dirs_exist_ok=True)
    file = random.choice(_texts_of(work, source))
    file.write_text(mutated(random, file.read_text()), errors="surrogateescape")
    arguments = ("plan", str(work / source.design), *source.arguments, "-o", str(folder / "out"))
    return Attempt(folder, arguments)


def _texts_of(work: Path, source: Source) -> list[Path]:
    """The design twice, the C files beside it, and what they include."""
    design = work / source.design
    if design.suffix == ".c":
        return [design, design, *sorted(work.glob("include/*.h"))]
    named = re.findall(r"file: *([\w.]+\.c)", design.read_text())
    return [design, *(work / name for name in named if (work / name).exists())]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an input in a few words, and what is wrong with that, if anything is."""

    result: str
    trouble: str = ""


_RESULTS = {0: "planned all the same", 1: "planned, over budget", 2: "refused", 4: "hit a limit"}
_OTHERS = {0: "answered", 1: "failed", 2: "refused", 3: "not judged", 4: "hit a limit"}
MEMORY = 1 << 20
"""KiB that a command may hold."""
_PATIENCE = 20
"""Seconds that a command may take for each second of processor time that it may take."""


def outcome(attempt: Attempt, *, seconds: int) -> Outcome:
    """How the command answers, in a copy of this process with a limit on its processor time."""
    results = _RESULTS if attempt.plans else _OTHERS
    code, trouble = _answer(attempt, seconds, results)
    return Outcome("FAILED", trouble) if trouble else Outcome(results[code])


def outcomes(attempts: Iterable[Attempt], *, seconds: int) -> Outcome:
    """How the command answers one after the other: as the first time, or the first time it fails.

    What was asked last stands in the file `command`.
    """
    first: Outcome | None = None
    for attempt in attempts:
        (attempt.folder / "command").write_text(arguments_text(attempt.arguments) + "\n")
        found = outcome(attempt, seconds=seconds)
        if found.trouble:
            return found
        first = first or found
    return first or Outcome("not asked")


def _answer(attempt: Attempt, seconds: int, results: Mapping[int, str]) -> tuple[int, str]:
    """The exit code and what is wrong with the answer."""
    log = attempt.folder / "log"
    before = set(os.listdir(attempt.folder)) | {"log"}
    # A copy begins without the pages of libraries that its parent has read.
    resident, of_files = map(int, Path("/proc/self/statm").read_text().split()[1:3])
    own = (resident - of_files) * os.sysconf("SC_PAGE_SIZE") >> 10
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        _run(attempt, log, seconds)
    _, status, usage = os.wait4(child, 0)
    text = log.read_text(errors="replace")
    code = os.waitstatus_to_exitcode(status)
    spent = usage.ru_utime + usage.ru_stime  # of all its processes; each has the limit for itself
    if spent > seconds or code in (-signal.SIGXCPU, -signal.SIGKILL):
        return code, f"no end within {seconds} s of processor time"
    if code == -signal.SIGALRM:
        return code, "it waits for ever"
    if usage.ru_maxrss - own > MEMORY:
        return code, f"it held {usage.ru_maxrss - own >> 10} MiB"
    if code not in results:
        return code, f"exit code {code}: {text.strip()[-400:]}{_report(text)}"
    if "Traceback" in text:
        return code, f"a traceback: {text.strip()[-400:]}"
    left = set(os.listdir(attempt.folder)) - before
    if attempt.plans and code in (0, 1) and not (attempt.out / "plan.json").is_file():
        return code, f"exit code {code} without a plan"
    if left - ({"out"} if attempt.plans and code in (0, 1) else set()):
        return code, f"exit code {code}, and left behind: {sorted(left)}"
    if code in (2, 4) and not re.search(r"\S; \S", text):
        return code, f"a message without a remedy: {text.strip()[-400:]}"
    return code, ""


def _report(text: str) -> str:
    """The file that a bug of ours is reported in."""
    found = re.search(r"report it with (\S+)", text)
    if not found:
        return ""
    file = Path(found[1])
    content = file.read_text()
    file.unlink()
    return "\n" + content[-1500:]


def _run(attempt: Attempt, log: Path, seconds: int) -> None:
    """The command in the child process; never returns."""
    code = 99
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        signal.alarm(_PATIENCE * seconds)
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(target, 1)
        os.dup2(target, 2)
        os.chdir(attempt.folder)
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - for the life of the process
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        from hlsmem.cli.main import main

        code = main(attempt.arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 99
    finally:
        os._exit(code)


def arguments_text(arguments: Sequence[str]) -> str:
    """The command as a shell takes it."""
    return "hlsmem " + shlex.join(arguments)
