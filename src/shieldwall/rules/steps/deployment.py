"""Edges, joining, holding back, and placing the armies in turns."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Placed
from shieldwall.core.frames import Preparation
from shieldwall.core.pending import Choice, ChoiceAbout, Option, Pending
from shieldwall.core.state import State, Unit
from shieldwall.rules.army.redeploying import DEPLOY_AGAIN, next_to_pick
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, seat_of, seat_to_ask
from shieldwall.rules.steps.attack import remove_models
from shieldwall.rules.steps.rolloff import RollOff
from shieldwall.rules.steps.rounds import UnitChoice, unit_key
from shieldwall.table.zones import EDGES, OPPOSITE


class DeploymentRollOff(RollOff):
    """The winner must deploy first and has the first turn of the game."""

    def won(self, game: Play, side: int) -> None:
        game.emit(ev.FirstSideSet(side=side, cite=game.rules.cite("deploy.first")))


class ChooseEdge(TrunkStep):
    """The winner picks an edge; the other side gets the opposite one."""

    name = "deploy.edge"

    def ask(self, game: Play) -> Pending | None:
        first = game.state.first_side
        edges = game.rules.policies.deploy_edges(game.state)
        ordered = edges if first == 0 else tuple(reversed(edges))
        options = tuple(Option(edge, f"the {edge} edge") for edge in ordered)
        cite = game.rules.cite("deploy.edge")
        return Choice("edge", seat_of(game.state, first), "Which table edge is yours?", cite, options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        first = game.state.first_side
        chosen = next(edge for edge in EDGES if edge == answer.option)
        cite = game.rules.cite("deploy.edge")
        for side in range(len(game.state.sides)):
            edge = chosen if side == first else OPPOSITE[chosen]
            game.emit(ev.EdgeChosen(side=side, edge=edge, cite=cite))
        game.note(asked=())


class JoinUnits(TrunkStep):
    """Models that may join a unit do so now, or stay on their own."""

    name = "deploy.attach"

    def ask(self, game: Play) -> Pending | None:
        hero = self._next(game)
        if hero is None:
            return None
        options = [Option("none", "fights alone")]
        options += [
            Option(unit_key(host.id), f"joins {host.name}", host.id) for host in self._hosts(game, hero)
        ]
        prompt = f"{hero.name}: join a unit?"
        return ChoiceAbout(hero, "attach", prompt, game.rules.cite("hero.join"), tuple(options))

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        hero = game.question(ChoiceAbout).unit
        game.note(asked=(*game.top(Preparation).asked, hero.id))
        if answer.option == "none":
            game.stay()
        else:
            self.joined(game, game.state.units[int(answer.option[1:])], hero)

    def go(self, game: Play) -> None:
        game.note(asked=())

    def joined(self, game: Play, host: Unit, hero: Unit) -> None:
        """Record that a model joined; ranked units first ask for its place."""
        slot = game.rules.policies.joining_slots(game.state, host, hero)[0]
        attach(game, host.id, hero.id, slot)
        game.stay()

    def _next(self, game: Play) -> Unit | None:
        asked = game.top(Preparation).asked
        for unit in by_side(game.state):
            open_to_join = unit.id not in asked and unit.place == "waiting"
            if open_to_join and may_join(game.rules, game.state, unit) and self._hosts(game, unit):
                return unit
        return None

    def _hosts(self, game: Play, hero: Unit) -> list[Unit]:
        return [
            host
            for host in game.state.units
            if host.side == hero.side
            and host.id != hero.id
            and host.place == "waiting"
            and host.attached < 0
            and game.rules.policies.may_be_joined(game.rules, game.state, host)
        ]


class HoldBack(TrunkStep):
    """Units whose rules allow it may be kept off the table, before the first unit is placed."""

    name = "deploy.hold_back"

    def ask(self, game: Play) -> Pending | None:
        unit = self._next(game)
        if unit is None:
            return None
        how, *others = reserve_kinds(game.rules, game.state, unit)
        options = [Option("reserve", f"set aside ({how})")]
        options += [Option(other, f"set aside ({other})") for other in others]
        options.append(Option("deploy", "deploy with the others"))
        cite = game.rules.cite(f"reserve.{how}")
        return ChoiceAbout(
            unit, "hold_back", f"Deploy {unit.name} now, or set it aside?", cite, tuple(options)
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        unit = game.question(ChoiceAbout).unit
        game.note(asked=(*game.top(Preparation).asked, unit.id))
        if answer.option != "deploy":
            first = reserve_kinds(game.rules, game.state, unit)[0]
            how = first if answer.option == "reserve" else answer.option
            game.emit(ev.HeldBack(unit=unit.id, how=how, cite=game.rules.cite(f"reserve.{how}")))
        game.stay()

    def go(self, game: Play) -> None:
        game.note(asked=(), placing=game.state.first_side, unit=-1)

    def _next(self, game: Play) -> Unit | None:
        asked = game.top(Preparation).asked
        for unit in by_side(game.state):
            if (
                unit.id not in asked
                and unit.place == "waiting"
                and reserve_kinds(game.rules, game.state, unit)
            ):
                return unit
        return None


class PickToDeploy(TrunkStep):
    """The side whose turn it is chooses the unit it places next."""

    name = "deploy.pick"

    def ask(self, game: Play) -> Pending | None:
        frame: Preparation = game.stack[-1]
        waiting = waiting_units(game.state, frame.placing)
        if not waiting:
            return None
        seat = seat_to_ask(game.state, frame.placing, waiting)
        return UnitChoice(
            "deploy", seat, "Which unit do you place?", game.rules.cite("deploy.turns"), waiting
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        game.note(unit=int(answer.option[1:]))

    def go(self, game: Play) -> None:
        frame: Preparation = game.stack[-1]
        if any(waiting_units(game.state, side) for side in range(len(game.state.sides))):
            game.note(placing=(frame.placing + 1) % len(game.state.sides))
            game.stay()
        elif next_to_pick(game.rules, game.state) is not None:
            game.push(Preparation(procedure=DEPLOY_AGAIN), again=True)
        else:
            game.jump("deploy.late")


class PlaceUnit(TrunkStep):
    """Place the chosen unit inside the side's own zone."""

    name = "deploy.place"

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Preparation).unit]
        ground = game.rules.policies.deploy_ground(game.rules, game.state, unit.side)
        prompt = f"Place {unit.name} in your deployment zone"
        question = game.rules.policies.place_question(
            game.rules, game.state, unit, ground, "deploy_place", prompt
        )
        return question if question.has_any() else None

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame: Preparation = game.stack[-1]
        cite = game.rules.cite("deploy.zone")
        game.emit(ev.UnitPlaced(unit=frame.unit, poses=answer.poses, how="deploy", cite=cite))
        self._next(game)
        game.rules.after_placed(game, frame.unit)

    def go(self, game: Play) -> None:
        leave_out(game, game.top(Preparation).unit)
        self._next(game)

    def _next(self, game: Play) -> None:
        frame: Preparation = game.stack[-1]
        game.note(unit=-1, placing=(frame.placing + 1) % len(game.state.sides))
        game.jump("deploy.pick")


