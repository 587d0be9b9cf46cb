"""A file that goes on where a killed run left off."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from crawler.exchange.resumed_file import resumed_file

PIECES = ("one", "two", "three")


def write(path: Path, order: object = 1, until: str | None = None) -> list[str]:
    """The pieces that had to be written; broken off in the middle of one."""
    written = []
    with resumed_file(path, order) as part:
        for piece in PIECES:
            if part.has(piece):
                continue
            part.file.write(piece[:2].encode())
            if piece == until:
                raise KeyboardInterrupt
            part.file.write(f"{piece[2:]}\n".encode())
            part.finish(piece, 1)
            written.append(piece)
        assert part.count == len(PIECES)
    return written


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(KeyboardInterrupt):
        write(path, until="three")
    assert not path.exists()
    assert write(path) == ["three"]
    assert path.read_text() == "one\ntwo\nthree\n"
    assert os.listdir(tmp_path) == ["file"]


def test_another_order_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(KeyboardInterrupt):
        write(path, until="two")
    assert write(path, order={"language": "ja"}) == list(PIECES)
    assert path.read_text() == "one\ntwo\nthree\n"


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", "2\n", '1\n["one", 99999, 1]\n', '1\n["one", 4, 1]', "1\n{}\n"]
)
def test_damaged_notes_begin_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "file"
    with pytest.raises(KeyboardInterrupt):
        write(path, until="two")
    (tmp_path / ".file.part.notes").write_text(damage)
    assert write(path) == list(PIECES)
    assert path.read_text() == "one\ntwo\nthree\n"


def test_nothing_counted_is_no_file(tmp_path: Path) -> None:
    with resumed_file(tmp_path / "file", 1) as part:
        part.finish("one", 0)
    assert os.listdir(tmp_path) == []


def test_a_killed_process_loses_the_piece_that_it_wrote(tmp_path: Path) -> None:
    program = (
        "import os, signal, sys\n"
        "from crawler.exchange.resumed_file import resumed_file\n"
        "with resumed_file(sys.argv[1], 1) as part:\n"
        "    part.file.write(b'one\\n'); part.finish('one', 1)\n"
        "    part.file.write(b'tw'); part.file.flush()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    path = tmp_path / "file"
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / ".file.part.notes").read_text() == '1\n["one", 4, 1]\n'
    assert write(path) == ["two", "three"]
    assert path.read_text() == "one\ntwo\nthree\n"
