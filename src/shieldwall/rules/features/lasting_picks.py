"""Choices made before the game that last for all of it: some rules ask for one, unit by unit."""

from __future__ import annotations

from collections.abc import Iterator

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.pending import ChoiceAbout, Option, Pending
from shieldwall.core.state import Profile, State, Unit
from shieldwall.rules.hooks import SpecialRule, UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.special.loose_armies import MELEE, SHOOTING, pick_name


class MakePicks(TrunkStep):
    """Ask every unit with such a rule once; the default is the kind of attack its bearer has more of."""

    name = "setup.picks"

    def ask(self, game: Play) -> Pending | None:
        found = next_pick(game.rules, game.state)
        if found is None:
            return None
        unit, profile, rule = found
        values = rule.picks_before_game(UnitContext(game.state, unit))
        options = tuple(Option(value, f"{rule.name} for {value}") for value in values)
        prompt = f"{unit.name}: what does the {rule.name} do in this game?"
        cite = game.rules.cite("setup.picks")
        return LastingPick(rule, unit, prompt, cite, options, usual_pick(profile))

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        asked = game.question(LastingPick)
        what, cite = pick_name(asked.rule), game.rules.cite("setup.picks")
        game.emit(ev.PickMade(unit=asked.unit.id, what=what, value=answer.option, cite=cite))
        game.stay()


class LastingPick(ChoiceAbout):
    """What a rule of a unit does in this game."""

    __slots__ = ("rule",)

    def __init__(
        self, rule: SpecialRule, unit: Unit, prompt: str, cite: str, options: tuple[Option, ...], usual: str
    ) -> None:
        super().__init__(unit, "lasting_pick", prompt, cite, options, usual)
        self.rule = rule


def next_pick(rules: Ruleset, state: State) -> tuple[Unit, Profile, SpecialRule] | None:
    """The next unit with an open choice, the profile that has the rule, and the rule."""
    return next(open_picks(rules, state), None)


def open_picks(rules: Ruleset, state: State) -> Iterator[tuple[Unit, Profile, SpecialRule]]:
    """All open choices, unit by unit."""
    for unit in state.units:
        settled = {what for what, _ in unit.picks}
        for number in dict.fromkeys(model.profile for model in unit.models):
            profile = state.profiles[number]
            for rule in rules.hooks.of_profile(profile).get("picks_before_game", ()):
                if pick_name(rule) not in settled:
                    yield unit, profile, rule


def usual_pick(profile: Profile) -> str:
    """The kind of attack a model has more of; melee on a tie, because any unit may be charged."""
    shots = sum(weapon.attacks for weapon in profile.weapons if weapon.reach)
    blows = sum(weapon.attacks for weapon in profile.weapons if not weapon.reach)
    return SHOOTING if shots > blows else MELEE
