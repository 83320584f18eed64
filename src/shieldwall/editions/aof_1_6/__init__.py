"""Age of Fantasy 1.6: the attacker rolls to wound, six missions, buildings, secrets of the ground, allied players."""

from __future__ import annotations

from shieldwall.editions.aof_1_6.ambush import ARRIVALS_BY_DICE
from shieldwall.editions.aof_1_6.building_fights import (
    ChargeTargetOrBuilding,
    ChargeWayOrWall,
    ContactOrWall,
    NameDefender,
    PartOrLeaveWall,
    ReactInTheOpen,
)
from shieldwall.editions.aof_1_6.cites import CITES
from shieldwall.editions.aof_1_6.magic import BEST_CASTING, CastFirst
from shieldwall.editions.aof_1_6.melee import (
    BREATH,
    FEAR,
    BreathInMelee,
    BreathWhenShooting,
    DecideByWounds,
    EndOfMelee,
    FearTests,
    FuriousHits,
    RollAgainstPhalanx,
    TestChargers,
)
from shieldwall.editions.aof_1_6.mysterious import FIRST_GO, FIRST_MOVE, MYSTERY, ClumsyCharge, FindSecrets
from shieldwall.editions.aof_1_6.policies import CARRY, Aof16Policies
from shieldwall.editions.aof_1_6.setup import PlaceMission
from shieldwall.editions.aof_1_6.shelter import (
    BoardShelter,
    CarryOutOrLeave,
    ChooseActionInside,
    EnterShelter,
    LeaveShelter,
)
from shieldwall.editions.aof_1_6.shooting import ChooseOneTarget, FreezeFire
from shieldwall.editions.aof_1_6.specials import SPECIALS
from shieldwall.editions.aof_1_6.staged_deployment import HoldBackByRule, late_pass
from shieldwall.editions.aof_1_6.wounding import (
    MultiplyAllHits,
    RollForEachModel,
    RollMoraleInStages,
    RollToHitInStages,
    RollToWound,
    SecondHitDie,
    SecondMoraleDie,
    SecondWoundDie,
)
from shieldwall.rules.army import (
    bringing_on,
    charge_hits,
    choosing,
    coming_back,
    coordinating,
    extra_moves,
    out_of_turn,
    picking,
    placing,
    procedures,
    restoring,
    upkeep,
)
from shieldwall.rules.constants import Constants, inches
from shieldwall.rules.features.blows_together import AllStruck, HoldWounds, LandBlows
from shieldwall.rules.features.carry_wreck import wreck_steps
from shieldwall.rules.features.first_strikes import FIRST_STRIKES, PROCEDURE, PlanAfterFirstStrikes
from shieldwall.rules.features.lasting_picks import MakePicks
from shieldwall.rules.features.loose_together import NerveAfterMove, NerveBeforeBlows
from shieldwall.rules.features.rulings import RULINGS
from shieldwall.rules.features.spell_moves import SpellWalk
from shieldwall.rules.features.spells import EndLentRules, casting_procedures
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps import activation, attack, deployment, markers, melee, morale, objectives, rounds
from shieldwall.rules.steps.shoot import FireVolleys

CONSTANTS = Constants(
    table=(inches(72), inches(48)),
    terrain_min=5,
    terrain_advised=10,
    points_starter=500,
    points_full=500,  # the book advises one size only
    control_lasts=False,
    coherency_link=inches(2),
    coherency_shape="letter",
    mates_obstruct=False,
    climb_free=inches(48),  # the book does not mention heights
    climb_max=inches(48),
    gap_walk=0,
    jump_max=0,
    split_targets=1,
    ambush_enemy_over=inches(6),
)

MORALE = (RollMoraleInStages(), SecondMoraleDie(), morale.SecondChance(), morale.MoraleEffect())
DANGER = (RollForEachModel(),)
HIT_AND_WOUND = (
    RollToHitInStages(),
    SecondHitDie(),
    attack.RollMoreAttacks(),
    MultiplyAllHits(),
    attack.TakeVictim(),
    RollToWound(),
    SecondWoundDie(),
)

