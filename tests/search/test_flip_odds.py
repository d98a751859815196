"""Exact flip odds against counting every assignment of backs with the naive oracle, and against sampling."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import pytest

from narabe.envs import State, game
from narabe.envs.game import IllegalMove
from narabe.search.flip_odds import FlipOdds, flip_odds, outcome_weights
from narabe.tests.laws.gomocku_physical import Physical
from narabe.tests.laws.gomocku_play import naive_options, star
from narabe.tests.laws.gomocku_twin import Twin, mask_of, set_up, text_of
from narabe.tests.oracles.gomocku import COLOURED, RED, STEPS, Cell, Position

Told = dict[tuple[tuple[str, str], ...], tuple[Fraction, str, tuple[str, ...]]]


def told_by(odds: FlipOdds) -> Told:
    """Outcomes by the colours of the flipped pieces: (probability, result, directions put back)."""
    found: Told = {}
    for outcome in odds.outcomes:
        colours = tuple((d, outcome.colours[d]) for d in STEPS if d in outcome.colours)
        assert colours not in found
        found[colours] = (outcome.probability, outcome.result, tuple(d for d in STEPS if d in outcome.put_back))
    return found


def judged(asked: Position, chosen: frozenset[str], weights: dict[tuple[str, ...], Fraction]) -> Told:
    """The same by the oracle, for given probabilities of the unknown backs in the order of their bits."""
    unknown, found = asked.unknown(chosen), {}
    for backs, weight in weights.items():
        after, drawn = asked.flip(chosen, backs), dict(zip(unknown, backs))
        colours = tuple(
            (d, drawn.get(d) or str(asked.board[asked.toward(asked.placed, d)].back)) for d in STEPS if d in chosen
        )
        found[colours] = (weight, str(after.last), after.put_back)
    return found


def by_assignments(asked: Position, chosen: frozenset[str]) -> dict[tuple[str, ...], Fraction]:
    """Every way to lay the unseen coloured backs under the unseen pieces of the other side, counted one by one."""
    coloured, red = asked.unseen({"black": "white", "white": "black"}[asked.mover])
    n, counted = len(asked.unknown(chosen)), Counter()
    for places in combinations(range(coloured + red), coloured):
        counted[tuple(COLOURED if i in places else RED for i in range(n))] += 1  # the flipped pieces come first
    return {backs: Fraction(ways, comb(coloured + red, coloured)) for backs, ways in counted.items()}


def by_counting(asked: Position, chosen: frozenset[str]) -> dict[tuple[str, ...], Fraction]:
    """The same by binomial coefficients: what is left over may lie anywhere."""
    coloured, red = asked.unseen({"black": "white", "white": "black"}[asked.mover])
    n, found = len(asked.unknown(chosen)), {}
    for bits in range(1 << n):
        backs = tuple(COLOURED if bits >> i & 1 else RED for i in range(n))
        c = backs.count(COLOURED)
        ways = comb(coloured + red - n, coloured - c) if c <= coloured else 0
        if ways:
            found[backs] = Fraction(ways, comb(coloured + red, coloured))
    return found


def stars(count: int, **options: object) -> list[tuple[State, Position, Cell]]:
    """Random positions in which much may be turned from one cell: state, oracle's position, that cell."""
    made, found, seed = game("gomocku", **options), [], 0
    while len(found) < count:
        seed += 1
        naive, (cell,) = star(naive_options(made), random.Random(seed))
        state = set_up(made, naive)
        if not state.is_over and not naive.faults(cell) and naive.place(cell).placed is not None:
            found.append((state, naive, cell))
    return found


SMALL = {"size": 7, "stones": 4, "chance": 8, "coloured": 5}


