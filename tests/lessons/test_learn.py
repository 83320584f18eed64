"""Pages in plain words: every sentence has its rows in the edition it is shown in, every scene plays as written."""

from __future__ import annotations

import pytest

from shieldwall.core.events import ActivationEnded, Broke, SpellCast
from shieldwall.editions import EDITIONS
from shieldwall.lessons.battles import NoBattleError, set_battle
from shieldwall.lessons.comparing import changes_from, highlights, known_editions
from shieldwall.lessons.learn import NoTopicError, parts_in, topic, topic_ids, topics_about
from shieldwall.rulebook import row

# what the page does has no row in any rulebook
ABOUT_THE_SCREEN = ("Before you shoot, the panel", "Click a unit", "Point at a piece", "The panel shows")


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_page_is_true_of_every_edition(edition: str) -> None:
    for name in topic_ids():
        lines = [line for part in parts_in(name, edition) for line in part.lines]
        assert len(lines) >= 4, (name, edition)
        for line in lines:
            assert bool(line.rows) != line.say.startswith(ABOUT_THE_SCREEN), line.say
            assert {row(id).edition for id in line.rows} <= {edition}
            assert line.say.endswith((".", "?"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_scene_plays_as_it_is_written(edition: str) -> None:
    for name in topic_ids():
        for part in parts_in(name, edition):
            if part.scene is None:
                continue
            assert part.scene.problems == ()
            written = next(one.scene for one in topic(name).parts if one.heading == part.heading)
            assert written is not None
            for frame, told in zip(part.scene.frames, written.frames, strict=True):
                ended = sum(isinstance(event, ActivationEnded) for event in frame.events)
                assert bool(ended) == (told.do is not None)


def test_the_round_in_the_page_about_winning_ends_as_it_says() -> None:
    for edition in EDITIONS:
        scene = next(part.scene for part in parts_in("winning", edition) if part.scene is not None)
        held = [marker.holder for marker in scene.frames[-1].state.markers]
        assert held == [0, -1]


def test_the_page_about_morale_shows_a_unit_that_breaks() -> None:
    for edition in EDITIONS:
        scene = next(part.scene for part in parts_in("morale", edition) if part.scene is not None)
        broke = any(isinstance(event, Broke) for event in scene.frames[-1].events)
        assert broke or edition == "skirmish-3.2"


def test_the_page_about_magic_shows_a_spell_that_works_in_every_edition() -> None:
    for edition in EDITIONS:
        scene = next(part.scene for part in parts_in("magic", edition) if part.scene is not None)
        cast = [
            [event.worked for event in frame.events if isinstance(event, SpellCast)] for frame in scene.frames
        ]
        has_tokens = any(model.tokens for unit in scene.frames[0].state.units for model in unit.models)
        assert cast == [[], [True], [not has_tokens]]


def test_the_page_about_special_rules_shows_blast_and_tough() -> None:
    for edition in EDITIONS:
        scene = next(part.scene for part in parts_in("special-rules", edition) if part.scene is not None)
        before, after = scene.frames[0].state, scene.frames[-1].state
        wolves = next(unit for unit in after.units if unit.name == "Wolves")
        troll = next(unit for unit in after.units if unit.name == "Troll")
        assert len(wolves.models) < len(before.units[wolves.id].models)
        assert troll.models[0].wounds > 0


def test_a_question_finds_its_page() -> None:
    assert topics_about("how do I win")[0] == "winning"
    assert topics_about("What does cover do?")[0] == "terrain"
    assert topics_about("casting a spell")[0] == "magic"
    assert topics_about("xyzzy") == ()
    with pytest.raises(NoTopicError, match="winning"):
        topic("chess")


def test_only_scenes_can_be_played_on() -> None:
    battle = set_battle("learn/terrain/aof-2/0")
    assert battle.edition == "aof-2"
    assert battle.start.pieces
    for key in ("learn/terrain/aof-2/9", "learn/terrain/chess/0", "learn/chess/aof-2/0", "learn", "chess"):
        with pytest.raises(NoBattleError):
            set_battle(key)


def test_every_edition_is_explained_to_those_who_know_another() -> None:
    for edition in EDITIONS:
        groups = highlights(edition)
        assert sum(len(group.lines) for group in groups) >= 20
        for line in (line for group in groups for line in group.lines):
            assert line.rows
            assert "**" not in line.text
        assert known_editions(edition)
    assert changes_from("aof-2", "skirmish-3.2")
