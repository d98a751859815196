"""A value from the patterns alone."""
from __future__ import annotations
import math
import numpy as np
from narabe.envs.rules.core import to_move
from narabe.envs.rules.jit import kernel
from narabe.search.alphabeta.evaluation import estimate

@kernel
def static_value(s, p, w):
    i = to_move(s) - 1
    v = math.tanh(estimate(s, p, w) / 512.0)
    return v if i == 0 else -v
