"""The time of exact odds, first and repeated, compared with icepool on the same question in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import icepool
from msgspec.structs import replace

from bench.rows import Row
from shieldwall import odds
from shieldwall.core.answers import Pick
from shieldwall.core.engine import begin
from shieldwall.core.frames import Attack
from shieldwall.core.state import State
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.odds import of_line
from shieldwall.odds.attacks import attack_wounds
from shieldwall.odds.duel import Duel, duel
from shieldwall.rules.start import resume

FIRST, CHARGES, AGAIN = 40, 10, 20_000
APART = 5000  # thousandths of an inch between the fronts of units before a charge
SHOTS = ('20x Q4 24" A1 AP(1) Relentless', "20x D4 Regeneration")
CHARGE = ("10x Q4 A1 AP(1)", "10x D4 Q4 A1")


def run() -> list[Row]:
    """Attacks, charges and previews; `first` clears all caches before each question."""
    volley = duel(ruleset("regiments-3.5"), *SHOTS)
    rules, state = volley.question()
    state = begin(rules, state).state
    rows = [
        measured(
            "20 attacks, extra hits, AP, regeneration: wounds, first",
            FIRST,
            lambda: attack_wounds(rules, state),
            True,
        ),
        measured("the same by icepool", FIRST, by_icepool),
        measured("the same again", AGAIN, lambda: attack_wounds(rules, state)),
        measured("with losses and nerve of 20 models: first", FIRST, lambda: of_line(rules, state), True),
        measured("the same again", AGAIN, lambda: of_line(rules, state)),
    ]
    for edition in EDITIONS:
        fight = duel(ruleset(edition), *CHARGE)
        rows += [
            measured(f"{edition}: charge, 10 v 10, answer, nerve: first", FIRST, fight.odds, True),
            measured(f"{edition}: the same again", AGAIN, fight.odds),
        ]
    return [*rows, *_from_the_board(), _dragged(), _attack()]


def _from_the_board() -> list[Row]:
    """Whole charges by the engine on the table, from the path into contact to consolidation, and previews.

    A first question is asked about a fresh copy of the state, for which nothing has been measured yet.
    """
    rows = [row for edition in EDITIONS for row in _whole_charge(edition)]
    rules = ruleset("regiments-3.5")
    shooting = duel(rules, *SHOTS).state
    return [
        *rows,
        measured(
            "preview of a shot: first",
            FIRST,
            lambda: odds.preview(rules, replace(shooting), 0, "hold", target=1),
            True,
        ),
        measured("the same again", AGAIN // 10, lambda: odds.preview(rules, shooting, 0, "hold", target=1)),
    ]


def _whole_charge(edition: str) -> list[Row]:
    rules = ruleset(edition)
    apart = _apart(duel(rules, CHARGE[0], CHARGE[1]))
    state = begin(rules, resume(apart, 1, 0)).state
    line = (Pick("charge"), Pick("u1"))
    return [
        measured(
            f"{edition}: a whole charge on the table, 10 v 10: first",
            CHARGES,
            lambda: odds.of_line(rules, replace(state), line),
            True,
        ),
        measured(f"{edition}: the same again", AGAIN, lambda: odds.of_line(rules, state, line)),
        measured(
            f"{edition}: preview of that charge: first",
            CHARGES,
            lambda: odds.preview(rules, replace(apart), 0, "charge", target=1),
            True,
        ),
    ]


def _dragged() -> Row:
    """A shot previewed from one new place after another, as when a unit is dragged; dice are cached."""
    rules = ruleset("regiments-3.5")
    state = duel(rules, *SHOTS).state
    stood = state.units[0].block
    assert stood is not None
    places = iter([replace(stood, x=stood.x + step) for step in range(-FIRST, FIRST + 1)])

    def ask() -> object:
        return odds.preview(rules, state, 0, "advance", at=(next(places),), target=1)

    ask()  # loads the kernels, which is not part of dragging
    return measured("preview of a dragged shot: each at a new place", FIRST, ask)


def _attack() -> Row:
    """The wounds of a hypothetical volley, as bots use them; cached by what its dice depend on."""
    rules, state = duel(ruleset("regiments-3.5"), *SHOTS).question()
    attack = begin(rules, state).state.stack[-1]
    assert isinstance(attack, Attack)
    return measured(
        "wounds of a volley thought up: again", AGAIN, lambda: attack_wounds(rules, state, attack)
    )


def _apart(fight: Duel) -> State:
    """The units of a duel some inches apart."""
    first, second = fight.state.units
    block = None if second.block is None else replace(second.block, y=second.block.y + APART)
    poses = tuple(replace(pose, y=pose.y + APART) for pose in second.poses)
    return replace(fight.state, units=(first, replace(second, block=block, poses=poses)))


def by_icepool() -> dict[int, Fraction]:
    """Twenty attacks that hit on 4, 6s hit twice, blocked on 5, ignored on 5."""
    hit = icepool.coin(Fraction(4, 6) * Fraction(4, 6))
    die = icepool.d6.map(lambda face: icepool.Die([0]) if face < 4 else hit if face < 6 else 2 @ hit)
    found = 20 @ die
    return {int(outcome): Fraction(quantity, found.denominator()) for outcome, quantity in found.items()}


def measured(name: str, count: int, ask: Callable[[], object], forgetting: bool = False) -> Row:
    """Ask a question many times; only the asking is timed."""
    ask()
    seconds = 0.0
    if forgetting:
        for _ in range(count):
            odds.forget()
            began = time.process_time()
            ask()
            seconds += time.process_time() - began
        return Row(name, count, seconds)
    began = time.process_time()
    for _ in range(count):
        ask()
    return Row(name, count, time.process_time() - began)
