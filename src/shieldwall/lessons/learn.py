"""Pages that explain the game in plain words, sentence by sentence with the rules behind them, for each edition.

A sentence is shown in the editions that have a row for it: rows are named one by one, or by the key under which every
edition cites its own.
"""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.lessons.files import converted_file, data_files, read_yaml, text_of
from shieldwall.lessons.scenes import PlayedScene, SceneFile, played_scene
from shieldwall.rulebook import UnknownRowError, row

# Words of a question that say nothing about its subject.
EMPTY_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "can",
        "do",
        "does",
        "for",
        "get",
        "have",
        "how",
        "i",
        "in",
        "is",
        "it",
        "may",
        "me",
        "must",
        "my",
        "of",
        "on",
        "or",
        "the",
        "to",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "with",
        "you",
        "your",
    ]
)


class NoTopicError(ShieldwallError):
    """There is no such page."""


class LineFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence with its rows: by id, or by citation keys. `only` names the editions it is true of.

    A sentence about the screen, not about the rules, has no rows.
    """

    say: str
    rows: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


class PartFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A heading with its sentences, and a table to look at."""

    heading: str
    lines: tuple[LineFile, ...]
    scene: SceneFile | None = None


class TopicFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A page as written. `find` are words by which a search finds it."""

    topic: str
    order: int
    summary: str
    find: tuple[str, ...]
    parts: tuple[PartFile, ...]


class TopicLine(Struct, frozen=True):
    """A sentence as it is shown in an edition."""

    say: str
    rows: tuple[str, ...]


class TopicPart(Struct, frozen=True):
    """A part of a page in an edition."""

    heading: str
    lines: tuple[TopicLine, ...]
    scene: PlayedScene | None


def topic_ids() -> tuple[str, ...]:
    """All pages, in reading order."""
    return tuple(sorted(data_files("learn"), key=lambda name: topic(name).order))


@cache
def topic(name: str) -> TopicFile:
    """A page by its id."""
    if name not in data_files("learn"):
        raise NoTopicError(f"there is no page {name!r}; there are: {', '.join(data_files('learn'))}")
    return converted_file(read_yaml(text_of("learn", name), name), TopicFile, name)


@cache
def parts_in(name: str, edition: str) -> tuple[TopicPart, ...]:
    """A page as shown in an edition; parts without a sentence there are left out."""
    parts = []
    for number, part in enumerate(topic(name).parts):
        lines = tuple(
            line for line in (_line_in(one, edition, name) for one in part.lines) if line is not None
        )
        if not lines:
            continue
        label = f"{name} {number}"
        scene = played_scene(part.scene, edition, label) if part.scene is not None else None
        parts.append(TopicPart(part.heading, lines, scene))
    return tuple(parts)


def _line_in(line: LineFile, edition: str, name: str) -> TopicLine | None:
    """A sentence with its rows in an edition; None if it is not true there."""
    unknown = set(line.only) - set(EDITIONS)
    if unknown:
        raise MalformedError(name, [f"there is no edition {', '.join(sorted(unknown))}"])
    if line.only and edition not in line.only:
        return None
    cites = ruleset(edition).cites
    named = [id for id in line.rows if _edition_of(id, name) == edition]
    found = dict.fromkeys([*(cites[key] for key in line.cites if key in cites), *named])
    is_about_the_rules = bool(line.rows or line.cites)
    return TopicLine(line.say, tuple(found)) if found or not is_about_the_rules else None


def _edition_of(id: str, name: str) -> str:
    try:
        return row(id).edition
    except UnknownRowError as error:
        raise MalformedError(name, [str(error)]) from error


# --- finding a page ---


def topics_about(words: str) -> tuple[str, ...]:
    """Pages about a question, best first: "how do I win" finds the one about winning."""
    asked = {word for word in re.findall(r"[a-z]+", words.lower()) if word not in EMPTY_WORDS}
    scored = [(_score(topic(name), asked), name) for name in topic_ids()]
    best = max((score for score, _ in scored), default=0)
    return tuple(
        name for score, name in sorted(scored, key=lambda pair: -pair[0]) if score and score >= best / 2
    )


def _score(page: TopicFile, asked: set[str]) -> int:
    title = set(re.findall(r"[a-z]+", page.topic.lower())) - EMPTY_WORDS
    return sum(3 if word in title else 2 if word in page.find else 0 for word in asked)
