"""What the rules leave to the players: open questions, the order of simultaneous rules, turns at placing terrain.

Each of these can be opened at any moment: it goes on top of the stack, and the game continues from where it was once
the question is settled. A ruling holds for the rest of the match and is kept in `State.rulings`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.engine import Progress, begin
from shieldwall.core.frames import AnyFrame, Preparation, Ruling
from shieldwall.core.pending import Choice, Option, Pending, Roll
from shieldwall.core.state import State, setting
from shieldwall.core.values import Counts, Labels, Pool
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, seat_of
from shieldwall.rules.steps.rolloff import RollOff
from shieldwall.table.layout import placing_order

_FIRST, _SECOND = "first", "second"
_HALVES: Labels = (_FIRST, _FIRST, _FIRST, _SECOND, _SECOND, _SECOND)


def ruling_on(state: State, question: str) -> str | None:
    """How a question was settled in this match, if it was."""
    return next((ruling for known, ruling in state.rulings if known == question), None)


def agreed(rules: Ruleset, state: State, question: str, ruling: str) -> State:
    """The state with a ruling that the players agreed before play; an earlier ruling stands."""
    if ruling_on(state, question) is not None:
        return state
    return ev.Ruled(question=question, ruling=ruling, cite=rules.cite("ruling.agreed")).apply(state)


def open_dispute(rules: Ruleset, state: State, question: str, answers: Sequence[str]) -> Progress:
    """Put an open question to both sides; if they disagree, a die decides whose reading holds.

    A question that was settled before is not asked again.
    """
    if ruling_on(state, question) is not None:
        return begin(rules, state)
    return _opened(rules, state, Ruling(procedure="ruling", question=question, answers=tuple(answers)))


def open_order(rules: Ruleset, state: State, effects: Sequence[tuple[int, str]]) -> Progress:
    """Ask for the order of simultaneous rules, each given with the side it concerns.

    The final event names them in order, separated by semicolons.
    """
    moment = f"order in round {state.round}, turn {state.turns_taken}"
    names, sides = tuple(name for _, name in effects), tuple(side for side, _ in effects)
    return _opened(rules, state, Ruling(procedure="ordering", question=moment, answers=names, sides=sides))


def open_terrain(rules: Ruleset, state: State) -> Progress:
    """Roll off for the first piece of terrain, if the players agreed to place pieces in turns."""
    return _opened(rules, state, Preparation(procedure="terrain"))


def terrain_turns(state: State, pieces: int, first: int) -> tuple[tuple[int, ...], ...]:
    """For each piece of terrain the sides that may place it.

    `first` is the player who places everything, or the winner of the roll-off.
    """
    everybody = tuple(range(len(state.sides)))
    match setting(state, "terrain-mode", "one"):
        case "alternating":
            return tuple((side,) for side in placing_order(first, pieces, len(everybody)))
        case "together":
            return (everybody,) * pieces
        case _:
            return ((first,),) * pieces


def _opened(rules: Ruleset, state: State, frame: AnyFrame) -> Progress:
    return begin(rules, replace(state, stack=(*state.stack, frame)))


class AskReadings(TrunkStep):
    """Each side says how it reads the rule."""

    name = "ruling.readings"

    def ask(self, game: Play) -> Pending | None:
        frame: Ruling = game.stack[-1]
        sides = game.rules.policies.dispute_sides(game.state)
        if len(frame.given) == len(sides):
            return None
        options = tuple(Option(answer, answer) for answer in frame.answers)
        seat = seat_of(game.state, sides[len(frame.given)])
        return Choice("ruling", seat, frame.question, game.rules.cite("ruling.agreed"), options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        game.note(given=(*game.top(Ruling).given, answer.option))
        game.stay()


class RollDispute(TrunkStep):
    """Roll one die if the sides disagree: 1 to 3 for the first side's reading, 4 to 6 for the second's."""

    name = "ruling.die"

    def ask(self, game: Play) -> Pending | None:
        if len(set(game.top(Ruling).given)) == 1:
            return None
        seat = seat_of(game.state, game.rules.policies.dispute_sides(game.state)[0])
        return Roll("dispute", seat, (Pool(1, _HALVES),), game.rules.cite("ruling.die"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        self._settle(game, 0 if counts[0].get(_FIRST, 0) else 1, "ruling.die")

    def go(self, game: Play) -> None:
        self._settle(game, 0, "ruling.agreed")

    def _settle(self, game: Play, reading: int, key: str) -> None:
        frame: Ruling = game.stack[-1]
        cite = game.rules.cite(key)
        game.emit(ev.Ruled(question=frame.question, ruling=frame.given[reading], cite=cite))


class OrderRollOff(RollOff):
    """The sides that simultaneous rules concern roll off for the right to set their order."""

    def needed(self, game: Play) -> bool:
        return len(set(game.top(Ruling).sides)) > 1

    def go(self, game: Play) -> None:
        game.note(winner=game.top(Ruling).sides[0])

    def _rolling(self, game: Play) -> tuple[int, ...]:
        frame: Ruling = game.stack[-1]
        return frame.tied or tuple(sorted(set(frame.sides)))


class SetOrder(TrunkStep):
    """The one side concerned, or the winner, names one rule after another."""

    name = "ordering.choose"

    def ask(self, game: Play) -> Pending | None:
        frame: Ruling = game.stack[-1]
        options = tuple(
            Option(str(number), name)
            for number, name in enumerate(frame.answers)
            if str(number) not in frame.given
        )
        if not options:
            return None
        seat = seat_of(game.state, frame.winner)
        return Choice("effect_order", seat, "Which rule comes next?", self._cite(game, frame), options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        game.note(given=(*game.top(Ruling).given, answer.option))
        game.stay()

    def go(self, game: Play) -> None:
        frame: Ruling = game.stack[-1]
        order = "; ".join(frame.answers[int(number)] for number in frame.given)
        game.emit(ev.Ruled(question=frame.question, ruling=order, cite=self._cite(game, frame)))

    def _cite(self, game: Play, frame: Ruling) -> str:
        return game.rules.cite("ordering.one" if len(set(frame.sides)) == 1 else "ordering.several")


class TerrainRollOff(RollOff):
    """Only players who place pieces in turns roll off."""

    def needed(self, game: Play) -> bool:
        return setting(game.state, "terrain-mode", "one") == "alternating"


RULINGS: dict[str, tuple[TrunkStep, ...]] = {
    "ruling": (AskReadings(), RollDispute()),
    "ordering": (OrderRollOff("ordering.rolloff", "order", "ordering.several"), SetOrder()),
    "terrain": (TerrainRollOff("setup.terrain_rolloff", "terrain", "terrain.rolloff"),),
}
