"""The engine's question turned into a form for the page: one sentence and every possible answer."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from shieldwall.core.answers import Aim, Aims, AnyAnswer, Bid, Chosen, March, Pick, Walk
from shieldwall.core.frames import Activation, Melee
from shieldwall.core.grammar import unit_does
from shieldwall.core.pending import Choice, Decision
from shieldwall.core.state import MILLI, State
from shieldwall.editions.skirmish_3_2.falls import FallPlacing, Pushing
from shieldwall.editions.skirmish_3_2.spread import Spread
from shieldwall.rules.features.block_questions import BlockPlacing, Charging, Marching
from shieldwall.rules.features.loose_melee import LooseCharging
from shieldwall.rules.features.loose_questions import LoosePlacing, Walking
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.features.tokens_legal import CastSpell
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.activation import ACTIONS
from shieldwall.rules.steps.casualties import Casualties
from shieldwall.rules.steps.markers import MarkerSpot
from shieldwall.rules.steps.targets import Targets
from shieldwall.server.asking import (
    AimForm,
    ChooseForm,
    Form,
    MoveForm,
    OptionView,
    PickForm,
    PlaceForm,
    Question,
    SpotForm,
)
from shieldwall.server.leaps import may_leap
from shieldwall.server.magic import bid_form, cast_form, casting_hint, model_labels, tells_chance
from shieldwall.server.outcomes import Clock, charge_outcome
from shieldwall.server.reaches import block_reach, loose_reach
from shieldwall.server.shots import enemies_of, groups_view, reasons_of, targets_for
from shieldwall.server.views import ZoneView
from shieldwall.server.words import inches, with_names
from shieldwall.story import Names
from shieldwall.table.zones import Region

PLANNED_KINDS = ("activate", "action")  # questions whose activation can be tried out as a whole
SHOWN_SPOTS = 24
SHOWN_NAMES = 3
ODDS_MS = 120.0  # what a question may spend on odds before it is asked
_ANY_MOVE = "Drag {name} up to {far} ({action}), or leave it where it is"
_MOVES = {
    "react": "{name} may close up with the charger, up to {far}",
    "consolidate": "{name} may move up to {far} after the fight, or stay",
    "scout": "{name} may scout up to {far} ahead, or stay",
    "spell": "Drag {name} up to {far} by the spell, or leave it where it is",
}
_SIDES = {"left": "left flank", "right": "right flank"}
_ACTION_LABELS = {"hold": "Hold", "advance": "Advance", "rush": "Rush", "charge": "Charge"}
_UNARMED_LABELS = {"hold": "Hold: stay here", "advance": "Advance: move", "rush": "Rush: move far"}


def question_for(
    rules: Ruleset, state: State, decision: Decision, mine: bool, can_undo: bool = False
) -> Question:
    """The question as one seat sees it; the form comes only to the seat that is asked."""
    side = state.seats[decision.seat].side
    unit = unit_in(state, decision)
    if not mine:
        words = f"{Names(state).side(side)} decides: {_within_a_sentence(state, decision.prompt)}"
        return Question(decision.kind, decision.seat, side, False, words, decision.cite, unit)
    form = form_of(rules, state, decision)
    default = _suggested(decision, form)
    return Question(
        kind=decision.kind,
        seat=decision.seat,
        side=side,
        mine=True,
        sentence=_sentence(state, decision),
        cite=decision.cite,
        unit=unit,
        form=form,
        default=default,
        default_label=with_names(Names(state), _default_label(decision, default)),
        can_undo=can_undo,
        can_do_for_me=True,
        plans=decision.kind in PLANNED_KINDS,
    )


def _within_a_sentence(state: State, prompt: str) -> str:
    """A prompt behind a colon: it begins small, unless it begins with a name."""
    named = prompt.startswith(tuple(unit.name for unit in state.units if unit.name))
    return prompt if named else prompt[:1].lower() + prompt[1:]


def _suggested(decision: Decision, form: Form | None) -> AnyAnswer:
    """The answer that is filled in: the decision's own, but whoever shoots aims where it hurts most."""
    usual = decision.default()
    if not isinstance(form, AimForm) or not isinstance(decision, Targets) or not isinstance(usual, Aims):
        return usual
    hurts: Counter[int] = Counter()
    for group in form.groups:
        for target in group.targets:
            if target.legal and target.odds is not None:
                hurts[target.unit] += round(target.odds.expected * 1000)
    if not hurts:
        return usual
    best = min(hurts, key=lambda unit: (-hurts[unit], unit))
    able = [g.key for g in form.groups if any(t.legal and t.unit == best for t in g.targets)]
    aims = Aims(tuple(Aim(key, best, decision.usual_pick(key, best)) for key in able))
    return usual if decision.check(aims) or len(able) < len(usual.aims) else aims


