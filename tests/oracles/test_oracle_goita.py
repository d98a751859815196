"""The naive oracle for Goita: the example of the rules, published counts, what seats know. Rules are tested with the law."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from math import comb

import pytest

from narabe.tests.oracles.goita import (
    Hand,
    IllegalMove,
    Options,
    Position,
    deals_of,
    hands_of,
    physical_deals,
    physical_hands,
)

GOLDEN = (
    "11223449,11122357,11356678,11134455,s1,114,2p,3p,444,142,223,336,4p,1p,2p,316,4p,1p,2p,315,451,112,221,3p,4p,1p,211,"
    "3p,4p,1p,257"
)
LEGAL_MOVES = [19, 1, 6, 5, 8, 6, 10, 1, 4, 1, 17, 1, 4, 1, 9, 4, 3, 4, 1, 4, 1, 7, 1, 4, 1, 2]


def test_the_example_of_the_rules() -> None:
    parts = GOLDEN.split(",")
    positions = [Position.of_line(",".join(parts[:i])) for i in range(5, len(parts) + 1)]
    assert [len(position.legal_moves()) for position in positions[:-1]] == LEGAL_MOVES
    assert (positions[-1].winner, positions[-1].gained, positions[-1].reason) == (1, 4, "out")
    assert positions[-1].payoffs() == pytest.approx((-4 / 15, 4 / 15, -4 / 15, 4 / 15))


def test_the_smallest_game_is_as_large_as_published() -> None:
    """The larger ones, of 221,655 and 984,324 histories, were walked once too and agree (8 and 33 seconds)."""
    options = Options(players=2, hand=4, counts=(3, 1, 0, 2, 0, 0, 0, 2), specials="off")
    known, histories = set(), 0
    waiting = [Position(options).first(0).deal(hands) for hands in deals_of(options.counts, [4, 4])]
    while waiting:
        position = waiting.pop()
        histories += 1
        known.add((position.turn, position.information(position.turn)))
        children = [position.play(move) for move in position.legal_moves()]
        waiting += [child for child in children if child.phase != "over"]
    assert (len(known), histories) == (299, 400)


def test_hands_and_deals_are_as_many_as_published() -> None:
    sizes = {hand: count_deals(Options(), hand) for hand in hands_of(Options().counts, 8)}
    assert len(sizes) == 3_699
    assert (min(sizes.values()), max(sizes.values()), sum(sizes.values())) == (16_902, 1_519_917, 803_872_134)
    mean = sum(size * physical_hands(Options(), hand) for hand, size in sizes.items()) / comb(32, 8)
    assert round(mean) == 481_858


def count_deals(options: Options, own: Hand) -> int:
    """How many deals leave this hand to one seat, counted kind by kind rather than dealt."""
    return ways_to_share(tuple(n - own.count(k + 1) for k, n in enumerate(options.counts)), (8, 8, 8))


@cache
def ways_to_share(left: tuple[int, ...], room: tuple[int, int, int]) -> int:
    """In how many ways the cards left, by kind, fill three hands with this room."""
    if not left:
        return int(room == (0, 0, 0))
    a, b, c = room
    return sum(
        ways_to_share(left[1:], tuple(sorted((a - i, b - j, c - (left[0] - i - j)))))  # type: ignore[arg-type]
        for i in range(min(a, left[0]) + 1)
        for j in range(max(0, left[0] - i - c), min(b, left[0] - i) + 1)
    )


def test_physical_deals_add_up() -> None:
    options = Options(players=2, hand=4, counts=(3, 1, 0, 2, 0, 0, 0, 2))
    assert sum(physical_deals(options, hands) for hands in deals_of(options.counts, [4, 4])) == 70
    hands = (1, 1, 1, 1, 1, 1, 1, 1), (1, 1, 2, 2, 2, 2, 3, 3), (3, 3, 4, 4, 4, 4, 5, 5), (5, 5, 6, 6, 7, 7, 8, 8)
    assert physical_deals(Options(), hands) == 45 * 6 * 6


# ---- what a seat knows -----------------------------------------------------------------------------------------------


def events(line: str, seat: int, **options: object) -> tuple:
    return Position.of_line(line, specials="off", **options).information(seat)[-1]


@pytest.mark.parametrize(
    ("line", "own", "others"),
    [
        ("1123,1144,s1,112", (1, 2, ""), ("x", 2, "")),  # laid face down
        ("1123,1144,s1,131,214", (1, 4, ""), (1, 4, "")),  # a guard
        ("112388,114445,s1,118", (1, 8, "held"), ("x", 8, "held")),  # the other king is shown
        ("112388,114445,s1,188", (8, 8, "laid"), (8, 8, "laid")),  # the laid king is shown
        ("112388,114445,s1,182", (8, 2, ""), ("x", 2, "")),
        ("133444,112588,s1,134,288", (8, 8, ""), (8, 8, "")),  # a guard is open
    ],
)
def test_who_sees_what_of_a_play(line: str, own: tuple, others: tuple) -> None:
    seat = len(line.split(",")) - 4
    assert events(line, seat)[-1] == (seat, *own)
    assert events(line, 1 - seat)[-1] == (seat, *others)


def test_silence_is_seen_by_nobody_else_and_an_announcement_by_all() -> None:
    asked = Position.of_line("11111234,11122357,11346678,12344558,s1")
    assert asked.phase == "announce" and asked.turn == 0
    silent, loud = asked.play("silent"), asked.play("announce")
    assert [silent.information(seat)[-1] for seat in range(4)] == [((0, "silent"),), (), (), ()]
    assert {loud.information(seat)[-1] for seat in range(4)} == {((0, "announce"),)}
    assert (loud.phase, loud.turn) == ("answer", 2)
    assert loud.play("on").information(1)[-1] == ((0, "announce"), (2, "on"))


def test_two_players_know_each_other_s_hands() -> None:
    position = Position.of_line("1123,1144,s1", specials="off")
    assert [(other.hands, deals) for other, deals in position.layouts(0)] == [(position.hands, 1)]
    assert [(other.hands, deals) for other, deals in position.layouts(1)] == [(position.hands, 1)]


def test_layouts_of_three_hidden_hands() -> None:
    options = Options(hand=2, counts=(4, 2, 0, 0, 0, 0, 0, 2), specials="off")
    position = Position(options).first(0).deal([(1, 2), (1, 1), (1, 2), (8, 8)])
    layouts = list(position.layouts(0))
    assert sum(deals for _, deals in layouts) == 90  # six unseen cards into three hands of two
    assert len({other.hands for other, _ in layouts}) == len(layouts)


def test_layouts_tell_apart_what_lies_face_down() -> None:
    """The dealer laid one of the cards that seat 1 does not see, and attacked with a gon."""
    position = Position.of_line("112344,112344,s1,112", specials="off")
    known = Counter(other.log[0].move[0] for other, _ in position.layouts(1))
    assert known == {1: 1, 3: 1, 4: 1}


def test_a_shown_king_stays_with_its_holder() -> None:
    position = Position.of_line("112388,114445,s1,118", specials="off")
    for other, _ in position.layouts(1):
        assert other.hands[0].count(8) == 1


def test_a_hand_that_would_have_gone_out_is_not_possible() -> None:
    """After the deal, in a game in which six shi go out by themselves."""
    rng = random.Random(1)
    options = Options(hand=8, players=2, counts=(9, 2, 1, 1, 1, 0, 0, 2))
    for _ in range(20):
        pack = list(options.pack)
        rng.shuffle(pack)
        position = Position(options).first(0).deal([pack[:8], pack[8:]])
        if position.phase == "play":
            assert all(other.shi(1) < 6 for other, _ in position.layouts(0))


def test_what_the_rules_do_not_allow_is_refused() -> None:
    position = Position.of_line("1123,1144,s1", specials="off")
    for move in ("pass", (2, 2), (4, 1), "silent"):
        with pytest.raises(IllegalMove):
            position.play(move)  # type: ignore[arg-type]
