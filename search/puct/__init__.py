"""Search with a network, for learning and for play: PUCT (AlphaZero) and Gumbel AlphaZero, many games at once.

Files: `trees` the arrays, `settings` what is asked for; `descending` the way down, by `choosing` (PUCT) or `improving` and
`halving` (Gumbel); `leaves` the two kernels of a step, over `expanding` and `backup`; `root` noise; `starting` roots put,
moved, read; `sampling` moves by visits; `batch` the Python face; `policies` the two searches.
"""

from narabe.search.puct.batch import Evaluate, Found, Prove, Search
from narabe.search.puct.leaves import Leaves
from narabe.search.puct.policies import Gumbel, Puct, gumbel_search, puct_search

__all__ = ["Evaluate", "Found", "Gumbel", "Leaves", "Prove", "Puct", "Search", "gumbel_search", "puct_search"]
