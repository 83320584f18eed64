"""A state as shown to a client. Views are built field by field: anything not named here never leaves the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from shieldwall.armies.parse import describe_weapon
from shieldwall.core.frames import Melee
from shieldwall.core.state import MILLI, Base, Marker, Pose, Profile, State, Unit, Weapon, acting
from shieldwall.rules.missions import mission_of
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps import objectives
from shieldwall.rules.steps.arrival import is_awaited
from shieldwall.server.armoury import faction_of
from shieldwall.server.storage.rows import GameRow, SeatRow
from shieldwall.server.text import clean
from shieldwall.server.views import (
    Badge,
    BaseView,
    BoardView,
    FigureView,
    MarkerView,
    PieceView,
    Point,
    ProfileView,
    RuleTextView,
    RuleView,
    ScoreView,
    SeatView,
    TableView,
    UnitView,
    WeaponView,
    ZoneView,
)
from shieldwall.server.words import broken_word, glyph_of, piece_facts, rule_view
from shieldwall.story.fighting import effect_words
from shieldwall.story.missions import mission_words
from shieldwall.story.names import side_name
from shieldwall.table.formations import enclosing_rect, figure_poses, shifted
from shieldwall.table.shapes import MM_PER_INCH


def table_view(rules: Ruleset, state: State, seats: Sequence[SeatRow]) -> TableView:
    """What stays the same for the whole game."""
    return TableView(
        edition=rules.id,
        title=rules.title,
        width=state.width,
        depth=state.depth,
        rounds=rules.constants.rounds,
        seats=tuple(seat_view(state, row) for row in seats),
        pieces=tuple(
            PieceView(p.id, p.name, p.kind, p.outline, p.height, (*p.types, *p.conditions), piece_facts(p))
            for p in state.pieces
        ),
        profiles=tuple(_profile(rules, number, profile) for number, profile in enumerate(state.profiles)),
        options=state.options,
        mission=mission_of(state).name,
        goal=mission_words(state.mission),
        seize_within=rules.constants.seize_within,
        blocks=rules.policies.uses_blocks(),
        texts=tuple(RuleTextView(told.name, told.text, told.side) for told in state.army_rules if told.text),
    )


def seat_view(state: State | None, row: SeatRow) -> SeatView:
    """Who sits where; without a state, seats and sides are the same."""
    side = state.seats[row.seat].side if state is not None and row.seat < len(state.seats) else row.seat
    who: Literal["person", "bot", "open"] = (
        "bot" if row.who == "bot" else "open" if row.who == "open" else "person"
    )
    emblem = faction_of(row.army) if row.army else ""
    return SeatView(row.seat, side, row.name, who, row.army_name, row.bot, emblem)


def title_of(row: GameRow, seats: list[SeatRow]) -> str:
    """A game's title: the name it was given, else its players, once they are known."""
    return row.name or clean(" against ".join(seat.name or "a friend" for seat in seats))


def _base(base: Base) -> BaseView:
    width, depth = (round(size / MM_PER_INCH * MILLI) for size in (base.width, base.depth))
    return BaseView(base.shape, width, depth)


def _weapon(rules: Ruleset, weapon: Weapon, count: int = 0) -> WeaponView:
    printed = tuple(rule_view(rules, ref) for ref in weapon.rules)
    return WeaponView(weapon.name, weapon.attacks, weapon.reach, printed, describe_weapon(weapon), count)


def _profile(rules: Ruleset, number: int, profile: Profile) -> ProfileView:
    return ProfileView(
        id=number,
        name=profile.name,
        quality=profile.quality,
        defense=profile.defense,
        wounds=profile.wounds,
        base=_base(profile.base),
        height=profile.height,
        kind=profile.kind,
        glyph=glyph_of(rules, profile),
        weapons=tuple(_weapon(rules, weapon) for weapon in profile.weapons),
        rules=tuple(rule_view(rules, ref) for ref in profile.rules),
        spells=profile.spells,
    )


# --- the board ---


