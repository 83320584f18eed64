"""Army rules of rounds and moves out of turn: nerve that comes back, markers that grow, moves after attacks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.blocks import NoRetreat, PutMarkers
from shieldwall.core.frames import Activation, Movement, Packet, Round, RuleUse
from shieldwall.core.pending import Option, Pending, Roll
from shieldwall.core.state import Effect, RuleRef, State, Unit
from shieldwall.core.values import FACES, PASS, Counts, Pool, Target, half_up, highest, labels_from
from shieldwall.rules import losses
from shieldwall.rules.army.conditions import is_shaken
from shieldwall.rules.army.feats import is_used
from shieldwall.rules.army.fighting import (
    AvengedByFriends,
    GrowsStronger,
    MovesAfter,
    PicksUnits,
    SharesAura,
    StandsFirm,
)
from shieldwall.rules.army.once import end_effects, note_speaking, spent_by_hook
from shieldwall.rules.army.picking import RuleChoice, count_of, kit_rules, marked, multiplied
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.attack import write_loss

GAME, BEARER, NOBODY = "game", "bearer", "none"


class RecoverNerve(TrunkStep):
    """Shaken units whose rules allow it may recover on a die when a round begins; then some units collect markers."""

    name = "round.nerve"
    needs = ("recovers_on", "grows")

    def ask(self, game: Play) -> Pending | None:
        found = self._next(game)
        if found is None:
            return None
        unit, needed = found
        pool = Pool(1, labels_from(needed), Target(needed), "nerve")
        return Roll("rule", unit.seat, (pool,), "")

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        found = self._next(game)
        assert found is not None
        unit = found[0]
        game.note(tried=(*game.top(Round).tried, unit.id))
        end_effects(game, spent_by_hook(game.rules, unit, "recovers_on"))
        if counts[0].get(PASS, 0):
            game.emit(ev.Recovered(unit=unit.id))
        game.stay()

    def go(self, game: Play) -> None:
        grow_with_the_round(game, "round begins")

    def _next(self, game: Play) -> tuple[Unit, int] | None:
        for unit in game.state.units:
            if not is_shaken(unit) or not unit.models or unit.id in game.top(Round).tried:
                continue
            rules = game.rules.hooks.of_unit(unit, game.state.profiles).get("recovers_on", ())
            if rules:
                return unit, min(rule.recovers_on(UnitContext(game.state, unit)) for rule in rules)
        return None


class GrowAtRoundEnd(TrunkStep):
    """Units that collect a marker every round do so, unless they are broken."""

    name = "round.grow"
    needs = ("grows",)

    def go(self, game: Play) -> None:
        grow_with_the_round(game, "round ends")


def grow_with_the_round(game: Play, moment: str) -> None:
    """Units on the table collect markers when a round begins or ends; some not in the round of their deployment."""
    for unit in game.state.units:
        for rule in (
            game.rules.hooks.of_unit(unit, game.state.profiles).get("grows", ()) if unit.models else ()
        ):
            assert isinstance(rule, GrowsStronger)
            is_new = rule.block.after_first and game.state.round <= max(1, unit.arrived)
            if is_shaken(unit) and rule.block.lost_when_shaken:
                lose_markers(game, unit.id, rule)
            elif rule.block.at == moment and unit.place == "table" and not is_new:
                grow(game, unit.id, rule)


def lose_when_shaken(game: Play, unit_id: int) -> None:
    """A unit that has become Shaken loses the markers of rules that say so."""
    unit = game.state.units[unit_id]
    for rule in (
        game.rules.hooks.of_unit(unit, game.state.profiles).get("grows", ()) if is_shaken(unit) else ()
    ):
        assert isinstance(rule, GrowsStronger)
        if rule.block.lost_when_shaken:
            lose_markers(game, unit_id, rule)


def grow_at(game: Play, unit_id: int, moment: str, times: int = 1) -> None:
    """Something has happened to a unit, or was done by it: its rules that count that go up by so many markers."""
    unit = game.state.units[unit_id]
    for rule in game.rules.hooks.of_unit(unit, game.state.profiles).get("grows", ()) if unit.models else ():
        assert isinstance(rule, GrowsStronger)
        for _ in range(times if rule.block.at == moment else 0):
            grow(game, unit_id, rule)


def mark_destroyer(game: Play, destroyer: int, fallen: Unit) -> None:
    """Friends of a destroyed unit get something against its destroyer for every model the unit began with."""
    if not game.state.units[destroyer].models:
        return
    for rule in game.rules.hooks.of_unit(fallen, game.state.profiles).get("avenged", ()):
        assert isinstance(rule, AvengedByFriends)
        had = [effect for effect in game.state.units[destroyer].effects if count_of(effect, rule.name)]
        for effect in had:
            game.emit(ev.EffectEnded(unit=destroyer, until=GAME, name=effect.name))
        count = max(fallen.start_models, len(fallen.models)) + sum(count_of(one, rule.name) for one in had)
        game.emit(ev.EffectBegan(unit=destroyer, effect=vengeance(rule, count)))


def vengeance(rule: AvengedByFriends, count: int) -> Effect:
    """What so many markers on a destroyer do for the friends of those it destroyed."""
    blocks = tuple(multiplied(block, count) for block in rule.block.blocks)
    return Effect(f"{rule.name} x{count}", -1, GAME, (), (RuleRef(rule.name, count, False, blocks),))


def grow(game: Play, unit_id: int, rule: GrowsStronger) -> None:
    """One marker more, up to as many as count."""
    before = markers_of(game.state.units[unit_id], rule)
    now = min(before + 1, rule.block.most or before + 1)
    if now == before:
        return
    lose_markers(game, unit_id, rule)
    game.emit(ev.EffectBegan(unit=unit_id, effect=markers_effect(rule, now)))


def markers_effect(rule: GrowsStronger, count: int) -> Effect:
    """What so many markers of a rule do for the unit that has them."""
    blocks = tuple(multiplied(block, count) for block in rule.block.blocks)
    return Effect(f"{rule.name} x{count}", -1, GAME, (RuleRef(rule.name, count, False, blocks),))


def marker_rules(rules: Ruleset, state: State, unit: Unit) -> dict[str, Callable[[int], Effect]]:
    """Rules of which a unit may have markers, by name: those it collects, and those that enemies put onto it."""
    found: dict[str, Callable[[int], Effect]] = {}
    for rule in rules.hooks.of_unit(unit, state.profiles).get("grows", ()) if unit.models else ():
        if isinstance(rule, GrowsStronger):
            found[rule.name] = partial(markers_effect, rule)
    for enemy in state.units:
        if enemy.side == unit.side or not enemy.models:
            continue
        for avenged in rules.hooks.of_unit(enemy, state.profiles).get("avenged", ()):
            assert isinstance(avenged, AvengedByFriends)
            found[avenged.name] = partial(vengeance, avenged)
        for model in enemy.models:
            for picks in kit_rules(rules, state, enemy, model):
                assert isinstance(picks, PicksUnits)
                for block in picks.block.then:
                    if isinstance(block, PutMarkers):
                        found[picks.name] = partial(marked, picks.name, block)
    return found


def markers_of(unit: Unit, rule: GrowsStronger) -> int:
    """How many markers of a rule a unit has."""
    return max([0, *(effect.grants[0].value for effect in unit.effects if _is_growth(effect, rule))])


def lose_markers(game: Play, unit_id: int, rule: GrowsStronger) -> None:
    """Take a unit's markers of a rule away."""
    for effect in game.state.units[unit_id].effects:
        if _is_growth(effect, rule):
            game.emit(ev.EffectEnded(unit=unit_id, until=GAME, name=effect.name))