class LateOrder(RollOff):
    """Roll-off for who begins with late units, if the edition has one."""

    def needed(self, game: Play) -> bool:
        sides = {unit.side for unit in late_units(game.state)}
        return game.rules.policies.rolls_for_late_units() and len(sides) > 1

    def go(self, game: Play) -> None:
        game.note(placing=game.state.first_side)

    def won(self, game: Play, side: int) -> None:
        game.note(placing=side)


class PickLate(TrunkStep):
    """Late units are placed in turns once all others are deployed."""

    name = "deploy.late_pick"

    def ask(self, game: Play) -> Pending | None:
        frame: Preparation = game.stack[-1]
        mine = [unit for unit in late_units(game.state) if unit.side == frame.placing]
        if not mine:
            return None
        seat = seat_to_ask(game.state, frame.placing, mine)
        return UnitChoice(
            "deploy", seat, "Which scouts do you place?", game.rules.cite("reserve.scout"), mine
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        game.note(unit=int(answer.option[1:]))

    def go(self, game: Play) -> None:
        frame: Preparation = game.stack[-1]
        if late_units(game.state):
            game.note(placing=(frame.placing + 1) % len(game.state.sides))
            game.stay()
        else:
            game.jump("deploy.record")


class PlaceLate(TrunkStep):
    """Place a late unit where its rule allows."""

    name = "deploy.late_place"

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Preparation).unit]
        ground = game.rules.policies.late_ground(game.rules, game.state, unit.side)
        prompt = f"Place {unit.name}"
        question = game.rules.policies.place_question(
            game.rules, game.state, unit, ground, "deploy_place", prompt
        )
        return question if question.has_any() else None

    def go(self, game: Play) -> None:
        leave_out(game, game.top(Preparation).unit)
        game.jump("deploy.late_next")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame: Preparation = game.stack[-1]
        cite = game.rules.cite("reserve.scout_place")
        game.emit(ev.UnitPlaced(unit=frame.unit, poses=answer.poses, how="scout", cite=cite))
        game.rules.after_placed(game, frame.unit)


