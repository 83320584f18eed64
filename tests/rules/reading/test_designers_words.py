"""Rules in the words of designers: each wording means exactly what its table says, and nothing in it is passed over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.reading import Reading, read, read_spell
from shieldwall.rules.reading.describe import describe_blocks

NAMES = frozenset(name for edition in EDITIONS for name in ruleset(edition).specials.bindings)
TABLES = [
    yaml.safe_load(path.read_text("utf-8")) for path in sorted(Path(__file__).parent.glob("designers_*.yaml"))
]
TEXTS = [
    (kind, text, meaning)
    for table in TABLES
    for kind in ("rules", "weapon_rules", "spells")
    for meaning, texts in table.get(kind, {}).items()
    for text in texts
]


def understood(kind: str, text: str) -> Reading:
    if kind == "spells":
        return read_spell("Example", text, NAMES)
    return read("Example", text, NAMES, on="weapon" if kind == "weapon_rules" else "")


@pytest.mark.parametrize(("kind", "text", "meaning"), TEXTS)
def test_a_wording_means_what_the_table_says(kind: str, text: str, meaning: str) -> None:
    found = understood(kind, text)
    assert found.missed == ()
    assert " / ".join(line.strip() for line in describe_blocks(found.blocks)) == meaning


@pytest.mark.parametrize(("kind", "text", "meaning"), TEXTS)
def test_a_strange_word_or_another_number_is_noticed(kind: str, text: str, meaning: str) -> None:
    before = understood(kind, text)
    words = text.split(" ")
    for place in range(len(words) + 1):
        assert understood(kind, " ".join([*words[:place], "wobbly", *words[place:]])).missed, place
    for found in re.finditer(r"(?<!\d)\d", text):
        other = text[: found.start()] + str((int(found[0]) + 1) % 10) + text[found.end() :]
        after = understood(kind, other)
        assert after.missed or after.blocks != before.blocks or "instead of" in text[: found.start()], other


@pytest.mark.parametrize("text", [text for table in TABLES for text in table.get("reported", [])])
def test_what_is_left_open_is_reported_with_the_word_where_reading_stopped(text: str) -> None:
    missed = read("Example", text, NAMES).missed
    assert missed
    assert all(part.start <= part.stopped <= part.end for part in missed)
