"""The loop. It asks the step on top of the stack, passes it the answer, and continues until an answer is needed.

One entry point: `submit(rules, state, answer) -> Progress`. A refused answer changes nothing. The engine rolls no
dice and makes no choices, except that it answers questions with only one legal answer, or whose seat asked for
automatic answers.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.errors import MalformedError, RefusedError
from shieldwall.core.frames import END, AnyFrame
from shieldwall.core.pending import Decision, Pending, Refusal, Roll
from shieldwall.core.state import State, Unit
from shieldwall.core.values import Counts, count_labels


class Rules:
    """What the engine needs from a ruleset: the steps of each procedure, and what may come up in a game."""

    procedures: Mapping[str, tuple[Step[Any], ...]]

    def numbered_steps(self, procedure: str) -> Sequence[str]:
        """The names of a procedure's steps when states still had their numbers."""
        return [step.name for step in self.procedures[procedure]]

    def in_play(self, state: State) -> frozenset[str] | None:
        """What can come up in this game, out of all that steps may need (`Step.needs`); None if unknown."""
        return None

    def has_area_rules(self, in_play: frozenset[str] | None) -> bool:
        """Whether any rule of this game depends on where units stand; `after_change` then hears of every fact."""
        return False

    def after_change(self, game: GameRun[Any], event: ev.AnyEvent, moved: bool) -> None:
        """What follows at once from a fact; `moved` where a unit moved, arrived, left or lost models.

        Writes effects only.
        """

    def plans_for(self, state: State) -> Plans:
        """The procedures prepared for the loop, without the steps that have nothing to do in this game.

        A settled state keeps them: what can come up does not change during a game.
        """
        plans: Plans | None = state.__dict__.get("plans")
        if plans is not None and plans.rules is self and plans.procedures is self.procedures:
            return plans
        known: tuple[object, dict[frozenset[str] | None, Plans]] | None = self.__dict__.get("_plans")
        if known is None or known[0] is not self.procedures:
            known = self.__dict__["_plans"] = (self.procedures, {})
        needs = self.in_play(state)
        plans = known[1].get(needs)
        if plans is None or plans.rules is not self:
            plans = known[1][needs] = Plans(self, needs)
        return plans


R = TypeVar("R", bound=Rules)
F = TypeVar("F", bound=AnyFrame)
Q = TypeVar("Q", bound=Roll | Decision)
Ask = Callable[["GameRun[Any]"], Pending | None]
Go = Callable[["GameRun[Any]"], None]
PATIENCE = (
    20_000  # steps between two questions; far more than any procedure, so exceeding it is an endless loop
)


class Step(Generic[R]):
    """One named step of a procedure. It asks at most one question and emits what follows from the answer.

    What was computed for the question need not be computed again for the answer: `game.question` is the question
    being answered.
    """

    name = ""
    needs: ClassVar[tuple[str, ...]] = ()  # the step only ever does something in games that have one of these

    def ask(self, game: GameRun[R]) -> Pending | None:
        """What the step waits for; None if it needs no answer. Must not change the game."""
        return None

    def rolled(self, game: GameRun[R], counts: tuple[Counts, ...]) -> None:
        """What follows from a roll: one mapping of label counts for each pool."""
        raise AssertionError(f"{self.name} asked for no roll")

    def chosen(self, game: GameRun[R], answer: AnyAnswer) -> None:
        """What follows from a choice; the answer has been checked."""
        raise AssertionError(f"{self.name} asked for no choice")

    def go(self, game: GameRun[R]) -> None:
        """What happens when the step asked for nothing."""

    def would_ask(self, game: GameRun[R], unit: Unit, kind: str) -> Decision | None:
        """The question of a kind for a unit in its running activation, even if none of its answers is legal now."""
        return None

    def why_not(self, game: GameRun[R], unit: Unit, kind: str) -> tuple[Refusal, ...]:
        """Why the step does not ask a unit a question of a kind; empty if there is no particular reason."""
        return ()

    def adds_up(self, game: GameRun[R]) -> bool:
        """Whether the result of many dice is the sum of the results of each; exact odds then fold them."""
        return False

    def pools_add_up(self, game: GameRun[R]) -> bool:
        """Whether the result of a roll is the sum over its pools, even if not over single dice."""
        return self.adds_up(game)


