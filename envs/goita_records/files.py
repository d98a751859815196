"""Records in files or texts, whichever of the two forms they have."""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Sequence

from narabe.envs.goita_records.deal import COUNTS, Match, RecordError
from narabe.envs.goita_records.line import read_lines
from narabe.envs.goita_records.viewer import read_yaml

_HISTORY = re.compile(r"\s*(#.*\n\s*)*[1-9x]+\s*,")


def read(source: str | os.PathLike[str], counts: Sequence[int] = COUNTS) -> Match:
    """The match in a file, or in a text: history lines (one a deal) or a YAML record.

    A text of one line that is neither a history line nor in braces is the path of a file. Raises `RecordError` for what
    is no record, `OSError` for a file that cannot be read.

    >>> len(read("11223449,11122357,11356678,11134455,s1\\n11223449,11122357,11356678,11134455,s2").deals)
    2
    """
    text = source if isinstance(source, str) else _content(source)
    if isinstance(source, str) and not _is_text(source):
        text = _content(source)
    text = text.removeprefix("\ufeff")
    return read_lines(text, counts) if _HISTORY.match(text) else read_yaml(text, counts)


def _is_text(source: str) -> bool:
    return "\n" in source.strip() or source.strip().startswith("{") or bool(_HISTORY.match(source))


def _content(path: str | os.PathLike[str]) -> str:
    data = pathlib.Path(path).read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(line, "encoding", "records are written in UTF-8") from None
