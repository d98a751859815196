"""Runs the Python of a tutorial as its reader would: files in a folder of their own, the rest as one script.

A block with ``title="name.py"`` is that file (several with the same title follow each other in it). Of the others every
statement is run in turn; where an expression has a comment that is a Python value, that must be its value.
"""

from __future__ import annotations

import ast
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r'^```python(?: title="([\w.]+)")?\n(.*?)^```', re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^ {4}(narabe (?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)


def files(page: str) -> dict[str, str]:
    """The files that a page has the reader write, by name."""
    found: dict[str, list[str]] = {}
    for name, code in BLOCK.findall(page):
        if name:
            found.setdefault(name, []).append(code)
    return {name: "\n\n".join(parts) for name, parts in found.items()}


def script(page: str) -> str:
    """What the reader types: all blocks that are no file."""
    return "\n".join(code for name, code in BLOCK.findall(page) if not name)


def commands(page: str) -> list[str]:
    """Every command line of the page that begins with ``narabe``, as one line without its comment."""
    return [re.sub(r"\\\n\s*", "", found).split("  #")[0].strip() for found in COMMAND.findall(page)]


def run(page: str, folder: pathlib.Path) -> None:
    """Write the files and run the script, in a process of its own; `AssertionError` with its last words where it fails."""
    for name, code in files(page).items():
        (folder / name).write_text(code)
    (folder / "typed.txt").write_text(script(page))
    done = subprocess.run(
        [sys.executable, __file__, "typed.txt"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]


def check(text: str) -> int:
    """Run a script; `AssertionError` for a value that is not what its comment says. Returns how many were compared."""
    lines, space, compared = text.splitlines(), {"__name__": "tutorial"}, 0
    for statement in ast.parse(text).body:
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), "<tutorial>", "exec"), space)
            continue
        value = eval(compile(ast.Expression(statement.value), "<tutorial>", "eval"), space)
        said = lines[(statement.end_lineno or 1) - 1].partition("  # ")[2]
        try:
            expected = ast.literal_eval(said)
        except (SyntaxError, ValueError):
            continue  # no comment, or words
        compared += 1
        assert value == expected, f"{ast.unparse(statement)} is {value!r}, not {said}"
    return compared


if __name__ == "__main__":
    sys.path[0] = ""  # the folder in which the reader works
    check(pathlib.Path(sys.argv[1]).read_text())
