"""A charge and the melee it leads to: target, blows of the charger, answer of the charged, who won.

How units come together and part again differs between ranked blocks and loose units; those steps live with the
features.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Activation, Attack, Melee, Morale, Volley
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.core.state import Unit
from shieldwall.rules.attack_math import volley_dice
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.rounds import unit_key
from shieldwall.rules.strikes import bearers_in, early_models, impact_volley, strike_volleys, weapons_used
from shieldwall.rules.weapons import aiming_of, groups_of, is_counted, use_key, weapon_at

Phase = Literal["early", "charger", "defender"]


class ChargeTarget(TrunkStep):
    """Name one enemy unit within reach."""

    name = "charge.target"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Melee)
        unit = game.state.units[frame.charger]
        options = game.rules.policies.charge_options(game.rules, game.state, unit)
        if not options:
            return None
        cite = game.rules.cite("charge.target")
        return Choice("charge_target", unit.seat, f"{unit.name}: charge whom?", cite, options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame = game.top(Melee)
        target = int(answer.option[1:])
        game.note(target=target)
        cite = game.rules.cite("charge.target")
        game.emit(ev.Declared(unit=frame.charger, target=target, group="charge", attacks=0, cite=cite))

    def go(self, game: Play) -> None:
        game.finish()


class CountEarly(TrunkStep):
    """Count, at contact, the models whose weapons strike before the charger does."""

    name = "melee.count_early"

    def go(self, game: Play) -> None:
        frame = game.top(Melee)
        target = game.state.units[frame.target]
        counted = game.rules.policies.early_models(
            game.rules, game.state, frame, early_models(game.rules, game.state, target)
        )
        game.note(early_models=len(counted))


class PlanBlows(TrunkStep):
    """Gather one side's blows for a phase of the melee."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase
        self.name = f"melee.plan_{phase}"

    def go(self, game: Play) -> None:
        frame = game.top(Melee)
        striker, enemy = sides_of(game, self.phase)
        batches: tuple[Volley, ...] = ()
        if striker.models and enemy.models and game.rules.policies.may_strike(frame, striker, self.phase):
            if self.phase == "charger":
                impact = impact_volley(game.rules, game.state, striker, enemy, frame.early_models)
                batches = (impact,) if impact is not None else ()
            early = self.phase == "early"
            batches += strike_volleys(game.rules, game.state, striker, enemy, early, frame.early_done)
        game.note(batches=batches, next=0, phase=self.phase)


