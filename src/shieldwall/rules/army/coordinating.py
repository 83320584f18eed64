"""Rules by which a friendly unit is activated as soon as a unit's own activation is over."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Activation
from shieldwall.core.pending import Option, Pending
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.geometry.tolerance import within
from shieldwall.rules.army.conditions import is_shaken
from shieldwall.rules.army.once import end_effects, spent_by_hook
from shieldwall.rules.army.picking import NOBODY, RuleChoice
from shieldwall.rules.hooks import SpecialRule, UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.measure import units_apart

CALLED = "called by a friend"  # kept with the activation of a unit that another one called


class FriendChoice(RuleChoice):
    """Which friendly unit acts next, before the turn passes; or nobody does."""

    __slots__ = ()


class CallNextUnit(TrunkStep):
    """A unit whose rule allows it has a friend near it activated before the turn passes."""

    name = "act.call_friend"
    needs = ("calls_friend",)

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Activation)
        state, unit = game.state, game.state.units[frame.unit]
        if frame.began_broken or (unit.id, CALLED) in frame.asked:
            return None
        rule = calling_rule(game.rules, state, unit)
        open_to = friends_in_call(game.rules, state, unit, rule) if rule is not None else ()
        if rule is None or not open_to:
            return None
        options = tuple(Option(f"u{one.id}", one.name, one.id) for one in open_to)
        best = max(open_to, key=lambda one: (not is_shaken(one), one.cost, len(one.models), -one.id))
        prompt = f"{unit.name}: which unit acts at once?"
        every = (*options, Option(NOBODY, "nobody"))
        return FriendChoice("rule_pick", unit, rule.name, prompt, every, f"u{best.id}")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == NOBODY:
            return
        caller, friend = game.top(Activation).unit, int(answer.option[1:])
        rule, cite = game.question(FriendChoice).rule, game.rules.cite
        end_effects(game, spent_by_hook(game.rules, game.state.units[caller], "calls_friend"))
        game.emit(ev.ActivationEnded(unit=caller, cite=cite("round.pass")))
        game.emit(ev.TurnGiven(unit=caller, rule=rule, to=friend))
        broken = game.rules.policies.idles(game.state.units[friend])
        game.emit(ev.Activated(unit=friend, cite=cite("round.activate")))
        asked = ((friend, CALLED),)
        game.finish()
        game.push(
            Activation(procedure="activation", unit=friend, began_broken=broken, asked=asked), again=True
        )


def calling_rule(rules: Ruleset, state: State, unit: Unit) -> SpecialRule | None:
    """The rule by which a unit may call a friend now, the one that reaches farthest; Shaken units call nobody."""
    if not unit.models or unit.place != "table" or is_shaken(unit):
        return None
    found = rules.hooks.of_unit(unit, state.profiles).get("calls_friend", ())
    ctx = UnitContext(state, unit)
    return max(found, key=lambda rule: rule.calls_friend(ctx), default=None)


def friends_in_call(rules: Ruleset, state: State, unit: Unit, rule: SpecialRule) -> tuple[Unit, ...]:
    """The friendly units near enough that may still be activated this round."""
    heights, reach = rules.policies.measures_heights(), rule.calls_friend(UnitContext(state, unit)) / MILLI
    return tuple(
        other
        for other in state.units
        if other.side == unit.side and other.id != unit.id and other.place == "table"
        if other.models and not other.activated
        if within(units_apart(state, unit.id, other.id, heights), reach)
    )
