"""What the site needs beside the pages of ``docs/``; mkdocs calls these functions while it builds.

The root of the repository is the package, whatever its folder is called, and there is more in it than the package (a
``.venv``, the tests). So the reference is read from a copy of the rooms, in a folder that is called as the package is.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("agents", "envs", "experiments", "search")
OPENING = "<!-- the opening of README.md -->"


@event_priority(100)
def on_config(config: Any) -> Any:
    """Copy the sources to where ``paths`` of the reference points."""
    copy_sources(ROOT, ROOT / "build" / "sources" / "narabe")
    return config


@event_priority(100)  # before the plugin that renders notebooks looks for them
def on_files(files: Files, config: Any) -> Files:
    """Add the notebooks, which lie outside ``docs/``."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        files.append(File(f"notebooks/{path.name}", str(ROOT), config.site_dir, config.use_directory_urls))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put the README's opening into the home page; lead links as GitHub has them to their places on the site."""
    if OPENING in markdown:
        markdown = markdown.replace(OPENING, opening((ROOT / "README.md").read_text(encoding="utf-8")))
    return re.sub(r"\]\((?:\.\./)+notebooks/", "](" + "../" * page.file.src_uri.count("/") + "notebooks/", markdown)


def opening(readme: str) -> str:
    """What stands between the README's title and its first heading, with the pictures where the site has them."""
    text = readme.split("\n", 1)[1].split("\n## ", 1)[0].strip()
    return text.replace('src="docs/', 'src="').replace("](docs/", "](")


def copy_sources(root: Path, folder: Path) -> None:
    """Copy the package's Python files to an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in [root / "__init__.py", *(p for room in ROOMS for p in (root / room).rglob("*.py"))]:
        to = folder / path.relative_to(root)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
