"""Age of Fantasy: Skirmish 3.2: single models and small groups, wound effects, three ways of sight."""

from __future__ import annotations

from shieldwall.editions.skirmish_3_2.cites import CITES
from shieldwall.editions.skirmish_3_2.falls import FALL, PushPath
from shieldwall.editions.skirmish_3_2.melee import MEET_ON_THE_WAY, AskCounter, KeepLimited, PlanInOrder
from shieldwall.editions.skirmish_3_2.movement import DANGER_BY_PIECE, LOOSE_MOVE
from shieldwall.editions.skirmish_3_2.policies import SIGN_BY_SIDE, SkirmishPolicies
from shieldwall.editions.skirmish_3_2.rout_round import CLOSING, StunOnFailure
from shieldwall.editions.skirmish_3_2.setup import CheckTable, OrderOnTurn
from shieldwall.editions.skirmish_3_2.specials import SPECIALS
from shieldwall.editions.skirmish_3_2.spread import SpreadHits
from shieldwall.editions.skirmish_3_2.stunned import ChargeStunned, CountWithGuard, KnockOutStunned
from shieldwall.editions.skirmish_3_2.wound_effects import (
    AskToPush,
    BleedAndCheck,
    CheckAfterAttack,
    CheckAfterBlows,
    RollEffect,
    RollPush,
)
from shieldwall.rules.army import (
    bringing_on,
    caster_groups,
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
from shieldwall.rules.features.cast_windows import CastAfterMove, CastBeforeBlows
from shieldwall.rules.features.loose import PartLoose, ScoutMove
from shieldwall.rules.features.loose_melee import ChargeWay, Contact, React
from shieldwall.rules.features.rulings import RULINGS, SetOrder
from shieldwall.rules.features.spell_moves import SpellWalk
from shieldwall.rules.features.spells import EndLentRules
from shieldwall.rules.features.tokens import token_procedures
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
from shieldwall.rules.steps.shoot import SHOOT

CONSTANTS = Constants(
    table=(inches(48), inches(48)),
    terrain_advised=20,
    points_starter=150,
    points_full=250,
)

MORALE = (morale.ChooseTester(), morale.RollMorale(), morale.SecondChance(), StunOnFailure())

PROCEDURES = {
    "game": (
        CheckTable(),
        markers.CountToPlace(),
        markers.MarkerRollOff("setup.marker_rolloff", "markers", "marker.rolloff"),
        markers.WhoPlacesFirst(),
        markers.PlaceMarkers(),
        upkeep.ShareAuras(),
        deployment.DeploymentRollOff("deploy.rolloff", "deployment", "deploy.rolloff"),
        deployment.ChooseEdge(),
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
        *CLOSING,
        upkeep.GrowAtRoundEnd(),
        picking.UsePowersInRound(ending=True),
        caster_groups.LoseGroupTokens(),
        rounds.ClearRound(),
        EndIfWipedOut(),
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
        EndLentRules(),
        coming_back.LeaveTheTable(),
        coordinating.CallNextUnit(),
        activation.PassTurn(),
        EndIfWipedOut(),
    ),
    "move.hold": (),
    "move.idle": (),
    "move.advance": LOOSE_MOVE,
    "move.rush": LOOSE_MOVE,
    "move.consolidate": LOOSE_MOVE,
    "move.scout": LOOSE_MOVE,
    "move.spell": (SpellWalk(), *LOOSE_MOVE[1:]),
    "move.charge": MEET_ON_THE_WAY,
    "move.react": MEET_ON_THE_WAY,
    **procedures.rule_procedures(MORALE),
    "rule.place": placing.PLACE_BY_RULE,
    "stand_firm": (BleedAndCheck(),),
    "danger": DANGER_BY_PIECE,
    "wounds": (attack.RollToIgnore(), attack.LandWounds(), attack.AttackDone(), CheckAfterAttack()),
    "guarded": (attack.RollToIgnore(), attack.LandWounds(), attack.AttackDone()),
    "shoot": SHOOT,
    "attack": (
        attack.RollToHit(),
        attack.RollMoreAttacks(),
        SpreadHits(),
        attack.TakeVictim(),
        KnockOutStunned("hit"),
        attack.RollToBlock(),
        attack.RollBlocksAgain(),
        attack.StrikeForLowBlocks(),
        KnockOutStunned("unblocked-hit"),
        CountWithGuard(),
        attack.RollToIgnore(),
        attack.LandWounds(),
        attack.AttackDone(),
        CheckAfterAttack(),
    ),
    "melee": (
        melee.ChargeTarget(),
        ChargeWay(),
        Contact(),
        ChargeStunned(),
        React(),
        picking.StrikeCrossed(),
        CastBeforeBlows(),
        melee.CountEarly(),
        AskCounter(),
        PlanInOrder("early"),
        KeepLimited("early"),
        melee.Strike("early"),
        CheckAfterBlows("early"),
        PlanInOrder("charger"),
        KeepLimited("charger"),
        charge_hits.HitOnCharge(),
        melee.Strike("charger"),
        CheckAfterBlows("charger"),
        melee.AskToAnswer(),
        PlanInOrder("defender"),
        KeepLimited("defender"),
        melee.Strike("defender"),
        CheckAfterBlows("defender"),
        melee.TireFighters(),
        PartLoose(),
    ),
    "morale": MORALE,
    "wound_check": (RollEffect(), AskToPush(), RollPush(), PushPath()),
    "fall": FALL,
    **RULINGS,
    "ordering": (OrderOnTurn(), SetOrder()),
    **token_procedures(SIGN_BY_SIDE, MORALE, DANGER_BY_PIECE),
}

RULESET = Ruleset(
    id="skirmish-3.2",
    title="Age of Fantasy: Skirmish 3.2",
    constants=CONSTANTS,
    procedures=PROCEDURES,
    specials=SPECIALS,
    cites=CITES,
    policies=SkirmishPolicies(),
    last_model_stands=True,
    version=2,
)
