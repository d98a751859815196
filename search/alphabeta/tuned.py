"""The tuned weights of the estimate by game, in points; written by `narabe.experiments.tune_alphabeta`:

    python -m narabe.experiments.tune_alphabeta --kinds freestyle --rounds 2 --games 600 --nodes 2000 --seed 1
    python -m narabe.experiments.tune_alphabeta --kinds gomoku --rounds 2 --games 600 --nodes 2000 --seed 1
    python -m narabe.experiments.tune_alphabeta --kinds renju --rounds 2 --games 600 --nodes 2000 --seed 1
    python -m narabe.experiments.tune_alphabeta --kinds omok --rounds 2 --games 600 --nodes 2000 --seed 1
    python -m narabe.experiments.tune_alphabeta --kinds capture_gomoku --rounds 2 --games 300 --nodes 1000 --seed 1

Each with ``--out`` this file: what it holds of other games stays.
"""

# fmt: off
MADE = {
    "freestyle": "--rounds 2 --games 600 --nodes 2000 --seed 1",
    "gomoku": "--rounds 2 --games 600 --nodes 2000 --seed 1",
    "renju": "--rounds 2 --games 600 --nodes 2000 --seed 1",
    "omok": "--rounds 2 --games 600 --nodes 2000 --seed 1",
    "capture_gomoku": "--rounds 2 --games 300 --nodes 1000 --seed 1",
}
TUNED = {
    "freestyle": {
        "both": {
            "own_kind_1": 1.9, "own_kind_2": 1, "own_kind_3": 4.1, "own_kind_4": 5.4, "own_kind_5": 0.7,
            "own_kind_6": 17, "own_kind_7": 57.8, "own_kind_8": 40.3, "own_kind_9": 68.2, "other_kind_1": -1.8,
            "other_kind_2": -0.9, "other_kind_3": -4, "other_kind_4": -5.2, "other_kind_5": -0.6,
            "other_kind_6": -15.2, "other_kind_7": -34.4, "other_kind_8": -26.5, "other_kind_9": -57.6,
            "other_kind_10": -238.7, "own_double_three": -107.6, "own_four_three": 85, "other_double_three": -27.6,
            "other_four_three": -231.9, "tempo": 65.3,
        },
    },
    "gomoku": {
        "both": {
            "own_kind_1": -1.4, "own_kind_2": 2.1, "own_kind_3": 1.6, "own_kind_4": 6.7, "own_kind_5": 0.1,
            "own_kind_6": 17.2, "own_kind_7": 63.8, "own_kind_8": 26, "own_kind_9": 74.1, "other_kind_1": 1.4,
            "other_kind_2": -2.1, "other_kind_3": -1.5, "other_kind_4": -6.5, "other_kind_6": -15.2,
            "other_kind_7": -36.9, "other_kind_8": -18, "other_kind_9": -64, "other_kind_10": -248.2,
            "own_double_three": -61.1, "own_four_three": 105.1, "other_double_three": -19.3,
            "other_four_three": -298.9, "tempo": 62,
        },
    },
    "renju": {
        "black": {
            "own_kind_1": -1.6, "own_kind_2": 0.1, "own_kind_3": -2.8, "own_kind_4": 6.1, "own_kind_5": 1.7,
            "own_kind_6": 8.1, "own_kind_7": 53.1, "own_kind_8": 70, "own_kind_9": 69.6, "own_kind_10": 23.3,
            "other_kind_1": 1.7, "other_kind_3": 2.8, "other_kind_4": -6.1, "other_kind_5": -1.6,
            "other_kind_6": -18.4, "other_kind_7": -23.3, "other_kind_8": -20, "other_kind_9": -54.6,
            "other_kind_10": -213.9, "own_double_three": -118.9, "own_four_three": -24, "other_double_three": -5.6,
            "other_four_three": -194.4, "tempo": 79,
        },
        "white": {
            "own_kind_1": -1.2, "own_kind_2": 0.6, "own_kind_3": -2.6, "own_kind_4": 4, "own_kind_5": 1.9,
            "own_kind_6": 20.8, "own_kind_7": 30.4, "own_kind_8": 31.6, "own_kind_9": 46.7, "other_kind_1": 1.2,
            "other_kind_2": -0.6, "other_kind_3": 2.7, "other_kind_4": -3.8, "other_kind_5": -1.8,
            "other_kind_6": -5.9, "other_kind_7": -27.7, "other_kind_8": -54.8, "other_kind_9": -54.5,
            "other_kind_10": -196.1, "own_double_three": -87.6, "own_four_three": -93, "other_double_three": 40.1,
            "other_four_three": -178.2, "tempo": 42.8,
        },
    },
    "omok": {
        "both": {
            "own_kind_1": 2.3, "own_kind_2": 3, "own_kind_3": 5.5, "own_kind_4": 0.1, "own_kind_5": 8.6,
            "own_kind_6": 14.9, "own_kind_7": 66.9, "own_kind_8": 21.1, "own_kind_9": 85.4, "own_kind_10": -55.2,
            "other_kind_1": -2.3, "other_kind_2": -2.9, "other_kind_3": -5.5, "other_kind_4": 0.1,
            "other_kind_5": -8.5, "other_kind_6": -12.4, "other_kind_7": -44, "other_kind_8": -10.8,
            "other_kind_9": -80.1, "other_kind_10": -230.1, "own_double_three": -136.5, "own_four_three": 63.4,
            "other_double_three": 27.6, "other_four_three": -229.9, "tempo": 92.8,
        },
    },
    "capture_gomoku": {
        "both": {
            "own_kind_1": -3, "own_kind_2": -3.2, "own_kind_3": 1.5, "own_kind_4": -8.9, "own_kind_5": -1.4,
            "own_kind_6": 1.9, "own_kind_7": 39.4, "own_kind_8": 32.9, "own_kind_9": 90, "own_kind_10": 33.7,
            "other_kind_1": 3, "other_kind_2": 3.2, "other_kind_3": -1.4, "other_kind_4": 8.9, "other_kind_5": 1.4,
            "other_kind_6": -1.4, "other_kind_7": -31.2, "other_kind_8": -2.3, "other_kind_9": -69,
            "other_kind_10": -216.5, "own_double_three": -28.1, "own_four_three": -96.6, "other_double_three": -24.1,
            "other_four_three": -29.1, "own_pairs_1": 260.6, "own_pairs_2": 608.3, "own_pairs_3": 1282.6,
            "own_pairs_4": 1212.8, "other_pairs_1": -230.1, "other_pairs_2": -571.1, "other_pairs_3": -1316.8,
            "other_pairs_4": -2541.2, "own_taking": 285.4, "other_taking": -180.9, "tempo": 107.8,
        },
    },
}
