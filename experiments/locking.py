"""A file that one process holds at a time, so that two do not write into one folder."""

from __future__ import annotations

import sqlite3
from pathlib import Path


class Busy(Exception):
    """Another process holds the file."""


def hold(path: Path) -> sqlite3.Connection:
    """Hold a file until the connection is closed or this process ends, however it does.

    An open transaction of SQLite, which locks files on every system. Raises `Busy`, or `sqlite3.Error` where the file cannot
    be written.
    """
    lock = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if "locked" in str(error):
            raise Busy(str(path)) from None
        raise
    return lock
