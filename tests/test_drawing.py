"""What a scene looks like as text, as SVG and as pixels."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import pickle
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from typing import Literal

import numpy as np
import pytest

from narabe import envs
from narabe.envs.drawing import palette
from narabe.envs.drawing.ansi import HEAT_RAMP, WOOD, ansi
from narabe.envs.drawing.palette import PIECES, SIGNS, channels
from narabe.envs.drawing.plan import plan, star_points, text_width, wrap
from narabe.envs.drawing.raster import rgb
from narabe.envs.drawing.svg import svg
from narabe.envs.scene import Scene, letters

MODULES = ["scene", "drawing.palette", "drawing.plan", "drawing.ansi", "drawing.svg", "drawing.raster"]


@pytest.fixture
def middle_game() -> Scene:
    """A 5 x 4 position with every kind of mark, and cells to spare: stones on B2, C2, D2 and C3."""
    cells = [""] * 20
    cells[6] = cells[7] = cells[8] = "black"
    cells[12] = "white"
    return Scene(
        5, 4, cells=cells, last=[8], forbidden=[0], winning=[6, 7, 8],
        title="Five & <four>", captions=["Black wins", "pairs: Black 2, White 1"],
    )  # fmt: skip


def with_everything(scene: Scene) -> Scene:
    return scene.with_(heat={3: 2.0, 4: 4.0}, numbers={4: "57", 7: "12"})


def at(scene: Scene, cell: int, pixels: np.ndarray, right: float = 0.0, down: float = 0.0, size: int = 32) -> list[int]:
    """The pixel at the centre of a cell, or some way off it in cells."""
    layout = plan(scene, size)
    x, y = layout.board.centre(cell)
    return [int(v) for v in pixels[layout.top + y + round(down * size), layout.left + x + round(right * size)]]


def near(pixel: list[int], colour: str, tolerance: int = 12) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(pixel, channels(colour), strict=True))


def uses(document: str) -> list[tuple[str, str, str]]:
    """(kind, x, y) of each stamp in an SVG, without the prefix of its ids."""
    root = ElementTree.fromstring(document)
    found = root.iter("{http://www.w3.org/2000/svg}use")
    return [(use.attrib["href"].split("-", 1)[1], use.attrib["x"], use.attrib["y"]) for use in found]


def words(document: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(document).iter("{http://www.w3.org/2000/svg}text")]


def ids(document: str) -> set[str]:
    return {element.attrib["id"] for element in ElementTree.fromstring(document).iter() if "id" in element.attrib}


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_run(module: str) -> None:
    results = doctest.testmod(importlib.import_module(f"narabe.envs.{module}"))
    assert results.attempted > 0
    assert results.failed == 0


def test_importing_text_and_svg_needs_neither_numpy_nor_pillow() -> None:
    # As they are imported from a path of their own, whatever the packages above them import does not matter here.
    code = (
        "import sys, types, narabe\n"
        "package = types.ModuleType('narabe.envs'); package.__path__ = [p + '/envs' for p in narabe.__path__]\n"
        "before = set(sys.modules); sys.modules['narabe.envs'] = package\n"
        "import narabe.envs.drawing.ansi, narabe.envs.drawing.svg\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(new & {'numpy', 'PIL', 'numba'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class TestScene:
    def test_fills_in_an_empty_board_and_its_labels(self) -> None:
        scene = Scene(3, 2)
        assert scene.cells == ("",) * 6
        assert scene.column_labels == ("A", "B", "C")
        assert scene.row_labels == ("1", "2")

    def test_keeps_tuples_and_dicts_of_plain_values(self) -> None:
        scene = Scene(2, 2, cells=["black", "", "", ""], last=list(np.array([3])))
        scene = scene.with_(heat={np.int64(1): np.float32(0.5)})
        assert scene.cells == ("black", "", "", "")
        assert [type(cell) for cell in scene.last] == [int]
        assert scene.heat == {1: 0.5}
        assert type(scene.heat[1]) is float

    def test_overlays_leave_the_scene_under_them_alone(self, middle_game: Scene) -> None:
        overlaid = with_everything(middle_game)
        assert not middle_game.heat
        assert overlaid.cells == middle_game.cells
        with pytest.raises(dataclasses.FrozenInstanceError):
            overlaid.title = "other"  # type: ignore[misc]

    def test_is_hashable_and_can_be_pickled(self, middle_game: Scene) -> None:
        scene = with_everything(middle_game)
        assert pickle.loads(pickle.dumps(scene)) == scene
        assert len({scene, with_everything(middle_game), middle_game}) == 2

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"cells": ["black"]}, "cells: 4 needed"),
            ({"column_labels": ["A"]}, "column_labels: 2 needed"),
            ({"last": [4]}, "last: no cell 4"),
            ({"numbers": {-1: "1"}}, "numbers: no cell -1"),
            ({"heat": {0: -1.0}}, "not negative"),
            ({"marks": {4: "four"}}, "marks: no cell 4"),
            ({"heat": {0: float("nan")}}, "finite"),
            ({"style": "hexagons"}, "'points' or 'squares'"),
            ({"width": 0}, "at least one cell"),
        ],
    )
    def test_refuses_what_does_not_fit_the_board(self, wrong: dict[str, object], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            Scene(2, 2).with_(**wrong)

    def test_refuses_one_text_where_several_belong(self) -> None:
        with pytest.raises(TypeError, match="Black to play"):
            Scene(2, 2, captions="Black to play")

    def test_columns_beyond_z(self) -> None:
        assert letters(53)[25:28] == ("Z", "AA", "AB")
        assert letters(53)[-1] == "BA"


class TestPlan:
    @pytest.mark.parametrize(("size", "count"), [(19, 9), (15, 5), (13, 5), (9, 1), (20, 0)])
    def test_star_points_are_symmetric(self, size: int, count: int) -> None:
        spots = {divmod(cell, size) for cell in star_points(size, size)}
        assert len(spots) == count
        assert spots == {(column, size - 1 - row) for row, column in spots}

    def test_star_points_of_gomoku(self) -> None:
        names = {f"{letters(15)[cell % 15]}{cell // 15 + 1}" for cell in star_points(15, 15)}
        assert names == {"D4", "L4", "H8", "D12", "L12"}

    def test_a1_is_at_the_bottom_left_beside_its_labels(self) -> None:
        layout = plan(Scene(5, 4, cells=["black"] + [""] * 19), 20)
        (stone,) = [stamp for stamp in layout.stamps if stamp.kind == "black"]
        board = layout.board
        assert stone.x - layout.left == board.margin
        assert stone.y - layout.top == board.size[1] - board.margin
        where = {(text.text, text.x, text.y) for text in board.labels()}
        assert {x for label, x, _ in where if label == "A"} == {stone.x - layout.left}
        assert {y for label, _, y in where if label == "1"} == {stone.y - layout.top}

    def test_broken_lines_fit_and_lose_nothing(self) -> None:
        text = "a caption of many words and one uninterruptedverylongone"
        lines = wrap(text, 6)
        assert max(map(text_width, lines)) <= 6
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")

    def test_everything_lies_on_the_page(self, middle_game: Scene) -> None:
        layout = plan(with_everything(middle_game), 20)
        assert layout.texts
        spots = [(stamp.x, stamp.y) for stamp in layout.stamps] + [(text.x, text.y) for text in layout.texts]
        for x, y in spots:
            assert 0 < x < layout.width
            assert 0 < y < layout.height


class TestAnsi:
    def test_position_with_marks(self, middle_game: Scene) -> None:
        assert ansi(middle_game).splitlines() == [
            "Five & <four>",
            "4  . . . . .",
            "3  . . O . .",
            "2  .*X*X[X].",
            "1  ! . . . .",
            "   A B C D E",
            "Black wins",
            "pairs: Black 2, White 1",
        ]

    def test_numbers_widen_the_cells(self, middle_game: Scene) -> None:
        scene = middle_game.with_(numbers={4: "570", 7: "12"}, title="", captions=(), last=[7, 8], winning=())
        assert ansi(scene).splitlines() == [
            "4   .   .   .   .   .",
            "3   .   .   O   .   .",
            "2   .   X [X12| X ] .",
            "1   !   .   .   .  570",
            "    A   B   C   D   E",
        ]

    def test_heat_in_tenths(self) -> None:
        text = ansi(Scene(4, 1, cells=["", "", "", "black"], heat={0: 10, 1: 5, 2: 0.1, 3: 8}))
        assert text.splitlines() == ["1  9 5 . X", "   A B C D", "digits: tenths of the highest heat"]

    def test_a_tall_board_has_column_names_above_too(self) -> None:
        lines = ansi(Scene(3, 10)).splitlines()
        assert lines[0] == lines[-1] == "    A B C"
        assert lines[1] == "10  . . ."
        assert lines[-2] == " 1  . . ."

    def test_colour_changes_no_character(self, middle_game: Scene) -> None:
        pattern = re.compile("\x1b\\[[0-9;]*m")
        coloured = ansi(middle_game, color=True)
        assert pattern.search(coloured)
        assert [line.rstrip() for line in pattern.sub("", coloured).splitlines()] == ansi(middle_game).splitlines()

    def test_colour_shows_heat_as_a_background(self) -> None:
        grounds = re.findall(r"48;5;(\d+)m\.", ansi(Scene(3, 1, heat={1: 1.0, 2: 4.0}), color=True))
        assert grounds == [str(WOOD), str(HEAT_RAMP[1]), str(HEAT_RAMP[-1])]


class TestSvg:
    def test_each_stone_and_mark_in_its_place(self, middle_game: Scene) -> None:
        layout = plan(middle_game, 32)
        x, y = layout.board.centre(8)
        spot = (str(layout.left + x), str(layout.top + y))
        found = uses(svg(middle_game))
        kinds = [kind for kind, _, _ in found]
        assert [kinds.count(kind) for kind in ("black", "white", "last", "forbidden", "winning")] == [3, 1, 1, 1, 3]
        assert {kind for kind, *where in found if tuple(where) == spot} == {"black", "winning", "last"}

    def test_every_reference_has_its_definition(self, middle_game: Scene) -> None:
        document = svg(with_everything(middle_game))
        known = ids(document)
        for kind, _, _ in uses(document):
            assert any(name.endswith(f"-{kind}") for name in known)
        for reference in document.split("url(#")[1:]:
            assert reference.split(")")[0] in known

    def test_labels_numbers_and_captions(self, middle_game: Scene) -> None:
        found = words(svg(with_everything(middle_game)))
        for label in (*"ABCDE", *"1234"):
            assert found.count(label) == 2
        assert {"57", "12", "Five & <four>", "Black wins", "pairs: Black 2, White 1"} <= set(found)

    def test_heat_is_stronger_where_there_is_more(self, middle_game: Scene) -> None:
        root = ElementTree.fromstring(svg(with_everything(middle_game)))
        found = root.iter("{http://www.w3.org/2000/svg}use")
        low, high = [float(use.attrib["opacity"]) for use in found if use.attrib["href"].endswith("-heat")]
        assert 0 < low < high < 1

    def test_any_text_is_escaped(self) -> None:
        odd = '</text> & @ "quoted" 黒\x00\x1b'
        scene = Scene(9, 2, title=odd, captions=[odd], numbers={0: "<&"}, column_labels=["<"] * 9)
        root = ElementTree.fromstring(svg(scene))
        assert root[0].text == '</text> & @ "quoted" 黒'
        assert {"<&", "<", '</text> & @ "quoted" 黒'} <= set(words(svg(scene)))

    def test_ids_of_different_pictures_never_meet(self, middle_game: Scene) -> None:
        first, second = svg(middle_game), svg(middle_game.with_(last=[7]))
        assert ids(first)
        assert not ids(first) & ids(second)
        assert not ids(first) & ids(svg(middle_game, cell=40))

    def test_same_scene_gives_the_same_text_in_any_process(self, middle_game: Scene) -> None:
        code = "from narabe.envs.scene import Scene; from narabe.envs.drawing.svg import svg; print(svg(Scene(4, 4)))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.rstrip("\n") == svg(Scene(4, 4))

    def test_a_full_board_stays_small(self) -> None:
        cells = ["black", "white"] * 180 + ["black"]
        assert len(svg(Scene(19, 19, cells=cells))) < 25_000
        assert len(svg(Scene(19, 19, cells=cells, numbers={i: str(i) for i in range(361)}))) < 60_000


class TestRaster:
    def test_is_a_fresh_array_of_bytes_of_the_size_of_the_plan(self, middle_game: Scene) -> None:
        pixels, layout = rgb(middle_game, cell=21), plan(middle_game, 21)
        assert pixels.shape == (layout.height, layout.width, 3)
        assert pixels.dtype == np.uint8
        before = pixels.copy()
        pixels[:] = 0
        assert np.array_equal(rgb(middle_game, cell=21), before)

    def test_size_does_not_depend_on_the_position(self, middle_game: Scene) -> None:
        empty = Scene(5, 4, title=middle_game.title, captions=middle_game.captions)
        assert rgb(empty).shape == rgb(with_everything(middle_game)).shape

    def test_marks_show_in_their_colours(self, middle_game: Scene) -> None:
        pixels = rgb(middle_game)
        radius = palette.shapes("black", "points")[1].radius
        assert near(at(middle_game, 0, pixels), palette.ACCENT)
        assert near(at(middle_game, 8, pixels, right=radius * 0.83), palette.ACCENT, 40)
        assert near(at(middle_game, 7, pixels, down=-radius), palette.WINNING, 40)
        assert not near(at(middle_game, 12, pixels, down=-radius), palette.WINNING, 40)

    def test_heat_darkens_in_proportion(self) -> None:
        scene = Scene(3, 1, heat={0: 1.0, 1: 0.5}, style="squares")
        pixels = rgb(scene)
        much, some, none = (sum(at(scene, cell, pixels)) for cell in range(3))
        assert none > some > much
        assert abs((none + much) / 2 - some) < 0.06 * none

    def test_numbers_are_written_over_stones_and_points(self) -> None:
        scene = Scene(3, 1, cells=["black", "white", ""])
        plain, numbered = rgb(scene), rgb(scene.with_(numbers={0: "8", 1: "8", 2: "8"}))
        for cell, brighter in ((0, True), (1, False), (2, False)):
            x, y = plan(scene, 32).board.centre(cell)
            layout = plan(scene, 32)
            box = np.s_[layout.top + y - 6 : layout.top + y + 7, layout.left + x - 6 : layout.left + x + 7]
            change = numbered[box].astype(int) - plain[box]
            assert (change.max() > 120) if brighter else (change.min() < -120)

    def test_says_how_to_get_pillow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "PIL", None)
        with pytest.raises(ImportError, match=r"pip install narabe\[render\]"):
            rgb(Scene(3, 3))

    def test_too_small_a_cell(self) -> None:
        with pytest.raises(ValueError, match="too small"):
            rgb(Scene(3, 3), cell=2)
        assert rgb(Scene(1, 1), cell=4).size


class TestSigns:
    @pytest.mark.parametrize("style", ["points", "squares"])
    @pytest.mark.parametrize("name", SIGNS)
    def test_draws_in_all_three(self, name: str, style: Literal["points", "squares"]) -> None:
        scene = Scene(3, 1, cells=["", "", "black"], marks={0: name, 2: name}, style=style)
        glyph = SIGNS[name].glyph
        assert ansi(scene).splitlines()[0] == f"1  {glyph}  .  X{glyph}"
        assert [kind for kind, _, _ in uses(svg(scene))].count(name) == 2
        assert not np.array_equal(rgb(scene), rgb(scene.with_(marks={})))

    def test_no_two_look_the_same_even_in_grey(self) -> None:
        scenes = [Scene(1, 1, marks={0: name}) for name in SIGNS]
        assert len({ansi(scene) for scene in scenes}) == len(SIGNS)
        greys = [rgb(scene).mean(2) for scene in scenes]
        for i, grey in enumerate(greys):
            assert all(np.abs(grey - other).max() > 60 for other in greys[:i])

    @pytest.mark.parametrize("name", SIGNS)
    def test_stands_out_from_the_wood(self, name: str) -> None:
        colour = palette.shapes(name, "points")[-1].colour
        # 3 is the least contrast that WCAG 2 asks of graphics.
        assert (palette.luminance(palette.WOOD) + 0.05) / (palette.luminance(colour) + 0.05) > 3

    def test_one_that_may_not_be_played(self) -> None:
        assert ansi(Scene(3, 1, forbidden=[0, 1], marks={0: "danger"})).splitlines()[0] == "1  !d !  ."

    def test_the_legend_stands_below_the_board(self) -> None:
        scene = Scene(9, 2, marks={0: "win"}, legend={"win": "Black wins", "four": "makes a four"}, captions=["more"])
        assert ansi(scene).splitlines()[-2:] == ["w Black wins, f makes a four", "more"]
        assert {"Black wins", "makes a four", "more"} <= set(words(svg(scene)))
        assert [kind for kind, _, _ in uses(svg(scene))].count("win") == 2
        layout = plan(scene, 20)
        board = layout.top + layout.board.size[1]
        assert all(stamp.y > board for stamp in layout.stamps[1:])
        assert len({text.y for text in layout.texts}) == 2  # signs side by side
        assert rgb(scene).shape == rgb(scene.with_(marks={})).shape

    def test_a_long_legend_is_broken(self) -> None:
        scene = Scene(3, 3, legend={"win": "a text of some words", "four": "another text", "three": "third"})
        layout = plan(scene, 20)
        assert len({text.y for text in layout.texts}) == 2
        assert all(stamp.y < layout.height and stamp.x < layout.width for stamp in layout.stamps)

    @pytest.mark.parametrize("draw", [ansi, svg, rgb])
    @pytest.mark.parametrize("scene", [Scene(1, 1, marks={0: "five"}), Scene(1, 1, legend={"five": "a five"})])
    def test_unknown_sign_is_named(self, draw: object, scene: Scene) -> None:
        with pytest.raises(ValueError, match="no sign is called 'five'"):
            draw(scene)  # type: ignore[operator]


class TestLines:
    def test_moves_are_numbered_pieces(self, middle_game: Scene) -> None:
        scene = middle_game.with_(marks={0: "win", 1: "four"}).with_line(
            [(0, "white"), None, (11, "black"), (0, "black")]
        )
        assert (scene.cells[0], scene.cells[11], scene.numbers) == ("white", "black", {0: "1", 11: "3"})
        assert (scene.forbidden, scene.marks) == ((), {1: "four"})
        assert scene.captions[-1] == "4 at A1"
        assert middle_game.with_line([]) == middle_game

    def test_off_the_board(self) -> None:
        with pytest.raises(ValueError, match="line: no cell 9"):
            Scene(3, 3).with_line([(9, "black")])

    def test_of_a_state(self) -> None:
        state = envs.game("gomoku", size=5).start().play("C3")
        scene = state.scene(line=["B2", 8], marks={"A1": "four"})
        assert isinstance(scene, Scene)
        assert (scene.cells[6], scene.cells[8], scene.numbers) == ("white", "black", {6: "1", 8: "2"})
        assert scene.marks == {0: "four"}
        assert state.ply == 1
        with pytest.raises(envs.IllegalMove, match="C3: occupied"):
            state.svg(line=["C3"])

    def test_of_a_state_with_gravity(self) -> None:
        scene = envs.game("connect_four").start().play("4").scene(line=["4", "4", "1"])
        assert isinstance(scene, Scene)
        assert scene.numbers == {10: "1", 17: "2", 0: "3"}
        assert scene.cells[10] == scene.cells[0] != scene.cells[17]

    def test_captured_stones_and_cells_played_again(self) -> None:
        game = envs.game("capture_gomoku", size=9, opening="none")
        state = game.position(black="A1", white="B1 C1", to_move="black")
        scene = state.scene(line=["D1", "B1"])
        assert isinstance(scene, Scene)
        assert scene.cells[:4] == ("black", "white", "white", "black")
        assert scene.numbers == {3: "1", 1: "2"}


class TestPieces:
    @pytest.mark.parametrize("style", ["points", "squares"])
    @pytest.mark.parametrize("name", PIECES)
    def test_draws_in_all_three(self, name: str, style: Literal["points", "squares"]) -> None:
        scene = Scene(2, 1, cells=[name, ""], style=style)
        assert ansi(scene).splitlines()[0] == f"1  {PIECES[name].glyph} ."
        assert [kind for kind, _, _ in uses(svg(scene))].count(name) == 1
        pixels = rgb(scene)
        assert near(at(scene, 0, pixels), PIECES[name].fill, 45)
        assert not near(at(scene, 1, pixels), PIECES[name].fill, 5)

    def test_no_two_look_the_same(self) -> None:
        scenes = [Scene(1, 1, cells=[name]) for name in PIECES]
        assert len({ansi(scene) for scene in scenes}) == len(PIECES)
        assert len({rgb(scene).tobytes() for scene in scenes}) == len(PIECES)

    @pytest.mark.parametrize("name", PIECES)
    def test_numbers_on_it_can_be_read(self, name: str) -> None:
        ink, fill = palette.luminance(PIECES[name].number), palette.luminance(PIECES[name].fill)
        # 4.5 is the least contrast that WCAG 2 asks of small text.
        assert (max(ink, fill) + 0.05) / (min(ink, fill) + 0.05) > 4.5

    @pytest.mark.parametrize("draw", [ansi, svg, rgb])
    def test_unknown_piece_is_named(self, draw: object) -> None:
        with pytest.raises(ValueError, match="no piece is called 'purple'"):
            draw(Scene(1, 1, cells=["purple"]))  # type: ignore[operator]
