"""The melee of Age of Fantasy 1.6 around the blows themselves: fear tests, braced enemies, sure hits, fire."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Attack, Danger, Melee, Morale, Shoot, Source, Volley
from shieldwall.core.pending import Choice, Option, Pending, Roll
from shieldwall.core.state import MILLI, Effect, RuleRef, State, Unit
from shieldwall.core.values import FACE_LABELS, PASS, Counts, Pool, Target, pool_of_tests, total
from shieldwall.editions.aof_1_6.building_as_unit import port_tables
from shieldwall.editions.aof_1_6.wounding import RollForEachModel, RollMoraleInStages, SecondMoraleDie
from shieldwall.geometry.tolerance import within
from shieldwall.rules.features.melee_scores import DecideMelee
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.melee import MeleeResult, Phase, sides_of
from shieldwall.rules.steps.morale import SecondChance, test_taken
from shieldwall.table.measure import model_to_unit
from shieldwall.table.sight import shooting_scan

MELEE = "melee"  # how long the effects of one melee last
FRIGHTENED = "Frightened"
FIRE = "Fire Breath"
FIRE_REACH = 12 * MILLI


class FearTests(TrunkStep):
    """A unit without Fear that is about to fight an enemy with Fear is tested once."""

    name = "melee.fear"

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if not charger.models or not target.models:
            return
        pairs = ((charger, target), (target, charger))
        tests = [
            Morale(procedure="morale.fear", unit=unit.id, cause="fear")
            for unit, enemy in pairs
            if frightens(game.rules, game.state, enemy) and not frightens(game.rules, game.state, unit)
        ]
        if tests:
            game.push(*tests)


class RollFear(RollMoraleInStages):
    """A morale test whose failure only costs the unit 1 on its blows."""

    def purpose_of(self, game: Play) -> str:
        return "fear"


class FearEffect(TrunkStep):
    """Failing means -1 to hit in this melee and nothing else."""

    name = "morale.effect"

    def go(self, game: Play) -> None:
        frame: Morale = game.stack[-1]
        cite = game.rules.cite("melee.fear")
        test_taken(game, frame, cite)
        if not frame.passed:
            for_melee(game, frame.unit, "Fear", RuleRef(FRIGHTENED), cite)


FEAR: tuple[TrunkStep, ...] = (RollFear(), SecondMoraleDie(), SecondChance(), FearEffect())


def frightens(rules: Ruleset, state: State, unit: Unit) -> bool:
    """Whether a unit has a model with Fear."""
    return bool(rules.hooks.of_unit(unit, state.profiles).get("frightens"))


def for_melee(game: Play, unit: int, name: str, rule: RuleRef, cite: str) -> None:
    """Give a unit a rule until the melee is over."""
    game.emit(ev.EffectBegan(unit=unit, effect=Effect(name, -1, MELEE, (rule,)), cite=cite))


class EndOfMelee(TrunkStep):
    """Effects that last for this melee end."""

    name = "melee.end"

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        for unit in (game.state.units[frame.charger], game.state.units[frame.target]):
            if unit.effects and any(effect.until == MELEE for effect in unit.effects):
                game.emit(ev.EffectEnded(unit=unit.id, until=MELEE, cite=game.rules.cite("melee.fear")))


class DecideByWounds(DecideMelee):
    """Wounds and fixed bonuses are compared, without a roll."""

    def scores(self, game: Play, charger: Unit, target: Unit) -> tuple[int, int]:
        return MeleeResult.scores(self, game, charger, target)


class TestChargers(TrunkStep):
    """Charging models take dangerous-terrain tests, as many as the charged unit has braced models."""

    name = "melee.before"

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        hooks, profiles = game.rules.hooks, game.state.profiles
        braced = sum("tests_chargers" in hooks.of_model(target, model, profiles) for model in target.models)
        if not braced or not charger.models:
            return
        nearest = sorted(
            range(len(charger.models)), key=lambda at: (nearness(game.state, charger, at, target), at)
        )
        tested = sorted(nearest[:braced])
        models = tuple((charger.models[at].id, -1) for at in tested)
        game.push(Danger(procedure="danger.phalanx", unit=charger.id, models=models))


def nearness(state: State, unit: Unit, at: int, enemy: Unit) -> float:
    """The distance of a model to an enemy unit; 0 if either is off the table."""
    if enemy.place != "table" or unit.place != "table":
        return 0.0
    return round(model_to_unit(state, unit.id, at, enemy.id, heights=True), 3)


class RollAgainstPhalanx(RollForEachModel):
    """Wounds count as caused by the charged unit."""

    def ask(self, game: Play) -> Pending | None:
        asked = super().ask(game)
        assert isinstance(asked, Roll)
        return Roll(asked.purpose, asked.seat, asked.pools, game.rules.cite("melee.brace"))

    def wound(self, game: Play, frame: Danger, model: int) -> Attack:
        melee = game.nearest(Melee)
        assert melee is not None, "only chargers meet a phalanx"
        return replace(super().wound(game, frame, model), kind="strike", unit=melee.target)


class FuriousHits(TrunkStep):
    """Charging models with the rule that are in reach each take a Quality test; a success is a hit."""

    name = "melee.furious"

    def ask(self, game: Play) -> Pending | None:
        pools = tuple(
            pool_of_tests(len(models), Target(quality), "Furious")
            for quality, models in self._by_quality(game).items()
        )
        if not pools:
            return None
        seat = game.state.units[game.top(Melee).charger].seat
        return Roll("furious", seat, pools, game.rules.cite("melee.furious"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Melee = game.stack[-1]
        hits = sum(count.get(PASS, 0) for count in counts)
        models = tuple(model for models in self._by_quality(game).values() for model in models)
        if hits:
            push_sure_hits(game, "Furious", frame.charger, frame.target, models, hits, "momentum")

    def _by_quality(self, game: Play) -> dict[int, list[int]]:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        found: dict[int, list[int]] = {}
        if not charger.models or not target.models:
            return found
        profiles = game.state.profiles
        for model in game.rules.policies.strikers(game.rules, game.state, charger, target):
            if "tests_for_hits" in game.rules.hooks.of_model(charger, model, profiles):
                found.setdefault(profiles[model.profile].quality, []).append(model.id)
        return found


class BreathInMelee(TrunkStep):
    """A unit with Fire Breath chooses whether to use it now: 2D6 hits, once per game."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase
        self.name = f"melee.breath_{phase}"

    def ask(self, game: Play) -> Pending | None:
        striker, enemy = sides_of(game, self.phase)
        if not striker.models or not enemy.models or not has_fire(game.rules, game.state, striker):
            return None
        if not game.rules.policies.strikers(game.rules, game.state, striker, enemy):
            return None
        options = (Option("yes", "breathe fire now"), Option("no", "save it for later"))
        prompt = f"{striker.name}: breathe fire at {enemy.name}? It can be used once per game"
        return Choice("breath_now", striker.seat, prompt, game.rules.cite("breath.melee"), options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        striker, enemy = sides_of(game, self.phase)
        if answer.option == "yes":
            breathe(game, striker.id, enemy.id, "momentum")


class BreathWhenShooting(TrunkStep):
    """The same power used when shooting, on one enemy in sight up to 12 inches away."""

    name = "shoot.breath"

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Shoot).unit]
        if not unit.models or unit.place == "inside" or not has_fire(game.rules, game.state, unit):
            return None
        options = [Option("none", "save it for later")]
        options += [
            Option(f"u{enemy}", game.state.units[enemy].name, enemy)
            for enemy in in_fire(game.rules, game.state, unit)
        ]
        prompt = f"{unit.name}: breathe fire at whom? It can be used once per game"
        cite = game.rules.cite("breath.shoot")
        return Choice("breath_at", unit.seat, prompt, cite, tuple(options), options[-1].key)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option != "none":
            breathe(game, game.top(Shoot).unit, int(answer.option[1:]), "shoot")


