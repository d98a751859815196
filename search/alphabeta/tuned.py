"""The tuned weights of the estimate by game, in points; written by `narabe.experiments.tune_alphabeta`."""

_NAIVE = {
    "own_kind_2": 2, "own_kind_3": 2, "own_kind_4": 10, "own_kind_5": 14, "own_kind_6": 16, "own_kind_7": 70,
    "own_kind_8": 90, "own_kind_9": 80, "own_kind_10": 500, "other_kind_2": -2, "other_kind_3": -2, "other_kind_4": -7,
    "other_kind_5": -10, "other_kind_6": -12, "other_kind_7": -40, "other_kind_8": -60, "other_kind_9": -40,
    "other_kind_10": -200, "own_pairs_1": 80, "own_pairs_2": 180, "own_pairs_3": 350, "own_pairs_4": 700, "other_pairs_1": -80,
    "other_pairs_2": -180, "other_pairs_3": -350, "other_pairs_4": -700, "own_taking": 60, "other_taking": -30, "tempo": 30,
}  # fmt: skip

TUNED = {name: {"both": _NAIVE} for name in ("freestyle", "gomoku", "renju", "omok", "capture_gomoku")}