def board_view(rules: Ruleset, state: State, before: State | None = None) -> BoardView:
    """The board; with `before`, only the units that have changed since."""
    old: Sequence[Unit | None] = before.units if before is not None else [None] * len(state.units)
    new = [(unit, was) for unit, was in zip(state.units, old, strict=True) if unit is not was]
    told = {unit.id for unit, _ in new} | _touched(state, new) | _fighting(before) ^ _fighting(state)
    changed = [unit for unit in state.units if unit.id in told]
    return BoardView(
        whole=before is None,
        units=tuple(unit_view(rules, state, unit) for unit in changed),
        markers=tuple(_marker(rules, state, marker) for marker in state.markers if not marker.gone),
        zones=_zones(rules, state),
        score=score_of(state),
        phase="over" if state.finished else "battle" if state.round else "setup",
        round=state.round,
        turn=state.turn,
        acting=acting(state),
        finished=state.finished,
        winner=state.winner,
    )


def _touched(state: State, new: Sequence[tuple[Unit, Unit | None]]) -> set[int]:
    """Carriers that a unit entered or left: they look different although they have not changed themselves."""
    stays = [one for pair in new for one in pair if one is not None and one.place == "inside"]
    return {one.inside for one in stays if 0 <= one.inside < len(state.units)}


def _fighting(state: State | None) -> set[int]:
    """Units in the current melee."""
    melees = [frame for frame in state.stack if isinstance(frame, Melee)] if state is not None else []
    return {unit for frame in melees for unit in (frame.charger, frame.target) if unit >= 0}


def figures_of(state: State, unit: Unit) -> tuple[FigureView, ...]:
    """Every model in its place."""
    poses: Sequence[Pose | None] = [None] * len(unit.models)
    if unit.place in ("table", "wreck"):
        if unit.block is not None:
            poses = figure_poses(unit, state.profiles)
        elif len(unit.poses) == len(unit.models):
            poses = unit.poses
    return tuple(
        FigureView(m.id, m.profile, at, m.wounds, m.stunned, m.tired, m.tokens, m.id == unit.attached)
        for m, at in zip(unit.models, poses, strict=True)
    )


def outline_of(state: State, unit: Unit) -> tuple[Point, ...]:
    """The corners of a block: front left, front right, rear right, rear left; empty for loose units."""
    if unit.block is None or not unit.models:
        return ()
    centre, half_width, half_depth = enclosing_rect(unit, state.profiles)
    corners = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    spots = [shifted(centre, right * half_width, ahead * half_depth) for right, ahead in corners]
    return tuple((spot.x, spot.y) for spot in spots)


def unit_view(rules: Ruleset, state: State, unit: Unit) -> UnitView:
    """One unit with everything known about it."""
    profiles = [state.profiles[model.profile] for model in unit.models]
    lead = next((m for m in unit.models if m.id == unit.attached), None)
    host = next((m for m in unit.models if m.id != unit.attached), None) or lead
    main = state.profiles[host.profile] if host is not None else None
    shown = unit.place == "table"
    return UnitView(
        id=unit.id,
        side=unit.side,
        seat=unit.seat,
        name=unit.name,
        glyph=glyph_of(rules, main) if main is not None else "foot",
        quality=main.quality if main else 0,
        defense=main.defense if main else 0,
        place=unit.place,
        figures=figures_of(state, unit),
        start_models=unit.start_models,
        wounds=sum(model.wounds for model in unit.models),
        toughness=max((profile.wounds for profile in profiles), default=1),
        cost=unit.cost,
        acted=unit.activated,
        badges=_badges(rules, state, unit),
        weapons=_weapons(rules, profiles),
        rules=_shared_rules(rules, profiles),
        centre=unit.block if shown else None,
        outline=outline_of(state, unit) if shown else (),
        inside=unit.inside,
    )


def _weapons(rules: Ruleset, profiles: list[Profile]) -> tuple[WeaponView, ...]:
    """Every weapon of the unit once, with the number of models that have it."""
    counts: Counter[Weapon] = Counter(weapon for profile in profiles for weapon in profile.weapons)
    return tuple(_weapon(rules, weapon, count) for weapon, count in counts.items())