@pytest.mark.parametrize("restores", ["long_row", "all"])
def test_small_games_against_every_assignment_of_the_backs(restores: str) -> None:
    for state, naive, cell in stars(40, foul_restores=restores, **SMALL):
        asked = naive.place(cell)
        for chosen in asked.flip_sets()[-3:]:
            odds = flip_odds(state, cell[1] * 7 + cell[0], text_of(chosen))
            assert told_by(odds) == judged(asked, chosen, by_assignments(asked, chosen))
            assert sum(outcome.probability for outcome in odds.outcomes) == 1


@pytest.mark.parametrize("options", [{}, {"bans": "black"}, {"foul_restores": "all"}], ids=str)
def test_the_full_set_against_counting(options: dict) -> None:
    results: Counter = Counter()
    for state, naive, cell in stars(100, size=9, **options):
        asked = naive.place(cell)
        chosen = asked.flip_sets()[-1]
        odds = flip_odds(state, cell[1] * 9 + cell[0], mask_of(chosen))
        expected = judged(asked, chosen, by_counting(asked, chosen))
        assert told_by(odds) == expected
        for result, chance in (("win", odds.win), ("foul", odds.foul)):
            assert chance == sum(p for p, told, _ in expected.values() if told == result)
        results.update(outcome.result for outcome in odds.outcomes)
    assert min(results[result] for result in ("win", "foul", "nothing")) >= 5


def test_counting_is_right_where_every_assignment_can_be_listed() -> None:
    for _, naive, cell in stars(20, **SMALL):
        asked = naive.place(cell)
        for chosen in asked.flip_sets():
            assert by_counting(asked, chosen) == by_assignments(asked, chosen) == asked.odds(chosen)


def test_odds_against_sampling() -> None:
    """A thousand times the same flips, with the backs drawn by the law."""
    rng = random.Random(1)
    for state, naive, cell in stars(4, size=9):
        asked = naive.place(cell)
        chosen = asked.flip_sets()[-1]
        expected, counted, count = told_by(flip_odds(state, cell[1] * 9 + cell[0], text_of(chosen))), Counter(), 1000
        placed = state.copy().play(cell[1] * 9 + cell[0])
        for _ in range(count):
            after = placed.copy()
            after.chance = "manual"
            after.play(text_of(chosen))
            drawn = []
            while after.to_play == -1:
                weights = outcome_weights(after)
                outcome = rng.choices(list(weights), [float(p) for p in weights.values()])[0]
                drawn.append(COLOURED if outcome == after.game.num_actions + 1 else RED)
                after.play(outcome)
            told = asked.flip(chosen, drawn)
            assert after.is_over == told.is_over
            counted[told.last] += 1
        for result in ("win", "foul", "nothing"):
            p = float(sum(weight for weight, what, _ in expected.values() if what == result))
            assert abs(counted[result] - count * p) <= 4 * sqrt(count * p * (1 - p)), (result, counted, p)


ROSE = """
    B . B . B
    . W W W .
    B W * W B
    . W W W .
    B . B . B
    """


def test_the_figures_of_the_rules() -> None:
    state = Twin.board(ROSE).state
    one, two, three = (flip_odds(state, "C3", flips).coloured() for flips in ("E", "E+N", "E+N+NE"))
    assert one[1] == Fraction(2, 5)
    assert (1 - two[0], two[2]) == (Fraction(62, 95), Fraction(14, 95))
    assert (1 - three[0], three[3]) == (Fraction(46, 57), Fraction(14, 285))
    after_red = Twin.board("BW*WR..\n.......\n.......").state
    after_coloured = Twin.board("BW*.b..\n.......\n.......").state
    assert flip_odds(after_red, "C3", "W").coloured()[1] == Fraction(8, 19)
    assert flip_odds(after_coloured, "C3", "W").coloured()[1] == Fraction(7, 19)


def test_all_eight_at_once() -> None:
    """More coloured backs than eight there are none: the counts follow the hypergeometric law of 8 of 20."""
    told = flip_odds(Twin.board(ROSE).state, "C3", 255).coloured()
    assert told == {k: Fraction(comb(8, k) * comb(12, 8 - k), comb(20, 8)) for k in range(9)}


