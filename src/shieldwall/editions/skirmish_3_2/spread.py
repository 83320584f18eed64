"""Hits that spread over the models round a chosen one, whatever unit they belong to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Chosen
from shieldwall.core.forms import ModelsForm
from shieldwall.core.frames import Attack, HitGroup, Volley
from shieldwall.core.pending import Decision, Numbers, Pending, Refusal
from shieldwall.core.state import State
from shieldwall.geometry.tolerance import within
from shieldwall.rules.attack_math import Attackers
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.weapons import weapon_at
from shieldwall.table.measure import models_apart

BLAST_RADIUS = 3.0


class SpreadHits(TrunkStep):
    """Each hitting die becomes X hits, at most one on any model near the chosen one; shared out evenly.

    Blows reach the enemy unit alone, round whichever of its models has most others near it.
    """

    name = "attack.multiply"

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        near = near_models(game, frame)
        total = spread_total(game, frame, len(near))
        if total is None or frame.kind != "shoot" or total % len(near) == 0:
            return None
        units = {model.id: unit for unit in game.state.units for model in unit.models}
        seat = units[near[0]].seat
        return Spread(seat, near, total % len(near), game.rules.cite("blast.spread"))

    def adds_up(self, game: Play) -> bool:
        return not spreads(game, game.top(Attack))

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Chosen)
        self._share_out(game, answer.ids)

    def go(self, game: Play) -> None:
        self._share_out(game, ())

    def _share_out(self, game: Play, extra: tuple[int, ...]) -> None:
        frame: Attack = game.stack[-1]
        near = near_models(game, frame)
        total = spread_total(game, frame, len(near))
        if total is None:
            return
        assert frame.volley is not None
        first = frame.volley.target
        per_unit = Counter[int]()
        if frame.kind == "shoot":
            owner = {model.id: unit.id for unit in game.state.units for model in unit.models}
            for model in near:
                per_unit[owner[model]] += total // len(near) + (model in extra)
        else:
            per_unit[first] = total
        order = sorted((u for u in per_unit if per_unit[u]), key=lambda unit: (unit != first, unit))
        changed = {unit: hits_on(game, frame, unit) for unit in order if unit != first}
        game.note(hits=shared(frame.hits, [(unit, per_unit[unit]) for unit in order], changed))
        cite = game.rules.cite("attack.multiply")
        for unit in order:
            game.emit(ev.Hit(unit=frame.unit, target=unit, hits=per_unit[unit], note="spread", cite=cite))


class Spread(Decision):
    """Which models get the hits that cannot be shared out evenly."""

    __slots__ = ("count", "near")

    def __init__(self, seat: int, near: tuple[int, ...], count: int, cite: str) -> None:
        super().__init__("spread", seat, f"Choose {count} models for the remaining hits", cite)
        self.near = near
        self.count = count

    def form(self) -> ModelsForm:
        return ModelsForm(-1, self.near, self.count)

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Chosen):
            return (Refusal("choose the models that are hit", self.cite),)
        if len(set(answer.ids)) != self.count or len(answer.ids) != self.count:
            return (Refusal(f"choose {self.count} different models", self.cite),)
        strangers = [model for model in answer.ids if model not in self.near]
        few = f"{len(strangers)} of the chosen models are not near enough"
        return (Refusal(few, self.cite),) if strangers else ()

    def default(self) -> Chosen:
        return Chosen(self.near[: self.count])

    def sample(self, numbers: Numbers) -> Chosen:
        left = list(self.near)
        return Chosen(tuple(left.pop(numbers.below(len(left))) for _ in range(self.count)))


def near_models(game: Play, frame: Attack) -> tuple[int, ...]:
    """Enemies that stood near the chosen model when the attack was declared; the chosen one first.

    Of a shot those that still live; blows of one side land together, so that all who stood there are hit.
    """
    if frame.volley is None or not spreads(game, frame):
        return ()
    if frame.kind == "strike":
        return tuple(model for model, _ in frame.volley.near_models)
    alive = {model.id for unit in game.state.units if unit.place == "table" for model in unit.models}
    return tuple(model for model, _ in frame.volley.near_models if model in alive)


def with_models_near(game: Play, unit: int, volley: Volley) -> Volley:
    """Blows with the models they may spread over, as they stand before anybody of that side has struck."""
    if not _multiplies(game, unit, volley):
        return volley
    near = thickest(game.state, volley.target)
    return replace(volley, near_models=tuple((model, volley.target) for model in near))


def spreads(game: Play, frame: Attack) -> bool:
    """Whether the weapon turns hits into several."""
    if frame.volley is None or frame.kind not in ("shoot", "strike"):
        return False
    return _multiplies(game, frame.unit, frame.volley)


def _multiplies(game: Play, unit: int, volley: Volley) -> bool:
    source, profiles = volley.sources[0], game.state.profiles
    if source.weapon < 0:
        return False
    if "multiplies" in game.rules.hooks.of_weapon(weapon_at(profiles[source.profile], source.weapon)):
        return True
    bearer = next((model for model in game.state.units[unit].models if model.id in source.models), None)
    lent = {} if bearer is None else game.rules.hooks.of_model(game.state.units[unit], bearer, profiles)
    return "multiplies" in lent


def spread_total(game: Play, frame: Attack, near: int) -> int | None:
    """Hits to share out: for each hitting die at most one for each model near; None where nothing spreads."""
    volley = frame.volley
    if volley is None or not near:
        return None
    attackers = Attackers(game.rules, game.state, frame, volley.sources[0])
    factor = attackers.multiplier()
    sixes = sum(group.count for group in frame.hits if group.six)
    extra = attackers.extra_hits(6) if sixes else 0
    plain_dice = sum(group.count for group in frame.hits if not group.six) - sixes * extra
    return plain_dice * min(factor, near) + sixes * min(factor * (1 + extra), near)


def hits_on(game: Play, frame: Attack, unit: int) -> dict[HitGroup, HitGroup]:
    """What each kind of hit on the target of a volley is on another unit, which takes it by its own rules."""
    assert frame.volley is not None
    if "hit_on_me" not in game.plans.in_play:
        return {}
    found: dict[HitGroup, HitGroup] = {}
    for source in frame.volley.sources:
        attackers = Attackers(game.rules, game.state, frame, source)
        found |= attackers.hits_on(game.state.units[unit], frame.volley.group)
    return found


def shared(
    hits: tuple[HitGroup, ...],
    shares: list[tuple[int, int]],
    changed: Mapping[int, Mapping[HitGroup, HitGroup]],
) -> tuple[HitGroup, ...]:
    """Hits of the volley's kinds dealt out to units, the hardest ones first.

    `changed` tells for units other than the target what they make of each kind.
    """
    kinds = [replace(group, count=1) for group in hits for _ in range(group.count)] or []
    dealt: list[HitGroup] = []
    at = 0
    for unit, count in shares:
        for i in range(count):
            kind = kinds[(at + i) % len(kinds)]
            kind = changed.get(unit, {}).get(kind, kind)
            same = next(
                (k for k, g in enumerate(dealt) if replace(g, count=1) == replace(kind, unit=unit)), None
            )
            if same is None:
                dealt.append(replace(kind, unit=unit))
            else:
                dealt[same] = replace(dealt[same], count=dealt[same].count + 1)
        at += count
    return tuple(dealt)


def thickest(state: State, unit_id: int) -> tuple[int, ...]:
    """The largest set of a unit's own models that stand round one of them."""
    found: tuple[int, ...] = ()
    for centre in state.units[unit_id].models:
        near = tuple(model for model, unit in models_around(state, unit_id, centre.id) if unit == unit_id)
        found = max(found, near, key=len)
    return found


def models_around(state: State, unit_id: int, model_id: int) -> tuple[tuple[int, int], ...]:
    """(model, unit) of every model of the target's side within 3 inches of one model, that one first."""
    unit = state.units[unit_id]
    centre = next(place for place, model in enumerate(unit.models) if model.id == model_id)
    found = [(model_id, unit_id)]
    for other in state.units:
        if other.side != unit.side or other.place != "table":
            continue
        for place, model in enumerate(other.models):
            if model.id != model_id:
                apart = models_apart(state, unit_id, centre, other.id, place, heights=True)
                if within(apart, BLAST_RADIUS):
                    found.append((model.id, other.id))
    return tuple(found)
