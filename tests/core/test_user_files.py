"""Only regular files are read; nothing else keeps a reader waiting."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from hlsmem.core.user_files import NotRegularError, read_bytes, read_text


def test_reads_a_file_or_its_end(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"one\r\ntwo\rthree\n")
    assert read_bytes(file) == b"one\r\ntwo\rthree\n"
    assert read_text(file) == "one\ntwo\nthree\n" == file.read_text()
    assert read_bytes(file, last=6) == b"three\n"
    assert read_bytes(file, last=99) == read_bytes(file)
    (tmp_path / "link").symlink_to(file)
    assert read_bytes(tmp_path / "link") == read_bytes(file)


def test_what_is_no_file_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket is short
    Path("folder").mkdir()
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket")
        found = {}
        for name in ("folder", "pipe", "link", "socket", "/dev/zero", "/dev/tty"):
            with pytest.raises(NotRegularError) as caught:
                read_bytes(Path(name))
            found[name] = caught.value.strerror
    assert found == {
        "folder": "is a folder",
        "pipe": "is a named pipe",
        "link": "is a named pipe",
        "socket": "is a socket",
        "/dev/zero": "is a device",
        "/dev/tty": "is a device",
    }
    with pytest.raises(FileNotFoundError):
        read_bytes(Path("nowhere"))


def test_what_becomes_a_pipe_before_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("")
    regular = os.stat(tmp_path / "file")
    monkeypatch.setattr(os, "stat", lambda *_, **__: regular)
    with pytest.raises(NotRegularError, match="is a named pipe"):
        read_bytes(tmp_path / "pipe")
