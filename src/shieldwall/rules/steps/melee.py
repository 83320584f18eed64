"""A charge and the melee it leads to: target, the charger's blows, the target's blows, the result.

How units make contact and separate differs between ranked blocks and loose units; those steps are in the features.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.forms import AnswerPreview, Wish
from shieldwall.core.frames import Activation, Attack, Melee, Morale, Volley
from shieldwall.core.pending import Choice, Option, Pending, Refusal
from shieldwall.core.state import MILLI, Model, State, Unit, model_ids
from shieldwall.core.values import Counts
from shieldwall.rules.army.charge_hits import HitOnCharge
from shieldwall.rules.army.choosing import AttackRules
from shieldwall.rules.army.once import note_attack, note_charge
from shieldwall.rules.attack_math import volley_dice, with_extra_attacks
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, enemies_on_table
from shieldwall.rules.steps.blows import QUESTIONS
from shieldwall.rules.steps.charge_reasons import why_not_option
from shieldwall.rules.steps.rounds import unit_key
from shieldwall.rules.strikes import (
    bearers_in,
    early_models,
    impact_volleys,
    rule_volleys,
    strike_volleys,
    weapons_used,
)
from shieldwall.rules.weapons import is_counted, use_key, used_up_by, weapon_at
from shieldwall.table.measure import units_apart

Phase = Literal["early", "charger", "defender"]


class ChargeTarget(TrunkStep):
    """Choose one enemy unit within reach."""

    name = "charge.target"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        unit = game.state.units[frame.charger]
        options = game.rules.policies.charge_options(game.rules, game.state, unit)
        if not options:
            return None
        return ChargeChoice(game.rules, game.state, unit, options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame: Melee = game.stack[-1]
        target = int(answer.option[1:])
        game.note(target=target, apart=_apart(game, frame.charger, target))
        note_charge(game, frame.charger, target)
        game.rules.after_deed(game, frame.charger, "charges")
        cite = game.rules.cite("charge.target")
        game.emit(ev.Declared(unit=frame.charger, target=target, group="charge", attacks=0, cite=cite))

    def go(self, game: Play) -> None:
        game.finish()


class ChargeChoice(Choice):
    """The choice of whom to charge; enemies out of reach are shown with the reasons."""

    __slots__ = ("rules", "state", "unit")

    def __init__(self, rules: Ruleset, state: State, unit: Unit, options: tuple[Option, ...]) -> None:
        prompt = f"Pick a target for {unit.name} to charge"
        super().__init__("charge_target", unit.seat, prompt, rules.cite("charge.target"), options)
        self.rules = rules
        self.state = state
        self.unit = unit

    @property
    def about(self) -> int:
        return self.unit.id

    def why_not(self, option: str) -> tuple[Refusal, ...]:
        return why_not_option(self.rules, self.state, self.unit, option)

    def barred(self) -> tuple[Option, ...]:
        known = {option.key for option in self.options}
        enemies = enemies_on_table(self.state, self.unit)
        return tuple(
            Option(unit_key(enemy.id), enemy.name, enemy.id)
            for enemy in enemies
            if unit_key(enemy.id) not in known
        )

    def preview(self, wish: Wish) -> AnswerPreview:
        found = super().preview(wish)
        answer = found.answer
        if found.refusals or not isinstance(answer, Pick):
            return found
        charged = next(option.unit for option in self.options if option.key == answer.option)
        return replace(found, charges=charged)


def _apart(game: Play, charger: int, target: int) -> int:
    """The distance from which a charge starts; passengers measure from their carrier; 0 out of a building."""
    unit = game.state.units[charger]
    measured = unit.inside if unit.place == "inside" else charger
    ends = (game.state.units[measured], game.state.units[target])
    if any(end.place != "table" for end in ends):
        return 0
    return round(units_apart(game.state, measured, target, game.rules.policies.measures_heights()) * MILLI)


class CountEarly(TrunkStep):
    """Count, at contact, the models whose weapons strike before the charger does."""

    name = "melee.count_early"
    needs = ("strikes_early",)

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        target = game.state.units[frame.target]
        counted = game.rules.policies.early_models(
            game.rules, game.state, frame, early_models(game.rules, game.state, target, takes_weight=True)
        )
        game.note(early_models=len(counted))


class AskToCounter(TrunkStep):
    """Weapons that strike first do so unless the charged unit declines to attack in this melee."""

    name = "melee.counter"
    needs = ("strikes_early", "strikes_late")

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        target, charger = sides_of(game, "early")
        if not charger.models or not target.models:
            return None
        if not game.rules.policies.may_strike(frame, target, "early"):
            return None
        if not strike_volleys(game.rules, game.state, target, charger, not charger_waits(game)):
            return None
        options = (Option("yes", "Strike first"), Option("no", "Do not attack in this melee"))
        cite = game.rules.cite("melee.counter")
        return Choice("counter_now", target.seat, f"Strike first with {target.name}?", cite, options, "yes")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "no":
            game.note(declined=True)
            game.jump("melee.plan_charger")


def charger_waits(game: Play) -> bool:
    """Whether the charging unit strikes after the charged one, which then strikes first with all its weapons."""
    frame: Melee = game.stack[-1]
    if frame.denied or "strikes_late" not in game.plans.in_play:
        return False
    unit = game.state.units[frame.charger]
    return all(_strikes_late(game, unit, model) for model in unit.models)


def _strikes_late(game: Play, unit: Unit, model: Model) -> bool:
    """Whether a model strikes last, by its own rules or with every melee weapon it has."""
    hooks, profiles = game.rules.hooks, game.state.profiles
    if "strikes_late" in hooks.of_model(unit, model, profiles):
        return True
    weapons = [weapon for weapon in profiles[model.profile].weapons if not weapon.reach]
    return bool(weapons) and all("strikes_late" in hooks.of_weapon(weapon) for weapon in weapons)


class PlanBlows(TrunkStep):
    """Gather one side's blows for a phase of the melee."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase
        self.name = f"melee.plan_{phase}"

    def ask(self, game: Play) -> Pending | None:
        striker, enemy = sides_of(game, self.phase)
        if not enemy.models or not game.rules.policies.may_strike(game.top(Melee), striker, self.phase):
            return None
        return AttackRules.ask(game, striker, "fights", (enemy.id,))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        striker, enemy = sides_of(game, self.phase)
        AttackRules.rolled(game, striker, "fights", counts[0], (enemy.id,))

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        striker, enemy = sides_of(game, self.phase)
        AttackRules.chosen(game, striker, "fights", answer, (enemy.id,))

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        striker, enemy = sides_of(game, self.phase)
        batches: tuple[Volley, ...] = ()
        if striker.models and enemy.models and game.rules.policies.may_strike(frame, striker, self.phase):
            if self.phase == "charger" and not frame.denied:
                batches = impact_volleys(game.rules, game.state, striker, enemy, frame.early_models)
            early = self.phase == "early" and not charger_waits(game)
            if not early:
                charging = striker.id == frame.charger and not frame.denied
                batches += rule_volleys(game.rules, game.state, striker, enemy, charging)
            batches += strike_volleys(game.rules, game.state, striker, enemy, early, frame.early_done)
        game.note(batches=batches, next=0, ordered=0, offered=0, phase=self.phase)


