"""Extra attacks on a charge: each model that has some names the weapon it makes them with."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Melee, Volley
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.core.state import Model, State, Unit
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.weapons import weapon_at

FOR_ALL = "all: "


class NameExtraAttacks(TrunkStep):
    """Models with one weapon use it; others are asked, one by one or all alike at once."""

    name = "melee.extra_attacks"

    def ask(self, game: Play) -> Pending | None:
        charger, waiting = self._waiting(game)
        open_to = self._weapons(game, waiting[0]) if waiting else []
        if len(open_to) < 2:
            return None
        options = [Option(group, group) for group in open_to]
        if len(waiting) > 1:
            options += [Option(FOR_ALL + group, f"{group}, for all others like it too") for group in open_to]
        best = max(open_to, key=lambda group: (self._worth(game, group), -open_to.index(group)))
        default = FOR_ALL + best if len(waiting) > 1 else best
        name = game.state.profiles[waiting[0].profile].name
        prompt = f"{charger.name}, {name}: which weapon makes the extra attack?"
        cite = game.rules.cite("melee.extra_attacks")
        return Choice("extra_attack", charger.seat, prompt, cite, tuple(options), default)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        _, waiting = self._waiting(game)
        first = waiting[0]
        group = answer.option.removeprefix(FOR_ALL)
        alike = [model for model in waiting if model.profile == first.profile]
        self._give(game, alike if answer.option.startswith(FOR_ALL) else [first], group)
        game.stay()

    def go(self, game: Play) -> None:
        _, waiting = self._waiting(game)
        if waiting:
            groups = self._weapons(game, waiting[0])
            alike = [model for model in waiting if self._weapons(game, model) == groups]
            self._give(game, alike, groups[0] if groups else "")
            game.stay()

    def _waiting(self, game: Play) -> tuple[Unit, list[Model]]:
        """The charging models whose extra attacks are not settled yet."""
        frame: Melee = game.stack[-1]
        charger = game.state.units[frame.charger]
        if frame.denied:
            return charger, []
        striking = {model for volley in frame.batches for source in volley.sources for model in source.models}
        return charger, [
            model
            for model in charger.models
            if model.id in striking
            and model.id not in frame.boosted
            and extra_attacks(game.rules, game.state, charger, model)
        ]

    def _weapons(self, game: Play, model: Model) -> list[str]:
        """The batches of blows in which a model strikes with a weapon that rolls to hit."""
        frame: Melee = game.stack[-1]
        return [
            volley.group
            for volley in frame.batches
            if is_rolled(game, volley) and any(model.id in source.models for source in volley.sources)
        ]

    def _worth(self, game: Play, group: str) -> int:
        """Armour piercing and the like are worth an attack: the weapon with most rules, then the first."""
        volley = next(one for one in game.top(Melee).batches if one.group == group)
        source = volley.sources[0]
        weapon = weapon_at(game.state.profiles[source.profile], source.weapon)
        return sum(rule.value or 1 for rule in weapon.rules)

    def _give(self, game: Play, models: list[Model], group: str) -> None:
        frame: Melee = game.stack[-1]
        charger = game.state.units[frame.charger]
        extra = {model.id: extra_attacks(game.rules, game.state, charger, model) for model in models}
        batches = tuple(
            with_attacks(volley, extra) if volley.group == group else volley for volley in frame.batches
        )
        game.note(batches=batches, boosted=(*frame.boosted, *extra))


def extra_attacks(rules: Ruleset, state: State, unit: Unit, model: Model) -> int:
    """Attacks a charging model has more."""
    hooks = rules.hooks.of_model(unit, model, state.profiles)
    return sum(
        rule.attacks_on_charge(UnitContext(state, unit)) for rule in hooks.get("attacks_on_charge", ())
    )


def is_rolled(game: Play, volley: Volley) -> bool:
    """Whether a batch is made of attacks that roll to hit."""
    source = volley.sources[0]
    if source.weapon < 0:
        return False
    weapon = weapon_at(game.state.profiles[source.profile], source.weapon)
    return "hits_surely" not in game.rules.hooks.of_weapon(weapon)


def with_attacks(volley: Volley, extra: dict[int, int]) -> Volley:
    """A batch of blows in which some models make more attacks; those roll apart from others of their kind."""
    sources = []
    for source in volley.sources:
        boosted = tuple(model for model in source.models if model in extra)
        plain = tuple(model for model in source.models if model not in extra)
        each = source.dice // len(source.models)
        if plain:
            sources.append(replace(source, models=plain, dice=each * len(plain)))
        if boosted:
            dice = sum(each + extra[model] for model in boosted)
            sources.append(replace(source, models=boosted, dice=dice))
    return replace(volley, sources=tuple(sources))
