"""The tuned weights of the estimate by game, in points; written by `narabe.experiments.tune_alphabeta`:

    python -m narabe.experiments.tune_alphabeta --games 200 --out search/alphabeta/tuned.py

2 rounds of 200 games a kind, 2000 nodes a move.
"""

# fmt: off
TUNED = {
    "freestyle": {
        "both": {
            "own_kind_1": -2.3, "own_kind_2": -0.9, "own_kind_3": 4.6, "own_kind_4": -2.6, "own_kind_5": 0.4,
            "own_kind_6": 25.4, "own_kind_7": 33.8, "own_kind_8": 53.1, "own_kind_9": 77.9, "other_kind_1": 3.6,
            "other_kind_2": 1.5, "other_kind_3": -2.8, "other_kind_4": 6.6, "other_kind_5": -0.1,
            "other_kind_6": -17.9, "other_kind_7": -32.2, "other_kind_8": -26.7, "other_kind_9": -79.8,
            "other_kind_10": -246.4, "own_double_three": -93.1, "own_four_three": -14.6, "other_double_three": -30.5,
            "other_four_three": -128.1, "tempo": -515.9,
        },
    },
    "gomoku": {
        "both": {
            "own_kind_1": 0.3, "own_kind_2": -3.5, "own_kind_3": 2.1, "own_kind_4": 7.3, "own_kind_5": 3.9,
            "own_kind_6": 18.3, "own_kind_7": 60.3, "own_kind_8": 41.8, "own_kind_9": 97.1, "other_kind_1": 0.2,
            "other_kind_2": 4.1, "other_kind_3": -1.6, "other_kind_4": -4.5, "other_kind_5": -2.2,
            "other_kind_6": -10.4, "other_kind_7": -48, "other_kind_8": -49.1, "other_kind_9": -94,
            "other_kind_10": -262.8, "own_double_three": -48.7, "own_four_three": 532.9, "other_double_three": -34.9,
            "other_four_three": -191.4, "tempo": -282.2,
        },
    },
    "renju": {
        "black": {
            "own_kind_1": -0.7, "own_kind_2": -0.7, "own_kind_3": -5.5, "own_kind_4": -9.6, "own_kind_5": 9.9,
            "own_kind_6": 20.2, "own_kind_7": 50.9, "own_kind_8": 48.8, "own_kind_9": 80.6, "own_kind_10": -153.6,
            "other_kind_1": 3.8, "other_kind_2": 0.2, "other_kind_3": 0.3, "other_kind_4": 3.3, "other_kind_5": -6.9,
            "other_kind_6": -31.8, "other_kind_7": 17.9, "other_kind_8": -109.3, "other_kind_9": -97.2,
            "other_kind_10": -215.1, "own_double_three": -112.4, "own_four_three": 150.3, "other_double_three": 31.9,
            "other_four_three": -156.9, "tempo": 212.9,
        },
        "white": {
            "own_kind_1": -2.9, "own_kind_3": 2, "own_kind_4": -5.2, "own_kind_5": 8.9, "own_kind_6": 38.4,
            "own_kind_7": -8.8, "own_kind_8": 119.1, "own_kind_9": 94.5, "other_kind_1": 0.8, "other_kind_2": 0.7,
            "other_kind_3": 5.9, "other_kind_4": 10.3, "other_kind_5": -9.4, "other_kind_6": -21.9,
            "other_kind_7": -43.7, "other_kind_8": -39.5, "other_kind_9": -89.9, "other_kind_10": -236.1,
            "own_double_three": -63.8, "own_four_three": 827.7, "other_double_three": 55.6,
            "other_four_three": -235.3, "tempo": -188.6,
        },
    },
    "omok": {
        "both": {
            "own_kind_1": 1.8, "own_kind_2": -2, "own_kind_3": 8.5, "own_kind_4": 2.9, "own_kind_5": 0.1,
            "own_kind_6": 27.4, "own_kind_7": 66.9, "own_kind_8": 36.8, "own_kind_9": 105.7, "other_kind_1": -1,
            "other_kind_2": 4.1, "other_kind_3": -1.9, "other_kind_4": 0.2, "other_kind_5": 3.4,
            "other_kind_6": -18.4, "other_kind_7": -32.7, "other_kind_8": -24.7, "other_kind_9": -111.2,
            "other_kind_10": -309.7, "own_double_three": -163, "own_four_three": 314.9, "other_double_three": 36.7,
            "other_four_three": -319.1, "tempo": -2592.4,
        },
    },
    "capture_gomoku": {
        "both": {
            "own_kind_1": 1.1, "own_kind_2": -0.7, "own_kind_3": -2.6, "own_kind_4": 9.6, "own_kind_6": -9.3,
            "own_kind_7": 39.8, "own_kind_8": 60.6, "own_kind_9": 76.7, "own_kind_10": -12.7, "other_kind_1": 0.3,
            "other_kind_2": 1.9, "other_kind_3": 6.3, "other_kind_4": -9.1, "other_kind_5": 2.9, "other_kind_6": 15.5,
            "other_kind_7": -40.5, "other_kind_8": -41.9, "other_kind_9": -58, "other_kind_10": -183.9,
            "own_double_three": -117.7, "own_four_three": 8.9, "other_double_three": 71.7, "other_four_three": -17.6,
            "own_pairs_1": 149.6, "own_pairs_2": 377.9, "own_pairs_3": 705.8, "own_pairs_4": 733.3,
            "other_pairs_1": -165.2, "other_pairs_2": -398.5, "other_pairs_3": -740.1, "other_pairs_4": -1028.7,
            "own_taking": 211, "other_taking": -141.6, "tempo": -1660.3,
        },
    },
}
