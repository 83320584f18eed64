"""The special rules of Regiments 3.5 by their printed names."""

from __future__ import annotations

from shieldwall.rules.bindings import Binding, Specials
from shieldwall.rules.special import aiming, hitting, moving, nerve, piercing
from shieldwall.rules.special.granted_by_spells import lent_bindings

SPECIALS = Specials(
    {
        "Ambush": Binding(moving.AmbushRoundOfArrival, "R35-SR-AMBUSH-06"),
        "AP": Binding(piercing.ArmourPiercing, "R35-SR-AP-01"),
        "Artillery": Binding(hitting.Artillery, "R35-SR-ARTILLERY-02"),
        "Bane": Binding(piercing.Bane, "R35-SR-BANE-02"),
        "Banner": Binding(nerve.Banner, "R35-CMD-05"),
        "Blast": Binding(aiming.BlastByModels, "R35-SR-BLAST-02"),
        "Caster": Binding(nerve.Caster, "R35-SR-CASTER-01"),
        "Counter": Binding(aiming.Counter, "R35-SR-COUNTER-01"),
        "Deadly": Binding(aiming.DeadlyFirst, "R35-SR-DEADLY-01"),
        "Entrenched": Binding(hitting.Entrenched, "R35-SR-ENTRENCHED-01"),
        "Fast": Binding(moving.Fast, "R35-SR-FAST-01"),
        "Fear": Binding(nerve.FearScore, "R35-SR-FEAR-01"),
        "Fearless": Binding(nerve.FearlessAll, "R35-SR-FEARLESS-01"),
        "Flying": Binding(moving.Flying, "R35-SR-FLYING-01"),
        "Furious": Binding(hitting.ExtraHitOnCharge, "R35-SR-FURIOUS-01"),
        "Hero": Binding(nerve.HeroJoins, "R35-SR-HERO-01"),
        "Immobile": Binding(moving.Immobile, "R35-SR-IMMOBILE-01"),
        "Impact": Binding(aiming.Impact, "R35-SR-IMPACT-01"),
        "Indirect": Binding(aiming.Indirect, "R35-SR-INDIRECT-01"),
        "Limited": Binding(aiming.Limited, "R35-SR-LIMITED-01"),
        "Musician": Binding(moving.Musician, "R35-CMD-04"),
        "Regeneration": Binding(nerve.RegenerationUnit, "R35-SR-REGENERATION-01"),
        "Relentless": Binding(hitting.ExtraHitFarAway, "R35-SR-RELENTLESS-01"),
        "Reliable": Binding(hitting.Reliable, "R35-SR-RELIABLE-01"),
        "Rending": Binding(piercing.RendingPlusFour, "R35-SR-RENDING-02"),
        "Scout": Binding(moving.Scout, "R35-SR-SCOUT-01"),
        "Sergeant": Binding(hitting.SergeantSixes, "R35-CMD-02"),
        "Slow": Binding(moving.Slow, "R35-SR-SLOW-01"),
        "Stealth": Binding(hitting.Stealth, "R35-SR-STEALTH-01"),
        "Strider": Binding(moving.Strider, "R35-SR-STRIDER-01"),
        "Surge": Binding(hitting.ExtraHitAlways, "R35-SR-SURGE-01"),
        "Takedown": Binding(aiming.Takedown, "R35-SR-TAKEDOWN-01"),
        "Thrust": Binding(piercing.Thrust, "R35-SR-THRUST-01"),
        "Tough": Binding(nerve.Tough, "R35-SR-TOUGH-01"),
        "Unstoppable": Binding(piercing.UnstoppableWounds, "R35-SR-UNSTOPPABLE-02"),
        **lent_bindings("R35-DICE-21"),
    }
)
