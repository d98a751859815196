"""Goita: each decided question of the rules, and each rule once, with the hands beside the answer.

Every position is played in the law and in the naive oracle (`Twin`). Lines are in the history notation: hands, ``s`` and
the dealer's digit, plies (player, laid or guarding card, attack; ``p`` = pass). Two players and a small pack where they do.
"""

from __future__ import annotations

import pytest

from narabe.envs import game
from narabe.tests.laws.goita_twin import Twin, made_for
from narabe.tests.oracles.goita import Options, without


def small(line: str, **options: object) -> Twin:
    return Twin.line(line, specials="off", **options)


# ---- plays and passes ------------------------------------------------------------------------------------------------


def test_laying_and_attacking_are_compulsory_for_a_leader() -> None:
    lead = small("1123,1144,s1")
    assert lead.moves == ["11", "12", "13", "21", "23", "31", "32"] and lead.illegal("p")
    again = lead.play("12", "p")
    assert again.moves == ["13", "31"] and again.illegal("p")


def test_an_attack_is_compulsory_after_a_guard() -> None:
    """Both are one action, and there is none of a guard alone."""
    assert small("1123,1144,s1,121").moves == ["11", "14", "p"]


def test_a_pass_is_allowed_with_a_guard_in_hand_and_before_the_partner() -> None:
    facing = Twin.line("11223448,11122357,11356678,11134455,s1,114,2p")
    assert facing.naive.turn == 2 and facing.moves == ["81", "83", "85", "86", "87", "p"]


def test_after_three_passes_the_attacker_leads_again() -> None:
    twin = Twin.line("11223448,11122357,11356678,11134455,s4,435,1p,2p,3p")
    assert twin.naive.turn == 3 and twin.illegal("p") and twin.illegal("55")
    assert twin.moves == ["11", "14", "15", "41", "44", "45", "51", "54"]


def test_a_guard_is_of_the_same_kind_or_a_king() -> None:
    assert small("112348,334458,s1,113").moves == ["33", "34", "35", "83", "84", "85", "p"]


@pytest.mark.parametrize(
    ("attack", "guards"), [(1, False), (2, False), (3, True), (4, True), (5, True), (6, True), (7, True)]
)
def test_a_king_guards_all_but_shi_and_gon(attack: int, guards: bool) -> None:
    assert ("84" in small("12345678,44455568,s1").play(f"8{attack}").moves) == guards


@pytest.mark.parametrize("last", [2, 3, 4, 5, 6, 7, 8])
def test_a_deal_scores_the_card_that_went_out(last: int) -> None:
    points = {2: 2, 3: 2, 4: 3, 5: 3, 6: 4, 7: 4, 8: 5}[last]
    for order, scored in ((f"1{last}", points), (f"{last}1", 1)):
        twin = small(f"112{last},1148,s1,112,2p").play(order)
        assert twin.result == (0, scored, "out")
        assert twin.state.payoffs == pytest.approx((scored / 15, -scored / 15))


@pytest.mark.parametrize(("pair", "points"), [("11", 2), ("22", 4), ("55", 6), ("77", 8), ("88", 10)])
def test_a_pair_laid_and_attacked_with_doubles_also_of_kings(pair: str, points: int) -> None:
    assert small(f"13{pair},4456,s1,113,2p").play(pair).result == (0, points, "double")


def test_a_pair_of_guard_and_attack_does_not_double() -> None:
    assert small("1135,3345,s2,245,153,233").result == (1, 2, "out")


def test_a_single_deal_may_pay_one_for_the_win() -> None:
    assert small("1124,1148,s1,112,2p,114", payoff="win").state.payoffs == (1.0, -1.0)


# ---- kings -----------------------------------------------------------------------------------------------------------


def test_a_lone_king_attacks_only_when_it_goes_out() -> None:
    twin = small("1238,1148,s1")
    assert twin.moves == ["12", "13", "21", "23", "31", "32", "81", "82", "83"]
    assert twin.play("12", "p").moves == ["38", "83"]
    assert twin.play("38").result == (0, 5, "out")


@pytest.mark.parametrize(("guard", "attacks"), [("81", ["12", "16", "18", "p"]), ("31", ["12", "16", "p"])])
def test_a_king_attacks_when_the_other_lies_face_up(guard: str, attacks: list[str]) -> None:
    assert small("112368,113458,s1,113").play(guard).moves == attacks


def test_a_king_that_lies_face_down_is_not_on_the_table() -> None:
    assert small("112368,113458,s1,181").moves == ["11", "13", "14", "15", "p"]


