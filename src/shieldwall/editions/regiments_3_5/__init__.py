"""Age of Fantasy: Regiments 3.5: ranked blocks, facing, charges into front, flank and rear."""

from __future__ import annotations

from shieldwall.editions.regiments_3_5.cites import CITES
from shieldwall.editions.regiments_3_5.policies import RegimentsPolicies
from shieldwall.editions.regiments_3_5.specials import SPECIALS
from shieldwall.rules.army.choosing import ChooseEffects
from shieldwall.rules.army.out_of_turn import StrikeWhenDrawingBack
from shieldwall.rules.army.picking import StrikeCrossed, UsePowers
from shieldwall.rules.army.placing import PLACE_BY_RULE, OfferPlacing
from shieldwall.rules.army.procedures import RULE_PROCEDURES
from shieldwall.rules.army.upkeep import (
    STAND_AND_BLEED,
    GrowAtRoundEnd,
    MoveAfterAttacks,
    RecoverNerve,
    ShareAuras,
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
        ShareAuras(),
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
        rounds.PlayRounds(),
        objectives.CountMarkers(),
    ),
    "round": (rounds.BeginRound(), RecoverNerve(), *rounds.ROUND[1:]),
    "relics": objectives.RELICS,
    "arrival": (
        arrival.ArrivalOrder("arrive.order", "ambush", "reserve.arrive_order"),
        arrival.PickArrival(),
        arrival.PlaceArrival(),
    ),
    "closing": (objectives.SeizeMarkers(), GrowAtRoundEnd(), rounds.ClearRound()),
    "activation": (
        activation.GroundTests(),
        ChooseEffects(),
        OfferPlacing(moved=False),
        activation.ChooseAction(),
        UsePowers(charging=True),
        CarryOutBlock(),
        CastAfterMove(),
        OfferPlacing(moved=True),
        UsePowers(charging=False),
        activation.ShootNow(),
        TurnAfterShooting(),
        MoveAfterAttacks(),
        StrikeWhenDrawingBack(),
        activation.EndActivation(),
        activation.Checkpoint(),
        EndLentRules(),
        activation.PassTurn(),
    ),
    "move.hold": BLOCK_MOVE,
    "move.spell": SPELL_MARCH,
    "move.idle": BLOCK_MOVE,
    "move.advance": BLOCK_MOVE,
    "move.rush": BLOCK_MOVE,
    **RULE_PROCEDURES,
    "rule.place": PLACE_BY_RULE,
    "stand_firm": STAND_AND_BLEED,
    "danger": DANGER,
    "wounds": (RollToIgnore(), LandWounds(), AttackDone()),
    "shoot": SHOOT,
    "attack": ATTACK,
    "melee": (
        ChargeTarget(),
        ChargeSide(),
        ChargePath(),
        CloseUp(),
        StrikeCrossed(),
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
)
