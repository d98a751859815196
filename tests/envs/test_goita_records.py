"""Records of Goita as history lines and as YAML: both ways, and what is said about those that are wrong."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
import pickle
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narabe.envs.goita_records import (
    Deal,
    Match,
    Ply,
    RecordError,
    read,
    read_line,
    read_lines,
    read_yaml,
    write_line,
    write_yaml,
)
from narabe.envs.goita_records.deal import CALLS, ENDING

HANDS = "11223449,11122357,11356678,11134455"
GOLDEN = f"{HANDS},s1,114,2p,3p,444,142,223,336,4p,1p,2p,316,4p,1p,2p,315,451,112,221,3p,4p,1p,211,3p,4p,1p,257"

VIEWER = """\
version: 1.0
p0: "Ann"
p1: "Bob"
p2: "Cid"
p3: "Dan"
log:
 - hand:
     p0: "しし香香馬銀銀玉"
     p1: "ししし香香馬金飛"
     p2: "しし馬金角角飛王"
     p3: "ししし馬銀銀金金"
   uchidashi: 0
   score: [0,20]
   game:
    - ["0","し","銀"]
    - ["3","銀","銀"]
    - ["0","銀","香"]
    - ["1","香","馬"]
    - ["2","馬","角"]
    - ["2","し","角"]
    - ["2","し","金"]
    - ["3","金","し"]
    - ["0","し","香"]
    - ["1","香","し"]
    - ["1","し","し"]
    - ["1","金","飛"]
