"""Rules in the words of designers: each wording means exactly what its table says, and nothing in it is passed over."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import yaml

from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.reading import Reading, read, read_spell
from shieldwall.rules.reading.describe import describe_blocks
from tests.rules.reading.alterations import unnoticed

NAMES = frozenset(name for edition in EDITIONS for name in ruleset(edition).specials.bindings)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TABLES = [
    yaml.load(path.read_bytes(), Loader=LOADER)
    for path in sorted(Path(__file__).parent.glob("designers_*.yaml"))
]
MEANINGS = [
    (kind, meaning, texts)
    for table in TABLES
    for kind in ("rules", "weapon_rules", "spells")
    for meaning, texts in table.get(kind, {}).items()
]


def understood(kind: str, text: str) -> Reading:
    if kind == "spells":
        return read_spell("Example", text, NAMES)
    return read("Example", text, NAMES, on="weapon" if kind == "weapon_rules" else "")


@pytest.mark.parametrize(("kind", "meaning", "texts"), MEANINGS)
def test_every_wording_means_what_the_table_says(kind: str, meaning: str, texts: list[str]) -> None:
    found = {text: understood(kind, text) for text in texts}
    assert {text: reading.missed for text, reading in found.items() if reading.missed} == {}
    means = {
        text: " / ".join(line.strip() for line in describe_blocks(reading.blocks))
        for text, reading in found.items()
    }
    assert means == dict.fromkeys(texts, meaning)


@pytest.mark.parametrize(("kind", "meaning", "texts"), MEANINGS)
def test_a_strange_word_or_another_number_is_noticed(kind: str, meaning: str, texts: list[str]) -> None:
    assert [other for text in texts for other in unnoticed(text, partial(understood, kind))] == []


@pytest.mark.parametrize("texts", [table["reported"] for table in TABLES if "reported" in table])
def test_what_is_left_open_is_reported_with_the_word_where_reading_stopped(texts: list[str]) -> None:
    missed = {text: read("Example", text, NAMES).missed for text in texts}
    assert [text for text, parts in missed.items() if not parts] == []
    assert all(part.start <= part.stopped <= part.end for parts in missed.values() for part in parts)
