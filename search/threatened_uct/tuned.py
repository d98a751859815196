"""The tuned weights of the priors by game, written by `narabe.experiments.tune_uct_priors`:

    python -m narabe.experiments.tune_uct_priors --kinds gomoku --games 20 --nodes 1000 --out /tmp/t1.py

20 games a kind, 1000 nodes a move.
"""

# fmt: off
TUNED = {
    "gomoku": [
        -1.929, -1.598, -1.540, -1.450, -0.818, 0.154, -0.021, 1.470, 2.861, 2.871, 0.000, 0.000,
        -2.097, -1.920, -1.883, -1.712, -1.487, -1.130, -0.869, 0.636, 2.016, 2.020, 6.426, 0.000,
        0.000, 0.000, 0.000, 0.000,
    ],
}
for _n in ("freestyle", "renju", "omok", "capture_gomoku"):
    TUNED[_n] = TUNED["gomoku"]