"""
"""The golden game in the layout that viewers write; its kings are told apart, as theirs are."""


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Deals that pass the checks and keep no rule: any cards laid in turn, some calls before, some cards hidden."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    deck = [card for card, count in zip(range(1, 10), (10, 4, 4, 4, 4, 2, 2, 1, 1), strict=True) for _ in range(count)]
    rng.shuffle(deck)
    hands = [deck[8 * seat : 8 * seat + 8] for seat in range(4)]
    dealer = draw(st.integers(0, 3))
    plies = [Ply(draw(st.integers(0, 3)), word=call) for call in draw(st.lists(st.sampled_from(CALLS[:3]), max_size=3))]
    if draw(st.integers(0, 4)) == 0:
        plies.append(Ply(draw(st.integers(0, 3)), word=draw(st.sampled_from(ENDING))))
        return Deal(tuple(map(tuple, hands)), dealer, tuple(plies), draw(scores))
    left, turn, attacker = [list(hand) for hand in hands], dealer, None
    for passes in draw(st.lists(st.booleans(), max_size=30)):
        if passes and attacker not in (None, turn):
            plies.append(Ply(turn, word="pass"))
        else:
            lay, attack = left[turn].pop(), left[turn].pop()
            plies.append(Ply(turn, None if draw(st.integers(0, 3)) == 0 else lay, attack))
            attacker = turn
            if not left[turn]:
                break
        turn = (turn + 1) % 4
    hidden = draw(st.sets(st.integers(0, 3)))
    shown = tuple((None,) * 8 if seat in hidden else tuple(hand) for seat, hand in enumerate(hands))
    return Deal(shown, dealer, tuple(plies), draw(scores))


scores = st.none() | st.tuples(st.integers(0, 149), st.integers(0, 149))
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


class TestLine:
    def test_the_golden_game(self) -> None:
        deal = read_line(GOLDEN)
        assert deal.hands[0] == (1, 1, 2, 2, 3, 4, 4, 9)
        assert deal.dealer == 0
        assert len(deal.plies) == 26
        assert deal.plies[:2] == (Ply(0, 1, 4), Ply(1, word="pass"))
        assert write_line(deal) == GOLDEN

    @pytest.mark.parametrize(
        "line",
        [
            # the example in the manual of goita-core, whose deck is not the whole one
            "12345678,12345679,11112345,11112345,s1,113,2p,3p,431,1p,2p,315",
            "54321111,xxxxxxxx,11112345,xxxxxxx9,s4,4x1",
            f"{HANDS},s3",
            "11111234,11111234,23456789,23455567,s2,2announce,4on,1silent,214",
            "11111234,11111234,23456789,23455567,s2,2announce,4redeal",
            "11111162,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1,1declare",
        ],
    )
    def test_others_come_back_as_they_were(self, line: str) -> None:
        assert write_line(read_line(line)) == line

    @given(deals())
    def test_every_deal_comes_back(self, deal: Deal) -> None:
        line = write_line(deal)
        assert read_line(line) == dataclasses.replace(deal, score=None)
        assert read(line).deals == (read_line(line),)

    def test_small_decks(self) -> None:
        counts = (3, 1, 0, 2, 0, 0, 0, 2)
        deal = read_line("1148,1248,s1,114,242", counts)
        assert [len(hand) for hand in deal.hands] == [4, 4]
        assert write_line(deal, counts) == "1148,1248,s1,114,242"
        with pytest.raises(RecordError, match="hand 1 '1158': the deck has no card 5"):
            read_line("1158,1248,s1", counts)

    @pytest.mark.parametrize(
        ("line", "field", "problem"),
        [
            (HANDS, "dealer", "there is none"),
            (f"{HANDS},sx", "dealer 'sx'", "such as s1"),
            (f"{HANDS},s5", "dealer 's5'", "no such player among 4"),
            ("1122344z,11122357,11356678,11134455,s1", "hand 1 '1122344z'", "1 to 9"),
            ("11223449,1112235,11356678,11134455,s1", "hand 2 '1112235'", "8 cards are needed, not 7"),
            ("11223449,11122357,11356678,s1", "hand 3 '11356678'", "two or four hands"),
            ("11223449,11122357,11356678,11134458,s1", "hand 4 '11134458'", "2 cards of kind 8, not 3"),
            (f"{HANDS},s1,", "ply 1 ''", "two cards"),
            (f"{HANDS},s1,114,2q", "ply 2 '2q'", "the player's number"),
            (f"{HANDS},s1,11x", "ply 1 '11x'", "the player's number"),
            (f"{HANDS},s1,214", "ply 1 '214'", "player 1 is to act, not player 2"),
            (f"{HANDS},s1,114,3p", "ply 2 '3p'", "player 2 is to act, not player 3"),
            (f"{HANDS},s1,114,5p", "ply 2 '5p'", "no such player"),
            (f"{HANDS},s1,1p", "ply 1 '1p'", "player 1 leads and cannot pass"),
            (f"{HANDS},s1,114,2p,3p,4p,1p", "ply 5 '1p'", "player 1 leads and cannot pass"),
            (f"{HANDS},s1,116", "ply 1 '116'", "player 1 does not hold this card"),
            (f"{HANDS},s1,111,2p,3p,4p,113", "ply 5 '113'", "player 1 does not hold this card"),
            (f"{HANDS},s1,114,2p,3p,4p,1on", "ply 5 '1on'", "before the first play"),
            (f"{HANDS},s1,3announce,1redeal,114", "ply 3 '114'", "over: player 1 called 'redeal'"),
            (f"{GOLDEN},3p", "ply 27 '3p'", "over: player 2 is out of cards"),
            ("xxxxxxxx,xxxxxxxx,11356678,11134455,s1,188", "ply 1 '188'", "2 cards of kind 8, not"),
        ],
    )  # fmt: skip
    def test_says_what_is_wrong_and_where(self, line: str, field: str, problem: str) -> None:
        with pytest.raises(RecordError, match=problem) as error:
            read_lines(f"# some deals\n\n{GOLDEN}  # the golden one\n{line}\n")
        assert (error.value.line, error.value.field) == (4, field)
        assert str(error.value).startswith(f"line 4, {field}: ")

    def test_a_hidden_card_leaves_the_known_ones_in_hand(self) -> None:
        line = f"{HANDS},s1,1x9,2p,3p,4p,1x4,2p,3p,4p,1x4,2p,3p,4p,1x3"
        assert write_line(read_line(line)) == line
        with pytest.raises(RecordError, match="out of cards"):
            read_line(f"{line},2p,3p,4p,1x2")

    def test_does_not_write_what_it_would_not_read(self) -> None:
        with pytest.raises(RecordError, match="ply 1 '1x9': player 2 is to act"):
            write_line(Deal(((1,) * 8, (None,) * 8, (None,) * 8, (None,) * 8), 1, (Ply(0, None, 9),)))
        with pytest.raises(RecordError, match="lies face up"):
            write_line(Deal(((None,) * 8,) * 4, 0, (Ply(0, 1, None),)))


class TestYaml:
    def test_the_golden_game(self) -> None:
        match = read_yaml(VIEWER)
        golden = read_line(GOLDEN)
        assert match.names == ("Ann", "Bob", "Cid", "Dan")
        assert match.deals[0].score == (0, 20)
        assert match.deals[0].plies == golden.plies
        assert Counter(match.deals[0].hands[0]) == Counter(golden.hands[0])
        assert write_yaml(match) == VIEWER

    def test_passes_follow_from_the_seats(self) -> None:
        def acts(rows: str) -> str:
            text = VIEWER[: VIEWER.index("   game:")] + f"   game: {rows}\n"
            return ",".join(map(str, read_yaml(text).deals[0].plies))

        assert acts("[[0, し, 銀], [1, し, し]]") == "114,211"
        assert acts("[[0, し, 銀], [3, し, し]]") == "114,2p,3p,411"
        assert acts("[[0, し, 銀], [0, し, 銀]]") == "114,2p,3p,4p,114"
        assert acts("[]") == acts("") == ""

    def test_lays_of_the_other_king_and_the_cards_of_atigo(self) -> None:
        """Viewers write either king as 王 in a row, and hands in any order."""
        text = VIEWER.replace('"しし香香馬銀銀玉"', '"玉銀し香馬銀し香"').replace('"0","し","銀"', "0, 市, 王")
        assert read_yaml(text[: text.index('    - ["3"')]).deals[0].plies == (Ply(0, 1, 8),)

    def test_bom_crlf_and_unknown_keys(self) -> None:
        text = "\ufeff" + VIEWER.replace("version: 1.0", "version: 2\nplace: Noto").replace("\n", "\r\n")
        assert read_yaml(text) == read(text) == read_yaml(VIEWER)

    def test_two_players(self) -> None:
        counts = (3, 1, 0, 2, 0, 0, 0, 2)
        deal = Deal(((1, 1, 4, 8), (1, 2, 4, 9)), 0, (Ply(0, 1, 4), Ply(1, 4, 2), Ply(0, word="pass")), (3, 0))
        match = Match((deal,), ("Ann", "Bob"))
        assert read_yaml(write_yaml(match, counts), counts) == match

    @given(st.lists(deals(), max_size=3), st.tuples(names, names, names, names))
    def test_every_match_comes_back(self, played: list[Deal], players: tuple[str, ...]) -> None:
        match = Match(tuple(played), players)
        known = [dataclasses.replace(deal, score=deal.score or (0, 0)) for deal in played]
        text = write_yaml(match)
        assert read_yaml(text) == Match(tuple(known), players)
        assert read(text) == read_yaml(text)

    @pytest.mark.parametrize(
        ("old", "new", "line", "field", "problem"),
        [
            ("log:", "log: [", 7, "YAML", "expected"),
            ("Ann", "\x07", 2, "YAML", "not allowed"),
            ("log:", "lag:", 1, "log", "missing"),
            ("   uchidashi: 0\n", "", 7, "log[0].uchidashi", "missing"),
            ("uchidashi: 0", "uchidashi: 4", 12, "log[0].uchidashi", "no such player"),
            ("uchidashi: 0", "uchidashi: one", 12, "log[0].uchidashi", "'one'"),
            ("uchidashi: 0", "uchidashi: 1", 15, "log[0].game[0]", "player 2 is to act, not player 1"),
            ("score: [0,20]", "score: 20", 13, "log[0].score", "a list"),
            ("score: [0,20]", "score: [20]", 13, "log[0].score", "a list of 2"),
            ("score: [0,20]", "score: [0,-20]", 13, "log[0].score[1]", "whole number"),
            ("銀銀玉", "銀銀", 8, "log[0].hand.p0", "8 cards are needed, not 7"),
            ("銀銀玉", "銀銀?", 8, "log[0].hand.p0", "'\\?' is no card"),
            ("銀銀玉", "銀銀銀", 11, "log[0].hand.p3", "4 cards of kind 4, not 5"),
            ('     p2: "しし馬金角角飛王"\n', "", 8, "log[0].hand.p2", "missing"),
            ('["3","銀","銀"]', '["3","銀"]', 16, "log[0].game[1]", "a list of 3"),
            ('["3","銀","銀"]', '["4","銀","銀"]', 16, "log[0].game[1][0]", "seats are 0 to 3"),
            ('["3","銀","銀"]', '["3","銀","x"]', 16, "log[0].game[1][2]", "'x' is no card"),
            ('["3","銀","銀"]', '["3","角","銀"]', 16, "log[0].game[1]", "does not hold"),
            ('["3","銀","銀"]', '["3","銀","_"]', 16, "log[0].game[1]", "face up"),
            ('["3","銀","銀"]', "pass", 16, "log[0].game[1]", "a list is needed"),
            ("   game:", "   passes: 1\n   game:", 14, "log[0].passes", "over"),
            ("   game:", '   calls: [["1","five"]]\n   game:', 14, "log[0].calls[0][1]", "'five'"),
        ],
    )  # fmt: skip
    def test_says_what_is_wrong_and_where(self, old: str, new: str, line: int, field: str, problem: str) -> None:
        assert VIEWER.count(old) == 1
        with pytest.raises(RecordError, match=problem) as error:
            read_yaml(VIEWER.replace(old, new))
        assert (error.value.line, error.value.field) == (line, field)

    @pytest.mark.parametrize(
        "text", ["", "# nothing\n", "just words\n", "- 1\n", "log: 5\n", "!!python/name:os.system x"]
    )
    def test_other_documents_are_no_records(self, text: str) -> None:
        with pytest.raises(RecordError):
            read_yaml(text)

    @given(st.text(max_size=60) | st.text("[]{}:,-\n p0log\"'&*", max_size=60))
    def test_no_text_raises_anything_else(self, text: str) -> None:
        for reader in (read_yaml, read_lines):
            with contextlib.suppress(RecordError):
                reader(text)


class TestRead:
    def test_files_of_either_form(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "deal.txt").write_text(f"{GOLDEN}\n{HANDS},s2\n")
        (tmp_path / "match.yaml").write_text("\ufeff" + VIEWER, encoding="utf-8")
        assert read(tmp_path / "deal.txt") == read_lines(f"{GOLDEN}\n{HANDS},s2\n")
        assert read(str(tmp_path / "match.yaml")) == read_yaml(VIEWER)

    def test_what_is_no_text_of_a_record_is_a_path(self) -> None:
        with pytest.raises(FileNotFoundError):
            read("no/such/file.yaml")

    def test_another_encoding(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "old.yaml").write_bytes(VIEWER.encode("shift_jis"))
        with pytest.raises(RecordError, match="line 8, encoding: records are written in UTF-8"):
            read(tmp_path / "old.yaml")

    def test_errors_can_be_pickled(self) -> None:
        error = pickle.loads(pickle.dumps(RecordError(3, "dealer", "there is none")))
        assert str(error) == "line 3, dealer: there is none"
