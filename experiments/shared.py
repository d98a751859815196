"""Parts that many tasks have in common, such as the weights of a network: an executor brings each to a worker once.

A payload holds them as `Shared`. `dumps` leaves them out and names them, `loads` puts them back. A worker keeps those
that its last task needed, and its executor knows it by the same rule.
"""

from __future__ import annotations

import io
import pickle
import uuid
from collections.abc import Mapping
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class Shared(Generic[T]):
    """A part of payloads: ``value``, which must be picklable and is not to be changed.

    >>> part = Shared({"layer": [1.0, 2.0]})
    >>> data, parts = dumps(("work", part))
    >>> loads(data, parts)[1].value
    {'layer': [1.0, 2.0]}
    """

    def __init__(self, value: T) -> None:
        self.id = uuid.uuid4().hex
        self._value = value
        self._packed: bytes | None = None
        self._open = True

    @classmethod
    def of_bytes(cls, id: str, packed: bytes) -> Shared[Any]:
        """The same part elsewhere, from its ``id`` and ``packed``; its value is made when it is asked for."""
        part: Shared[Any] = cls.__new__(cls)
        part.id, part._value, part._packed, part._open = id, None, packed, False
        return part

    @property
    def value(self) -> T:
        if not self._open:
            self._value, self._open = pickle.loads(cast(bytes, self._packed)), True
        return self._value

    @property
    def packed(self) -> bytes:
        """The value, pickled; it is done once."""
        if self._packed is None:
            self._packed = pickle.dumps(self._value, pickle.HIGHEST_PROTOCOL)
        return self._packed


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.parts: dict[str, Shared[Any]] = {}

    def persistent_id(self, thing: Any) -> str | None:
        if not isinstance(thing, Shared):
            return None
        self.parts[thing.id] = thing
        return thing.id


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, parts: Mapping[str, Shared[Any]]) -> None:
        super().__init__(file)
        self.parts = parts

    def persistent_load(self, id: str) -> Shared[Any]:
        return self.parts[id]


def dumps(thing: Any) -> tuple[bytes, dict[str, Shared[Any]]]:
    """Pickled without its shared parts, and these by id."""
    file = io.BytesIO()
    pickler = _Pickler(file)
    pickler.dump(thing)
    return file.getvalue(), pickler.parts


def loads(data: bytes, parts: Mapping[str, Shared[Any]]) -> Any:
    """What `dumps` pickled, with its parts put back."""
    return _Unpickler(io.BytesIO(data), parts).load()
