"""Mysterious ground and objectives: the first unit that comes there rolls for a secret, which lasts for the game.

Pieces and markers store the result (`secret`). A marker with a result of 3 or 4 gets a piece of ground around it, so
that moves, tests and limits need no special case.
"""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.frames import Activation, Attack, Danger, HitGroup, Melee, Movement, Mystery, Packet
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import MILLI, Marker, Piece, Pose, RuleRef, State, Unit, setting
from shieldwall.core.values import FACE_LABELS, Counts, Labels, Mod, Pool, highest
from shieldwall.editions.aof_1_6.building_as_unit import piece_of
from shieldwall.editions.aof_1_6.melee import for_melee
from shieldwall.geometry.distance import point_gap
from shieldwall.geometry.tolerance import within
from shieldwall.rules.features.loose import WalkStep, move_models
from shieldwall.rules.features.loose_together import NerveAfterMove
from shieldwall.rules.missions import on_ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.ground import models_inside, pieces_under
from shieldwall.table.loose_moves import WalkResult
from shieldwall.table.measure import point_to_unit
from shieldwall.table.walk_context import shapes_at

WOUNDS, HITS, STEADY, CLUMSY = 3, 4, 5, 6  # what a roll for a piece of ground may mean
DANGEROUS, DIFFICULT, HIDDEN, INSPIRING = 3, 4, 5, 6  # what a roll for a marker may mean
NEAR = 3.0
NARROWINGS = 24  # steps of a search that leave less than a thousandth of an inch of any way
ZONE = "zone"
OUTSIDE = -1  # a move that enters nothing
D3: Labels = ("1", "1", "2", "2", "3", "3")


class ArriveOnce(TrunkStep):
    """All models move; a model that met danger is tested, once per activation.

    Danger around a marker concerns the whole unit as soon as one model meets it.
    """

    name = "move.walk"

    def go(self, game: Play) -> None:
        frame: Movement = game.stack[-1]
        move_models(game, frame, dict(frame.ends), frame.used)
        met = {hazard.model: hazard.piece for hazard in reversed(frame.hazards)}
        zones = {marker.zone for marker in game.state.markers if marker.zone >= 0}
        unit = game.state.units[frame.unit]
        for zone in sorted(zones & set(met.values())):
            met = {model.id: met.get(model.id, zone) for model in unit.models}
        risk_once(game, unit, met)


def risk_once(game: Play, unit: Unit, met: dict[int, int], again: bool = False) -> None:
    """Test models on the ground they met, except those tested before in the running activation.

    With `again` the running step is repeated afterwards, instead of going on to the next one.
    """
    activation = game.nearest(Activation)
    tested = {model for model, _ in activation.tested} if activation is not None else set()
    risks = tuple((m.id, met[m.id]) for m in unit.models if m.id in met and m.id not in tested)
    if not risks:
        return
    if activation is not None:
        game.note_on(Activation, tested=activation.tested + risks)
    game.push(Danger(procedure="danger", unit=unit.id, models=risks), again=again)


class FindSecrets(TrunkStep):
    """A unit that has moved learns the secrets of ground it entered and markers it came near, and suffers them."""

    name = "move.secrets"

    def go(self, game: Play) -> None:
        frame: Movement = game.stack[-1]
        unit = game.state.units[frame.unit]
        if not unit.models or unit.place != "table":
            return
        pieces = self._pieces(game, frame, unit)
        markers = tuple(
            marker.id
            for marker in unknown_markers(game.state)
            if marker.id in frame.neared or (frame.into == OUTSIDE and is_near(game.state, marker, unit))
        )
        if pieces or markers:
            game.push(Mystery(procedure="mystery", unit=unit.id, pieces=pieces, markers=markers))

    def _pieces(self, game: Play, frame: Movement, unit: Unit) -> tuple[int, ...]:
        """Pieces that models entered on foot, and those where a flyer landed."""
        if setting(game.state, "mysterious-terrain", "off") == "off":
            return ()
        known = {piece.id: piece for piece in game.state.pieces if piece.kind != ZONE}
        found = [piece for piece in frame.entered if piece in known]
        if frame.into != OUTSIDE:
            return tuple(found)
        landed = {piece for under in pieces_under(game.state, unit) for piece in under}
        found += [piece for piece in sorted(landed) if piece in known and not known[piece].secret]
        return tuple(dict.fromkeys(found))


