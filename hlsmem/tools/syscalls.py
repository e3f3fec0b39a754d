"""System calls that a program in the sandbox may make: a filter of seccomp.

Namespaces hide the sockets and keys of others; the filter denies what would reach them all the
same. Sockets are those of the empty network alone, and pairs that are connected already: a pair
of datagrams could still be connected to any name. What opens sockets by other ways is denied with
them: io_uring, and the entries of the kernel for programs of other machines (i386, x32), whose
arguments the filter could not read. So are keys of the user, and namespaces of one's own.

The instructions are those of the classic packet filter: McCanne and Jacobson, USENIX 1993.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Mapping, Sequence

from hlsmem.core.lazy_dataclass import dataclass

ALLOW, REFUSE = 0x7FFF0000, 0x00050000
"""Return values of a filter; to the second the number of an error is added."""

# Instructions: load a word of the call, set the accumulator, jump, return.
LOAD, AND, RETURN = 0x20, 0x54, 0x06
EQUAL, AT_LEAST, ANY_BIT = 0x15, 0x35, 0x45
# Where the words of a call lie: its number, the machine, the low halves of its arguments.
NUMBER, MACHINE, ARGUMENTS = 0, 4, (16, 24)

_X32 = 0x40000000
_NEW_USER = 0x10000000
_INET, _NETLINK, _INET6 = 2, 16, 10
_STREAM, _SEQPACKET = 1, 5
_KIND_OF_SOCKET = 0xF

Instruction = tuple[int, int, int, int]
"""Operation, number of instructions to skip if true and if false, and operand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A machine as the kernel knows it: its number in `linux/audit.h`, and those of its calls.

    Numbers from `foreign` on are calls of programs of another machine.
    """

    audit: int
    calls: Mapping[str, int]
    foreign: int | None = None


_NEW = {"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "clone3": 435}
# Those of `asm-generic/unistd.h`.
_GENERIC = {
    "socket": 198, "socketpair": 199, "add_key": 217, "request_key": 218, "keyctl": 219,
    "clone": 220, "unshare": 97, "setns": 268, **_NEW,
}  # fmt: skip
_AMD64 = {
    "socket": 41, "socketpair": 53, "add_key": 248, "request_key": 249, "keyctl": 250,
    "clone": 56, "unshare": 272, "setns": 308, **_NEW,
}  # fmt: skip
MACHINES = {
    "x86_64": Machine(audit=0xC000003E, calls=_AMD64, foreign=_X32),
    "aarch64": Machine(audit=0xC00000B7, calls=_GENERIC),
    "riscv64": Machine(audit=0xC00000F3, calls=_GENERIC),
}
"""By the name that `uname -m` has for them."""


def filter_of(machine: Machine) -> bytes:
    """The filter for programs of `machine`, as the kernel takes it."""
    return b"".join(struct.pack("=HBBI", *one) for one in _instructions(machine))


def _instructions(machine: Machine) -> list[Instruction]:
    calls = machine.calls
    missing = _refuse(errno.ENOSYS)
    found = [_load(MACHINE), (EQUAL, 1, 0, machine.audit), missing, _load(NUMBER)]
    if machine.foreign is not None:
        found += _where(AT_LEAST, machine.foreign, [missing])
    # A C library does without these two where the kernel has none.
    for name in ("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3"):
        found += _where(EQUAL, calls[name], [missing])
    for name in ("add_key", "request_key", "keyctl", "setns"):
        found += _where(EQUAL, calls[name], [_refuse(errno.EPERM)])
    for name in ("clone", "unshare"):
        with_user = _where(ANY_BIT, _NEW_USER, [_refuse(errno.EPERM)])
        found += _where(EQUAL, calls[name], [_load(ARGUMENTS[0]), *with_user, _ALLOWED])
    networks = [_load(ARGUMENTS[0]), *_only(_INET, _INET6, _NETLINK)]
    found += _where(EQUAL, calls["socket"], networks)
    connected = [_load(ARGUMENTS[1]), (AND, 0, 0, _KIND_OF_SOCKET), *_only(_STREAM, _SEQPACKET)]
    found += _where(EQUAL, calls["socketpair"], connected)
    return [*found, _ALLOWED]


_ALLOWED: Instruction = (RETURN, 0, 0, ALLOW)


def _refuse(error: int) -> Instruction:
    return (RETURN, 0, 0, REFUSE | error)


def _load(place: int) -> Instruction:
    return (LOAD, 0, 0, place)


def _where(test: int, number: int, then: Sequence[Instruction]) -> list[Instruction]:
    """`then` where the test holds; it is passed over where it does not."""
    return [(test, 0, len(then), number), *then]


def _only(*numbers: int) -> list[Instruction]:
    """The call is allowed with one of the numbers, and no other."""
    allowed = [one for number in numbers for one in _where(EQUAL, number, [_ALLOWED])]
    return [*allowed, _refuse(errno.EAFNOSUPPORT)]