class Strike(TrunkStep):
    """Resolve the blows batch by batch, in the owner's order.

    A weapon with limited uses can be held back; one that singles out a model asks for it first.
    """

    def __init__(self, phase: Phase, procedure: str = "attack") -> None:
        self.phase = phase
        self.procedure = procedure
        self.name = f"melee.strike_{phase}"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        striker, enemy = sides_of(game, self.phase)
        if frame.next >= len(frame.batches) or not striker.models or not enemy.models:
            return None
        for question in QUESTIONS:
            asked = question.ask(game, frame, striker, enemy)
            if asked is not None:
                return asked
        return None

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        kind = game.question(Choice).kind
        asked = next(one for one in QUESTIONS if one.kind == kind)
        asked.answered(game, game.top(Melee), answer.option)
        game.stay()

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        striker, enemy = sides_of(game, self.phase)
        if frame.next >= len(frame.batches) or not striker.models or not enemy.models:
            return
        volley = frame.batches[frame.next]
        far = frame.apart if self.phase == "charger" else 0
        volley = replace(volley, picked=max(-1, volley.picked), unit_near=far)
        kind: Literal["momentum", "strike"] = "momentum" if volley.sources[0].weapon < 0 else "strike"
        charging = self.phase == "charger" and not frame.denied
        attack = Attack(
            procedure=self.procedure, kind=kind, unit=striker.id, volley=volley, charging=charging
        )
        if "extra_attacks" in game.plans.in_play:
            volley = with_extra_attacks(game.rules, game.state, attack)
            attack = replace(attack, volley=volley)
        self._mark_use(game, striker, volley)
        note_attack(game, attack)
        game.push(attack, again=True)

    def _mark_use(self, game: Play, striker: Unit, volley: Volley) -> None:
        frame: Melee = game.stack[-1]
        models = tuple(model for source in volley.sources for model in source.models)
        struck = frame.struck + tuple(model for model in models if model not in frame.struck)
        done = frame.early_done
        if self.phase == "early":
            done += weapons_used(game.state, striker, volley)
        fought = (frame.fought[0] or self.phase == "charger", frame.fought[1] or self.phase != "charger")
        game.note(next=frame.next + 1, struck=struck, early_done=done, fought=fought)
        for bearer in bearers_in(game.state, striker, volley):
            weapon = weapon_at(game.state.profiles[bearer.model.profile], bearer.weapon)
            if is_counted(game.rules, weapon):
                key, cite = use_key(game.rules, bearer, weapon), used_up_by(game.rules, weapon)
                game.emit(ev.WeaponUsed(unit=striker.id, model=bearer.model.id, key=key, cite=cite))
        cite = game.rules.cite("melee.attacks")
        game.emit(
            ev.Declared(
                unit=striker.id,
                target=volley.target,
                group=volley.group,
                attacks=volley_dice(volley),
                cite=cite,
            )
        )


