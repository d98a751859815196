"""Does a game keep the laws that every search and environment relies on? For one's own laws above all."""

from __future__ import annotations

import numpy as np

from narabe.envs.game import CHANCE_SEAT, Game, State
from narabe.envs.rules import calls, core
from narabe.envs.rules.random import below, new_stream


class LawBroken(AssertionError):
    """A game does not do what `docs/design.md` says; the message names the law and the position."""


def check_game(game: Game, games: int = 20, seed: int = 0) -> int:
    """Play random games and test the contract of the law at every ply; returns the plies played.

    Tested: candidates and `legal_mask` against `is_legal` and `fault`; `undo` restores every field; `key` against
    `key_from_scratch`, and restored by `undo`; payoffs within [-1, 1] that sum to zero, only at the end; observations
    within the face's range; copies, bytes and texts give the position back; with hidden parts, what a seat observes does
    not change under `redeal` for that seat. Raises `LawBroken`.

    >>> from narabe.envs import game
    >>> check_game(game("omok", size=7), games=2) > 20
    True
    """
    rng, plies = new_stream(seed), 0
    for number in range(games):
        state = game.start(seed=seed + number, chance="manual")
        while not state.is_over:
            _check_actions(state)
            _check_sight(state)
            before, key = state.record.copy(), state.key
            action = _draw(state, rng)
            state.play(action)
            _check_undo(state, action, before, key)
            plies += 1
        _check_end(state)
        _check_texts(state)
    return plies


def _fail(state: State, law: str) -> None:
    raise LawBroken(f"{state.game.spec}: {law}; after the actions {state.history}")


def _draw(state: State, rng: np.ndarray) -> int:
    if state.to_play == CHANCE_SEAT:
        return int(calls.chance_draw(state.record, 0, rng))
    legal = state.legal_actions()
    return int(legal[below(rng, len(legal))])


def _check_actions(state: State) -> None:
    if state.to_play == CHANCE_SEAT:
        return
    legal = state.legal_actions()
    if not len(legal):
        _fail(state, "the game goes on, but nothing is legal")
    actions = np.arange(state.game.num_actions)
    by_fault = actions[[calls.fault(state.record, 0, int(a)) == 0 for a in actions]]
    if not np.array_equal(legal, by_fault):
        _fail(state, f"legal_mask allows {set(legal) ^ set(by_fault)} where fault does not, or the other way")
    found = np.zeros(4 * state.game.num_actions + 16, np.int64)
    candidates = found[: calls.candidates(state.record, 0, found)]
    if len(set(candidates)) != len(candidates) or not set(legal) <= set(candidates):
        _fail(state, "the candidates repeat themselves, or lack a legal action")


def _check_sight(state: State) -> None:
    game, low_high = state.game, state.game.face.observation_range(state.game)
    for seat in range(game.num_players):
        planes = state.observe(seat)
        low, high = (np.broadcast_to(np.asarray(x)[:, None, None], planes.shape) for x in low_high)
        if (planes < low).any() or (planes > high).any():
            _fail(state, f"the observation of seat {seat} leaves the range of the face")
        if hasattr(game.law, "redeal"):
            view = state.view(seat, seed=state.ply).state()
            if not np.array_equal(view.observe(seat), planes):
                _fail(state, f"seat {seat} observes something else after a redeal for it")
    if hasattr(game.law, "key_from_scratch") and state.key != int(calls.key_from_scratch(state.record, 0)):
        _fail(state, "key differs from key_from_scratch")


def _check_undo(state: State, action: int, before: np.ndarray, key: int) -> None:
    back = state.copy().undo()
    changed = core.differences(back.record, before)
    if changed:
        _fail(state, f"undo of {action} does not restore {', '.join(changed)}")
    if back.key != key:
        _fail(state, f"undo of {action} does not restore the key")


def _check_end(state: State) -> None:
    payoffs = state.payoffs
    if abs(sum(payoffs)) > 1e-9 or max(map(abs, payoffs)) > 1:
        _fail(state, f"the payoffs {payoffs} do not sum to zero, or leave [-1, 1]")
    if state.reason is None or state.legal_mask().any():
        _fail(state, "the game is over without a result, or with legal actions")


def _check_texts(state: State) -> None:
    again = State.from_bytes(state.to_bytes()) if _is_listed(state.game) else state.copy()
    if core.differences(again.record, state.record) or again.history != state.history:
        _fail(state, "the bytes do not give the state back")
    if state.game.from_text(state.to_text()).to_text() != state.to_text():
        _fail(state, "the text does not give the position back")


def _is_listed(game: Game) -> bool:
    """Can the game be found by its name again (as reading bytes must)?"""
    from narabe.envs.variants import entries

    return game.name in {entry.variant.name for entry in entries()}
