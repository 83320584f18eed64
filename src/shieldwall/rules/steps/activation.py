"""One activation: ground tests, then one action and what follows from it, then morale."""

from __future__ import annotations

from functools import cache

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Activation, Danger, Melee, Morale, Movement, Shoot
from shieldwall.core.pending import Choice, ChoiceAbout, Numbers, Option, Pending, Refusal
from shieldwall.core.state import State, Unit
from shieldwall.rules.army.impulse import forced_actions, must_act_otherwise
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, at_half, is_in_play
from shieldwall.rules.steps.charge_reasons import why_nobody
from shieldwall.rules.steps.rounds import mark_dry
from shieldwall.rules.weapons import shoots_after_at

ACTIONS = ("hold", "advance", "rush", "charge")
_LABELS = {
    "hold": "Hold: stay and shoot",
    "advance": "Advance: move, then shoot",
    "rush": "Rush: move far, no shooting",
    "charge": "Charge: move into melee",
    "idle": "Idle: recover",
}


class GroundTests(TrunkStep):
    """Test models that stand on dangerous ground when their unit is activated."""

    name = "act.hazard"

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        at_risk = game.rules.policies.models_in_danger(game.rules, game.state, game.state.units[frame.unit])
        if at_risk:
            game.note(tested=frame.tested + at_risk)
            game.push(Danger(procedure="danger", unit=frame.unit, models=at_risk))


class ChooseAction(TrunkStep):
    """One of the actions available to the unit."""

    name = "act.action"

    def ask(self, game: Play) -> Pending | None:
        frame: Activation = game.stack[-1]
        if over(game, frame):
            return None
        return action_question(game.rules, game.state, game.state.units[frame.unit], frame)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame: Activation = game.stack[-1]
        action = answer.option
        if action == "cast":
            game.push(game.rules.policies.casting_frame(frame.unit), again=True)
            return
        game.note(action=action)
        game.emit(ev.ActionChosen(unit=frame.unit, action=action, cite=game.rules.cite(f"action.{action}")))


class CarryOut(TrunkStep):
    """Carry out the action: turn, move or charge."""

    name = "act.move"

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        if over(game, frame):
            return
        if frame.action == "charge":
            game.push(Melee(procedure="melee", charger=frame.unit))
        elif not self.shoots_at_once(game, frame):
            game.push(Movement(procedure=f"move.{frame.action}", unit=frame.unit, action=frame.action))

    def shoots_at_once(self, game: Play, frame: Activation) -> bool:
        """Whether the unit was forced to shoot from where it stands, so that it does not turn first."""
        if frame.action != "hold" or "must_attack" not in game.plans.in_play:
            return False
        return "hold" in forced_actions(game.rules, game.state, game.state.units[frame.unit], ("hold",))


class ShootNow(TrunkStep):
    """Shooting follows a Hold or an Advance."""

    name = "act.shoot"

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        if over(game, frame):
            return
        if frame.action in ("hold", "advance") or self.may_shoot_after(game, frame):
            game.push(Shoot(procedure="shoot", unit=frame.unit))

    def may_shoot_after(self, game: Play, frame: Activation) -> bool:
        """Whether a rule lets the unit shoot after an action that usually forbids it."""
        if "shoots_after" not in game.plans.in_play:
            return False
        unit = game.state.units[frame.unit]
        rules, state = game.rules, game.state
        return any(shoots_after_at(rules, state, unit, frame.action, other) for other in state.units)


class EndActivation(TrunkStep):
    """A unit that spent its activation idle recovers."""

    name = "act.end"

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        unit = game.state.units[frame.unit]
        if frame.began_broken and unit.models:
            game.emit(ev.Recovered(unit=frame.unit, cite=game.rules.cite("act.recover")))


class Checkpoint(TrunkStep):
    """Units that took wounds in this activation and are down to half take a morale test."""

    name = "act.morale"

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        if not frame.wounded:
            return
        due = [unit for unit in frame.wounded if unit not in frame.excused and self._must_test(game, unit)]
        game.note(wounded=())
        if due:
            game.push(*(Morale(procedure="morale", unit=unit, cause="wounds") for unit in due))

    def _must_test(self, game: Play, unit_id: int) -> bool:
        unit = game.state.units[unit_id]
        return bool(unit.models) and is_in_play(game.state, unit) and at_half(game.state, unit)


class PassTurn(TrunkStep):
    """The turn goes to the other side; sides with no units left to activate are recorded."""

    name = "act.pass"

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        state = game.state
        unit = state.units[frame.unit]
        game.emit(ev.ActivationEnded(unit=unit.id, cite=game.rules.cite("round.pass")))
        mark_dry(game)
        side = (unit.side + 1) % len(state.sides)
        game.emit(ev.TurnPassed(side=side, cite=game.rules.cite("round.pass")))


