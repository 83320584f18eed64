"""The engine's question as a form for the page: one sentence and every possible answer."""

from __future__ import annotations

from collections import Counter

from msgspec import structs

from shieldwall.core.answers import Aim, Aims, AnyAnswer, Bid, Chosen, March, Pick, Walk
from shieldwall.core.forms import (
    AimingForm,
    ModelsForm,
    OptionForm,
    PlacementForm,
    PointForm,
    RouteForm,
    SpellForm,
    TokensForm,
)
from shieldwall.core.frames import Activation, Melee
from shieldwall.core.grammar import inch_words
from shieldwall.core.pending import Decision, Option
from shieldwall.core.state import Pose, State
from shieldwall.rules.ruleset import Ruleset, enemies_on_table
from shieldwall.rules.steps.targets import Targets
from shieldwall.server.magic import bid_form, cast_form, casting_hint, model_labels, tells_chance
from shieldwall.server.outcomes import Clock, charge_outcome
from shieldwall.server.question_views import (
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
from shieldwall.server.shots import group_view, reasons_of, targets_for
from shieldwall.server.views import ZoneView
from shieldwall.server.words import with_names
from shieldwall.story import Names

PLANNED_KINDS = ("activate", "action")  # questions whose whole activation can be tried out
SHOWN_NAMES = 3
ODDS_MS = 120.0  # time a question may spend on odds before it is shown
IMPERATIVES = ("Pick", "Place", "Choose", "Move")  # first words of prompts that tell a player what to do
_UNARMED_LABELS = {"hold": "Hold: stay here", "advance": "Advance: move", "rush": "Rush: move far"}


def question_for(
    rules: Ruleset, state: State, decision: Decision, mine: bool, can_undo: bool = False
) -> Question:
    """The question as one seat sees it; only the seat that is asked gets the form."""
    side = state.seats[decision.seat].side
    unit = unit_in(state, decision)
    if not mine:
        words = _waiting_words(Names(state).side(side), decision.prompt)
        return Question(decision.kind, decision.seat, side, False, words, decision.cite, unit)
    form = form_of(rules, state, decision)
    default = _suggested(rules, state, decision, form)
    return Question(
        kind=decision.kind,
        seat=decision.seat,
        side=side,
        mine=True,
        sentence=decision.sentence(),
        cite=decision.cite,
        unit=unit,
        form=form,
        default=default,
        default_label=with_names(Names(state), _default_label(decision, default)),
        can_undo=can_undo,
        can_do_for_me=True,
        plans=decision.kind in PLANNED_KINDS,
    )


def _waiting_words(name: str, prompt: str) -> str:
    """Whom a player waits for and what that person decides, from the prompt that person reads."""
    if prompt.split(" ", 1)[0] not in IMPERATIVES:
        return f"Waiting for {name}. {prompt}"
    task = prompt[:1].lower() + prompt[1:]
    return f"Waiting for {name} to {task.replace(' your ', ' their ')}."


def _suggested(rules: Ruleset, state: State, decision: Decision, form: Form) -> AnyAnswer:
    """The answer filled in at first: the question's own, except that shooters aim where it hurts most."""
    usual = decision.default()
    if not isinstance(form, AimForm) or not isinstance(usual, Aims):
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
    targets = targets_for(rules, state, state.units[form.unit])
    aims = Aims(tuple(Aim(key, best, targets.usual_pick(key, best)) for key in able))
    return usual if decision.check(aims) or len(able) < len(usual.aims) else aims


def unit_in(state: State, decision: Decision) -> int:
    """The unit a question is about; -1 if there is none."""
    if decision.about >= 0 or decision.kind == "activate":
        return decision.about
    return _at_work(state, decision.seat)


def _at_work(state: State, seat: int) -> int:
    """The unit of a seat that is fighting, else the unit being activated."""
    for frame in reversed(state.stack):
        if isinstance(frame, Melee):
            mine = [unit for unit in (frame.charger, frame.target) if unit >= 0]
            mine = [unit for unit in mine if state.units[unit].seat == seat]
            if len(mine) == 1:
                return mine[0]
        elif isinstance(frame, Activation):
            return frame.unit
    return -1


def _default_label(decision: Decision, default: AnyAnswer) -> str:
    match default:
        case Pick(option=key):
            form = decision.form()
            options = form.options if isinstance(form, OptionForm) else ()
            return next((option.label for option in options if option.key == key), key)
        case March(legs=()) | Walk(paths=()):
            return "Stay here"
        case March() | Walk():
            return "Move here"
        case Aims(aims=()):
            return "Hold fire"
        case Aims():
            return "Shoot"
        case Chosen():
            return "Take these"
        case Bid(tokens=tokens):
            return "Spend none" if not tokens else f"Spend {tokens}"
        case _:
            return "Do this"


def form_of(rules: Ruleset, state: State, decision: Decision) -> Form:
    """The possible answers as the page shows them: the question's own form with odds and names."""
    match decision.form():
        case OptionForm() as form:
            return PickForm(options_of(rules, state, decision, form))
        case RouteForm() as form:
            return MoveForm(**structs.asdict(form))
        case PlacementForm() as form:
            zones = (*_zones(state, form), *_spots(form.spots))
            return PlaceForm(form.unit, form.how, zones, form.enemy_over, form.words, form.models)
        case PointForm() as form:
            return SpotForm(form.spots, form.words)
        case AimingForm() as form:
            targets, clock = targets_for(rules, state, state.units[form.unit]), Clock(ODDS_MS)
            groups = tuple(group_view(targets, group, clock) for group in form.groups)
            return AimForm(form.unit, groups, form.most_targets)
        case ModelsForm() as form:
            return ChooseForm(form.unit, form.ids, form.count, model_labels(state, form.ids))
        case TokensForm() as form:
            return bid_form(rules, state, decision.seat, form, Clock(ODDS_MS))
        case SpellForm() as form:
            return cast_form(rules, state, form, Clock(ODDS_MS))


def _zones(state: State, form: PlacementForm) -> tuple[ZoneView, ...]:
    side = state.units[form.unit].side
    return tuple(
        ZoneView("place", side, zone.left, zone.near, zone.right, zone.far, form.words) for zone in form.zones
    )


def _spots(spots: tuple[Pose, ...]) -> tuple[ZoneView, ...]:
    """Spots for a single model, each as a small square."""
    return tuple(
        ZoneView("spot", -1, spot.x - 250, spot.y - 250, spot.x + 250, spot.y + 250, "possible spot")
        for spot in spots
    )


def options_in(decision: Decision) -> tuple[Option, ...]:
    """The options of a question; none if it is not answered by picking one."""
    form = decision.form()
    return form.options if isinstance(form, OptionForm) else ()


def options_of(rules: Ruleset, state: State, decision: Decision, form: OptionForm) -> tuple[OptionView, ...]:
    """Legal options first, then illegal ones that players may ask for, with the reasons against them."""
    unit_id = unit_in(state, decision)
    charging = state.units[unit_id] if decision.kind == "charge_target" and unit_id >= 0 else None
    views, clock, names = [], Clock(ODDS_MS), Names(state)
    shots = (
        targets_for(rules, state, state.units[unit_id])
        if decision.kind == "action" and unit_id >= 0
        else None
    )
    for option in form.options:
        odds = None
        if charging is not None and option.unit >= 0:
            odds = charge_outcome(rules, state, charging.id, option.unit, clock)
        hint = _hint(rules, state, decision, unit_id, option.key, clock)
        label = with_names(names, option.label)
        if shots is not None and not shots.groups:  # a unit without ranged weapons gets no such hint
            label = _UNARMED_LABELS.get(option.key, label)
        elif shots is not None and option.key == "hold":
            hint = _shot_words(shots)
        waited_for = (charging is not None and option.unit >= 0 and odds is None) or (
            tells_chance(decision, option.key) and not hint
        )
        later = waited_for and clock.is_spent
        views.append(OptionView(option.key, label, option.unit, True, (), odds, hint, later))
    for option in form.barred:
        reasons = reasons_of(decision.check(Pick(option.key)))
        views.append(OptionView(option.key, option.label, option.unit, False, reasons))
    return tuple(views)


def _shot_words(shots: Targets) -> str:
    """The targets in range from here; with none, holding would end the activation."""
    enemies = enemies_on_table(shots.state, shots.unit)
    names = [enemy.name for enemy in enemies if any(shots.eligible(key, enemy.id) for key in shots.groups)]
    if not names:
        return "no target in range from here"
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    return f"can shoot {', '.join(names[:SHOWN_NAMES])}{more}"


def _hint(rules: Ruleset, state: State, decision: Decision, unit: int, key: str, clock: Clock) -> str:
    """What an option leads to, where that is known: how far the unit moves, how likely a spell is to work."""
    if tells_chance(decision, key):
        return casting_hint(rules, state, decision, key, clock)
    return _reach_words(rules, state, unit, key) if decision.kind == "action" else ""


def _reach_words(rules: Ruleset, state: State, unit: int, action: str) -> str:
    """How far an action moves; empty if it does not move."""
    if unit < 0 or action not in ("advance", "rush", "charge"):
        return ""
    return f"up to {inch_words(rules.allowance(state, state.units[unit], action))}"
