"""What a card table looks like as text, as SVG and as pixels, and that no picture tells more than the table does."""

from __future__ import annotations

import dataclasses
import pickle
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter

import numpy as np
import pytest

from narabe.envs.drawing import fonts
from narabe.envs.drawing.ansi import ansi
from narabe.envs.drawing.palette import ACCENT, channels
from narabe.envs.drawing.raster import rgb
from narabe.envs.drawing.svg import svg
from narabe.envs.drawing.table_ansi import columns
from narabe.envs.drawing.table_palette import PAIRS, RADIUS
from narabe.envs.drawing.table_plan import Cloth, table_plan
from narabe.envs.table import DECKS, Play, Seat, Table

SVG = "{http://www.w3.org/2000/svg}"
KANJI = set("".join(DECKS[deck] for deck in ("atigo", "goita")))


@pytest.fixture
def everything() -> Table:
    """The example of the rules after nine plies, as player 1 of 0 to 3 sees it, with all marks."""
    hidden = [None] * 6
    return Table(
        [
            Seat("South", [None] * 4, [Play(None, 4, down=True), Play(4, 2)], notes=["five"]),
            Seat("East", [1, 1, 1, 2, 5, 7], [Play(2, 3)]),
            Seat("North", [*hidden[:5], 8], [Play(3, 6)], shown=1),
            Seat("West", hidden, [Play(4, 4)]),
        ],
        dealer=0, to_play=1, last=2, scores=(3, 11), title="Goita & <co>", captions=["East to play"],
    )  # fmt: skip


def open_table(deck: str = "atigo") -> Table:
    """The end of the example of the rules, with every card known."""
    seats = [
        Seat("South", [3, 9], [Play(1, 4, down=True), Play(4, 2), Play(1, 2)]),
        Seat("East", [], [Play(2, 3), Play(2, 1), Play(1, 1, down=True), Play(5, 7, down=True)]),
        Seat("North", [7, 8], [Play(3, 6), Play(1, 6, down=True), Play(1, 5, down=True)]),
        Seat("West", [1, 1, 3, 5], [Play(4, 4), Play(5, 1)]),
    ]
    return Table(seats, deck=deck, dealer=0, last=1, scores=(0, 4))


def uses(document: str) -> Counter[str]:
    """How often an SVG shows each kind of stamp."""
    found = ElementTree.fromstring(document).iter(f"{SVG}use")
    return Counter(use.attrib["href"].split("-", 1)[1] for use in found)


def words(document: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(document).iter(f"{SVG}text")]


