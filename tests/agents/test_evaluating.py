"""Networks as the searches call them: order of seats, masks, pieces of long batches, precision."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from narabe.agents.evaluating import Averaged, Evaluator
from narabe.agents.networks import ILLEGAL, NetShape
from narabe.agents.symmetries import Symmetries
from narabe.envs import Game, game
from narabe.search.puct import gumbel_search, puct_search
from narabe.tests.agents.nets import batch_of, network_of, outputs, positions
from narabe.tests.games import game_of, heap

G = game("gomoku", size=7)
THREE = game("stacking", players=3, width=5, height=5)


@pytest.mark.parametrize("g", [G, game("gomocku", size=7), game("connect_four"), THREE], ids=lambda g: g.spec)
def test_it_says_what_the_network_says(g: Game) -> None:
    """Logits of legal actions; values in seat order, so that one player's hopes stay with that player."""
    network, asked = network_of(g), batch_of(positions(g, 12))
    logits, values = Evaluator(network, g)(*asked)
    out, (_, masks, players) = outputs(network, asked[0]), asked
    assert logits.dtype == values.dtype == np.float32
    np.testing.assert_allclose(logits[masks > 0], out.policy.numpy()[masks > 0], atol=2e-5)
    assert (logits[masks == 0] == np.float32(ILLEGAL)).all()
    for i, player in enumerate(players):
        for ahead in range(g.num_players):
            seat = (player - 1 + ahead) % g.num_players
            assert values[i, seat] == pytest.approx(float(out.value[i, ahead]), abs=2e-5)


def test_long_batches_are_cut_and_come_back_in_order() -> None:
    network, asked = network_of(G), batch_of(positions(G, 23))
    whole, cut = Evaluator(network, G, batch=64)(*asked), Evaluator(network, G, batch=5)(*asked)
    for one, other in zip(whole, cut):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_passes_of_one_length_give_the_same_bytes_whatever_is_beside() -> None:
    network, (planes, masks, players) = network_of(G), batch_of(positions(G, 16))
    evaluate = Evaluator(network, G, batch=8, fixed=True)
    together = evaluate(planes, masks, players)
    lengths = []
    evaluate._network.register_forward_hook(lambda module, given, out: lengths.append(len(given[0])))
    for i in range(16):
        alone = evaluate(planes[i : i + 1], masks[i : i + 1], players[i : i + 1])
        assert all(a[0].tobytes() == t[i].tobytes() for a, t in zip(alone, together))
    assert lengths == [8] * 16


def test_passes_are_shorter_for_larger_boards_and_networks() -> None:
    lengths = [
        Evaluator(network_of(g, NetShape(1, channels, window=window)), g).batch
        for g, channels, window in (
            (game("connect_four"), 32, 0), (game("omok"), 32, 0), (game("omok"), 64, 0), (game("stacking"), 64, 0),
            (game("stacking"), 64, 13),
        )
    ]  # fmt: skip
    assert lengths == [128, 40, 16, 8, 16]


def test_nothing_asked_nothing_said() -> None:
    logits, values = Evaluator(network_of(G), G)(*(x[:0] for x in batch_of(positions(G, 1))))
    assert logits.shape == (0, 49) and values.shape == (0, 2)


def test_bfloat16_is_near_and_masks_as_well() -> None:
    g = game("omok")  # 361 actions
    network, asked = network_of(g), batch_of(positions(g, 4))
    exact, near = Evaluator(network, g)(*asked), Evaluator(network, g, precision="bfloat16")(*asked)
    legal = asked[1] > 0
    assert near[0].dtype == near[1].dtype == np.float32
    assert not np.array_equal(exact[0], near[0])
    np.testing.assert_allclose(near[0][legal], exact[0][legal], atol=0.1)
    np.testing.assert_allclose(near[1], exact[1], atol=0.1)
    assert (near[0][~legal] == np.float32(ILLEGAL)).all()


def test_it_has_a_copy_of_the_weights_until_it_loads_new_ones() -> None:
    network, asked = network_of(G), batch_of(positions(G, 2))
    evaluate = Evaluator(network, G)
    before = evaluate(*asked)[1]
    other = network_of(G, seed=2)
    network.load_state_dict(other.state_dict())
    np.testing.assert_array_equal(evaluate(*asked)[1], before)
    evaluate.load(network)
    np.testing.assert_array_equal(evaluate(*asked)[1], Evaluator(other, G)(*asked)[1])
    assert network.training is False and any(isinstance(m, torch.nn.BatchNorm2d) for m in network.modules())


def test_a_network_in_training_answers_as_it_would_afterwards() -> None:
    network, asked = network_of(G), batch_of(positions(G, 3))
    exact = Evaluator(network, G)(*asked)[1]
    np.testing.assert_array_equal(Evaluator(network.train(), G)(*asked)[1], exact)
    assert network.training


@pytest.mark.parametrize("search", [puct_search, gumbel_search])
@pytest.mark.parametrize("g", [G, game_of(heap, stones=12)], ids=lambda g: g.spec)
def test_searches_take_it(search: object, g: Game) -> None:
    records = np.concatenate([s.record for s in positions(g, 3)])
    found = search(g, records, Evaluator(network_of(g), g), np.arange(3, dtype=np.uint64), sims=20, solve=False)  # type: ignore[operator]
    assert found.visits.sum(1).tolist() == [20, 20, 20]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="precision='float8': float32 or bfloat16"):
        Evaluator(network_of(G), G, precision="float8")
    with pytest.raises(ValueError, match="batch=0: at least 1"):
        Evaluator(network_of(G), G, batch=0)
    with pytest.raises(ValueError, match="a network for 49 actions of 2 players, and gomoku has 225 of 2"):
        Evaluator(network_of(G), game("gomoku"))


def test_the_mean_over_mirror_images_is_the_same_for_each_of_them() -> None:
    g = game("gomoku", size=5, row=4)
    evaluate = Averaged(Evaluator(network_of(g), g), g)
    symmetries, state = Symmetries(g), g.position(black="A1 B3", white="C3", to_move="white")
    observation, mask = state.observe(1)[None], state.legal_mask()[None].astype(np.int8)
    logits, values = evaluate(observation, mask, np.array([2]))
    for k in range(symmetries.count):
        turned = np.array([k])
        other, worth = evaluate(
            symmetries.planes(observation, turned), symmetries.by_action(mask, turned), np.array([2])
        )
        np.testing.assert_allclose(other, symmetries.by_action(logits, turned), atol=1e-4)
        np.testing.assert_allclose(worth, values, atol=1e-5)
        np.testing.assert_array_equal(symmetries.by_action(other, symmetries.inverse[turned]).round(3), logits.round(3))
