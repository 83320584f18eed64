"""What a unit could shoot at, with the reasons: distance, sight, cover, needed rolls, odds."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.answers import Aim
from shieldwall.core.engine import GameRun
from shieldwall.core.forms import TargetFacts, WeaponForm
from shieldwall.core.frames import Activation, Attack, HitGroup
from shieldwall.core.pending import Refusal, Roll
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.core.values import PASS, Target
from shieldwall.odds.memory import at_moment
from shieldwall.rules.attack_math import Attackers, activation_facts
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.shoot import ChooseTargets, FreezeVolleys
from shieldwall.rules.steps.targets import Targets
from shieldwall.server.log_lines import mods_of
from shieldwall.server.outcomes import Clock, charge_outcome, shooting_outcome
from shieldwall.server.question_views import GroupView, NeededRoll, TargetView
from shieldwall.server.views import Reason
from shieldwall.story.dice import purpose
from shieldwall.table.measure import units_apart


def reasons_of(refusals: tuple[Refusal, ...]) -> tuple[Reason, ...]:
    """Refusals of the engine as they are shown."""
    return tuple(Reason(refusal.reason, refusal.cite) for refusal in refusals)


def targets_for(rules: Ruleset, state: State, unit: Unit) -> Targets:
    """The edition's own question about a unit's targets, whatever the game is waiting for now."""
    step = next(step for step in rules.procedures["shoot"] if isinstance(step, ChooseTargets))
    return step.targets(GameRun(rules, state), unit)


def group_view(targets: Targets, group: WeaponForm, clock: Clock) -> GroupView:
    """A weapon group with every enemy on the table as its target, allowed or not."""
    return GroupView(
        key=group.key,
        label=group.label,
        attacks=group.attacks,
        reach=group.reach,
        bearers=group.bearers,
        targets=tuple(target_view(targets, facts, clock) for facts in group.targets),
        picks_model=group.picks_model,
    )


def target_view(targets: Targets, facts: TargetFacts, clock: Clock | None) -> TargetView:
    """One enemy as a target of one weapon group, with the needed rolls and the odds."""
    view = TargetView(
        unit=facts.unit,
        legal=facts.is_legal,
        distance=facts.distance,
        reach=facts.reach,
        shooters=facts.shooters,
        cover=False,
        reasons=reasons_of(facts.refusals),
        blocker=facts.blocker,
        picks=facts.picks,
    )
    if not facts.is_legal:
        return view
    steps, cover = shot_steps(targets, facts.aim)
    odds = None
    if clock is not None:
        state, unit = targets.state, targets.unit
        odds = shooting_outcome(targets.rules, state, unit.id, action_of(state, unit), (facts.aim,), clock)
    return replace(view, cover=cover, steps=steps, odds=odds)


def charge_view(rules: Ruleset, state: State, unit: Unit, target: int, clock: Clock | None) -> TargetView:
    """The unit that is being charged, from where the charger stands."""
    apart = units_apart(state, unit.id, target, rules.policies.measures_heights())
    reach = rules.allowance(state, unit, "charge")
    found = charge_outcome(rules, state, unit.id, target, clock) if clock is not None else None
    return TargetView(target, True, round(apart * MILLI), reach, 0, False, odds=found)


def action_of(state: State, unit: Unit) -> str:
    """The action a unit shoots in: that of the current activation, or a hold."""
    running = next((f for f in reversed(state.stack) if isinstance(f, Activation)), None)
    return (
        "advance"
        if running is not None and running.unit == unit.id and running.action == "advance"
        else "hold"
    )


def shot_steps(targets: Targets, aim: Aim) -> tuple[tuple[NeededRoll, ...], bool]:
    """The needed rolls of a volley with their reasons, and whether the target has cover."""
    rules, state, unit = targets.rules, targets.state, targets.unit
    activation = next((f for f in reversed(state.stack) if isinstance(f, Activation)), None)
    held, moved = activation_facts(activation, unit.id)
    walked = activation.walked if activation is not None else ()
    step = next(step for step in rules.procedures["shoot"] if isinstance(step, FreezeVolleys))
    volleys = step.volleys(GameRun(rules, state), unit, targets, aim, walked)
    steps: dict[tuple[str, str, Target], int] = {}
    answers: list[tuple[str, str, Target]] = []
    for volley in volleys:
        frame = Attack(procedure="attack", kind="shoot", unit=unit.id, volley=volley, held=held, moved=moved)
        groups: list[HitGroup] = []
        for source in volley.sources:
            attackers = Attackers(rules, state, frame, source)
            hit = ("to hit", rules.cites.get("attack.shoot", ""), attackers.hit_target())
            steps[hit] = steps.get(hit, 0) + source.dice
            groups += attackers.hit_groups({PASS: 1}, "")
        answers += _answers(rules, state, frame, groups)
    for title, cite, target in answers:
        steps.setdefault((title, cite, target), 0)
    views = tuple(
        NeededRoll(title, dice, target.base, target.needed, mods_of(target), cite)
        for (title, cite, target), dice in steps.items()
    )
    return views, any(volley.cover != "none" for volley in volleys)


def _answers(
    rules: Ruleset, state: State, frame: Attack, groups: list[HitGroup]
) -> list[tuple[str, str, Target]]:
    """The rolls between a hit and a wound, as the edition's own step asks for them: blocks, or rolls to wound."""
    assert frame.volley is not None
    hurt = replace(frame, hits=tuple(groups), victim=frame.volley.target)
    step = next(step for step in rules.procedures["attack"] if step.name == "attack.block")
    asked = step.ask(GameRun(rules, at_moment(state, (*state.stack, hurt))))
    if not isinstance(asked, Roll):
        return []
    return [(purpose(asked.purpose), asked.cite, pool.target) for pool in asked.pools if pool.target]