class Plan:
    """The steps of a procedure and the methods of each, `None` where a step does not override one.

    `names[i]` is the name of step `i`, and `at` finds a step by its name.
    Most steps only ask or only act, so the loop need not call both. `busy[i]` is the first step from `i` on that may
    do something in this game.
    """

    __slots__ = ("acts", "at", "busy", "count", "names", "steps")

    def __init__(self, steps: tuple[Step[Any], ...], in_play: Container[str]) -> None:
        self.steps = steps
        self.acts: tuple[tuple[Ask | None, Go | None], ...] = tuple(
            (
                step.ask if type(step).ask is not Step.ask else None,
                step.go if type(step).go is not Step.go else None,
            )
            for step in steps
        )
        self.count = len(steps)
        self.names = [*(step.name for step in steps), END]
        self.at: dict[str | int, int] = {"": 0}
        self.at.update((name, index) for index, name in enumerate(self.names))
        self.busy = [self.count] * self.count
        for index in range(self.count - 1, -1, -1):
            needs = steps[index].needs
            is_idle = needs and not any(need in in_play for need in needs)
            if is_idle or self.acts[index] == (None, None):
                self.busy[index] = self.busy[index + 1] if index + 1 < self.count else self.count
            else:
                self.busy[index] = index


class Anything:
    """Contains whatever is asked for."""

    def __contains__(self, what: object) -> bool:
        return True


class Plans(dict[str, Plan]):
    """Plans by procedure, each made when it is first looked up.

    `in_play` is what can come up in this game, out of all that steps may need (`Step.needs`).
    """

    def __init__(self, rules: Rules, in_play: frozenset[str] | None) -> None:
        super().__init__()
        self.rules = rules
        self.procedures = rules.procedures
        self.in_play: Container[str] = Anything() if in_play is None else in_play
        self.has_area_rules = rules.has_area_rules(in_play)

    def __missing__(self, procedure: str) -> Plan:
        plan = self[procedure] = Plan(self.procedures[procedure], self.in_play)
        return plan


class GameRun(Generic[R]):
    """A game in progress: rules, the state so far and the events so far.

    It lives for one `submit`. Steps read `state` and write only through `emit` and the frame methods. The current
    step of each procedure is kept in `steps`, next to the frames of `stack`, and written into the frames when the
    game rests.
    """

    __slots__ = ("asked", "events", "flow_set", "plans", "rules", "stack", "state", "steps")

    def __init__(self, rules: R, state: State, plans: Plans | None = None) -> None:
        self.rules = rules
        self.state = state
        self.plans = rules.plans_for(state) if plans is None else plans
        self.stack: list[Any] = list(state.stack)  # frames; each step knows of which kind its own is
        known: tuple[Plans, list[int]] | None = state.__dict__.get("steps")
        if known is None or known[0] is not self.plans:
            known = (self.plans, [self.place_of(frame) for frame in state.stack])
            state.__dict__["steps"] = known
        self.steps = known[1].copy()
        self.events: list[ev.AnyEvent] = []
        self.asked: Pending | None = None
        self.flow_set = False

    def place_of(self, frame: AnyFrame) -> int:
        """The index of the step that a frame stands at."""
        plan, step = self.plans[frame.procedure], frame.step
        at = plan.at.get(step)
        if at is not None:
            return at
        if isinstance(step, int):
            names = self.rules.numbered_steps(frame.procedure)
            step = names[step] if step < len(names) else END
        if step not in plan.at:
            raise MalformedError("state", [f"{frame.procedure!r} has no step {step!r} in this version"])
        return plan.at[step]

    def emit(self, event: ev.AnyEvent) -> None:
        """Apply an event and record it."""
        self.events.append(event)
        if type(event) in ev.LOG_ONLY:
            return
        before = self.state
        self.state = event.apply(before)
        if self.plans.has_area_rules:
            self.note_change(before, event)

    def note_change(self, before: State, event: ev.AnyEvent) -> None:
        """Tell the rules about the last event, unless it is an effect, which only they write."""
        if type(event) not in ev.EFFECTS:
            self.rules.after_change(self, event, self.state.positions is not before.positions)

    def top(self, kind: type[F]) -> F:
        """The running frame, which must be of this kind."""
        frame = self.stack[-1]
        assert isinstance(frame, kind), f"expected {kind.__name__}, found {type(frame).__name__}"
        return frame

    def question(self, kind: type[Q]) -> Q:
        """The question being answered, as the running step asked it; it must be of this kind."""
        asked = self.asked
        assert isinstance(asked, kind), f"expected {kind.__name__}, found {type(asked).__name__}"
        return asked

    def nearest(self, kind: type[F]) -> F | None:
        """The innermost frame of this kind, if any procedure of that kind is running."""
        for frame in reversed(self.stack):
            if isinstance(frame, kind):
                return frame
        return None

    def note(self, **changes: object) -> None:
        """Change fields of the running frame."""
        self.stack[-1] = replace(self.stack[-1], **changes)

    def note_on(self, kind: type[AnyFrame], **changes: object) -> None:
        """Change fields of the innermost frame of a kind; nothing happens when there is none."""
        for i in range(len(self.stack) - 1, -1, -1):
            if isinstance(self.stack[i], kind):
                self.stack[i] = replace(self.stack[i], **changes)
                return

    def push(self, *frames: AnyFrame, again: bool = False) -> None:
        """Run these procedures, in this order, then continue with the next step (or with this one `again`)."""
        if not again:
            self.steps[-1] += 1
        for frame in reversed(frames):
            self.stack.append(frame)
            self.steps.append(self.place_of(frame))
        self.flow_set = True

    def follow(self, frame: AnyFrame) -> None:
        """Run a procedure as soon as the current one is over."""
        self.stack.insert(len(self.stack) - 1, frame)
        self.steps.insert(len(self.steps) - 1, self.place_of(frame))

    def jump(self, name: str) -> None:
        """Continue at a named step of the running procedure."""
        procedure = self.stack[-1].procedure
        index = self.plans[procedure].at.get(name)
        assert index is not None, f"no step {name!r} in {procedure!r}"
        self.steps[-1] = index
        self.flow_set = True

    def stay(self) -> None:
        """Ask the same step again."""
        self.flow_set = True

    def finish(self) -> None:
        """Leave the running procedure."""
        self.stack.pop()
        self.steps.pop()
        self.flow_set = True

    def end(self) -> None:
        """Leave every procedure: nothing more happens in this game."""
        self.stack.clear()
        self.steps.clear()
        self.flow_set = True

    def restart_from(self, frame: AnyFrame) -> None:
        """Continue with another running frame than that of the state."""
        self.stack[-1] = frame
        self.steps[-1] = self.place_of(frame)

    def branch(self) -> GameRun[R]:
        """A copy of the game at this moment, to continue differently."""
        twin = GameRun(self.rules, self.state, self.plans)
        twin.stack, twin.steps = list(self.stack), list(self.steps)
        return twin

    def settle(self) -> None:
        """Write into every frame which step its procedure has reached."""
        stack = self.stack
        for i, step in enumerate(self.steps):
            plan = self.plans[stack[i].procedure]
            name = plan.names[min(step, plan.count)]
            if stack[i].step != name:
                stack[i] = replace(stack[i], step=name)

    def rest(self) -> State:
        """The state with every frame at the step its procedure has reached.

        Caches about the table stay valid: they never depend on the procedures.
        """
        self.settle()
        state = replace(self.state, stack=tuple(self.stack))
        before, plans = self.state, self.plans
        state.__dict__.update(
            memory=before.memory, positions=before.positions, plans=plans, steps=(plans, self.steps.copy())
        )
        return state