class Strike(TrunkStep):
    """Resolve the gathered blows one batch after another; a weapon that singles out a model asks for it first."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase
        self.name = f"melee.strike_{phase}"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Melee)
        striker, enemy = sides_of(game, self.phase)
        if frame.next >= len(frame.batches) or not striker.models or not enemy.models:
            return None
        volley = frame.batches[frame.next]
        if volley.picked != -1 or not self._picks(game, striker, volley):
            return None
        options = [Option(f"m{model.id}", model_name(game, enemy, model.id)) for model in enemy.models]
        options.append(Option("unit", "the unit as a whole"))
        default = f"m{enemy.attached}" if enemy.attached >= 0 else options[0].key
        prompt = f"{striker.name}: which model does {volley.group} single out?"
        cite = game.rules.cite("shoot.pick")
        return Choice("melee_pick", striker.seat, prompt, cite, tuple(options), default)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame = game.top(Melee)
        picked = -2 if answer.option == "unit" else int(answer.option[1:])
        batches = list(frame.batches)
        batches[frame.next] = replace(batches[frame.next], picked=picked)
        game.note(batches=tuple(batches))
        game.stay()

    def go(self, game: Play) -> None:
        frame = game.top(Melee)
        striker, enemy = sides_of(game, self.phase)
        if frame.next >= len(frame.batches) or not striker.models or not enemy.models:
            return
        volley = frame.batches[frame.next]
        volley = replace(volley, picked=max(-1, volley.picked))
        self._mark_use(game, striker, volley)
        kind: Literal["impact", "strike"] = "impact" if volley.sources[0].weapon < 0 else "strike"
        charging = self.phase == "charger"
        game.push(
            Attack(procedure="attack", kind=kind, unit=striker.id, volley=volley, charging=charging), again=True
        )

    def _picks(self, game: Play, striker: Unit, volley: Volley) -> bool:
        groups = groups_of(game.state, striker, ranged=False)
        group = next((group for group in groups if group.key == volley.group), None)
        if group is None or volley.sources[0].weapon < 0:
            return False
        return aiming_of(game.rules.kits, game.state, striker, group).picks_model

    def _mark_use(self, game: Play, striker: Unit, volley: Volley) -> None:
        frame = game.top(Melee)
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
                game.emit(ev.WeaponUsed(unit=striker.id, model=bearer.model.id, key=use_key(bearer)))
        cite = game.rules.cite("melee.attacks")
        game.emit(
            ev.Declared(
                unit=striker.id, target=volley.target, group=volley.group, attacks=volley_dice(volley), cite=cite
            )
        )


class AskToAnswer(TrunkStep):
    """The charged unit may strike back with what is left of it."""

    name = "melee.answer"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Melee)
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if not charger.models or not target.models:
            return None
        if not game.rules.policies.may_strike(frame, target, "defender"):
            return None
        if not strike_volleys(game.rules, game.state, target, charger, False, frame.early_done):
            return None
        options = (Option("yes", "Strike back"), Option("no", "Hold back and stay fresh"))
        cite = game.rules.cite("melee.answer")
        return Choice("strike_back", target.seat, f"{target.name}: strike back?", cite, options, "yes")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "no":
            game.jump("melee.tired")

    def go(self, game: Play) -> None:
        game.jump("melee.tired")


class TireFighters(TrunkStep):
    """Whoever attacked is tired from now on, not during this melee."""

    name = "melee.tired"

    def go(self, game: Play) -> None:
        frame = game.top(Melee)
        for unit_id in (frame.charger, frame.target):
            unit = game.state.units[unit_id]
            struck = tuple(model.id for model in unit.models if model.id in frame.struck)
            if frame.fought[0 if unit_id == frame.charger else 1] and unit.models:
                models = game.rules.policies.tire(unit, struck)
                if models is not None:
                    game.emit(ev.Tired(unit=unit_id, models=models, cite=game.rules.cite("melee.tired")))


class MeleeResult(TrunkStep):
    """Count both sides; the loser tests its nerve. A destroyed unit has lost and nobody tests."""

    name = "melee.result"

    def go(self, game: Play) -> None:
        frame = game.top(Melee)
        excuse(game, (frame.charger, frame.target))
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if not charger.models or not target.models:
            return
        policies = game.rules.policies
        mine = frame.inflicted[0] + policies.melee_score(game.rules, game.state, charger)
        theirs = frame.inflicted[1] + policies.melee_score(game.rules, game.state, target)
        cite = game.rules.cite("melee.result")
        game.emit(
            ev.MeleeScored(unit=charger.id, score=mine, target=target.id, target_score=theirs, cite=cite)
        )
        if mine == theirs:
            return
        loser = target if mine > theirs else charger
        mods = policies.defeat_mods(game.rules, frame, loser)
        game.note(loser=loser.id)
        game.push(Morale(procedure="morale", unit=loser.id, cause="melee", mods=mods))


BLOWS: tuple[TrunkStep, ...] = (
    CountEarly(),
    PlanBlows("early"),
    Strike("early"),
    PlanBlows("charger"),
    Strike("charger"),
    AskToAnswer(),
    PlanBlows("defender"),
    Strike("defender"),
    TireFighters(),
)


def sides_of(game: Play, phase: Phase) -> tuple[Unit, Unit]:
    """Who strikes and who is struck in a phase."""
    frame = game.top(Melee)
    charger, target = game.state.units[frame.charger], game.state.units[frame.target]
    return (charger, target) if phase == "charger" else (target, charger)


def excuse(game: Play, units: tuple[int, ...]) -> None:
    """Units that fought are not tested for wounds at the end of this activation."""
    activation = game.nearest(Activation)
    if activation is not None:
        game.note_on(Activation, excused=activation.excused + units, attacked=True)


def model_name(game: Play, unit: Unit, model_id: int) -> str:
    """A model in words."""
    model = next(model for model in unit.models if model.id == model_id)
    return game.state.profiles[model.profile].name


def charge_option(unit: Unit, note: str) -> Option:
    """The option to charge a unit."""
    return Option(unit_key(unit.id), f"{unit.name}{note}", unit.id)
