"""Files that are none, folders that cannot be written, long texts, names that differ in case."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from tests.fuzz.texts import Attempt

_KERNEL = """\
#include "sizes.h"
void top(const int in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++)
        t[i] = in[i] * 3;
    for (int i = 1; i < N; i++)
        out[i] = t[i] + t[i - 1];
}
"""
_DESIGN = "hlsmem: 1\nname: top\nkernel: {file: top.c, function: top}\n"
_OF_A_PLAN = (("check", "--only", "proof"), ("view",), ("explain",))


def files(seed: int, folder: Path) -> Iterator[Attempt]:
    """A pipe or a device in place of a file that is read, or a folder that cannot be written."""
    random = Random(f"{seed}.files")
    work = _design(folder, _KERNEL)
    out = folder / "out"
    plan = ("plan", str(work / random.choice(["top.c", "top.yaml"])), "-o", str(out))
    if random.random() < 0.3:
        _replace(random, random.choice(sorted(work.iterdir())))
        yield Attempt(folder, plan)
        return
    if random.random() < 0.3:
        # A superuser may write to folders without permission, but to none of these.
        closed = random.choice(
            [Path("/proc/out"), work / "top.c" / "out", folder / "closed" / "out"]
        )
        (folder / "closed").mkdir(mode=0o555)
        yield Attempt(folder, (*plan[:-1], str(closed)))
        return
    yield Attempt(folder, plan)
    written = [file for file in sorted(out.rglob("*")) if file.is_file()]
    closed = [out, *(file for file in out.rglob("*") if file.is_dir())]
    is_closed = random.random() < 0.3
    if not is_closed:
        _replace(random, random.choice(written))
    for one in closed:
        one.chmod(0o555 if is_closed else 0o755)
    verb, *more = random.choice(_OF_A_PLAN)
    yield Attempt(folder, (verb, str(out), *more))
    for one in closed:
        one.chmod(0o755)


def _design(folder: Path, kernel: str) -> Path:
    work = folder / "design"
    work.mkdir()
    (work / "top.c").write_text(kernel)
    (work / "top.yaml").write_text(_DESIGN)
    (work / "sizes.h").write_text("#define N 16\n")
    return work


def _replace(random: Random, file: Path) -> None:
    """Something else in place of a file."""
    file.unlink()
    match random.randrange(5):
        case 0:
            os.mkfifo(file)
        case 1:
            file.symlink_to(random.choice(["/dev/zero", "/dev/null", "/dev/full"]))
        case 2:
            file.symlink_to(file.name)
        case 3:
            file.mkdir()
        case _:
            file.write_bytes(random.choice([b"", b"\0", b"\xff\xfe", b"{", b"\n" * 1000]))


def long(seed: int, folder: Path) -> Iterator[Attempt]:
    """A text that is long in one of its parts."""
    random = Random(f"{seed}.long")
    size = random.choice([10_000, 100_000, 1_000_000, 10_000_000])
    work = _design(folder, _KERNEL)
    design = work / random.choice(["top.c", "top.yaml"])
    changed = random.choice([work / "top.c", work / "sizes.h", design])
    text = changed.read_text()
    make = random.choice(_OF_YAML if changed.suffix == ".yaml" else _OF_C)
    changed.write_text(make(text, size))
    yield Attempt(folder, ("plan", str(design), "-o", str(folder / "out")))


def _nested(left: str, inner: str, right: str, times: int) -> str:
    return left * times + inner + right * times


_OF_C: tuple[Callable[[str, int], str], ...] = (
    lambda text, size: f"/*{'x' * size}*/{text}",
    lambda text, size: f"/*{'x ' * (size // 2)}*/\n{text}",
    lambda text, size: f"//{'x' * size}\n{text}",
    lambda text, size: "// line\n" * (size // 8) + text,
    lambda text, size: f"#define LONG {'1 + ' * (size // 4)}1\n{text}",
    lambda text, size: f"static const int c[] = {{{'1, ' * (size // 3)}1}};\n{text}",
    lambda text, size: f"int {'x' * size};\n{text}",
    lambda text, size: text.replace("3", f"{'1 + ' * (size // 400)}3"),
    lambda text, size: text.replace("3", _nested("(", "3", ")", size // 100)),
    lambda text, size: text.replace("t[i] = ", _nested("{", "t[i] = ", "", size // 1000)),
    lambda text, size: text.replace("t[i - 1]", f"{'t[i - 1] + ' * (size // 10_000)}t[i - 1]"),
    lambda text, size: f"{text}{'static int f(int x) { return x; }' * (size // 33)}\n",
    lambda text, size: text + "\n" * size,
    lambda text, size: f"{text}{' ' * size}\n",
    lambda text, size: text + "\\\n" * (size // 2) + "\n",
)
_OF_YAML: tuple[Callable[[str, int], str], ...] = (
    lambda text, size: f"#{'x' * size}\n{text}",
    lambda text, size: "# line\n" * (size // 7) + text,
    lambda text, size: f"{text}params: {{{', '.join(f'P{k}: 1' for k in range(size // 100))}}}\n",
    lambda text, size: f'{text}context: "[N] -> {{ : N >= {"1" * size} }}"\n',
    lambda text, size: f'{text}context: "[N] -> {{ : {"N >= 1 and " * (size // 11)}N >= 1 }}"\n',
    lambda text, size: f"{text}arrays: {_nested('[', '1', ']', size // 100)}\n",
    lambda text, size: text.replace("top\n", f"{'t' * size}\n"),
)


def cases(seed: int, folder: Path) -> Iterator[Attempt]:
    """Names that differ in case alone, of the kernel's own and of what hlsmem makes."""
    random = Random(f"{seed}.cases")
    text = _KERNEL.replace("t[i] =", f"{random.choice(['T0: ', 's0: ', ''])}t[i] =", 1)
    if random.random() < 0.4:
        text = text.replace("in[i] * 3", "in[i] > 3 ? in[i] : 0")
    names = dict(zip(("t", "in", "out", "i"), random.sample(_NAMES, 4), strict=True))
    work = _design(folder, re.sub(r"\b(t|in|out|i)\b", lambda word: names[word[0]], text))
    if random.random() < 0.5:
        (work / "TOP.c").write_text("int unused;\n")
    out = folder / "out"
    design = work / random.choice(["top.c", "top.yaml"])
    yield Attempt(folder, ("plan", str(design), "-o", str(out)))
    if out.exists():
        yield Attempt(folder, ("check", str(out), "--only", random.choice(["proof", "host"])))


_NAMES = ("t0", "T0", "a", "A", "s0", "S0", "x", "X", "cell", "Cell", "clk", "CLK", "t_buffer")