class Progress(NamedTuple):
    """The result of an answer: the new state, the events, and what is pending now (None: game over)."""

    state: State
    events: tuple[ev.AnyEvent, ...]
    pending: Pending | None


def begin(rules: Rules, state: State) -> Progress:
    """Run a fresh or loaded state up to the first thing it waits for."""
    return resume(GameRun(rules, state))


def pending_of(rules: Rules, state: State) -> Pending | None:
    """What a state is waiting for; derived, never stored."""
    cached: Pending | None = state.__dict__.get("_pending")
    if cached is None and state.stack:
        game = GameRun(rules, state)
        cached = current_step(game).ask(game)
        state.__dict__["_pending"] = cached
    return cached


def step_after(rules: Rules, procedure: str, name: str) -> str:
    """The name of the step that follows a named one."""
    names = [*(step.name for step in rules.procedures[procedure]), END]
    return names[names.index(name) + 1]


def submit(rules: Rules, state: State, answer: AnyAnswer) -> Progress:
    """Answer what the game waits for. An answer that is not allowed raises `RefusedError` with every reason."""
    pending = pending_of(rules, state)
    if pending is None:
        raise RefusedError((("the game is over; nothing is asked", ""),))
    refusals = check(pending, answer)
    if refusals:
        raise RefusedError(tuple((refusal.reason, refusal.cite) for refusal in refusals))
    return submit_checked(rules, state, pending, answer)


def submit_checked(rules: Rules, state: State, pending: Pending, answer: AnyAnswer) -> Progress:
    """Submit an answer that the pending question itself made (a default, a sample), without checking it."""
    game = GameRun(rules, state)
    feed(game, pending, answer)
    return resume(game)


def feed_counts(game: GameRun[R], roll: Roll, counts: tuple[Counts, ...]) -> None:
    """Hand the running step the label counts of its roll and move to the next step without running it."""
    game.asked = roll
    game.flow_set = False
    current_step(game).rolled(game, counts)
    if not game.flow_set:
        game.steps[-1] += 1


