"""The special rules of Age of Fantasy 1.6 by their printed names; unit types are rules of their models."""

from __future__ import annotations

from shieldwall.rules.features.first_blows import FRIGHTENED
from shieldwall.rules.kits import Binding, Specials
from shieldwall.rules.special import first_armies, moving, nerve, old_armies
from shieldwall.rules.special.lent import lent_bindings

SPECIALS = Specials(
    {
        "Ambush": Binding(old_armies.Ambush, "A16-SR-AMBUSH-01"),
        "AP": Binding(first_armies.Piercing, "A16-SR-AP-01"),
        "Artillery": Binding(first_armies.Artillery, "A16-FORCE-09"),
        "Battle Standard": Binding(old_armies.MeleeBonus, "A16-CMD-04"),
        "Blast": Binding(first_armies.BlastUncapped, "A16-SR-BLAST-01"),
        "Chariot": Binding(first_armies.Chariot, "A16-FORCE-06"),
        "Deadly": Binding(first_armies.DeadlyThrice, "A16-SR-DEADLY-01"),
        "Fast": Binding(first_armies.FastFar, "A16-SR-FAST-01"),
        "Fear": Binding(first_armies.FearTest, "A16-SR-FEAR-01"),
        "Fearless": Binding(old_armies.FearlessBonus, "A16-SR-FEARLESS-01"),
        "Fire Breath": Binding(first_armies.FireBreath, "A16-SR-FIREBREATH-01"),
        "Flying": Binding(first_armies.Flying, "A16-SR-FLYING-01"),
        FRIGHTENED: Binding(first_armies.Frightened, "A16-SR-FEAR-02"),
        "Furious": Binding(first_armies.FuriousTest, "A16-SR-FURIOUS-01"),
        "Hero": Binding(first_armies.HeroInfantry, "A16-FORCE-01"),
        "Impact": Binding(first_armies.ImpactSure, "A16-SR-IMPACT-01"),
        "Indirect": Binding(first_armies.IndirectUnseen, "A16-SR-INDIRECT-01"),
        "Monster": Binding(first_armies.Monster, "A16-FORCE-05"),
        "Musician": Binding(old_armies.MeleeBonus, "A16-CMD-03"),
        "Phalanx": Binding(first_armies.PhalanxTests, "A16-SR-PHALANX-01"),
        "Poison": Binding(first_armies.PoisonTwo, "A16-SR-POISON-01"),
        "Regeneration": Binding(nerve.RegenerationModel, "A16-SR-REGEN-01"),
        "Scout": Binding(first_armies.ScoutLast, "A16-SR-SCOUT-01"),
        "Sergeant": Binding(old_armies.SergeantPicked, "A16-CMD-02"),
        "Skirmisher": Binding(old_armies.StealthAnywhere, "A16-SR-SKIRMISHER-01"),
        "Slow": Binding(first_armies.SlowPaced, "A16-SR-SLOW-01"),
        "Sniper": Binding(first_armies.SniperPast, "A16-SR-SNIPER-01"),
        "Strider": Binding(moving.Strider, "A16-SR-STRIDER-01"),
        "Tough": Binding(first_armies.ToughMost, "A16-SR-TOUGH-01"),
        "Transport": Binding(first_armies.TransportHold, "A16-BUILD-09"),
        "Vanguard": Binding(first_armies.Vanguard, "A16-SR-VANGUARD-01"),
        "Wizard": Binding(first_armies.WizardDice, "A16-SR-WIZARD-01"),
        **lent_bindings("A16-DICE-04"),
    }
)