def unit_in(state: State, decision: Decision) -> int:
    """The unit a question is about, -1 where it is about none."""
    unit = getattr(decision, "unit", None)
    if isinstance(unit, int):
        return unit
    if unit is not None:
        return int(unit.id)
    if isinstance(decision, CastSpell):
        return decision.book.unit.id
    if isinstance(decision, FallPlacing):
        return decision.frame.unit
    if decision.kind == "activate":
        return -1
    return _at_work(state, decision.seat)


def _at_work(state: State, seat: int) -> int:
    """The unit of a seat that fights, else the unit whose activation is running."""
    for frame in reversed(state.stack):
        if isinstance(frame, Melee):
            mine = [unit for unit in (frame.charger, frame.target) if unit >= 0]
            mine = [unit for unit in mine if state.units[unit].seat == seat]
            if len(mine) == 1:
                return mine[0]
        elif isinstance(frame, Activation):
            return frame.unit
    return -1


def _sentence(state: State, decision: Decision) -> str:
    """The question in plain words; moves say how far."""
    if isinstance(decision, Charging):
        target = state.units[decision.way.target].name
        side = _SIDES.get(decision.way.side, decision.way.side)
        return f"{unit_does(decision.unit, 'charge')} the {side} of {target}: confirm the way"
    if isinstance(decision, Marching | Walking):
        far = _allowance(decision)
        name = decision.unit.name
        if not far:
            return f"Turn {name}, or leave it as it stands"
        if isinstance(decision, LooseCharging) and decision.limits.close_to >= 0:
            return f"{unit_does(decision.unit, 'charge')} {state.units[decision.limits.close_to].name}: confirm the way"
        words = _MOVES.get(decision.limits.action, _ANY_MOVE)
        return words.format(name=name, far=inches(far), action=decision.limits.action)
    return decision.prompt


def _allowance(decision: Marching | Walking) -> int:
    if isinstance(decision, Walking):
        return round(max(decision.limits.allowance) * MILLI)
    return decision.limits.allowance


def _default_label(decision: Decision, default: AnyAnswer) -> str:
    match default:
        case Pick(option=key):
            options = decision.options if isinstance(decision, Choice) else ()
            return next((option.label for option in options if option.key == key), key)
        case March(legs=()) | Walk(paths=()):
            return "Stay here"
        case March() | Walk():
            return "Go this way"
        case Aims(aims=()):
            return "Hold fire"
        case Aims():
            return "Shoot"
        case Chosen():
            return "Take these"
        case Bid(tokens=tokens):
            return "Put in none" if not tokens else f"Put in {tokens}"
        case _:
            return "Do this"


def form_of(rules: Ruleset, state: State, decision: Decision) -> Form | None:
    """Which answers are possible; None for a question this page does not know how to show."""
    match decision:
        case Choice():
            return PickForm(options_of(rules, state, decision))
        case Marching():
            return _march_form(rules, state, decision)
        case Walking():
            reach = loose_reach(state, decision.unit, decision.limits)
            models = tuple(model.id for model in decision.unit.models)
            far, action = _allowance(decision), decision.limits.action
            target = decision.limits.close_to
            leaps = target < 0 and may_leap(state, decision.unit, decision.limits)
            return MoveForm(decision.unit.id, "loose", action, far, 36000, (), reach, target, models, leaps)
        case BlockPlacing() | LoosePlacing():
            return _place_form(decision)
        case MarkerSpot():
            spots = tuple((int(x), int(y)) for x, y in decision.spots[:SHOWN_SPOTS])
            gap = inches(rules.constants.marker_gap_over)
            return SpotForm(spots, f"outside the deployment zones, over {gap} from other markers")
        case Targets():
            most = rules.constants.split_targets
            return AimForm(decision.unit.id, groups_view(decision, Clock(ODDS_MS)), most)
        case Casualties():
            labels = model_labels(state, decision.open_to)
            return ChooseForm(decision.unit, decision.open_to, labels, decision.falling)
        case Spread():
            labels = model_labels(state, decision.near)
            return ChooseForm(-1, decision.near, labels, decision.count)
        case BidTokens():
            return bid_form(rules, state, decision, Clock(ODDS_MS))
        case CastSpell():
            return cast_form(rules, state, decision, Clock(ODDS_MS))
        case _:
            return _rare_form(decision)


