"""State at its edges: seats, undo and texts with chance, moves that are none, names of actions."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from narabe.agents import make
from narabe.envs import Game, IllegalMove, OptionError, game
from narabe.envs.drawing.ansi import ansi
from narabe.tests.games import game_of, heap, poker

LINE = game("gomoku", size=7)
HEAP, POKER = game_of(heap, stones=12), game_of(poker, cards=5)


@pytest.mark.parametrize("played", [LINE, HEAP, POKER], ids=["line", "heap", "poker"])
@pytest.mark.parametrize("seat", [-2, -1, 3, 10**7])
def test_a_seat_that_does_not_exist_is_refused(played: Game, seat: int) -> None:
    """Also -2, which `to_play` is after the end: it must not read somebody's planes by accident."""
    state = played.start()
    for ask in (state.observe, state.view, state.seen):
        with pytest.raises(ValueError, match=f"seat {seat}"):
            ask(seat)


@pytest.mark.parametrize("played", [HEAP, POKER], ids=["heap", "poker"])
def test_undo_takes_back_players_moves_with_the_chance_after_them_and_no_deal(played: Game) -> None:
    for seed in range(20):
        state = played.start(seed)
        trail = [state.to_text()]
        while not state.is_over:
            state.play(int(state.legal_actions()[0]))
            trail.append(state.to_text())
        for text in trail[-2::-1]:
            assert state.undo().to_text() == text
            assert state.to_play >= 0
        with pytest.raises(IllegalMove, match="no move to take back"):
            state.undo()


@pytest.mark.parametrize("played", [HEAP, POKER], ids=["heap", "poker"])
def test_texts_with_chance_in_them_give_the_position_back(played: Game) -> None:
    for seed in range(20):
        state = played.start(seed)
        while not state.is_over:
            again = played.from_text(state.to_text())
            assert again == state and again.history == state.history and again.to_play == state.to_play
            state.play(int(state.legal_actions()[-1]))


@pytest.mark.parametrize("move", [1.5, True, None, (3, 3), [3]])
def test_what_is_no_move_is_refused_in_words(move: object) -> None:
    with pytest.raises(IllegalMove, match="cannot read"):
        LINE.start().play(move)  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [-1, 49, 1000])
def test_a_number_that_is_no_action_has_no_name(action: int) -> None:
    with pytest.raises(ValueError, match="is no action"):
        LINE.text_of(action)


def test_every_seat_has_a_name() -> None:
    assert len(set(HEAP.players)) == HEAP.num_players == 3


def test_overlays_take_points_by_text() -> None:
    drawn = LINE.start().scene(heat={"D4": 1.0}, numbers={"A1": 7})
    assert dict(drawn.numbers) == {0: "7"} and dict(drawn.heat) == {24: 1.0} and "7" in ansi(drawn)
    with pytest.raises(IllegalMove, match="off the 7x7 board"):
        LINE.start().scene(numbers={"H8": "x"})


def test_points_may_be_given_in_one_text() -> None:
    assert LINE.position(black="D4 E5", white="A1") == LINE.position(black=["D4", "E5"], white=[0])
    with pytest.raises(ValueError, match="ply -5"):
        LINE.position(black="D4", ply=-5)


def test_the_last_move_is_one_of_the_side_that_is_not_to_move() -> None:
    with pytest.raises(ValueError, match="last move A1"):
        LINE.from_text("7/7/7/7/7/7/xxxxx2 b 9 0-0 A1 -")


@pytest.mark.parametrize(
    "text",
    [
        "7/7/7/3x3/7/7/7 b 0 0-0 - o",  # a stone before the first ply
        "7/7/7/7/7/7/7 b 2 0-0 - o",  # two plies and no stone
        "7/7/7/7/7/7/x6 w 1 0-0 A1 o",  # not on the centre
        "7/7/7/3x3/7/7/7 b 1 0-0 - o",  # the wrong side
        "7/7/7/3x3/7/7/o6 w 3 0-0 - o",  # past the opening
    ],
)
def test_a_position_in_the_opening_is_one_of_its_plies(text: str) -> None:
    with pytest.raises(ValueError, match="opening o"):
        game("capture_gomoku", size=7).from_text(text)


def test_an_option_that_would_take_for_ever_is_refused() -> None:
    with pytest.raises(OptionError, match="for ever"):
        game("renju", row=3)
    assert game("renju", size=10, row=3).options["recursive"]


def test_an_agent_refuses_what_is_not_its_game_or_its_turn() -> None:
    agent = make("greedy", LINE)
    with pytest.raises(ValueError, match="this agent plays"):
        agent.analyse(game("gomoku", size=9).start())
    with pytest.raises(ValueError, match="seat 0 is to move"):
        agent.choose([LINE.start().view(1)])
    over = LINE.position(black="A1 B1 C1 D1 E1", white="A7")
    with pytest.raises(ValueError, match="the game is over"):
        agent.analyse(over)
    assert np.isclose(agent.analyse(LINE.start()).policy.sum(), 1)


def test_a_view_does_not_foretell_chance() -> None:
    """What an agent draws in its view is not what the truth will draw, though both begin with the same seed."""
    g = game("gomocku", size=5, stones=1, chance=8, coloured=4)
    same, flips = 0, 0
    for number in range(200):
        state, rng = g.start(seed=number), np.random.default_rng(number)
        while not state.is_over and int(state.record["stage"][0]) != 1:
            state.play(int(rng.choice(state.legal_actions())))
        if state.is_over:
            continue
        everything = int(state.legal_actions()[-1])
        foreseen = state.view(state.to_play, seed=number).state().play(everything)
        state.play(everything)
        flips += 1
        same += foreseen.history[1:] == state.history[-len(foreseen.history) + 1 :]
    assert flips > 150
    assert 0.3 < same / flips < 0.7


@pytest.mark.parametrize("name", ["goita", "goita_match", "gomocku"])
def test_a_view_played_on_is_kept_with_the_eyes_it_is_seen_through(name: str) -> None:
    state = game(name).start(seed=3)
    for _ in range(6):
        state.play(int(state.legal_actions()[0]))
    looked = state.view(1, seed=8).state()
    for _ in range(3):
        looked.play(int(looked.legal_actions()[-1]))
    again = pickle.loads(pickle.dumps(looked))
    assert (again.seat, again.to_text(), again.history) == (1, looked.to_text(), looked.history)
    assert again.svg() == looked.svg()
    while not looked.is_over:
        action = int(looked.legal_actions()[0])
        assert looked.play(action) == again.play(action)
    assert again.undo() == looked.undo()