class TestTable:
    def test_counts_the_plays_that_a_deal_has_room_for(self, everything: Table) -> None:
        assert everything.slots == 4
        assert Table([Seat("A", [1]), Seat("B")]).slots == 1

    def test_is_plain_data(self, everything: Table) -> None:
        assert pickle.loads(pickle.dumps(everything)) == everything
        assert {everything, everything.with_()} == {everything}
        numpy = Seat("A", np.array([1, 2], np.int8))  # type: ignore[arg-type]
        assert [type(card) for card in numpy.hand] == [int, int]

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"seats": [Seat("A")]}, "2 or 4 seats"),
            ({"deck": "tarot"}, "no deck is called 'tarot'"),
            ({"scores": [1]}, "two scores"),
            ({"dealer": 4}, "dealer: no seat 4"),
            ({"seats": [Seat("A"), Seat("B")], "last": 1, "dealer": 0, "to_play": 0}, "B has made no play"),
        ],
    )
    def test_refuses_what_is_no_table(self, everything: Table, wrong: dict[str, object], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            everything.with_(**wrong)

    def test_refuses_what_is_no_card(self) -> None:
        with pytest.raises(ValueError, match="from 1 to 9"):
            Seat("A", [10])
        with pytest.raises(ValueError, match="face up is known"):
            Play(None, 4)
        with pytest.raises(ValueError, match="1 kings to be seen"):
            Seat("A", [8, None], shown=2)
        with pytest.raises(TypeError, match="sequence of texts"):
            Seat("A", notes="five")


class TestAnsi:
    def test_four_seats_with_marks(self, everything: Table) -> None:
        assert ansi(everything.with_(deck="letters")).splitlines() == [
            "Goita & <co>",
            "                    North",
            "              #  #  #  #  # <O>",
            "                 B  .  .  .",
            "                [A] .  .  .",
            "  West                          > East",
            " #  #  I  I                      B  G  S  S",
            " #  #  .  .   South & North: 3   .  .  S  G",
            " #  #  .  .   East & West: 11    .  .  K  H",
            "       .  .                      .  .",
            "                 I  G  .  .",
            "                (#) I  .  .",
            "                 #  #  #  #",
            "                South* (five)",
            "East to play",
        ]

    @pytest.mark.parametrize("deck", DECKS)
    def test_cards_stand_below_each_other(self, deck: str) -> None:
        """Kanji take two columns; every card starts a whole number of cards from the others of its row."""
        lines = ansi(open_table(deck).with_(title="", captions=())).splitlines()
        wide = columns(DECKS[deck][0]) + 2
        place = {}
        for number, line in enumerate(lines):
            for match in re.finditer(r"[\[(](.)[\])]", line):
                place[number, match[0]] = columns(line[: match.start()])
        # The two cards that East laid face down, and the attack beside the second one.
        east = sorted((number, text) for number, text in place if number in (7, 8))
        assert len(east) == 3
        first, second, attack = (place[key] for key in sorted(east, key=lambda key: (key[0], key[1][0] == "[")))
        assert first == second == attack + wide
        assert columns(ansi(open_table("atigo")).splitlines()[1]) == columns(ansi(open_table("goita")).splitlines()[1])

    def test_letters_are_plain_ascii(self, everything: Table) -> None:
        assert ansi(everything.with_(deck="letters")).isascii()

    def test_colour_changes_no_character(self, everything: Table) -> None:
        pattern = re.compile("\x1b\\[[0-9;]*m")
        coloured = ansi(everything, color=True)
        assert pattern.search(coloured)
        plain = [line.rstrip() for line in pattern.sub("", coloured).splitlines()]
        assert plain == ansi(everything).splitlines()

    def test_long_names_leave_the_score_in_the_middle(self, everything: Table) -> None:
        seats = [dataclasses.replace(seat, name=seat.name * 9) for seat in everything.seats]
        assert " 3 : 11 " in ansi(everything.with_(seats=seats))


class TestPlan:
    def test_seats_go_counter_clockwise_from_the_bottom(self) -> None:
        cloth = Cloth(4, 4, 40)
        (_, bottom), (right, _), (_, top), (left, _) = (cloth.hand(seat, 0, 1) for seat in range(4))
        assert bottom == -top > 0
        assert right == -left > 0

    @pytest.mark.parametrize(("seats", "slots"), [(4, 4), (4, 2), (2, 2), (2, 3)])
    def test_no_card_covers_another(self, seats: int, slots: int) -> None:
        cloth = Cloth(seats, slots, 100)
        spots = [cloth.play(s, i, attack) for s in range(seats) for i in range(slots) for attack in (False, True)]
        spots += [cloth.hand(s, i, 2 * slots) for s in range(seats) for i in range(2 * slots)]
        width, height = cloth.size
        for number, (x, y) in enumerate(spots):
            assert abs(x) + RADIUS < width / 200
            assert abs(y) + RADIUS < height / 200
            for other_x, other_y in spots[:number]:
                assert abs(x - other_x) >= 1.7 * RADIUS or abs(y - other_y) >= 2 * RADIUS

    def test_attacks_lie_nearer_to_the_middle(self) -> None:
        cloth = Cloth(4, 4, 40)
        for seat in range(4):
            (x, y), (first_x, first_y), (hand_x, hand_y) = (
                cloth.play(seat, 0, True), cloth.play(seat, 0, False), cloth.hand(seat, 0, 1),
            )  # fmt: skip
            along = (abs(x), abs(first_x), abs(hand_x)) if seat % 2 else (abs(y), abs(first_y), abs(hand_y))
            assert along == tuple(sorted(along))

    def test_everything_lies_on_the_page(self, everything: Table) -> None:
        layout = table_plan(everything, 20)
        for item in (*layout.stamps, *layout.texts):
            assert 0 < item.x < layout.width
            assert 0 < item.y < layout.height

    def test_a_long_name_is_cut(self, everything: Table) -> None:
        seats = list(everything.seats)
        seats[1] = dataclasses.replace(seats[1], name="a name beyond all measure")
        texts = [text.text for text in table_plan(everything.with_(seats=seats), 32).texts]
        assert any(text.startswith("a name") and text.endswith("…") for text in texts)

    def test_too_small_a_cell(self, everything: Table) -> None:
        with pytest.raises(ValueError, match="too small"):
            table_plan(everything, 2)


class TestSvg:
    def test_every_card_and_mark(self, everything: Table) -> None:
        found = uses(svg(everything))
        assert {kind: found[kind] for kind in ("up", "back", "last", "shown", "turn", "place")} == {
            "up": 16, "back": 16, "last": 1, "shown": 1, "turn": 1, "place": 32,
        }  # fmt: skip
        assert "down" not in found
        assert uses(svg(open_table()))["down"] == 5

    def test_words(self, everything: Table) -> None:
        found = words(svg(everything))
        assert {"Goita & <co>", "East to play", "South · dealer · five", "West", "3", "11"} <= set(found)

    def test_every_reference_has_its_definition(self, everything: Table) -> None:
        document = svg(everything)
        known = {e.attrib["id"] for e in ElementTree.fromstring(document).iter() if "id" in e.attrib}
        references = re.findall(r'url\(#([^)]*)\)|href="#([^"]*)"', document)
        assert references
        assert {a or b for a, b in references} <= known

    def test_same_table_same_text_and_another_other_ids(self, everything: Table) -> None:
        assert svg(everything) == svg(everything.with_())
        first, second = (set(re.findall(r'id="([^"]*)"', svg(t))) for t in (everything, everything.with_(last=None)))
        assert not first & second

    def test_stays_small(self) -> None:
        assert len(svg(open_table())) < 14_000


class TestHidden:
    """A card that the table does not tell leaves no trace of its kind."""

    def test_pictures_show_the_known_cards_and_no_others(self, everything: Table) -> None:
        known = [c for seat in everything.seats for c in seat.hand if c]
        known += [c for seat in everything.seats for play in seat.plays for c in (play.first, play.second) if c]
        expected = Counter(map(everything.glyph, known))
        drawn = Counter(c for text in words(svg(everything)) for c in text if c in KANJI)
        written = Counter(c for c in ansi(everything) if c in KANJI)
        assert drawn == written == expected

    @pytest.mark.parametrize("deck", DECKS)
    def test_all_backs_look_alike(self, everything: Table, deck: str) -> None:
        table = everything.with_(deck=deck)
        seats = list(table.seats)
        seats[3] = dataclasses.replace(seats[3], hand=seats[3].hand[::-1])
        assert svg(table.with_(seats=seats)) == svg(table)

    def test_a_known_card_face_down_looks_different_from_a_back(self) -> None:
        seats = [Seat("A", [], [Play(1, 4, down=True)]), Seat("B", [None, None])]
        table = Table(seats)
        hidden = table.with_(seats=[Seat("A", [], [Play(None, 4, down=True)]), seats[1]])
        assert "(市)" in ansi(table) and "(##)" in ansi(hidden)
        assert (uses(svg(table))["down"], uses(svg(hidden))["down"]) == (1, 0)


class TestRaster:
    def test_is_a_fresh_array_of_the_size_of_the_plan(self, everything: Table) -> None:
        pixels, layout = rgb(everything, cell=20), table_plan(everything, 20)
        assert pixels.shape == (layout.height, layout.width, 3)
        assert pixels.dtype == np.uint8
        before = pixels.copy()
        pixels[:] = 0
        assert np.array_equal(rgb(everything, cell=20), before)

    def test_size_does_not_depend_on_the_position(self, everything: Table) -> None:
        seats = [Seat(name, [None] * 8) for name in ("South", "East", "North", "West")]
        assert rgb(everything.with_(seats=seats, last=None)).shape == rgb(everything).shape

    def test_pieces_and_marks_show_in_their_colours(self, everything: Table) -> None:
        pixels, layout = rgb(everything), table_plan(everything, 32)
        stamps = {stamp.kind: stamp for stamp in layout.stamps}
        foot = round((RADIUS + 0.03) * layout.board.cell)
        for kind, colour, down in (("last", ACCENT, foot), ("shown", PAIRS[0], foot), ("pair1", PAIRS[1], 0)):
            pixel = pixels[stamps[kind].y + down, stamps[kind].x]
            assert np.abs(pixel - np.array(channels(colour), float)).max() < 40

    def test_without_a_font_for_kanji_cards_show_letters(
        self, everything: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("narabe.envs.drawing.raster.kanji_font", lambda: None)
        monkeypatch.setattr(fonts, "kanji_font", lambda: None)
        named = everything.with_(captions=["East faces 将"])
        lettered = everything.with_(deck="letters", captions=["East faces A"])
        assert np.array_equal(rgb(named), rgb(lettered))

    def test_a_font_must_have_every_kanji(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fonts, "KANJI_FONTS", ("no-such-font.ttf", "DejaVuSans.ttf"))
        fonts.kanji_font.cache_clear()
        try:
            assert fonts.kanji_font() is None
        finally:
            fonts.kanji_font.cache_clear()
