"""Wound effects: a lone or last model that is hurt is stunned or knocked out, and may be pushed."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Activation, Attack, Melee, RuleUse, WoundCheck
from shieldwall.core.pending import Choice, Option, Pending, Roll
from shieldwall.core.state import Model, State, Unit
from shieldwall.core.values import Counts, Labels, Pool
from shieldwall.rules.army.out_of_turn import strike_back_when_out
from shieldwall.rules.army.upkeep import StandAndBleed
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.attack import remove_models

STUNNED, OUT = "stunned", "out"
OUT_FROM = 5  # a sum of this plus the toughness knocks out
REGULAR = ("shoot", "strike", "momentum")  # attacks whose dread counts; spells are none


def threshold(state: State, model: Model) -> int:
    """Markers at which a model checks at all, and the X of its knock-out sum."""
    return state.profiles[model.profile].wounds


def checks_due(state: State, hurt: tuple[tuple[int, int], ...]) -> list[tuple[Unit, Model]]:
    """Lone or last models among the hurt that carry enough markers for a check, each once."""
    due = []
    for unit_id, model_id in dict.fromkeys(hurt):
        unit = state.units[unit_id]
        if len(unit.models) == 1 and unit.models[0].id == model_id:
            model = unit.models[0]
            if model.wounds >= threshold(state, model):
                due.append((unit, model))
    return due


def dread_of(rules: Ruleset, state: State, attacker: int, melee: bool) -> int:
    """What the attacker's dread adds to a wound check after its blows or its shots."""
    unit = state.units[attacker]
    hooks = rules.hooks.of_unit(unit, state.profiles)
    return sum(rule.wound_sum(UnitContext(state, unit), melee) for rule in hooks.get("wound_sum", ()))


def checks_of(
    game: Play, hurt: tuple[tuple[int, int], ...], attacker: int, regular: bool, melee: bool = False
) -> list[WoundCheck]:
    """The checks that are due after wounds by this unit; a unit that wounded itself has no attacker."""
    extra = dread_of(game.rules, game.state, attacker, melee) if regular and attacker >= 0 else 0
    checks = []
    for unit, model in checks_due(game.state, hurt):
        own = unit.id == attacker
        by, more = (-1, 0) if own else (attacker, extra)
        checks.append(WoundCheck("wound_check", unit=unit.id, model=model.id, attacker=by, extra=more))
    return checks


class CheckAfterAttack(TrunkStep):
    """Checks after shots, spells, falls and ground are immediate; in melee they wait until the side has struck."""

    name = "attack.check"

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        if frame.kind in ("strike", "momentum"):
            return
        attacker = frame.unit if frame.kind in ("shoot", "spell", "rule") else -1
        checks = checks_of(game, frame.hurt, attacker, frame.kind in REGULAR)
        if checks:
            game.push(*checks)


class CheckAfterBlows(TrunkStep):
    """One check for each model wounded by one side's blows, before the other side strikes.

    The side that strikes may have been wounded by hits in return. Models that are knocked out may bring such hits, too,
    after which the step looks again.
    """

    def __init__(self, phase: str) -> None:
        self.name = f"melee.check_{phase}"
        self.phase = phase

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        sides = (frame.charger, frame.target)
        striker, struck = sides if self.phase == "charger" else sides[::-1]
        hurt = frame.hurt
        game.note(hurt=())
        of_blows = checks_of(game, tuple(one for one in hurt if one[0] == struck), striker, True, melee=True)
        in_return = checks_of(game, tuple(one for one in hurt if one[0] != struck), struck, False)
        answered = "hits_when_hurt" in game.plans.in_play
        checks = [*(replace(check, by_blows=answered) for check in of_blows), *in_return]
        if checks:
            game.push(*checks, again=answered)


class BleedAndCheck(StandAndBleed):
    """Wounds taken instead of a failed test: a lone model that they hurt badly enough is checked."""

    def land(self, game: Play, wounds: int) -> None:
        super().land(game, wounds)
        unit = game.state.units[game.top(RuleUse).unit]
        hurt = tuple((unit.id, model.id) for model in unit.models) if wounds else ()
        checks = checks_of(game, hurt, -1, False)
        if checks:
            game.push(*checks)


class RollEffect(TrunkStep):
    """One die plus the markers: 5+X or more knocks out, less stuns. No result of the die is automatic."""

    name = "effects.roll"

    def ask(self, game: Play) -> Pending | None:
        frame: WoundCheck = game.stack[-1]
        unit = game.state.units[frame.unit]
        model = unit.models[0]
        needed = OUT_FROM + threshold(game.state, model) - model.wounds - frame.extra
        labels: Labels = tuple(OUT if face >= needed else STUNNED for face in range(1, 7))  # type: ignore[assignment]
        note = f"{model.wounds} marker{'s' if model.wounds != 1 else ''}" + (
            f" +{frame.extra}" if frame.extra else ""
        )
        return Roll(
            "wound_effect", unit.seat, (Pool(1, labels, None, note),), game.rules.cite("effects.roll")
        )

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: WoundCheck = game.stack[-1]
        unit = game.state.units[frame.unit]
        if counts[0].get(OUT, 0):
            if frame.by_blows:
                strike_back_when_out(game, unit, unit.models[0], frame.attacker)
            remove_models(game, unit.id, (frame.model,), "knocked out", game.rules.cite("effects.out"))
            game.finish()
        elif unit.models[0].stunned:
            game.finish()
        else:
            stun(game, unit, (frame.model,))
            if frame.attacker < 0:
                game.finish()


def stun(game: Play, unit: Unit, models: tuple[int, ...]) -> None:
    """Models are stunned; if it is their unit's activation, it ends."""
    game.emit(ev.Stunned(unit=unit.id, models=models, cite=game.rules.cite("effects.stunned")))
    game.rules.after_shaken(game, unit.id)
    activation = game.nearest(Activation)
    if activation is not None and activation.unit == unit.id:
        game.note_on(Activation, over=True)


class AskToPush(TrunkStep):
    """The attacker may try to push a model that was just stunned."""

    name = "push.ask"

    def ask(self, game: Play) -> Pending | None:
        frame: WoundCheck = game.stack[-1]
        unit = game.state.units[frame.unit]
        seat = game.state.units[frame.attacker].seat
        options = (Option("yes", f"push {unit.name}"), Option("no", "leave it where it is"))
        return Choice("push", seat, f"Push {unit.name}?", game.rules.cite("push.ask"), options, "yes")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "no":
            game.finish()


class RollPush(TrunkStep):
    """4 or more pushes."""

    name = "push.roll"

    def ask(self, game: Play) -> Pending | None:
        frame: WoundCheck = game.stack[-1]
        needed = game.rules.constants.push_target
        labels: Labels = tuple("push" if face >= needed else "stay" for face in range(1, 7))  # type: ignore[assignment]
        seat = game.state.units[frame.attacker].seat
        return Roll("push", seat, (Pool(1, labels),), game.rules.cite("push.roll"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        if not counts[0].get("push", 0):
            game.finish()
