"""Hits that a charge deals without a roll to hit: so many, or by a die."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.frames import Attack, Melee, Source, Volley
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import Model
from shieldwall.core.values import Counts, Pool, total
from shieldwall.rules.army.attacks import HitsOnCharge
from shieldwall.rules.army.picking import AMOUNTS
from shieldwall.rules.attack_math import Attackers
from shieldwall.rules.ruleset import Play, TrunkStep

Charge = tuple[HitsOnCharge, list[Model]]


class HitOnCharge(TrunkStep):
    """Models that charged deal the hits of such rules, before any blow of theirs."""

    name = "melee.charge_hits"
    needs = ("hits_on_charge",)

    def __init__(self, procedure: str = "attack") -> None:
        self.procedure = procedure

    def ask(self, game: Play) -> Pending | None:
        pools = tuple(
            Pool(len(models), AMOUNTS[rule.block.die], None, rule.name)
            for rule, models in self._rules(game)
            if rule.block.die
        )
        seat = game.state.units[game.top(Melee).charger].seat
        return Roll("rule", seat, pools, "") if pools else None

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        self._deal(game, [total(count) for count in counts])

    def go(self, game: Play) -> None:
        self._deal(game, [])

    def _rules(self, game: Play) -> list[Charge]:
        """The rules of this kind among the models that may strike, with those that have them."""
        frame = game.top(Melee)
        unit, enemy = game.state.units[frame.charger], game.state.units[frame.target]
        if frame.denied or not unit.models or not enemy.models:
            return []
        found: dict[tuple[str, int], Charge] = {}
        for model in game.rules.policies.strikers(game.rules, game.state, unit, enemy):
            hooks = game.rules.hooks.of_model(unit, model, game.state.profiles)
            for rule in hooks.get("hits_on_charge", ()):
                assert isinstance(rule, HitsOnCharge)
                found.setdefault(rule.same, (rule, []))[1].append(model)
        return list(found.values())

    def _deal(self, game: Play, rolled: list[int]) -> None:
        frame = game.top(Melee)
        attacks, dice = [], iter(rolled)
        for rule, models in self._rules(game):
            hits = rule.amount(rule.block.hits) * len(models) + (next(dice) if rule.block.die else 0)
            source = Source(models[0].profile, -1, tuple(model.id for model in models), hits)
            volley = Volley(rule.name, frame.target, (source,), target_models=1)
            attack = Attack(self.procedure, kind="momentum", unit=frame.charger, volley=volley, charging=True)
            attackers = Attackers(game.rules, game.state, attack, source)
            group = attackers.rule_hits(hits, rule.block.rules, rule.name)
            game.emit(ev.Hit(unit=frame.charger, target=frame.target, hits=hits, note=rule.name))
            attacks.append(replace(attack, volley=None, hits=(group,)))
        if attacks:
            game.push(*attacks)
