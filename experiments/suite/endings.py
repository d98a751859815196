"""Positions near the end for the suite: block stacking, late Gomocku and endings of Goita, every move of which is known.

In block stacking and Gomocku the value of every move is exact. In Goita a move is right if it is the first of a win that
nobody can hinder, whatever the other hands are of all that agree with what the seat has seen; and wrong if there are hands
among them for which the pair loses even with all hands open. Positions with a move that is neither are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from narabe.envs import Game, State, game
from narabe.envs.rules.goita.record import PASS, PLAY
from narabe.experiments.study_star import late_position
from narabe.search.goita import OpenHands, Position
from narabe.search.goita.beliefs import Beliefs
from narabe.search.goita.law import position_of_state
from narabe.search.gravity.law import board_of
from narabe.search.gravity.law import position_of_state as stones_of
from narabe.search.gravity.solver import Solver, plies_to_end
from narabe.search.star import Star

MARGIN = 0.01
"""In Gomocku a wrong move is worth less by so much at least, in payoff."""
LAYOUTS = 3000
"""Hands of Goita that agree with what was seen, at most."""


def random_play(g: Game, rng: np.random.Generator, seed: int = 0) -> Iterator[State]:
    """The states of a game of random moves where there is something to choose."""
    state = g.start(seed=seed)
    while not state.is_over:
        legal = state.legal_actions()
        if len(legal) > 1:
            yield state
        state.play(int(rng.choice(legal)))


# ---- block stacking ----


def stacking(spec: str, seed: int, plies: tuple[int, int] = (8, 20)) -> Iterator[tuple[State, list[int]]]:
    """Positions with so many free cells, in which half of the moves or more give a win or a draw away."""
    g, number = game(spec), 0
    solver = Solver(board_of(g), mb=16)
    while True:
        rng = np.random.default_rng((seed, number))
        number += 1
        wanted = int(rng.integers(plies[0], plies[1] + 1))
        for state in random_play(g, rng):
            if solver.board.cells - state.ply == wanted:
                right = keeping(solver, state)
                if right:
                    yield state.copy(), right
                break


def keeping(solver: Solver, state: State) -> list[int] | None:
    """The moves that keep the win or draw; None where nothing can be lost, or it is won at once, or most moves do."""
    scores = dict(solver.scores(stones_of(state)))
    best = max(scores.values())
    right = [column for column, score in scores.items() if np.sign(score) == np.sign(best)]
    quick = best > 0 and plies_to_end(solver.board, stones_of(state), best) < 3
    return None if best < 0 or quick or 2 * len(right) > len(scores) else sorted(right)


# ---- late Gomocku ----


def gomocku(spec: str, seed: int, plies: int = 3) -> Iterator[tuple[State, list[int]]]:
    """Positions so many plies before the end, in which a third of the moves at most are best."""
    g, number = game(spec), 1000 * seed
    star = Star(g, table=1 << 16)
    while True:
        number += 1
        state = late_position(g, plies, number, 1.5, min(g.options["width"], 7))
        if state is None or len(state.legal_actions()) < 6:
            continue
        worth = values(star, state)
        best = max(worth.values())
        right = [action for action, value in worth.items() if value > best - 1e-9]
        others = [value for action, value in worth.items() if action not in right]
        if others and 3 * len(right) <= len(worth) and max(others) < best - MARGIN:
            yield state, sorted(right)


def values(star: Star, state: State) -> dict[int, float]:
    """The exact value of every legal action for the side to move."""
    seat, found = state.to_play, {}
    for action in state.legal_actions():
        after = state.copy()
        after.chance = "manual"
        after.play(int(action))
        found[int(action)] = after.payoffs[seat] if after.is_over else star.search(after.record).value[seat]
    return found


# ---- Goita ----


def goita(spec: str, seed: int, cards: tuple[int, int] = (4, 6)) -> Iterator[tuple[State, list[int]]]:
    """Positions in which the seat to move has a sure win, holding so many cards, and can give it away."""
    g, number = game(spec), 0
    solver = OpenHands(g, mb=16)
    while True:
        rng = np.random.default_rng((seed, number))
        number += 1
        for state in random_play(g, rng, int(rng.integers(1 << 31))):
            held = len(position_of_state(state).hands[state.to_play]) if int(state.record["phase"][0]) == PLAY else 0
            if cards[0] <= held <= cards[1]:
                right = sure_moves(solver, state)
                if right and 2 * len(right) <= len(state.legal_actions()):
                    yield state.copy(), right
                    break


def sure_moves(solver: OpenHands, state: State) -> list[int] | None:
    """The moves that begin a sure win; None if there are none, or no others, or one that may be either."""
    me, after_burying = state.to_play, solver.after_burying
    position = position_of_state(state)
    moves = position.actions(after_burying)
    if not any(sure(move, [position], me, after_burying) for move in moves):
        return None  # not even for the hands as they are
    worlds = worlds_of(state, position)
    if worlds is None:
        return None
    right = [move for move in moves if sure(move, worlds, me, after_burying)]
    if not right or len(right) == len(moves):
        return None
    for move in moves:
        if move not in right and all(solver.value_of(world, move, "win") > 0 for world in worlds):
            return None
    return right


def worlds_of(state: State, position: Position) -> list[Position] | None:
    """The position with all hands that the seat to move cannot tell apart; None if they are too many."""
    try:
        beliefs = Beliefs.of(state, limit=LAYOUTS)
    except ValueError:
        return None
    worlds = []
    for row in beliefs.hands:
        hands = tuple("".join(str(k) * (int(word) >> 4 * (k - 1) & 15) for k in range(1, 9)) for word in row)
        worlds.append(Position(hands, position.turn, position.attack, position.attacker, position.king_shown))
    return worlds


def sure(move: int, worlds: Sequence[Position], me: int, after_burying: bool = False) -> bool:
    """Does `me` go out in all worlds, with this move and moves that do not depend on the world, as nobody can guard?

    >>> sure(1, [Position(("11", "23", "45", "67"), turn=0)], me=0)
    True
    """
    if worlds[0].goes_out(move):
        return True
    following = []
    for world in worlds:
        position = world.after(move)
        while position.turn != me:
            if position.actions(after_burying) != [PASS]:
                return False
            position = position.after(PASS)
        following.append(position)
    if move == PASS:
        return False
    return any(sure(reply, following, me, after_burying) for reply in following[0].actions(after_burying))
