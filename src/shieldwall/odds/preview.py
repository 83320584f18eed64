"""Odds of what a unit could do right now, from where it stands or from where it would stand.

A preview asks only for dice: it ends with the tests of nerve, before units part again and before the turn passes. The
way into a charge, range, sight, cover and facing are those of the table; steps come from the edition as ever.
"""

from __future__ import annotations

from copy import copy
from functools import lru_cache

from msgspec import Struct

from shieldwall.core import events as ev
from shieldwall.core.answers import Aim
from shieldwall.core.engine import begin, step_after
from shieldwall.core.frames import Activation, Melee, Preparation, Shoot
from shieldwall.core.state import Pose, State
from shieldwall.odds.api import Budget, of_line
from shieldwall.odds.memory import at_moment, remembered, remembered_by_signature
from shieldwall.odds.playbook import Chooser, Playbook
from shieldwall.odds.result import Odds
from shieldwall.odds.signature import shooting_signature
from shieldwall.rules.army.near import with_auras
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.targets import Targets, targets_of

# What comes after the dice of an activation: moves of units that part, and the turn passing on.
AFTER_THE_DICE = frozenset(
    ("melee.part", "act.turn", "act.effects", "act.pass", "game.wiped_out", "act.after_move")
)
LIGHT = Budget(states=2_000, samples=500)
LOW, HIGH = 0.1, 0.9


class Brief(Struct, frozen=True):
    """What to expect for one unit: wounds on average and in 8 of 10 cases, models lost, and the chances of its fate.

    `bars` are the chances of 0, 1, 2, ... models lost, `wound_bars` those of wounds.
    """

    unit: int
    wounds: float
    low: int
    high: int
    lost: float
    breaks: float
    routs: float
    stunned: float
    destroyed: float
    bars: tuple[float, ...]
    exact: bool
    error: float = 0.0
    wound_bars: tuple[float, ...] = ()


class AttackPreview(Struct, frozen=True):
    """What an action may do to others and to the unit that takes it.

    `targets` are empty if no unit can be attacked.
    """

    own: Brief
    targets: tuple[Brief, ...]
    exact: bool

    @property
    def wounds(self) -> float:
        """Wounds caused on average."""
        return sum(target.wounds for target in self.targets)


def preview(
    rules: Ruleset,
    state: State,
    unit: int,
    action: str = "hold",
    *,
    at: tuple[Pose, ...] = (),
    target: int = -1,
    aims: tuple[Aim, ...] = (),
) -> AttackPreview:
    """What a unit may do with an action: charge `target`, or shoot after a hold or an advance.

    `at` are poses the unit would move to first (one for a block, one per model for a loose unit); they are not checked.
    Without `aims` every weapon that can fires at `target`, or at what it would choose by itself.
    """
    question = ("preview", rules, unit, action, at, target, aims)

    def answer() -> AttackPreview:
        there = moved_to(rules, state, unit, at)
        if action == "charge":
            return briefly(of_charge(rules, there, unit, target), unit)
        if action not in ("hold", "advance"):
            return briefly(Odds.of_nothing(rules, there), unit)
        light, aimed = shooting_state(rules, there, unit, action, target=target, aims=aims, moved=bool(at))
        return _of_volleys(light, begin(light, aimed).state, unit)

    return remembered(state, question, answer)


def _of_volleys(light: Ruleset, shooting: State, unit: int) -> AttackPreview:
    """The preview of volleys about to be thrown, remembered by what their dice depend on."""
    signature = shooting_signature(light, shooting)
    if signature is None:
        return briefly(of_line(light, shooting, budget=LIGHT), unit)
    return remembered_by_signature(
        shooting, signature, lambda: briefly(of_line(light, shooting, budget=LIGHT), unit)
    )


def moved_to(rules: Ruleset, state: State, unit: int, poses: tuple[Pose, ...]) -> State:
    """The state with a unit somewhere else; nothing is checked."""
    if not poses:
        return state
    return with_auras(rules, ev.Moved(unit=unit, poses=poses, used=1, how="preview").apply(state))


