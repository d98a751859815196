"""Exact search of two-player games with chance turns: expectimax, alpha-beta, Star1 and Star2.

Files: `desk` the arrays, `moves` and `outcomes` what a frame goes through, `players` and `chance` what it does with it,
`engine` the loop over frames, `table` the transposition table, `horizon` values without a search, `solve` the Python face.
"""

from narabe.search.star.solve import METHODS, Solved, Star

__all__ = ["METHODS", "Solved", "Star"]
