"""The special rules of Age of Fantasy 2 by their printed names."""

from __future__ import annotations

from shieldwall.editions.aof_2 import special_rules
from shieldwall.rules.bindings import Binding, Specials
from shieldwall.rules.special import aiming, loose_armies, moving, nerve, piercing
from shieldwall.rules.special.granted_by_spells import lent_bindings

SPECIALS = Specials(
    {
        "Ambush": Binding(loose_armies.Ambush, "A2-SR-AMBUSH-01"),
        "AP": Binding(piercing.ArmourPiercing, "A2-SR-AP-01"),
        "Artillery": Binding(special_rules.ArtilleryDefense, "A2-SR-ARTILLERY-01"),
        "Battle Standard": Binding(loose_armies.MeleeBonus, "A2-CMD-04"),
        "Blast": Binding(aiming.BlastByModels, "A2-SR-BLAST-02"),
        "Breath Attack": Binding(special_rules.BreathAttack, "A2-SR-BREATH-01"),
        "Deadly": Binding(aiming.DeadlyFirst, "A2-SR-DEADLY-01"),
        "Fast": Binding(moving.Fast, "A2-SR-FAST-01"),
        "Fear": Binding(special_rules.FearDice, "A2-SR-FEAR-01"),
        "Fearless": Binding(loose_armies.FearlessBonus, "A2-SR-FEARLESS-01"),
        "Flying": Binding(moving.Flying, "A2-SR-FLYING-01"),
        "Furious": Binding(special_rules.ExtraAttackOnCharge, "A2-SR-FURIOUS-01"),
        "Hero": Binding(nerve.HeroJoins, "A2-SR-HERO-01"),
        "Immobile": Binding(moving.Immobile, "A2-SR-IMMOBILE-01"),
        "Impact": Binding(aiming.Impact, "A2-SR-IMPACT-01"),
        "Indirect": Binding(aiming.Indirect, "A2-SR-INDIRECT-03"),
        "Musician": Binding(loose_armies.MeleeBonus, "A2-CMD-04"),
        "Phalanx": Binding(special_rules.Phalanx, "A2-SR-PHALANX-01"),
        "Poison": Binding(special_rules.TripleSixes, "A2-SR-POISON-01"),
        "Regeneration": Binding(nerve.RegenerationModel, "A2-SR-REGEN-01"),
        "Rending": Binding(special_rules.RendingSixes, "A2-SR-RENDING-01"),
        "Scout": Binding(moving.Scout, "A2-SR-SCOUT-01"),
        "Sergeant": Binding(loose_armies.SergeantPicked, "A2-CMD-02"),
        "Slow": Binding(moving.Slow, "A2-SR-SLOW-01"),
        "Sniper": Binding(aiming.Sniper, "A2-SR-SNIPER-01"),
        "Stealth": Binding(loose_armies.StealthAnywhere, "A2-SR-STEALTH-01"),
        "Strider": Binding(moving.Strider, "A2-SR-STRIDER-01"),
        "Tough": Binding(nerve.Tough, "A2-SR-TOUGH-01"),
        "Wizard": Binding(loose_armies.Wizard, "A2-MAGIC-03"),
        **lent_bindings("A2-DICE-18"),
    }
)
