"""A value from the patterns alone."""
from __future__ import annotations
import math
import numpy as np
from narabe.envs.rules.core import to_move
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.lines import KINDS
from narabe.envs.rules.line.patterns import count_of

MINE = np.array([0.0, 0.0, 0.0, 0.0, 0.02, 0.03, 0.02, 0.1, 0.12, 0.0, 0.0, 0.0])
THEIRS = np.array([0.0, 0.0, 0.0, 0.0, 0.015, 0.02, 0.015, 0.07, 0.09, 0.0, 0.0, 0.0])

@kernel
def static_value(s, p):
    i = to_move(s) - 1
    x = 0.0
    for kind in range(KINDS):
        x += MINE[kind] * count_of(p, i, kind) - THEIRS[kind] * count_of(p, 1 - i, kind)
    v = math.tanh(x)
    return v if i == 0 else -v
