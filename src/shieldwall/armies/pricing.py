"""What our own units cost: one function for every unit, option and edition (`docs/armies.md` explains it).

A model is worth its staying power plus what it can do in melee and at range; some rules change one of the three,
some have a price of their own. The prices are ours and owe nothing to any publisher's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from shieldwall.armies.loadout import EquippedModel
from shieldwall.core.state import RuleRef, Weapon
from shieldwall.core.values import MILLI

STAYING = 6.5  # points for a model with Defense 5+ that one wound removes
BLOW = 9.0  # points for one hit expected in melee each round
STEP = 5  # prices are multiples of this
PIERCING = 0.28
SHOT_AT_NONE, SHOT_PER_INCH = 0.55, 0.75 / 24


class PriceEffect(Struct, frozen=True):
    """How a rule changes the worth of its bearer: factors, points, and points for each of the value in brackets."""

    staying: float = 1.0
    melee: float = 1.0
    ranged: float = 1.0
    points: float = 0.0
    points_each: float = 0.0


MODEL_RULES: Mapping[str, PriceEffect] = {
    "Ambush": PriceEffect(melee=1.15, ranged=1.1),
    "Artillery": PriceEffect(staying=1.2, ranged=1.15),
    "Banner": PriceEffect(points=5),
    "Battle Standard": PriceEffect(points=10),
    "Blood Mark": PriceEffect(points=20),
    "Breath Attack": PriceEffect(points=20),
    "Caster": PriceEffect(points_each=20),
    "Clear Sight": PriceEffect(ranged=1.06),
    "Ember Heart": PriceEffect(points=25),
    "Entrenched": PriceEffect(staying=1.15),
    "Fast": PriceEffect(staying=1.05, melee=1.25, ranged=1.1),
    "Fear": PriceEffect(points=3, points_each=4),
    "Fearless": PriceEffect(staying=1.15),
    "Fire Breath": PriceEffect(points=25),
    "Flying": PriceEffect(staying=1.1, melee=1.2, ranged=1.1),
    "Furious": PriceEffect(melee=1.12),
    "Glass Chime": PriceEffect(points=15),
    "Guiding Light": PriceEffect(points=20),
    "Hero": PriceEffect(points=15),
    "Hunter's Mark": PriceEffect(points=20),
    "Immobile": PriceEffect(melee=0.5, ranged=0.9),
    "Impact": PriceEffect(points_each=0.45 * BLOW),
    "Last Gallop": PriceEffect(melee=1.04, points=1),
    "Maker's Word": PriceEffect(points=20),
    "Musician": PriceEffect(points=8),
    "Oath of the Pike": PriceEffect(melee=1.08),
    "Phalanx": PriceEffect(staying=1.12),
    "Quiet Steps": PriceEffect(staying=1.05, ranged=1.08),
    "Rallying Bell": PriceEffect(points=10),
    "Regeneration": PriceEffect(staying=1.35),
    "Relentless": PriceEffect(ranged=1.1),
    "Scout": PriceEffect(staying=1.05, melee=1.1, ranged=1.05),
    "Sergeant": PriceEffect(points=5),
    "Skirmisher": PriceEffect(staying=1.2),
    "Slag Burst": PriceEffect(melee=1.05, ranged=1.03),
    "Slow": PriceEffect(staying=0.95, melee=0.8, ranged=0.9),
    "Steady Ranks": PriceEffect(staying=1.08),
    "Stealth": PriceEffect(staying=1.2),
    "Strider": PriceEffect(melee=1.05, ranged=1.02),
    "Tough": PriceEffect(),
    "Transport": PriceEffect(points_each=2),
    "Twice Fired": PriceEffect(staying=1.06),
    "Vanguard": PriceEffect(staying=1.05, melee=1.1, ranged=1.05),
    "Windborne": PriceEffect(melee=1.08, ranged=1.03),
    "Wizard": PriceEffect(points_each=20),
    "Wolf Song": PriceEffect(points=20),
}
"""Rules on models. Tough multiplies staying power by its value and is the one rule handled apart."""

WEAPON_RULES: Mapping[str, float] = {
    "Bane": 1.2,
    "Counter": 1.15,
    "Indirect": 1.2,
    "Lance": 1.15,
    "Limited": 0.4,
    "Poison": 1.2,
    "Rending": 1.25,
    "Relentless": 1.1,
    "Sniper": 1.6,
    "Surge": 1.15,
    "Takedown": 1.3,
    "Thrust": 1.15,
    "Unstoppable": 1.15,
}
"""Factors of rules on weapons. AP, Blast, Deadly and Reliable depend on numbers and are handled apart."""


class Worth(Struct, frozen=True):
    """The numbers of a unit that its price comes from; `defense` as blocks count it, 2+ best.

    `scale` is the price of a point of worth: small skirmish games use smaller numbers.
    """

    quality: int
    defense: int
    rules: tuple[RuleRef, ...] = ()
    scale: float = 1.0


def price(worth: Worth, figures: Sequence[EquippedModel]) -> int:
    """What a unit with these models costs: their sum, as a multiple of 5 and never less than 5."""
    total = worth.scale * sum(model_worth(worth, figure) for figure in figures)
    return max(STEP, STEP * round(total / STEP))


def option_price(worth: Worth, before: Sequence[EquippedModel], after: Sequence[EquippedModel]) -> int:
    """What a change of the models costs: the difference, as a multiple of 5; free where it is no gain."""
    gained = sum(model_worth(worth, figure) for figure in after)
    gained -= sum(model_worth(worth, figure) for figure in before)
    gained *= worth.scale
    return max(STEP if gained >= 1 else 0, STEP * round(gained / STEP))


def model_worth(worth: Worth, figure: EquippedModel) -> float:
    """What one model is worth, not rounded."""
    rules = (*worth.rules, *figure.gained)
    lasting = STAYING * staying_power(worth.defense, tough_of(rules))
    hitting = (7 - worth.quality) / 6
    melee = BLOW * sum(_weapon_worth(weapon, hitting) for weapon in figure.weapons if not weapon.reach)
    ranged = BLOW * sum(_weapon_worth(weapon, hitting) for weapon in figure.weapons if weapon.reach)
    points = 0.0
    for rule in _once(rules):
        effect = MODEL_RULES.get(rule.name, PriceEffect())
        lasting, melee, ranged = lasting * effect.staying, melee * effect.melee, ranged * effect.ranged
        points += effect.points + effect.points_each * (rule.value or 1)
    return lasting + melee + ranged + points


def staying_power(defense: int, tough: int) -> float:
    """How long a model lasts against one with Defense 5+ and one wound; the last wounds count a little less."""
    let_through = (defense - 1) / 6
    return float(tough**0.95 * ((4 / 6) / let_through) ** 0.75)


def tough_of(rules: Iterable[RuleRef]) -> int:
    """The wounds a model takes; values on several things add up."""
    return sum(max(1, rule.value) for rule in rules if rule.name == "Tough") or 1


def _weapon_worth(weapon: Weapon, hitting: float) -> float:
    """Hits expected, weighed by range and rules."""
    factor = 1.0
    for rule in weapon.rules:
        match rule.name:
            case "AP":
                factor *= 1 + PIERCING * rule.value
            case "Blast":
                factor *= 1 + 0.55 * (min(max(rule.value, 1), 9) - 1)
            case "Deadly":
                factor *= 1 + 0.35 * ((rule.value or 3) - 1)
            case "Reliable":
                factor *= max(1.0, (5 / 6) / hitting) ** 0.9
            case name:
                factor *= WEAPON_RULES.get(name, 1.0)
    distance = SHOT_AT_NONE + SHOT_PER_INCH * weapon.reach / MILLI if weapon.reach else 1.0
    return weapon.attacks * hitting * factor * distance


def _once(rules: Iterable[RuleRef]) -> list[RuleRef]:
    """Equal names once; values of the same rule add up."""
    sums: dict[str, int] = {}
    for rule in rules:
        sums[rule.name] = sums.get(rule.name, 0) + rule.value
    return [RuleRef(name, value) for name, value in sorted(sums.items())]
