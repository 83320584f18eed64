"""Rules of the rulebooks that army books print again, by the class that plays their latest text on any table."""

from __future__ import annotations

from collections.abc import Mapping

from shieldwall.rules.hooks import SpecialRule
from shieldwall.rules.special import aiming, hitting, moving, nerve, piercing

_SHARED: Mapping[str, type[SpecialRule]] = {
    "Ambush": moving.AmbushRoundOfArrival,
    "AP": piercing.ArmourPiercing,
    "Artillery": hitting.Artillery,
    "Bane": piercing.Bane,
    "Blast": aiming.BlastEachHit,
    "Caster": nerve.Caster,
    "Counter": aiming.Counter,
    "Deadly": aiming.DeadlyFirst,
    "Entrenched": hitting.Entrenched,
    "Fast": moving.Fast,
    "Fear": nerve.FearScore,
    "Fearless": nerve.FearlessAll,
    "Flying": moving.Flying,
    "Furious": hitting.ExtraHitOnCharge,
    "Hero": nerve.HeroJoins,
    "Immobile": moving.Immobile,
    "Impact": aiming.ImpactDice,
    "Indirect": aiming.Indirect,
    "Limited": aiming.Limited,
    "Regeneration": nerve.RegenerationUnit,
    "Relentless": hitting.ExtraHitFarAway,
    "Reliable": hitting.Reliable,
    "Rending": piercing.RendingPlusFour,
    "Scout": moving.Scout,
    "Sergeant": hitting.SergeantSixes,
    "Slow": moving.Slow,
    "Stealth": hitting.Stealth,
    "Strider": moving.Strider,
    "Surge": hitting.ExtraHitAlways,
    "Takedown": aiming.Takedown,
    "Thrust": piercing.Thrust,
    "Tough": nerve.Tough,
    "Unstoppable": piercing.UnstoppableWounds,
}
_SKIRMISH: Mapping[str, type[SpecialRule]] = {
    **_SHARED,
    "Blast": aiming.BlastSpread,
    "Fear": nerve.FearSumOfBlows,
    "Hero": nerve.HeroAura,
    "Strider": moving.StriderJumps,
}


def rulebook_class(name: str, game: str) -> type[SpecialRule] | None:
    """The class that plays a rule of the rulebook as the books of a game print it; None where there is none."""
    return (_SKIRMISH if game == "aofs" else _SHARED).get(name)