PROCEDURES = {
    "game": (
        MakePicks(),
        upkeep.ShareAuras(),
        deployment.DeploymentRollOff("deploy.rolloff", "deployment", "deploy.rolloff"),
        deployment.ChooseEdge(),
        PlaceMission("markers"),
        deployment.JoinUnits(),
        deployment.RecordSizes(),  # a Vanguard may lose models on its way, before the first round
        HoldBackByRule(),
        deployment.PickToDeploy(),
        deployment.PlaceUnit(),
        *late_pass("scout", "deploy.late", "deploy.vanguard", enemy_over=inches(12)),
        *late_pass("vanguard", "deploy.vanguard", "setup.mission_units", moves=True),
        PlaceMission("units"),
        extra_moves.MoveBeforeFirstRound(),
        rounds.PlayRounds(),
        objectives.CountMarkers(),
    ),
    "markers": (
        markers.CountToPlace(),
        markers.MarkerRollOff("setup.marker_rolloff", "markers", "marker.rolloff"),
        markers.WhoPlacesFirst(),
        markers.PlaceMarkers(),
    ),
    "round": (
        rounds.BeginRound(),
        upkeep.RecoverNerve(),
        picking.UsePowersInRound(ending=False),
        choosing.ChooseInRound(),
        rounds.Arrivals(),
        coming_back.BringCopies(),
        rounds.TakeTurns(),
        rounds.EndRound(),
    ),
    "arrival": ARRIVALS_BY_DICE,
    "closing": (
        objectives.SeizeMarkers(),
        upkeep.GrowAtRoundEnd(),
        picking.UsePowersInRound(ending=True),
        rounds.ClearRound(),
    ),
    "relics": objectives.RELICS,
    "activation": (
        CastFirst(),
        activation.GroundTests(),
        restoring.RestoreModels(),
        choosing.ChooseEffects(),
        picking.UsePowersAt(ending=False),
        bringing_on.BringOnWhenActivated(),
        placing.OfferPlacing(moved=False),
        ChooseActionInside(),
        picking.UsePowers(charging=True),
        CarryOutOrLeave(),
        extra_moves.MoveWhenEnemyNears(),
        placing.OfferPlacing(moved=True),
        picking.UsePowers(charging=False),
        activation.ShootNow(),
        upkeep.MoveAfterAttacks(),
        out_of_turn.StrikeWhenDrawingBack(),
        picking.UsePowersAt(ending=True),
        activation.EndActivation(),
        activation.Checkpoint(),
        EndLentRules(),
        coming_back.LeaveTheTable(),
        coordinating.CallNextUnit(),
        activation.PassTurn(),
    ),
    "move.hold": (),
    "move.idle": (),
    "move.advance": (EnterShelter(), *FIRST_MOVE, BoardShelter()),
    "move.rush": (EnterShelter(), *FIRST_MOVE, BoardShelter()),
    "leave": (LeaveShelter(), FindSecrets(), NerveAfterMove()),
    "wreck": wreck_steps(CARRY),
    "move.consolidate": FIRST_MOVE,
    "move.vanguard": FIRST_MOVE,
    "move.spell": (SpellWalk(), *FIRST_GO),
    "move.charge": FIRST_GO,
    "move.react": FIRST_GO,
    "move.back": FIRST_GO,
    "mystery": MYSTERY,
    **procedures.rule_procedures(MORALE),
    "rule.place": placing.PLACE_BY_RULE,
    "stand_firm": upkeep.STAND_AND_BLEED,
    "danger": DANGER,
    "danger.phalanx": (RollAgainstPhalanx(),),
    "wounds": (attack.RollToIgnore(), attack.LandWounds(), attack.AttackDone()),
    "shoot": (BreathWhenShooting(), ChooseOneTarget(), FreezeFire(), FireVolleys()),
    "breath": BREATH,
    "attack": (
        *HIT_AND_WOUND,
        attack.CountWounds(),
        attack.RollToIgnore(),
        attack.LandWounds(),
        attack.AttackDone(),
    ),
    "blows": (*HIT_AND_WOUND, HoldWounds(), AllStruck()),
    PROCEDURE: FIRST_STRIKES,
    "melee": (
        ChargeTargetOrBuilding(),
        NameDefender(),
        ChargeWayOrWall(),
        ContactOrWall(reach=True),
        ClumsyCharge(),
        ReactInTheOpen(),
        picking.StrikeCrossed(),
        NerveBeforeBlows(),
        FearTests(),
        TestChargers(),
        PlanAfterFirstStrikes(),
        FuriousHits(),
        BreathInMelee("charger"),
        charge_hits.HitOnCharge("blows"),
        melee.Strike("charger", "blows"),
        LandBlows("charger"),
        melee.AskToAnswer(),
        BreathInMelee("defender"),
        melee.PlanBlows("defender"),
        melee.Strike("defender", "blows"),
        LandBlows("defender"),
        melee.TireFighters(),
        DecideByWounds(),
        EndOfMelee(),
        PartOrLeaveWall(),
    ),
    "morale": MORALE,
    "morale.fear": FEAR,
    "ruling": RULINGS["ruling"],
    **casting_procedures(BEST_CASTING, MORALE, DANGER),
}

RULESET = Ruleset(
    id="aof-1.6",
    title="Age of Fantasy 1.6",
    constants=CONSTANTS,
    procedures=PROCEDURES,
    specials=SPECIALS,
    cites=CITES,
    policies=Aof16Policies(),
    unasked=frozenset({"tokens_gained", "casts_for_others", "attacks_for_blocks"}),
    version=2,
)