def step_on(game: GameRun[R]) -> None:
    """Run the current step, which asks for nothing, and move to the next one."""
    game.flow_set = False
    current_step(game).go(game)
    if not game.flow_set:
        game.steps[-1] += 1


def resume(game: GameRun[R]) -> Progress:
    """Run a game from the current step up to the next thing it waits for."""
    return rested(game, run(game))


def rested(game: GameRun[Any], pending: Pending | None) -> Progress:
    """The settled state of a game that waits, with the events since it last continued."""
    state = game.rest()
    state.__dict__["_pending"] = pending
    return Progress(state, tuple(game.events), pending)


def advance(game: GameRun[Any], pending: Pending, answer: AnyAnswer) -> Pending | None:
    """Hand a running game a checked answer and run it up to the next thing it waits for.

    It skips the settled state after each answer, which callers that play whole games do not need.
    """
    game.events.clear()
    feed(game, pending, answer)
    return run(game)


def check(pending: Pending, answer: AnyAnswer) -> tuple[Refusal, ...]:
    """Every reason against an answer; empty when it may be submitted."""
    if isinstance(pending, Decision):
        if isinstance(answer, Faces):
            return (Refusal(f"a choice is asked for ({pending.kind}), not dice"),)
        return pending.check(answer)
    if not isinstance(answer, Faces):
        return (Refusal(f"dice are asked for ({pending.purpose}), not a choice"),)
    if len(answer.faces) != pending.dice:
        return (Refusal(f"{pending.purpose} takes {pending.dice} dice, {len(answer.faces)} were given"),)
    for face in answer.faces:
        if type(face) is not int or not 1 <= face <= 6:
            return (Refusal(f"every die shows a whole number from 1 to 6, not {list(answer.faces)}"),)
    return ()


def current_step(game: GameRun[R]) -> Step[Any]:
    """The current step of a game; there must be one."""
    return game.plans[game.stack[-1].procedure].steps[game.steps[-1]]


def run(game: GameRun[R]) -> Pending | None:
    """Continue until somebody has to answer, skipping steps that do nothing."""
    stack, steps = game.stack, game.steps
    plans = game.plans
    for _ in range(PATIENCE):
        if not stack:
            return None
        plan, at = plans[stack[-1].procedure], steps[-1]
        if at < plan.count:
            at = plan.busy[at]
        if at >= plan.count:
            del stack[-1], steps[-1]
            continue
        steps[-1] = at
        ask, go = plan.acts[at]
        pending = ask(game) if ask is not None else None
        if pending is not None:
            answer: AnyAnswer | None
            if isinstance(pending, Roll):
                answer = None if pending.dice else Faces(())
            elif pending.kind in game.state.seats[pending.seat].auto:
                answer = pending.default()
            else:
                answer = pending.forced()
            if answer is None:
                return pending
            feed(game, pending, answer)
        elif go is None:
            steps[-1] = at + 1
        else:
            game.flow_set = False
            go(game)
            if not game.flow_set:
                steps[-1] += 1
    raise AssertionError(f"{stack[-1]} loops forever")


def feed(game: GameRun[R], pending: Pending, answer: AnyAnswer) -> None:
    """Hand the running step a checked answer and move to the next step without running it."""
    step = game.plans[game.stack[-1].procedure].steps[game.steps[-1]]
    game.asked = pending
    if isinstance(pending, Roll):
        assert isinstance(answer, Faces)
        counts = _throw(game, pending, answer.faces)
        game.flow_set = False
        step.rolled(game, counts)
    else:
        game.flow_set = False
        step.chosen(game, answer)
    if not game.flow_set:  # otherwise the step has set where to continue
        game.steps[-1] += 1


def _throw(game: GameRun[R], roll: Roll, faces: tuple[int, ...]) -> tuple[Counts, ...]:
    counts: list[Counts] = []
    thrown: list[ev.ThrownPool] = []
    at = 0
    for pool in roll.pools:
        mine = faces[at : at + pool.dice]
        at += pool.dice
        counts.append(count_labels(pool, mine))
        target = pool.target
        if target is None:
            thrown.append(ev.ThrownPool(mine, pool.labels, pool.note))
        else:
            mods = target.mods if target.only_six is None else (target.only_six,)
            thrown.append(ev.ThrownPool(mine, pool.labels, pool.note, target.base, mods))
    if faces:
        game.emit(ev.Rolled(purpose=roll.purpose, seat=roll.seat, rolls=tuple(thrown), cite=roll.cite))
    return tuple(counts)
