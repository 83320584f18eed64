"""Messages of the pages that teach the game: guided battles step by step, explanations, edition guides."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shieldwall.editions import EDITIONS, ruleset
from shieldwall.lessons.comparing import DifferenceGroup, changes_from, highlights, known_editions
from shieldwall.lessons.learn import TopicPart, parts_in, topic, topic_ids, topics_about
from shieldwall.lessons.lesson import CoachStep, Lesson, PointAt
from shieldwall.lessons.scenes import PlayedScene
from shieldwall.rulebook.catalogue import book
from shieldwall.server.log_lines import lines_of
from shieldwall.server.pages import Body, Nonce
from shieldwall.server.present import board_view, table_view
from shieldwall.server.storage.rows import SeatRow
from shieldwall.server.views import BoardView, LineView, TableView
from shieldwall.story import Story


class SetBattleOrder(Body, frozen=True):
    """A set battle to start, by its key."""

    battle: Annotated[str, Meta(max_length=120)]
    nonce: Nonce


class LessonCard(Struct, frozen=True):
    """A guided battle to choose. `battle` is the key that starts it."""

    id: str
    battle: str
    title: str
    summary: str
    minutes: int
    edition: str
    edition_title: str
    blocks: bool


class PointView(Struct, frozen=True):
    """What the coach points at: a unit, a marker or a piece by its number, or a part of the screen."""

    unit: int = -1
    marker: int = -1
    piece: int = -1
    panel: str = ""


class CoachView(Struct, frozen=True):
    """One thing the coach says. It ends with `next` (a click), `select` or `aim` (a unit), or `task` (an answer)."""

    say: str
    until: Literal["next", "select", "aim", "task"]
    point: PointView
    unit: int = -1
    rows: tuple[str, ...] = ()


class LessonView(Struct, frozen=True):
    """A guided battle with everything the coach says."""

    card: LessonCard
    steps: tuple[CoachView, ...]
    ending: str


def lesson_card(found: Lesson) -> LessonCard:
    """A lesson as a card."""
    return LessonCard(
        id=found.id,
        battle=f"lesson/{found.id}",
        title=found.file.lesson,
        summary=found.file.summary,
        minutes=found.file.minutes,
        edition=found.edition,
        edition_title=found.rules.title,
        blocks=found.rules.policies.uses_blocks(),
    )


def lesson_view(found: Lesson) -> LessonView:
    """A lesson with its steps; names are turned into numbers."""
    return LessonView(
        lesson_card(found), tuple(_coach_view(found, step) for step in found.file.steps), found.file.ending
    )


def _coach_view(found: Lesson, step: CoachStep) -> CoachView:
    named = step.select or step.aim
    until: Literal["next", "select", "aim", "task"] = (
        "task" if step.do else "select" if step.select else "aim" if step.aim else "next"
    )
    unit = found.roster.unit(named) if named else -1
    return CoachView(step.say, until, _point_view(found, step.point or PointAt()), unit, step.rows)


def _point_view(found: Lesson, point: PointAt) -> PointView:
    return PointView(
        found.roster.unit(point.unit) if point.unit else -1,
        found.roster.marker(point.marker) if point.marker else -1,
        found.roster.piece(point.piece) if point.piece else -1,
        point.panel or "",
    )


# --- pages that explain the game ---


class TopicCard(Struct, frozen=True):
    """A page to read."""

    id: str
    title: str
    summary: str


class LearnLine(Struct, frozen=True):
    """A sentence with the rules behind it."""

    say: str
    rows: tuple[str, ...]


class FrameView(Struct, frozen=True):
    """One frame of a scene: its caption, the table at that moment, and what happened since the previous frame."""

    say: str
    board: BoardView
    lines: tuple[LineView, ...]


class SceneView(Struct, frozen=True):
    """A small table with its frames; `battle` is the key that starts a battle from the first of them."""

    caption: str
    table: TableView
    frames: tuple[FrameView, ...]
    battle: str


class LearnPart(Struct, frozen=True):
    """A part of a page."""

    heading: str
    lines: tuple[LearnLine, ...]
    scene: SceneView | None = None


class TopicView(Struct, frozen=True):
    """A page as shown in an edition."""

    card: TopicCard
    edition: str
    edition_title: str
    parts: tuple[LearnPart, ...]
    before: TopicCard | None = None
    after: TopicCard | None = None


class GuideLine(Struct, frozen=True):
    """One difference, with its rules."""

    text: str
    rows: tuple[str, ...]


class GuideGroup(Struct, frozen=True):
    """The differences about one subject."""

    heading: str
    lines: tuple[GuideLine, ...]


class EditionChoice(Struct, frozen=True):
    """An edition by its id and its title."""

    id: str
    title: str


class EditionGuide(Struct, frozen=True):
    """An edition for players who know another one: what is special about it, and rule by rule what changes."""

    edition: EditionChoice
    known: str
    others: tuple[EditionChoice, ...]
    own: tuple[GuideGroup, ...]
    changes: tuple[GuideGroup, ...]


def topic_cards(words: str) -> list[TopicCard]:
    """All pages, or those about the given words."""
    return [topic_card(name) for name in (topics_about(words) if words.strip() else topic_ids())]


def topic_card(name: str) -> TopicCard:
    """A page as a card."""
    found = topic(name)
    return TopicCard(name, found.topic, found.summary)


def topic_view(name: str, edition: str) -> TopicView:
    """A page in an edition."""
    card, names = topic_card(name), topic_ids()
    at = names.index(name)
    return TopicView(
        card=card,
        edition=edition,
        edition_title=ruleset(edition).title,
        parts=_part_views(name, edition, parts_in(name, edition)),
        before=topic_card(names[at - 1]) if at else None,
        after=topic_card(names[at + 1]) if at + 1 < len(names) else None,
    )


def _part_views(name: str, edition: str, parts: tuple[TopicPart, ...]) -> tuple[LearnPart, ...]:
    views, scenes = [], 0
    for part in parts:
        scene = None
        if part.scene is not None:
            scene = _scene_view(part.scene, f"learn/{name}/{edition}/{scenes}")
            scenes += 1
        lines = tuple(LearnLine(line.say, line.rows) for line in part.lines)
        views.append(LearnPart(part.heading, lines, scene))
    return tuple(views)


def _scene_view(scene: PlayedScene, battle: str) -> SceneView:
    rules, start = scene.stage.built.ruleset, scene.stage.start
    seats = [
        SeatRow("", number, "person", seat.name, army_name=seat.name)
        for number, seat in enumerate(start.seats)
    ]
    story, before, frames = Story(start, dice=False, owners=False), start, []
    for frame in scene.frames:
        lines = lines_of(story, before, frame.events)
        frames.append(FrameView(frame.say, board_view(rules, frame.state), lines))
        before = frame.state
    return SceneView(scene.caption, table_view(rules, start, seats), tuple(frames), battle)


def edition_guide(edition: str, known: str) -> EditionGuide:
    """An edition for players who know another one."""
    others = known_editions(edition)
    return EditionGuide(
        edition=_choice(edition),
        known=known if known in others else "",
        others=tuple(_choice(other) for other in EDITIONS if other in others),
        own=_groups(highlights(edition)),
        changes=_groups(changes_from(edition, known)) if known in others else (),
    )


def _choice(edition: str) -> EditionChoice:
    return EditionChoice(edition, book(edition).title)


def _groups(groups: tuple[DifferenceGroup, ...]) -> tuple[GuideGroup, ...]:
    return tuple(
        GuideGroup(group.heading, tuple(GuideLine(line.text, line.rows) for line in group.lines))
        for group in groups
    )
