"""The one way to make a kernel, and where its machine code is kept between runs.

Numba's disk cache looks only at the file that holds a kernel. When a *callee* in another file changes, or a constant that
is frozen into the machine code, the warm kernel goes on with the old. So our kernels live in a folder named by a hash of
every file of narabe that defines kernels or is imported by one that does (and of numba's version): an edit moves the
folder, and the stale code is never found. Laws, also those of other packages, are guarded once more by the name of their
record (`core.law_dtype`).
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

import numba
from numba.core import config

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("envs", "search", "agents", "experiments")
UNUSED_SECONDS = 30 * 24 * 3600.0
_MARK = "last_used"


_IMPORT = re.compile(r"^from (narabe[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def kernel_sources() -> list[pathlib.Path]:
    """Every file of narabe that defines kernels, and all that these import: constants are frozen into machine code."""
    texts = {path: path.read_text() for room in ROOMS for path in (PACKAGE / room).rglob("*.py")}
    found: set[pathlib.Path] = set()
    waiting = [path for path, text in texts.items() if "kernel\ndef " in text]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for module, names in _IMPORT.findall(texts[path]):
            base = PACKAGE.joinpath(*module.split(".")[1:])
            files = [
                base.with_suffix(".py"),
                base / "__init__.py",
                *(base / f"{n}.py" for n in re.findall(r"\w+", names)),
            ]
            waiting += [file for file in files if file in texts]
    return sorted(found)


def digest(files: Iterable[pathlib.Path], *more: str) -> str:
    """A short hash of the files' names and contents and of `more`."""
    h = hashlib.sha256("\0".join(more).encode())
    for path in files:
        h.update(path.name.encode() + b"\0" + path.read_bytes())
    return h.hexdigest()[:12]


def _user_cache() -> pathlib.Path:
    if sys.platform == "win32":
        return pathlib.Path(os.environ.get("LOCALAPPDATA") or pathlib.Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return pathlib.Path.home() / "Library" / "Caches"
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")


def _usable(folder: pathlib.Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _MARK).touch()
        return True
    except OSError:
        return False


def _prune(root: pathlib.Path, keep: pathlib.Path) -> None:
    """Remove sibling cache folders that nobody has used for 30 days."""
    for folder in root.glob("narabe-*"):
        try:
            if folder != keep and time.time() - (folder / _MARK).stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # another process removed it first, or it is not ours
            continue


def find_cache_folder() -> pathlib.Path:
    """The folder of this version of our kernels: under NUMBA_CACHE_DIR, else the user's cache, else a temporary one."""
    name = "narabe-" + digest(kernel_sources(), numba.__version__)
    asked = config.CACHE_DIR
    try:
        roots = [pathlib.Path(asked)] if asked else [_user_cache() / "narabe"]
    except RuntimeError:  # a user without a home, as in some containers
        roots = []
    user = os.getuid() if hasattr(os, "getuid") else 0
    for root in [*roots, pathlib.Path(tempfile.gettempdir()) / f"narabe-cache-{user}"]:
        folder = root / name
        if _usable(folder):
            _prune(root, folder)
            return folder
    return pathlib.Path(tempfile.mkdtemp(prefix="narabe-cache-"))


CACHE_FOLDER = find_cache_folder()


def kernel(function: F) -> F:
    """Compile `function` on first use, without the GIL, and keep the machine code in `CACHE_FOLDER`.

    The same as ``numba.njit(cache=True, nogil=True)``, except for the folder; numba's own setting is left as it was,
    so that other packages' caches stay where they are. The way in from C, which numba would compile as well, is left out:
    nobody comes that way, and kernels compile a twentieth faster. With ``NUMBA_DISABLE_JIT=1`` the function is returned
    as it is.

    >>> @kernel
    ... def double(x):
    ...     return 2 * x
    >>> double(21)
    42
    """
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        return cast(F, numba.njit(cache=True, nogil=True, no_cfunc_wrapper=True)(function))
    except RuntimeError:  # typed at a prompt: there is no file, so nothing that a cache could be named by
        return cast(F, numba.njit(nogil=True, no_cfunc_wrapper=True)(function))
    finally:
        config.CACHE_DIR = before
