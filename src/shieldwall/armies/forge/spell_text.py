"""Spells of army books: their printed effect counts.

The machine-readable parameters of a spell lag behind its printed numbers (a spell that says six hits may
have a three), so they are ignored. A text that is not understood stays text.
"""

from __future__ import annotations

from shieldwall.armies.book import BookSpell
from shieldwall.armies.forge.report import ImportReport
from shieldwall.armies.forge.wire import Raw, name_of, text_of, whole
from shieldwall.armies.spells import spec_of_text


def spell_of(raw: Raw, report: ImportReport) -> BookSpell:
    """A spell of a book; the report names those whose text was not understood."""
    name = name_of(raw.get("name"), "Spell")
    cost = max(1, min(6, whole(raw.get("threshold"), 1)))
    text = text_of(raw.get("effect"))
    spec = spec_of_text(name, cost, text)
    if spec is None:
        report.add("kept as text", f"spell {name}: its effect is kept as text, not enforced")
    return BookSpell(name, cost, text, spec)
