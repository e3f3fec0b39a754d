"""The command line as argparse reads it, from verbs and their options; sizes of memory in it."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from hlsmem.verb import VERBS, Option, Verb
from hlsmem.version import described

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
# What a command maps before it does anything, and with all that it may load.
_LEAST, _LEAST_USUAL = 256 << 20, 1 << 30
# What the system lets a group of processes have, the second in older ones.
_GROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def options_of(arguments: Sequence[str]) -> tuple[Verb, argparse.Namespace]:
    """The verb, and the values of its options; one of its arguments, or a list of them, may come
    after options, which argparse misses.

    Ends the process as argparse does, with exit code 2 where there is no such verb or option.
    """
    name = next((one for one in arguments if not one.startswith("-")), None)
    verb = None if name is None else VERBS.get(name)
    if verb is None:
        parser = parser_of(VERBS.found().items.values(), are_listed=True)
        if name is not None and not {"-h", "--help", "--version"} & {*arguments}:
            parser.error(_unknown(name))
        parser.parse_args(arguments)
        raise AssertionError("a command without a verb")
    parser = parser_of([verb])
    options, rest = parser.parse_known_args(arguments)
    if verb.late and not any(one.startswith("-") for one in rest):
        given = getattr(options, verb.late)
        if isinstance(given, list):
            given += rest
            rest = []
        elif given is None and len(rest) == 1:
            setattr(options, verb.late, rest.pop())
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return verb, options


def _unknown(name: str) -> str:
    """Message for a word that is no verb."""
    from difflib import get_close_matches

    found = VERBS.found()
    if name in found.left_out:
        return f"verb {name!r}: {found.left_out[name]}; mend or remove what brings it"
    near = get_close_matches(name, found.items, n=1, cutoff=0.5)
    remedy = f"did you mean {near[0]}?" if near else "`hlsmem --help` lists the verbs"
    return f"there is no verb {name!r}; {remedy}"


class _Version(argparse.Action):
    """Prints the version when it is asked for: looking for packages takes time."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(described())
        parser.exit()


def parser_of(verbs: Iterable[Verb], *, are_listed: bool = False) -> argparse.ArgumentParser:
    """A parser of commands with these verbs; without their options where they `are_listed`."""
    parser = argparse.ArgumentParser(
        prog="hlsmem",
        usage="%(prog)s [-h] [--version] VERB ..." if are_listed else None,
        description="Fold arrays into the fewest cells, write Verilog and C for them, prove both.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    parsers = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    below: dict[str, Any] = {}
    for verb in verbs:
        if are_listed and verb.group:
            # argparse knows one list of commands: others stand as arguments that may be left out.
            if verb.group not in below:
                below[verb.group] = parser.add_argument_group(verb.group)
            below[verb.group].add_argument(verb.name, nargs="?", help=verb.summary)
            continue
        own = parsers.add_parser(verb.name, help=verb.summary)
        if are_listed:
            continue
        groups: dict[str, Any] = {"": own}
        for option in verb.options:
            if option.instead not in groups:
                groups[option.instead] = own.add_mutually_exclusive_group()
            _add(groups[option.instead].add_argument, option)
        own.add_argument(
            "--memory",
            type=size_of,
            metavar="6G",
            help="the most that it may take; default: three quarters of what there is",
        )
    return parser


def _add(add: Callable[..., object], option: Option) -> None:
    arguments = {
        key: value() if key in ("help", "choices") and callable(value) else value
        for key, value in option.arguments.items()
    }
    if option.flags:
        add(*option.flags, dest=option.keyword, **arguments)
    else:
        add(option.keyword, **arguments)


def size_of(text: str) -> int:
    """Bytes of a text such as 6G, in powers of 1024; raises ArgumentTypeError for what is none.

    >>> size_of("1.5G") == 3 << 29
    True
    """
    found = re.fullmatch(r"(\d{1,15}(?:\.\d{1,3})?)([KMGT]?)(?:i?B)?", text, re.IGNORECASE)
    size = int(float(found[1]) * _UNITS[found[2].upper()]) if found else 0
    if not _LEAST <= size < 1 << 60:
        message = f"{text!r} is no size of memory of {text_of(_LEAST)} or more; write it like 6G"
        raise argparse.ArgumentTypeError(message)
    return size


def text_of(size: int) -> str:
    """A size as an option takes it, rounded down to a tenth of its unit.

    >>> text_of(256 << 20), text_of(18 << 30), text_of(3 << 29)
    ('256M', '18G', '1.5G')
    """
    unit = "G" if size >= 1 << 30 else "M"
    return f"{size * 10 // _UNITS[unit] / 10:g}{unit}"


def usual_limit() -> int | None:
    """Three quarters of the memory that there is, in bytes; None where nobody says."""
    try:
        found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (AttributeError, OSError, ValueError):
        return None
    for group in _GROUPS:
        with contextlib.suppress(OSError, ValueError):
            found.append(int(Path(group).read_text(encoding="ascii")))
    return max(min(found) * 3 // 4, _LEAST_USUAL)
