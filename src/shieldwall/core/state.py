"""The whole game as frozen data. Events are its only writers; everything that can be derived is not stored, but may be
cached beside the data, and a new version of a unit or a state keeps the caches that are still valid (`with_unit`).

Lengths are whole thousandths of an inch, angles whole hundredths of a degree, so that a log replays the same
everywhere. x runs along the long table edge, y away from the first side's edge; heading 0 looks towards +y and
grows clockwise.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.blocks import ArmyText, RuleRef
from shieldwall.core.frames import Activation, AnyFrame
from shieldwall.core.values import CENTI, MILLI, Pose

T = TypeVar("T")
BaseShape = Literal["round", "oval", "square", "rect"]
Place = Literal["waiting", "reserve", "table", "inside", "garrison", "wreck", "gone", "later"]

__all__ = ["CENTI", "MILLI", "Pose", "RuleRef"]  # re-exported: most readers of a state need them


class Cached(Generic[T]):
    """Something kept beside the data of a struct: made from it when first read, then a plain attribute."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, thing: object, owner: type | None = None) -> T:
        made = thing.__dict__[self.name] = self.make(thing)
        return made


class Base(Struct, frozen=True, gc=False):
    """A model's base in millimetres: `width` across the front, `depth` along the facing."""

    shape: BaseShape
    width: float
    depth: float


class Weapon(Struct, frozen=True, dict=True):
    """One weapon line. `reach` 0 marks a melee weapon."""

    name: str
    attacks: int
    reach: int = 0
    rules: tuple[RuleRef, ...] = ()