class RollSecret(TrunkStep):
    """One roll for a piece that no unit has entered before."""

    name = "mystery.roll"

    def ask(self, game: Play) -> Pending | None:
        frame: Mystery = game.stack[-1]
        if not frame.pieces or piece_of(game.state, frame.pieces[0]).secret:
            return None
        seat = game.state.units[frame.unit].seat
        return Roll("mysterious_terrain", seat, (Pool(1, FACE_LABELS),), game.rules.cite("mystery.ground"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Mystery = game.stack[-1]
        cite = game.rules.cite("mystery.ground")
        result = highest(counts[0])
        game.emit(ev.SecretFound(unit=frame.unit, result=result, piece=frame.pieces[0], cite=cite))

    def go(self, game: Play) -> None:
        if not game.top(Mystery).pieces:
            game.jump("mystery.marker")


class SufferGround(TrunkStep):
    """Some ground wounds or hits every unit that moves into or through it, every time; flyers are exempt."""

    name = "mystery.harm"

    def ask(self, game: Play) -> Pending | None:
        frame: Mystery = game.stack[-1]
        unit = game.state.units[frame.unit]
        secret = piece_of(game.state, frame.pieces[0]).secret
        if not unit.models or not walks(game.rules, game.state, unit):
            return None
        if secret == WOUNDS:
            return Roll("mysterious_wounds", unit.seat, (Pool(1, D3),), game.rules.cite("mystery.wounds"))
        if secret == HITS:
            pool = Pool(1, FACE_LABELS)
            return Roll("mysterious_hits", unit.seat, (pool,), game.rules.cite("mystery.hits"))
        return None

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Mystery = game.stack[-1]
        piece = piece_of(game.state, frame.pieces[0])
        amount = highest(counts[0])
        game.push(harm(frame.unit, piece, amount))

    def go(self, game: Play) -> None:
        """Nothing happens here."""


def harm(unit: int, piece: Piece, amount: int) -> Attack:
    """Wounds without a roll, or hits that still need rolls."""
    if piece.secret == WOUNDS:
        packets = (Packet(amount),)
        return Attack(
            procedure="wounds", kind="danger", unit=-1, victim=unit, packets=packets, cause="danger"
        )
    hits = (HitGroup(amount, unit, note=piece.name),)
    return Attack(procedure="attack", kind="danger", unit=-1, hits=hits, cause="danger")


class NextGround(TrunkStep):
    """Go on to the next piece."""

    name = "mystery.next"

    def go(self, game: Play) -> None:
        game.note(pieces=game.top(Mystery).pieces[1:])
        game.jump("mystery.roll")


class RollMarkerSecret(TrunkStep):
    """One roll for a marker that no unit has been near before."""

    name = "mystery.marker"

    def ask(self, game: Play) -> Pending | None:
        frame: Mystery = game.stack[-1]
        if not frame.markers:
            return None
        seat = game.state.units[frame.unit].seat
        return Roll("mysterious_objective", seat, (Pool(1, FACE_LABELS),), game.rules.cite("mystery.marker"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Mystery = game.stack[-1]
        cite = game.rules.cite("mystery.marker")
        result = highest(counts[0])
        game.emit(ev.SecretFound(unit=frame.unit, result=result, marker=frame.markers[0], cite=cite))
        game.note(markers=frame.markers[1:])
        game.stay()
        unit = game.state.units[frame.unit]
        if result == DANGEROUS and walks(game.rules, game.state, unit):
            zone = game.state.markers[frame.markers[0]].zone
            risk_once(game, unit, {model.id: zone for model in unit.models}, again=True)


MYSTERY: tuple[TrunkStep, ...] = (
    RollSecret(),
    SufferGround(),
    NextGround(),
    RollMarkerSecret(),
)
FIRST_MOVE: tuple[TrunkStep, ...] = (WalkStep(), ArriveOnce(), FindSecrets(), NerveAfterMove())
FIRST_GO: tuple[TrunkStep, ...] = (ArriveOnce(), FindSecrets(), NerveAfterMove())


class ClumsyCharge(TrunkStep):
    """A unit that ends a charge inside such ground has -1 to hit in this melee."""

    name = "charge.ground"

    def go(self, game: Play) -> None:
        charger = game.state.units[game.top(Melee).charger]
        clumsy = {piece.id for piece in game.state.pieces if piece.secret == CLUMSY}
        if not clumsy or not charger.models:
            return
        if any(clumsy & set(under) for under in pieces_under(game.state, charger)):
            for_melee(game, charger.id, "Ground", RuleRef("To Strike", -1), game.rules.cite("mystery.charge"))


def walks(rules: Ruleset, state: State, unit: Unit) -> bool:
    """Whether terrain affects some model of a unit."""
    return not all(rules.crossing(state, unit, model).terrain for model in unit.models)


def unknown_markers(state: State) -> list[Marker]:
    """Markers on the table whose secret is unknown, if the players agreed on secrets."""
    if setting(state, "mysterious-markers", "off") == "off":
        return []
    return [marker for marker in state.markers if on_ground(marker) and not marker.secret]


def is_near(state: State, marker: Marker, unit: Unit) -> bool:
    """Whether some model of a unit on the table is within 3 inches of a marker."""
    if unit.place != "table" or not unit.models:
        return False
    spot = marker.x / MILLI, marker.y / MILLI, marker.z / MILLI
    return within(point_to_unit(state, unit.id, *spot, heights=True), NEAR)


def markers_passed(state: State, unit: Unit, walk: WalkResult) -> tuple[int, ...]:
    """Markers with an unknown secret that some model comes near on its way."""
    unknown = unknown_markers(state)
    if not unknown:
        return ()
    starts = {model.id: pose for model, pose in zip(unit.models, unit.poses, strict=True)}
    legs = [
        (path.model, pair) for path in walk.paths for pair in pairwise((starts[path.model], *path.points))
    ]
    lone = {model.id: replace(unit, models=(model,), poses=(starts[model.id],)) for model in unit.models}
    return tuple(
        marker.id
        for marker in unknown
        if any(_passes(state, lone[model], start, end, marker) for model, (start, end) in legs)
    )


def _passes(state: State, model: Unit, start: Pose, end: Pose, marker: Marker) -> bool:
    """Whether a base that moves straight ahead comes near a marker: its distance first falls, then rises."""
    spot = marker.x / MILLI, marker.y / MILLI, marker.z / MILLI

    def apart(along: float) -> float:
        ends = (start.x, end.x), (start.y, end.y), (start.z, end.z)
        x, y, z = (round(a + (b - a) * along) for a, b in ends)
        shapes = shapes_at(model, state.profiles, (Pose(x, y, start.heading, z),))
        return point_gap(shapes.span(0, 1), *spot, True)[0]

    low, high = 0.0, 1.0
    for _ in range(NARROWINGS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if apart(left) <= apart(right):
            high = right
        else:
            low = left
    return within(min(apart(0.0), apart((low + high) / 2), apart(1.0)), NEAR)


def near_secret(state: State, unit: Unit, secret: int) -> Marker | None:
    """A marker near a unit with this secret; a carried one is where its bearer is."""
    for marker in state.markers:
        if marker.secret != secret or marker.gone or unit.place != "table":
            continue
        bearer = state.units[marker.carrier] if marker.carrier >= 0 else None
        if bearer is not None and bearer.place != "table":
            continue
        if marker.carrier == unit.id or is_near(state, marker, unit):
            return marker
    return None


def secrets_around(rules: Ruleset, state: State, frame: Attack, unit: Unit, target: Unit) -> tuple[Mod, ...]:
    """Modifiers to hit from known secrets: of the ground the attacker is in, and of markers near both units."""
    mods: list[Mod] = []
    if frame.kind == "shoot":
        steady = {piece.id for piece in state.pieces if piece.secret == STEADY}
        if steady and unit.place == "table" and 2 * models_inside(state, unit, steady) > len(unit.models):
            mods.append(Mod(1, "mysterious ground", rules.cite("mystery.steady")))
        if near_secret(state, target, HIDDEN) is not None:
            mods.append(Mod(-1, "mysterious objective", rules.cite("mystery.hidden")))
    elif frame.kind == "strike" and near_secret(state, unit, INSPIRING) is not None:
        mods.append(Mod(1, "mysterious objective", rules.cite("mystery.inspiring")))
    return tuple(mods)


def endangered(state: State, unit: Unit, usual: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Models in danger where they stand; near a dangerous marker, the whole unit."""
    marker = near_secret(state, unit, DANGEROUS)
    if marker is None:
        return usual
    known = dict(reversed(usual))
    return tuple((model.id, known.get(model.id, marker.zone)) for model in unit.models)
