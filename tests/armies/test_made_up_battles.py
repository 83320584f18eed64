"""Battles of random lists from generated books, in every edition: no broken invariant, and logs that verify."""

from __future__ import annotations

import pytest

from shieldwall.armies import recruit
from shieldwall.armies.book import Book
from shieldwall.armies.book_file import read_book
from shieldwall.armies.demo import demo_setup
from shieldwall.armies.overlay import as_played
from shieldwall.armies.random_lists import legal_list
from shieldwall.bots import play_game, policy
from shieldwall.bots.invariants import Judge
from shieldwall.dice import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.replay import Recorder, verify
from shieldwall.table.numbers import TableNumbers

BOOK = """
format: shieldwall-book/1
id: {id}
name: {name}
version: "3.5.1"
system: {system}
units:
  - {{id: seer, name: Seer, cost: 40, size: 1, quality: 4, defense: 4, equipment: ["Staff (A2)"],
     rules: "Hero, Tough(3), Caster(2), Marsh Aura", upgrades: [mount]}}
  - {{id: guard, name: Guard, cost: 30, size: 3, quality: 4, defense: 4, equipment: ["Spear (A1, Counter)"],
     rules: "Undying, Ford"}}
  - {{id: bows, name: Bows, cost: 30, size: 3, quality: 5, defense: 5, equipment: ['Bow (24", A1, Keen)', "Knife (A1)"],
     rules: "Scout"}}
packages:
  - id: mount
    sections:
      - {{label: Upgrade with, options: [{{gains: [{{item: Great Stag, with: "Horns (A3), Impact(2), Fast, Tough(3)",
         bases: {{round: "60", square: "50"}}}}], cost: 30}}]}}
spells:
  - {{name: Marsh Light, cost: 1, text: 'Choose an enemy unit within 18", and it suffers {hits} hits.'}}
rules:
  Ford: "When charging, this model gets AP(+1)."
  Keen: {{text: "This weapon's hits from natural 6s to hit get AP(+2).", of: weapon}}
  Undying: "Units where all their models have this rule ignore wounds on a 6+."
  Marsh Aura: "This model and its unit get Ford."
"""


def made_up(name: str, system: str, hits: int) -> Book:
    return read_book(BOOK.format(id=name.lower(), name=name, system=system, hits=hits).encode())


@pytest.mark.parametrize("edition", EDITIONS)
def test_lists_of_generated_books_play_without_breaking_invariants(edition: str) -> None:
    """With mounted heroes in units on foot, a spell name that both books use, and ignored wounds."""
    rules, system = ruleset(edition), "aofs" if edition.startswith("skirmish") else "aof"
    sources = [as_played(made_up(name, system, hits), edition) for name, hits in (("Reeds", 2), ("Moor", 4))]
    lists = [
        recruit(legal_list(source, edition, TableNumbers(seed), points=250), (source,))
        for seed, source in enumerate(sources)
    ]
    state = demo_setup(edition, 3, lists=lists)
    judge, dice = Judge(rules), SeededDice.from_seed(3)
    recorder = Recorder(rules, state, ["solo", "solo"], dice.commitment)
    bots = [policy("solo", 3), policy("solo", 4)]
    played = play_game(rules, state, bots, dice, seed=3, watchers=[judge, recorder], trusting=False)
    assert played.forfeit == ""
    assert judge.problems == []
    assert {spell.name for spell in state.spells} == {"Marsh Light (Reeds)", "Marsh Light (Moor)"}
    assert verify(recorder.log()).ok
