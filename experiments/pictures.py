"""The README's pictures, drawn by the program itself: `python -m narabe.experiments.pictures`."""

from __future__ import annotations

import pathlib

import numpy as np

from narabe.agents import make
from narabe.envs import game, tactics
from narabe.envs.drawing.svg import svg

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "docs" / "pictures"


def omok() -> str:
    """A position of Omok: the visits of a search, and the point that the double-three ban forbids."""
    g = game("omok", size=15)
    black, white = ["F8", "G8", "H9", "H10", "J6", "K5"], ["E12", "J9", "K9", "L8", "G6"]
    state = g.position(black=black, white=white, to_move="black")
    found = make("uct:sims=20000", g).analyse(state)
    most = np.argsort(-found.visits, kind="stable")[:5]
    return state.svg(heat=found.policy, numbers={int(a): str(int(found.visits[a])) for a in most})


def capture_gomoku() -> str:
    """A game of two greedy players of capture Gomoku, at its end."""
    g = game("capture_gomoku", size=13)
    state = g.start()
    players = [make("greedy", g), make("greedy", g)]
    for seat, player in enumerate(players):
        player.new_game(seat, seed=seat + 5)
    while not state.is_over:
        state.play(players[state.to_play].analyse(state).action)
    return state.svg()


def gomocku() -> str:
    """A game of two greedy players of Gomocku, won by a flip; turned pieces bear a diamond, red ones are neutral."""
    g = game("gomocku", size=9)
    state = g.start(seed=6)
    players = [make("greedy", g), make("greedy", g)]
    for seat, player in enumerate(players):
        player.new_game(seat, seed=6 + 100 * seat)
    while not state.is_over:
        state.play(players[state.to_play].analyse(state).action)
    return state.svg()


def stacking() -> str:
    """Block stacking without walls: the two cells of a double reach."""
    g = game("stacking")
    state = g.position(columns=["y", "y", "", "r", "r", "r", "", "yy"], anchor=3, to_move="yellow")
    (found, *_) = [found for found in tactics.find(state) if found.name == "double reach"]
    return svg(tactics.draw(state, found))


def goita() -> str:
    """A deal of Goita in its middle, as player 3 sees it: the example of the card game's rules after eleven plies."""
    g = game("goita", cards="goita")
    hands = "11223449,11122357,11356678,11134455"
    state = g.position(hands=hands, dealer=0, plies="114,2p,3p,444,142,223,336,4p,1p,2p,316")
    return state.view(2).state().svg()


PICTURES = {
    "omok.svg": omok,
    "capture_gomoku.svg": capture_gomoku,
    "gomocku.svg": gomocku,
    "stacking.svg": stacking,
    "goita.svg": goita,
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw())
        print(FOLDER / name)


if __name__ == "__main__":
    main()
