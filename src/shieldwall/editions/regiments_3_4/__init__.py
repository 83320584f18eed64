"""Age of Fantasy: Regiments 3.4, the one-page book: ranked blocks, transports, casters that look ahead."""

from __future__ import annotations

from shieldwall.editions.regiments_3_4.boarding import ChargeAboard, GetIn, LoadCarriers, MarchOrBoardStep
from shieldwall.editions.regiments_3_4.carried_blocks import CarryOutOrDisembark, LeaveToCharge
from shieldwall.editions.regiments_3_4.cites import CITES
from shieldwall.editions.regiments_3_4.disembarking import ChooseActionOrStay, GetOut
from shieldwall.editions.regiments_3_4.policies import CARRY, FRONT_ONLY, PartToGap, Regiments34Policies
from shieldwall.editions.regiments_3_4.second_placing import PlaceAgain
from shieldwall.editions.regiments_3_4.specials import SPECIALS
from shieldwall.rules.army import (
    bringing_on,
    caster_groups,
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
from shieldwall.rules.constants import Constants, degrees, inches
from shieldwall.rules.features.block import (
    BLOCK_MOVE,
    CarryOn,
    ChargePath,
    ChargeSide,
    CloseUp,
    MeleeOver,
    TurnAfterShooting,
)
from shieldwall.rules.features.block_joining import HeroSlot, JoinBlocks
from shieldwall.rules.features.carry_wreck import wreck_steps
from shieldwall.rules.features.cast_windows import CastAfterMove, CastBeforeBlows
from shieldwall.rules.features.rulings import RULINGS
from shieldwall.rules.features.spell_moves import SPELL_MARCH
from shieldwall.rules.features.spells import EndLentRules
from shieldwall.rules.features.table_checks import CountOnRoomyTable
from shieldwall.rules.features.tokens import token_procedures
from shieldwall.rules.features.wipe_out import EndIfWipedOut
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps import activation, arrival, deployment, markers, objectives, rounds
from shieldwall.rules.steps.attack import ATTACK, AttackDone, LandWounds, RollToIgnore
from shieldwall.rules.steps.danger import DANGER
from shieldwall.rules.steps.melee import BLOWS, ChargeTarget, MeleeResult
from shieldwall.rules.steps.morale import MORALE
from shieldwall.rules.steps.shoot import SHOOT

CONSTANTS = Constants(
    table=(inches(72), inches(48)),
    terrain_advised=10,
    pivot_hold=degrees(180),
    pivot_move=degrees(90),
    pivot_idle=degrees(90),
    pivot_survivor=degrees(180),
    half_moves=True,
    striking_rows=2,
    coherency_shape="ranks",
    climb_free=inches(1),
    ambush_edge_within=inches(6),
    ambush_enemy_over=0,
)

MARCH_OR_BOARD = (MarchOrBoardStep(CARRY), GetIn())

PROCEDURES = {
    "game": (
        CountOnRoomyTable(),
        markers.MarkerRollOff("setup.marker_rolloff", "markers", "marker.rolloff"),
        markers.WinnerPlacesFirst(),
        markers.PlaceMarkers(),
        upkeep.ShareAuras(),
        deployment.DeploymentRollOff("deploy.rolloff", "deployment", "deploy.rolloff"),
        deployment.ChooseEdge(),
        JoinBlocks(),
        HeroSlot(),
        LoadCarriers(CARRY),
        deployment.HoldBack(),
        deployment.PickToDeploy(),
        deployment.PlaceUnit(),
        deployment.LateOrder("deploy.late", "scouts", "reserve.scout_order"),
        deployment.PickLate(),
        deployment.PlaceLate(),
        PlaceAgain(),
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
        *rounds.ROUND[1:3],
        coming_back.BringCopies(),
        *rounds.ROUND[3:],
    ),
    "relics": objectives.RELICS,
    "arrival": (
        arrival.ArrivalOrder("arrive.order", "ambush", "reserve.arrive_order"),
        arrival.PickArrival(),
        arrival.PlaceArrival(),
    ),
    "closing": (
        objectives.SeizeMarkers(),
        upkeep.GrowAtRoundEnd(),
        picking.UsePowersInRound(ending=True),
        caster_groups.LoseGroupTokens(),
        rounds.ClearRound(),
    ),
    "activation": (
        activation.GroundTests(),
        restoring.RestoreModels(),
        choosing.ChooseEffects(),
        picking.UsePowersAt(ending=False),
        bringing_on.BringOnWhenActivated(),
        placing.OfferPlacing(moved=False),
        ChooseActionOrStay(CARRY),
        picking.UsePowers(charging=True),
        CarryOutOrDisembark(),
        extra_moves.MoveWhenEnemyNears(),
        CastAfterMove(),
        placing.OfferPlacing(moved=True),
        picking.UsePowers(charging=False),
        activation.ShootNow(),
        TurnAfterShooting(),
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
    "move.hold": BLOCK_MOVE,
    "move.spell": SPELL_MARCH,
    "move.idle": BLOCK_MOVE,
    "move.advance": MARCH_OR_BOARD,
    "move.rush": MARCH_OR_BOARD,
    "move.charge": MARCH_OR_BOARD,
    "leave": (GetOut(CARRY),),
    "wreck": wreck_steps(CARRY),
    **procedures.rule_procedures(MORALE),
    "rule.place": placing.PLACE_BY_RULE,
    "stand_firm": upkeep.STAND_AND_BLEED,
    "danger": DANGER,
    "wounds": (RollToIgnore(), LandWounds(), AttackDone()),
    "shoot": SHOOT,
    "attack": ATTACK,
    "melee": (
        ChargeTarget(),
        ChargeAboard(),
        LeaveToCharge(CARRY),
        ChargeSide(),
        ChargePath(),
        CloseUp(),
        picking.StrikeCrossed(),
        CastBeforeBlows(),
        CarryOn(),
        *BLOWS,
        MeleeResult(),
        PartToGap(),
        MeleeOver(),
    ),
    "morale": MORALE,
    **token_procedures(FRONT_ONLY),
    **RULINGS,
}

RULESET = Ruleset(
    id="regiments-3.4",
    title="Age of Fantasy: Regiments 3.4",
    constants=CONSTANTS,
    procedures=PROCEDURES,
    specials=SPECIALS,
    cites=CITES,
    policies=Regiments34Policies(),
    version=3,
)
