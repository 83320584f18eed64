"""The special rules of Skirmish 3.2 by their printed names."""

from __future__ import annotations

from shieldwall.editions.skirmish_3_2 import special_rules
from shieldwall.rules.bindings import Binding, Specials
from shieldwall.rules.special import aiming, hitting, moving, nerve, piercing
from shieldwall.rules.special.granted_by_spells import lent_bindings

SPECIALS = Specials(
    {
        "Ambush": Binding(special_rules.AmbushLastRound, "SK32-SR-AMBUSH-05"),
        "AP": Binding(piercing.ArmourPiercing, "SK32-SR-AP-01"),
        "Banner": Binding(special_rules.BannerAura, "SK32-CMD-04"),
        "Blast": Binding(aiming.BlastSpread, "SK32-SR-BLAST-02"),
        "Caster": Binding(nerve.Caster, "SK32-SR-CASTER-01"),
        "Counter": Binding(aiming.Counter, "SK32-SR-COUNTER-01"),
        "Deadly": Binding(aiming.DeadlyFirst, "SK32-SR-DEADLY-01"),
        "Fast": Binding(moving.Fast, "SK32-SR-FAST-01"),
        "Fear": Binding(nerve.FearSum, "SK32-SR-FEAR-01"),
        "Fearless": Binding(nerve.FearlessMost, "SK32-SR-FEARLESS-01"),
        "Flying": Binding(moving.Flying, "SK32-SR-FLYING-01"),
        "Furious": Binding(hitting.ExtraHitOnCharge, "SK32-SR-FURIOUS-01"),
        "Hero": Binding(nerve.HeroAura, "SK32-SR-HERO-01"),
        "Immobile": Binding(moving.Immobile, "SK32-SR-IMMOBILE-01"),
        "Impact": Binding(aiming.Impact, "SK32-SR-IMPACT-01"),
        "Indirect": Binding(aiming.Indirect, "SK32-SR-INDIRECT-03"),
        "Lance": Binding(special_rules.LanceTwo, "SK32-SR-LANCE-01"),
        "Limited": Binding(aiming.Limited, "SK32-SR-LIMITED-01"),
        "Musician": Binding(special_rules.MusicianAura, "SK32-CMD-03"),
        "Poison": Binding(piercing.Bane, "SK32-SR-POISON-02"),
        "Regeneration": Binding(nerve.RegenerationModel, "SK32-SR-REGENERATION-01"),
        "Relentless": Binding(hitting.ExtraHitOnHold, "SK32-SR-RELENTLESS-01"),
        "Reliable": Binding(hitting.Reliable, "SK32-SR-RELIABLE-01"),
        "Rending": Binding(piercing.RendingFour, "SK32-SR-RENDING-02"),
        "Scout": Binding(moving.Scout, "SK32-SR-SCOUT-01"),
        "Sergeant": Binding(hitting.SergeantBonus, "SK32-CMD-02"),
        "Slow": Binding(moving.Slow, "SK32-SR-SLOW-01"),
        "Stealth": Binding(special_rules.StealthByShooter, "SK32-SR-STEALTH-01"),
        "Strider": Binding(moving.StriderJumps, "SK32-SR-STRIDER-01"),
        "Tough": Binding(nerve.Tough, "SK32-SR-TOUGH-01"),
        **lent_bindings("SK32-DICE-17"),
    }
)