def _rare_form(decision: Decision) -> Form | None:
    """Single models that are pushed or put down."""
    if isinstance(decision, Pushing):
        far = round(max(decision.limits.allowance) * MILLI)
        reach = loose_reach(decision.state, decision.unit, decision.limits)
        return MoveForm(decision.unit.id, "loose", "push", far, 36000, (), reach, -1, (decision.model,))
    if isinstance(decision, FallPlacing):
        zones = tuple(
            ZoneView("spot", -1, spot.x - 250, spot.y - 250, spot.x + 250, spot.y + 250, "possible spot")
            for spot in decision.spots[:SHOWN_SPOTS]
        )
        frame = decision.frame
        return PlaceForm(frame.unit, "loose", zones, 0, decision.prompt, (frame.model,))
    return None


def options_of(rules: Ruleset, state: State, decision: Choice) -> tuple[OptionView, ...]:
    """Legal options first, then those that people will ask for, with the reasons against them."""
    unit_id = unit_in(state, decision)
    charging = state.units[unit_id] if decision.kind == "charge_target" and unit_id >= 0 else None
    views, clock, names = [], Clock(ODDS_MS), Names(state)
    shots = (
        targets_for(rules, state, state.units[unit_id])
        if decision.kind == "action" and unit_id >= 0
        else None
    )
    for option in decision.options:
        odds = None
        if charging is not None and option.unit >= 0:
            odds = charge_outcome(rules, state, charging.id, option.unit, clock)
        hint = _hint(rules, state, decision, unit_id, option.key, clock)
        label = with_names(names, option.label)
        if shots is not None and not shots.groups:  # whoever has nothing to shoot with is not told to shoot
            label = _UNARMED_LABELS.get(option.key, label)
        elif shots is not None and option.key == "hold":
            hint = _shot_words(shots)
        waited_for = (charging is not None and option.unit >= 0 and odds is None) or (
            tells_chance(decision, option.key) and not hint
        )
        later = waited_for and clock.is_spent
        views.append(OptionView(option.key, label, option.unit, True, (), odds, hint, later))
    known = {option.key for option in decision.options}
    asked: list[tuple[str, str, int]] = []
    if decision.kind == "action":
        asked = [(key, _ACTION_LABELS[key], -1) for key in ACTIONS]
    elif charging is not None:
        asked = [(f"u{enemy.id}", enemy.name, enemy.id) for enemy in enemies_of(state, charging)]
    for key, label, unit in asked:
        if key not in known:
            reasons = reasons_of(decision.check(Pick(key)))
            views.append(OptionView(key, label, unit, False, reasons))
    return tuple(views)


def _shot_words(shots: Targets) -> str:
    """Whom a unit can shoot at from where it stands; holding would end its activation where that is nobody."""
    enemies = enemies_of(shots.state, shots.unit)
    names = [enemy.name for enemy in enemies if any(shots.eligible(key, enemy.id) for key in shots.groups)]
    if not names:
        return "nobody to shoot at from here"
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    return f"can shoot {', '.join(names[:SHOWN_NAMES])}{more}"


def _hint(rules: Ruleset, state: State, decision: Choice, unit: int, key: str, clock: Clock) -> str:
    """What an option comes to, where that is known beforehand: how far it goes, how likely a spell works."""
    if tells_chance(decision, key):
        return casting_hint(rules, state, decision, key, clock)
    return _reach_words(rules, state, unit, key) if decision.kind == "action" else ""


def _reach_words(rules: Ruleset, state: State, unit: int, action: str) -> str:
    """How far an action goes; empty where it is none that moves."""
    if unit < 0 or action not in ("advance", "rush", "charge"):
        return ""
    return f"up to {inches(rules.allowance(state, state.units[unit], action))}"


def _march_form(rules: Ruleset, state: State, decision: Marching) -> MoveForm:
    limits = decision.limits
    return MoveForm(
        unit=decision.unit.id,
        how="block",
        action=limits.action,
        allowance=limits.allowance,
        pivot=limits.pivot_limit,
        legs=tuple(limits.kinds),
        reach=block_reach(state, decision.unit, limits),
        target=limits.target,
    )


def _place_form(decision: BlockPlacing | LoosePlacing) -> PlaceForm:
    how: Literal["block", "loose"] = "block" if isinstance(decision, BlockPlacing) else "loose"
    ground = decision.ground
    zones = zones_of(ground.region, decision.unit.side)
    models = tuple(model.id for model in decision.unit.models)
    return PlaceForm(decision.unit.id, how, zones, ground.enemy_over, ground.region.words, models)


def zones_of(region: Region, side: int) -> tuple[ZoneView, ...]:
    """The rectangles of a region."""
    return tuple(
        ZoneView("place", side, zone.left, zone.near, zone.right, zone.far, region.words)
        for zone in region.zones
    )
