"""The game round: its beginning, arrivals, alternating turns, and its end."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Activation, Arrival, Closing, Round
from shieldwall.core.pending import Choice, Numbers, Option, Pending
from shieldwall.core.state import Unit
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Play, TrunkStep, fresh_units, has_fresh_units, seat_to_ask


class PlayRounds(TrunkStep):
    """Play round after round until the last one is over."""

    name = "game.rounds"

    def go(self, game: Play) -> None:
        if game.state.round < game.rules.constants.rounds:
            game.push(Round(procedure="round"), again=True)


class BeginRound(TrunkStep):
    """All units may act again, and the starting side is known."""

    name = "round.begin"

    def go(self, game: Play) -> None:
        state = game.state
        cite = game.rules.cite("round.begin" if state.round else "round.first")
        game.emit(ev.RoundBegan(round=state.round + 1, starter=state.starter, cite=cite))


class Upkeep(TrunkStep):
    """Casters gain spell tokens, even off the table."""

    name = "round.upkeep"

    def go(self, game: Play) -> None:
        cap = game.rules.constants.token_cap
        casting = game.rules.hooks.by_hook("tokens_gained", game.state.profiles)
        for unit in game.state.units if casting else ():
            if unit.place == "gone":
                continue
            for model in unit.models:
                if model.profile not in casting:
                    continue
                casters = casting[model.profile]
                gained = sum(rule.tokens_gained(UnitContext(game.state, unit)) for rule in casters)
                now = min(cap, model.tokens + gained)
                if now != model.tokens:
                    game.emit(ev.TokensGained(unit=unit.id, model=model.id, now=now, cite=casters[0].cite))


class Arrivals(TrunkStep):
    """Units that wait off the table may come in."""

    name = "round.arrivals"

    def go(self, game: Play) -> None:
        state = game.state
        waiting = any(unit.place == "reserve" for unit in state.units)
        if waiting and state.round >= game.rules.constants.ambush_from_round:
            game.push(Arrival(procedure="arrival"))


class TakeTurns(TrunkStep):
    """The side whose turn it is picks a unit that has not acted; a side without one is skipped."""

    name = "round.turns"

    def ask(self, game: Play) -> Pending | None:
        state = game.state
        fresh = fresh_units(state, state.turn)
        if not fresh:
            return None
        seat = seat_to_ask(state, state.turn, fresh)
        return UnitChoice(
            "activate", seat, "Pick a unit to activate", game.rules.cite("round.activate"), fresh
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        unit = int(answer.option[1:])
        broken = game.rules.policies.idles(game.state.units[unit])
        game.emit(ev.Activated(unit=unit, cite=game.rules.cite("round.activate")))
        game.push(Activation(procedure="activation", unit=unit, began_broken=broken), again=True)

    def go(self, game: Play) -> None:
        state = game.state
        mark_dry(game)
        others = [
            side for side in range(len(state.sides)) if side != state.turn and has_fresh_units(state, side)
        ]
        if others:
            game.emit(ev.TurnPassed(side=others[0], cite=game.rules.cite("round.pass")))
            game.stay()


class EndRound(TrunkStep):
    """Determine who starts next, then resolve the end of the round."""

    name = "round.close"

    def go(self, game: Play) -> None:
        starter = game.rules.policies.next_starter(game.state)
        game.emit(
            ev.RoundEnded(round=game.state.round, starter=starter, cite=game.rules.cite("round.next_starter"))
        )
        game.push(Closing(procedure="closing"))


class ClearRound(TrunkStep):
    """End fatigue and effects that last for the round."""

    name = "close.clear"

    def go(self, game: Play) -> None:
        for unit in game.state.units:
            if unit.effects and any(effect.until == "round" for effect in unit.effects):
                game.emit(ev.EffectEnded(unit=unit.id, until="round"))
        game.emit(ev.Rested(cite=game.rules.cite("round.rest")))


ROUND: tuple[TrunkStep, ...] = (BeginRound(), Upkeep(), Arrivals(), TakeTurns(), EndRound())


class UnitChoice(Choice):
    """One unit out of several, by name. A random draw does not build the list of options."""

    __slots__ = ("units",)

    def __init__(self, kind: str, seat: int, prompt: str, cite: str, units: Sequence[Unit]) -> None:
        super().__init__(kind, seat, prompt, cite)
        self.units = units

    def write(self) -> tuple[Option, ...]:
        return tuple([Option(unit_key(unit.id), unit.name, unit.id) for unit in self.units])

    def default(self) -> Pick:
        return Pick(unit_key(self.units[0].id))

    def sample(self, numbers: Numbers) -> Pick:
        return Pick(unit_key(self.units[numbers.below(len(self.units))].id))

    def forced(self) -> Pick | None:
        return Pick(unit_key(self.units[0].id)) if len(self.units) == 1 else None


_KEYS = tuple(f"u{number}" for number in range(256))


def unit_key(unit: int) -> str:
    """The option key of a unit."""
    return _KEYS[unit] if unit < len(_KEYS) else f"u{unit}"


def mark_dry(game: Play) -> None:
    """Record which sides have no unit left to activate; the first of them starts the next round."""
    for side, marks in enumerate(game.state.sides):
        if not marks.dry_at and not has_fresh_units(game.state, side):
            game.emit(ev.RanDry(side=side, cite=game.rules.cite("round.dry")))
