"""Goita as it is drawn: everything of a state, and of a view nothing that its seat may not know; records replayed."""

from __future__ import annotations

import dataclasses
import json
import pathlib

import pytest

from narabe.envs import Game, State
from narabe.envs.drawing.ansi import ansi
from narabe.envs.goita_records import Match, RecordError, read, read_line, read_yaml, write_line, write_yaml
from narabe.envs.goita_records.replay import counts_of, record_of, states_of
from narabe.envs.rules.goita import record as R
from narabe.envs.rules.random import below, new_stream
from narabe.envs.table import Table

HANDS = "11223449,11122357,11356678,11134455"
GOLDEN = (
    f"{HANDS},s1,114,2p,3p,444,142,223,336,4p,1p,2p,316,4p,1p,2p,315,451,112,221,3p,4p,1p,211,3p,4p,1p,257"
)  # fmt: skip
FIVES = "11111234,11112345,22335567,14456788"
DATA = pathlib.Path(__file__).parents[1] / "data"
GAMES = ("goita", "goita_hozonkai", "goita_two_by_four")


def table(state: State) -> Table:
    return state.game.face.scene(state)


def random_play(game: Game, seed: int, plies: int) -> State:
    state, stream = game.start(seed=seed), new_stream(seed)
    for _ in range(plies):
        if state.is_over:
            break
        legal = state.legal_actions()
        state.play(int(legal[below(stream, len(legal))]))
    return state


def cards_of(shown: Table) -> list[tuple[int, str, int, int | None]]:
    """(seat, where, number, card or None) of all cards of a table."""
    found: list[tuple[int, str, int, int | None]] = []
    for seat, place in enumerate(shown.seats):
        found += [(seat, "first", i, play.first) for i, play in enumerate(place.plays)]
        found += [(seat, "second", i, play.second) for i, play in enumerate(place.plays)]
    return found


class TestTable:
    def test_the_end_of_the_golden_game(self) -> None:
        (states,) = states_of(read(GOLDEN), Game("goita"))
        assert ansi(table(states[-1])).splitlines()[1:] == [
            "                         Player 3",
            "                         大  王",
            "                     騎 (市)(市) ..",
            "                     将  将  魔  ..",
            "  Player 4                                Player 2",
            " 市  市  司  司                          騎  刺",
            " 騎  魔  魔  市  Player 1 & Player 3: 0  市  刺",
            "         ..  ..  Player 2 & Player 4: 4  市 (市)",
            "         ..  ..                         [大](魔)",
            "                     司  刺  刺  ..",
            "                    (市) 司  市  ..",
            "                         騎  王",
            "                        Player 1*",
            "Player 2 & Player 4 win (went out: 4 points)",
        ]

    @pytest.mark.parametrize("name", GAMES)
    @pytest.mark.parametrize("seed", range(6))
    def test_a_view_shows_what_its_seat_knows_and_that_is_true(self, name: str, seed: int) -> None:
        """Two redeals of what nobody showed look alike; what is shown at all is as it is in truth."""
        state = random_play(Game(name), seed, 3 + 7 * seed)
        if state.is_over and state.ply:
            state.undo()
        truth = table(state)
        for seat in range(state.game.num_players):
            first, second = (table(state.view(seat, seed=s).state()) for s in (1, 2))
            assert first == second
            for card, true in zip(cards_of(first), cards_of(truth), strict=True):
                assert card == true or (card[3] is None and card[:3] == true[:3])
            assert first.seats[seat].hand == truth.seats[seat].hand
            for other in set(range(state.game.num_players)) - {seat}:
                hidden = [play.first is None for play in first.seats[other].plays]
                assert hidden == [lies == R.FACE_DOWN for lies in state.record["lies"][0, other, : len(hidden)]]
                hand = first.seats[other].hand
                assert len(hand) == len(truth.seats[other].hand)
                if not state.record["opened"][0] >> other & 1:
                    assert [card for card in hand if card] == [8] * first.seats[other].shown

    def test_a_silent_five_is_nobody_elses_matter(self) -> None:
        state = Game("goita").position(hands=FIVES, dealer=1)
        assert table(state).captions == ("Player 1 may speak of 5 市",)
        for seat in (1, 2, 3):
            views = [table(state.view(seat, seed=seed).state()) for seed in range(9)]
            assert {(view.to_play, view.captions) for view in views} == {(1, ("Player 2 leads",))}
        state.play("announce")
        assert [table(state.view(seat).state()).seats[0].notes for seat in range(4)] == [("five 市",)] * 4
        assert table(state).captions == ("Player 3 answers: play on, or deal again",)

    def test_a_king_that_was_shown_stays_in_sight(self) -> None:
        hands = "11234588,11122345,11133467,11245567"
        game = Game("goita", cards="letters")
        state = game.position(hands=hands, dealer=0, plies="118")
        view = table(state.view(2).state())
        assert (view.seats[0].hand, view.seats[0].shown) == ((*[None] * 5, 8), 1)
        assert table(state).seats[0].shown == 1
        state.play("p").play("p").play("p").play("31")
        view = table(state.view(2).state())
        assert (view.seats[0].hand, view.seats[0].notes) == ((None,) * 4, ("O in hand or face down",))
        assert (table(state).seats[0].hand, table(state).seats[0].shown) == ((2, 4, 5, 8), 1)
        buried = table(game.position(hands=hands, dealer=0, plies="188").view(2).state())
        assert buried.seats[0].plays[0].first == 8

    def test_before_the_deal(self) -> None:
        state = Game("goita").start(chance="manual")
        assert table(state).captions == ("the first dealer is to be drawn",)
        assert table(state).slots == 4
        assert table(state.play("dealer:3")).captions == ("to be dealt",)

    def test_the_pictures_of_a_deal_are_of_one_size(self) -> None:
        (states,) = states_of(read(GOLDEN), Game("goita"))
        assert {table(state).slots for state in states} == {4}


