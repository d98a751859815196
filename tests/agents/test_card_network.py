"""Networks for Goita: what they are told, of actions and of hidden cards, and that they learn from it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from narabe.agents.card_network import CardNetwork, CardShape, Critic, Encoding, action_features, hidden_planes
from narabe.envs import Game, State, game
from narabe.tests.agents.nets import positions

GAMES = [game(name) for name in ("goita", "goita_hozonkai", "goita_two_by_four", "goita_four_by_four")]
GOITA = GAMES[0]
SMALL = CardShape(width=16, layers=2)


def planes_of(states: list[State]) -> torch.Tensor:
    return torch.from_numpy(np.stack([s.observe(s.to_play) for s in states]))


def hidden_of(states: list[State]) -> torch.Tensor:
    records = np.concatenate([s.record for s in states])
    return torch.from_numpy(hidden_planes(states[0].game, records, np.array([s.to_play for s in states])))


@pytest.mark.parametrize("g", GAMES, ids=lambda g: g.name)
def test_values_of_all_actions_and_every_weight_learns(g: Game) -> None:
    torch.manual_seed(1)
    states = positions(g, 12)
    network, critic = CardNetwork(g, SMALL), Critic(g, SMALL)
    worth, value = network(planes_of(states)), critic(planes_of(states), hidden_of(states))
    assert worth.shape == (12, g.num_actions) and value.shape == (12,)
    assert worth.abs().max() <= 1 and value.abs().max() <= 1
    assert (worth.std(0) > 0).all() and (worth.std(1) > 0).all()  # by state and by action
    ((worth - 1) ** 2).sum().backward()
    ((value - 1) ** 2).sum().backward()
    for part in (network, critic):
        for name, weight in part.named_parameters():
            assert weight.grad is not None and weight.grad.abs().sum() > 0, name


def test_the_features_of_an_action_are_its_cards() -> None:
    features = action_features(GOITA)
    assert features.shape == (70, 22) and len(np.unique(features, axis=0)) == 70
    for action in range(1, 65):
        laid, attack = GOITA.text_of(action)
        assert np.flatnonzero(features[action]).tolist() == [int(laid) - 1, 8 + int(attack) - 1]
    assert np.flatnonzero(features[GOITA.action_of("p")]).tolist() == [16]
    assert (features[65:].sum(1) == 1).all() and (features[65:, :17] == 0).all()
    assert action_features(game("goita_two_by_four")).shape == (65, 17)


@pytest.mark.parametrize("g", GAMES, ids=lambda g: g.name)
def test_hidden_planes_hold_every_card_that_is_not_face_up(g: Game) -> None:
    """Together with the cards face up they are the deck; the own hand is what the seat sees; rows turn with the seat."""
    for state in positions(g, 40):
        seats = np.arange(g.num_players)
        told = hidden_planes(g, np.repeat(state.record, g.num_players), seats)
        deck = [g.options[name] for name in ("shi", "gon", "bakko", "gin", "kin", "kaku", "hisha", "ou")]
        for seat in seats:
            seen = state.observe(seat)
            assert (told[seat].sum((0, 1)) + seen[1].sum(0)).tolist() == deck
            np.testing.assert_array_equal(told[seat, 0, 0], seen[0, 0])
            np.testing.assert_array_equal(told[seat, 1, 0], seen[2, 0])
            np.testing.assert_array_equal(told[seat].sum(2).sum(0), seen[3, :, 0] + seen[3, :, 1] + seen[2].sum(1))
            np.testing.assert_array_equal(told[seat], np.roll(told[0], -seat, axis=1))


def test_the_network_knows_what_the_seat_knows_and_the_critic_more() -> None:
    """Of two deals that look alike to the seat to move, the network says the same, the critic does not."""
    torch.manual_seed(1)
    one = GOITA.from_text("0-0 s1 11223448,11122357,11356678,11134455 114,2p,3p")
    other = one.copy()
    other.record = one.view(one.to_play, seed=5).record  # the hidden hands dealt anew
    assert not np.array_equal(one.record["hand"], other.record["hand"])
    network, critic = CardNetwork(GOITA, SMALL).eval(), Critic(GOITA, SMALL).eval()
    with torch.inference_mode():
        assert torch.equal(network(planes_of([one])), network(planes_of([other])))
        values = [critic(planes_of([s]), hidden_of([s])) for s in (one, other)]
    assert not torch.equal(*values)


def test_what_is_seen_is_encoded_without_loss_and_at_one_scale() -> None:
    """Different observations have different numbers, none of which is large; bits of a play do not add up."""
    states = positions(GOITA, 60)
    planes = planes_of(states)
    numbers = Encoding(GOITA)(planes)
    assert numbers.shape == (60, Encoding(GOITA).size) and numbers.max() <= 10
    assert len(numbers.unique(dim=0)) == len(planes.flatten(1).unique(dim=0)) > 40
    np.testing.assert_array_equal(Encoding(GOITA)(planes.float()), numbers)
    play = torch.zeros(1, *GOITA.observation_shape, dtype=torch.int8)
    play[0, 5, 2, 3] = 5  # an attack and a known card face down, both of kind 4
    bits = Encoding(GOITA)(play)[0, 5 * 32 :].reshape(3, 13, 4, 8)
    assert bits[:, 0, 2, 3].tolist() == [1, 0, 1] and bits.sum() == 2


def test_the_critic_learns_what_only_hands_tell() -> None:
    """Who holds more kings, the partner or the others: after some steps it knows, and the observation does not say."""
    torch.manual_seed(1)
    states = [s for s in map(GOITA.start, range(80)) if not s.is_over]
    planes, hidden = planes_of(states), hidden_of(states)
    target = (hidden[:, 0, 2, 7] - hidden[:, 0, 1, 7] - hidden[:, 0, 3, 7]).float() / 2
    critic = Critic(GOITA, CardShape(width=32, layers=1))
    steps = torch.optim.Adam(critic.parameters(), lr=0.01)
    for _ in range(150):
        loss = ((critic(planes, hidden) - target) ** 2).mean()
        steps.zero_grad()
        loss.backward()
        steps.step()
    fresh = [s for s in map(GOITA.start, range(100, 150)) if not s.is_over]
    told = hidden_of(fresh)
    wanted = (told[:, 0, 2, 7] - told[:, 0, 1, 7] - told[:, 0, 3, 7]).float() / 2
    with torch.inference_mode():
        assert ((critic(planes_of(fresh), told) - wanted) ** 2).mean() < 0.6 * wanted.var()


def test_other_games_and_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="gomoku is no Goita"):
        CardNetwork(game("gomoku"), SMALL)
    with pytest.raises(ValueError, match="layers=0: at least 1"):
        CardShape(layers=0)
    assert CardShape(**SMALL.to_dict()) == SMALL
