"""Units that brace themselves: chargers are tested before any blow and gain nothing from charging."""

from __future__ import annotations

from shieldwall.core.frames import Attack, Melee, Packet
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import Unit
from shieldwall.core.values import Counts, Pool
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.danger import ONE


class BraceForCharge(TrunkStep):
    """One die for each charging model, as many as it is tough, but no more than there are braced models.

    Wounds count as caused by the charged unit.
    """

    name = "melee.before"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if not charger.models or not target.models:
            return None
        if not game.rules.hooks.of_unit(target, game.state.profiles).get("tests_chargers"):
            return None
        profiles = game.state.profiles
        dice = min(sum(profiles[model.profile].wounds for model in charger.models), braced(game, target))
        return Roll("dangerous", charger.seat, (Pool(dice, ONE),), game.rules.cite("melee.brace"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        self._deny(game)
        frame: Melee = game.stack[-1]
        wounds = counts[0].get("one", 0)
        if wounds:
            game.push(
                Attack(
                    procedure="wounds",
                    kind="strike",
                    unit=frame.target,
                    victim=frame.charger,
                    packets=(Packet(wounds),),
                    cause="danger",
                )
            )

    def go(self, game: Play) -> None:
        self._deny(game)

    def _deny(self, game: Play) -> None:
        target = game.state.units[game.top(Melee).target]
        if target.models and game.rules.hooks.of_unit(target, game.state.profiles).get("denies_charge"):
            game.note(denied=True)


def braced(game: Play, unit: Unit) -> int:
    """How many models of a unit have a rule that tests those who charge it."""
    hooks = game.rules.hooks
    return sum("tests_chargers" in hooks.of_model(unit, model, game.state.profiles) for model in unit.models)
