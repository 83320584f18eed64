"""What a unit could shoot at, with the reasons: distance, sight, cover, needed rolls, odds."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.answers import Aim
from shieldwall.core.engine import Game
from shieldwall.core.frames import Activation, Attack, HitGroup
from shieldwall.core.pending import Refusal, Roll
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.core.values import PASS, Target
from shieldwall.geometry.tolerance import within
from shieldwall.odds.memory import at_moment
from shieldwall.rules.attack_math import Attackers, activation_facts
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.shoot import ChooseTargets, FreezeVolleys
from shieldwall.rules.steps.targets import Targets
from shieldwall.server.asking import GroupView, Step, TargetView
from shieldwall.server.log_lines import mods_of
from shieldwall.server.outcomes import Clock, charge_outcome, shooting_outcome
from shieldwall.server.views import Reason
from shieldwall.story.dice import purpose
from shieldwall.table.measure import units_apart
from shieldwall.table.sight import sees


def reasons_of(refusals: tuple[Refusal, ...]) -> tuple[Reason, ...]:
    """Refusals of the engine as they are shown."""
    return tuple(Reason(refusal.reason, refusal.cite) for refusal in refusals)


def targets_for(rules: Ruleset, state: State, unit: Unit) -> Targets:
    """The edition's own question whom a unit may shoot at, whatever the game waits for now."""
    step = next(step for step in rules.procedures["shoot"] if isinstance(step, ChooseTargets))
    return step.targets(Game(rules, state), unit)


def groups_view(targets: Targets, clock: Clock) -> tuple[GroupView, ...]:
    """Every weapon group with every enemy on the table as its target, possible or not."""
    enemies = enemies_of(targets.state, targets.unit)
    return tuple(
        GroupView(
            key=key,
            label=group.weapon.name,
            attacks=group.weapon.attacks,
            reach=group.weapon.reach,
            bearers=len(group.bearers),
            targets=tuple(target_view(targets, key, enemy, clock) for enemy in enemies),
            picks_model=targets.aiming[key].picks_model or targets.aiming[key].picks_centre,
        )
        for key, group in targets.groups.items()
    )


def enemies_of(state: State, unit: Unit) -> list[Unit]:
    """Enemy units on the table."""
    return [u for u in state.units if u.side != unit.side and u.place == "table" and u.models]


def target_view(targets: Targets, group: str, enemy: Unit, clock: Clock | None) -> TargetView:
    """One enemy as a target of one weapon group."""
    rules, state, unit = targets.rules, targets.state, targets.unit
    able = targets.eligible(group, enemy.id)
    reach = targets.groups[group].weapon.reach
    apart = units_apart(state, unit.id, enemy.id, rules.policies.measures_heights())
    distance = round(apart * MILLI)
    if not able:
        blocker = "" if not within(apart, reach / MILLI) else blocker_words(rules, state, unit, enemy)
        reasons = reasons_of((targets._why_not(Aim(group, enemy.id), enemy),))
        return TargetView(enemy.id, False, distance, reach, 0, False, reasons, blocker=blocker)
    aim = Aim(group, enemy.id, targets._pick(group, enemy.id, 0))
    steps, cover = shot_steps(targets, aim)
    picks = tuple(targets.pickable(group, enemy.id)) if targets.aiming[group].picks_model else ()
    action = action_of(state, unit)
    found = shooting_outcome(rules, state, unit.id, action, (aim,), clock) if clock is not None else None
    return TargetView(enemy.id, True, distance, reach, len(able), cover, (), steps, found, "", picks)


def charge_view(rules: Ruleset, state: State, unit: Unit, target: int, clock: Clock | None) -> TargetView:
    """The unit that is being charged, from where the charger stands."""
    apart = units_apart(state, unit.id, target, rules.policies.measures_heights())
    reach = rules.allowance(state, unit, "charge")
    found = charge_outcome(rules, state, unit.id, target, clock) if clock is not None else None
    return TargetView(target, True, round(apart * MILLI), reach, 0, False, odds=found)


def action_of(state: State, unit: Unit) -> str:
    """The action that a unit shoots in: that of the running activation, or a hold."""
    running = next((f for f in reversed(state.stack) if isinstance(f, Activation)), None)
    return (
        "advance"
        if running is not None and running.unit == unit.id and running.action == "advance"
        else "hold"
    )


def shot_steps(targets: Targets, aim: Aim) -> tuple[tuple[Step, ...], bool]:
    """The needed rolls of a volley with their reasons, and whether the target has cover."""
    rules, state, unit = targets.rules, targets.state, targets.unit
    activation = next((f for f in reversed(state.stack) if isinstance(f, Activation)), None)
    held, moved = activation_facts(activation, unit.id)
    walked = activation.walked if activation is not None else ()
    step = next(step for step in rules.procedures["shoot"] if isinstance(step, FreezeVolleys))
    volley = step.volley(Game(rules, state), unit, targets, aim, walked)
    frame = Attack(procedure="attack", kind="shoot", unit=unit.id, volley=volley, held=held, moved=moved)
    steps: dict[tuple[str, str, Target], int] = {}
    groups: list[HitGroup] = []
    for source in volley.sources:
        attackers = Attackers(rules, state, frame, source)
        hit = ("to hit", rules.cites.get("attack.shoot", ""), attackers.hit_target())
        steps[hit] = steps.get(hit, 0) + source.dice
        groups += attackers.hit_groups({PASS: 1}, "")
    for title, cite, target in _answers(rules, state, frame, groups):
        steps.setdefault((title, cite, target), 0)
    views = tuple(
        Step(title, dice, target.base, target.needed, mods_of(target), cite)
        for (title, cite, target), dice in steps.items()
    )
    return views, volley.cover != "none"


def _answers(
    rules: Ruleset, state: State, frame: Attack, groups: list[HitGroup]
) -> list[tuple[str, str, Target]]:
    """What hits have to pass before they wound, as the edition's own step asks for it: blocks, or rolls to wound."""
    assert frame.volley is not None
    hurt = replace(frame, hits=tuple(groups), victim=frame.volley.target)
    step = next(step for step in rules.procedures["attack"] if step.name == "attack.block")
    asked = step.ask(Game(rules, at_moment(state, (*state.stack, hurt))))
    if not isinstance(asked, Roll):
        return []
    return [(purpose(asked.purpose), asked.cite, pool.target) for pool in asked.pools if pool.target]


def blocker_words(rules: Ruleset, state: State, unit: Unit, enemy: Unit) -> str:
    """What stands between two units, named; empty where the middle models see each other."""
    sight = sees(
        state,
        rules.policies.sight_method(state),
        unit.id,
        len(unit.models) // 2,
        enemy.id,
        len(enemy.models) // 2,
    )
    for blocker in sight.blockers:
        if blocker.kind == "piece":
            return next((piece.name for piece in state.pieces if piece.id == blocker.id), "terrain")
        if blocker.kind == "unit":
            return state.units[blocker.id].name
        return "outside the front arc"
    return ""
