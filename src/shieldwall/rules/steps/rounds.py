"""The game round: its beginning, arrivals, alternating turns, and its end."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Activation, Arrival, Closing, Round
from shieldwall.core.pending import Choice, Numbers, Option, Pending, Refusal
from shieldwall.core.state import State, Unit
from shieldwall.rules.army.passing import pass_key, pass_rule, passing_unit, passing_units, why_no_pass
from shieldwall.rules.features.token_helpers import token_rules
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, fresh_units, has_fresh_units, seat_to_ask

PICK_A_UNIT = "Pick a unit to activate"


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
                casters = token_rules(game.rules, game.state, unit, model)
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
        if "may_pass" in game.plans.in_play:
            return TurnChoice(game.rules, state, seat, fresh)
        return UnitChoice("activate", seat, PICK_A_UNIT, game.rules.cite("round.activate"), fresh)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        passing = passing_unit(answer.option)
        if passing >= 0:
            self._pass(game, passing)
            return
        unit = int(answer.option[1:])
        broken = game.rules.policies.idles(game.state.units[unit])
        game.emit(ev.Activated(unit=unit, cite=game.rules.cite("round.activate")))
        game.push(Activation(procedure="activation", unit=unit, began_broken=broken), again=True)

    def _pass(self, game: Play, unit: int) -> None:
        """A unit passes the turn by a rule; it may still be activated later."""
        state = game.state
        rule = pass_rule(game.rules, state, state.units[unit])
        assert rule is not None
        game.emit(ev.TurnGiven(unit=unit, rule=rule.name, cite=rule.cite))
        others = [(state.turn + step) % len(state.sides) for step in range(1, len(state.sides))]
        side = next(side for side in others if has_fresh_units(state, side))
        game.emit(ev.TurnPassed(side=side, cite=game.rules.cite("round.pass")))
        game.stay()

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

    def why_not(self, option: str) -> tuple[Refusal, ...]:
        if self.kind != "activate" or passing_unit(option) < 0:
            return ()
        return (Refusal("no unit here has a rule by which it may pass the turn", self.cite),)

    def default(self) -> Pick:
        return Pick(unit_key(self.units[0].id))

    def sample(self, numbers: Numbers) -> Pick:
        return Pick(unit_key(self.units[numbers.below(len(self.units))].id))

    def forced(self) -> Pick | None:
        return Pick(unit_key(self.units[0].id)) if len(self.units) == 1 else None


class TurnChoice(UnitChoice):
    """Which unit acts, or which one passes the turn by a rule."""

    __slots__ = ("passes", "rules", "state")

    def __init__(self, rules: Ruleset, state: State, seat: int, units: Sequence[Unit]) -> None:
        super().__init__("activate", seat, PICK_A_UNIT, rules.cite("round.activate"), units)
        self.rules = rules
        self.state = state
        self.passes = passing_units(rules, state)

    def write(self) -> tuple[Option, ...]:
        passes = [
            Option(pass_key(unit.id), f"{unit.name}: pass the turn, act later ({rule.name})")
            for unit, rule in self.passes
        ]
        return (*super().write(), *passes)

    def why_not(self, option: str) -> tuple[Refusal, ...]:
        return why_no_pass(self.rules, self.state, option)

    def sample(self, numbers: Numbers) -> Pick:
        drawn = numbers.below(len(self.units) + len(self.passes))
        if drawn < len(self.units):
            return Pick(unit_key(self.units[drawn].id))
        return Pick(pass_key(self.passes[drawn - len(self.units)][0].id))

    def forced(self) -> Pick | None:
        return None if self.passes else super().forced()


_KEYS = tuple(f"u{number}" for number in range(256))


def unit_key(unit: int) -> str:
    """The option key of a unit."""
    return _KEYS[unit] if unit < len(_KEYS) else f"u{unit}"


def mark_dry(game: Play) -> None:
    """Record which sides have no unit left to activate; the first of them starts the next round."""
    for side, marks in enumerate(game.state.sides):
        if not marks.dry_at and not has_fresh_units(game.state, side):
            game.emit(ev.RanDry(side=side, cite=game.rules.cite("round.dry")))
