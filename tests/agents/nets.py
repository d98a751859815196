"""What the tests of networks share: small networks with weights that matter, and positions to show them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from narabe.agents.networks import NetShape, Network
from narabe.envs import Game, State

SMALL = NetShape(blocks=2, channels=8, pooled=4)
torch.set_num_threads(1)  # quicker for networks this small, above all with several workers


def network_of(g: Game, shape: NetShape = SMALL, seed: int = 1) -> Network:
    """A network in eval mode, its batch norms as after training: means, variances and scales that are not 0 and 1."""
    torch.manual_seed(seed)
    network = Network(g, shape)
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            for tensor, low, high in (
                (part.running_mean, -0.3, 0.3), (part.running_var, 0.5, 2.0),
                (part.weight.data, 0.5, 1.5), (part.bias.data, -0.3, 0.3),
            ):  # fmt: skip
                tensor.uniform_(low, high)
    return network.eval()


def positions(g: Game, n: int, seed: int = 1) -> list[State]:
    """Positions of random games in which a player is to move."""
    rng = np.random.default_rng(seed)
    found: list[State] = []
    while len(found) < n:
        seed += 1  # a deal may be over at once
        state = g.start(seed)
        while not state.is_over and len(found) < n:
            found.append(state.copy())
            state.play(int(rng.choice(state.legal_actions())))
    return found


def batch_of(states: list[State]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Observations, masks and players, as a search asks for them."""
    return (
        np.stack([s.observe(s.to_play) for s in states]),
        np.stack([s.legal_mask() for s in states]),
        np.array([s.to_play + 1 for s in states]),
    )


def outputs(network: Network, planes: Any) -> Any:
    """The network's outputs, without gradients."""
    with torch.inference_mode():
        return network(torch.as_tensor(planes))
