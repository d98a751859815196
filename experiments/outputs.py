"""Files that a job writes at its end: tried before it begins, so that no hours are lost to a name that cannot be written."""

from __future__ import annotations

from pathlib import Path

from narabe.experiments.args import UsageError


def expect_file(path: Path | None, option: str = "--out") -> None:
    """Make the folder of a file, and see that the file can be written; it stays as it is. `UsageError` names the option."""
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        was_there = path.exists()
        with path.open("a"):
            pass
        if not was_there:
            path.unlink()
    except OSError as error:
        raise UsageError(f"{option} {path} cannot be written ({error.strerror}): choose another name") from None


def expect_folder(path: Path | None, option: str = "--out") -> None:
    """Make a folder, and see that files can be written into it. `UsageError` names the option."""
    if path is not None:
        expect_file(path / ".narabe", option)