class NextLate(TrunkStep):
    """The other side's turn."""

    name = "deploy.late_next"

    def go(self, game: Play) -> None:
        frame: Preparation = game.stack[-1]
        game.note(unit=-1, placing=(frame.placing + 1) % len(game.state.sides))
        game.jump("deploy.late_pick")


class RecordSizes(TrunkStep):
    """Starting strengths are recorded once; later losses are measured against them."""

    name = "deploy.record"

    def go(self, game: Play) -> None:
        sides = range(len(game.state.sides))
        counts = tuple(sum(1 for u in game.state.units if u.side == side and u.models) for side in sides)
        game.emit(ev.SizesRecorded(units=counts, cite=game.rules.cite("deploy.record")))
        if game.rules.hooks.may_come_up("restores_on", game.state):
            game.emit(ev.RostersRecorded())


def attach(game: Play, host: int, hero: int, slot: int) -> None:
    """A lone model becomes one of another unit's models."""
    game.emit(ev.Attached(unit=host, joined=hero, slot=slot, cite=game.rules.cite("hero.join")))


def leave_out(game: Play, unit_id: int) -> None:
    """Remove a unit without a legal place in its zone from the game, together with units inside it."""
    inside = [u.id for u in game.state.units if u.place == "inside" and u.inside == unit_id and u.models]
    for one in (*inside, unit_id):
        models = tuple(model.id for model in game.state.units[one].models)
        remove_models(game, one, models, "no room", game.rules.cite("deploy.zone"))


def by_side(state: State) -> list[Unit]:
    """All units, those of the side that deploys first in front."""
    return sorted(state.units, key=lambda unit: (unit.side != state.first_side, unit.id))


def waiting_units(state: State, side: int) -> list[Unit]:
    """Units of a side that still have to be deployed."""
    return [unit for unit in state.units if unit.side == side and unit.place == "waiting" and unit.models]


def late_units(state: State) -> list[Unit]:
    """Units that were set aside to be placed after all others."""
    return [unit for unit in state.units if unit.place == "reserve" and ("reserve", "scout") in unit.picks]


def reserve_kinds(rules: Ruleset, state: State, unit: Unit) -> tuple[str, ...]:
    """The ways in which a unit may be held back; empty if it may not."""
    if not unit.models:
        return ()
    hooks = rules.hooks.of_unit(unit, state.profiles)
    return tuple(
        dict.fromkeys(rule.keeps_back(UnitContext(state, unit)) for rule in hooks.get("keeps_back", ()))
    )


def may_join(rules: Ruleset, state: State, unit: Unit) -> bool:
    """Whether a lone model may become part of another unit."""
    if len(unit.models) != 1:
        return False
    profile = state.profiles[unit.models[0].profile]
    return bool(rules.hooks.of_profile(profile).get("joins")) and rules.policies.may_join(profile)
