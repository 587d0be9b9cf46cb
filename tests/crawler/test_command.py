"""`crawler.command`: how commands end."""

import argparse
import errno
import sqlite3

import pytest

from crawler.command import count, days, reported, text_encoding
from crawler.storage.locks import SiteLockedError
from crawler.storage.parquet import StorageError


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device", "data/x"),
            1,
            "data/x: No space left on device; check the path, free space and permissions, "
            "then run again",
        ),
        (StorageError("a.parquet", "not read: x", "move it away"), 1, "not read: x; move it away"),
        (sqlite3.OperationalError("database or disk is full"), 1, "database or disk is full; chec"),
        (KeyboardInterrupt(), 1, "stopped; nothing is half written, run the same command again"),
        (SiteLockedError("a", "a.lock", "crawl"), 4, "site 'a' is in use by another run"),
    ],
)
def test_what_the_user_can_mend_is_one_line(
    capsys: pytest.CaptureFixture[str], problem: BaseException, code: int, said: str
) -> None:
    def work() -> int:
        raise problem

    assert reported(work) == code
    out, err = capsys.readouterr()
    assert out == "" and said in err and err.count("\n") == 1


def test_a_fault_of_the_program_is_not_hidden() -> None:
    def work() -> int:
        raise ValueError("a fault")

    with pytest.raises(ValueError, match="a fault"):
        reported(work)


def test_the_code_of_the_work_is_kept() -> None:
    assert reported(lambda: 5) == 5


def test_arguments() -> None:
    assert (count("1"), days("30d"), days(".5"), text_encoding("EUC-JP")) == (1, 30, 0.5, "euc_jp")
    for kind, text in ((count, "0"), (count, "x"), (days, "0"), (days, "inf"), (days, "x")):
        with pytest.raises(argparse.ArgumentTypeError, match="got"):
            kind(text)
    for name in ("base64", "nonsense"):
        with pytest.raises(argparse.ArgumentTypeError, match="such as utf-8"):
            text_encoding(name)
