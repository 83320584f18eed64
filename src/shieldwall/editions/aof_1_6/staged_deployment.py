"""Units that are set up after all others because their rules say so, one kind after another, by turns."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Placed
from shieldwall.core.frames import Movement, Preparation
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.core.state import State, Unit
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Play, TrunkStep, seat_to_ask
from shieldwall.rules.steps.deployment import HoldBack, by_side, leave_out, reserve_kinds
from shieldwall.rules.steps.rolloff import RollOff
from shieldwall.rules.steps.rounds import unit_key
from shieldwall.table.zones import table_region

AMBUSH = "ambush"


class HoldBackByRule(HoldBack):
    """Units that must arrive late are set aside without asking; those that may wait in ambush are asked."""

    def ask(self, game: Play) -> Pending | None:
        return None if self._late(game) else super().ask(game)

    def go(self, game: Play) -> None:
        for unit, how in self._late(game):
            game.emit(ev.HeldBack(unit=unit.id, how=how, cite=game.rules.cite(f"reserve.{how}")))
        if not self._next(game):
            super().go(game)
        else:
            game.stay()

    def _late(self, game: Play) -> list[tuple[Unit, str]]:
        found = []
        for unit in by_side(game.state):
            if unit.place == "waiting":
                kinds = [how for how in reserve_kinds(game.rules, game.state, unit) if how != AMBUSH]
                found += [(unit, kinds[0])] if kinds and self._only_late(game, unit) else []
        return found

    def _only_late(self, game: Play, unit: Unit) -> bool:
        """A unit that may also wait in ambush is asked first."""
        kinds = reserve_kinds(game.rules, game.state, unit)
        return AMBUSH not in kinds or unit.id in game.top(Preparation).asked


class StagedOrder(RollOff):
    """If several sides have such units, they roll off for who begins."""

    def __init__(self, how: str, name: str) -> None:
        super().__init__(name, how, f"reserve.{how}_order")
        self.how = how

    def needed(self, game: Play) -> bool:
        return len({unit.side for unit in held_back(game.state, self.how)}) > 1

    def go(self, game: Play) -> None:
        game.note(placing=game.state.first_side, unit=-1)

    def won(self, game: Play, side: int) -> None:
        game.note(placing=side, unit=-1)


class PickStaged(TrunkStep):
    """The side whose turn it is chooses the unit it places next."""

    def __init__(self, how: str, then: str) -> None:
        self.name = f"deploy.{how}_pick"
        self.how = how
        self.then = then

    def ask(self, game: Play) -> Pending | None:
        frame: Preparation = game.stack[-1]
        mine = [unit for unit in held_back(game.state, self.how) if unit.side == frame.placing]
        if not mine:
            return None
        options = tuple(Option(unit_key(unit.id), unit.name, unit.id) for unit in mine)
        seat = seat_to_ask(game.state, frame.placing, mine)
        cite = game.rules.cite(f"reserve.{self.how}")
        return Choice("deploy", seat, f"Which unit do you set up now ({self.how})?", cite, options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        game.note(unit=int(answer.option[1:]))

    def go(self, game: Play) -> None:
        frame: Preparation = game.stack[-1]
        if held_back(game.state, self.how):
            game.note(placing=(frame.placing + 1) % len(game.state.sides))
            game.stay()
        else:
            game.jump(self.then)


class PlaceStaged(TrunkStep):
    """Place it anywhere away from enemies, or in the side's own zone."""

    def __init__(self, how: str, enemy_over: int = 0) -> None:
        self.name = f"deploy.{how}_place"
        self.how = how
        self.enemy_over = enemy_over

    def ask(self, game: Play) -> Pending | None:
        rules, state = game.rules, game.state
        unit = state.units[game.top(Preparation).unit]
        if self.enemy_over:
            ground = Ground(table_region(state.width, state.depth), self.enemy_over)
        else:
            ground = rules.policies.deploy_ground(rules, state, unit.side)
        question = rules.policies.place_question(
            rules, state, unit, ground, "deploy_place", f"Place {unit.name}"
        )
        if self.enemy_over and not question.has_any():
            ground = rules.policies.deploy_ground(rules, state, unit.side)  # no spot is far enough away
            question = rules.policies.place_question(
                rules, state, unit, ground, "deploy_place", f"Place {unit.name}"
            )
        return question if question.has_any() else None

    def go(self, game: Play) -> None:
        leave_out(game, game.top(Preparation).unit)
        game.jump(f"deploy.{self.how}_next")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame: Preparation = game.stack[-1]
        cite = game.rules.cite(f"reserve.{self.how}_place")
        game.emit(ev.UnitPlaced(unit=frame.unit, poses=answer.poses, how=self.how, cite=cite))
        game.rules.after_placed(game, frame.unit)


class MoveLate(TrunkStep):
    """A unit that was just placed moves at once."""

    def __init__(self, how: str) -> None:
        self.name = f"deploy.{how}_move"
        self.how = how

    def go(self, game: Play) -> None:
        unit = game.top(Preparation).unit
        game.push(Movement(procedure=f"move.{self.how}", unit=unit, action=self.how))


class NextStaged(TrunkStep):
    """The other side's turn."""

    def __init__(self, how: str) -> None:
        self.name = f"deploy.{how}_next"
        self.how = how

    def go(self, game: Play) -> None:
        frame: Preparation = game.stack[-1]
        game.note(unit=-1, placing=(frame.placing + 1) % len(game.state.sides))
        game.jump(f"deploy.{self.how}_pick")


def late_pass(
    how: str, name: str, then: str, enemy_over: int = 0, moves: bool = False
) -> tuple[TrunkStep, ...]:
    """All units of one kind are set up, beginning at a step called `name`; the game goes on at another."""
    move: tuple[TrunkStep, ...] = (MoveLate(how),) if moves else ()
    return (
        StagedOrder(how, name),
        PickStaged(how, then),
        PlaceStaged(how, enemy_over),
        *move,
        NextStaged(how),
    )


def held_back(state: State, how: str) -> list[Unit]:
    """Units that were set aside in one way and are not on the table yet."""
    return [unit for unit in state.units if unit.place == "reserve" and ("reserve", how) in unit.picks]
