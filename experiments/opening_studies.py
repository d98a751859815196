"""`narabe openings`: which study is asked for, and who does it."""

from __future__ import annotations

import importlib

from narabe.experiments.openings_args import AdvantageArgs, BalanceArgs, OpeningsArgs, TreeArgs

JOBS = {BalanceArgs: "balance", TreeArgs: "opening_tree", AdvantageArgs: "advantage"}
"""The module of each study."""


def run(args: OpeningsArgs) -> int:
    """Do the study; returns the exit code."""
    return int(importlib.import_module(f"narabe.experiments.{JOBS[type(args.study)]}").run(args.study))