def test_whoever_holds_both_attacks_with_one_and_shows_the_other() -> None:
    """Two pasts that differ in the laid card only: the other seat cannot tell them apart, but knows of the king."""
    one, two = (small("112388,114445,s1").play(move) for move in ("18", "28"))
    assert one.state.seen(1) == two.state.seen(1) and one.state.seen(0) != two.state.seen(0)


def test_burying_a_king_and_attacking_with_the_other_in_one_turn_is_legal() -> None:
    twin = small("112388,114445,s1")
    assert "88" in twin.moves
    shown, hidden = twin.play("88"), small("112388,114445,s1,118")
    assert shown.state.seen(1) != hidden.state.seen(1)


@pytest.mark.parametrize("option", [False, True])
def test_after_a_king_was_buried_on_an_earlier_turn(option: bool) -> None:
    twin = small("11244588,11334567,s1,184,2p", king_attack_after_burying=option)
    assert ("18" in twin.moves) == option
    assert twin.play("12", "p", "14", "p").moves == ["58", "85"]


def test_a_guard_with_a_king_and_an_attack_with_the_other_are_legal() -> None:
    assert small("112345,334588,s1,113").moves == ["33", "34", "35", "38", "83", "84", "85", "88", "p"]


# ---- shi at the start ------------------------------------------------------------------------------------------------


def dealt(hands: dict[int, str], dealer: int = 0, **options: object) -> Twin:
    """A deal of the standard pack in which some seats hold these cards; the rest goes round."""
    return deal(Twin.start(Options(**options)).first(dealer), hands)  # type: ignore[arg-type]


def deal(twin: Twin, hands: dict[int, str]) -> Twin:
    held: list[list[int]] = [[int(card) for card in hands.get(seat, "")] for seat in range(4)]
    rest = without(Options().pack, *(card for hand in held for card in hand))
    for card in rest:
        min(held, key=len).append(card)
    return twin.deal(held)


SPECIAL = [  # hand, points, points where the pair of six shi doubles, how the deal ends
    ("11111168", 5, 5, "six"), ("11111123", 2, 2, "six"), ("11111167", 4, 4, "six"), ("11111122", 2, 4, "six"),
    ("11111166", 4, 8, "six"), ("11111188", 5, 10, "six"), ("11111112", 4, 4, "seven"), ("11111118", 10, 10, "seven"),
    ("11111111", 10, 10, "eight"),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "points", "doubled", "name"), SPECIAL)
def test_six_seven_and_eight_shi_go_out_at_once(hand: str, points: int, doubled: int, name: str) -> None:
    for seat in (0, 3):
        assert dealt({seat: hand}, dealer=1).result == (seat % 2, points, name)
        assert dealt({seat: hand}, six_shi_pair_doubles=True).result == (seat % 2, doubled, name)


@pytest.mark.parametrize(("hand", "points", "doubled", "name"), SPECIAL)
def test_by_choice_their_holder_is_asked(hand: str, points: int, doubled: int, name: str) -> None:
    asked = dealt({2: hand}, dealer=1, specials="choice")
    assert (asked.naive.turn, asked.moves) == (2, ["declare", "silent"])
    assert asked.play("declare").result == (0, points, name)
    assert dealt({2: hand}, dealer=1, specials="choice").play("silent").naive.turn == 1
    assert "p" not in dealt({2: hand}, dealer=1, specials="off").moves


def test_a_holder_of_five_may_stay_silent() -> None:
    asked = dealt({3: "11111234"}, dealer=1)
    assert (asked.naive.turn, asked.moves) == (3, ["announce", "silent"])
    assert asked.play("silent").naive.turn == 1


@pytest.mark.parametrize(("answer", "phase", "turn"), [("on", "play", 1), ("redeal", "deal", -1)])
def test_after_an_announcement_the_partner_chooses(answer: str, phase: str, turn: int) -> None:
    twin = dealt({3: "11111234"}, dealer=1).play("announce")
    assert (twin.naive.turn, twin.moves) == (1, ["on", "redeal"])
    twin.play(answer)
    assert (twin.naive.phase, twin.naive.turn, twin.naive.dealer) == (phase, turn, 1)


def test_the_holder_alone_decides_by_option() -> None:
    asked = dealt({3: "11111234"}, dealer=1, five_shi="holder")
    assert (asked.naive.turn, asked.moves) == (3, ["redeal", "silent"])
    assert asked.play("redeal").naive.phase == "deal"
    assert dealt({3: "11111234"}, dealer=1, five_shi="holder").play("silent").naive.turn == 1