class TestReplay:
    def test_every_position_of_the_golden_game(self) -> None:
        (states,) = states_of(read(GOLDEN), Game("goita"))
        assert len(states) == 27
        assert [len(state.legal_actions()) for state in states[:-1]] == [
            19, 1, 6, 5, 8, 6, 10, 1, 4, 1, 17, 1, 4, 1, 9, 4, 3, 4, 1, 4, 1, 7, 1, 4, 1, 2,
        ]  # fmt: skip
        assert states[-1].payoffs == (-4 / 15, 4 / 15, -4 / 15, 4 / 15)

    @pytest.mark.parametrize("name", GAMES)
    def test_a_played_game_comes_back(self, name: str) -> None:
        game = Game(name)
        counts = counts_of(game)
        state = random_play(game, 5, 120)
        match = record_of(state)
        assert read_yaml(write_yaml(match, counts), counts).deals == match.deals
        last = states_of(match, game)[-1][-1]
        for field in ("hand", "scores", "turn", "result", "key"):
            wanted = state.key if field == "key" else state.record[field].tolist()
            assert (last.key if field == "key" else last.record[field].tolist()) == wanted

    def test_the_deals_of_a_match_follow_each_other(self) -> None:
        game = Game("goita_hozonkai")
        match = record_of(random_play(game, 3, 150), ("Ann", "Bob", "Cid", "Dan"))
        assert len(match.deals) > 2
        deals = states_of(match, game)
        for states, after in zip(deals, match.deals[1:], strict=False):
            ended = states[-1].record[0]
            assert (int(ended["scores"][0]) * 10, int(ended["scores"][1]) * 10) == after.score
            assert ended["next_dealer"] == after.dealer

    def test_a_match_between_people(self) -> None:
        """Ten deals as they were played: all by our rules, and each begins with the score and dealer that they give."""
        deals = json.loads((DATA / "goita_online_match.json").read_text())["deals"]
        played = [dataclasses.replace(read_line(deal["line"]), score=tuple(deal["score"])) for deal in deals]
        match = Match(tuple(played))
        assert read_yaml(write_yaml(match)) == match
        ended = [states[-1] for states in states_of(match, Game("goita_hozonkai"))]
        for state, after in zip(ended, played[1:], strict=False):
            s = state.record[0]
            assert ((s["scores"] * 10).tolist(), s["next_dealer"]) == (list(after.score or ()), after.dealer)
        assert ended[-1].winners == (1, 3)

    def test_a_view_records_what_its_seat_saw(self) -> None:
        (states,) = states_of(read(GOLDEN), Game("goita"))
        seen = write_line(record_of(states[15].view(1).state()).deals[0])
        assert seen == ("xxxxxxxx,11122357,xxxxxxxx,xxxxxxxx,s1,1x4,2p,3p,444,142,223,336,4p,1p,2p,3x6,4p,1p,2p,3x5")

    @pytest.mark.parametrize("seat", range(4))
    def test_silence_is_seen_by_its_holder_only(self, seat: int) -> None:
        state = Game("goita").position(hands=FIVES, dealer=1, plies="silent")
        words = [ply.word for ply in record_of(state.view(seat).state()).deals[0].plies]
        assert words == ["silent"] * (seat == 0)

    def test_five_that_viewers_do_not_tell_of_were_silent(self) -> None:
        (states,) = states_of(read(f"{FIVES},s2,212"), Game("goita"))
        assert [ply.word for ply in record_of(states[-1]).deals[0].plies] == ["silent", "play"]

    def test_six_count_by_themselves_or_declared(self) -> None:
        line = "11111123,11223445,11334567,24556788,s1,1declare"
        for specials in ("auto", "choice"):
            (states,) = states_of(read(line), Game("goita", specials=specials))
            assert states[-1].is_over

    @pytest.mark.parametrize(
        ("text", "line", "where", "why"),
        [
            (f"{HANDS},s1,114,2p,3p,454", 2, "deal 2, ply 4 '454'", "only the same kind"),
            (f"{HANDS},s1,119", 2, "deal 2, ply 1 '119'", "a king attacks only"),
            (f"{HANDS},s1,1silent", 2, "deal 2, ply 1 '1silent'", "nobody asks"),
            (f"{HANDS},s1,1x4", 2, "deal 2, ply 1 '1x4'", "all cards known"),
            ("xxxxxxxx,11122357,11356678,11134455,s1", 2, "deal 2, hands", "all hands known"),
            (f"{FIVES},s2,3announce", 2, "deal 2, ply 1 '3announce'", "player 1 is to act"),
        ],
    )
    def test_says_which_ply_the_rules_do_not_allow(self, text: str, line: int, where: str, why: str) -> None:
        with pytest.raises(RecordError, match=why) as error:
            states_of(read(f"{GOLDEN}\n{text}\n"), Game("goita"))
        assert (error.value.line, error.value.field) == (line, where)

    def test_a_score_that_a_match_cannot_have(self) -> None:
        deal = read_line(GOLDEN)
        match = read_yaml(write_yaml(Match((deal,))).replace("[0,0]", "[0,155]"))
        with pytest.raises(RecordError, match="line 7, deal 1: scores 0-155"):
            states_of(match, Game("goita_hozonkai"))
