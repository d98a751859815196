"""Files that are written at the end of a job are tried at its beginning."""

import pytest

from narabe.experiments import cli
from narabe.experiments.args import UsageError
from narabe.experiments.outputs import expect_file, expect_folder
from narabe.experiments.study_attention import StudyAttention
from narabe.experiments.study_attention import run as study_attention
from narabe.experiments.study_blocks import StudyBlocks
from narabe.experiments.study_blocks import run as study_blocks
from narabe.experiments.study_connect_four import StudyConnectFour
from narabe.experiments.study_connect_four import run as study_connect_four
from narabe.experiments.study_seats import StudySeats
from narabe.experiments.study_seats import run as study_seats

RECORD = "11244556,12234569,11123378,11113457,s3,371,411,115,2p,3p,4p,145"
STUDIES = [
    (study_attention, StudyAttention),
    (study_blocks, StudyBlocks),
    (study_connect_four, StudyConnectFour),
    (study_seats, StudySeats),
]


@pytest.mark.parametrize(
    "words",
    [
        "suite --only stacking --out {}",
        "odds backs --out {}",
        f"annotate {RECORD} --json {{}}",
        "train --game connect_four --iterations 1 --export {}",
        "train --game connect_four --iterations 1 --pack {}",
        "train-cards --iterations 1 --export {}",
    ],
)
def test_a_name_that_cannot_be_written_is_told_before_any_work(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    assert cli.main(words.format("file/below").split()) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith(f"narabe: {words.split()[-2]} file/below")
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(("run", "args"), STUDIES, ids=[args.__name__ for _, args in STUDIES])
def test_so_are_those_of_the_studies(run, args, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="cannot be written"):
        run(args(out=tmp_path))  # a folder


def test_what_is_there_stays_as_it_is(tmp_path):
    (tmp_path / "old").write_text("mine")
    expect_file(tmp_path / "old")
    expect_file(tmp_path / "new" / "name")
    expect_folder(tmp_path / "plots")
    expect_file(None)
    assert (tmp_path / "old").read_text() == "mine"
    assert not any((tmp_path / "new").iterdir())
    assert not any((tmp_path / "plots").iterdir())
