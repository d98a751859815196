"""Threat-aware UCT: what it proves is so, it proves what it should, and it knows its threats."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from narabe.agents import AgentError, make
from narabe.envs import LawError, State, game
from narabe.envs.rules import calls
from narabe.envs.rules.random import new_stream
from narabe.search.threatened_uct import ThreatenedUct
from narabe.search.threatened_uct.work import OPEN
from narabe.search.uct import Found, Uct
from narabe.tests.search.minimax import exact_winner

TINY = {
    "tic-tac-toe": game("gomoku", size=3, row=3),
    "3x3 freestyle": game("freestyle", size=3, row=3),
    "4x4 three": game("gomoku", size=4, row=3),
    "4x4 four": game("freestyle", size=4, row=4),
    "5x3 exact": game("gomoku", width=5, height=3, row=3),
    "omok": game("omok", size=4, row=3),
    "omok four": game("omok", size=5, row=4),
    "renju": game("renju", size=4, row=3),
    "renju four": game("renju", size=5, row=4),
    "captures": game("capture_gomoku", size=4, row=4, opening="none"),
    "captures three": game("capture_gomoku", width=6, height=3, row=3, opening="none"),
    "captures five": game("capture_gomoku", size=5, opening="none"),
    "captures and bans": game("capture_gomoku", size=4, row=3, opening="none", double_three=True, double_four=True),
}
GOMOKU = game("gomoku")


def late(tiny: str, empty: int, seed: int) -> State:
    """A position with so many empty cells after random legal moves, of a game not over; with captures many pairs are taken,
    and fewer cells are empty, since each capture empties two."""
    g = TINY[tiny]
    empty -= 3 if g.options["captures"] else 0
    rng = np.random.default_rng(seed)
    while True:
        state = g.start()
        if g.options["captures"]:
            state = captured(state, rng)
        while not state.is_over and int(state.record[0]["n_empty"]) > empty:
            state.play(int(rng.choice(state.legal_actions())))
        if not state.is_over:
            return state


def captured(state: State, rng: np.random.Generator) -> State:
    """The start, with up to four pairs taken by each."""
    return state.game.position(pairs=tuple(int(n) for n in rng.integers(0, 5, 2)))


def nodes_of(uct: ThreatenedUct, start: State) -> Iterator[tuple[State, int]]:
    """Every node below the root with its position and verdict."""
    stack = [(0, start.copy())]
    while stack:
        slot, state = stack.pop()
        first = int(uct.tree.nodes[slot]["first"])
        for child in range(first, first + int(uct.tree.nodes[slot]["tried"])):
            after = state.copy().play(int(uct.tree.nodes[child]["action"]))
            yield after, uct._verdict_of(child)
            stack.append((child, after))


def search(state: State, sims: int = 400, seed: int = 1, **options: object) -> Found:
    return ThreatenedUct(state.game, **options).search(state.record, new_stream(seed), sims=sims)  # type: ignore[arg-type]


def sign(state: State, winner: int) -> float:
    return 0.0 if winner == 0 else 1.0 if winner == state.to_play + 1 else -1.0


@pytest.mark.parametrize("tiny", TINY)
@pytest.mark.parametrize("fours", [None, (0, 0, 0)])
def test_every_proof_in_the_tree_is_right(tiny: str, fours: tuple[int, int, int] | None) -> None:
    proofs = 0
    for seed in range(40):
        state = late(tiny, 7 + seed % 3, seed)
        uct = ThreatenedUct(state.game, max_nodes=30_000, fours=fours)
        found = uct.search(state.record, new_stream(seed), sims=[5, 30, 100, 600][seed % 4])
        if found.proven is not None:
            proofs += 1
            assert found.proven == sign(state, exact_winner(state))
        for after, verdict in nodes_of(uct, state):
            if verdict != OPEN:
                proofs += 1
                assert verdict == exact_winner(after), after.to_text()
    assert proofs > 20


@pytest.mark.parametrize("tiny", TINY)
def test_small_positions_are_solved(tiny: str) -> None:
    """And the move that it plays keeps the result."""
    for seed in range(10):
        state = late(tiny, 6 + seed % 3, 100 + seed)
        found = search(state, sims=20_000, seed=seed)
        winner = exact_winner(state)
        assert found.proven == sign(state, winner), state.to_text()
        assert found.value[state.to_play] == found.proven == -found.value[1 - state.to_play]
        assert exact_winner(state.play(found.principal_variation[0])) == winner


def test_tic_tac_toe_is_proven_a_draw_and_three_on_4x4_a_win() -> None:
    assert search(TINY["tic-tac-toe"].start(), sims=20_000).proven == 0.0
    assert search(TINY["4x4 three"].start(), sims=20_000).proven == 1.0


@pytest.mark.parametrize("cap", [10, 30, 80])
def test_a_tree_that_is_full_claims_nothing_wrong(cap: int) -> None:
    for seed in range(20):
        state = late("4x4 three", 8, seed)
        found = search(state, sims=500, seed=seed, max_nodes=cap)
        assert found.proven in (None, sign(state, exact_winner(state)))


def test_what_is_proven_stays_proven_while_the_game_goes_on() -> None:
    kept = 0
    for seed in range(20):
        state = late("4x4 four" if seed % 2 else "captures", 7, seed)
        uct, rng = ThreatenedUct(state.game, max_nodes=200_000), new_stream(seed)
        found = uct.search(state.record, rng, sims=20_000)
        value = found.proven
        assert value is not None
        while not state.is_over:
            action = found.principal_variation[0]
            uct.advance(action)
            seat = state.to_play
            state.play(action)
            if state.is_over:
                assert state.payoffs[seat] == value
                break
            value = value if state.to_play == seat else 0.0 - value
            found = uct.search(state.record, rng, sims=20_000)
            assert found.proven == value
            kept += found.simulations == 0
    assert kept > 50


def test_a_win_is_found_and_played_to_its_end_without_a_simulation() -> None:
    """Fours that end in two at once, against replies that are not the expected ones either."""
    state = GOMOKU.position(black="H8 H9 H10 I8 J8", white="A1 A15 O1 O15 B3", to_move="black")
    uct = ThreatenedUct(GOMOKU)
    while not state.is_over:
        if state.to_play == 0:
            found = uct.search(state.record, new_stream(1), sims=100)
            assert (found.proven, found.simulations) == (1.0, 0)
            assert found.principal_variation
            action = found.principal_variation[0]
        else:
            action = int(state.legal_actions()[state.ply % 7])
        state.play(action)
        uct.advance(action)
    assert state.payoffs == (1, -1)


def test_the_same_position_searched_again_gives_the_win_again() -> None:
    state = GOMOKU.position(black="H8 H9 H10 I8 J8", white="A1 A15 O1 O15 B3", to_move="black")
    uct = ThreatenedUct(GOMOKU)
    first, again = (uct.search(state.record, new_stream(1), sims=10) for _ in range(2))
    assert first.principal_variation == again.principal_variation
    assert again.proven == 1.0


@pytest.mark.parametrize("name", ["gomoku", "freestyle", "omok", "renju"])
@pytest.mark.parametrize("seat", [0, 1])
def test_an_open_three_is_answered(name: str, seat: int) -> None:
    """Every other move is proven lost, the answers are not."""
    g = game(name, size=13)
    three, others = "E7 F7 G7", "B2 L3 C12" if seat else "B2 L3"
    black, white = (three, others) if seat else (others, three)
    if not seat:
        black = "B2 L3 C12"
    state = g.position(black=black, white=white, to_move=["black", "white"][seat])
    found = search(state, sims=300)
    assert g.text_of(found.principal_variation[0]) in ("C7", "D7", "H7", "I7")
    assert {g.text_of(int(a)) for a in np.flatnonzero(found.visits)} <= {"C7", "D7", "H7", "I7"}
    assert found.proven is None


def test_two_open_threes_are_proven_lost_and_a_move_is_played_all_the_same() -> None:
    state = GOMOKU.position(black="H8 H9 H10 J8 K8 L8", white="A1 A15 O1 O15 B3 C12", to_move="white")
    found = search(state, sims=2000)
    assert found.proven == -1.0
    assert found.principal_variation[0] in state.legal_actions()
    assert len(found.principal_variation) > 2


def test_a_capture_parries_a_row_as_well() -> None:
    """Black threatens five on I7; White may lay a stone there or take F7 and F6."""
    g = game("capture_gomoku", size=13, opening="none")
    state = g.position(black="E7 F7 G7 H7 F6", white="D7 F5 B2 L3 C12", to_move="white")
    uct = ThreatenedUct(g)
    found = uct.search(state.record, new_stream(1), sims=200)
    assert {g.text_of(int(n["action"])) for n in uct.tree.children(0)} == {"I7", "F8"}
    assert g.text_of(found.principal_variation[0]) in ("I7", "F8")


def test_a_fifth_pair_is_taken_and_one_that_threatens_is_stopped() -> None:
    g = game("capture_gomoku", size=13, opening="none")
    white_to_move, state = (
        g.position(black="E7 F7 L2 K11", white="G7 B2 L5 C12", pairs=(0, 4), to_move=colour)
        for colour in ("white", "black")
    )
    wins = search(white_to_move, sims=50)
    assert (wins.proven, wins.simulations, g.text_of(wins.principal_variation[0])) == (1.0, 0, "D7")
    found = search(state, sims=200)
    after = state.copy().play(found.principal_variation[0])
    assert search(after, sims=1).proven is None


def test_a_far_move_is_found_where_all_near_ones_are_lost() -> None:
    """Children are moves near stones; before a loss is claimed, all other moves are looked at."""
    state = game("freestyle", width=20, height=3).position(black="A1 B1 C1 D1", white="A3 C3 E2", to_move="white")
    found = search(state, sims=100)
    assert state.game.text_of(found.principal_variation[0]) == "E1"
    lost = game("freestyle", width=20, height=3).position(black="B1 C1 D1 E1", white="A3 C3 E3", to_move="white")
    assert search(lost, sims=100).proven == -1.0


@pytest.mark.parametrize("name", ["gomoku", "omok", "capture_gomoku", "renju"])
def test_the_same_seed_finds_the_same(name: str) -> None:
    state = game(name, size=13).start()
    for move in ("G7", "H8", "G11", "H7", "F8"):
        state.play(move)
    one, other, third = (search(state, 300, seed) for seed in (3, 3, 4))
    assert one.visits.tobytes() == other.visits.tobytes() != third.visits.tobytes()
    assert (one.principal_variation, one.value.tobytes()) == (other.principal_variation, other.value.tobytes())
    assert one.simulations == one.visits.sum() == 300


def test_the_first_moves_of_the_tournament_opening_are_legal() -> None:
    state = game("capture_gomoku").start()
    for _ in range(3):
        found = search(state, sims=50)
        state.play(found.principal_variation[0])
    assert len(state.history) == 3


def test_the_states_and_patterns_are_as_before_after_a_search() -> None:
    state = game("capture_gomoku", size=9, opening="none").start()
    for move in ("E5", "F5", "D4", "C3", "F6", "G7"):
        state.play(move)
    uct = ThreatenedUct(state.game)
    before = state.record.copy()
    uct.search(state.record, new_stream(1), sims=1)
    patterns = uct.patterns.copy()
    for _ in range(5):
        uct.search(state.record, new_stream(2), sims=200)
        assert (uct.states[:1] == before).all() and (uct.states[1:2] == before).all()
        for name in ("sets", "counts", "words", "active", "takes", "n_log", "n_words", "n_marks"):
            np.testing.assert_array_equal(uct.patterns[name], patterns[name])


def test_other_games_are_refused_by_name() -> None:
    for name in ("gomocku", "connect_four", "goita"):
        words = f"^{name}[^\n]* has no search that knows threats: only gomoku, [^\n]*renju have it$"
        with pytest.raises(LawError, match=words):
            ThreatenedUct(game(name))
        with pytest.raises(AgentError, match="^uct:vcf=true: .* has no search that knows threats: only"):
            make("uct:vcf=true", game(name))


def test_plain_uct_is_what_it_was() -> None:
    """Visits of plain UCT, written down before it had a relative that knows threats."""
    digest = hashlib.sha256()
    for name in ("gomoku", "omok", "capture_gomoku", "connect_four", "gomocku"):
        g = game(name)
        uct, state, rng = Uct(g, max_nodes=50_000), g.start(), new_stream(5)
        for _ in range(3):
            found = uct.search(state.record, rng, sims=700)
            digest.update(found.visits.tobytes() + found.value.tobytes())
            told = len(state.history)
            state.play(found.principal_variation[0])
            for action in state.history[told:]:
                uct.advance(action)
    assert digest.hexdigest()[:16] == "5bfbdd0274ef6c7f"


def sample() -> str:
    """Some searches, as text: for comparing compiled code with plain Python."""
    found = []
    for tiny in ("4x4 three", "renju four", "captures five"):
        state = late(tiny, 12, 3)
        f = search(state, sims=25, max_nodes=2000)
        found.append([f.visits.tolist(), f.value.tolist(), f.principal_variation, f.proven])
    return json.dumps(found)


def test_compiled_and_plain_python_give_the_same() -> None:
    code = "from narabe.tests.search.test_uct_threats import sample; print(sample())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    # plain Python warns where unsigned numbers wrap around, as they are meant to
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == sample()


def test_the_key_of_the_position_decides_whether_the_tree_is_kept() -> None:
    state = game("gomoku", size=9).start()
    uct = ThreatenedUct(state.game)
    uct.search(state.record, new_stream(1), sims=200)
    state.play("E5")
    found, fresh = (u.search(state.record, new_stream(2), sims=100) for u in (uct, ThreatenedUct(state.game)))
    np.testing.assert_array_equal(found.visits, fresh.visits)
    assert int(calls.key(uct.states, 0)) == state.key
