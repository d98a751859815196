"""Equilibria of two-player zero-sum games with hidden parts: CFR, CFR+, external-sampling MCCFR, exact best responses.

Files: `build` the walk that writes a game's tree into arrays, `tree` that tree and the policies on it, `sweeps` the
kernels over its information sets, `measure` best responses and exploitability, `learner` what the methods share,
`full` CFR and CFR+, `sampling` external sampling.
"""

from narabe.search.cfr.full import Cfr, CfrPlus
from narabe.search.cfr.learner import Learner
from narabe.search.cfr.measure import BestResponse, best_response, expected_values, exploitability
from narabe.search.cfr.sampling import ExternalSampling
from narabe.search.cfr.tree import GameTree, TreeError

METHODS = {"cfr": Cfr, "cfr+": CfrPlus, "external": ExternalSampling}

__all__ = [
    "METHODS", "BestResponse", "Cfr", "CfrPlus", "ExternalSampling", "GameTree", "Learner", "TreeError",
    "best_response", "expected_values", "exploitability",
]  # fmt: skip
