"""What the pages that teach ask for and get: guided battles step by step."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shieldwall.lessons.lesson import CoachStep, Lesson, PointAt
from shieldwall.server.pages import Body, Nonce


class SetBattleOrder(Body, frozen=True):
    """A set battle to begin, by its key."""

    battle: Annotated[str, Meta(max_length=120)]
    nonce: Nonce


class LessonCard(Struct, frozen=True):
    """A guided battle to choose. `battle` is what begins it."""

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
    """A lesson with its steps, names turned into numbers."""
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
