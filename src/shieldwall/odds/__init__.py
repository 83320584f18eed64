"""Exact odds of a line of play, computed by the engine's own steps. No rule is implemented again here.

The package itself can be called: `shieldwall.odds("10x Q4 A1 AP(1)", "10x D4")` (see `matchup.odds`).

From the board, for pages and bots::

    odds.preview(rules, state, unit, "charge", target=7)              # a Preview: a few floats for each unit touched
    odds.preview(rules, state, unit, "advance", at=poses, target=7)   # shooting from where the unit would stand
    odds.of_shooting(rules, state, unit, "hold", aims=aims)           # whole Odds of one declaration
    odds.of_charge(rules, state, unit, target)                        # from the way into contact to the tests of nerve

    odds.attack_wounds(rules, state, attack)                          # wounds of one volley, thousands a second
    odds.cast_chance(rules, state, cast)                              # a spell's chance to work, and at worst
    odds.cast_preview(rules, state, cast)                             # what it may do to those it is cast on

`state` may be any state of a game; what it waits for does not matter. Previews ask for dice only: they end with the
tests of nerve, before units part, and remember what they were asked. `briefly(odds, unit)` makes a Preview of any Odds.

A whole line of play, with every move and choice, from a state that waits for something::

    found = odds.of_line(rules, state, [Pick("u3"), Pick("charge"), Pick("u7")])   # then each question's default
    found = odds.of_line(rules, state, {"strike_back": Pick("no")})                # answers by kind of question
    found = odds.of_line(rules, state, lambda state, decision: ...)                # a policy; None: the default
    found.unit(7).lost.mean, found.unit(7).lost.at_least(5), found.unit(7).routed  # exact fractions
    found.amount(lambda branch: ...), found.chance(lambda branch: ...)             # anything an end can be asked
    found.exact, found.error(chance)                                               # listed, or played so many times

As data, and for finished games::

    report(found, "title")           # everything as plain structs, exact fractions beside floats
    duel(rules, "10x Q4 A1 AP(1)", "10x D4 A1").odds()
    luck(events)                     # rolled against expected for each seat and purpose, from the events of a log

Weights are exact and add up to one. Beyond a budget (`Budget`) the line is played many times instead, with numbers that
have nothing to do with any game's dice, and the answer says so.
"""

import sys
from types import ModuleType
from typing import Any

from shieldwall.odds.api import Budget, of_line
from shieldwall.odds.attacks import attack_wounds
from shieldwall.odds.casting import CastChance, cast_chance, cast_preview, cast_throw
from shieldwall.odds.duel import Duel, Terms, duel
from shieldwall.odds.luck import Luck, LuckRow, luck
from shieldwall.odds.matchup import AttackOdds, odds
from shieldwall.odds.memory import forget
from shieldwall.odds.playbook import Playbook, PlaybookError
from shieldwall.odds.preview import AttackPreview, Brief, briefly, of_charge, of_shooting, preview
from shieldwall.odds.report import OddsReport, report
from shieldwall.odds.result import Amount, Branch, Distribution, Odds, UnitOdds

__all__ = [
    "Amount",
    "AttackOdds",
    "AttackPreview",
    "Branch",
    "Brief",
    "Budget",
    "CastChance",
    "Distribution",
    "Duel",
    "Luck",
    "LuckRow",
    "Odds",
    "OddsReport",
    "Playbook",
    "PlaybookError",
    "Terms",
    "UnitOdds",
    "attack_wounds",
    "briefly",
    "cast_chance",
    "cast_preview",
    "cast_throw",
    "duel",
    "forget",
    "luck",
    "odds",
    "of_charge",
    "of_line",
    "of_shooting",
    "preview",
    "report",
]


class _CallableModule(ModuleType):
    """`import shieldwall as sw; sw.odds(...)` reads best, and `sw.odds` is this package."""

    def __call__(self, *args: Any, **terms: Any) -> AttackOdds:
        return odds(*args, **terms)


sys.modules[__name__].__class__ = _CallableModule
