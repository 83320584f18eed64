"""A toy ruleset of a few steps, with enough dice and questions to test the match loop and logs."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.engine import GameRun, Rules, Step
from shieldwall.core.frames import Activation, Preparation, Round
from shieldwall.core.pending import Choice, Option, Pending, Roll
from shieldwall.core.state import Base, Model, Pose, Profile, Seat, Side, State, Unit, Weapon
from shieldwall.core.values import FACE_LABELS, Counts, Pool, Target
from shieldwall.core.values import pool_of_tests as plain_tests

ROUNDS = 3


class ToyConstants(Struct, frozen=True):
    """The numbers of the toy."""

    rounds: int = ROUNDS


def fresh(state: State, side: int) -> list[Unit]:
    return [
        unit for unit in state.units if unit.side == side and unit.place == "table" and not unit.activated
    ]


class RollOff(Step[Rules]):
    name = "toy.rolloff"

    def ask(self, game: GameRun[Rules]) -> Pending:
        return Roll("roll_off", 0, (Pool(1, FACE_LABELS), Pool(1, FACE_LABELS)), "R35-DICE-13")

    def rolled(self, game: GameRun[Rules], counts: tuple[Counts, ...]) -> None:
        mine, other = (int(next(iter(one))) for one in counts)
        if mine == other:
            game.stay()
            return
        winner = 0 if mine > other else 1
        game.emit(ev.RolledOff(winner=winner, purpose="first turn"))
        game.emit(ev.FirstSideSet(side=winner))


class FirstRound(Step[Rules]):
    name = "toy.first_round"

    def go(self, game: GameRun[Rules]) -> None:
        game.emit(ev.RoundBegan(round=1, starter=game.state.first_side))
        game.push(Round("round"))


class PickUnit(Step[Rules]):
    name = "toy.pick"

    def ask(self, game: GameRun[Rules]) -> Pending | None:
        state = game.state
        units = fresh(state, state.turn)
        if not units:
            return None
        options = tuple(Option(f"u{unit.id}", unit.name, unit.id) for unit in units)
        return Choice("activate", state.turn, "Which unit acts?", "R35-ROUND-05", options)

    def chosen(self, game: GameRun[Rules], answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        unit = int(answer.option[1:])
        game.emit(ev.Activated(unit=unit))
        game.push(Activation("activation", unit=unit), again=True)

    def go(self, game: GameRun[Rules]) -> None:
        state = game.state
        if fresh(state, 1 - state.turn):
            game.emit(ev.TurnPassed(side=1 - state.turn))
            game.stay()
            return
        game.emit(ev.RoundEnded(round=state.round, starter=state.starter))
        living = [sum(unit.side == side and unit.place == "table" for unit in state.units) for side in (0, 1)]
        if state.round >= ROUNDS or not all(living):
            winner = -1 if living[0] == living[1] else 0 if living[0] > living[1] else 1
            game.emit(ev.GameEnded(winner=winner, markers=(0, 0)))
            return
        game.emit(ev.RoundBegan(round=state.round + 1, starter=state.starter))
        game.stay()


class ChooseTarget(Step[Rules]):
    name = "toy.target"

    def ask(self, game: GameRun[Rules]) -> Pending:
        frame, state = game.top(Activation), game.state
        unit = state.units[frame.unit]
        if unit.broken:
            return Choice(
                "idle", unit.seat, "Catch your breath", "", (Option("rest", "rest"), Option("flee", "flee"))
            )
        enemies = (enemy for enemy in state.units if enemy.side != unit.side and enemy.place == "table")
        options = (Option("hold", "hold"), *(Option(f"u{e.id}", e.name, e.id) for e in enemies))
        return Choice("targets", unit.seat, "Shoot whom?", "R35-SHOOT-01", options)

    def chosen(self, game: GameRun[Rules], answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame: Activation = game.stack[-1]
        game.note(action=answer.option)
        if answer.option == "flee":
            lose(game, frame.unit, len(game.state.units[frame.unit].models), "routed")
        if answer.option == "rest":
            game.emit(ev.Recovered(unit=frame.unit))
        if answer.option in {"hold", "rest", "flee"}:
            game.jump("toy.end")
            return
        dice = len(game.state.units[frame.unit].models) * 2
        game.emit(ev.Declared(unit=frame.unit, target=int(answer.option[1:]), group="Bow", attacks=dice))


class ToHit(Step[Rules]):
    name = "toy.hit"

    def ask(self, game: GameRun[Rules]) -> Pending:
        unit = game.state.units[game.top(Activation).unit]
        target = Target(4).plus(1, "aim", "R35-DICE-18")
        return Roll("to_hit", unit.seat, (plain_tests(len(unit.models) * 2, target),), "R35-SHOOT-15")

    def rolled(self, game: GameRun[Rules], counts: tuple[Counts, ...]) -> None:
        frame: Activation = game.stack[-1]
        hits = counts[0].get("pass", 0)
        game.note(tried=((hits, "hits"),))
        game.emit(ev.Hit(unit=frame.unit, target=int(frame.action[1:]), hits=hits))


class Block(Step[Rules]):
    name = "toy.block"

    def ask(self, game: GameRun[Rules]) -> Pending:
        frame: Activation = game.stack[-1]
        victim = game.state.units[int(frame.action[1:])]
        return Roll("block", victim.seat, (plain_tests(frame.tried[0][0], Target(5)),), "R35-SHOOT-17")

    def rolled(self, game: GameRun[Rules], counts: tuple[Counts, ...]) -> None:
        victim = int(game.top(Activation).action[1:])
        wounds = counts[0].get("fail", 0)
        if counts[0]:
            game.emit(ev.Blocked(unit=victim, blocked=counts[0].get("pass", 0), wounds=wounds))
        if wounds:
            game.note(wounded=(victim,))
            lose(game, victim, wounds, "wounds")


class Nerve(Step[Rules]):
    name = "toy.morale"

    def ask(self, game: GameRun[Rules]) -> Pending | None:
        frame: Activation = game.stack[-1]
        if not frame.wounded or game.state.units[frame.wounded[0]].place != "table":
            return None
        seat = game.state.units[frame.wounded[0]].seat
        return Roll("morale", seat, (plain_tests(1, Target(4)),), "R35-MORALE-01")

    def rolled(self, game: GameRun[Rules], counts: tuple[Counts, ...]) -> None:
        unit = game.top(Activation).wounded[0]
        passed = bool(counts[0].get("pass"))
        game.emit(ev.MoraleTested(unit=unit, passed=passed, why="wounds"))
        if not passed:
            game.emit(ev.Broke(unit=unit))


class EndActivation(Step[Rules]):
    name = "toy.end"

    def go(self, game: GameRun[Rules]) -> None:
        unit = game.top(Activation).unit
        side = game.state.units[unit].side
        game.emit(ev.ActivationEnded(unit=unit))
        game.emit(ev.TurnPassed(side=1 - side))


def lose(game: GameRun[Rules], unit_id: int, count: int, cause: str) -> None:
    unit = game.state.units[unit_id]
    lost = tuple(model.id for model in unit.models[:count])
    game.emit(ev.Removed(unit=unit_id, models=lost, cause=cause))
    if len(lost) == len(unit.models):
        game.emit(ev.Destroyed(unit=unit_id, cause=cause))


class ToyRules(Rules):
    """Two sides shoot at each other for three rounds; `block` may be another reading of that step."""

    id = "toy"
    title = "Toy"

    def __init__(self, block: Step[Rules] | None = None, constants: ToyConstants | None = None) -> None:
        self.constants = constants or ToyConstants()
        self.procedures = {
            "prepare": (RollOff(), FirstRound()),
            "round": (PickUnit(),),
            "activation": (ChooseTarget(), ToHit(), block or Block(), Nerve(), EndActivation()),
        }


TOY = ToyRules()

PROFILE = Profile("Archer", 4, 5, Base("round", 25.0, 25.0), 1000, weapons=(Weapon("Bow", 2, 24000),))


def toy_setup(units: int = 4, models: int = 3) -> State:
    """Two lines of archers."""
    made = []
    for i in range(units * 2):
        side = i // units
        ids = range(i * models, (i + 1) * models)
        poses = tuple(Pose(6000 + 5000 * (i % units) + 1200 * k, 6000 + side * 30000) for k in range(models))
        name = f"{'Red' if side == 0 else 'Blue'} Archers {i % units + 1}"
        made.append(
            Unit(
                i,
                side,
                side,
                name,
                tuple(Model(k, 0) for k in ids),
                poses,
                place="table",
                start_models=models,
            )
        )
    return State(
        "toy",
        (("long_games", "no"),),
        72000,
        48000,
        (PROFILE,),
        (Seat(0, "Red"), Seat(1, "Blue")),
        (Side("south", units), Side("north", units)),
        tuple(made),
        stack=(Preparation("prepare"),),
    )
