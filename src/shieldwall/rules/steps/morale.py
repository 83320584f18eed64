"""Morale: who tests, the roll, a second chance, and what failing means."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Morale, RuleUse
from shieldwall.core.grammar import unit_does
from shieldwall.core.pending import Choice, Option, Pending, Roll
from shieldwall.core.state import Model, State, Unit, model_ids
from shieldwall.core.values import FAIL, PASS, Counts, Mod, Target, pool_of_tests
from shieldwall.rules.army.once import end_effects, has_once, spent_by_hook
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.attack import remove_models


class ChooseTester(TrunkStep):
    """The owner chooses whose Quality is used, if a hero may take the test."""

    name = "morale.tester"

    def ask(self, game: Play) -> Pending | None:
        frame: Morale = game.stack[-1]
        unit = game.state.units[frame.unit]
        if game.rules.policies.fails_morale(unit) or always_passes(game, unit):
            return None
        leaders = game.rules.policies.leaders(game.rules, game.state, unit)
        if not leaders:
            return None
        own = game.rules.policies.test_quality(game.state, unit)
        options = [Option("own", f"the unit's own Quality {own}+")]
        options += [Option(f"m{m.id}", _whose_quality(game.state, m)) for m in leaders]
        best = min(leaders, key=lambda m: (game.state.profiles[m.profile].quality, m.id))
        better = game.state.profiles[best.profile].quality < own
        prompt = f"{unit_does(unit, 'test')} morale: with whose Quality?"
        default = f"m{best.id}" if better else "own"
        return Choice("tester", unit.seat, prompt, game.rules.cite("morale.tester"), tuple(options), default)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        game.note(tester=-1 if answer.option == "own" else int(answer.option[1:]))


def _whose_quality(state: State, leader: Model) -> str:
    profile = state.profiles[leader.profile]
    return f"{profile.name}'s Quality {profile.quality}+"


class RollMorale(TrunkStep):
    """One Quality test; a unit that is already broken fails without a roll."""

    name = "morale.roll"
    purpose = "morale"

    def ask(self, game: Play) -> Pending | None:
        frame: Morale = game.stack[-1]
        unit = game.state.units[frame.unit]
        if game.rules.policies.fails_morale(unit) or always_passes(game, unit):
            return None
        target = morale_target(game.rules, game.state, unit, frame)
        pool = pool_of_tests(1, target)
        return Roll(
            "rout" if frame.cause == "rout" else "morale", unit.seat, (pool,), game.rules.cite("morale.roll")
        )

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        game.note(passed=counts[0].get(PASS, 0) > 0)
        if counts[0].get(FAIL, 0) and self._tries_again(game):
            game.note(retested=True)
            game.stay()

    def _tries_again(self, game: Play) -> bool:
        """Whether a rule lets a failed test be rerolled, which happens at most once."""
        frame: Morale = game.stack[-1]
        if frame.retested or "morale_again" not in game.plans.in_play:
            return False
        unit = game.state.units[frame.unit]
        rules = game.rules.policies.retests(game.rules, game.state, unit, frame.tester)
        return any(rule.morale_again(UnitContext(game.state, unit)) for rule in rules)

    def go(self, game: Play) -> None:
        game.note(passed=always_passes(game, game.state.units[game.top(Morale).unit]))


def always_passes(game: Play, unit: Unit) -> bool:
    """Whether a rule lets a unit pass morale tests without a roll."""
    if "passes_morale" not in game.plans.in_play:
        return False
    rules = game.rules.hooks.of_unit(unit, game.state.profiles).get("passes_morale", ())
    return any(rule.passes_morale(UnitContext(game.state, unit)) for rule in rules)


class SecondChance(TrunkStep):
    """A rule may turn the failure into a pass."""

    name = "morale.rescue"

    def ask(self, game: Play) -> Pending | None:
        frame: Morale = game.stack[-1]
        if frame.passed:
            return None
        unit = game.state.units[frame.unit]
        chances = game.rules.policies.second_chances(game.rules, game.state, unit, frame)
        if not chances:
            return None
        needed = min(rule.morale_failed(UnitContext(game.state, unit)) for rule in chances)
        pool = pool_of_tests(1, Target(needed), chances[0].title)
        return Roll("fearless", unit.seat, (pool,), chances[0].cite)

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        game.note(passed=counts[0].get(PASS, 0) > 0)


class MoraleEffect(TrunkStep):
    """Nothing, a broken unit, or a rout."""

    name = "morale.effect"

    def go(self, game: Play) -> None:
        frame: Morale = game.stack[-1]
        unit = game.state.units[frame.unit]
        test_taken(game, frame, game.rules.cite("morale.roll"))
        if frame.passed:
            return
        if stands_firm(game, unit):
            return
        if frame.cause == "melee" and game.rules.policies.flees(game.state, unit):
            rout(game, unit)
        elif not unit.broken:
            game.emit(ev.Broke(unit=unit.id, cite=game.rules.cite("morale.broken")))
            game.rules.after_shaken(game, unit.id)


def stands_firm(game: Play, unit: Unit) -> bool:
    """Whether a unit takes wounds instead of failing a test; if so, the rolls for them follow."""
    if "stands_firm" not in game.plans.in_play:
        return False
    rules = game.rules.hooks.of_unit(unit, game.state.profiles).get("stands_firm", ())
    if not rules or not unit.models:
        return False
    face = min(rule.stands_firm(UnitContext(game.state, unit)) for rule in rules)
    game.follow(RuleUse(procedure="stand_firm", unit=unit.id, rule=rules[0].name, place=face))
    return True


NERVE = (
    "to_morale",
    "passes_morale",
    "morale_again",
    "morale_failed",
    "stands_firm",
)  # hooks that help in a test


def test_taken(game: Play, frame: Morale, cite: str) -> None:
    """Record a morale test; effects that last for one test are used up."""
    unit = game.state.units[frame.unit]
    if has_once(unit):
        end_effects(game, spent_by_hook(game.rules, unit, *NERVE))
    game.emit(ev.MoraleTested(unit=unit.id, passed=frame.passed, why=frame.cause, cite=cite))


MORALE: tuple[TrunkStep, ...] = (ChooseTester(), RollMorale(), SecondChance(), MoraleEffect())


def rout(game: Play, unit: Unit) -> None:
    """Take a whole unit off the table; these losses are not wounds."""
    cite = game.rules.cite("morale.rout")
    remove_models(game, unit.id, model_ids(unit), "routed", cite)


def morale_target(rules: Ruleset, state: State, unit: Unit, frame: Morale) -> Target:
    """The needed roll with its reasons."""
    quality = rules.policies.test_quality(state, unit)
    if frame.tester >= 0:
        quality = state.profiles[model_by_id(state, frame.tester).profile].quality
    mods: list[Mod] = list(frame.mods)
    mods += rules.policies.morale_mods(rules, state, unit, frame.tester)
    return Target(quality, tuple(mods))


def model_by_id(state: State, model_id: int) -> Model:
    """A living model by its id."""
    return next(model for unit in state.units for model in unit.models if model.id == model_id)