class RollFire(TrunkStep):
    """2D6 hits without a roll to hit."""

    name = "breath.roll"

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        seat = game.state.units[frame.unit].seat
        return Roll("fire_breath", seat, (Pool(2, FACE_LABELS),), game.rules.cite("breath.melee"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Attack = game.stack[-1]
        assert frame.volley is not None
        models = frame.volley.sources[0].models
        kind: Literal["momentum", "shoot"] = "shoot" if frame.kind == "shoot" else "momentum"
        push_sure_hits(game, FIRE, frame.unit, frame.volley.target, models, total(counts[0]), kind)


BREATH: tuple[TrunkStep, ...] = (RollFire(),)


def has_fire(rules: Ruleset, state: State, unit: Unit) -> bool:
    """Whether a unit can breathe fire and has not done so yet."""
    used = any(use.key == FIRE for use in unit.uses)
    return not used and bool(rules.hooks.of_unit(unit, state.profiles).get("breathes_fire"))


def in_fire(rules: Ruleset, state: State, unit: Unit) -> tuple[int, ...]:
    """Enemies that some fire breather sees within 12 inches, possibly through firing ports."""
    places = [
        at
        for at, model in enumerate(unit.models)
        if "breathes_fire" in rules.hooks.of_model(unit, model, state.profiles)
    ]
    reach = FIRE_REACH / MILLI
    found: list[int] = []
    open_ground = () if unit.place == "garrison" else ((state, None),)
    for there, only in (*open_ground, *port_tables(state, unit)):
        scan = shooting_scan(there, rules.policies.sight_method(there), unit.id, reach=reach + 0.01)
        seen = scan.nearest_seen if unit.place == "garrison" else scan.nearest_seen[places]
        found += [
            enemy
            for column, enemy in enumerate(scan.targets)
            if (only is None or enemy in only) and any(within(float(row[column]), reach) for row in seen)
        ]
    return tuple(found)


def breathe(game: Play, unit: int, enemy: int, kind: Literal["momentum", "shoot"]) -> None:
    """Use up the power and attack with it."""
    cite = game.rules.cite("breath.melee" if kind == "momentum" else "breath.shoot")
    game.emit(ev.WeaponUsed(unit=unit, model=-1, key=FIRE, cite=cite))
    models = tuple(model.id for model in game.state.units[unit].models)
    profile = game.state.units[unit].models[0].profile
    volley = Volley(FIRE, enemy, (Source(profile, -1, models, 0),))
    game.push(Attack(procedure="breath", kind=kind, unit=unit, volley=volley))


def push_sure_hits(
    game: Play,
    name: str,
    unit: int,
    enemy: int,
    models: tuple[int, ...],
    hits: int,
    kind: Literal["momentum", "shoot"],
) -> None:
    """Hits that need no roll to hit, to be rolled for wounds."""
    profile = game.state.units[unit].models[0].profile
    volley = Volley(name, enemy, (Source(profile, -1, models, hits),), target_models=hits)
    procedure = "blows" if kind == "momentum" else "attack"
    game.push(Attack(procedure=procedure, kind=kind, unit=unit, volley=volley, charging=kind == "momentum"))
