"""The filter of calls: an interpreter of its instructions, beside what it is to allow."""

from __future__ import annotations

import errno
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.tools.syscalls import MACHINES, Machine, filter_of

UNIX, INET, INET6, NETLINK = 1, 2, 10, 16
STREAM, DATAGRAM, RAW, SEQPACKET = 1, 2, 3, 5
OTHERS = {"i386": 0x40000003, "arm": 0x40000028, "big-endian arm64": 0x800000B7}
ALLOWED = 0
"""Numbers of errors otherwise."""


def decided(program: bytes, audit: int, number: int, *arguments: int) -> int:
    """What a filter says of a call, step by step as the kernel's documentation has it."""
    values = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, audit, 0, *(one % (1 << 64) for one in values))
    steps = list(struct.iter_unpack("=HBBI", program))
    place = accumulator = 0
    while True:
        code, yes, no, constant = steps[place]
        place += 1
        match code:
            case 0x20:
                accumulator = struct.unpack_from("<I", data, constant)[0]
            case 0x54:
                accumulator &= constant
            case 0x15:
                place += yes if accumulator == constant else no
            case 0x35:
                place += yes if accumulator >= constant else no
            case 0x45:
                place += yes if accumulator & constant else no
            case 0x06:
                if constant == 0x7FFF0000:
                    return ALLOWED
                assert constant >> 16 == 5
                return constant & 0xFFFF
            case _:
                raise AssertionError(f"no such instruction: {code:#x}")


machines = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
numbers = st.integers(0, (1 << 32) - 1)
words = st.integers(0, (1 << 64) - 1) | st.integers(0, 20)


@machines
@given(family=words, kind=words)
def test_sockets_are_those_of_networks_and_connected_pairs(
    machine: Machine, family: int, kind: int
) -> None:
    program, calls = filter_of(machine), machine.calls
    is_network = family % (1 << 32) in (INET, INET6, NETLINK)
    found = decided(program, machine.audit, calls["socket"], family, kind)
    assert found == (ALLOWED if is_network else errno.EAFNOSUPPORT)
    is_connected = kind % 16 in (STREAM, SEQPACKET)
    found = decided(program, machine.audit, calls["socketpair"], UNIX, kind)
    assert found == (ALLOWED if is_connected else errno.EAFNOSUPPORT)


@machines
@given(number=numbers, argument=words)
def test_calls_by_other_entries_are_none(machine: Machine, number: int, argument: int) -> None:
    program = filter_of(machine)
    audits = {one.audit for one in MACHINES.values()} | set(OTHERS.values())
    for audit in audits - {machine.audit}:
        assert decided(program, audit, number, argument) == errno.ENOSYS
    if machine is MACHINES["x86_64"]:  # x32 has the same audit number, and bit 30
        x32 = number | 1 << 30
        assert decided(program, machine.audit, x32, argument) == errno.ENOSYS


@machines
@given(flags=words)
def test_no_call_makes_a_namespace_of_users(machine: Machine, flags: int) -> None:
    program, calls = filter_of(machine), machine.calls
    wanted = errno.EPERM if flags & 0x10000000 else ALLOWED
    for name in ("clone", "unshare"):
        assert decided(program, machine.audit, calls[name], flags) == wanted
    assert decided(program, machine.audit, calls["clone3"], flags) == errno.ENOSYS
    assert decided(program, machine.audit, calls["setns"], flags) == errno.EPERM


@machines
@given(number=st.integers(0, (1 << 30) - 1))
def test_all_other_calls_are_allowed(machine: Machine, number: int) -> None:
    wanted = number in machine.calls.values()
    assert (decided(filter_of(machine), machine.audit, number) != ALLOWED) <= wanted


def test_numbers_are_those_of_the_kernel() -> None:
    """As `unistd_64.h` and `asm-generic/unistd.h` have them."""
    x86, generic = MACHINES["x86_64"].calls, MACHINES["aarch64"].calls
    assert x86.keys() == generic.keys()
    assert (x86["socket"], x86["socketpair"], x86["unshare"], x86["keyctl"]) == (41, 53, 272, 250)
    assert (generic["socket"], generic["socketpair"], generic["unshare"]) == (198, 199, 97)
    assert x86["io_uring_setup"] == generic["io_uring_setup"] == 425
