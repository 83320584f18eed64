"""Rules that a book explains in the latest words of the rulebook mean those words in every edition."""

from __future__ import annotations

import hashlib
import re

import pytest

from shieldwall.rules.reading import rulebook_texts
from shieldwall.scenario.runner import run_text

WORDS = "These are the latest words of {game} about {name}."


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of ours that stand for the latest text of a rule."""
    for name, game in (
        ("Fear", "aofs"),
        ("Impact", ""),
        ("Fearless", ""),
        ("Blast", "aof"),
        ("Regeneration", ""),
    ):
        words = " ".join(re.findall(r"[a-z0-9+-]+", WORDS.format(name=name, game=game or "any").lower()))
        digest = hashlib.sha256(words.encode()).hexdigest()[:16]
        monkeypatch.setitem(rulebook_texts._DIGESTS, digest, (name, game))


FEAR = """
scenario: Fear that is about melee alone
edition: skirmish-3.2
army_rules: {Fear: "These are the latest words of aofs about Fear."}
units:
  Axe: {side: A, stats: Q4+ D4+, rules: Fear(2), equipment: 'Axe (A1), Bow (24", A1)', at: [24, 10]}
  Wolf: {side: B, stats: Q4+ D4+, at: [24, 16]}
  Dog: {side: B, at: [40, 40]}
dice: {to_hit: [4], block: [1], wound_effect: [3]}
cases:
- case: shots
  dice: {push: [1]}
  play: [{activate: Axe, action: hold, shoot: Wolf}]
  expect: {units: {Wolf: {alive: true, stunned: true}}}
- case: blows
  play: [{activate: Axe, charge: Wolf}]
  expect: {units: {Wolf: {alive: false}}}
- case: the shots of the rulebook's own Fear
  army_rules: null
  play: [{activate: Axe, action: hold, shoot: Wolf}]
  expect: {units: {Wolf: {alive: false}}}
"""
IMPACT = """
scenario: Impact with dice
edition: EDITION
army_rules: {Impact: "These are the latest words of any about Impact."}
units:
  Axe: {side: A, rules: Impact(3), stats: Q4+ D4+, equipment: 'Axe (A1)', at: [36, 10]}
  Ghost: {side: B, rules: Tough(6), stats: Q4+ D4+, at: [36, 16]}
  Dog: {side: B, at: [60, 40]}
play: [{activate: Axe, charge: Ghost}]
cases:
- case: its own words
  dice: {to_hit: BLOWS, impact: [2, 1, 6], BLOCK}
  expect: {hits: 2}
- case: the edition's own
  army_rules: null
  dice: {to_hit: BLOWS, BLOCKS}
  expect: {hits: 3, no_rolls: [impact]}
"""
FEARLESS = """
scenario: Fearless with a second die
edition: EDITION
army_rules: {Fearless: "These are the latest words of any about Fearless."}
units:
  Bow: {side: A, stats: Q4+ D4+, equipment: 'Bow (24", A1)', at: [36, 10]}
  Ghosts: {side: B, models: 2, rules: Fearless, stats: Q4+ D4+, at: [[36, 16], [37.4, 16]]}
play: [{activate: Bow, action: hold, shoot: Ghosts}]
cases:
- case: its own words
  dice: {to_hit: [4], WOUND, morale: [3], fearless: [4]}
  expect: {units: {Ghosts: {wavering: false}}}
- case: its own words, failed
  dice: {to_hit: [4], WOUND, morale: [3], fearless: [3]}
  expect: {units: {Ghosts: {wavering: true}}}
- case: the edition's own
  army_rules: null
  dice: {to_hit: [4], WOUND, morale: [3]}
  expect: {units: {Ghosts: {wavering: false}}}
"""
BLAST = """
scenario: Blast up to the number of models
edition: EDITION
army_rules: {Blast: "These are the latest words of aof about Blast."}
units:
  Bow: {side: A, stats: Q4+ D4+, equipment: 'Bow (24", A2, Blast(3))', at: [36, 10]}
  Ghosts: {side: B, models: 2, rules: Tough(6), stats: Q4+ D4+, at: [[36, 16], [37.4, 16]]}
dice: {to_hit: [4, 4], BLOCKS}
play: [{activate: Bow, action: hold, shoot: Ghosts}]
expect: {hits: 4}
"""
REGENERATION = """
scenario: Regeneration of a whole unit
edition: EDITION
army_rules: {Regeneration: "These are the latest words of any about Regeneration."}
units:
  Bow: {side: A, stats: Q4+ D4+, equipment: 'Bow (24", A1)', at: [36, 10]}
  Ghosts: {side: B, models: 2, rules: Regeneration, hero: {name: Uwe, rules: Hero}, stats: Q4+ D4+, PLACE}
play: [{activate: Bow, action: hold, shoot: Ghosts}]
cases:
- case: its own words, not all models
  dice: {to_hit: [4], block: [1]}
  expect: {units: {Ghosts: {models: 2}}, no_rolls: [regeneration]}
- case: its own words, all models
  units: {Ghosts: {hero: {name: Uwe, rules: 'Hero, Regeneration'}}}
  dice: {to_hit: [4], block: [1], regeneration: [5]}
  expect: {units: {Ghosts: {models: 3}}}
- case: the edition's own
  army_rules: null
  dice: {to_hit: [4], block: [1], regeneration: [5]}
  expect: {units: {Ghosts: {models: 3}}}
"""


def holds(text: str) -> None:
    report = run_text(text)
    assert not report.faults, report.faults
    for one in report.results:
        assert one.holds, f"{one.title}: {one.differences}"


@pytest.mark.usefixtures("known")
def test_fear_of_blows() -> None:
    holds(FEAR)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("edition", "blows", "two", "three"),
    [
        ("aof-2", "[1]", "block: [4, 4]", "block: [4, 4, 4]"),
        ("aof-1.6", "[1, 1]", "to_wound: [1, 1]", "to_wound: [1, 1, 1]"),
    ],
)
def test_impact(edition: str, blows: str, two: str, three: str) -> None:
    text = IMPACT.replace("EDITION", edition).replace("BLOWS", blows)
    holds(text.replace("BLOCKS", three).replace("BLOCK", two))


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(("edition", "wound"), [("aof-2", "block: [1]"), ("aof-1.6", "to_wound: [6]")])
def test_fearless(edition: str, wound: str) -> None:
    holds(FEARLESS.replace("EDITION", edition).replace("WOUND", wound))


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("edition", "blocks"), [("aof-2", "block: [4, 4, 4, 4]"), ("aof-1.6", "to_wound: [1, 1, 1, 1]")]
)
def test_blast(edition: str, blocks: str) -> None:
    holds(BLAST.replace("EDITION", edition).replace("BLOCKS", blocks))


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("edition", "place"),
    [
        ("aof-2", "at: [[36, 16], [37.4, 16], [38.8, 16]]"),
        ("regiments-3.4", "base: '1x1\"', at: [36, 16, 180]"),
    ],
)
def test_regeneration(edition: str, place: str) -> None:
    holds(REGENERATION.replace("EDITION", edition).replace("PLACE", place))
