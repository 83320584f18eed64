"""An edition for players who know another one: what is special about it, and rule by rule what changes."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from msgspec import Struct

from shieldwall.editions import EDITIONS
from shieldwall.rulebook.catalogue import Row, book

_BULLET = re.compile(r"^- \*\*(?P<name>[^*]+)\*\*: (?P<text>.*)$")
_ROWS = re.compile(r"\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+-\d+\b")
# Cosmetic differences between rows say nothing to a player.
_SAME = re.compile(r"^(same|identical|absent\.?$)", re.IGNORECASE)


class EditionDifference(Struct, frozen=True):
    """One difference, with its rows."""

    text: str
    rows: tuple[str, ...]


class DifferenceGroup(Struct, frozen=True):
    """The differences about one subject."""

    heading: str
    lines: tuple[EditionDifference, ...]


@cache
def highlights(edition: str) -> tuple[DifferenceGroup, ...]:
    """What is special about an edition, from its DIFFERENCES.md."""
    text = (resources.files(_package(edition)) / "DIFFERENCES.md").read_text(encoding="utf-8")
    groups: list[DifferenceGroup] = []
    heading, bullets = "", list[str]()
    for line in [*text.splitlines(), "## "]:
        if line.startswith("## "):
            if bullets:
                groups.append(DifferenceGroup(heading, tuple(_difference(one) for one in bullets)))
            heading, bullets = line[3:].strip(), []
        elif line.startswith("- "):
            bullets.append(line)
        elif bullets and line.startswith("  "):
            bullets[-1] += f" {line.strip()}"
    return tuple(groups)


def _package(edition: str) -> str:
    return f"shieldwall.editions.{edition.replace('-', '_').replace('.', '_')}"


def _difference(bullet: str) -> EditionDifference:
    found = _BULLET.match(bullet)
    text = found["text"] if found else bullet[2:]
    rows = tuple(dict.fromkeys(_ROWS.findall(text)))
    plain = re.sub(r"[\s,]*\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+-\d+\b", "", text).strip(" ,/")
    name = found["name"].replace("_", " ") if found else ""
    return EditionDifference(f"{name.capitalize()}: {plain}" if name else plain, rows)


@cache
def changes_from(edition: str, known: str) -> tuple[DifferenceGroup, ...]:
    """Rules of an edition that differ from one the player knows, by chapter."""
    title = book(known).title
    told = [(one, f"{one.rule} In {title}: {how}") for one, how in _differing(edition, known)]
    if not told:  # only the other book says what is different
        told = [(one, f"{how} In {title}: {one.rule}") for one, how in _differing(known, edition)]
    chapters: dict[str, list[EditionDifference]] = {}
    for one, words in told:
        chapter = one.section.split(" / ")[0].split(":")[0]
        chapters.setdefault(chapter, []).append(EditionDifference(words, (one.id,)))
    return tuple(DifferenceGroup(chapter, tuple(lines)) for chapter, lines in chapters.items())


def _differing(edition: str, other: str) -> list[tuple[Row, str]]:
    """Rows of an edition with what another one does instead."""
    found = ((one, one.differs.get(other, "")) for one in book(edition).rows)
    return [(one, how) for one, how in found if how and not _SAME.match(how)]


def known_editions(edition: str) -> tuple[str, ...]:
    """The editions that an edition is compared with, rule by rule."""
    return tuple(other for other in EDITIONS if other != edition and changes_from(edition, other))
