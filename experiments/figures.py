"""The tables of speeds, from the figures of `narabe bench`: `python -m narabe.experiments.figures [bench.json]`.

Given a file of figures, it is copied to ``docs/bench.json`` first; the tables are always made from there. The README has
the rows for which there is a peer, ``docs/speed.md`` all of them.
"""

from __future__ import annotations

import json
import pathlib
import shutil
import sys
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs" / "bench.json"
PAGES = {ROOT / "README.md": True, ROOT / "docs" / "speed.md": False}
"""The pages with a table, and whether it is of the rows with a peer only."""
BEGIN, END = "<!-- figures: made by narabe.experiments.figures -->\n", "<!-- end of figures -->"


def table(data: dict[str, Any], with_peer: bool = False) -> str:
    """The Markdown table of a file of figures: of all rows, or of those with a peer."""
    lines = ["| one core, CPU time, medians | narabe | the same by a peer | ratio |", "| --- | ---: | ---: | ---: |"]
    for row in data["rows"]:
        if with_peer and "peer" not in row:
            continue
        ours = f"{_number(row['ours']['median'])} {row['unit']}"
        theirs = f"{_number(row['theirs']['median'])} ({row['peer']})" if "peer" in row else ""
        ratio = f"{row['ratio']['median']:.0f} x" if "ratio" in row else ""
        lines.append(f"| {row['name']} | {ours} | {theirs} | {ratio} |")
    machine = data["machine"]
    versions = ", ".join(f"{k} {v}" for k, v in machine["versions"].items() if k != "narabe")
    lines += ["", f"Python {machine['python']}, {versions}; {machine['processor']}, {machine['taken']}."]
    return "\n".join(lines) + "\n"


def _number(x: float) -> str:
    return f"{x:,.0f}" if x >= 100 else f"{x:.2f}"


def replaced(text: str, made: str) -> str:
    """``text`` with what stands between the marks replaced."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + made + END + rest.split(END, 1)[1]


def main() -> None:
    if len(sys.argv) > 1:
        shutil.copy(sys.argv[1], FIGURES)
    data = json.loads(FIGURES.read_text())
    for page, with_peer in PAGES.items():
        page.write_text(replaced(page.read_text(), table(data, with_peer)))
        print(page)


if __name__ == "__main__":
    main()
