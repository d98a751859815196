"""Networks for boards: shapes on every game, sizes, sliding windows, masks, gradients, folding."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from narabe.agents.layouts import layout_of
from narabe.agents.networks import (
    ILLEGAL,
    NetShape,
    Network,
    folded,
    masked_log_softmax,
    mover_first,
    seat_order,
)
from narabe.envs import Game, game
from narabe.tests.agents.nets import SMALL, batch_of, network_of, outputs, positions
from narabe.tests.agents.play import OPEN_GAMES

OPEN = game("stacking", reach=2)  # 65 columns, of which the middle is played on


@pytest.mark.parametrize("g", OPEN_GAMES, ids=lambda g: g.spec)
def test_every_game_with_nothing_hidden_has_a_network(g: Game) -> None:
    planes, _, _ = batch_of(positions(g, 5))
    out = outputs(network_of(g), planes)
    assert out.policy.shape == out.reply.shape == (5, g.num_actions)
    assert out.value.shape == (5, g.num_players)
    assert out.ownership is None
    assert out.value.abs().max() <= 1 and torch.isfinite(out.policy).all()
    assert (out.policy.std(0) > 0).float().mean() > 0.9  # the outputs depend on the position
    assert (out.policy != out.reply).all()


@pytest.mark.parametrize("g", OPEN_GAMES, ids=lambda g: g.spec)
def test_every_weight_learns(g: Game) -> None:
    network = network_of(g).train()
    planes, masks, _ = batch_of(positions(g, 8))
    out = network(torch.from_numpy(planes))
    policy = masked_log_softmax(out.policy, torch.from_numpy(masks))
    loss = (policy * torch.from_numpy(masks)).sum() + (out.reply**2).sum() + (out.value[:, 0] - 1).square().sum()
    loss.backward()
    for name, weight in network.named_parameters():
        assert weight.grad is not None and weight.grad.abs().sum() > 0, name


def test_values_of_two_players_are_opposite() -> None:
    out = outputs(network_of(game("gomoku", size=9)), batch_of(positions(game("gomoku", size=9), 4))[0])
    np.testing.assert_array_equal(out.value[:, 0].numpy(), -out.value[:, 1].numpy())


@pytest.mark.parametrize("name", ["gomoku", "gomocku", "connect_four"])
def test_weights_of_one_size_serve_another(name: str) -> None:
    """The same weights, and on what looks alike the same reasons: a board of the other size is no reshaping."""
    sizes = [{"width": 9, "height": 8}, {"width": 15, "height": 11}]
    small, large = (game(name, **size) for size in sizes)
    learned = network_of(small)
    other = Network(large, SMALL)
    other.load_state_dict(learned.state_dict())
    planes, _, _ = batch_of(positions(large, 3))
    out = outputs(other.eval(), planes)
    assert out.policy.shape == (3, large.num_actions)
    np.testing.assert_array_equal(out.policy.numpy(), outputs(learned, planes).policy.numpy())


def test_an_action_is_the_cell_it_names() -> None:
    """With a head that only copies one feature, the logits show the cells in the order of actions, on a long board."""
    g = game("gomoku", width=6, height=9)
    network = network_of(g)
    x = torch.zeros(1, 8, 9, 6)
    x[0, 0, 2, 4] = 5.0
    head = network.head
    with torch.inference_mode():
        for weight in head.parameters():
            weight.zero_()
        head.local.weight[0, 0], head.last.weight[0, 0] = 1.0, 1.0
        logits = head(x, torch.zeros(1, 16), torch.zeros(1, 4, 9, 6))
    assert logits[0, 0].argmax() == g.action_of("E3") == 2 * 6 + 4
    assert logits[0, 0].sum() == 5.0 and logits[0, 1].abs().sum() == 0


def test_a_column_sees_where_its_block_would_lie() -> None:
    g = game("connect_four")
    layout = layout_of(g)
    view = torch.from_numpy(g.start().play(3).play(3).observe(0)[None]).float()
    x = torch.zeros(1, 8, 6, 7)
    x[0, 0, 2, 3] = x[0, 0, 1, 5] = 1.0  # the first is where a block comes to lie, the second hangs in the air
    head = network_of(g).head
    with torch.inference_mode():
        for weight in head.parameters():
            weight.zero_()
        head.local.weight[0, 16], head.last.weight[0, 0] = 1.0, 1.0  # the third part of the columns' features
        logits = head(x, torch.zeros(1, 16), view)
    assert layout.landing == 3
    np.testing.assert_array_equal(logits[0, 0].numpy(), [0, 0, 0, 1, 0, 0, 0])


def test_the_policy_of_a_sliding_window_slides_with_it() -> None:
    """The same blocks further left or right: the logits by column as shown move with them, by action they stay."""
    network = network_of(OPEN)
    states = positions(OPEN, 12)[2:]
    planes = batch_of(states)[0]
    out = outputs(network, planes)
    for shift in (-3, 1, 7):
        moved = outputs(network, np.roll(planes, shift, axis=3))  # the anchor moves too, so actions keep their cells
        np.testing.assert_allclose(moved.policy, out.policy, atol=1e-5)
        np.testing.assert_allclose(moved.value, out.value, atol=1e-5)
        blocks = planes.copy()
        blocks[:, :4] = np.roll(planes[:, :4], shift, axis=3)  # the anchor stays: each action is the cell beside
        slid = outputs(network, blocks).policy.numpy()
        inside = slice(16, 49)
        np.testing.assert_allclose(slid[:, inside], np.roll(out.policy.numpy(), shift, axis=1)[:, inside], atol=1e-5)
    assert out.policy[:, 16:49].std(1).min() > 1e-3  # they do differ from column to column


def test_a_game_that_begins_elsewhere_is_the_same_game() -> None:
    """By the law: the blocks of a position, all moved by two columns, have the same logits two columns further."""
    network = network_of(OPEN)
    base = OPEN.observation_shape[2] // 2
    first, second = OPEN.start(), OPEN.start()
    first.play(base).play(base + 1).play(base + 2).play(base + 3)
    second.play(base).play(base - 1).play(base - 2).play(base + 1)
    one, other = first.observe(0), second.observe(0)
    np.testing.assert_array_equal(one[:4], other[:4])
    assert not np.array_equal(one[4], other[4])
    a, b = (outputs(network, seen[None]).policy[0].numpy() for seen in (one, other))
    np.testing.assert_array_equal(a[base - 2 : base + 6], b[base - 4 : base + 4])
    assert np.ptp(a[base - 2 : base + 6]) > 1e-3


def test_a_cylinder_has_no_seam() -> None:
    network = network_of(game("stacking_cylinder"))
    planes = batch_of(positions(game("stacking_cylinder"), 10))[0]
    out, turned = outputs(network, planes), outputs(network, np.roll(planes, 3, axis=3))
    np.testing.assert_allclose(turned.policy.numpy(), np.roll(out.policy.numpy(), 3, axis=1), atol=1e-5)


def test_a_smaller_window_looks_at_the_middle() -> None:
    """Near blocks all of it is seen; a column outside has the logit of the edge; claims follow in the same order."""
    g = game("stacking_claim", reach=2)
    whole, part = (network_of(g, NetShape(2, 8, 4, window=w, rows=r)) for w, r in ((0, 0), (21, 12)))
    planes = batch_of(positions(g, 6))[0]
    assert tuple(part.view(torch.from_numpy(planes)).shape) == (6, 7, 12, 21)
    wide, narrow = outputs(whole, planes).policy, outputs(part, planes).policy
    assert narrow.shape == wide.shape == (6, 131)
    assert (narrow[0, :22] == narrow[0, 22]).all() and (narrow[0, 65 + 43 : 130] == narrow[0, 65 + 42]).all()
    assert narrow[0, 22:43].unique().numel() > 3


def test_ownership_is_one_number_a_cell() -> None:
    g = game("gomoku", size=9)
    out = outputs(network_of(g, NetShape(1, 8, ownership=True)), batch_of(positions(g, 3))[0])
    assert out.ownership.shape == (3, 9, 9) and out.ownership.abs().max() <= 1
    with pytest.raises(ValueError, match="no fixed cells"):
        Network(OPEN, NetShape(1, 8, ownership=True))


def test_folding_changes_nothing_but_the_time() -> None:
    g = game("gomoku", size=9)
    network = network_of(g)
    planes = batch_of(positions(g, 6))[0]
    before, after = outputs(network, planes), outputs(folded(network), planes)
    for one, other in zip(before[:3], after[:3]):
        np.testing.assert_allclose(one, other, atol=2e-5)
    assert not any(isinstance(m, torch.nn.BatchNorm2d) for m in folded(network).modules())
    assert any(isinstance(m, torch.nn.BatchNorm2d) for m in network.modules())


def test_planes_of_large_numbers_are_scaled() -> None:
    g = game("gomocku")
    seen = network_of(g).view(torch.full((1, *g.observation_shape), 60, dtype=torch.int8))
    assert seen[0, 11, 0, 0] == pytest.approx(60 / g.face.observation_range(g)[1][11])
    assert seen.dtype == torch.float32


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_masking_is_right_at_361_actions(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    logits = (torch.randn(64, 361) * 30).to(dtype).requires_grad_()
    masks = (torch.rand(64, 361) < 0.3).to(torch.int8)
    masks[0] = 0
    masks[0, 360] = 1
    logs = masked_log_softmax(logits, masks)
    shares = logs.exp()
    assert logs.dtype == torch.float32 and torch.isfinite(logs).all() and (logs[masks == 0] <= ILLEGAL / 2).all()
    assert (shares[masks == 0] == 0).all() and shares[0, 360] == 1
    exact = logits.detach().double().masked_fill(masks == 0, -torch.inf).softmax(1)
    np.testing.assert_allclose(shares.detach(), exact, atol=1e-6)
    (logs * torch.where(masks > 0, exact.float(), 0.0)).sum().backward()
    assert logits.grad is not None and torch.isfinite(logits.grad).all() and (logits.grad[masks == 0] == 0).all()


def test_values_by_seat_and_by_turn() -> None:
    values, players = np.array([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3], [0.1, 0.2, 0.3]]), np.array([1, 2, 3])
    by_seat = seat_order(values, players)
    assert by_seat.tolist() == [[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.2, 0.3, 0.1]]
    np.testing.assert_array_equal(mover_first(by_seat, players), values)
    assert mover_first(by_seat, players)[:, 0].tolist() == [by_seat[i, p - 1] for i, p in enumerate(players)]


def test_shapes() -> None:
    shape = NetShape(blocks=3, channels=16, ownership=True)
    assert NetShape.from_dict(shape.to_dict()) == shape
    with pytest.raises(ValueError, match="blocks=0: at least 1"):
        NetShape(blocks=0)
    with pytest.raises(ValueError, match="pooled=9: at most the 8 channels"):
        NetShape(channels=8, pooled=9)
    with pytest.raises(ValueError, match="fields attention of a network's shape are not known"):
        NetShape.from_dict({"blocks": 1, "attention": 4})


def test_the_same_seed_makes_the_same_weights() -> None:
    one, other, third = (network_of(game("gomoku", size=7), seed=s).state_dict() for s in (1, 1, 2))
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert not torch.equal(one["stem.conv.weight"], third["stem.conv.weight"])


def test_hidden_hands_have_no_network_of_the_board() -> None:
    with pytest.raises(ValueError, match="goita has hidden hands"):
        Network(game("goita"), SMALL)
