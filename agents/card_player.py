"""A network for Goita as a function of arrays, and as a player that is shown views."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
import torch

from narabe.agents.card_network import CardNetwork
from narabe.envs.game import Game, View
from narabe.envs.rules import calls
from narabe.envs.rules.goita.sight import FACTS

SCORE = 7  # column of the plane of facts


class CardEvaluator:
    """What a network thinks some actions are worth; it keeps a copy of the weights. The threads of torch are the caller's.

    >>> from narabe.agents.card_network import CardShape
    >>> from narabe.envs import game
    >>> g = game("goita")
    >>> evaluate = CardEvaluator(CardNetwork(g, CardShape(width=8, layers=1)))
    >>> evaluate(g.start().observe(0)[None], np.array([0, 0]), np.array([1, 2])).shape
    (2,)
    """

    def __init__(self, network: CardNetwork, device: str = "cpu") -> None:
        self.device = torch.device(device)
        self._network = copy.deepcopy(network).eval().to(self.device)

    def __call__(self, planes: np.ndarray, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """The expected payoff, float32 (m,), of action ``actions[i]`` for the player who sees ``planes[rows[i]]``.

        ``planes``: int8 (n, planes, seats, kinds); ``rows``, ``actions``: int64 (m,).
        """
        with torch.inference_mode():
            state = self._network.read(torch.from_numpy(planes).to(self.device))
            pairs = (torch.from_numpy(column).to(self.device) for column in (rows, actions))
            return self._network.judge(state, *pairs).cpu().numpy()


class CardPlayer:
    """The network asked about views: by what the seats of the views may know, and nothing else.

    A network that learned single deals may play matches: it is then not told the score, which it never saw change.
    """

    def __init__(self, network: CardNetwork, game: Game, learned: Game, device: str = "cpu") -> None:
        self.game, self._evaluate = game, CardEvaluator(network, device)
        self._knows_score = learned.options["match"] > 0

    def worth(self, views: Sequence[View]) -> list[tuple[np.ndarray, np.ndarray]]:
        """Of each view the legal actions (int64, ascending) and their expected payoffs (float64)."""
        planes = np.zeros((len(views), *self.game.observation_shape), np.int8)
        masks = np.zeros((len(views), self.game.num_actions), np.int8)
        for i, view in enumerate(views):
            calls.observe(view.record, 0, view.seat + 1, planes[i])
            calls.legal_mask(view.record, 0, masks[i])
        if not self._knows_score:
            planes[:, FACTS, :, SCORE] = 0
        rows, actions = np.nonzero(masks)
        worth = self._evaluate(planes, rows, actions).astype(np.float64)
        return [(actions[rows == i], worth[rows == i]) for i in range(len(views))]
