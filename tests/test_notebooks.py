"""Every notebook runs from top to bottom with small settings, and is kept without outputs."""

from __future__ import annotations

import shutil

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from narabe.experiments import notebooks
from narabe.experiments.args import UsageError

ALL = notebooks.everything()


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_it_runs(path):
    done = notebooks.run(path, small=True)
    assert all(cell.execution_count for cell in done.cells if cell.cell_type == "code" and cell.source)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_it_is_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None


@pytest.fixture
def tiny(tmp_path):
    """A notebook of one cell, which shows the environment variable."""
    path = tmp_path / "tiny.ipynb"
    cell = nbformat.v4.new_code_cell("import os; print(os.environ['NARABE_SMALL'], os.getcwd())")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def test_the_runner_says_small_or_not_and_runs_in_the_folder(tiny):
    before = tiny.read_bytes()
    (cell,) = notebooks.run(tiny, small=False).cells
    assert cell.outputs[0].text.split() == ["0", str(tiny.parent)]
    assert tiny.read_bytes() == before


def test_a_cell_that_fails_is_an_error(tiny):
    notebook = nbformat.read(tiny, as_version=4)
    notebook.cells[0].source = "1 / 0"
    nbformat.write(notebook, tiny)
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        notebooks.run(tiny)
    assert notebooks.main(notebooks.NotebookArgs([str(tiny)])) == 1


def test_strip(tiny, capsys):
    clean = tiny.read_bytes()
    notebook = nbformat.read(tiny, as_version=4)
    notebook.cells[0].execution_count = 3
    notebook.cells[0].outputs = [nbformat.v4.new_output("stream", text="1")]
    nbformat.write(notebook, tiny)
    assert notebooks.main(notebooks.NotebookArgs([str(tiny)], strip=True)) == 0
    assert "stripped" in capsys.readouterr().out
    assert tiny.read_bytes() == clean
    assert not notebooks.strip(tiny)


def test_names(tiny, monkeypatch, capsys):
    monkeypatch.setattr(notebooks, "FOLDER", tiny.parent)
    shutil.copy(tiny, tiny.with_stem("a_first"))
    assert [path.stem for path in notebooks.everything()] == ["a_first", "tiny"]
    assert notebooks.find("tiny") == tiny
    with pytest.raises(UsageError, match="a_first, tiny"):
        notebooks.find("tony")
    assert notebooks.main(notebooks.NotebookArgs(["tony"])) == 2
