"""A .npz file that is written row by row, so that the arrays need not fit into memory. Equal rows make equal bytes."""

from __future__ import annotations

import os
import shutil
import tempfile
import zipfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.lib import format as npy

EPOCH = (1980, 1, 1, 0, 0, 0)  # as numpy dates what it writes: the clock would be in the bytes
PIECE = 1 << 20


class NpzWriter:
    """Writes the arrays of ``path``; they are in place, whole, when the body of a ``with`` has ended without an error.

    Rows wait in raw files beside it, uncompressed, and are compressed at the end.

    >>> path = Path(tempfile.mkdtemp()) / "a.npz"
    >>> with NpzWriter(path) as out:
    ...     out.add(x=np.zeros((2, 3), np.int8), y=np.array([1, 2]))
    ...     out.add(x=np.ones((1, 3), np.int8), y=np.array([3]))
    >>> {name: array.shape for name, array in np.load(path).items()}
    {'x': (3, 3), 'y': (3,)}
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._columns: dict[str, _Column] = {}
        self._whole: dict[str, np.ndarray] = {}

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._folder = Path(
            self._stack.enter_context(tempfile.TemporaryDirectory(dir=self.path.parent, prefix=".npz-"))
        )
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        with self._stack:
            for column in self._columns.values():
                column.file.close()
            if kind is None:
                self._write()

    def add(self, **rows: np.ndarray) -> None:
        """Add rows to every array named here; all rows of an array have one dtype and one shape."""
        for name, array in rows.items():
            if name not in self._columns:
                self._columns[name] = _Column(self._folder / name, array)
            self._columns[name].add(array)

    def put(self, **arrays: Any) -> None:
        """Arrays that are given whole."""
        self._whole |= {name: np.asanyarray(array) for name, array in arrays.items()}

    def _write(self) -> None:
        part = self._folder / "whole"
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, array in self._whole.items():
                with archive.open(_entry(name), "w", force_zip64=True) as file:
                    npy.write_array(file, array, allow_pickle=False)
            for name, column in self._columns.items():
                with archive.open(_entry(name), "w", force_zip64=True) as file, column.path.open("rb") as raw:
                    npy.write_array_header_1_0(file, column.header())
                    shutil.copyfileobj(raw, file, PIECE)
        os.replace(part, self.path)


class _Column:
    """An array so far."""

    def __init__(self, path: Path, first: np.ndarray) -> None:
        self.path, self.file = path, path.open("wb")
        self.dtype, self.shape, self.rows = first.dtype, first.shape[1:], 0

    def add(self, array: np.ndarray) -> None:
        if (array.dtype, array.shape[1:]) != (self.dtype, self.shape):
            raise ValueError(f"rows of {array.dtype} {array.shape[1:]} after rows of {self.dtype} {self.shape}")
        self.file.write(np.ascontiguousarray(array).tobytes())
        self.rows += len(array)

    def header(self) -> dict[str, Any]:
        descr = npy.dtype_to_descr(self.dtype)
        return {"descr": descr, "fortran_order": False, "shape": (self.rows, *self.shape)}


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(f"{name}.npy", EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry
