"""A network as a function of arrays, as the searches call it."""

from __future__ import annotations

import numpy as np
import torch

from narabe.agents.networks import ILLEGAL, Network, folded, seat_order
from narabe.agents.symmetries import Symmetries
from narabe.envs.game import Game
from narabe.search.puct import Evaluate

CACHE = 1 << 21  # bytes, about a core's second cache; four times as much is slower by a fifth
PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}


def quick_batch(network: Network, game: Game, device: torch.device, dtype: torch.dtype) -> int:
    """Positions in one pass that go fast: on a CPU as many as leave the features of a block in its cache, 8 to 128.

    >>> import torch
    >>> from narabe.agents.networks import NetShape
    >>> from narabe.envs import game
    >>> g = game("gomoku")
    >>> quick_batch(Network(g, NetShape(4, 32)), g, torch.device("cpu"), torch.float32)
    72
    """
    if device.type != "cpu":
        return 1024
    seen = network.view(torch.zeros(1, *game.observation_shape))
    one = seen.shape[2] * seen.shape[3] * network.shape.channels * dtype.itemsize
    return min(max(CACHE // one // 8 * 8, 8), 128)


class Evaluator:
    """A network that answers a search (`narabe.search.puct.Evaluate`); it keeps a copy of the weights made for inference.

    ``device``: torch's name; ``batch``: the most positions in one pass, longer calls are cut (left out: `quick_batch`);
    ``precision``: "float32" or "bfloat16", 1.5 to 2 times as fast on processors that calculate with it (logits and
    values come back as float32 all the same, and differ by a few hundredths). The number of torch's threads is the
    caller's affair: one is best for small networks. ``fixed``: every pass has exactly ``batch`` rows
    (missing ones are empty boards), so that a position gives the same bytes whatever is asked beside it. Changes of
    the network after this are not seen: make a new evaluator, or call `load`.

    >>> import torch
    >>> from narabe.agents.networks import NetShape
    >>> from narabe.envs import game
    >>> g = game("gomoku", size=9)
    >>> evaluate = Evaluator(Network(g, NetShape(blocks=1, channels=8)), g)
    >>> logits, values = evaluate(g.start().observe(0)[None], g.start().legal_mask()[None], np.array([1]))
    >>> logits.shape, values.shape, logits.dtype
    ((1, 81), (1, 2), dtype('float32'))
    """

    def __init__(
        self,
        network: Network,
        game: Game,
        device: str = "cpu",
        batch: int | None = None,
        precision: str = "float32",
        fixed: bool = False,
    ) -> None:
        if precision not in PRECISIONS:
            raise ValueError(f"precision={precision!r}: {' or '.join(PRECISIONS)}")
        if batch is not None and batch < 1:
            raise ValueError(f"batch={batch}: at least 1")
        if (network.num_actions, network.num_players) != (game.num_actions, game.num_players):
            raise ValueError(
                f"a network for {network.num_actions} actions of {network.num_players} players, and {game.spec} has "
                f"{game.num_actions} of {game.num_players}: make the network for this game (its weights may be loaded)"
            )
        self.game, self.fixed = game, fixed
        self.device, self.dtype = torch.device(device), PRECISIONS[precision]
        self.batch = batch or quick_batch(network, game, self.device, self.dtype)
        self.load(network)

    def load(self, network: Network) -> None:
        """Take the present weights of ``network``."""
        copied = folded(network).to(self.device, self.dtype)
        self._network = copied.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's stubs

    def __call__(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Logits float32 (n, actions), `ILLEGAL` for illegal actions, and values float32 (n, players) in seat order.

        ``observations``: int8 (n, planes, height, width), as the player to move sees them; ``masks``: int8 (n, actions);
        ``players``: int64 (n,), the player to move, from 1.
        """
        n = len(observations)
        logits = np.empty((n, self.game.num_actions), np.float32)
        values = np.empty((n, self.game.num_players), np.float32)
        for i in range(0, n, self.batch):
            part = slice(i, min(i + self.batch, n))
            logits[part], values[part] = self._pass(observations[part])
        logits[np.asarray(masks) == 0] = ILLEGAL
        return logits, seat_order(values, players)

    def _pass(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n = len(observations)
        if self.fixed and n < self.batch:
            filled = np.zeros((self.batch, *observations.shape[1:]), np.int8)
            filled[:n] = observations
            observations = filled
        with torch.inference_mode():
            planes = torch.from_numpy(np.ascontiguousarray(observations)).to(self.device)
            out = self._network(planes)
            return out.policy[:n].float().cpu().numpy(), out.value[:n].float().cpu().numpy()


class Averaged:
    """The mean of what a network says of a position and of all its mirror images: a little better, for so many passes.

    >>> from narabe.envs import game
    >>> g = game("gomoku", size=3, row=3)
    >>> def corner(observations, masks, players):  # a network that always wants the same corner
    ...     return np.eye(9, dtype=np.float32)[:1].repeat(len(masks), 0), np.zeros((len(masks), 2), np.float32)
    >>> start = g.start()
    >>> Averaged(corner, g)(start.observe(0)[None], start.legal_mask()[None], np.array([1]))[0].reshape(3, 3).tolist()
    [[0.25, 0.0, 0.25], [0.0, 0.0, 0.0], [0.25, 0.0, 0.25]]
    """

    def __init__(self, evaluate: Evaluate, game: Game) -> None:
        self.evaluate, self.symmetries = evaluate, Symmetries(game)

    def __call__(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same arrays as those of an `Evaluator`."""
        s, n = self.symmetries, len(masks)
        logits, values = np.zeros(masks.shape), np.zeros(0)
        for k in range(s.count):
            to, back = np.full(n, k), np.full(n, s.inverse[k])
            said, worth = self.evaluate(s.planes(observations, to), s.by_action(np.asarray(masks), to), players)
            logits += s.by_action(said, back)
            values = values + worth if k else worth.astype(np.float64)
        return (logits / s.count).astype(np.float32), (values / s.count).astype(np.float32)
