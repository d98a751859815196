"""What is learned from decisions: deep Monte Carlo, with the luck that a critic sees taken out.

The network learns, by mean squared error, what each play came to: the payoff G of the seat's pair at the end of the deal
(DouZero, Zha et al. 2021). Most of that is luck of the cards, which no play could change. A critic that sees all hands (as in
PerfectDou, Yang et al. 2022; in training only) and a guess by what the seat knows both learn to foretell G *before* the play is
chosen. The play learns

    G - baseline * (critic(all hands) - guess(what the seat knows)).

What is taken away does not depend on the play, and its mean, given what the seat knows, is zero once guess and critic are
right (the mean of what is foretold with all hands is what can be foretold without them), because a seat chooses by what it
knows alone. So the values that are learned are the same, and plays are compared by targets that scatter less. Errors of the
guess move all plays of a position alike, and do not change which is the best.

It is the simplest form that helps here. To look ahead instead (a target from the critic's value of the next position) would
only take out the luck after the play, of which there is little: after the deal only random plays are luck. In deals against
other players the critic, which foretells play among equals, is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import torch
from torch import Tensor, nn

from narabe.agents.card_network import CardNetwork, CardShape, Critic
from narabe.envs.game import Game
from narabe.experiments.training.learning import BaseLearner
from narabe.experiments.training_cards.args import CardTrainArgs
from narabe.experiments.training_cards.window import Rows


class Losses(NamedTuple):
    """Mean squared errors over an iteration, in payoffs: of a play's worth against its target and against the payoff itself,
    of the guess before the play, and of the critic; the last two over deals among equals."""

    worth: float
    payoff: float
    guess: float
    critic: float


class Pupils(nn.Module):
    """All that learns: the player, its guess before it plays, and the critic."""

    def __init__(self, game: Game, shape: CardShape, critic_shape: CardShape) -> None:
        super().__init__()
        self.player = CardNetwork(game, shape)
        self.guess = nn.Linear(shape.width, 1)
        self.critic = Critic(game, critic_shape)

    def forward(self, planes: Tensor, hidden: Tensor, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Worth of the actions, guess and critic's value, each (n,), in [-1, 1]."""
        state = self.player.read(planes)
        worth = self.player.judge(state, torch.arange(len(planes), device=planes.device), actions)
        return worth, torch.tanh(self.guess(state)[:, 0]), self.critic(planes, hidden)


class CardLearner(BaseLearner[Rows]):
    """The learner of a network for Goita."""

    args: CardTrainArgs

    def learn(self, batches: Iterable[Rows]) -> Losses | None:
        """A step for each batch; the means of the losses, None if there was no batch."""
        means = self.means(batches)
        return Losses(*means) if means else None

    def step(self, rows: Rows) -> Tensor:
        """One step; the losses in the order of `Losses`."""
        planes, hidden, actions, payoffs, alike = (torch.from_numpy(column).to(self.device) for column in rows)
        worth, guess, critic = self.network(planes, hidden, actions)
        luck = self.args.baseline * alike * (critic - guess).detach()
        worth_loss = ((worth - (payoffs - luck)) ** 2).mean()
        among = alike.sum().clamp(min=1)
        guess_loss = (alike * (guess - payoffs) ** 2).sum() / among
        critic_loss = (alike * (critic - payoffs) ** 2).sum() / among
        with torch.no_grad():
            payoff_loss = ((worth - payoffs) ** 2).mean()
        self.descend(worth_loss + guess_loss + critic_loss)
        return torch.stack((worth_loss, payoff_loss, guess_loss, critic_loss)).detach().double()