class AskToAnswer(TrunkStep):
    """The charged unit may strike back with its remaining models."""

    name = "melee.answer"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if frame.declined or not charger.models or not target.models:
            return None
        if not game.rules.policies.may_strike(frame, target, "defender"):
            return None
        if not strike_volleys(game.rules, game.state, target, charger, False, frame.early_done):
            return None
        tires = not never_tires(game, target)
        tires = tires and game.rules.policies.tire(target, model_ids(target)) is not None
        words = "Hold back and avoid fatigue" if tires else "Hold back"
        options = (Option("yes", "Strike back"), Option("no", words))
        cite = game.rules.cite("melee.answer")
        return Choice("strike_back", target.seat, f"Strike back with {target.name}?", cite, options, "yes")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "no":
            game.jump("melee.tired")

    def go(self, game: Play) -> None:
        game.jump("melee.tired")


class TireFighters(TrunkStep):
    """Units that attacked become fatigued after this melee; both sides have fought one."""

    name = "melee.tired"

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        in_play = game.plans.in_play
        if "moves_after" in in_play or "picks_units" in in_play:  # rules that ask who was in melee
            activation = game.nearest(Activation)
            if activation is not None:
                game.note_on(Activation, fought=(*activation.fought, frame.charger, frame.target))
        struck = frozenset(frame.struck)
        for unit_id, fought in zip((frame.charger, frame.target), frame.fought, strict=True):
            unit = game.state.units[unit_id]
            if not fought or not unit.models or never_tires(game, unit):
                continue
            everybody = model_ids(unit)
            if not struck.issuperset(everybody):
                everybody = tuple([model for model in everybody if model in struck])
            models = game.rules.policies.tire(unit, everybody)
            if models is not None:
                game.emit(ev.Tired(unit=unit_id, models=models, cite=game.rules.cite("melee.tired")))


def never_tires(game: Play, unit: Unit) -> bool:
    """Whether a rule keeps a unit from being fatigued by fighting."""
    if "never_tires" not in game.plans.in_play:
        return False
    return "never_tires" in game.rules.hooks.of_unit(unit, game.state.profiles)


class MeleeResult(TrunkStep):
    """Score both sides; the loser takes a morale test. A destroyed unit has lost without a test."""

    name = "melee.result"

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        self.excuse(game, frame)
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        decided = self.is_decided(game, charger, target)
        mine, theirs = (0, 0) if decided else self.scores(game, charger, target)
        loser = None if mine == theirs else target if mine > theirs else charger
        lost_by = frame.loser if loser is None else loser.id
        # already counted, so it makes no difference any more
        game.note(inflicted=(0, 0), hurt=(), batches=(), loser=lost_by)
        if decided:
            return
        cite = game.rules.cite("melee.result")
        game.emit(
            ev.MeleeScored(unit=charger.id, score=mine, target=target.id, target_score=theirs, cite=cite)
        )
        if loser is not None and loser.models:
            mods = game.rules.policies.defeat_mods(game.rules, frame, loser)
            game.push(Morale(procedure="morale", unit=loser.id, cause="melee", mods=mods))

    def excuse(self, game: Play, frame: Melee) -> None:
        """Excuse units that fought from testing for the wounds they took in the melee."""
        excuse(game, (frame.charger, frame.target))

    def is_decided(self, game: Play, charger: Unit, target: Unit) -> bool:
        """Whether the melee is decided because one of the two units is gone."""
        return not charger.models or not target.models

    def scores(self, game: Play, charger: Unit, target: Unit) -> tuple[int, int]:
        """What both sides are credited with, the charger first."""
        frame: Melee = game.stack[-1]
        score = game.rules.policies.melee_score
        return (
            frame.inflicted[0] + score(game.rules, game.state, charger),
            frame.inflicted[1] + score(game.rules, game.state, target),
        )


BLOWS: tuple[TrunkStep, ...] = (
    CountEarly(),
    AskToCounter(),
    PlanBlows("early"),
    Strike("early"),
    PlanBlows("charger"),
    HitOnCharge(),
    Strike("charger"),
    AskToAnswer(),
    PlanBlows("defender"),
    Strike("defender"),
    TireFighters(),
)


def sides_of(game: Play, phase: Phase) -> tuple[Unit, Unit]:
    """The attacker and the defender in a phase."""
    frame: Melee = game.stack[-1]
    charger, target = game.state.units[frame.charger], game.state.units[frame.target]
    return (charger, target) if phase == "charger" else (target, charger)


def excuse(game: Play, units: tuple[int, ...]) -> None:
    """Excuse units that fought from testing for wounds at the end of this activation."""
    activation = game.nearest(Activation)
    if activation is not None:
        game.note_on(Activation, excused=activation.excused + units, attacked=True)
