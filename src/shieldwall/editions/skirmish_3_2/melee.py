"""The melee of Skirmish 3.2: blows in an order of the charger's choice, and Counter."""

from __future__ import annotations

from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Melee
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.editions.skirmish_3_2.movement import MeetHazards
from shieldwall.editions.skirmish_3_2.spread import with_models_near
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.melee import Phase, PlanBlows, charger_waits, sides_of
from shieldwall.rules.strikes import strike_volleys
from shieldwall.rules.weapons import groups_of, is_counted

MEET_ON_THE_WAY: tuple[TrunkStep, ...] = (MeetHazards(),)


class AskCounter(TrunkStep):
    """A charged unit with weapons that may strike first chooses whether they do, or strike back later.

    If the charger strikes last, all its weapons may.
    """

    name = "melee.counter"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if not charger.models or not target.models:
            return None
        if not strike_volleys(game.rules, game.state, target, charger, early=not charger_waits(game)):
            return None
        options = (
            Option("early", "strike before the charger"),
            Option("later", "strike back with everything"),
        )
        prompt = f"{target.name}: strike before the charger?"
        return Choice("counter_now", target.seat, prompt, game.rules.cite("melee.counter"), options, "early")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "later":
            game.jump("melee.plan_charger")

    def go(self, game: Play) -> None:
        game.jump("melee.plan_charger")


class PlanInOrder(PlanBlows):
    """One side's blows; those that must be resolved first come first, even before Impact."""

    def go(self, game: Play) -> None:
        super().go(game)
        ordered = sorted(game.top(Melee).batches, key=lambda volley: volley.rank)
        striker, _ = sides_of(game, self.phase)
        game.note(batches=tuple(with_models_near(game, striker.id, volley) for volley in ordered))


class KeepLimited(TrunkStep):
    """Limited weapons need not be used in this melee."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase
        self.name = f"melee.keep_{phase}"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        at = self._next(game, frame)
        if at < 0:
            return None
        striker, _ = sides_of(game, self.phase)
        group = frame.batches[at].group
        options = (Option("yes", f"strike with {group}"), Option("no", f"save {group} for later"))
        cite = game.rules.cite("melee.limited")
        return Choice(
            "limited_now", striker.seat, f"Use {group} of {striker.name} now?", cite, options, "yes"
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame: Melee = game.stack[-1]
        at = self._next(game, frame)
        if answer.option == "no":
            game.note(batches=frame.batches[:at] + frame.batches[at + 1 :], next=at)
        else:
            game.note(next=at + 1)
        game.stay()

    def go(self, game: Play) -> None:
        game.note(next=0)

    def _next(self, game: Play, frame: Melee) -> int:
        """The next planned blows with a counted weapon not asked about yet; -1 when there are none."""
        striker, _ = sides_of(game, self.phase)
        counted = {
            group.key
            for group in groups_of(game.state, striker, ranged=False)
            if is_counted(game.rules, group.weapon)
        }
        for at in range(frame.next, len(frame.batches)):
            if frame.batches[at].group in counted and frame.batches[at].sources[0].weapon >= 0:
                return at
        return -1
