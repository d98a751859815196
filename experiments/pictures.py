"""The pictures of the README and of docs/, drawn by the program itself: `python -m narabe.experiments.pictures`."""

from __future__ import annotations

import pathlib
import tempfile

import numpy as np

from narabe.agents import make
from narabe.envs import game, tactics
from narabe.envs.drawing.svg import svg
from narabe.envs.scene import Scene
from narabe.experiments import tournament
from narabe.experiments.tournament_args import TournamentArgs

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


def renju() -> str:
    """Renju: fours, threes and forbidden points of a position, and a victory by continuous fours."""
    state = game("renju").position(
        black="H8 I8 J8 K9 K10 D4 E4 F2 F3", white="G8 E13 F13 B11 N3 M13 C7 N12 D6", to_move="black"
    )
    return state.threats().svg()


def first_moves() -> str:
    """Gomoku on 9x9: what a search gives Black after each first move, in percent; one search for mirror images."""
    g = game("gomoku", size=9)
    agent, percent = make("uct:sims=20000", g), dict[int, float]()
    for action in range(g.num_actions):
        least = min(g.symmetry(action, k) for k in range(g.num_symmetries))
        if least not in percent:
            value = agent.analyse(g.start().play(least)).value
            assert value is not None
            percent[least] = 50 + 50 * value[0]
        percent[action] = percent[least]
    lowest = min(percent.values())
    heat = {action: x - lowest for action, x in percent.items()}
    scene = g.start().scene()
    assert isinstance(scene, Scene)
    caption = "Black's share after this first move, in percent: UCT, 20,000 simulations each"
    return svg(scene.with_(heat=heat, numbers={a: f"{x:.0f}" for a, x in percent.items()}, captions=[caption]))


def ratings() -> str:
    """The ratings of a small tournament: Connect Four by UCT with more and more simulations."""
    agents = ["greedy", "uct:sims=30", "uct:sims=120", "uct:sims=480", "uct:sims=1920"]
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run"
        tournament.run(TournamentArgs("connect_four", agents, games=20, seed=7, out=out, workers=0))
        return (out / "ratings.svg").read_text()


PICTURES = {
    "omok.svg": omok,
    "capture_gomoku.svg": capture_gomoku,
    "gomocku.svg": gomocku,
    "stacking.svg": stacking,
    "goita.svg": goita,
    "renju.svg": renju,
    "first_moves.svg": first_moves,
    "ratings.svg": ratings,
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw())
        print(FOLDER / name)


if __name__ == "__main__":
    main()