def over(game: Play, frame: Activation) -> bool:
    """Whether nothing more can be done in this activation."""
    unit = game.state.units[frame.unit]
    return frame.over or not unit.models or unit.place not in ("table", "garrison")


def allowed_actions(rules: Ruleset, state: State, unit: Unit) -> tuple[str, ...]:
    """The actions a unit's rules allow, before checking whether any enemy can be charged."""
    allowed: tuple[str, ...] = ACTIONS
    ctx = UnitContext(state, unit)
    for rule in rules.hooks.of_unit(unit, state.profiles).get("actions", ()):
        only = rule.actions(ctx)
        if only is not None:
            allowed = tuple(action for action in allowed if action in only)
    return allowed


def barred_by(rules: Ruleset, state: State, unit: Unit, action: str) -> tuple[Refusal, ...]:
    """Refusals for every rule of a unit that forbids an action."""
    forced = forced_actions(rules, state, unit, allowed_actions(rules, state, unit))
    if forced and action not in forced:
        return (must_act_otherwise(rules, state, unit, forced),)
    return tuple(
        Refusal(f"{unit.name} may not {action}: {rule.title}", rule.cite)
        for rule in rules.hooks.of_unit(unit, state.profiles).get("actions", ())
        if action not in (rule.actions(UnitContext(state, unit)) or ACTIONS)
    )


class ActionOptions(ChoiceAbout):
    """The choice of a unit's action; usual actions that are not available are shown with the reasons."""

    __slots__ = ()

    def barred(self) -> tuple[Option, ...]:
        known = {option.key for option in self.options}
        return tuple(Option(name, name.capitalize()) for name in ACTIONS if name not in known)


def action_question(rules: Ruleset, state: State, unit: Unit, frame: Activation) -> Choice:
    """The choice of action; possible charges are computed only when read."""
    if frame.began_broken:
        prompt = f"{unit.name}: choose an action"
        return ActionOptions(unit, "action", prompt, rules.cite("action.idle"), _options(("idle",)))
    return ActionChoice(rules, state, unit, rules.policies.can_cast(rules, state, unit, frame))


class ActionChoice(ActionOptions):
    """The choice of an action. A random draw computes the possible charges only if it picks Charge."""

    __slots__ = ("allowed", "forced_to", "may_charge", "rules", "state", "sure")

    def __init__(self, rules: Ruleset, state: State, unit: Unit, casts: bool) -> None:
        prompt = f"{unit.name}: choose an action"
        super().__init__(unit, "action", prompt, rules.cite("act.action"))
        self.rules = rules
        self.state = state
        self.allowed = rules.policies.actions_now(rules, state, unit, allowed_actions(rules, state, unit))
        self.may_charge = "charge" in self.allowed
        self.forced_to: tuple[str, ...] = ()
        if "must_attack" in rules.hooks.of_unit(unit, state.profiles):
            self.forced_to = forced_actions(rules, state, unit, self.allowed)
            self.allowed = self.forced_to or self.allowed
        self.sure = _sure(self.allowed, casts)
        self.default_key = self.allowed[0] if len(self.allowed) + casts > 2 else ""

    def write(self) -> tuple[Option, ...]:
        charges = self.may_charge and self.rules.policies.charge_options(self.rules, self.state, self.unit)
        if not charges:
            return _options(self.sure)
        casts = self.sure[-1:] == ("cast",)
        names = self.sure[:-1] if casts else self.sure
        return _options((*names, "charge", "cast") if casts else (*names, "charge"))

    def why_not(self, option: str) -> tuple[Refusal, ...]:
        if option == "charge" and self.may_charge:
            return why_nobody(self.rules, self.state, self.unit)
        if option in ACTIONS:
            barring = barred_by(self.rules, self.state, self.unit, option)
            text = f"{self.unit.name} may not {option} now"
            if option not in self.rules.policies.actions_now(self.rules, self.state, self.unit, ACTIONS):
                text += ": it is out of coherency, and only an action that restores it is allowed"
            return barring or (Refusal(text, self.rules.cite("action.limits")),)
        return ()

    def sample(self, numbers: Numbers) -> Pick:
        if not self.default_key:  # few options, all of them known
            return super().sample(numbers)
        drawn = numbers.below(len(self.sure) + self.may_charge)
        if drawn < len(self.sure):
            return Pick(self.sure[drawn])
        if any(option.key == "charge" for option in self.options):
            return Pick("charge")
        return Pick(self.sure[numbers.below(len(self.sure))])


@cache
def _sure(allowed: tuple[str, ...], casts: bool) -> tuple[str, ...]:
    """The actions that need no search of the table: all except charging."""
    names = tuple(name for name in allowed if name != "charge")
    return (*names, "cast") if casts else names


@cache
def _options(names: tuple[str, ...]) -> tuple[Option, ...]:
    return tuple([Option(name, _LABELS.get(name, "Cast a spell")) for name in names])
