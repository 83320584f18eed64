"""Battles of armies whose units come and go by rules: the laws hold, logs replay, and every question is shown."""

from __future__ import annotations

from collections import Counter

import pytest

from shieldwall.armies.book import Book
from shieldwall.armies.book_file import read_book
from shieldwall.armies.demo import demo_setup
from shieldwall.armies.lists import ArmyList, BookRef, Entry
from shieldwall.armies.muster import MusteredArmy
from shieldwall.armies.recruit import recruit
from shieldwall.bots import play_game, policy
from shieldwall.bots.invariants import Judge
from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.engine import Progress, pending_of
from shieldwall.core.forms import Wish
from shieldwall.core.pending import Decision, Pending
from shieldwall.core.state import Pose, State
from shieldwall.dice import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.replay import Recorder, verify
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.forms import question_for
from shieldwall.server.messages import Preview
from shieldwall.server.present import board_view
from shieldwall.server.previews import previewed

BOOK = """
format: shieldwall-book/1
id: packs
name: Packs
version: "1"
system: aof-2
units:
  - {id: mother, name: Mother, cost: 90, size: 1, quality: 4, defense: 4, equipment: ["Claw (A2)"],
     rules: "Hero, Tough(3), Howl(Pups [3])"}
  - {id: pups, name: Pups, cost: 60, size: 5, quality: 5, defense: 6, equipment: ["Teeth (A1)"]}
  - {id: blobs, name: Blobs, cost: 80, size: 3, quality: 5, defense: 6, equipment: ["Slime (A1)"],
     rules: "Burst(Bits [4])"}
  - {id: bits, name: Bits, cost: 50, size: 4, quality: 6, defense: 6, equipment: ["Slime (A1)"],
     rules: "Burst(Pups [5])"}
  - {id: rats, name: Rats, cost: 70, size: 2, quality: 6, defense: 6, equipment: ["Teeth (A1)"], rules: Horde}
  - {id: eels, name: Eels, cost: 70, size: 3, quality: 5, defense: 5, equipment: ["Teeth (A1)"], rules: Dive}
  - {id: guns, name: Guns, cost: 90, size: 5, quality: 3, defense: 5,
     equipment: ['Gun (30", A4, AP(2))', "Claw (A2)"], rules: Fast}
rules:
  Howl: 'Once per game, when activated, this model may bring on a new unit of X within 6".'
  Burst: 'When this unit is destroyed, a new unit of X may be placed within 6" of where it stood.'
  Horde: 'When this unit is shaken or destroyed, you may remove it, and a new copy arrives within 12" of a table edge
    in the next round.'
  Dive: 'Once per game, it may leave the table when its activation ends and return by Ambush in the next round.'
"""
UNITS = ("mother", "blobs", "blobs", "rats", "rats", "eels", "guns")


def packs(edition: str) -> MusteredArmy:
    book: Book = read_book(BOOK.encode())
    entries = tuple(Entry(f"u{number}", unit) for number, unit in enumerate(UNITS))
    return recruit(ArmyList("Packs", edition, 500, entries, (BookRef("packs", "Packs", "1"),)), (book,))


class Looks:
    """Shows every question as the page would, and counts units that come and go."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.seen: Counter[str] = Counter()
        self.told: list[State] = []

    def began(self, progress: Progress) -> None:
        board_view(self.rules, progress.state)

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        for event in progress.events:
            match event:
                case ev.CalledUp():
                    self.seen[event.rule] += 1
                case ev.UnitPlaced(how="rule" | "copy" | "arrival"):
                    self.seen[event.how] += 1
                case ev.LeftTable():
                    self.seen["left"] += 1
                case _:
                    continue
            board_view(self.rules, progress.state, before)
        if isinstance(pending, Decision) and pending.kind in ("rule_use", "rule_place"):
            self._show(before, pending)

    def _show(self, state: State, asked: Decision) -> None:
        assert question_for(self.rules, state, asked, True)
        assert not asked.check(asked.default())
        again = decode_state(encode(state))
        loaded = pending_of(self.rules, again)
        assert again == state
        assert isinstance(loaded, Decision)
        assert loaded.default() == asked.default()
        if asked.kind == "rule_place":
            dragged = Pose(20_000, 20_000, 0, 0)
            found = asked.preview(Wish(drag=dragged))
            assert found.answer is not None
            assert not asked.check(found.answer)  # where it was dragged, or the nearest legal place
            assert previewed(self.rules, state, asked, 1, Preview(1, dragged)).answer == found.answer


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("bot", ["random", "solo"])
def test_units_come_and_go_by_the_laws(edition: str, bot: str) -> None:
    rules, army = ruleset(edition), packs(edition)
    seen: Counter[str] = Counter()
    for seed in range(2):
        state = demo_setup(edition, seed, lists=[army, army])
        judge, looks, dice = Judge(rules), Looks(rules), SeededDice.from_seed(seed)
        recorder = Recorder(rules, state, [bot, bot], dice.commitment)
        bots = [policy(bot, seed), policy(bot, seed + 1)]
        watchers = [judge, looks, recorder]
        played = play_game(rules, state, bots, dice, seed=seed, watchers=watchers, trusting=False)
        assert (played.forfeit, judge.problems) == ("", [])
        assert verify(recorder.log()).ok
        seen += looks.seen
    kinds = ("left", "arrival") if bot == "random" else ("Burst(Bits [4])", "Horde", "copy")
    assert {"Howl(Pups [3])", "rule", *kinds} <= seen.keys()
