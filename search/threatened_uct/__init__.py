"""UCT that knows threats, for the line games: forced replies, victory by continuous fours, proven wins and losses.

Files: `work` settings and scratch, `proofs` what is proven of nodes, `replies` and `children` which moves a node gets,
`rollout` the playouts, `descent` the simulations, `search` the Python face.
"""

from narabe.search.threatened_uct.search import ThreatenedUct

__all__ = ["ThreatenedUct"]
