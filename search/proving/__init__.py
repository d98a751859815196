"""Proving whole games on small boards by depth-first proof-number search.

>>> from narabe import envs
>>> from narabe.search.proving import Prover
>>> game = envs.game("gomoku", size=4, row=4)
>>> str(Prover(game, mb=1).solve(game.start()))
'draw'
"""

from narabe.search.proving.solver import Prover, ProvingError, Spent, Verdict

__all__ = ["Prover", "ProvingError", "Spent", "Verdict"]
