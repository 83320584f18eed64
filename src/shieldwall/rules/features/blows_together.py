"""All blows of one side land together: hits are blocked weapon by weapon, models removed at the end."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.frames import Attack, Melee, Packet
from shieldwall.rules.hooks import WoundContext
from shieldwall.rules.losses import first_to_land, may_ignore, merge_packets
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.attack import groups_on, wounds_of_groups
from shieldwall.rules.steps.melee import Phase, sides_of


class HoldWounds(TrunkStep):
    """Keep unblocked hits as wounds until all weapons of their side have struck."""

    name = "attack.hold"

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        groups = groups_on(frame, frame.victim)
        wounds_by_group = wounds_of_groups(frame, groups)
        packets = [
            Packet(count, group.multiply, group.multiply > 1, group.no_saves)
            for group, count in zip(groups, wounds_by_group, strict=True)
            if count
        ]
        wounds = sum(wounds_by_group)
        blocked = sum([group.count for group in groups]) - sum(frame.failed)
        cite = game.rules.cite_for("attack.wounds", frame.kind)
        game.emit(ev.Blocked(unit=frame.victim, blocked=blocked, wounds=wounds, cite=cite))
        melee = game.nearest(Melee)
        assert melee is not None, "blows are struck in a melee"
        if frame.volley is not None and frame.volley.picked >= 0:  # strikes that pick a model come first
            alone = Attack(
                "wounds", kind=frame.kind, unit=frame.unit, volley=frame.volley, victim=frame.victim
            )
            game.follow(replace(alone, packets=tuple(packets)))
            game.finish()
            return
        game.note_on(Melee, packets=tuple(merge_packets([*melee.packets, *packets])))
        game.finish()


class AllStruck(TrunkStep):
    """End a volley of blows if there is no model left to block it."""

    name = "attack.done"

    def go(self, game: Play) -> None:
        """Nothing is left to do."""


class LandBlows(TrunkStep):
    """Apply the wounds of one side's blows: those that stay on one model first, then larger before smaller."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase
        self.name = f"melee.land_{phase}"

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        if not frame.packets:
            return
        striker, enemy = sides_of(game, self.phase)
        packets = frame.packets
        ctx = WoundContext(game.state, enemy, "strike")
        if "ignores_wounds_on" not in game.plans.in_play or not may_ignore(game.rules, ctx):
            packets = tuple(merge_packets([replace(packet, no_saves=False) for packet in packets]))
        if len(packets) > 1:
            packets = tuple(sorted(packets, key=first_to_land))
        game.note(packets=())
        game.push(
            Attack(procedure="wounds", kind="strike", unit=striker.id, victim=enemy.id, packets=packets)
        )