class Profile(Struct, frozen=True, dict=True):
    """What is printed about one kind of model; shared by all models of that kind."""

    name: str
    quality: int
    defense: int
    base: Base
    height: int
    wounds: int = 1
    weapons: tuple[Weapon, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    kind: str = "infantry"
    spells: tuple[str, ...] = ()


class Use(Struct, frozen=True, array_like=True, gc=False):
    """How often something whose uses are counted (a weapon slot or a power) was used, and in which round last."""

    key: str
    times: int
    round: int


class Model(Struct, frozen=True, gc=False):
    """One miniature. `id` is unique in the whole game; `profile` points into `State.profiles`."""

    id: int
    profile: int
    wounds: int = 0
    stunned: bool = False
    tired: bool = False
    tokens: int = 0
    uses: tuple[Use, ...] = ()


class Effect(Struct, frozen=True, array_like=True):
    """A timed effect on a unit: what it grants, who caused it and until when it lasts.

    `against` are rules that enemies of the unit have while they attack it.
    """

    name: str
    source: int
    until: str
    grants: tuple[RuleRef, ...] = ()
    against: tuple[RuleRef, ...] = ()


class Later(Struct, frozen=True, gc=False):
    """How a unit comes into a game in which it is not yet: with these models, by a rule of another unit, or of one
    `model` in particular (-1: of the unit as a whole).
    """

    models: tuple[Model, ...]
    rule: str
    unit: int
    model: int = -1


class Unit(Struct, frozen=True, dict=True):
    """A group of models that acts together.

    Loose units keep one pose per model in `poses`; ranked units keep `block`, the centre of their enclosing
    rectangle, and the order of `models` is rank and file. Models that were lost are no longer listed.
    `roster` are the models it began with, without those that joined, in games where rules bring lost ones back.
    `attached` is the id of a model that joined from another list entry, `slot` where it stands: a front-row
    place from the left, or -1 and -2 for beside the block on the left and on the right. `width` is how many places
    a row had at the start, `ranks` the profile whose base such a place has. `inside` is the unit that
    carries it, or the piece that houses it (`place` "garrison"). `ordinary` is the profile most models had when the
    first of them was lost, -1 until then. A unit that a rule may bring on has no models until then, and `later` says
    which it will have (`place` "later"); `start_models` counts those.

    Three caches hold facts derived from it; each user of an entry knows its type. Versions of the unit share `memory`
    while its models stand still, `card` until models are lost or join, wherever they stand, and `makeup` until wounds
    or effects change.
    """

    id: int
    side: int
    seat: int
    name: str
    models: tuple[Model, ...]
    poses: tuple[Pose, ...] = ()
    block: Pose | None = None
    place: Place = "waiting"
    inside: int = -1
    start_models: int = 0
    width: int = 0
    ranks: int = -1
    attached: int = -1
    slot: int = 0
    ordinary: int = -1
    activated: bool = False
    broken: bool = False
    tired: bool = False
    stayed: bool = True
    arrived: int = 0
    effects: tuple[Effect, ...] = ()
    uses: tuple[Use, ...] = ()
    picks: tuple[tuple[str, str], ...] = ()
    cost: int = 0
    later: Later | None = None
    roster: tuple[Model, ...] = ()

    memory = Cached[dict[str, Any]](lambda unit: {})
    card = Cached[dict[str, Any]](lambda unit: {})
    makeup = Cached[dict[Any, Any]](lambda unit: {})


class Spell(Struct, frozen=True):
    """A spell as printed: its cost, its targets and its effect.

    It deals `hits` with `rules`, grants `grants` to each target until `until`, and may cause a morale or
    dangerous-terrain test (`test`), whose failure grants `grants` instead. `moves` lets the side that cast
    it move a target.
    """

    name: str
    cost: int
    reach: int
    on: Literal["enemy", "friend", "self"] = "enemy"
    targets: int = 1
    hits: int = 0
    rules: tuple[RuleRef, ...] = ()
    grants: tuple[RuleRef, ...] = ()
    until: str = "round"
    test: Literal["", "morale", "danger"] = ""
    moves: int = 0


class Piece(Struct, frozen=True, dict=True):
    """One piece of terrain: a simple polygon with a height, its types and extra conditions.

    A solid building has room for `capacity` models; `ports` are its firing ports, each with the side of the outline
    it looks out of (by number) and its height. `secret` is what its first visitor rolled for it, 0 while nobody has.
    """

    id: int
    name: str
    kind: str
    outline: tuple[tuple[int, int], ...]
    height: int = 0
    types: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    depth: int = 0
    capacity: int = 0
    ports: tuple[tuple[int, int], ...] = ()
    secret: int = 0


class Marker(Struct, frozen=True):
    """An objective. `holder` is the side that controls it, -1 while neutral; `carrier` the unit that carries it.

    `secret` is what the first unit near it rolled for it, 0 while nobody has; `zone` is the piece of terrain that
    the secret created, -1 for none.
    """

    id: int
    x: int
    y: int
    z: int = 0
    holder: int = -1
    owner: int = -1
    carrier: int = -1
    gone: bool = False
    secret: int = 0
    zone: int = -1


class Seat(Struct, frozen=True):
    """A player. Several seats may share a side. `auto` names the decisions answered by their default."""

    side: int
    name: str
    auto: tuple[str, ...] = ()


class Side(Struct, frozen=True):
    """What belongs to a side: its table edge and the marks that decide who starts the next round.

    `dry_at` is the turn count at which the side ran out of units to activate this round (0: not yet),
    `last_turn_at` the turn count of its latest activation this round (0: none).
    """

    edge: str = ""
    start_units: int = 0
    dry_at: int = 0
    last_turn_at: int = 0


class Positions:
    """The positions of all units: shared by states until a unit moves, arrives, leaves or loses models. `scene` is
    the table's cached scene, None until it is needed. Until then, `earlier` is the scene of earlier positions, and
    `changed` names the units that have changed since. Caches on units hold the `token`, never the positions, whose
    scene holds units.
    """

    __slots__ = ("changed", "earlier", "scene", "token")

    def __init__(self, earlier: Any = None, changed: tuple[int, ...] = ()) -> None:
        self.scene: Any = None  # only the table knows its type
        self.token = object()
        self.earlier = earlier
        self.changed = changed

    def after(self, unit: int) -> Positions:
        """The positions after one unit has changed."""
        if self.scene is not None:
            return Positions(self.scene, (unit,))
        return Positions(self.earlier, self.changed if unit in self.changed else (*self.changed, unit))


class State(Struct, frozen=True, dict=True):
    """Everything about a running game. Sharing the reference is a copy; keeping an old one is an undo.

    `memory` is a cache for results about the table; each user of an entry knows its type. States that differ only in
    their procedures' progress share it, so nothing in it may depend on that. `positions` is shared until a unit moves.
    """

    ruleset: str
    options: tuple[tuple[str, str], ...]
    width: int
    depth: int
    profiles: tuple[Profile, ...]
    seats: tuple[Seat, ...]
    sides: tuple[Side, ...]
    units: tuple[Unit, ...]
    spells: tuple[Spell, ...] = ()
    pieces: tuple[Piece, ...] = ()
    markers: tuple[Marker, ...] = ()
    axis: str = "y"
    round: int = 0
    turn: int = 0
    turns_taken: int = 0
    starter: int = 0
    first_side: int = 0
    mission: str = ""
    army_rules: tuple[ArmyText, ...] = ()
    rulings: tuple[tuple[str, str], ...] = ()
    rolls_made: int = 0
    stack: tuple[AnyFrame, ...] = ()
    winner: int | None = None
    finished: bool = False

    memory = Cached[dict[str, Any]](lambda state: {})
    positions = Cached(lambda state: Positions())


_FACTS_OF_NOTHING: dict[Any, Any] = {}  # about a table without terrain


def shared_facts(things: tuple[Piece, ...] | tuple[Profile, ...]) -> dict[Any, Any]:
    """A cache for facts about the terrain or the profiles of a game, which its states share as one tuple. It is
    stored on the first of them and lives as long as they do; each user of an entry knows its type. Games with the very
    same profiles share it; any other tuple that starts with the same piece or profile gets an empty cache.
    """
    if not things:
        return _FACTS_OF_NOTHING
    known: tuple[tuple[Any, ...], dict[Any, Any]] | None = things[0].__dict__.get("facts")
    if known is None or known[0] is not things:
        is_same = known is not None and len(known[0]) == len(things) and all(map(is_, known[0], things))
        known = things[0].__dict__["facts"] = (things, known[1] if known is not None and is_same else {})
    return known[1]


def ordinary_profile(unit: Unit) -> int:
    """The profile that most models of a unit had before its first loss; on a tie the last one, as special models come
    first.
    """
    if unit.ordinary >= 0:
        return unit.ordinary
    kinds = [model.profile for model in unit.models if model.id != unit.attached]
    return max([(kinds.count(kind), kind) for kind in set(kinds)])[1] if kinds else -1


def called_up(unit: Unit) -> Unit:
    """A unit that a rule brings into the game: with its models, still off the table."""
    if unit.later is None:
        return unit
    return replace(unit, models=unit.later.models, place="waiting", later=None)


def model_ids(unit: Unit) -> tuple[int, ...]:
    """The ids of a unit's models, in their order."""
    makeup = unit.makeup
    known: tuple[int, ...] | None = makeup.get("ids")
    if known is None:
        known = makeup["ids"] = tuple([model.id for model in unit.models])
    return known


def while_nobody_moves(state: State, unit: Unit, what: str, terms: object, find: Callable[[], T]) -> T:
    """A cached fact about a unit, computed again only when any unit has moved, arrived or left."""
    memory, token = unit.memory, state.positions.token
    known: tuple[object, object, T] | None = memory.get(what)
    if known is None or known[0] is not token or known[1] != terms:
        known = memory[what] = (token, terms, find())
    return known[2]


def pass_on_caches(before: Unit, after: Unit) -> bool:
    """Pass on to a new version of a unit the caches that are still valid; whether it certainly stands where it did."""
    known, is_same = after.__dict__, is_same_block(before, after)
    is_same_place = (
        is_same
        and before.block is after.block
        and before.poses is after.poses
        and before.place == after.place
    )
    if is_same:
        known["card"] = before.card
    if is_same_place:
        known["memory"] = before.memory
    if before.models is after.models and before.effects is after.effects:
        known["makeup"] = before.makeup
    return is_same_place


def is_same_position(before: Unit, after: Unit) -> bool:
    """Whether two versions of a unit are certainly at the same position: cheap, and may return False wrongly."""
    if before is after:
        return True
    if before.block is not after.block or before.poses is not after.poses or before.place != after.place:
        return False
    return is_same_block(before, after)


def is_same_block(before: Unit, after: Unit) -> bool:
    """Whether two versions of a unit certainly have the same models, wherever they stand."""
    if before.slot != after.slot or before.attached != after.attached:
        return False
    if before.width != after.width or before.start_models != after.start_models:
        return False
    if before.models is after.models:
        return True
    if len(before.models) != len(after.models):
        return False
    for old, new in zip(before.models, after.models, strict=True):
        if old.profile != new.profile or old.id != new.id:
            return False
    return True


def acting(state: State) -> int:
    """The unit being activated; -1 between activations."""
    return next((frame.unit for frame in reversed(state.stack) if isinstance(frame, Activation)), -1)


def with_unit(state: State, unit: Unit, **others: object) -> State:
    """The state with one unit replaced, and other fields with it."""
    units = list(state.units)
    before = units[unit.id]
    units[unit.id] = unit
    after = replace(state, units=tuple(units), **others)
    is_same_place = pass_on_caches(before, unit)
    positions = state.positions
    after.__dict__["positions"] = positions if is_same_place else positions.after(unit.id)
    return after


def with_version(state: State, unit: Unit, is_same_place: bool) -> State:
    """The state with one unit replaced by a version of it that was made before and has its caches."""
    units = list(state.units)
    units[unit.id] = unit
    after, positions = replace(state, units=tuple(units)), state.positions
    after.__dict__["positions"] = positions if is_same_place else positions.after(unit.id)
    return after


def with_units_in_place(state: State, units: list[Unit], **others: object) -> State:
    """The state with other versions of its units, none of which moved or lost models; other fields too."""
    for before, after in zip(state.units, units, strict=True):
        if before is not after:
            pass_on_caches(before, after)
    return with_fields(state, units=tuple(units), **others)


def put_at(unit: Unit, poses: tuple[Pose, ...], **others: object) -> Unit:
    """The unit at another place, and other fields with it: a block has one pose, a loose unit one for each model."""
    if unit.width:
        return replace(unit, block=poses[0], **others)
    return replace(unit, poses=poses, **others)


def with_roster(unit: Unit) -> Unit:
    """The unit with a record of the models it has now, apart from one that joined."""
    models = unit.models if unit.later is None else unit.later.models
    own = [Model(model.id, model.profile) for model in models if model.id != unit.attached]
    return replace(unit, roster=tuple(own))


def with_models_back(
    unit: Unit, models: tuple[Model, ...], poses: tuple[Pose, ...] = (), block: Pose | None = None
) -> Unit:
    """The unit with models that it had lost, each in its old place in the order: the poses of a loose unit's, or
    where a block's centre now is.
    """
    rank = {model.id: at for at, model in enumerate(unit.roster)}
    everybody = (*unit.models, *models)
    order = sorted(range(len(everybody)), key=lambda at: rank.get(everybody[at].id, len(rank)))
    standing = (*unit.poses, *poses)
    return replace(
        unit,
        models=tuple([everybody[at] for at in order]),
        poses=tuple([standing[at] for at in order]) if standing else (),
        block=unit.block if block is None else block,
    )


def with_model(state: State, unit_id: int, model_id: int, change: Callable[[Model], Model]) -> State:
    """The state with one model of a unit changed."""
    unit = state.units[unit_id]
    models = tuple([change(model) if model.id == model_id else model for model in unit.models])
    return with_unit(state, replace(unit, models=models))


def with_fields(state: State, **changes: Any) -> State:
    """The state with other fields changed; neither terrain nor the positions of units may be among them."""
    after = replace(state, **changes)
    after.__dict__["positions"] = state.positions
    return after


def with_side(state: State, index: int, side: Side) -> State:
    """The state with one side replaced."""
    return with_fields(state, sides=(*state.sides[:index], side, *state.sides[index + 1 :]))


Switches = tuple[tuple[str, str], ...]


def option(state: State, name: str) -> str:
    """The value of a house-rule switch; unknown names are a programming error."""
    return _switches(state)[name]


def setting(state: State, name: str, otherwise: str) -> str:
    """The value of a house-rule switch, or `otherwise` in games that lack it."""
    return _switches(state).get(name, otherwise)


def _switches(state: State) -> dict[str, str]:
    """All switches of a game by name, read once."""
    facts = shared_facts(state.profiles)
    known: tuple[Switches, dict[str, str]] | None = facts.get("switches")
    if known is None or known[0] is not state.options:
        known = facts["switches"] = (state.options, dict(reversed(state.options)))
    return known[1]
