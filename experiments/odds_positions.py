"""Late positions of Gomocku on 9x9, each of which teaches something about turning now or waiting.

They come from `late_position(game("gomocku:size=9"), plies, seed, 4.0, 9)` of `narabe.experiments.study_star`, which plays
by the law's urgency with noise: all seeds below 500 with two, three and four plies left were solved by
`narabe.search.flip_timing`, and these are among those with the largest differences. What the lessons say has been read off
the solved moves.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OddsPosition:
    """A position to learn from: ``text`` as `State.from_text` reads it, ``plies`` before the end, ``seed`` as above."""

    name: str
    plies: int
    seed: int
    text: str
    lesson: str
    game: str = "gomocku:size=9"


POSITIONS = (
    OddsPosition(
        "one chance",
        3,
        9,
        "1o1x4o/7x1/o1xxxoxxo/o2oooxxx/2oxx4/o2x2ox1/2x1ooxoo/3xoox2/3x5 37 - D5 -",
        "E4 with E5 turned makes five if E5 comes up white, 2 times in 5; every other move loses. "
        "The value is 2/5 of a win and 3/5 of a loss: -1/5.",
    ),
    OddsPosition(
        "two at once",
        3,
        46,
        "1o1x3xo/x1x1ox2x/1o1o1x1o1/oo2o1o2/1x2x3o/oxx2xx1x/1o2xo1ox/4oo1o1/4x2xx 37 - I4 -",
        "E4 sandwiches a piece above and one below. Turning both wins for certain: by five at once with 14/95, and else by "
        "more pieces turned. Turning one of them is worth +0.11 at most.",
    ),
    OddsPosition(
        "count, do not gamble",
        2,
        126,
        "xx5oo/o5x2/xxo1x1xo1/2xooooxx/o1xo3x1/1x6o/3oo2ox/o2o1x1o1/xox1x2x1 38 - B1 -",
        "D7 may make five with 2/5, which is worth -1/5. E5 makes none, but turns three pieces: White cannot catch up, and "
        "Black wins by the score. Turning only two of the three would leave White even chances.",
    ),
    OddsPosition(
        "wait, they cannot",
        3,
        250,
        "x1xooo2x/xo3ooox/5x1xo/4xox2/o1xx2ox1/8o/xoo5o/3ox1x1x/xx2x1oo1 37 - E2 -",
        "H9 turns nothing but makes a four: Black must spend his last piece on G9, and White's last one then turns more than "
        "he did. Who turns first here leaves Black the last word.",
    ),
    OddsPosition(
        "take the best chance away",
        4,
        265,
        "x1o2x3/1xoo1o1oo/2xo2xxo/oxx1o1x2/3o1x2x/1x2o2ox/1o1o2x1x/3x2o2/xo3ox2 36 - B3 -",
        "Every turn leaves White good prospects. After the quiet I2 all that White has is one flip of 2/5, so Black keeps "
        "3/5 of the points.",
    ),
    OddsPosition(
        "leave it lying",
        3,
        227,
        "o3x4/ooxxox1xx/oorx3xo/xxx4xx/x4oo2/xx1o4o/x8/oo6o/3ox1xoo 37 - H8 -",
        "I5 makes a four that I3 will complete, and wins for certain. I6 could be turned as well: but if it came up white, I3 "
        "would make six, which is banned.",
    ),
    OddsPosition(
        "one is better than two",
        3,
        452,
        "2x2x1o1/1xxxrx3/1ooRo2o1/oxo2oox1/5o3/1xo1x2xo/1o2xrxx1/o1x2x3/1ox1x2o1 37 - E3 -",
        "D3 may turn E4 for a five with 8/19: above 2/5, as red backs have been seen. Turning C2 too would make six where both "
        "come up white: 28/171 for a foul, and for the five only 44/171.",
    ),
    OddsPosition(
        "a foul worth risking",
        3,
        322,
        "o2x3x1/xx1o1x1x1/1o1o5/1oox1xo1o/o4bx1x/1x1x1x2x/o3o2xo/x2ox1o1x/ooo4x1 37 - F6 -",
        "E6 turning both neighbours makes six, a foul, if both come up white: 14/95. Otherwise White wins, so the move is "
        "worth 1 - 2 * 14/95 = 67/95. Turning only one avoids the foul and is worth less than nothing.",
    ),
)
