"""`net` for Goita: it plays by what its seat knows, for matches too, and takes no network of a board."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
import torch

from narabe.agents import Agent, AgentError, Analysis, make
from narabe.agents.card_network import CardNetwork, CardShape
from narabe.agents.card_player import CardEvaluator
from narabe.agents.checkpoints import Card, CheckpointError, load, load_cards, save
from narabe.envs import Game, State, game
from narabe.envs.rules import calls
from narabe.envs.rules.random import new_stream
from narabe.tests.agents.nets import SMALL, network_of, positions

GOITA = game("goita")
SHAPE = CardShape(width=24, layers=2)


def network(g: Game = GOITA) -> CardNetwork:
    torch.manual_seed(3)
    return CardNetwork(g, SHAPE).eval()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("cards") / "net"
    save(path, network(), Card.of(GOITA, SHAPE))
    return path


def answer(agent: Agent, state: State, seed: int = 0) -> Analysis:
    agent.new_game(state.to_play, 5)
    return agent.choose([state.view(state.to_play, seed=seed)])[0]


@pytest.mark.parametrize("options", ["", ",temperature=0.05"])
def test_it_answers_alike_in_truths_that_its_seat_cannot_tell_apart(file: pathlib.Path, options: str) -> None:
    agent, different, actions = make(f"net:file={file}{options}", GOITA), 0, set()
    for state in positions(GOITA, 40):
        truths = [state]
        for seed in range(3):
            other = state.copy()
            calls.redeal(other.record, 0, state.to_play + 1, new_stream(seed))
            truths.append(other)
        different += len({tuple(truth.record["hand"][0]) for truth in truths}) > 1
        answers = [answer(agent, truth, seed) for truth in truths for seed in (0, 1)]
        assert len({a.action for a in answers}) == 1
        assert len({a.policy.tobytes() for a in answers}) == len({a.value for a in answers}) == 1
        actions.add(answers[0].action)
    assert different > 30 and len(actions) > 8


def test_it_plays_what_the_network_thinks_is_worth_most(file: pathlib.Path) -> None:
    agent, states = make(f"net:file={file}", GOITA), positions(GOITA, 20)
    agents = agent.choose([s.view(s.to_play, slot) for slot, s in enumerate(states)])
    for state, found in zip(states, agents):
        seat, legal = state.to_play, state.legal_actions()
        with torch.inference_mode():
            worth = network()(torch.from_numpy(state.observe(seat)[None]))[0].numpy()[legal]
        assert found.action == legal[worth.argmax()] and found.policy[found.action] == 1
        assert found.value is not None and found.value[seat] == pytest.approx(worth.max(), abs=1e-5)
        assert found.value[(seat + 2) % 4] == found.value[seat] == -found.value[(seat + 1) % 4]
        assert found.nodes == len(legal) and not found.visits.any() and found.principal_variation == (found.action,)


def test_a_temperature_draws_by_worth(file: pathlib.Path) -> None:
    agent = make(f"net:file={file},temperature=0.02", GOITA)
    state = GOITA.from_text("0-0 s1 11223448,11122357,11356678,11134455 -")
    agent.new_game(0, 1)
    found = [agent.choose([state.view(0)])[0] for _ in range(300)]
    legal = state.legal_actions()
    with torch.inference_mode():
        worth = network()(torch.from_numpy(state.observe(0)[None]))[0][torch.from_numpy(legal)]
    shares = torch.softmax(worth.double() / 0.02, 0).numpy()
    np.testing.assert_allclose(found[0].policy[legal], shares, atol=1e-4)
    counts = np.bincount([a.action for a in found], minlength=70)[legal] / 300
    assert np.abs(counts - shares).max() < 0.08 and (counts > 0).sum() > 3


def test_the_evaluator_agrees_with_the_network_and_keeps_its_weights() -> None:
    net = network()
    evaluate = CardEvaluator(net)
    planes = np.stack([s.observe(s.to_play) for s in positions(GOITA, 6)])
    rows, actions = np.array([5, 0, 0, 3]), np.array([0, 64, 12, 69])
    with torch.inference_mode():
        expected = net(torch.from_numpy(planes)).numpy()[rows, actions]
    for parameter in net.parameters():
        parameter.data.zero_()
    np.testing.assert_allclose(evaluate(planes, rows, actions), expected, atol=1e-6)


def test_a_network_of_single_deals_plays_matches_whatever_the_score(file: pathlib.Path) -> None:
    hozonkai = game("goita_match", match=150, points=10, dealer="winner")
    text = "{} s1 11223448,11122357,11356678,11134455 114,2p,3p"
    one = GOITA.from_text(text.format("0-0"))
    expected = answer(make(f"net:file={file}", GOITA), one)
    for g, score in ((hozonkai, "0-0"), (hozonkai, "140-20"), (game("goita_match"), "3-12")):
        found = answer(make(f"net:file={file}", g), g.from_text(text.format(score)))
        assert found.action == expected.action and found.value == expected.value


def test_a_network_of_matches_is_told_the_score(tmp_path: pathlib.Path) -> None:
    g = game("goita_match")
    save(tmp_path / "net", network(g), Card.of(g, SHAPE))
    agent = make(f"net:file={tmp_path / 'net'}", g)
    text = "{} s1 11223448,11122357,11356678,11134455 114,2p,3p"
    assert len({answer(agent, g.from_text(text.format(score))).value for score in ("0-0", "14-0")}) == 2


def test_networks_of_boards_and_of_cards_are_not_taken_for_each_other(
    tmp_path: pathlib.Path, file: pathlib.Path
) -> None:
    board = game("gomoku", size=5)
    save(tmp_path / "board", network_of(board), Card.of(board, SMALL))
    with pytest.raises(
        AgentError, match=r"board\.json is a network of board for gomoku, and one of cards .*train-cards"
    ):
        make(f"net:file={tmp_path / 'board'}", GOITA)
    with pytest.raises(
        AgentError, match=r"net\.json is a network of cards for goita, and one of board .*`narabe train`"
    ):
        make(f"net:file={file}", board)
    with pytest.raises(CheckpointError, match="network of cards"):
        load(file)


def test_a_network_of_other_rules_is_refused(tmp_path: pathlib.Path, file: pathlib.Path) -> None:
    with pytest.raises(AgentError, match="king_attack_after_burying=True and not False; only what lies around a deal"):
        make(f"net:file={file}", game("goita", king_attack_after_burying=True))
    with pytest.raises(AgentError, match="its observations have|hand=4"):
        make(f"net:file={file}", game("goita_four_by_four"))
    g = game("goita_match")
    save(tmp_path / "net", network(g), Card.of(g, SHAPE))
    with pytest.raises(AgentError, match="match=0 and not 15"):
        make(f"net:file={tmp_path / 'net'}", GOITA)


def test_it_comes_back_from_its_file(file: pathlib.Path) -> None:
    again, card = load_cards(file)
    assert card.kind == "cards" and card.made_game() == GOITA and again.shape == SHAPE and not again.training
    for name, x in network().state_dict().items():
        assert torch.equal(x, again.state_dict()[name])


def test_two_players_have_opposite_values(tmp_path: pathlib.Path) -> None:
    g = game("goita_two_by_four")
    save(tmp_path / "net", network(g), Card.of(g, SHAPE))
    (state,) = positions(g, 1)
    value = answer(make(f"net:file={tmp_path / 'net'}", g), state).value
    assert value is not None and len(value) == 2 and value[0] == -value[1] != 0
