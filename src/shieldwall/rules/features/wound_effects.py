"""Wound effects: a lone or last model that is hurt is stunned or knocked out, and may be pushed."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Attack, HitGroup, Melee, Shoot, WoundCheck
from shieldwall.core.pending import Choice, Option, Pending, Roll
from shieldwall.core.state import Model, State, Unit
from shieldwall.core.values import Counts, Labels, Pool
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.attack import remove_models

STUNNED, OUT = "stunned", "out"


def threshold(state: State, model: Model) -> int:
    """Markers at which a model checks at all, and the X of its knock-out sum."""
    return state.profiles[model.profile].wounds


def is_guarded(state: State, model: Model, markers: int) -> bool:
    """Whether toughness turns an instant knock-out into one wound."""
    toughness = threshold(state, model)
    return toughness > 1 and markers < toughness


def checks_due(state: State, hurt: tuple[tuple[int, int], ...]) -> list[tuple[Unit, Model]]:
    """Lone or last models among the hurt that carry enough markers for a check, each once."""
    due = []
    for unit_id, model_id in dict.fromkeys(hurt):
        unit = state.units[unit_id]
        if len(unit.models) == 1 and unit.models[0].id == model_id:
            model = unit.models[0]
            if model.wounds >= threshold(state, model):
                due.append((unit, model))
    return due


def fear_of(rules: Ruleset, state: State, attacker: int) -> int:
    """What the attacker's dread adds to a wound check."""
    if attacker < 0:
        return 0
    kit = rules.unit_kit(state, state.units[attacker])
    return sum(rule.wound_sum() for rule in kit.get("wound_sum", ()))


def push_checks(game: Play, hurt: tuple[tuple[int, int], ...], attacker: int, again: bool) -> bool:
    """Start the checks that are due; tells whether there were any."""
    due = checks_due(game.state, hurt)
    if not due:
        return False
    extra = fear_of(game.rules, game.state, attacker)
    frames = [
        WoundCheck(procedure="wound_check", unit=unit.id, model=model.id, attacker=attacker, extra=extra)
        for unit, model in due
    ]
    game.push(*frames, again=again)
    return True


class CheckAfterAttack(TrunkStep):
    """Shots, spells, falls and ground check at once; blows of a melee wait for the end of their side."""

    name = "attack.check"

    def go(self, game: Play) -> None:
        frame = game.top(Attack)
        if frame.kind in ("strike", "impact"):
            return
        attacker = frame.unit if frame.kind in ("shoot", "spell") else -1
        push_checks(game, frame.hurt, attacker, again=False)


class CheckAfterBlows(TrunkStep):
    """One check for each model that one side's blows have hurt, before the other side strikes."""

    def __init__(self, phase: str) -> None:
        self.name = f"melee.check_{phase}"
        self.phase = phase

    def go(self, game: Play) -> None:
        frame = game.top(Melee)
        attacker = frame.charger if self.phase == "charger" else frame.target
        hurt = frame.hurt
        game.note(hurt=())
        push_checks(game, hurt, attacker, again=False)


