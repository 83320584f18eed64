"""Expected wounds of an attack, from the same hooks that play uses: means only, no distributions, and quick.

Effects of later dice (which models are lost first, morale, who is left to strike back) are ignored here; the odds
include them.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from msgspec.structs import replace

from shieldwall.core.frames import Attack, AttackKind, CoverKind, HitGroup, Source, Volley
from shieldwall.core.state import MILLI, Profile, Spell, State, Unit, Weapon, shared_facts
from shieldwall.core.values import AGAIN, MISSED, PASS, SIX, Labels
from shieldwall.odds.attacks import attack_wounds
from shieldwall.rules.army.rule_hits import Struck
from shieldwall.rules.attack_math import Attackers, block_target, blocks_again_up_to
from shieldwall.rules.hook_tables import kinds_of
from shieldwall.rules.hooks import UnitContext, WoundContext
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.weapons import Group, groups_of

RATES_KEPT = 32768
SIXTH = 1 / 6
LOOSE_SHARE = 0.8  # the share of a loose unit that gets close enough to strike, as a rule of thumb


class AttackMode(NamedTuple):
    """The circumstances of an attack that change its dice."""

    kind: AttackKind
    charging: bool = False
    held: bool = False
    moved: bool = False
    far: bool = False
    cover: CoverKind = "none"


SHOT = AttackMode("shoot")
BLOW = AttackMode("strike")
CHARGE = AttackMode("strike", charging=True)


def chance(needed: int) -> float:
    """The chance that one die shows the needed number."""
    return (7 - min(6, max(2, needed))) / 6


def wounds_per_die(
    rules: Ruleset, state: State, unit: Unit, target: Unit, profile: int, weapon: int, way: AttackMode
) -> float:
    """The mean number of wounds that one die of a weapon causes; cached by everything it depends on."""
    rates: dict[object, float] = shared_facts(state.profiles).setdefault("wounds per die", {})
    condition = (unit.tired, unit.broken)
    own, theirs = (kinds_of(unit), unit.effects), (kinds_of(target), target.effects)
    key = (rules, profile, weapon, way, own, condition, theirs)
    known = rates.get(key)
    if known is None:
        if len(rates) >= RATES_KEPT:
            rates.clear()
        known = rates[key] = _rate(rules, state, unit, target, profile, weapon, way)
    return known


def _rate(
    rules: Ruleset, state: State, unit: Unit, target: Unit, profile: int, weapon: int, way: AttackMode
) -> float:
    near = rules.constants.long_range_over + MILLI if way.far else MILLI
    tired = way.kind == "strike" and unit.tired
    source = Source(profile, weapon, tuple(m.id for m in unit.models if m.profile == profile), 1, near, tired)
    volley = Volley("", target.id, (source,), -1, near, way.cover, len(target.models))
    frame = Attack(
        procedure="attack", kind=way.kind, unit=unit.id, volley=volley,
        charging=way.charging, held=way.held, moved=way.moved,
    )  # fmt: skip
    attackers = Attackers(rules, state, frame, source)
    labels = attackers.hit_pool(1).labels
    if AGAIN in labels or MISSED in labels:
        counts = _shares_with_rerolls(labels, attackers.hit_pool(1, again=False).labels)
    else:
        reads = attackers.reads_sixes()
        plain = chance(attackers.hit_target().needed) - (SIXTH if reads else 0.0)
        counts = [({PASS: 1}, plain)] + ([({SIX: 1}, SIXTH)] if reads else [])
    most = max(1, len(target.models))
    factor = min(attackers.multiplier(), most)
    groups = [(share, group) for hits, share in counts for group in attackers.hit_groups(hits, "")]
    wounds = factor * sum(share * _wounds(rules, state, frame, group) for share, group in groups)
    again = factor * sum(share * group.count * group.blows for share, group in groups) * SIXTH
    return _with_extras(attackers) * wounds * (1 + again)


def _with_extras(attackers: Attackers) -> float:
    """The factor by which rules that add attacks multiply the weapon's printed dice."""
    weapon = attackers.ctx.weapon
    extra = sum(rule.extra_attacks(attackers.ctx) for rule in attackers.own("extra_attacks"))
    return 1 + extra / weapon.attacks if extra and weapon is not None and weapon.attacks else 1


def _shares_with_rerolls(first: Labels, second: Labels) -> list[tuple[dict[str, int], float]]:
    """The results of a die to hit with their chances, if some faces are rerolled."""
    again = sum(label in (AGAIN, MISSED) for label in first) / len(first)
    found: dict[str, float] = {}
    for one, two in zip(first, second, strict=True):
        found[one] = found.get(one, 0.0) + SIXTH
        found[two] = found.get(two, 0.0) + SIXTH * again
    return [({label: 1}, share) for label, share in found.items() if label not in (AGAIN, MISSED)]


