"""A person as an agent, without the table of `narabe play`."""

from __future__ import annotations

import pytest

from narabe import envs
from narabe.agents.human import HumanAgent, NoMove


def ask(agent, lines, commands=None):
    """(action, texts shown) for the lines that the person types."""
    shown, rest = [], iter(lines)
    agent.read, agent.write = lambda prompt: next(rest), shown.append
    if commands is not None:
        agent.command = commands
    state = agent.game.start().play("E5")
    (analysis,) = agent.choose([state.view(1)])
    return analysis, shown


def test_it_asks_until_the_move_is_legal():
    game = envs.game("gomoku", size=9)
    analysis, shown = ask(HumanAgent(game), ["", "e5", "x", " d4 "])
    assert game.text_of(analysis.action) == "D4"
    assert analysis.policy[analysis.action] == 1
    assert "White to play" in shown[0]
    assert shown[1:] == ["E5: occupied", "cannot read 'x' as a point: write a letter and a number, A1 to I9"]


def test_the_board_can_be_left_out():
    _, shown = ask(HumanAgent(envs.game("gomoku", size=9), board=False), ["d4"])
    assert shown == []


def test_commands_come_first_and_may_end_the_asking():
    agent = HumanAgent(envs.game("gomoku", size=9), board=False)
    heard = []
    ask(agent, ["d4?", "d4"], lambda line: heard.append(line) or line.endswith("?"))
    assert heard == ["d4?", "d4"]

    def leave(line):
        raise NoMove

    with pytest.raises(NoMove):
        ask(agent, ["d4"], leave)


def test_it_talks_through_the_terminal_by_itself(monkeypatch, capsys):
    monkeypatch.setattr("builtins.input", lambda prompt: print(prompt) or "d4")
    agent = HumanAgent(envs.game("gomoku", size=9))
    (analysis,) = agent.choose([agent.game.start().view(0)])
    assert agent.game.text_of(analysis.action) == "D4"
    assert "Black to play" in capsys.readouterr().out