class RollEffect(TrunkStep):
    """One die plus the markers: a sum of 5+X or more knocks out, less stuns. No automatic 1 or 6: it is a sum."""

    name = "effects.roll"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(WoundCheck)
        unit = game.state.units[frame.unit]
        model = unit.models[0]
        needed = 5 + threshold(game.state, model) - model.wounds - frame.extra
        labels: Labels = tuple(OUT if face >= needed else STUNNED for face in range(1, 7))  # type: ignore[assignment]
        note = f"{model.wounds} markers" + (f" +{frame.extra}" if frame.extra else "")
        seat = game.state.units[frame.attacker].seat if frame.attacker >= 0 else unit.seat
        return Roll("wound_effect", seat, (Pool(1, labels, None, note),), game.rules.cite("effects.roll"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame = game.top(WoundCheck)
        unit = game.state.units[frame.unit]
        if counts[0].get(OUT, 0):
            remove_models(game, unit.id, (frame.model,), "knocked out", game.rules.cite("effects.out"))
            game.finish()
        elif unit.models[0].stunned:
            game.finish()
        else:
            game.emit(ev.Stunned(unit=unit.id, models=(frame.model,), cite=game.rules.cite("effects.stunned")))
            if frame.attacker < 0 or not frame.may_push:
                game.finish()


class AskToPush(TrunkStep):
    """The attacker may try to push a model that was just stunned."""

    name = "push.ask"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(WoundCheck)
        unit = game.state.units[frame.unit]
        seat = game.state.units[frame.attacker].seat
        options = (Option("yes", f"push {unit.name}"), Option("no", "leave it where it is"))
        return Choice("push", seat, f"Push {unit.name}?", game.rules.cite("push.ask"), options, "yes")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "no":
            game.finish()


class RollPush(TrunkStep):
    """4 or more pushes."""

    name = "push.roll"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(WoundCheck)
        needed = game.rules.constants.push_target
        labels: Labels = tuple("push" if face >= needed else "stay" for face in range(1, 7))  # type: ignore[assignment]
        seat = game.state.units[frame.attacker].seat
        return Roll("push", seat, (Pool(1, labels),), game.rules.cite("push.roll"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        if not counts[0].get("push", 0):
            game.finish()


class HitStunned(TrunkStep):
    """Shots that hit models stunned at the declaration: each knocks one out; toughness turns that into a wound."""

    name = "attack.stunned"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Attack)
        open_to, falling = self._choice(game, frame)
        if not 0 < falling < len(open_to):
            return None
        unit = game.state.units[frame.victim]
        options = tuple(Option(f"m{model}", f"model {model}") for model in open_to)
        prompt = f"{unit.name}: which stunned model is hit?"
        return Choice("knocked_out_pick", unit.seat, prompt, game.rules.cite("stunned.shot"), options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        self._knock_out(game, (int(answer.option[1:]),))
        game.stay()

    def go(self, game: Play) -> None:
        frame = game.top(Attack)
        open_to, falling = self._choice(game, frame)
        if falling:
            self._knock_out(game, open_to[:falling])
        frame = game.top(Attack)
        self._pay_guards(game, frame)
        if not game.state.units[frame.victim].models or not any(g.unit == frame.victim for g in frame.hits):
            rest = tuple(group for group in frame.hits if group.unit != frame.victim)
            game.note(hits=rest)
            game.jump("attack.victim")

    def _choice(self, game: Play, frame: Attack) -> tuple[tuple[int, ...], int]:
        if frame.kind != "shoot" or frame.volley is None:
            return (), 0
        unit = game.state.units[frame.victim]
        markers = dict(frame.volley.stunned)
        open_to = tuple(
            model.id
            for model in unit.models
            if model.id in markers and not is_guarded(game.state, model, markers[model.id])
        )
        hits = sum(group.count for group in frame.hits if group.unit == frame.victim)
        return open_to, min(hits, len(open_to))

    def _knock_out(self, game: Play, models: tuple[int, ...]) -> None:
        frame = game.top(Attack)
        victim = frame.victim
        game.note(hits=spend_hits(frame.hits, victim, len(models)))
        remove_models(game, victim, models, "knocked out", game.rules.cite("stunned.shot"))

    def _pay_guards(self, game: Play, frame: Attack) -> None:
        shoot = game.nearest(Shoot)
        if frame.kind != "shoot" or frame.volley is None or shoot is None:
            return
        unit = game.state.units[frame.victim]
        markers = dict(frame.volley.stunned)
        if not any(group.unit == frame.victim for group in frame.hits):
            return
        for model in unit.models:
            guarded = model.id in markers and is_guarded(game.state, model, markers[model.id])
            if guarded and model.id not in shoot.guard_paid:
                game.note_on(Shoot, guard_paid=(*shoot.guard_paid, model.id))
                cite = game.rules.cite("stunned.guard")
                game.emit(ev.Wounded(unit=unit.id, model=model.id, wounds=1, cite=cite))
                game.note(hurt=(*frame.hurt, (unit.id, model.id)), inflicted=frame.inflicted + 1)


class ChargeStunned(TrunkStep):
    """Stunned models that are charged are knocked out at contact, or take a wound where toughness guards them."""

    name = "charge.stunned"

    def go(self, game: Play) -> None:
        frame = game.top(Melee)
        target = game.state.units[frame.target]
        stunned = [model for model in target.models if model.stunned]
        out = tuple(m.id for m in stunned if not is_guarded(game.state, m, m.wounds))
        guarded = [m for m in stunned if m.id not in out]
        for model in guarded:
            cite = game.rules.cite("stunned.guard_charge")
            game.emit(ev.Wounded(unit=target.id, model=model.id, wounds=1, cite=cite))
        if out:
            remove_models(game, target.id, out, "knocked out", game.rules.cite("stunned.charged"))
        hurt = tuple((target.id, model.id) for model in guarded)
        due = checks_due(game.state, hurt)
        if due:
            game.push(
                *(WoundCheck(procedure="wound_check", unit=unit.id, model=model.id) for unit, model in due)
            )


def spend_hits(hits: tuple[HitGroup, ...], unit: int, count: int) -> tuple[HitGroup, ...]:
    """The hits left after some on a unit were used up, the least piercing ones first."""
    left = list(hits)
    for index in sorted(range(len(left)), key=lambda i: (left[i].ap, i)):
        if left[index].unit == unit and count:
            used = min(count, left[index].count)
            left[index] = replace(left[index], count=left[index].count - used)
            count -= used
    return tuple(group for group in left if group.count)
