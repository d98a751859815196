"""Names and places of the weights of the estimate, and which set serves a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from narabe.envs.rules.lines import KINDS
from narabe.search.alphabeta.tuned import TUNED

LINES_OF_KIND = 0  # first of the counts of lines by kind (DEAD left out), own then other
FORKS = 2 * (KINDS - 1)  # cells of two threes, and of a four and a three; own, then other
PAIRS = FORKS + 4  # one of four by captured pairs (none: none of them), own, then other
TAKING = PAIRS + 8  # pairs that can be taken now, own, other
TEMPO = TAKING + 2  # one for the side to move
FEATURES = TEMPO + 1
FINE = 16  # weights are stored in sixteenths of a point
LOGIT = 256.0  # points that multiply the odds of winning by e

NAMES = (
    *(f"{who}_kind_{kind}" for who in ("own", "other") for kind in range(1, KINDS)),
    *(f"{who}_{fork}" for who in ("own", "other") for fork in ("double_three", "four_three")),
    *(f"{who}_pairs_{n}" for who in ("own", "other") for n in range(1, 5)),
    "own_taking",
    "other_taking",
    "tempo",
)


def kind_of_game(options: Mapping[str, Any]) -> str:
    """Which tuned set serves a line game with these options: the one with the nearest rules."""
    if options["captures"]:
        return "capture_gomoku"
    if options["double_four"] or options["overline"]:
        return "renju" if options["bans"] == "black" else "omok"
    if options["double_three"]:
        return "omok"
    return "gomoku" if options["exact"] else "freestyle"


def weights_for(options: Mapping[str, Any]) -> np.ndarray:
    """int32 (2 * FEATURES,): the weights with Black to move, then with White to move, in sixteenths of a point.

    >>> weights_for(dict(captures=False, double_four=False, overline=False, double_three=False, exact=True)).shape
    (74,)
    """
    return as_weights(TUNED[kind_of_game(options)])


def as_weights(numbers: Mapping[str, Mapping[str, float]]) -> np.ndarray:
    """The array of ``{"black": {name: points}, "white": {name: points}}``, or of one set for ``"both"``; the rest is 0."""
    out = np.zeros((2, FEATURES))
    for i, colour in enumerate(("black", "white")):
        for name, points in numbers.get(colour, numbers.get("both", {})).items():
            out[i, NAMES.index(name)] = points * FINE
    return np.round(out).astype(np.int32).reshape(-1)
