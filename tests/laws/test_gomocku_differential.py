"""The compiled law of Gomocku beside the naive oracle: legal sets, faults, boards, counts and ends, at every step.

`gomocku_play` biases random games towards sandwiching, so that fives, fouls and put-backs by flips come up in numbers.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from narabe.envs import State, game
from narabe.envs.rules import calls, core
from narabe.tests.laws.gomocku_play import OPTIONS, check_undo, compare_game, compare_set_up, naive_options, star
from narabe.tests.laws.gomocku_twin import Twin, mask_of, set_up, text_of
from narabe.tests.oracles.gomocku import STEPS

every_option_set = pytest.mark.parametrize("name", OPTIONS)


@every_option_set
def test_random_games_agree(name: str) -> None:
    tally: Counter = Counter()
    for seed in range(4):
        compare_game(OPTIONS[name], seed, tally)
    assert tally["goes on"] > 20


@pytest.mark.parametrize("options", [{"size": 7}, {"size": 5, "stones": 3, "chance": 3, "coloured": 3}], ids=str)
def test_random_games_of_a_physical_deal_agree(options: dict) -> None:
    tally: Counter = Counter()
    for seed in range(6):
        compare_game(dict(options, deal="physical"), seed, tally)
    assert tally["flips: nothing"] > 10


@every_option_set
def test_random_positions_agree(name: str) -> None:
    tally: Counter = Counter()
    for seed in range(40):
        compare_set_up(OPTIONS[name], seed, tally)
    assert sum(tally.values()) > 100


@pytest.mark.parametrize("options", [{}, {"size": 20}, {"width": 19, "height": 13, "phase2_bans": "all"}], ids=str)
def test_random_positions_on_large_boards_agree(options: dict) -> None:
    tally: Counter = Counter()
    for seed in range(40):
        compare_set_up(dict(options, coloured=14), seed, tally, turns=1)
    assert tally.total() > 60


def test_the_comparison_meets_every_kind_of_event() -> None:
    """What the comparison of positions is worth: a tally over more of them, one turn each."""
    tally: Counter = Counter()
    for name in ("all bans in phase 2", "fouls restore all", "bans on Black"):
        for seed in range(100, 200):
            compare_set_up(OPTIONS[name], seed, tally, turns=1)
    for event in (
        "flips: win", "flips: foul", "flips: nothing", "foul, some stand", "foul, all put back", "known back",
        "fault: overline", "fault: double four", "fault: double three", "fault: occupied", "five in a row",
    ):  # fmt: skip
        assert tally[event] >= 3, f"{event}: {tally}"


def walk(twin: Twin, reached: Counter) -> None:
    """Every way on from a position, of both sides and of chance, in law and oracle; the law goes back by undo."""
    state, naive = twin.state, twin.naive
    if naive.is_over:
        reached[naive.reason] += 1
        return
    if naive.placed is None:
        if naive.must_pass:
            walk(twin.copy().pass_piece(), reached)
        for cell in naive.legal_points():
            before, text = state.record.copy(), state.to_text()
            walk(Twin(state.play(twin.number(cell)), naive.place(cell)), reached)
            state.undo()
            assert state.to_text() == text and not core.differences(before, state.record)
        return
    for chosen in naive.flip_sets():
        for backs in naive.odds(chosen):
            before = state.record.copy()
            state.play(text_of(chosen))
            for back in backs:
                state.play(back)
            walk(Twin(state, naive.flip(chosen, backs)), reached)
            for _ in range(1 + len(backs)):
                state.undo()
            assert not core.differences(before, state.record)


NEARLY_FULL = """
    B W . B W
    W B B W B
    W W . B .
    B B W W B
    . B W B W
    """


@pytest.mark.parametrize("options", [{}, {"foul_restores": "all", "must_flip": True}], ids=str)
def test_every_way_to_the_end_of_a_small_game(options: dict) -> None:
    """All moves, choices and backs of the last three plies on a board of 25 cells."""
    reached: Counter = Counter()
    walk(Twin.board(NEARLY_FULL, ply=37, **options), reached)
    assert reached.total() > 500 and len(reached) >= 3


# ---- undo, keys ------------------------------------------------------------------------------------------------------


def random_step(state: State, rng: random.Random) -> int:
    """A random legal action, flips rather than none; on a chance turn a possible outcome."""
    if state.to_play == -1:
        n = state.game.num_actions
        if state.ply == 0:  # the deal
            return int(calls.chance_draw(state.record, 0, np.array([rng.getrandbits(63)], np.uint64)))
        return rng.choice([a for a in (n, n + 1) if state.why_illegal(a) is None])
    legal = state.legal_actions()
    return int(legal[-1]) if len(legal) > 1 and rng.random() < 0.3 else int(rng.choice(legal))


@pytest.mark.parametrize("deal", ["lazy", "physical"])
@every_option_set
def test_undo_restores_every_field_and_keys_equal_those_from_scratch(name: str, deal: str) -> None:
    options = dict(OPTIONS[name], deal=deal)
    if deal == "physical":
        options |= {"stones": 6, "chance": 3, "coloured": 4}
    for seed in range(3):
        rng, state = random.Random(f"{name} {seed}"), game("gomocku", **options).start(chance="manual")
        records = []
        while not state.is_over:
            records.append(state.record.copy())
            check_undo(state, random_step(state, rng))
        for before in reversed(records):
            state.undo()
            assert all(np.array_equal(state.record[field], before[field]) for field in before.dtype.names)


@pytest.mark.parametrize("restores", ["long_row", "all"])
def test_undo_after_every_kind_of_foul(restores: str) -> None:
    """Stars are full of fouls; each step of their turns is undone and done again."""
    made, fouls = game("gomocku", size=8, foul_restores=restores, coloured=16), 0
    for seed in range(60):
        rng = random.Random(seed)
        naive, (centre,) = star(naive_options(made), rng)
        state = set_up(made, naive)
        if state.is_over or state.why_illegal(centre[1] * 8 + centre[0]) is not None:
            continue
        check_undo(state, centre[1] * 8 + centre[0])
        while not state.is_over and state.ply < naive.ply + 2:
            check_undo(state, random_step(state, rng))
        fouls += any(kind in str(state.to_text()) for kind in "XO")
    assert fouls > 10


def test_the_key_tells_apart_what_the_rules_tell_apart() -> None:
    """One cell in each of its states, and the ply: all keys differ."""
    made = game("gomocku", size=7)
    cells = [
        {}, {"black": "C3"}, {"white": "C3"}, {"turned_black": "C3"}, {"turned_white": "C3"}, {"red_black": "C3"},
        {"red_white": "C3"}, {"white": "C3", "known_coloured": "C3"}, {"white": "C3", "known_red": "C3"},
        {"black": "C3", "known_coloured": "C3"}, {"black": "C3", "known_red": "C3"},
    ]  # fmt: skip
    keys = {made.position(**pieces, ply=ply).key for pieces in cells for ply in range(28, 34)}
    assert len(keys) == len(cells) * 6


def test_ways_to_one_position_meet_in_one_key() -> None:
    """Two flips in either order: the same pieces, the same knowledge, the same ply."""
    made = game("gomocku", size=7)
    ends = []
    for order in ("north", "south"):
        state = made.position(black="A1 A7", white="B1 B7", ply=30)
        state.chance = "manual"
        north, south = (("C7", "W", "red"), ("C1", "W", "coloured"))
        for moves, reply in zip((north, south) if order == "north" else (south, north), ("G3", "G4")):
            for move in moves:
                state.play(move)
            state.play(reply)
        ends.append(state)
    assert ends[0].key == ends[1].key
    assert ends[0].to_text().split()[0] == ends[1].to_text().split()[0]


def test_every_option_belongs_to_the_key() -> None:
    changes = [
        {}, {"bans": "black"}, {"phase2_bans": "all"}, {"must_flip": True}, {"foul_restores": "all"}, {"stones": 10},
        {"chance": 4}, {"coloured": 7}, {"deal": "physical"}, {"size": 14}, {"width": 14},
    ]  # fmt: skip
    assert len({game("gomocku", **change).start(chance="manual").key for change in changes}) == len(changes)


# ---- symmetries ------------------------------------------------------------------------------------------------------


def image_of_direction(state: State, direction: str, k: int) -> str:
    """Where a symmetry takes a direction, read from what it does to the action that chooses it."""
    cells = state.game.options["width"] * state.game.options["height"]
    moved = state.game.symmetry(cells + mask_of([direction]), k) - cells
    return next(name for name in STEPS if mask_of([name]) == moved)


@pytest.mark.parametrize("name", ["small set", "chance almost from the start", "all backs coloured", "rectangle"])
def test_a_mirrored_game_is_the_mirror_of_the_game(name: str) -> None:
    """Legal actions, ends and canonical keys; backs are told per piece, since another order of directions shows them."""
    options = OPTIONS[name]
    for seed in range(2):
        rng, twin = random.Random(seed), Twin.start(**options)
        played = twin.state.game
        images = [played.start(chance="manual") for _ in range(played.num_symmetries)]
        while not twin.state.is_over:
            before = twin.naive
            action = random_step(twin.state, rng)
            step(twin, images, action, rng)
            mask, canonical = twin.state.legal_mask(), twin.state.canonical_key[0]
            for k, image in enumerate(images):
                moved = [played.symmetry(a, k) for a in range(played.num_actions)]
                assert mask.tolist() == image.legal_mask()[moved].tolist()
                assert (image.is_over, image.reason, image.payoffs) == (
                    twin.state.is_over, twin.state.reason, twin.state.payoffs,
                )  # fmt: skip
                assert image.canonical_key[0] == canonical
            assert canonical == min(image.key for image in images) == images[twin.state.canonical_key[1]].key
            assert twin.naive is not before


def step(twin: Twin, images: list[State], action: int, rng: random.Random) -> None:
    """The action on the twin and, moved by the symmetries, on the images; backs go with the pieces."""
    naive, played = twin.naive, twin.state.game
    if naive.placed is None:
        twin.pass_piece() if naive.must_pass else twin.place(action)
        for k, image in enumerate(images):
            image.play(played.symmetry(action, k))
        return
    cells = naive.options.width * naive.options.height
    chosen = {d for d in STEPS if action - cells & mask_of([d])}
    unknown = naive.unknown(chosen)
    backs = list(rng.choice(list(naive.odds(chosen))))
    twin.flip("+".join(chosen) or "none", "".join(back[0] for back in backs))
    for k, image in enumerate(images):
        image.play(played.symmetry(action, k))
    assert len({image.canonical_key[0] for image in images}) == 1  # also while backs are due
    for k, image in enumerate(images):
        shown = {image_of_direction(image, d, k): back for d, back in zip(unknown, backs)}
        for direction in STEPS:
            if direction in shown:
                image.play(shown[direction])


def test_symmetries_are_permutations_of_the_actions() -> None:
    for options in ({"size": 5}, {"width": 6, "height": 5}, {"size": 5, "deal": "physical"}):
        played = game("gomocku", **options)
        everything = list(range(played.num_actions))
        images = [[played.symmetry(a, k) for a in everything] for k in range(played.num_symmetries)]
        assert all(sorted(image) == everything for image in images) and images[0] == everything
        assert len({tuple(image) for image in images}) == (
            8 if played.options["width"] == played.options["height"] else 4
        )


def test_directions_turn_with_the_board() -> None:
    """A cell, its neighbour in a direction and the direction's mask go to a cell, its neighbour and that direction."""
    played = game("gomocku", size=5)
    state, centre = played.start(), 12
    for k in range(8):
        for direction, (dc, dr) in STEPS.items():
            neighbour = centre + dc + 5 * dr
            image = image_of_direction(state, direction, k)
            column, row = STEPS[image]
            assert played.symmetry(neighbour, k) == played.symmetry(centre, k) + column + 5 * row
