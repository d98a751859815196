"""Docstrings as Markdown: examples become blocks of code, names in backticks lead to their places in the reference.

Kernels are left out where they are the inside of a search; the laws' own names are kernels, and stay.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

WITH_KERNELS = ("narabe.envs.rules", "narabe.search.playout", "narabe.search.perft")
NAME = re.compile(r"(?<![`\[\w])`([A-Za-z_][\w.]*)`(?!`)")


class Docstrings(griffe.Extension):
    """Rewrites the docstrings of a package once it is loaded."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        rewrite(pkg)


def rewrite(obj: griffe.Object) -> None:
    """The docstrings of a module or class and of everything in it."""
    if obj.docstring is not None:
        obj.docstring.value = linked(fenced(obj.docstring.value), obj)
    for name, member in list(obj.members.items()):
        if member.is_alias:
            continue
        if is_kernel(member) and not member.path.startswith(WITH_KERNELS):
            obj.del_member(name)
        else:
            rewrite(member)  # type: ignore[arg-type]


def is_kernel(obj: Any) -> bool:
    """Is this a function that numba compiles?"""
    return obj.is_function and any(str(decorator.value) == "kernel" for decorator in obj.decorators)


def fenced(text: str) -> str:
    """The text with each ``>>>`` example, and each block after ``::``, as a block of code."""
    lines, example = text.splitlines(), False
    out: list[str] = []
    for number, line in enumerate(lines):
        if not example and line.lstrip().startswith(">>>"):
            out += ["", "```pycon"] if out and out[-1].strip() else ["```pycon"]
            example = True
        elif example and not line.strip() and not _goes_on(lines[number + 1 :]):
            out.append("```")
            example = False
        out.append(line.replace("::", ":") if not example and line.endswith("::") else line)
    return "\n".join([*out, "```"] if example else out)


def _goes_on(rest: list[str]) -> bool:
    """Does the next line that is not empty go on with an example?"""
    return next((line.lstrip().startswith(">>>") for line in rest if line.strip()), False)


def linked(text: str, obj: griffe.Object) -> str:
    """The text with names of the package as links; those that no page shows stay as they are."""

    def link(match: re.Match[str]) -> str:
        path = found(match[1], obj)
        if path is None:
            return match[0]
        return f'<autoref optional identifier="{path}"><code>{match[1]}</code></autoref>'

    parts = re.split(r"(```pycon\n.*?```)", text, flags=re.DOTALL)
    return "".join(part if part.startswith("```pycon") else NAME.sub(link, part) for part in parts)


def found(name: str, obj: griffe.Object) -> str | None:
    """The path of what a name means where ``obj`` stands: a full path, a name of its module, or a member of its class."""
    if name.startswith("narabe."):
        return name
    scope: Any = obj
    first, _, rest = name.partition(".")
    while scope is not None:
        if first in scope.members and scope.members[first] is not obj:
            member = scope.members[first]
            target = member.target_path if member.is_alias else member.path
            return f"{target}.{rest}" if rest else target
        scope = scope.parent
    return None
