"""The site's plan fits what there is. Whether it builds without a warning is told by `make docs`."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import sys
from types import ModuleType
from typing import Any

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SHOWN = re.compile(r"^::: narabe\.([\w.]+)$", re.MULTILINE)


def nav() -> list[str]:
    """The pages of the site's navigation, in order."""

    def pages(part: Any) -> list[str]:
        if isinstance(part, str):
            return [part]
        return [page for entry in part for page in pages(list(entry.values())[0] if isinstance(entry, dict) else entry)]

    return pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"])


def loaded(name: str) -> ModuleType:
    """A module of docs/site, which is no package."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "site" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_the_navigation_names_every_page_and_nothing_else() -> None:
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
    notebooks = {f"notebooks/{page.name}" for page in (ROOT / "notebooks").glob("*.ipynb")}
    assert sorted(nav()) == sorted(pages | notebooks)


def test_the_reference_shows_modules_that_exist() -> None:
    shown = [name for page in (DOCS / "reference").glob("*.md") for name in SHOWN.findall(page.read_text())]
    assert len(shown) > 60 and len(set(shown)) == len(shown)
    for name in shown:
        path = ROOT.joinpath(*name.split("."))
        assert path.with_suffix(".py").exists() or (path / "__init__.py").exists(), name


def test_pictures_and_links_of_the_pages_exist() -> None:
    for page in DOCS.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_home_page_begins_as_the_readme() -> None:
    pytest.importorskip("mkdocs")
    pages = loaded("pages")
    text = pages.opening((ROOT / "README.md").read_text())
    assert pages.OPENING in (DOCS / "index.md").read_text()
    pictures = re.findall(r'src="([^"]+)"', text)
    assert pictures and all((DOCS / picture).exists() for picture in pictures)
    assert text.startswith("**narabe** is") and "\n#" not in text


def test_the_reference_is_read_from_the_package_alone(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mkdocs")
    loaded("pages").copy_sources(ROOT, tmp_path / "narabe")
    assert {path.name for path in (tmp_path / "narabe").iterdir()} == {
        "__init__.py", "agents", "envs", "experiments", "search",
    }  # fmt: skip
    assert (tmp_path / "narabe" / "envs" / "game.py").read_text() == (ROOT / "envs" / "game.py").read_text()


def test_examples_in_docstrings_become_code() -> None:
    pytest.importorskip("griffe")
    fenced = loaded("docstrings").fenced
    assert fenced("Adds.\n\n>>> 1 + 1\n2\n\nSo::\n\n    x") == "Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nSo:\n\n    x"
    assert fenced("Text.\n>>> a\n\n>>> b\n1") == "Text.\n\n```pycon\n>>> a\n\n>>> b\n1\n```"


def test_names_in_docstrings_become_links(tmp_path: pathlib.Path) -> None:
    griffe = pytest.importorskip("griffe")
    docstrings = loaded("docstrings")
    (tmp_path / "narabe").mkdir()
    code = (
        '"""`Shape`, ``Shape``, `other` and `narabe.far`."""\n'
        'class Shape:\n    """Has `area`."""\n    def area(self):\n        """Of `Shape`."""\n'
        '@kernel\ndef inner(x):\n    """A kernel."""\n'
    )
    (tmp_path / "narabe" / "__init__.py").write_text(code)
    module = griffe.load("narabe", search_paths=[tmp_path], extensions=griffe.load_extensions(docstrings.Docstrings))
    link = '<autoref optional identifier="narabe.{0}"><code>{1}</code></autoref>'
    shape, far = link.format("Shape", "Shape"), link.format("far", "narabe.far")
    assert module.docstring.value == f"{shape}, ``Shape``, `other` and {far}."
    assert module["Shape"].docstring.value == f"Has {link.format('Shape.area', 'area')}."
    assert module["Shape.area"].docstring.value == f"Of {shape}."
    assert "inner" not in module.members