def _is_growth(effect: Effect, rule: GrowsStronger) -> bool:
    return effect.until == GAME and effect.name.startswith(f"{rule.name} x") and bool(effect.grants)


class MoveAfterAttacks(TrunkStep):
    """Units whose rules allow it may move again after shooting or fighting, once per round."""

    name = "act.rule_moves"
    needs = ("moves_after",)

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        if not frame.attacked and not frame.fought:
            return
        fought = tuple(dict.fromkeys(frame.fought))
        for unit_id in dict.fromkeys((frame.unit, *fought)):
            rule = self._rule(game, frame, game.state.units[unit_id], unit_id in fought)
            if rule is not None:
                game.emit(ev.WeaponUsed(unit=unit_id, model=-1, key=rule.name))
                note_speaking(game, game.state.units[unit_id], rule)
                reach = rule.amount(rule.block.reach)
                procedure = "move.spell"
                game.push(
                    Movement(procedure=procedure, unit=unit_id, action="rule", allowance=reach), again=True
                )
                return

    def _rule(self, game: Play, frame: Activation, unit: Unit, fought: bool) -> MovesAfter | None:
        if unit.place != "table" or not unit.models or is_shaken(unit):
            return None
        shot = unit.id == frame.unit and frame.attacked and not fought
        moments = {"after attacking"} | ({"after melee"} if fought else {"after shooting"})
        if not fought and not shot:
            return None
        for rule in game.rules.hooks.of_unit(unit, game.state.profiles).get("moves_after", ()):
            assert isinstance(rule, MovesAfter)
            if rule.block.at in moments and not is_used(game.state, unit, rule):
                return rule
        return None


