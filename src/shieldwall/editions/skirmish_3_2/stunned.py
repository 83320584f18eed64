"""Stunned models that are shot at or charged: knocked out at once, or a wound where they are tough."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Attack, HitGroup, Melee, Packet, Shoot, Volley
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.core.state import Model, State, setting
from shieldwall.editions.skirmish_3_2.wound_effects import threshold
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.attack import CountWounds, groups_on, remove_models

Trigger = Literal["hit", "unblocked-hit"]


def is_guarded(state: State, model: Model, markers: int) -> bool:
    """Whether toughness turns an instant knock-out into one wound."""
    toughness = threshold(state, model)
    return toughness > 1 and markers < toughness


def trigger_of(state: State) -> str:
    """What knocks a stunned model out: any hit from shooting, or one that is not blocked; a switch."""
    return setting(state, "stunned-knock-out", "hit")


class KnockOutStunned(TrunkStep):
    """Shots at models that were stunned at the declaration: each knocks one out, chosen by their owner."""

    def __init__(self, trigger: Trigger) -> None:
        self.trigger = trigger
        self.name = "attack.stunned" if trigger == "hit" else "attack.stunned_unblocked"

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        open_to, falling = self._choice(game, frame)
        if not 0 < falling < len(open_to):
            return None
        unit = game.state.units[frame.victim]
        options = tuple(Option(f"m{model}", f"model {model}") for model in open_to)
        prompt = f"{unit.name}: which stunned model is hit?"
        return Choice("knocked_out_pick", unit.seat, prompt, game.rules.cite("stunned.shot"), options)

    def adds_up(self, game: Play) -> bool:
        volley = game.top(Attack).volley
        return volley is None or not volley.stunned

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        self._knock_out(game, (int(answer.option[1:]),))
        game.stay()

    def go(self, game: Play) -> None:
        open_to, falling = self._choice(game, game.top(Attack))
        if not falling:
            return
        self._knock_out(game, open_to[:falling])
        frame: Attack = game.stack[-1]
        if not game.state.units[frame.victim].models or not groups_on(frame, frame.victim):
            rest = tuple(group for group in frame.hits if group.unit != frame.victim)
            game.note(hits=rest, failed=(), again=())
            game.jump("attack.victim")

    def _choice(self, game: Play, frame: Attack) -> tuple[tuple[int, ...], int]:
        """The models that can be knocked out, and how many of them are."""
        if frame.kind != "shoot" or frame.volley is None or trigger_of(game.state) != self.trigger:
            return (), 0
        markers = dict(frame.volley.stunned)
        open_to = tuple(
            model.id
            for model in game.state.units[frame.victim].models
            if model.id in markers and not is_guarded(game.state, model, markers[model.id])
        )
        return open_to, min(self._hits(frame), len(open_to))

    def _hits(self, frame: Attack) -> int:
        if self.trigger == "unblocked-hit":
            return sum(frame.failed)
        return sum(group.count for group in groups_on(frame, frame.victim))

    def _knock_out(self, game: Play, models: tuple[int, ...]) -> None:
        frame: Attack = game.stack[-1]
        victim = frame.victim
        if self.trigger == "hit":
            game.note(hits=spend_hits(frame.hits, victim, len(models)))
        else:
            hits, failed = spend_failures(frame, len(models))
            game.note(hits=hits, failed=failed)
        remove_models(game, victim, models, "knocked out", game.rules.cite("stunned.shot"))


class CountWithGuard(CountWounds):
    """Unblocked hits become wounds; a guarded stunned model takes one more, once in a shooting."""

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        due = guards_due(game, frame)
        lasting = all(group.no_saves for group in groups_on(frame, frame.victim))
        super().go(game)
        if not due:
            return
        shoot = game.nearest(Shoot)
        assert shoot is not None
        game.note_on(Shoot, guard_paid=(*shoot.guard_paid, *(model.id for model in due)))
        if len(game.state.units[frame.victim].models) == 1:
            game.note(packets=(Packet(1, no_saves=lasting), *game.top(Attack).packets))
            return
        marked = tuple((frame.victim, model.id) for model in due)
        game.note(hurt=frame.hurt + marked)  # a model that ignores the wound has too few markers for a check
        game.push(*(wound_on(frame.victim, model, "guarded", lasting) for model in due))


def guards_due(game: Play, frame: Attack) -> tuple[Model, ...]:
    """Guarded stunned models hit for the first time in this shooting; no more than there are hits."""
    shoot = game.nearest(Shoot)
    if frame.kind != "shoot" or frame.volley is None or shoot is None:
        return ()
    hits = sum(group.count for group in groups_on(frame, frame.victim))
    if trigger_of(game.state) == "unblocked-hit":
        hits = sum(frame.failed)
    markers = dict(frame.volley.stunned)
    due = [
        model
        for model in game.state.units[frame.victim].models
        if model.id in markers
        and model.id not in shoot.guard_paid
        and is_guarded(game.state, model, markers[model.id])
    ]
    return tuple(sorted(due, key=lambda model: (-model.wounds, model.id))[:hits])


def wound_on(unit: int, model: Model, procedure: str, no_saves: bool = False) -> Attack:
    """One wound on this model of a unit, which it may ignore like any other."""
    return Attack(
        procedure=procedure,
        kind="danger",
        victim=unit,
        volley=Volley(group="", target=unit, sources=(), picked=model.id),
        packets=(Packet(1, no_saves=no_saves),),
        cause="charged" if procedure == "wounds" else "wounds",
    )


class ChargeStunned(TrunkStep):
    """Stunned models are knocked out when charged, or take a wound if they are Tough."""

    name = "charge.stunned"

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        target = game.state.units[frame.target]
        stunned = [model for model in target.models if model.stunned]
        guarded = tuple(model for model in stunned if is_guarded(game.state, model, model.wounds))
        out = tuple(model.id for model in stunned if model not in guarded)
        if out:
            remove_models(game, target.id, out, "knocked out", game.rules.cite("stunned.charged"))
        if guarded:
            game.push(*(wound_on(target.id, model, "wounds") for model in guarded))


def spend_hits(hits: tuple[HitGroup, ...], unit: int, count: int) -> tuple[HitGroup, ...]:
    """The hits left after some on a unit were used up, the least piercing ones first."""
    left = list(hits)
    for index in sorted(range(len(left)), key=lambda i: (left[i].piercing, i)):
        if left[index].unit == unit and count:
            used = min(count, left[index].count)
            left[index] = replace(left[index], count=left[index].count - used)
            count -= used
    return tuple(group for group in left if group.count)


def spend_failures(frame: Attack, count: int) -> tuple[tuple[HitGroup, ...], tuple[int, ...]]:
    """Hits and failed blocks left after some of the failures were used up, the least hurtful ones first."""
    mine = list(groups_on(frame, frame.victim))
    failed = list(frame.failed)
    for index in sorted(range(len(mine)), key=lambda i: (mine[i].multiply, i)):
        used = min(count, failed[index])
        failed[index] -= used
        mine[index] = replace(mine[index], count=mine[index].count - used)
        count -= used
    others = tuple(group for group in frame.hits if group.unit != frame.victim)
    return (*mine, *others), tuple(failed)
