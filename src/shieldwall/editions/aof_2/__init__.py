"""Age of Fantasy 2: loose units that move model by model, fight at arm's length and may waver."""

from __future__ import annotations

from shieldwall.editions.aof_2.arrival import GO_TOGETHER, MOVE_TOGETHER
from shieldwall.editions.aof_2.brace import BraceForCharge
from shieldwall.editions.aof_2.cites import CITES
from shieldwall.editions.aof_2.extra_attacks import NameExtraAttacks
from shieldwall.editions.aof_2.magic import WIZARD_CASTING
from shieldwall.editions.aof_2.melee import BLOWS_HELD, RollForScore
from shieldwall.editions.aof_2.policies import LooseBattlePolicies, RefuseUntyped
from shieldwall.editions.aof_2.specials import SPECIALS
from shieldwall.editions.aof_2.sure_hits import RollByWeapon, RollMoreByWeapon
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
from shieldwall.rules.features.blows_together import LandBlows
from shieldwall.rules.features.cast_windows import CastAfterMove, CastBeforeBlows
from shieldwall.rules.features.first_strikes import FIRST_STRIKES, PROCEDURE, PlanAfterFirstStrikes
from shieldwall.rules.features.lasting_picks import MakePicks
from shieldwall.rules.features.loose import PartLoose, ScoutMove
from shieldwall.rules.features.loose_melee import ChargeWay, Contact, React
from shieldwall.rules.features.loose_together import NerveBeforeBlows
from shieldwall.rules.features.melee_scores import DecideMelee
from shieldwall.rules.features.rulings import RULINGS
from shieldwall.rules.features.spell_moves import SpellWalk
from shieldwall.rules.features.spells import EndLentRules, casting_procedures
from shieldwall.rules.features.wipe_out import EndIfWipedOut
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps import (
    activation,
    arrival,
    attack,
    deployment,
    markers,
    melee,
    morale,
    objectives,
    rounds,
)
from shieldwall.rules.steps.danger import DANGER
from shieldwall.rules.steps.shoot import SHOOT

CONSTANTS = Constants(
    table=(inches(72), inches(48)),
    points_full=750,  # the book advises one size only
    coherency_link=inches(2),
    coherency_shape="letter",
    mates_obstruct=False,
    climb_free=inches(3),
    climb_max=inches(48),  # there is no height that cannot be climbed
    gap_walk=0,
    jump_max=0,
    split_targets=99,  # every weapon group may have a different target
)

MORALE = (morale.ChooseTester(), morale.RollMorale(), morale.SecondChance(), morale.MoraleEffect())

PROCEDURES = {
    "game": (
        RefuseUntyped(),
        MakePicks(),
        markers.CountToPlace(),
        markers.MarkerRollOff("setup.marker_rolloff", "markers", "marker.rolloff"),
        markers.WhoPlacesFirst(),
        markers.PlaceMarkers(),
        upkeep.ShareAuras(),
        deployment.DeploymentRollOff("deploy.rolloff", "deployment", "deploy.rolloff"),
        deployment.ChooseEdge(),
        deployment.JoinUnits(),
        deployment.HoldBack(),
        deployment.PickToDeploy(),
        deployment.PlaceUnit(),
        deployment.LateOrder("deploy.late", "scouts", "reserve.scout_order"),
        deployment.PickLate(),
        deployment.PlaceLate(),
        ScoutMove(),
        deployment.NextLate(),
        deployment.RecordSizes(),
        extra_moves.MoveBeforeFirstRound(),
        rounds.PlayRounds(),
        objectives.CountMarkers(),
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
    "arrival": (
        arrival.ArrivalOrder("arrive.order", "ambush", "reserve.arrive_order"),
        arrival.PickArrival(),
        arrival.PlaceArrival(),
    ),
    "relics": objectives.RELICS,
    "closing": (
        objectives.SeizeMarkers(),
        upkeep.GrowAtRoundEnd(),
        picking.UsePowersInRound(ending=True),
        rounds.ClearRound(),
        EndIfWipedOut(),
    ),
    "activation": (
        restoring.RestoreModels(),
        choosing.ChooseEffects(),
        picking.UsePowersAt(ending=False),
        bringing_on.BringOnWhenActivated(),
        placing.OfferPlacing(moved=False),
        activation.ChooseAction(),
        picking.UsePowers(charging=True),
        activation.CarryOut(),
        extra_moves.MoveWhenEnemyNears(),
        CastAfterMove(),
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
        EndIfWipedOut(),
    ),
    "move.hold": (),
    "move.idle": (),
    "move.advance": MOVE_TOGETHER,
    "move.rush": MOVE_TOGETHER,
    "move.consolidate": MOVE_TOGETHER,
    "move.scout": MOVE_TOGETHER,
    "move.spell": (SpellWalk(), *GO_TOGETHER),
    "move.charge": GO_TOGETHER,
    "move.react": GO_TOGETHER,
    **procedures.rule_procedures(MORALE),
    "rule.place": placing.PLACE_BY_RULE,
    "stand_firm": upkeep.STAND_AND_BLEED,
    "danger": DANGER,
    "wounds": (attack.RollToIgnore(), attack.LandWounds(), attack.AttackDone()),
    "shoot": SHOOT,
    "attack": (
        RollByWeapon(),
        RollMoreByWeapon(),
        attack.TakeVictim(),
        attack.RollToBlock(),
        attack.RollBlocksAgain(),  # no rule of the book rerolls blocks, but rules of army books may
        attack.StrikeForLowBlocks(),
        attack.CountWounds(),
        attack.RollToIgnore(),
        attack.LandWounds(),
        attack.AttackDone(),
    ),
    "blows": BLOWS_HELD,
    PROCEDURE: FIRST_STRIKES,
    "melee": (
        melee.ChargeTarget(),
        ChargeWay(),
        Contact(reach=True),
        React(),
        picking.StrikeCrossed(),
        CastBeforeBlows(),
        NerveBeforeBlows(),
        BraceForCharge(),
        PlanAfterFirstStrikes(),
        NameExtraAttacks(),
        charge_hits.HitOnCharge("blows"),
        melee.Strike("charger", "blows"),
        LandBlows("charger"),
        melee.AskToAnswer(),
        melee.PlanBlows("defender"),
        melee.Strike("defender", "blows"),
        LandBlows("defender"),
        melee.TireFighters(),
        RollForScore(),
        DecideMelee(),
        PartLoose(),
    ),
    "morale": MORALE,
    "ruling": RULINGS["ruling"],
    **casting_procedures(WIZARD_CASTING, MORALE, DANGER),
}

RULESET = Ruleset(
    id="aof-2",
    title="Age of Fantasy 2",
    constants=CONSTANTS,
    procedures=PROCEDURES,
    specials=SPECIALS,
    cites=CITES,
    policies=LooseBattlePolicies(),
    unasked=frozenset({"tokens_gained", "casts_for_others"}),
    version=2,
)