class StandAndBleed(TrunkStep):
    """A unit that will not run takes wounds, which nothing ignores: so many, or one for each low die of those it rolls
    for the wounds it has left."""

    name = "retreat.roll"

    def ask(self, game: Play) -> Pending | None:
        frame: RuleUse = game.stack[-1]
        unit = game.state.units[frame.unit]
        block = self._block(game, frame)
        if block.die:
            labels = [str(half_up(face) if block.die == D3 else face) for face in FACES]
            dice = 1
        else:
            labels = ["one" if face <= frame.place else "safe" for face in FACES]
            dice = sum(game.state.profiles[m.profile].wounds - m.wounds for m in unit.models)
        if dice <= 0 or (block.wounds and not block.die):
            return None
        one, two, three, four, five, six = labels
        pool = Pool(dice, (one, two, three, four, five, six), None, frame.rule)
        return Roll("rule", unit.seat, (pool,), "")

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        block = self._block(game, game.top(RuleUse))
        rolled = highest(counts[0]) if block.die else counts[0].get("one", 0)
        self.land(game, block.wounds + rolled)

    def go(self, game: Play) -> None:
        self.land(game, self._block(game, game.top(RuleUse)).wounds)

    def land(self, game: Play, wounds: int) -> None:
        """So many wounds are taken."""
        unit = game.state.units[game.top(RuleUse).unit]
        if wounds and unit.models:
            write_loss(
                game, unit, losses.land(game.rules, game.state, unit, -1, Packet(wounds), ()), "wounds"
            )

    def _block(self, game: Play, frame: RuleUse) -> NoRetreat:
        """What the rule says; one that has just ended bleeds by dice."""
        unit = game.state.units[frame.unit]
        rules = game.rules.hooks.of_unit(unit, game.state.profiles).get("stands_firm", ())
        known = (rule.block for rule in rules if isinstance(rule, StandsFirm) and rule.name == frame.rule)
        return next(known, NoRetreat(frame.place))


D3 = 3
STAND_AND_BLEED: tuple[TrunkStep, ...] = (StandAndBleed(),)


class ShareAuras(TrunkStep):
    """Before the game, bearers of some auras pick friends that share them while the bearer is alive."""

    name = "setup.auras"

    def ask(self, game: Play) -> Pending | None:
        found = next_aura(game.rules, game.state)
        if found is None:
            return None
        unit, rule = found
        open_to = sharers(game.state, unit, rule)
        best = max(open_to, key=lambda other: (other.cost, len(other.models), -other.id))
        options = tuple(Option(f"u{other.id}", other.name, other.id) for other in open_to)
        words = f"{unit.name}: which friends share it?"
        every = (*options, Option(NOBODY, "nobody else"))
        return RuleChoice("aura_pick", unit, rule.name, words, every, f"u{best.id}")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        found = next_aura(game.rules, game.state)
        assert found is not None
        unit, rule = found
        game.emit(ev.PickMade(unit=unit.id, what=rule.name, value=answer.option))
        if answer.option != NOBODY:
            share(game, unit, rule, int(answer.option[1:]))
        game.stay()


def share(game: Play, unit: Unit, rule: SharesAura, friend: int) -> None:
    """Lay an aura on a friend of its bearer."""
    effect = shared_aura(game.rules, game.state, unit, rule.name)
    assert effect is not None
    game.emit(ev.EffectBegan(unit=friend, effect=effect))


def shared_aura(rules: Ruleset, state: State, unit: Unit, name: str) -> Effect | None:
    """The effect that friends have who share an aura of a unit; None where it has no such aura."""
    for model in unit.models:
        for rule in _auras_of(rules, state, model.profile):
            if rule.name == name:
                given = (RuleRef(rule.name, rule.value, False, rule.block.blocks),)
                return Effect(rule.name, model.id, BEARER, given)
    return None


def _auras_of(rules: Ruleset, state: State, profile: int) -> tuple[SharesAura, ...]:
    found = rules.hooks.of_profile(state.profiles[profile]).get("shares_aura", ())
    return tuple(rule for rule in found if isinstance(rule, SharesAura))


def next_aura(rules: Ruleset, state: State) -> tuple[Unit, SharesAura] | None:
    """The next unit with an aura for which friends may still be picked."""
    bearers = rules.hooks.by_hook("shares_aura", state.profiles)
    for unit in state.units if bearers else ():
        for profile in dict.fromkeys(model.profile for model in unit.models):
            for rule in _auras_of(rules, state, profile):
                made = [value for what, value in unit.picks if what == rule.name]
                if NOBODY in made or len(made) >= rule.block.count or not sharers(state, unit, rule):
                    continue
                return unit, rule
    return None


def sharers(state: State, unit: Unit, rule: SharesAura) -> tuple[Unit, ...]:
    """Friends that could share an aura."""
    return tuple(
        other
        for other in state.units
        if other.side == unit.side and other.id != unit.id and other.models
        if not any(effect.name == rule.name for effect in other.effects)
    )
