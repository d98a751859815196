"""The store: what goes in comes out, and a folder belongs to one run and one process."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from narabe.experiments.args import UsageError
from narabe.experiments.referee import GameRecord
from narabe.experiments.store import FILE, Settings, Store, StoreError, connect_to_read, read
from narabe.experiments.stored import open_run
from narabe.experiments.training.args import TrainArgs
from narabe.experiments.training.state import Run

SETTINGS = Settings("omok", {"size": 9}, ["random", "greedy"], 7, 20, 4, 60.0, 2048, "narabe.agents:make")
RECORD = GameRecord(
    id="00000-0x1-b", number=1, opening=0, seed=2**63 - 1, agents=("greedy", "random"), moves="E5 D5 F6",
    opening_plies=2, plies=3, payoffs=(-1.0, 1.0), result="Black forfeits", reason="forfeit: exception", forfeit_seat=0,
    forfeit_kind="exception", forfeit_detail="ValueError: 'no'", choices=(1, 0), seconds=(0.125, 0.0),
    started="2026-01-01T00:00:00+00:00", finished="2026-01-01T00:00:01+00:00",
)  # fmt: skip
FIRST = replace(RECORD, id="00000-0x1-a", number=0, forfeit_seat=None, forfeit_kind=None, forfeit_detail=None)


def test_games_come_back_as_they_were_and_in_canonical_order(tmp_path):
    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORD)
        store.add(FIRST)
        assert store.records() == [FIRST, RECORD]
    with Store(tmp_path, SETTINGS) as store:
        assert store.records() == [FIRST, RECORD]


def test_a_game_cannot_be_stored_twice(tmp_path):
    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORD)
        with pytest.raises(sqlite3.IntegrityError):
            store.add(RECORD)
        assert store.records() == [RECORD]


def test_the_file_can_be_read_by_others_while_games_are_added(tmp_path):
    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORD)
        reader = sqlite3.connect(tmp_path / FILE)
        assert reader.execute("SELECT id, seed, json_extract(payoffs, '$[1]') FROM games").fetchall() == [
            ("00000-0x1-b", 2**63 - 1, 1.0)
        ]
        assert reader.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        store.add(FIRST)
        reader.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 8}, "seed: 7 there, 8 now"),
        ({"agents": ["random", "uct"]}, "agents: random greedy there, random uct now"),
        ({"options": {"size": 15}}, "options: size=9 there, size=15 now"),
        ({"options": {"size": 9, "row": 4}}, "options: none there, row=4 now"),
        ({"deadline": 1.0}, "deadline: 60.0 there, 1.0 now"),
    ],
)
def test_other_settings_are_refused_with_the_difference(tmp_path, change, words):
    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORD)
    with pytest.raises(StoreError) as refused:
        Store(tmp_path, replace(SETTINGS, **change))
    assert words in str(refused.value)
    assert str(refused.value).count(" there, ") == 1
    assert "--out" in str(refused.value)
    Store(tmp_path, SETTINGS).close()  # and the folder is free again


def test_a_run_without_a_game_is_begun_anew(tmp_path):
    """Say, an agent's name was misspelt: what was refused leaves nothing behind."""
    Store(tmp_path, replace(SETTINGS, agents=["random", "greddy"])).close()
    Store(tmp_path, SETTINGS).close()
    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORD)
        assert store.records() == [RECORD]
    with pytest.raises(StoreError, match="other settings"):
        Store(tmp_path, replace(SETTINGS, agents=["random", "greddy"]))


def test_a_run_from_before_a_setting_existed_has_its_default(tmp_path):
    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORD)
    db = sqlite3.connect(tmp_path / FILE)
    settings = json.loads(db.execute("SELECT settings FROM run").fetchone()[0])
    for name in ("schedule", "sprt", "adjudicate"):
        del settings[name]
    with db:
        db.execute("UPDATE run SET settings = ?", (json.dumps(settings),))
    db.close()
    assert read(tmp_path).settings == SETTINGS
    with Store(tmp_path, SETTINGS) as store:
        assert store.records() == [RECORD]
    with pytest.raises(StoreError, match="schedule: round-robin there, ladder now"):
        Store(tmp_path, replace(SETTINGS, schedule="ladder"))


def test_a_run_can_be_read_while_it_is_played(tmp_path):
    assert read(tmp_path) is None
    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORD)
        assert read(tmp_path).records == [RECORD]
        store.add(FIRST)
        assert read(tmp_path).records == [FIRST, RECORD]


def test_more_games_extend_a_run_and_fewer_are_refused(tmp_path):
    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORD)
    with Store(tmp_path, replace(SETTINGS, games=40)) as store:
        assert store.records() == [RECORD]
    with pytest.raises(StoreError, match="40 games a pair, more than --games 20"):
        Store(tmp_path, SETTINGS)


def test_two_processes_cannot_play_one_run(tmp_path):
    with Store(tmp_path, SETTINGS), pytest.raises(StoreError, match="another process"):
        Store(tmp_path, SETTINGS)
    Store(tmp_path, SETTINGS).close()


def test_a_file_of_another_kind_is_left_alone(tmp_path):
    (tmp_path / FILE).write_text("these are my notes, not a data base at all, and they are long enough " * 9)
    with pytest.raises(StoreError, match="cannot be used"):
        Store(tmp_path, SETTINGS)
    assert (tmp_path / FILE).read_text().startswith("these are my notes")


def test_an_older_layout_is_refused(tmp_path):
    Store(tmp_path, SETTINGS).close()
    db = sqlite3.connect(tmp_path / FILE)
    with db:
        db.execute("UPDATE run SET schema = 0")
    db.close()
    with pytest.raises(StoreError, match="version 0"):
        Store(tmp_path, SETTINGS)


def test_a_folder_that_cannot_be_made_is_an_error_of_its_own(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be made"):
        Store(tmp_path / "file" / "run", SETTINGS)


def test_a_training_and_a_tournament_have_folders_of_their_own(tmp_path):
    tiny = TrainArgs(run=tmp_path / "training")
    Run(tiny).close()
    with pytest.raises(StoreError, match="holds a training"):
        Store(tiny.run, SETTINGS)
    assert not (tiny.run / FILE).exists()
    Store(tmp_path / "games", SETTINGS).close()
    with pytest.raises(UsageError, match="holds the games of a tournament"):
        Run(replace(tiny, run=tmp_path / "games"))
    assert not (tmp_path / "games" / "window").exists()


def test_reading_leaves_nothing_behind(tmp_path):
    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORD)
        assert read(tmp_path).records == [RECORD]  # while it is played
    before = sorted(path.name for path in tmp_path.iterdir())
    assert read(tmp_path).records == [RECORD]
    assert open_run(tmp_path).count == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    with closing(connect_to_read(tmp_path / FILE)) as db, pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.execute("DELETE FROM games")


def test_a_run_can_be_read_where_nothing_can_be_written(tmp_path, monkeypatch):
    with Store(tmp_path, SETTINGS) as store:
        store.add(RECORD)
    connect = sqlite3.connect

    def guarded(path, **how):
        """As in a folder without rights, which a privileged user does not have."""
        if "immutable=1" not in str(path):
            raise sqlite3.OperationalError("unable to open database file")
        return connect(path, **how)

    monkeypatch.setattr(sqlite3, "connect", guarded)
    assert read(tmp_path).records == [RECORD]
    assert open_run(tmp_path).count == 1
