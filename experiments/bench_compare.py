"""`narabe bench --compare old.json`: what changed beyond noise between two files of figures.

A ratio to a peer travels between machines and is compared first. Where there is none, figures are compared as they are, and
only if they were taken on the same processor. A row has changed if the two ranges, lowest to highest, have nothing in common
(of five takings each, that happens by chance once in 126 rows: 2 / C(10, 5)) and the medians differ by more than a machine
drifts from one run to the next (`DRIFT`), which the takings of one run do not show.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Column, Table

from narabe.experiments.args import UsageError

DRIFT = {"ratio": 1.1, "figure": 1.3}
"""Factors between two runs of the same code that mean nothing; figures moved by 1.24 on a machine that others used as well."""

FASTER, SLOWER, SAME, UNKNOWN = "better", "worse", "same", "not comparable"


@dataclass(frozen=True)
class Change:
    """What became of a row: `FASTER`, `SLOWER`, `SAME` or `UNKNOWN`; by what, and how many times as good as before."""

    name: str
    verdict: str
    by: str = ""
    factor: float = math.nan
    before: str = ""
    after: str = ""


def read(path: Path) -> dict[str, Any]:
    """A file of figures; `UsageError` if it is none."""
    try:
        data = json.loads(path.read_text())
        if all("name" in row and "ours" in row for row in data["rows"]) and "machine" in data:
            return dict(data)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise UsageError(f"--compare {path}: no figures of `narabe bench --out` ({error})") from error
    raise UsageError(f"--compare {path}: no figures of `narabe bench --out`")


def changes(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    """What became of each row of the new figures, those with ratios first.

    >>> row = {"name": "x", "unit": "a second", "ours": {"median": 10.0, "min": 9.0, "max": 11.0}}
    >>> quick = {**row, "ours": {"median": 20.0, "min": 19.0, "max": 21.0}}
    >>> here = {"processor": "p"}
    >>> (change,) = changes({"machine": here, "rows": [row]}, {"machine": here, "rows": [quick]})
    >>> change.verdict, change.factor
    ('better', 2.0)
    """
    before = {row["name"]: row for row in old["rows"]}
    same_machine = old["machine"].get("processor") == new["machine"].get("processor")
    rows = sorted(new["rows"], key=lambda row: "ratio" not in row)
    return [change(before[row["name"]], row, same_machine) for row in rows if row["name"] in before]


def change(old: dict[str, Any], new: dict[str, Any], same_machine: bool) -> Change:
    """What became of one row."""
    name, higher = new["name"], new.get("higher_is_better", "a second" in new["unit"])
    if "ratio" in old and "ratio" in new:
        by, a, b, unit = "ratio", old["ratio"], new["ratio"], " x"
    elif same_machine:
        by, a, b, unit = "figure", old["ours"], new["ours"], f" {new['unit']}"
    else:
        return Change(name, UNKNOWN)
    factor = b["median"] / a["median"] if higher else a["median"] / b["median"]
    apart = (b["min"] > a["max"] or b["max"] < a["min"]) and not 1 / DRIFT[by] <= factor <= DRIFT[by]
    verdict = SAME if not apart else FASTER if factor > 1 else SLOWER
    return Change(name, verdict, by, factor, _words(a, unit), _words(b, unit))


def _words(spread: dict[str, float], unit: str) -> str:
    return f"{_number(spread['median'])}{unit} ({_number(spread['min'])} to {_number(spread['max'])})"


def _number(x: float) -> str:
    return f"{x:,.0f}" if abs(x) >= 100 else f"{x:.3g}"


def report(found: list[Change], old: dict[str, Any], new: dict[str, Any]) -> Group:
    """What changed, as a table for the terminal, and what could not be compared."""
    moved = [c for c in found if c.verdict in (FASTER, SLOWER)]
    parts: list[Any] = [
        f"changed beyond noise since {old['machine'].get('taken', 'then')}: {len(moved)} of {len(found)}"
    ]
    if moved:
        parts.append(Table("", "by", *(Column(name, justify="right") for name in ("before", "now", "times as good"))))
    for c in moved:
        parts[-1].add_row(c.name, c.by, c.before, c.after, f"{c.factor:.2f} ({c.verdict})")
    unknown = sum(c.verdict == UNKNOWN for c in found)
    if unknown:
        parts.append(f"{unknown} rows without a peer, from another processor, are not compared")
    parts += [f"{name}: {a} before, {b} now" for name, a, b in _versions(old, new)]
    missing = {row["name"] for row in new["rows"]} - {row["name"] for row in old["rows"]}
    parts += [f"not there before: {', '.join(sorted(missing))}"] if missing else []
    return Group(*parts)


def _versions(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str, str]]:
    a, b = ({"python": d["machine"].get("python", "?"), **d["machine"].get("versions", {})} for d in (old, new))
    return [(name, a.get(name, "none"), b.get(name, "none")) for name in {**a, **b} if a.get(name) != b.get(name)]