def of_shooting(
    rules: Ruleset,
    state: State,
    unit: int,
    action: str = "hold",
    *,
    target: int = -1,
    aims: tuple[Aim, ...] = (),
    moved: bool = False,
    budget: Budget = LIGHT,
) -> Odds:
    """Odds of a unit's shooting from where it stands; without aims, of everything that can reach the target."""
    light, shooting = shooting_state(rules, state, unit, action, target=target, aims=aims, moved=moved)
    return of_line(light, shooting, budget=budget)


def shooting_state(
    rules: Ruleset,
    state: State,
    unit: int,
    action: str,
    *,
    target: int = -1,
    aims: tuple[Aim, ...] = (),
    moved: bool = False,
) -> tuple[Ruleset, State]:
    """The rules and the state of a unit that has just named its targets; without any it is done already."""
    light = without_parting(rules)
    targets = targets_of(light, state, state.units[unit])
    aims = aims or _aims(targets, target)
    activation = Activation(
        procedure="activation",
        step=step_after(light, "activation", "act.shoot"),
        unit=unit,
        action=action,
        moved=moved,
        walked=tuple(model.id for model in state.units[unit].models) if moved else (),
    )
    shoot = Shoot(procedure="shoot", step=step_after(light, "shoot", "shoot.targets"), unit=unit, aims=aims)
    frames = (activation, shoot) if aims else (activation,)
    return light, at_moment(state, (*_ground(state), *frames))


def of_charge(
    rules: Ruleset,
    state: State,
    unit: int,
    target: int,
    *,
    play: Chooser | None = None,
    budget: Budget = LIGHT,
) -> Odds:
    """Odds of a charge at a unit, from the path into contact to the morale tests; nothing moves afterwards.

    A charge that cannot reach its target changes nothing.
    """
    light = without_parting(rules)
    options = rules.policies.charge_options(rules, state, state.units[unit])
    if all(option.unit != target for option in options):
        return Odds.of_nothing(rules, state)
    activation = Activation(
        procedure="activation",
        step=step_after(light, "activation", "act.shoot"),
        unit=unit,
        action="charge",
        moved=True,
    )
    melee = Melee(
        procedure="melee", step=step_after(light, "melee", "charge.target"), charger=unit, target=target
    )
    there = at_moment(state, (*_ground(state), activation, melee))
    return of_line(light, there, Playbook(policy=play), budget=budget)


def briefly(odds: Odds, unit: int) -> AttackPreview:
    """Odds in a few numbers: for the acting unit, and for every other unit that may be affected."""
    known: AttackPreview | None = odds.briefs.get(unit)
    if known is None:
        others = tuple(brief_of(odds, other) for other in odds.touched if other != unit)
        known = odds.briefs[unit] = AttackPreview(brief_of(odds, unit), others, odds.exact)
    return known


def brief_of(odds: Odds, unit: int) -> Brief:
    """What to expect for one unit."""
    about = odds.unit(unit)
    wounds, lost = about.wounds, about.lost
    return Brief(
        unit=unit,
        wounds=float(wounds.mean),
        low=wounds.quantile(LOW),
        high=wounds.quantile(HIGH),
        lost=float(lost.mean),
        breaks=float(about.broken),
        routs=float(about.routed),
        stunned=float(about.stunned.mean),
        destroyed=float(about.destroyed),
        bars=tuple(float(lost[number]) for number in range(max(lost) + 1)),
        exact=odds.exact,
        error=odds.error_of_mean(wounds),
        wound_bars=tuple(float(wounds[number]) for number in range(max(wounds) + 1)),
    )


@lru_cache(maxsize=64)
def without_parting(rules: Ruleset) -> Ruleset:
    """The same edition without the steps that come after the dice."""
    light = copy(rules)
    light.procedures = {
        name: tuple(step for step in steps if step.name not in AFTER_THE_DICE)
        for name, steps in rules.procedures.items()
    }
    return light


def _ground(state: State) -> tuple[Preparation, ...]:
    """A bottom for the stack; the line ends above it."""
    return (Preparation(procedure="game"),)


def _aims(targets: Targets, target: int) -> tuple[Aim, ...]:
    if target < 0:
        return targets.default().aims
    return tuple(Aim(group, target) for group in targets.groups if targets.eligible(group, target))
