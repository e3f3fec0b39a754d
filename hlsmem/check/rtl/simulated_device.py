"""Description of a generated top for benches: its streams, memories and prediction."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass

FORMAT = "hlsmem-sim/1"
WRITE, READ = "write", "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceStream:
    """A stream of the top. `copies`: per operand the copy it is read from, None for a wire.

    `banks`: per operand the wire that says in which bank of its copy, None where it has none.
    `path` is the instance with the trace wires, `bits` the width of tdata, `user_bits` that
    of tuser (0: none), `idle` the cycles its address generator passes without a beat. `statement`
    is None for the fill and the drain of a memory. One that `squashes` has a beat for instances
    alone that run, and in place of tlast a wire that says that it is done.
    """

    name: str
    path: str
    array: str
    statement: str | None
    direction: str
    beats: int
    idle: int
    bits: int
    user_bits: int
    copies: tuple[int | None, ...]
    banks: tuple[str | None, ...] = ()
    squashes: bool = False

    @property
    def accesses(self) -> str:
        """The wire that is high where a beat is committed or issued: one that skips moves on
        without, too."""
        if not self.squashes:
            return f"{self.name}_fire"
        return f"{self.name}_{'commit' if self.direction == WRITE else 'issue'}"

    @property
    def is_early(self) -> bool:
        """True if its beats may come before start: a fill."""
        return self.direction == WRITE and self.statement is None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceMemory:
    """A memory of the top; registers have no address bits.

    The copies in `banked` are `banks` RAMs of `bank_words` each, and have their trace wires by
    bank; cells are numbered bank after bank. State is set in `setting` cycles behind a reset.
    """

    array: str
    path: str
    copies: int
    address_bits: int
    base: int
    banks: int = 1
    bank_words: int = 0
    banked: tuple[int, ...] = ()
    setting: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A generated top; `cycles` is the number without stalls, None where it is not predicted.

    `streams` are its ports. Those of an array in several parts fork and join to the streams of
    the parts, which are `inner`. No run takes more cycles than the `bound`, where there is one.
    """

    top: str
    streams: tuple[DeviceStream, ...]
    memories: tuple[DeviceMemory, ...]
    cycles: int | None
    inner: tuple[DeviceStream, ...] = ()
    bound: int | None = None

    @property
    def traced(self) -> tuple[DeviceStream, ...]:
        """Ports and inner streams."""
        return (*self.streams, *self.inner)

    @property
    def setting(self) -> int:
        """Cycles behind a reset in which state is set, before start is taken."""
        return max((memory.setting for memory in self.memories), default=0)

    def memory_of(self, array: str) -> DeviceMemory | None:
        """The memory of an array; None where it is a chain or a FIFO, without addresses."""
        return next((memory for memory in self.memories if memory.array == array), None)


def read_device(file: Path) -> Device:
    """The device described by `file`; raises InputError if it is missing or malformed."""
    remedy = "run `hlsmem plan` again"
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["format"] != FORMAT:
            raise ValueError(f"the format is {document['format']!r}")
        return _device(document)
    except OSError as error:
        raise InputError(Problem(f"cannot read {file}: {error.strerror}", remedy)) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"{file}: not a complete description ({type(error).__name__}: {error})"
        raise InputError(Problem(what, remedy)) from None


def _device(document: Mapping[str, Any]) -> Device:
    cycles = document["prediction"]["cycles"]
    return Device(
        top=document["top"],
        streams=tuple(_stream(stream) for stream in document["streams"]),
        inner=tuple(_stream(stream) for stream in document.get("inner", ())),
        memories=tuple(
            DeviceMemory(
                array=memory["array"],
                path=memory["path"],
                copies=int(memory["copies"]),
                address_bits=int(memory["address_bits"]),
                base=int(memory["base"]),
                banks=int(memory["banks"]),
                bank_words=int(memory["bank_words"]),
                banked=tuple(int(copy) for copy in memory["banked"]),
                setting=int(memory.get("setting", 0)),
            )
            for memory in document["memories"]
        ),
        cycles=None if cycles is None else int(cycles),
    )


def _stream(stream: Mapping[str, Any]) -> DeviceStream:
    return DeviceStream(
        name=stream["name"],
        path=stream["path"],
        array=stream["array"],
        statement=stream["statement"],
        direction=stream["direction"],
        beats=int(stream["beats"]),
        idle=int(stream["idle"]),
        bits=int(stream["bits"]),
        user_bits=int(stream["tuser"]),
        copies=tuple(operand["copy"] for operand in stream["operands"]),
        banks=tuple(operand["bank"] for operand in stream["operands"]),
        squashes=bool(stream.get("skips", False)),
    )
