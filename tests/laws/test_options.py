"""The variants' own options, their bounds, and what is refused."""

from __future__ import annotations

import pytest

from narabe.envs import OptionError, entries, game
from narabe.envs.rules import line

PLAIN = {
    "width": 15, "height": 15, "row": 5, "exact": False, "double_three": False, "double_four": False, "overline": False,
    "bans": "both", "recursive": False, "five_spoils_three": False, "same_line": False, "captures": False, "opening": "none",
}  # fmt: skip
DEFAULTS = {
    "gomoku": {"exact": True},
    "freestyle": {},
    "omok": {"width": 19, "height": 19, "double_three": True},
    "capture_gomoku": {"width": 19, "height": 19, "captures": True, "opening": "tournament"},
    "renju": {
        "double_three": True, "double_four": True, "overline": True, "bans": "black", "recursive": True,
        "five_spoils_three": True,
    },
}  # fmt: skip


def test_the_defaults_of_every_line_game() -> None:
    assert {e.variant.name: game(e.variant.name).options for e in entries() if e.law is line} == {
        name: PLAIN | changes for name, changes in DEFAULTS.items()
    }


@pytest.mark.parametrize("name", DEFAULTS)
@pytest.mark.parametrize("size", [13, 15, 19])
def test_the_sizes_of_the_sources_exist_for_every_game(name: str, size: int) -> None:
    made = game(name, size=size)
    assert (made.options["width"], made.options["height"], made.num_actions) == (size, size, size * size)


@pytest.mark.parametrize(("width", "height"), [(3, 3), (20, 20), (3, 20), (20, 3), (6, 5)])
def test_boards_are_any_rectangle_from_3_to_20(width: int, height: int) -> None:
    state = game("freestyle", width=width, height=height, row=3).start()
    assert len(state.legal_actions()) == width * height


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"size": 2}, "3 to 20"),
        ({"size": 21}, "3 to 20"),
        ({"row": 6}, "3 to 5"),
        ({"row": 2}, "3 to 5"),
        ({"size": 4, "row": 5}, "does not fit on a 4x4 board"),
        ({"bans": "white"}, "both, black"),
        ({"exact": "perhaps"}, "true or false"),
        ({"exat": True}, "mean exact"),
        ({"size": "large"}, "whole number"),
        ({"size": 8, "opening": "tournament"}, "odd sizes of 7 or more"),
        ({"size": 5, "opening": "tournament"}, "odd sizes of 7 or more"),
    ],
)
def test_what_is_refused_says_what_is_allowed(options: dict, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        game("gomoku", **options)


@pytest.mark.parametrize(("size", "opening"), [(19, "tournament"), (7, "tournament"), (8, "none"), (5, "none")])
def test_sizes_without_a_tournament_opening_play_without(size: int, opening: str) -> None:
    assert game("capture_gomoku", size=size).options["opening"] == opening


def test_options_may_stand_in_the_name() -> None:
    assert game("omok:size=15,recursive=true") == game("omok", width=15, height=15, recursive=True)
    assert game("omok:size=15").spec == "omok:size=15"


def test_an_unknown_game_is_refused_with_a_hint() -> None:
    with pytest.raises(ValueError, match="Did you mean gomoku"):
        game("gomuku")
