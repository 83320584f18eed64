"""The special rules of Age of Fantasy 1.6 by their printed names; unit types are rules of their models."""

from __future__ import annotations

from shieldwall.editions.aof_1_6 import special_rules
from shieldwall.editions.aof_1_6.melee import FRIGHTENED
from shieldwall.rules.bindings import Binding, Specials
from shieldwall.rules.special import loose_armies, moving, nerve
from shieldwall.rules.special.granted_by_spells import lent_bindings

SPECIALS = Specials(
    {
        "Ambush": Binding(loose_armies.Ambush, "A16-SR-AMBUSH-01"),
        "AP": Binding(special_rules.Piercing, "A16-SR-AP-01"),
        "Artillery": Binding(special_rules.SlowArtillery, "A16-FORCE-09"),
        "Battle Standard": Binding(loose_armies.MeleeBonus, "A16-CMD-04"),
        "Blast": Binding(special_rules.BlastUncapped, "A16-SR-BLAST-01"),
        "Chariot": Binding(special_rules.Chariot, "A16-FORCE-06"),
        "Deadly": Binding(special_rules.DeadlyThrice, "A16-SR-DEADLY-01"),
        "Fast": Binding(special_rules.FastFar, "A16-SR-FAST-01"),
        "Fear": Binding(special_rules.FearTest, "A16-SR-FEAR-01"),
        "Fearless": Binding(loose_armies.FearlessBonus, "A16-SR-FEARLESS-01"),
        "Fire Breath": Binding(special_rules.FireBreath, "A16-SR-FIREBREATH-01"),
        "Flying": Binding(special_rules.Flight, "A16-SR-FLYING-01"),
        FRIGHTENED: Binding(special_rules.Frightened, "A16-SR-FEAR-02"),
        "Furious": Binding(special_rules.FuriousTest, "A16-SR-FURIOUS-01"),
        "Hero": Binding(special_rules.HeroInfantry, "A16-FORCE-01"),
        "Impact": Binding(special_rules.ImpactSure, "A16-SR-IMPACT-01"),
        "Indirect": Binding(special_rules.IndirectUnseen, "A16-SR-INDIRECT-01"),
        "Monster": Binding(special_rules.Monster, "A16-FORCE-05"),
        "Musician": Binding(loose_armies.MeleeBonus, "A16-CMD-03"),
        "Phalanx": Binding(special_rules.PhalanxTests, "A16-SR-PHALANX-01"),
        "Poison": Binding(special_rules.PoisonTwo, "A16-SR-POISON-01"),
        "Regeneration": Binding(nerve.RegenerationModel, "A16-SR-REGEN-01"),
        "Scout": Binding(special_rules.ScoutLast, "A16-SR-SCOUT-01"),
        "Sergeant": Binding(loose_armies.SergeantPicked, "A16-CMD-02"),
        "Skirmisher": Binding(loose_armies.StealthAnywhere, "A16-SR-SKIRMISHER-01"),
        "Slow": Binding(special_rules.SlowPaced, "A16-SR-SLOW-01"),
        "Sniper": Binding(special_rules.SniperPast, "A16-SR-SNIPER-01"),
        "Strider": Binding(moving.Strider, "A16-SR-STRIDER-01"),
        "Tough": Binding(special_rules.ToughMost, "A16-SR-TOUGH-01"),
        "Transport": Binding(special_rules.TransportHold, "A16-BUILD-09"),
        "Vanguard": Binding(special_rules.Vanguard, "A16-SR-VANGUARD-01"),
        "Wizard": Binding(special_rules.WizardDice, "A16-SR-WIZARD-01"),
        **lent_bindings("A16-DICE-04"),
    },
    high_defense=True,
)
