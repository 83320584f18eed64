"""Hits weapon by weapon: attacks that hit without a roll, and multiplied hits that are capped for each weapon."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.frames import Attack, HitGroup, Volley
from shieldwall.core.pending import Pending
from shieldwall.core.state import setting
from shieldwall.core.values import PASS, Counts
from shieldwall.rules.attack_math import Attackers, merge_groups
from shieldwall.rules.ruleset import Play
from shieldwall.rules.steps.attack import (
    HitRoll,
    RollMoreAttacks,
    RollToHit,
    backfire,
    gone,
    land_hits,
    strays,
)
from shieldwall.rules.weapons import weapon_at


class RollByWeapon(RollToHit):
    """Roll the attacks of one weapon group, separately for each weapon whose hits are multiplied and capped.

    The weight of a charge, and weapons that cannot miss, hit with every attack.
    """

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        volley = frame.volley
        if volley is None or is_lost(game, volley) or is_sure(game, frame):
            return None
        return super().ask(game)

    def throwers(self, game: Play, frame: Attack) -> tuple[Attackers, ...]:
        return super().throwers(game, frame) if frame.kind == "momentum" else throwers(game, frame)

    def adds_up(self, game: Play) -> bool:
        """A cap on all hits of a weapon together cannot be summed die by die."""
        frame: Attack = game.stack[-1]
        sources = frame.volley.sources if frame.volley is not None else ()
        capped_hits = any(
            Attackers(game.rules, game.state, frame, source).multiplier() > 1 for source in sources
        )
        return not capped_hits and not strays(game, frame)

    def pools_add_up(self, game: Play) -> bool:
        return not strays(game, game.top(Attack))

    def resolve(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Attack = game.stack[-1]
        assert frame.volley is not None
        if frame.volley.need or frame.volley.rolled:
            super().resolve(game, counts)
            return
        thrown = game.question(HitRoll).attackers
        backfire(game, frame, thrown, counts)
        groups: list[HitGroup] = []
        more = [0] * len(frame.volley.sources)
        for attackers, count in zip(thrown, counts, strict=True):
            found = attackers.hit_groups(count, frame.volley.group)
            groups += capped(game, frame.volley, found, attackers)
            first = attackers.source.models[0]
            at = next(i for i, source in enumerate(frame.volley.sources) if first in source.models)
            more[at] += attackers.more_attacks(count)
        game.note(more=tuple(more) if any(more) else ())
        land_in_order(game, frame, groups)

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        if frame.volley is None or is_lost(game, frame.volley):
            super().go(game)
            return
        groups: list[HitGroup] = []
        for source in frame.volley.sources:
            attackers = Attackers(game.rules, game.state, frame, source)
            if source.weapon < 0:
                groups.append(attackers.charge_hits(source.dice, "impact"))
            else:
                groups += attackers.hit_groups({PASS: source.dice}, frame.volley.group)
        land_in_order(game, frame, groups)


class RollMoreByWeapon(RollMoreAttacks):
    """Extra attacks, whose hits are multiplied and capped like those of the original roll."""

    def hits(self, game: Play, volley: Volley, attackers: Attackers, counts: Counts) -> list[HitGroup]:
        found = super().hits(game, volley, attackers, counts)
        return capped(game, volley, found, attackers)


def land_in_order(game: Play, frame: Attack, groups: list[HitGroup]) -> None:
    """Note the hits of a volley, sixes first."""
    groups = sorted((group for group in groups if group.count), key=lambda group: not group.six)
    land_hits(game, frame, merge_groups(groups), game.rules.cite_for("attack.hits", frame.kind))


def is_lost(game: Play, volley: Volley) -> bool:
    """Whether there is no target left."""
    target = game.state.units[volley.target]
    return not target.models or gone(target, volley.picked)


def is_sure(game: Play, frame: Attack) -> bool:
    """Whether the attacks of this frame hit without a roll."""
    assert frame.volley is not None
    if frame.kind == "momentum":
        return not (frame.volley.need or frame.volley.rolled)
    source = frame.volley.sources[0]
    weapon = weapon_at(game.state.profiles[source.profile], source.weapon)
    return "hits_surely" in game.rules.hooks.of_weapon(weapon)


def throwers(game: Play, frame: Attack) -> tuple[Attackers, ...]:
    """The sources of a volley as they are rolled: one for each bearer if a weapon's hits are capped."""
    assert frame.volley is not None
    found: list[Attackers] = []
    for source in frame.volley.sources:
        together = Attackers(game.rules, game.state, frame, source)
        if len(source.models) == 1 or together.multiplier() <= 1:
            found.append(together)
            continue
        dice = source.dice // len(source.models)
        each = [replace(source, models=(model,), dice=dice) for model in source.models]
        found += [Attackers(game.rules, game.state, frame, one) for one in each]
    return tuple(found)


def capped(game: Play, volley: Volley, groups: list[HitGroup], attackers: Attackers) -> list[HitGroup]:
    """Hits multiplied, but all hits of one weapon together no more than the target has models.

    Hits from natural 6s are kept first. By a switch, or by the text of a book, the cap is on each
    hit instead.
    """
    factor = attackers.multiplier()
    if factor == 1:
        return groups
    models = 1 if volley.picked >= 0 else max(1, volley.target_models)
    if attackers.caps_each_hit() or setting(game.state, "blast-cap", "weapon") == "hit":
        return [replace(group, count=group.count * min(factor, models)) for group in groups]
    kept: list[HitGroup] = []
    for group in groups:
        count = min(group.count * factor, models)
        models -= count
        kept.append(replace(group, count=count))
    return kept