def test_a_hit_that_wins() -> None:
    odds = flip_odds(Twin.board("BBBW*..\n.......\n.......").state, "E3", "W")
    assert (odds.win, odds.foul) == (Fraction(2, 5), 0)


def test_a_hit_that_fouls_and_what_is_put_back() -> None:
    diagram = """
        . . . . B . .
        . . . . W . .
        B B B W * B .
        . . . . . . .
        . . . . . . .
        """
    odds = flip_odds(Twin.board(diagram).state, "E3", "N+W")
    assert (odds.win, odds.foul) == (0, Fraction(2, 5))
    assert {outcome.put_back for outcome in odds.outcomes if outcome.result == "foul"} == {("W",)}
    everything = flip_odds(Twin.board(diagram, foul_restores="all").state, "E3", "N+W")
    assert {outcome.put_back for outcome in everything.outcomes if outcome.result == "foul"} == {("N", "W")}


def test_a_known_back_is_certain() -> None:
    odds = flip_odds(Twin.board("BBBC*..\n.......\n.......").state, "E3", "W")
    assert (len(odds.outcomes), odds.win) == (1, Fraction(1))
    red = flip_odds(Twin.board("BBBD*..\n.......\n.......").state, "E3", "W")
    assert (len(red.outcomes), red.win, red.outcomes[0].colours) == (1, 0, {"W": "red"})


def test_a_five_without_flips_is_certain_and_flips_of_nothing_are_nothing() -> None:
    five = flip_odds(Twin.board("BBBB*..\n.......\n.......").state, "E3")
    assert (five.win, [o.colours for o in five.outcomes]) == (Fraction(1), [{}])
    plain = flip_odds(Twin.board("BW*....\n.......\n.......").state, "C3", "none")
    assert [(o.probability, o.result) for o in plain.outcomes] == [(Fraction(1), "nothing")]


def test_a_six_of_white_is_no_foul_where_bans_bind_black_only() -> None:
    twin = Twin.board("WWWB*W.\n.......\n.......", "white", bans="black")
    odds = flip_odds(twin.state, "E3", "W")
    assert (odds.win, odds.foul) == (0, 0)


def test_backs_that_have_run_out_never_come() -> None:
    state = Twin.board("BW*Wb..\n.......\n.......", coloured=1).state
    assert flip_odds(state, "C3", "W").coloured() == {0: Fraction(1)}


def test_the_state_is_left_as_it_was_and_illegal_moves_are_refused() -> None:
    state = Twin.board(ROSE, must_flip=True).state
    before = state.record.copy()
    with pytest.raises(IllegalMove):
        flip_odds(state, "C3", "none")
    with pytest.raises(IllegalMove):
        flip_odds(state, "A1", "E")
    flip_odds(state, "C3", "E+W")
    assert (state.record == before).all() and state.history == []


def test_only_public_knowledge_is_used() -> None:
    """Another deal that agrees on all backs seen gives the same odds."""
    asked = 0
    for seed in range(8):
        played = Physical(game("gomocku", size=7, deal="physical"), seed)
        states = [*played.states, played.state]
        for i, other in enumerate(played.under(played.another_deal())):
            state = states[i]
            if state.to_play < 0 or i + 2 >= len(states) or states[i + 1].to_play != state.to_play or state.ply < 30:
                continue
            cell, chosen = played.state.history[i], played.state.history[i + 1] - 49
            if states[i + 2].to_play == -1:
                asked += 1
                assert flip_odds(state, cell, chosen) == flip_odds(other, cell, chosen)
                assert sum(outcome.probability for outcome in flip_odds(state, cell, chosen).outcomes) == 1
    assert asked >= 10


def test_other_games_have_no_flip_odds() -> None:
    with pytest.raises(TypeError, match="Gomocku"):
        flip_odds(game("gomoku").start(), "H8")
