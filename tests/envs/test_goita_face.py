"""The face of Goita: what its options, texts and positions refuse, and why."""

from __future__ import annotations

from typing import Any

import pytest

from narabe.envs import OptionError, game

HANDS = "11223448,11122357,11356678,11134455"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"players": 3}, "for four, and for two"),
        ({"hand": 7}, "an even number"),
        ({"shi": 9}, "the deck has 31 cards, and 4 hands of 8 take 32"),
        ({"players": 2, "hand": 4, "shi": 3, "gon": 1, "bakko": 0, "gin": 2, "kin": 0, "kaku": 0, "hisha": 0},
         "give specials=off"),
        ({"specials": "off", "auto_redeal": True}, "auto_redeal says nothing with specials=off"),
        ({"match": 200}, "127 at most"),
        ({"match": 15, "payoff": "win"}, "a match is won or lost"),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together_are_refused(options: dict[str, Any], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        game("goita", **options)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("goita", "0-0 s1", "4 fields"),
        ("goita", f"1-0 s1 {HANDS} -", "scores 1-0: 0-0 in a game of a single deal"),
        ("goita_match", f"15-0 s1 {HANDS} -", "whole points below 15"),
        ("goita_hozonkai", f"45-0 s1 {HANDS} -", "multiples of 10 below 150"),
        ("goita", f"0-0 s5 {HANDS} -", "s1 to s4"),
        ("goita_two_by_four", "0-0 s3 1128,1148 -", "s1 to s2"),
        ("goita", "0-0 s1 11223448 -", "1 hands for 4 players"),
        ("goita", f"0-0 s1 {HANDS.replace('3', '4')} -", "the hands hold 0 of kind 3"),
        ("goita", f"0-0 s1 {HANDS} 114,1p", "ply 2, '1p': player 2 is to play"),
        ("goita", f"0-0 s1 {HANDS} 119", "ply 1, '119': 18: a king attacks only"),
        ("goita", "0-0 s1 - 114", "nothing can be played before the deal"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_the_field_that_is_wrong(name: str, text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        game(name).from_text(text)


@pytest.mark.parametrize("action", [70, 80, 98, 1000])
def test_what_is_no_action_has_no_name(action: int) -> None:
    """Between the actions and the outcomes of chance stand what others see of an action, and numbers for nothing."""
    with pytest.raises(ValueError, match="no action of goita: 0 to 69"):
        game("goita").text_of(action)
    assert [game("goita").text_of(a) for a in (81, 88, 89, 97)] == ["x1", "x8", "x8!", "88!"]
