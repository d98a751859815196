"""The games written out under ``tests/playthroughs`` still go as they went."""

from __future__ import annotations

import pytest

from narabe.envs import game
from narabe.tests.playthroughs.regenerate import FOLDER, Playthrough, playthroughs


@pytest.mark.parametrize("playthrough", playthroughs(), ids=lambda playthrough: playthrough.variant)
def test_a_playthrough_is_played_as_it_is_written(playthrough: Playthrough) -> None:
    written = playthrough.file.read_text()
    assert playthrough.text() == written, "a wanted change? python -m narabe.tests.playthroughs.regenerate"


@pytest.mark.parametrize("playthrough", playthroughs(), ids=lambda playthrough: playthrough.variant)
def test_the_positions_of_a_playthrough_can_be_read_back(playthrough: Playthrough) -> None:
    """Each text line gives a position with the key of the line below it."""
    lines, played = playthrough.file.read_text().splitlines(), game(playthrough.variant, **playthrough.options)
    pairs = [(line, below) for line, below in zip(lines, lines[1:]) if line.startswith("text")]
    assert len(pairs) >= 3
    for text, key in pairs:
        state = played.from_text(text.split(maxsplit=1)[1])
        assert key.startswith(f"key    {state.key:016x}")


def test_every_variant_has_a_playthrough_and_there_are_no_others() -> None:
    assert sorted(FOLDER.glob("*.txt")) == sorted(playthrough.file for playthrough in playthroughs())


def test_the_playthroughs_show_what_the_games_are_about() -> None:
    texts = {playthrough.variant: playthrough.text() for playthrough in playthroughs()}
    assert "!" in texts["omok"] and "!" in texts["renju"]  # forbidden points
    assert "five pairs" in texts["capture_gomoku"]
    assert all("five in a row" in texts[name] for name in ("gomoku", "freestyle", "omok"))
