"""Dangerous ground: dice by model, a wound for each 1, never blocked."""

from __future__ import annotations

from shieldwall.core.frames import Attack, Danger, Packet
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.values import Counts, Labels, Pool
from shieldwall.rules.ruleset import Play, TrunkStep

ONE: Labels = ("one", "safe", "safe", "safe", "safe", "safe")


class RollDanger(TrunkStep):
    """One die for each model at risk; tough models roll as many as their Tough value."""

    name = "danger.roll"

    def ask(self, game: Play) -> Pending | None:
        frame: Danger = game.stack[-1]
        unit = game.state.units[frame.unit]
        at_risk = {model for model, _ in frame.models}
        profiles = game.state.profiles
        dice = sum(profiles[model.profile].wounds for model in unit.models if model.id in at_risk)
        return Roll("dangerous", unit.seat, (Pool(dice, ONE),), game.rules.cite("danger.roll"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Danger = game.stack[-1]
        wounds = counts[0].get("one", 0)
        if wounds:
            game.push(
                Attack(
                    procedure="wounds",
                    kind="danger",
                    unit=-1,
                    victim=frame.unit,
                    packets=(Packet(wounds),),
                    cause="danger",
                )
            )


DANGER: tuple[TrunkStep, ...] = (RollDanger(),)
