import os
import stat
from pathlib import Path

import pytest

from crawler.storage.outfile import whole_file
from tests.tables import file_size_limit


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    with whole_file(target) as hidden:
        hidden.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    with pytest.raises(RuntimeError), whole_file(target) as hidden:
        hidden.write_text("half")
        raise RuntimeError
    assert target.read_text() == "new"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("out.txt")
    with whole_file(tmp_path / "link") as hidden:
        hidden.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out.txt").read_text() == "new"


def test_a_named_pipe_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    message = "a regular file to replace, got a named pipe"
    with pytest.raises(OSError, match=message), whole_file(pipe):
        pytest.fail("opened")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_devices_and_folders_are_refused(tmp_path: Path) -> None:
    # No file can be made in /dev by anyone but root, so the refusal must come before.
    for name, kind in (("/dev/null", "a device"), (tmp_path, "a folder"), ("/", "a folder")):
        with pytest.raises(OSError, match=f"got {kind}") as caught, whole_file(name):
            pytest.fail("opened")
        assert caught.value.filename == str(name)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_full_disk_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with (
        file_size_limit(1000),
        pytest.raises(OSError, match="File too large") as caught,
        whole_file(path) as hidden,
    ):
        hidden.write_bytes(b"x" * 2000)
    assert caught.value.filename == str(path)
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    path, message = tmp_path / "none" / "a", "in an existing folder"
    with pytest.raises(FileNotFoundError, match=message), whole_file(path):
        pytest.fail("opened")
