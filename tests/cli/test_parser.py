"""The option --memory: what it takes, what it limits, and what it leaves alone."""

from __future__ import annotations

import argparse
import errno
import os
import resource
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from hlsmem.cli import parser
from hlsmem.cli.main import main
from hlsmem.cli.parser import size_of, usual_limit
from hlsmem.core.errors import InputError
from hlsmem.core.memory_limit import is_no_memory, limited
from hlsmem.polyhedra import PolyhedralError, Set
from hlsmem.polyhedra.isl_text import parse_set
from hlsmem.polyhedra.limits import within
from hlsmem.tools.run import run
from tests.cli.planted import plant_verb
from tests.families import by_default


def limits() -> tuple[int, int]:
    return resource.getrlimit(resource.RLIMIT_AS)


def room(extra: int) -> int:
    """So many bytes more than this process has."""
    return extra + int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    ("text", "size"), [("6G", 6 << 30), ("512m", 512 << 20), ("1.5GiB", 3 << 29), ("1TB", 1 << 40)]
)
def test_sizes(text: str, size: int) -> None:
    assert size_of(text) == size


@pytest.mark.parametrize("text", ["", "6", "0G", "-6G", "6 G", "6X", "9999999999T", "1e9", "100M"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no size of memory of 256M or more"):
        size_of(text)


def test_three_quarters_of_what_a_group_may_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    group = tmp_path / "memory.max"
    monkeypatch.setattr(parser, "_GROUPS", (str(group), str(tmp_path / "none")))
    for text, size in (("max", whole), (str(2 << 30), min(2 << 30, whole)), (f"{1 << 62}", whole)):
        group.write_text(f"{text}\n")
        assert usual_limit() == max(size * 3 // 4, 1 << 30)


def test_every_verb_has_the_limit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before, found = limits(), []

    def verb(**_: str) -> int:
        found.append(limits()[0])
        raise MemoryError

    plant_verb(monkeypatch, "schema", verb)
    assert main(["schema", "--memory", "5G"]) == 4
    assert capsys.readouterr().err == (
        "hlsmem: there is no memory left; take smaller parameters (`--param N=..`), or allow more"
        " than 5G by --memory\n"
    )
    assert main(["schema"]) == 4
    assert found == [5 << 30, usual_limit()]
    assert limits() == before
    for name in ("plan", "check", "synth", "bench", "view", "diff", "what-if", "doctor"):
        with pytest.raises(SystemExit) as caught:
            main([name, "--help"])
        assert caught.value.code == 0
        assert "--memory 6G" in capsys.readouterr().out


def test_a_copy_of_the_process_has_it_and_a_tool_has_not(tmp_path: Path) -> None:
    with limited(room(1 << 30)) as _:
        most = limits()[0]
        assert within(1000, lambda _: limits()[0]) == most
        told = run(["sh", "-c", "ulimit -S -v"], folder=tmp_path, seconds=20).output
        with limited(None):
            assert limits()[0] == limits()[1]
        assert limits()[0] == most
    assert told == "unlimited\n" or int(told) << 10 == limits()[1]


def test_what_is_said_where_there_is_no_memory() -> None:
    with pytest.raises(MemoryError) as caught, limited(room(1 << 20)):
        bytearray(1 << 30)
    assert is_no_memory(caught.value)
    isl = "call to isl_set_subtract failed: allocation failure in /project/isl/isl_ctx.c:73"
    assert is_no_memory(PolyhedralError(isl))
    assert is_no_memory(OSError(errno.ENOMEM, "Cannot allocate memory"))
    assert not is_no_memory(ValueError("no number"))


CASES = " or ".join(f"(i = {k} and 0 <= j < {k} * N)" for k in range(200))
TEXT = f"[N] -> {{ A[i, j] : {CASES} }}"


def _told(read: Callable[[str], object], blocks: int) -> str:
    """What comes of reading a text where so many blocks of memory are left."""
    taken = list[bytes]()
    try:
        with limited(room(0)):
            with suppress(MemoryError):
                while True:
                    taken.append(bytes(4096))
            del taken[-1 - blocks :]
            read(TEXT)
            return "."
    except MemoryError:
        return "m"
    except Exception as error:
        return type(error).__name__


@pytest.mark.few(1)
@pytest.mark.parametrize("read", [Set, lambda text: parse_set(text, parameters=["N"])])
def test_a_text_without_memory_is_no_fault_of_the_text(read: Callable[[str], object]) -> None:
    """isl says "syntax error" where it gets none."""
    source, target = os.pipe()
    child = os.fork()
    if child == 0:  # the limit is its own
        for extra in range(0, 600, by_default(40, 20)):
            os.write(target, _told(read, extra).encode())
        os._exit(0)
    os.close(target)
    with os.fdopen(source, "rb") as answers:
        told = answers.read().decode()
    assert os.waitpid(child, 0)[1] == 0
    assert set(told) == {"m", "."}, told
    # A fault of the text is still told as one.
    with limited(room(100 << 20)), pytest.raises(InputError, match="that nothing opens"):
        parse_set("[N] -> { A[i) : }", parameters=["N"])


KERNEL = "void k(const int a[8], int o[8]) { for (int i = 0; i < 8; i++) o[i] = a[i]; }\n"
WORDS = "long words " * 200_000
LONG = {
    "a comment": (f"/* {WORDS} */ {KERNEL}", ""),
    "a comment of lines": (f"/* {WORDS.replace(' ', chr(10))} */ {KERNEL}", ""),
    "comments": (f"// {WORDS[:500_000].replace(' ', chr(10) + '// ')}\n{KERNEL}", ""),
    "a line of comment": (f"// {WORDS}\n{KERNEL}", ""),
    "a line of blanks": (f"{' ' * len(WORDS)}{KERNEL}", ""),
    "a text": (f'const char *s = "{WORDS}";\n{KERNEL}', ""),
    "quotes": ('const char *s = "' + r"\"" * 1_000_000 + f'";\n{KERNEL}', ""),
    "a character": (f"int c = '{WORDS}';\n{KERNEL}", ""),
    "a number": (f"int c = {'1' * len(WORDS)};\n{KERNEL}", "literal is too large"),
    "a name": (f"int {'c' * len(WORDS)};\n{KERNEL}", ""),
    "a line of a macro": (f"#define C {WORDS}c {WORDS}\n{KERNEL}", "clang ends while it reads"),
    "strange characters": (f"{'@' * len(WORDS)}\n{KERNEL}", "expected identifier"),
    "brackets": (f"int c = {'(' * len(WORDS)};\n{KERNEL}", "nested too deeply"),
}


@pytest.mark.few(0.34)
@pytest.mark.parametrize("case", LONG)
def test_a_long_text_takes_little(
    case: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Half a kilobyte for each character, or a copy of the rest, were more than there is."""
    text, said = LONG[case]
    file = tmp_path / "k.c"
    file.write_text(text)
    with limited(room(450 << 20)):
        code = main(["rank", str(file), "S0"])
    assert (code, said in capsys.readouterr().err) == (2 if said else 0, True)
