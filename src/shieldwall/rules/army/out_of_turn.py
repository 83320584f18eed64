"""Rules that strike out of turn: those who are wounded or killed in melee, who was just deployed, who draws back."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.frames import Activation, Attack, HitGroup, RuleUse, Source, Volley
from shieldwall.core.state import Model, Unit
from shieldwall.rules import losses
from shieldwall.rules.army.choosing import effects_at_deployment
from shieldwall.rules.army.conditions import is_shaken
from shieldwall.rules.army.fighting import StrikesBackDying
from shieldwall.rules.army.once import note_speaking
from shieldwall.rules.army.picking import Power, candidates, power_frame, powers_of
from shieldwall.rules.army.placing import after_deployment as placed_again
from shieldwall.rules.hooks import AttackContext, HitKind, UnitContext
from shieldwall.rules.ruleset import Play, TrunkStep

OUT_OF_TURN = "out of turn"  # the cause of losses that bring no more hits out of turn
AFTER_MELEE = "moved after melee"


def after_deployment(game: Play, unit: Unit, arrived: bool) -> list[RuleUse]:
    """Frames for the rules of a unit that was just put on the table; `arrived` where it came out of hiding."""
    frames = placed_again(game.rules, game.state, unit)
    frames += effects_at_deployment(game.rules, game.state, unit)
    if arrived:
        powers = powers_of(game.rules, game.state, unit, ("deployed",))
        frames += [power_frame(power) for power in powers if _has_target(game, power)]
    return frames


def _has_target(game: Play, power: Power) -> bool:
    return bool(candidates(game.rules, game.state, power.unit, power.model, power.rule, ()))


class StrikeWhenDrawingBack(TrunkStep):
    """Units that fought and are now near enemies may strike one of them, once per round."""

    name = "act.drawing_back"
    needs = ("picks_units",)

    def go(self, game: Play) -> None:
        frame = game.top(Activation)
        for unit_id in dict.fromkeys(frame.fought):
            power = self._power(game, game.state.units[unit_id])
            if power is not None:
                game.emit(ev.WeaponUsed(unit=unit_id, model=power.model.id, key=power.rule.name))
                game.push(power_frame(power), again=True)
                return

    def _power(self, game: Play, unit: Unit) -> Power | None:
        if unit.place != "table" or not unit.models or is_shaken(unit):
            return None
        powers = powers_of(game.rules, game.state, unit, (AFTER_MELEE,))
        used = {
            use.key for model in unit.models for use in model.uses if use.round == game.state.round
        }  # by any model: the unit has it once
        return next((one for one in powers if one.rule.name not in used and _has_target(game, one)), None)


def strike_back_for_losses(game: Play, unit: Unit, loss: losses.Loss, attack: Attack) -> None:
    """Hits on those who wounded or killed models in melee that have a rule about it; they follow the running attack."""
    if attack.kind not in ("strike", "momentum") or attack.cause == OUT_OF_TURN or attack.unit < 0:
        return
    _strike_back(game, unit, attack.unit, wounds_taken(game, unit, loss))


def strike_back_when_out(game: Play, unit: Unit, model: Model, enemy: int) -> None:
    """The same for a model that was struck in melee and knocked out by its wounds only afterwards."""
    _strike_back(game, unit, enemy, [(model, 0, True)])


def _strike_back(game: Play, unit: Unit, enemy: int, taken: list[tuple[Model, int, bool]]) -> None:
    """Hits on the enemy for models that took so many wounds, and fell or not."""
    if "hits_when_hurt" not in game.rules.hooks.of_unit(unit, game.state.profiles):
        return
    counts: dict[tuple[str, int], tuple[StrikesBackDying, int]] = {}
    ctx = UnitContext(game.state, unit)
    for model, wounds, killed in taken:
        for rule in game.rules.hooks.of_model(unit, model, game.state.profiles).get("hits_when_hurt", ()):
            assert isinstance(rule, StrikesBackDying)
            before = counts.get(rule.same, (rule, 0))[1]
            counts[rule.same] = (rule, before + rule.hits_when_hurt(ctx, wounds, killed))
    for rule, hits in counts.values():
        if hits:
            note_speaking(game, unit, rule)
            game.follow(_hits_back(game, unit, enemy, rule, hits))


def wounds_taken(game: Play, unit: Unit, loss: losses.Loss) -> list[tuple[Model, int, bool]]:
    """The models of a unit that took wounds, how many, and whether they fell; `unit` is the unit before its loss."""
    models = {model.id: model for model in unit.models}
    endures = game.rules.policies.endures
    lived = [(models[model], wounds, False) for model, wounds in loss.wounded]
    fell = [(models[one], max(1, endures(game.state, unit, models[one])), True) for one in loss.removed]
    return lived + fell


def _hits_back(game: Play, unit: Unit, enemy: int, rule: StrikesBackDying, hits: int) -> Attack:
    """Hits that come without a roll to hit: they are blocked, and count for the melee. Or dice for such hits."""
    target = game.state.units[enemy]
    if rule.block.need:
        source = Source(unit.models[0].profile, -1, (unit.models[0].id,), hits)
        volley = Volley(rule.name, enemy, (source,), target_models=len(target.models))
        volley = replace(volley, need=rule.amount(rule.block.need), rules=rule.block.rules)
        return Attack("attack", kind="momentum", unit=unit.id, volley=volley, cause=OUT_OF_TURN)
    profile = game.state.profiles[unit.models[0].profile]
    ctx = AttackContext(game.state, "momentum", unit, target, profile, None)
    kind = HitKind()
    for one in game.rules.specials.build(rule.block.rules):
        kind = one.hit(ctx, kind)
    for one in game.rules.hooks.of_unit(target, game.state.profiles).get("hit_on_me", ()):
        kind = one.hit_on_me(ctx, kind)
    group = HitGroup(hits, enemy, kind.ap, kind.no_saves, kind.multiply, rule.name, kind.mods)
    group = replace(group, again_from=kind.again_from, ones=kind.ones, ones_up_to=kind.ones_up_to)
    return Attack("attack", kind="momentum", unit=unit.id, hits=(group,), cause=OUT_OF_TURN)
