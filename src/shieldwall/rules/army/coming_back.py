"""Rules by which lost units are replaced, and by which units leave the table to come back in the next round."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Placed
from shieldwall.core.frames import Activation, Arrival, RuleUse
from shieldwall.core.pending import Option, Pending
from shieldwall.core.state import State, Unit, model_ids
from shieldwall.rules.army.bringing_on import units_for_destroyed
from shieldwall.rules.army.conditions import is_shaken
from shieldwall.rules.army.feats import is_used
from shieldwall.rules.army.newcomers import CopiesItself, LeavesTheTable
from shieldwall.rules.army.once import end_effects, spent_by_hook
from shieldwall.rules.army.picking import RuleChoice
from shieldwall.rules.features.carry import passengers
from shieldwall.rules.missions import carried_by, spot_of
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, at_half
from shieldwall.rules.steps.arrival import COPY, is_awaited
from shieldwall.rules.steps.attack import remove_models
from shieldwall.table.zones import Region, edge_region, table_region

COPY_PROCEDURE, COPIES_PROCEDURE = "rule.copy", "rule.copies"
REPLACED = "replaced"  # the cause of losses of a unit that makes way for its copy
AMBUSH = "ambush"
YES, NO = "yes", "no"


# ---------------------------------------------------------------- a copy for a unit that is shaken or destroyed


def replace_destroyed(game: Play, unit: Unit, last: int, cause: str) -> None:
    """New units and copies that may come for a destroyed unit, as soon as the running procedure is over."""
    if not game.state.round:
        return
    if cause != REPLACED:
        _follow_with_copy(game, unit)
    for frame in units_for_destroyed(game, unit, last):
        game.follow(frame)


def replace_shaken(game: Play, unit: int) -> None:
    """The copy that may come for a unit that has become Shaken."""
    if is_shaken(game.state.units[unit]):
        _follow_with_copy(game, game.state.units[unit])


def _follow_with_copy(game: Play, unit: Unit) -> None:
    rule = _copying_rule(game.rules, game.state, unit)
    is_last = game.state.round >= game.rules.constants.rounds
    if rule is not None and not is_last and copy_of(game.state, unit.id, rule.name) is not None:
        game.follow(RuleUse(procedure=COPY_PROCEDURE, unit=unit.id, rule=rule.name))


def _copying_rule(rules: Ruleset, state: State, unit: Unit) -> CopiesItself | None:
    found = rules.hooks.of_unit(unit, state.profiles).get("copies_itself", ()) if unit.models else ()
    return next((rule for rule in found if isinstance(rule, CopiesItself)), None)


def copy_of(state: State, unit: int, rule: str) -> Unit | None:
    """The copy of a unit that has not come yet."""
    for new in state.units:
        if new.later is not None and (new.later.unit, new.later.rule) == (unit, rule):
            return new
    return None


def copy_name(name: str) -> str:
    """The name of a copy."""
    return f"{name} (copy)"


class AskForCopy(TrunkStep):
    """Whether a shaken or destroyed unit is replaced by a copy, which comes in the next round."""

    name = "copy.ask"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(RuleUse)
        unit = game.state.units[frame.unit]
        if copy_of(game.state, unit.id, frame.rule) is None or (unit.models and not is_shaken(unit)):
            return None
        if not unit.models:
            words, default = "let a copy come in the next round?", YES
        else:
            words = "remove it as destroyed and let a copy come in the next round?"
            default = YES if at_half(game.state, unit) else NO
        both = (Option(YES, "a copy comes in the next round"), Option(NO, "no"))
        return RuleChoice("rule_use", unit, frame.rule, f"{unit.name}: {words}", both, default)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option != YES:
            return
        frame = game.top(RuleUse)
        unit = game.state.units[frame.unit]
        copy = copy_of(game.state, unit.id, frame.rule)
        assert copy is not None
        if unit.models:
            remove_models(game, unit.id, model_ids(unit), REPLACED, "")
        game.emit(ev.CalledUp(unit=copy.id, by=unit.id, rule=frame.rule))
        game.emit(ev.HeldBack(unit=copy.id, how=COPY))


class BringCopies(TrunkStep):
    """Copies of lost units come on at a table edge when a round begins, after those that lay in ambush."""

    name = "round.copies"
    needs = ("copies_itself",)

    def go(self, game: Play) -> None:
        waiting = tuple(unit.id for unit in waiting_copies(game.state))
        if waiting:
            game.push(Arrival(procedure=COPIES_PROCEDURE))


def waiting_copies(state: State, tried: Sequence[int] = ()) -> list[Unit]:
    """Copies that have not arrived, in the order in which they come: the side that starts the round first."""
    found = [unit for unit in state.units if unit.models and is_awaited(unit) and unit.id not in tried]
    return sorted(found, key=lambda unit: (unit.side != state.starter, unit.id))


class PlaceCopy(TrunkStep):
    """Each copy is placed near a table edge; one without room waits for the next round."""

    name = "copies.place"

    def ask(self, game: Play) -> Pending | None:
        waiting = waiting_copies(game.state, game.top(Arrival).tried)
        if not waiting:
            return None
        unit = waiting[0]
        ground = Ground(_edges(game.rules, game.state))
        prompt = f"Where does {unit.name} arrive?"
        policies = game.rules.policies
        question = policies.place_question(game.rules, game.state, unit, ground, "arrive_place", prompt)
        return question if question.has_any() else None

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        unit = waiting_copies(game.state, game.top(Arrival).tried)[0]
        game.emit(ev.UnitPlaced(unit=unit.id, poses=answer.poses, how=COPY))
        game.stay()

    def go(self, game: Play) -> None:
        tried = game.top(Arrival).tried
        waiting = waiting_copies(game.state, tried)
        if waiting:
            game.note(tried=(*tried, waiting[0].id))
            game.stay()


def _edges(rules: Ruleset, state: State) -> Region:
    """The strips along the table edges, as wide as the rule says."""
    found = rules.hooks.by_hook("copies_itself", state.profiles).values()
    reach = max(
        rule.amount(rule.block.reach) for every in found for rule in every if isinstance(rule, CopiesItself)
    )
    strips = edge_region(state.width, state.depth, reach / 1000)
    return Region(strips.zones, strips.words, table_region(state.width, state.depth).cite)


COPY_STEPS: tuple[TrunkStep, ...] = (AskForCopy(),)
COPIES: tuple[TrunkStep, ...] = (PlaceCopy(),)


# ---------------------------------------------------------------- leaving the table


class LeaveTheTable(TrunkStep):
    """A unit whose activation ends may leave the table, to come back in the next round as if out of ambush."""

    name = "act.leave_table"
    needs = ("leaves_table",)

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Activation).unit]
        rule = self._rule(game, unit)
        if rule is None:
            return None
        both = (Option(YES, "leave the table"), Option(NO, "stay"))
        prompt = f"{unit.name}: leave the table and come out of ambush in the next round?"
        return RuleChoice("rule_use", unit, rule.name, prompt, both, NO)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option != YES:
            return
        unit = game.state.units[game.top(Activation).unit]
        rule = self._rule(game, unit)
        assert rule is not None
        game.emit(ev.WeaponUsed(unit=unit.id, model=-1, key=rule.name))
        end_effects(game, spent_by_hook(game.rules, unit, "leaves_table"))
        for marker in carried_by(game.state, unit.id):
            spot = spot_of(game.state, unit, unit.models[0].id)
            game.emit(ev.MarkerDropped(marker=marker.id, x=spot.x, y=spot.y, z=spot.z))
        game.emit(ev.LeftTable(unit=unit.id, how=AMBUSH))

    def _rule(self, game: Play, unit: Unit) -> LeavesTheTable | None:
        is_last = game.state.round >= game.rules.constants.rounds
        if is_last or not unit.models or unit.place != "table" or passengers(game.state, unit.id):
            return None
        for rule in game.rules.hooks.of_unit(unit, game.state.profiles).get("leaves_table", ()):
            if isinstance(rule, LeavesTheTable) and not is_used(game.state, unit, rule):
                return rule
        return None
