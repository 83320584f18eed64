"""Questions to a unit's owner before a batch of its blows: order, limited weapons, a model to single out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from msgspec.structs import replace

from shieldwall.core.frames import Melee, Source, Volley
from shieldwall.core.pending import Choice, Option
from shieldwall.core.state import Unit
from shieldwall.rules.ruleset import Play
from shieldwall.rules.weapons import Group, aiming_of, groups_of, is_counted

UNIT_AS_A_WHOLE = -2


class BlowQuestion(ABC):
    """A question that may come up about the current batch; `kind` is that of the question."""

    kind: ClassVar[str]

    @abstractmethod
    def ask(self, game: Play, frame: Melee, striker: Unit, enemy: Unit) -> Choice | None:
        """The question; None if it is already answered or does not arise."""

    @abstractmethod
    def answered(self, game: Play, frame: Melee, option: str) -> None:
        """Record the answer in the running melee."""


class WhichNext(BlowQuestion):
    """Which weapon strikes next, among those that need not wait for others."""

    kind = "volley_order"

    def ask(self, game: Play, frame: Melee, striker: Unit, enemy: Unit) -> Choice | None:
        if frame.ordered > frame.next or not game.rules.policies.orders_blows() or is_impact(batch(frame)):
            return None
        rank = batch(frame).rank
        names = dict.fromkeys(volley.group for volley in frame.batches[frame.next :] if volley.rank == rank)
        if len(names) < 2:
            return None
        options = tuple(Option(name, name) for name in names)
        cite = game.rules.cite("blows.order")
        return Choice(self.kind, striker.seat, f"Which weapon of {striker.name} strikes next?", cite, options)

    def answered(self, game: Play, frame: Melee, option: str) -> None:
        left = frame.batches[frame.next :]
        first = next(volley for volley in left if volley.group == option)
        rest = [volley for volley in left if volley is not first]
        game.note(batches=(*frame.batches[: frame.next], first, *rest), ordered=frame.next + 1)


class UseNow(BlowQuestion):
    """Whether weapons with limited uses are used now: all of them, none, or some."""

    kind = "limited_now"

    def ask(self, game: Play, frame: Melee, striker: Unit, enemy: Unit) -> Choice | None:
        group = group_in(game, striker, batch(frame))
        if frame.offered > frame.next or group is None or not is_counted(game.rules, group.weapon):
            return None
        bearers = bearers_of(batch(frame))
        options = [Option("yes", "use it" if bearers == 1 else "use all of them"), Option("no", "hold back")]
        options += [Option(str(number), f"use {number} of them") for number in range(1, bearers)]
        prompt = f"{striker.name}: use {group.key} now? It is limited"
        cite = game.rules.cite("blows.limited")
        return Choice(self.kind, striker.seat, prompt, cite, tuple(options), "yes")

    def answered(self, game: Play, frame: Melee, option: str) -> None:
        before, after = frame.batches[: frame.next], frame.batches[frame.next + 1 :]
        if option == "no":
            game.note(batches=(*before, *after))
            return
        volley = batch(frame)
        used = (
            volley if option == "yes" else replace(volley, sources=first_bearers(volley.sources, int(option)))
        )
        game.note(batches=(*before, used, *after), offered=frame.next + 1)


class WhichModel(BlowQuestion):
    """The model that a blow singles out, or none."""

    kind = "melee_pick"

    def ask(self, game: Play, frame: Melee, striker: Unit, enemy: Unit) -> Choice | None:
        group = group_in(game, striker, batch(frame))
        if group is None or batch(frame).picked != -1:
            return None
        striking = next(one for one in group.bearers if one.model.id in batch(frame).sources[0].models)
        if not aiming_of(game.rules.hooks, game.state, striker, group, striking).picks_model:
            return None
        profiles = game.state.profiles
        options = [Option(f"m{model.id}", profiles[model.profile].name) for model in enemy.models]
        options.append(Option("unit", "the unit as a whole"))
        default = f"m{enemy.attached}" if enemy.attached >= 0 else "unit"
        prompt = f"{striker.name}: which model does {group.key} single out?"
        cite = game.rules.cite("shoot.pick")
        return Choice(self.kind, striker.seat, prompt, cite, tuple(options), default)

    def answered(self, game: Play, frame: Melee, option: str) -> None:
        picked = UNIT_AS_A_WHOLE if option == "unit" else int(option[1:])
        batches = list(frame.batches)
        batches[frame.next] = replace(batches[frame.next], picked=picked)
        game.note(batches=tuple(batches))


QUESTIONS: tuple[BlowQuestion, ...] = (WhichNext(), UseNow(), WhichModel())


def batch(frame: Melee) -> Volley:
    """The current batch of blows."""
    return frame.batches[frame.next]


def is_impact(volley: Volley) -> bool:
    """Whether a batch is Impact dice, not blows of a weapon."""
    return volley.sources[0].weapon < 0


def group_in(game: Play, striker: Unit, volley: Volley) -> Group | None:
    """The weapon group behind a batch; None for Impact dice."""
    if is_impact(volley):
        return None
    groups = groups_of(game.state, striker, ranged=False)
    return next((group for group in groups if group.key == volley.group), None)


def bearers_of(volley: Volley) -> int:
    """How many models strike in a batch."""
    return sum(len(source.models) for source in volley.sources)


def first_bearers(sources: tuple[Source, ...], number: int) -> tuple[Source, ...]:
    """The sources limited to their first `number` models."""
    kept: list[Source] = []
    for source in sources:
        models = source.models[:number]
        if models:
            each = source.dice // len(source.models)
            kept.append(replace(source, models=models, dice=each * len(models)))
        number -= len(models)
    return tuple(kept)
