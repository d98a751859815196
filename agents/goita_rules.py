"""A hand-made player of Goita."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from narabe.agents.agent import Agent, Analysis, Budget, expect_turn, single_choice
from narabe.envs.game import Game, View
from narabe.envs.rules import goita
from narabe.envs.rules.goita.advice import advise
from narabe.envs.rules.goita.pad import new_pads
from narabe.envs.rules.jit import kernel


@kernel
def _action(states, i, pads):
    return advise(states[i], pads[0])


def expect_goita(game: Game) -> None:
    """Raise `ValueError` unless the game is one of Goita."""
    if game.law is not goita:
        raise ValueError(f"this agent plays Goita, not {game.spec}")


class RulePlayer:
    """The rules as a function of a view."""

    def __init__(self, game: Game) -> None:
        expect_goita(game)
        self._pads = new_pads()

    def action(self, view: View) -> int:
        return int(_action(view.record, 0, self._pads))


@dataclass(eq=False)
class GoitaRulesAgent(Agent):
    """Plays Goita by fixed rules; quick, and the same in all that its seat cannot tell apart.

    What it makes of the table:

    - It counts. A card is unseen if it is neither its own nor lies open. The chance that nobody of the other pair can
      guard a kind is that of unseen cards dealt at random.
    - Who passed on a kind that the other pair attacked with has few places left for it, and a little fewer for a king
      if one could have guarded. A king that was shown sits with its owner, or is out of play if it lies face down.
    - If the partner attacked with a kind, he is thought to hold one of those that are left.
    - The kinds of which most are unseen come next, and sooner those with which the other pair attacked before.

    What it does:

    - Going out is worth 1 and something for its points. It goes out when it can, with what scores most.
    - A play is worth what its plan is worth: the attack comes back with the chance above, and then the best plan with
      the cards left over follows; or it is guarded, and the hand that is left is worth what it is while others play.
      An attack that came back once is trusted to come back again: pairs are for attacking twice.
    - A hand, while others play, is worth more the fewer cards it has, the more attacks it can guard, the likelier its
      cards come back as attacks, and for each king; less for pairs and 市民 that only fill it, and by how few cards the
      others have left. With two cards it counts the chance to guard with one and go out with the other.
    - Against the other pair's attack it compares a guard, and the plan behind it, with passing: the partner may guard,
      or the attacker leads again, and goes out if he has two cards left.
    - The partner's attack it guards only where its own plan is worth more than his turn.
    - Of equal plays it takes the first in the order of the kinds: the lowest card is laid.
    - Five 市民 are announced; a partner who may choose asks for a redeal. More are declared.

    How much each counts stands in `narabe.envs.rules.goita.pad`, found by
    ``experiments/tune_goita_rules.py``.

    >>> from narabe.agents import make
    >>> from narabe.envs import game
    >>> state = game("goita").from_text("0-0 s1 11223448,11122357,11356678,11134455 114,2p,3p,444,142,223,336,4p,1p,2p")
    >>> state.game.text_of(make("goita_rules", state.game).analyse(state).action)
    '16'
    """

    _rules: RulePlayer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._rules = RulePlayer(self.game)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        found = []
        for view in views:
            expect_turn(view, self.game)
            found.append(single_choice(self.game.num_actions, self._rules.action(view), 1))
        return found
