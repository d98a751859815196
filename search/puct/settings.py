"""What a search is asked to be, as a record that kernels read."""

from __future__ import annotations

import numpy as np

from narabe.search.puct.trees import records

SETTINGS = np.dtype(
    [
        ("c", np.float64),  # PUCT: exploration
        ("c_growth", np.float64),  # PUCT: visits by which the exploration has grown by log 2 (AlphaZero's c_base)
        ("fpu", np.float64),  # PUCT: an untried action is worth what the position is, less fpu * sqrt(prior mass tried)
        ("root_fpu", np.float64),  # the same at the root
        ("noise", np.float64),  # share of Dirichlet noise in the priors of the root
        ("concentration", np.float64),  # of that noise: the sum of its parameters over the legal actions
        ("gumbel_scale", np.float64),  # Gumbel: of the random part at the root, 0 for none
        ("visit_offset", np.float64),  # Gumbel: c_visit
        ("value_scale", np.float64),  # Gumbel: c_scale, for values in [0, 1]
        ("max_nodes", np.int64),  # of one tree
        ("max_edges", np.int64),
        ("considered", np.int64),  # Gumbel: actions that sequential halving begins with
        ("gumbel", np.int8),  # Gumbel search, else PUCT
        ("reuse", np.int8),  # keep trees from move to move
        ("probabilities", np.int8),  # the network gives probabilities, else logits
        ("solve", np.int8),  # look one action ahead for wins, and follow certain outcomes up the tree
    ],
    align=True,
)


def new_settings(**given: float) -> np.ndarray:
    """An array of one record with these fields; the others are zero."""
    made = records(1, SETTINGS)
    made[:] = np.zeros(1, SETTINGS)[0]
    for name, value in given.items():
        made[name] = value
    return made
