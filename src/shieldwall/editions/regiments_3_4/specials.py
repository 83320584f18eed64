"""The special rules of Regiments 3.4 by their printed names."""

from __future__ import annotations

from shieldwall.editions.regiments_3_4 import special_rules
from shieldwall.rules.bindings import Binding, Specials
from shieldwall.rules.special import aiming, hitting, moving, nerve, piercing
from shieldwall.rules.special.granted_by_spells import lent_bindings

SPECIALS = Specials(
    {
        "Ambush": Binding(moving.AmbushRoundOfArrival, "R34-SR-AMBUSH-05"),
        "AP": Binding(piercing.ArmourPiercing, "R34-SR-AP-01"),
        "Banner": Binding(nerve.Banner, "R34-CMD-04"),
        "Blast": Binding(aiming.BlastByModels, "R34-SR-BLAST-02"),
        "Caster": Binding(nerve.Caster, "R34-SR-CASTER-01"),
        "Counter": Binding(aiming.Counter, "R34-SR-COUNTER-01"),
        "Deadly": Binding(aiming.DeadlyFirst, "R34-SR-DEADLY-01"),
        "Entrenched": Binding(hitting.Entrenched, "R34-SR-ENTRENCHED-01"),
        "Fast": Binding(moving.Fast, "R34-SR-FAST-01"),
        "Fear": Binding(nerve.FearScore, "R34-SR-FEAR-01"),
        "Fearless": Binding(nerve.FearlessMost, "R34-SR-FEARLESS-01"),
        "Flying": Binding(moving.Flying, "R34-SR-FLYING-01"),
        "Furious": Binding(hitting.ExtraHitOnCharge, "R34-SR-FURIOUS-01"),
        "Hero": Binding(nerve.HeroJoins, "R34-SR-HERO-01"),
        "Immobile": Binding(moving.Immobile, "R34-SR-IMMOBILE-01"),
        "Impact": Binding(aiming.Impact, "R34-SR-IMPACT-01"),
        "Indirect": Binding(aiming.Indirect, "R34-SR-INDIRECT-01"),
        "Lance": Binding(piercing.Thrust, "R34-SR-LANCE-01"),
        "Limited": Binding(aiming.Limited, "R34-SR-LIMITED-01"),
        "Musician": Binding(moving.Musician, "R34-CMD-03"),
        "Poison": Binding(piercing.Bane, "R34-SR-POISON-02"),
        "Regeneration": Binding(nerve.RegenerationModel, "R34-SR-REGENERATION-01"),
        "Relentless": Binding(hitting.ExtraHitOnHold, "R34-SR-RELENTLESS-01"),
        "Reliable": Binding(hitting.Reliable, "R34-SR-RELIABLE-01"),
        "Rending": Binding(piercing.RendingFour, "R34-SR-RENDING-02"),
        "Scout": Binding(moving.Scout, "R34-SR-SCOUT-01"),
        "Sergeant": Binding(hitting.SergeantBonus, "R34-CMD-02"),
        "Slow": Binding(moving.Slow, "R34-SR-SLOW-01"),
        "Sniper": Binding(special_rules.SniperFirst, "R34-SR-SNIPER-01"),
        "Stealth": Binding(hitting.Stealth, "R34-SR-STEALTH-01"),
        "Strider": Binding(moving.Strider, "R34-SR-STRIDER-01"),
        "Tough": Binding(nerve.Tough, "R34-SR-TOUGH-01"),
        "Transport": Binding(special_rules.Transport, "R34-SR-TRANSPORT-01"),
        **lent_bindings("R34-DICE-05"),
    }
)
