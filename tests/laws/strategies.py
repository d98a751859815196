"""Random options and random games for property tests."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from narabe.envs import Game, State, game


@st.composite
def options(draw: st.DrawFn, low: int = 3, high: int = 20, **fixed: Any) -> dict[str, Any]:
    """Any options of the line games, on a board of any shape; ``fixed`` ones are kept."""
    width, height = draw(st.integers(low, high)), draw(st.integers(low, high))
    if draw(st.booleans()):
        height = width
    rows = [row for row in (5, 4, 3) if row <= max(width, height)]
    chosen: dict[str, Any] = {
        "width": width,
        "height": height,
        "row": draw(st.sampled_from(rows)),
        "bans": draw(st.sampled_from(("both", "black"))),
        "opening": draw(st.sampled_from(("none", "tournament"))),
    }
    flags = (
        "exact",
        "double_three",
        "double_four",
        "overline",
        "recursive",
        "five_spoils_three",
        "same_line",
        "captures",
    )
    chosen |= {name: draw(st.booleans()) for name in flags} | fixed
    if chosen["row"] == 3 and chosen["width"] * chosen["height"] > 100:
        chosen["recursive"] = False  # every stone is then an extensible three: sound, but slow
    if chosen["opening"] == "tournament" and not (width % 2 == height % 2 == 1 and min(width, height) >= 7):
        chosen["opening"] = "none"
    return chosen


def games(**fixed: Any) -> st.SearchStrategy[Game]:
    """A line game with random options."""
    return options(**fixed).map(lambda chosen: game("freestyle", **chosen))


seeds = st.integers(0, 2**32 - 1)


def random_move(state: State, rng: random.Random) -> int:
    """A random legal move, mostly near another stone, so that rows, bans and captures come up."""
    legal = state.legal_actions().tolist()
    width, last = state.game.options["width"], int(state.record["last"][0])
    if last >= 0 and rng.random() < 0.7:
        close = [a for a in legal if abs(a % width - last % width) <= 2 and abs(a // width - last // width) <= 2]
        legal = close or legal
    return int(rng.choice(legal))


def play_some(state: State, rng: random.Random, plies: int) -> State:
    """Up to ``plies`` random moves on, fewer if the game ends."""
    for _ in range(plies):
        if state.is_over:
            break
        state.play(random_move(state, rng))
    return state


@st.composite
def positions(draw: st.DrawFn, max_plies: int = 80, **fixed: Any) -> State:
    """A position reached by random play, from the start or from a set-up, with its history; it may be over."""
    played, rng = draw(games(**fixed)), random.Random(draw(seeds))
    state = play_some(played.start(), rng, draw(st.integers(0, max_plies)))
    if draw(st.booleans()):
        state = play_some(played.from_text(state.to_text()), rng, draw(st.integers(0, 10)))
    return state
