"""What a hostile program would try in a sandbox: each probe of a way out says "out" or why not.

It runs inside, alone: `python prober.py FACTS`, where FACTS is JSON on the places outside. Where
there is no sandbox around it, it does what is harmless, and no more.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import mmap
import os
import platform
import resource
import socket
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

Probe = Callable[[], object]
PROBES: dict[str, Probe] = {}
HARMLESS: set[str] = set()
FACTS: dict[str, Any] = {}
"""On the places outside."""
OUT = "out"
_libc = ctypes.CDLL(None, use_errno=True)


def probe(function: Probe) -> Probe:
    PROBES[function.__name__] = function
    return function


def harmless(function: Probe) -> Probe:
    """One that does no damage where nothing holds it back."""
    HARMLESS.add(function.__name__)
    return function


def call(number: int, *arguments: object) -> int:
    """A call of the kernel by its number. Raises OSError."""
    answer = _libc.syscall(ctypes.c_long(number), *arguments)
    if answer == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(answer)


def by_number(x86: int, others: int) -> int:
    return x86 if platform.machine() == "x86_64" else others


# Sockets.


def connected(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as own:
        own.connect(path)


@harmless
@probe
def socket_in_run() -> None:
    connected(FACTS["sockets"]["run"])


@harmless
@probe
def socket_in_var() -> None:
    connected(FACTS["sockets"]["var"])


@harmless
@probe
def socket_in_home() -> None:
    connected(FACTS["sockets"]["home"])


@harmless
@probe
def socket_among_temporary_files() -> None:
    connected(FACTS["sockets"]["temporary"])


@harmless
@probe
def socket_in_the_runtime_folder() -> None:
    connected(FACTS["sockets"]["runtime"])


@harmless
@probe
def socket_in_a_folder_that_is_seen() -> None:
    connected(FACTS["sockets"]["readable"])


@harmless
@probe
def abstract_socket() -> None:
    connected("\0" + FACTS["sockets"]["abstract"])


@harmless
@probe
def socket_of_one_s_own() -> None:
    with socket.socket(socket.AF_UNIX) as own:
        own.bind("own.sock")


@harmless
@probe
def pair_of_datagrams_sent_elsewhere() -> None:
    own, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    own.sendto(b"out", FACTS["sockets"]["datagrams"])


@harmless
@probe
def raw_pair_sent_elsewhere() -> None:
    own, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)
    own.sendto(b"out", FACTS["sockets"]["datagrams"])


@probe
def pair_of_streams_connected_elsewhere() -> None:
    own, _ = socket.socketpair()
    own.connect(FACTS["sockets"]["readable"])


@harmless
@probe
def socket_by_wide_arguments() -> None:
    """The kernel takes the low half of a number for a family."""
    call(by_number(41, 198), ctypes.c_long((1 << 32) + 1), ctypes.c_long(1), 0)


def by_interrupt(number: int, *arguments: int) -> None:
    """A call as programs of i386 make it, in a process that may not survive it."""
    if platform.machine() != "x86_64":
        raise OSError(0, "no such entry")
    code = b"\x53\x89\xf8\x89\xf3\x87\xd1\xcd\x80\x5b\xc3"
    own = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    own.write(code)
    place = ctypes.addressof(ctypes.c_char.from_buffer(own))
    entry = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_uint] * 4)(place)
    child = os.fork()
    if not child:
        os._exit(0 if entry(number, *arguments) >= 0 else 1)
    if os.waitpid(child, 0)[1] != 0:
        raise OSError(0, "refused")


@probe
def socket_by_the_entry_of_i386() -> None:
    by_interrupt(359, 1, 1, 0)


@probe
def many_sockets_in_one_call_of_i386() -> None:
    """`socketcall`, whose arguments lie in memory below 4 GiB."""
    low = 0x40  # MAP_32BIT
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | low
    with mmap.mmap(-1, 4096, flags=flags) as own:
        own.write(b"".join(one.to_bytes(4, "little") for one in (1, 1, 0)))
        by_interrupt(102, 1, ctypes.addressof(ctypes.c_char.from_buffer(own)))


@probe
def socket_by_the_entry_of_x32() -> None:
    call(0x40000000 + by_number(41, 198), 1, 1, 0)


@probe
def ring_that_opens_sockets() -> None:
    call(425, 4, ctypes.create_string_buffer(120))


@probe
def socket_to_the_host_of_a_virtual_machine() -> None:
    socket.socket(40, socket.SOCK_STREAM).close()


@harmless
@probe
def server_on_this_machine() -> None:
    socket.create_connection(("127.0.0.1", FACTS["port"]), timeout=5).close()


# Terminals and devices.


def opened(path: str) -> None:
    os.close(os.open(path, os.O_RDWR | os.O_NOCTTY))


@harmless
@probe
def terminal_of_another() -> None:
    opened(FACTS["terminal"])


@probe
def terminal_of_this_session() -> None:
    opened("/dev/tty")


@probe
def console() -> None:
    opened("/dev/console")


@harmless
@probe
def new_terminal() -> None:
    opened("/dev/ptmx")


@probe
def virtual_machines() -> None:
    opened("/dev/kvm")


@probe
def file_systems_of_users() -> None:
    opened("/dev/fuse")


@harmless
@probe
def other_devices() -> str:
    known = {"null", "zero", "full", "random", "urandom", "fd", "stdin", "stdout", "stderr"}
    return OUT if set(os.listdir("/dev")) - known - {"pts", "shm"} else "none"


@probe
def typing_for_the_user() -> None:
    for stream in range(3):
        with contextlib.suppress(OSError):
            fcntl.ioctl(stream, termios.TIOCSTI, b"x")
            return
    raise OSError(0, "no terminal")


@probe
def session_of_the_user() -> str:
    return "its own" if os.getsid(0) == os.getpgid(0) > 0 else OUT


# What the user has.


@harmless
@probe
def tokens_of_the_environment() -> str:
    return OUT if FACTS["token"] in os.environ.values() else "none"


@probe
def tokens_of_the_first_process() -> str:
    found = Path("/proc/1/environ").read_bytes()
    return OUT if FACTS["token"].encode() in found else "none"


@harmless
@probe
def other_variables() -> str:
    more = os.environ.keys() - set(FACTS["variables"])
    return f"{OUT}: {sorted(more)}" if more else "none"


@harmless
@probe
def files_of_the_home() -> None:
    Path(FACTS["home"], "secret").read_text()


@harmless
@probe
def pipe_in_the_home() -> None:
    os.close(os.open(f"{FACTS['home']}/pipe", os.O_WRONLY | os.O_NONBLOCK))


@harmless
@probe
def temporary_files_of_others() -> None:
    Path(FACTS["secret"]).read_text()


@probe
def keys_of_the_session() -> None:
    call(by_number(250, 219), 0, -3, 0)  # KEYCTL_GET_KEYRING_ID of the session


@harmless
@probe
def folder_that_is_read() -> None:
    Path(FACTS["readable"], "written").write_text("out")


@probe
def system() -> None:
    Path("/usr/hlsmem-was-here").write_text("out")
    os.unlink("/usr/hlsmem-was-here")


# More than there is.


def filled(folder: str, size: int) -> None:
    with open(f"{folder}/large", "wb") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, size)
        finally:
            os.unlink(file.name)


@probe
def more_than_the_quota() -> None:
    filled(".", FACTS["quota"] + 1)


@probe
def more_than_the_quota_in_many_files() -> None:
    names = [f"part{number}" for number in range(5)]
    try:
        for name in names:
            with open(name, "wb") as file:
                os.posix_fallocate(file.fileno(), 0, FACTS["quota"] // 4)
    finally:
        for name in names:
            Path(name).unlink(missing_ok=True)


@probe
def more_temporary_files_than_the_quota() -> None:
    filled("/tmp", FACTS["quota"] + 1)


@probe
def more_shared_memory_than_the_quota() -> None:
    filled("/dev/shm", FACTS["quota"] + 1)


@probe
def files_in_run() -> None:
    Path("/run/file").write_text("out")


@probe
def folder_behind_the_copy() -> None:
    """What the first process has open."""
    for number in os.listdir("/proc/1/fd"):
        Path(f"/proc/1/fd/{number}/large").write_text("out")


# Processes, and what all of them have in common.


@harmless
@probe
def signal_to_a_process_outside() -> None:
    os.kill(FACTS["process"], 0)


@harmless
@probe
def signal_to_a_group_outside() -> None:
    os.killpg(FACTS["process"], 0)


@harmless
@probe
def parent() -> str:
    return OUT if os.getppid() not in (0, 1) else "in the sandbox"


@harmless
@probe
def process_outside() -> str:
    seen = [one for one in os.listdir("/proc") if one.isdecimal()]
    return OUT if len(seen) > 5 or os.path.exists(f"/proc/{FACTS['process']}") else "none"


@probe
def memory_of_the_first_process() -> None:
    opened("/proc/1/mem")


@probe
def trace_of_the_first_process() -> None:
    call(by_number(101, 117), 16, 1, 0, 0)  # PTRACE_ATTACH


@probe
def pattern_of_cores() -> None:
    with open("/proc/sys/kernel/core_pattern", "r+") as file:
        file.write(file.read())


@probe
def program_of_cores() -> str:
    """A limit of 1 has no core written, and no program started for one."""
    allowed = resource.getrlimit(resource.RLIMIT_CORE)[1]
    return "none" if allowed == min(1, FACTS["core"]) else OUT


@probe
def requests_of_the_system() -> None:
    os.close(os.open("/proc/sysrq-trigger", os.O_WRONLY))


@harmless
@probe
def control_groups() -> str:
    return OUT if os.listdir("/sys") else "none"


@probe
def mount() -> None:
    if _libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) != 0:
        raise OSError(ctypes.get_errno(), "")


@probe
def read_only_no_more() -> None:
    if _libc.mount(b"none", b"/", None, 32 | 4096, None) != 0:
        raise OSError(ctypes.get_errno(), "")


@probe
def namespaces_of_one_s_own() -> None:
    if _libc.unshare(0x10000000) != 0:
        raise OSError(ctypes.get_errno(), "")


@probe
def clone_with_namespaces() -> None:
    child = call(by_number(56, 220), ctypes.c_long(0x10000000 | 17), 0, 0, 0, 0)
    if child == 0:
        os._exit(0)


@probe
def capabilities() -> str:
    text = Path("/proc/self/status").read_text()
    found = [line.split()[1].strip("0") for line in text.splitlines() if line.startswith("Cap")]
    return OUT if any(found) else "none"


@probe
def programs_with_rights() -> str:
    return "none" if "NoNewPrivs:\t1" in Path("/proc/self/status").read_text() else OUT


def answer(function: Probe) -> str:
    try:
        found = function()
    except OSError as error:
        return error.strerror or str(error)
    return OUT if found is None else str(found)


def main() -> None:
    FACTS.update(json.loads(sys.argv[1]))
    is_outside = os.readlink("/proc/self/ns/mnt") == FACTS["namespace"]
    names = [name for name in PROBES if name in HARMLESS or not is_outside]
    found = {name: answer(PROBES[name]) for name in names}
    # What programs need must still be there.
    one, other = socket.socketpair()
    one.sendall(b"pair")
    found["pair"] = other.recv(4).decode()
    found["child"] = subprocess.run(["echo", "runs"], capture_output=True, text=True).stdout
    print(json.dumps(found))


if __name__ == "__main__":
    main()