def _shared_rules(rules: Ruleset, profiles: list[Profile]) -> tuple[RuleView, ...]:
    refs = dict.fromkeys(ref for profile in profiles for ref in profile.rules)
    return tuple(rule_view(rules, ref) for ref in refs)


def _badges(rules: Ruleset, state: State, unit: Unit) -> tuple[Badge, ...]:
    """The states of a unit as symbols with labels, never colour alone."""
    found = []
    if unit.activated and unit.models:
        found.append(Badge("acted", "Has acted this round"))
    if unit.broken:
        found.append(Badge("shaken", broken_word(rules), cite=rules.cites.get("morale.broken", "")))
    tired = len(unit.models) if unit.tired else sum(model.tired for model in unit.models)
    if tired:
        found.append(Badge("fatigued", "Fatigued: hits only on 6s", tired))
    stunned = sum(model.stunned for model in unit.models)
    if stunned:
        found.append(Badge("stunned", "Stunned models", stunned))
    wounds = sum(model.wounds for model in unit.models)
    if wounds:
        found.append(Badge("wounds", "Wounds on surviving models", wounds))
    tokens = sum(model.tokens for model in unit.models)
    if tokens:
        found.append(Badge("tokens", "Spell tokens", tokens))
    if unit.attached >= 0 and any(model.id == unit.attached for model in unit.models):
        found.append(Badge("joined", "A hero has joined"))
    if unit.id in _fighting(state):
        found.append(Badge("melee", "Fighting"))
    riders = [
        other.name
        for other in state.units
        if other.inside == unit.id and other.place == "inside" and not has_joined(other)
    ]
    if riders:
        found.append(Badge("carrying", f"Carries {' and '.join(riders)}", len(riders)))
    found += [Badge("effect", effect_words(effect)) for effect in unit.effects]
    return tuple(found)


def has_joined(unit: Unit) -> bool:
    """Whether an entry of the list fights as a model of another unit, and so is no longer a separate unit."""
    return unit.place == "inside" and not unit.models


def _marker(rules: Ruleset, state: State, marker: Marker) -> MarkerView:
    near = units_near(rules, state, marker)
    sides = {state.units[unit].side for unit in near}
    label = "contested" if len(sides) > 1 else ""
    return MarkerView(marker.id, marker.x, marker.y, marker.z, marker.holder, near, label)


def units_near(rules: Ruleset, state: State, marker: Marker) -> tuple[int, ...]:
    """Units near enough to a marker to hold it."""
    near = objectives.units_near(rules, state, marker)
    return tuple(unit.id for unit in near if rules.policies.may_hold_markers(rules, state, unit))


def _zones(rules: Ruleset, state: State) -> tuple[ZoneView, ...]:
    """Deployment zones; shown after deployment too, because people ask where they were."""
    return tuple(
        ZoneView(
            "deploy",
            side,
            zone.left,
            zone.near,
            zone.right,
            zone.far,
            f"{side_name(state, side)} deploys here",
        )
        for side, facts in enumerate(state.sides)
        if facts.edge
        for zone in rules.policies.deploy_ground(rules, state, side).region.zones
    )


def score_of(state: State) -> tuple[ScoreView, ...]:
    """The score of each side."""
    held = objectives.markers_held(state)
    views = []
    for side in range(len(state.sides)):
        mine = [
            unit for unit in state.units if unit.side == side and unit.later is None and not is_awaited(unit)
        ]
        alive = [unit for unit in mine if unit.models and unit.place != "gone"]
        joined = [unit for unit in mine if has_joined(unit)]
        there = [unit for unit in joined if state.units[unit.inside].attached >= 0]  # with heroes who joined
        views.append(
            ScoreView(
                side,
                side_name(state, side),
                held[side],
                len(alive),
                len(mine) - len(joined),
                sum(unit.cost for unit in (*alive, *there)),
                sum(unit.cost for unit in mine),
            )
        )
    return tuple(views)
