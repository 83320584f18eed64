"""Age of Fantasy: Regiments 3.5: ranked blocks, facing, charges into front, flank and rear."""

from __future__ import annotations

from shieldwall.editions.regiments_3_5.cites import CITES
from shieldwall.editions.regiments_3_5.policies import RegimentsPolicies
from shieldwall.editions.regiments_3_5.specials import SPECIALS
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
    CarryOutBlock,
    ChargePath,
    ChargeSide,
    CloseUp,
    MeleeOver,
    PartBlocks,
    TurnAfterShooting,
)
from shieldwall.rules.features.block_joining import HeroSlot, JoinBlocks
from shieldwall.rules.features.cast_windows import CastAfterMove, CastBeforeBlows
from shieldwall.rules.features.rulings import RULINGS
from shieldwall.rules.features.spell_moves import SPELL_MARCH
from shieldwall.rules.features.spells import EndLentRules
from shieldwall.rules.features.table_checks import CountOnRoomyTable
from shieldwall.rules.features.tokens import FREE_SIGN, token_procedures
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps import activation, arrival, deployment, markers, objectives, rounds
from shieldwall.rules.steps.attack import ATTACK, AttackDone, LandWounds, RollToIgnore
from shieldwall.rules.steps.danger import DANGER
from shieldwall.rules.steps.melee import BLOWS, ChargeTarget, MeleeResult
from shieldwall.rules.steps.morale import MORALE
from shieldwall.rules.steps.shoot import SHOOT

CONSTANTS = Constants(
    table=(inches(72), inches(48)),
    pivot_hold=degrees(180),
    pivot_move=degrees(90),
    pivot_idle=degrees(90),
    pivot_survivor=degrees(180),
    half_moves=True,
    striking_rows=2,
    coherency_shape="ranks",
    climb_free=inches(1),
    ambush_edge_within=inches(6),
)

PROCEDURES = {
    "game": (
        CountOnRoomyTable(),
        markers.MarkerRollOff("setup.marker_rolloff", "markers", "marker.rolloff"),
        markers.WhoPlacesFirst(),
        markers.PlaceMarkers(),
        upkeep.ShareAuras(),
        deployment.DeploymentRollOff("deploy.rolloff", "deployment", "deploy.rolloff"),
        deployment.ChooseEdge(),
        JoinBlocks(),
        HeroSlot(),
        deployment.HoldBack(),
        deployment.PickToDeploy(),
        deployment.PlaceUnit(),
        deployment.LateOrder("deploy.late", "scouts", "reserve.scout_order"),
        deployment.PickLate(),
        deployment.PlaceLate(),
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
        activation.ChooseAction(),
        picking.UsePowers(charging=True),
        CarryOutBlock(),
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
    ),
    "move.hold": BLOCK_MOVE,
    "move.spell": SPELL_MARCH,
    "move.idle": BLOCK_MOVE,
    "move.advance": BLOCK_MOVE,
    "move.rush": BLOCK_MOVE,
    **procedures.rule_procedures(MORALE),
    "rule.place": placing.PLACE_BY_RULE,
    "stand_firm": upkeep.STAND_AND_BLEED,
    "danger": DANGER,
    "wounds": (RollToIgnore(), LandWounds(), AttackDone()),
    "shoot": SHOOT,
    "attack": ATTACK,
    "melee": (
        ChargeTarget(),
        ChargeSide(),
        ChargePath(),
        CloseUp(),
        picking.StrikeCrossed(),
        CastBeforeBlows(),
        CarryOn(),
        *BLOWS,
        MeleeResult(),
        PartBlocks(),
        MeleeOver(),
    ),
    "morale": MORALE,
    **token_procedures(FREE_SIGN),
    **RULINGS,
}

RULESET = Ruleset(
    id="regiments-3.5",
    title="Age of Fantasy: Regiments 3.5",
    constants=CONSTANTS,
    procedures=PROCEDURES,
    specials=SPECIALS,
    cites=CITES,
    policies=RegimentsPolicies(),
    saves_by_unit=True,
    version=3,
)