def _wounds(rules: Ruleset, state: State, frame: Attack, group: HitGroup) -> float:
    """Wounds that hits of one kind cause, after blocks and rolls to ignore wounds."""
    target = state.units[group.unit]
    models = target.models  # no model takes more wounds than it has, however deadly the hit
    each = sum(min(group.multiply, state.profiles[model.profile].wounds) for model in models) / len(models)
    through = _through(rules, state, frame, group)
    saves = rules.hooks.of_unit(target, state.profiles).get("ignores_wounds_on", ())
    if saves:
        ctx = WoundContext(state, target, frame.kind)
        rolls = [rule.ignores_wounds_on(ctx) for rule in saves if not (group.no_saves and rule.regenerates)]
        through *= 1 - max([chance(roll) for roll in rolls if roll], default=0.0)
    return group.count * through * each


def _through(rules: Ruleset, state: State, frame: Attack, group: HitGroup) -> float:
    """The chance that a hit is not blocked, from the odds; cached by the numbers its dice depend on."""
    block = block_target(rules, state, frame, group)
    modifier = sum(mod.amount for mod in block.mods)
    ways = (group.again_from, group.wounds_on, group.ones, group.ones_up_to, group.unblocked)
    key = (rules, block.base, modifier, blocks_again_up_to(rules, state, frame, group), *ways)
    known = _THROUGH.get(key)
    if known is None:
        hit = replace(group, count=1, multiply=1, no_saves=True, blows=0, source=-1)
        wounds = attack_wounds(
            rules, state, replace(frame, step="attack.victim", hits=(hit,)), before_ignoring=True
        )
        assert wounds is not None, "one hit is blocked or not"
        known = _THROUGH[key] = float(wounds.mean)
    return known


_THROUGH: dict[tuple[object, ...], float] = {}


def group_wounds(
    rules: Ruleset, state: State, unit: Unit, target: Unit, group: Group, bearers: int, way: AttackMode
) -> float:
    """The mean number of wounds of some bearers of a weapon group."""
    bearer = group.bearers[0]
    rate = wounds_per_die(rules, state, unit, target, bearer.model.profile, bearer.weapon, way)
    return rate * bearers * group.weapon.attacks


def shooting_wounds(
    rules: Ruleset, state: State, unit: Unit, target: Unit, distance: float, way: AttackMode = SHOT
) -> float:
    """The mean number of wounds of all weapons a unit can shoot over a distance in inches, sight assumed."""
    way = way._replace(far=distance * MILLI > rules.constants.long_range_over)
    return sum(
        group_wounds(rules, state, unit, target, group, len(group.bearers), way)
        for group in groups_of(state, unit, ranged=True)
        if group.weapon.reach >= distance * MILLI
    )


def melee_wounds(rules: Ruleset, state: State, unit: Unit, target: Unit, way: AttackMode = BLOW) -> float:
    """The mean number of wounds of a unit's blows, including Impact."""
    if rules.policies.uses_blocks():
        able = {model.id for model in rules.policies.strikers(rules, state, unit, target)}
        share = 1.0
    else:
        able = {model.id for model in unit.models if not model.stunned}
        share = 1.0 if len(able) <= 3 else LOOSE_SHARE
    total = 0.0
    for group in groups_of(state, unit, ranged=False):
        bearers = sum(1 for bearer in group.bearers if bearer.model.id in able)
        if bearers:
            total += group_wounds(rules, state, unit, target, group, bearers, way)
    if way.charging and not unit.tired:
        total += _impact(rules, state, unit, target, able)
    return total * share


def _impact(rules: Ruleset, state: State, unit: Unit, target: Unit, able: set[int]) -> float:
    dice = 0
    ctx = UnitContext(state, unit)
    for model in unit.models:
        if model.id in able:
            hooks = rules.hooks.of_model(unit, model, state.profiles)
            dice += sum(rule.extra_hits_on_charge(ctx) for rule in hooks.get("extra_hits_on_charge", ()))
    if not dice:
        return 0.0
    hit = HitGroup(1, target.id)
    attack = Attack(procedure="attack", kind="momentum", unit=unit.id, hits=(hit,))
    return dice * chance(2) * _wounds(rules, state, attack, hit)


def spell_wounds(rules: Ruleset, state: State, caster: Unit, model: int, spell: Spell, target: Unit) -> float:
    """The mean number of wounds of a spell's hits on one target, once it works."""
    weapon = Weapon(spell.name, spell.hits, spell.reach, spell.rules)
    return hit_wounds(Struck(rules, state, (caster, model), target, weapon))


def hit_wounds(hits: Struck) -> float:
    """The mean number of wounds of hits without a roll to hit, including effects of natural faces."""
    weapon, total = hits.ctx.weapon, 0.0
    assert weapon is not None
    labels = hits.face_labels() if hits.needs_dice() else (PASS,)
    for label, share in Counter(labels).items():
        groups = hits.groups({label: weapon.attacks}, weapon.name)
        attack = Attack(procedure="attack", kind="spell", unit=hits.ctx.unit.id, hits=groups)
        wounds = sum(_wounds(hits.rules, hits.ctx.state, attack, group) for group in groups)
        total += wounds * share / len(labels)
    return total


def wounds_left(state: State, unit: Unit) -> int:
    """How many wounds a unit can take before it is gone."""
    profiles: tuple[Profile, ...] = state.profiles
    return sum(max(1, profiles[model.profile].wounds - model.wounds) for model in unit.models)