def test_a_redeal_keeps_the_dealer_and_the_next_deal_is_asked_anew() -> None:
    twin = dealt({3: "11111234"}, dealer=1, match=15).play("announce", "redeal")
    deal(twin, {0: "11111234"})
    assert (twin.naive.dealer, twin.naive.turn, twin.moves) == (1, 0, ["announce", "silent"])


@pytest.mark.parametrize("seats", [(0, 2), (1, 3)])
def test_five_and_five_in_one_pair_win(seats: tuple[int, int]) -> None:
    hands = {seats[0]: "11111234", seats[1]: "11111345"}
    assert dealt(hands).result == (seats[0], 15, "five and five")
    match = dealt(hands, match=30)
    assert match.naive.scores[seats[0]] == 30
    assert match.result[0] == seats[0] and match.state.payoffs[seats[0]] == match.state.payoffs[seats[1]] == 1.0


def test_five_and_five_in_one_pair_by_choice() -> None:
    hands = {0: "11111234", 2: "11111345"}
    first = dealt(hands, dealer=1, specials="choice")
    assert (first.naive.turn, first.moves) == (2, ["announce", "silent"])
    assert first.play("announce").moves == ["declare", "on", "redeal"]
    assert first.play("declare").result == (0, 15, "five and five")
    second = dealt(hands, dealer=1, specials="choice").play("silent")
    assert (second.naive.turn, second.moves) == (0, ["announce", "silent"])
    assert second.play("announce", "declare").result == (0, 15, "five and five")


def test_five_and_five_in_opposite_pairs_are_asked_from_the_dealer_and_either_gets_a_redeal() -> None:
    hands = {0: "11111234", 1: "11111345"}
    for dealer, order in ((1, (1, 0)), (2, (0, 1)), (0, (0, 1))):
        twin = dealt(hands, dealer=dealer)
        assert twin.naive.turn == order[0]
        assert twin.play("silent").naive.turn == order[1]
        assert twin.play("silent").naive.turn == dealer
        twin = dealt(hands, dealer=dealer).play("announce")
        assert twin.naive.turn == (order[0] + 2) % 4
        assert twin.play("on").naive.turn == order[1]
        assert twin.play("announce", "redeal").naive.phase == "deal"
        assert dealt(hands, dealer=dealer).play("announce", "redeal").naive.phase == "deal"


def test_options_for_experiments() -> None:
    """Five shi dealt anew without a question, and left out of the deals."""
    twin = dealt({3: "11111234"}, dealer=1, auto_redeal=True)
    assert (twin.naive.phase, twin.naive.dealer) == ("deal", 1)
    assert deal(twin, {}).naive.phase == "play"
    with pytest.raises(ValueError, match=r"\w"):
        dealt({3: "11111234"}, dealer=1, no_five_shi=True)
    assert dealt({3: "11112344"}, dealer=1, no_five_shi=True).naive.phase == "play"


# ---- matches ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "dealers"), [("next", [1, 2, 3]), ("winner", [3, 2, 3])])
def test_the_next_dealer(rule: str, dealers: list[int]) -> None:
    """The right neighbour of the old one, or the player who went out."""
    twin = Twin.start(Options(match=15, dealer=rule)).first(0)
    for winner, dealer in zip((3, 2, 3), dealers):
        deal(twin, {winner: "11111123"})
        assert twin.naive.dealer == dealer and int(twin.state.record["dealer"][0]) == dealer


@pytest.mark.parametrize(("points", "goal"), [(1, 15), (10, 150)])
def test_the_first_pair_to_reach_the_goal_wins(points: int, goal: int) -> None:
    twin = Twin.start(Options(match=goal, points=points)).first(2)
    for hand, scores in (("11111118", (10, 0)), ("11111112", (14, 0)), ("11111123", (16, 0))):
        assert not twin.state.is_over
        deal(twin, {0: hand})
        assert twin.naive.scores == scores
    assert twin.state.is_over and twin.state.payoffs == (1.0, -1.0, 1.0, -1.0)


def test_the_goal_itself_is_enough() -> None:
    twin = deal(deal(Twin.start(Options(match=15)).first(0), {1: "11111111"}), {3: "11111128"})
    assert twin.naive.scores == (0, 15) and twin.state.is_over


def test_the_presets() -> None:
    assert game("goita_match").options == made_for(Options(match=15)).options
    society = Options(match=150, points=10, dealer="winner", six_shi_pair_doubles=True)
    assert game("goita_hozonkai").options == made_for(society, cards="goita").options
    assert game("goita").options == made_for(Options()).options
