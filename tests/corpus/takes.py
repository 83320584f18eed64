"""What is recorded: each function gives fingerprints by name, the same on every machine and in every run."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from shieldwall import odds
from shieldwall.armies.demo import demo_setup
from shieldwall.bots.match import play_game
from shieldwall.bots.random_bot import RandomBot
from shieldwall.bots.solo import SoloBot
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.codec import encode, state_hash
from shieldwall.core.engine import Progress
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.frames import AnyFrame
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import Pose, State, Unit
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import ruleset
from shieldwall.odds.duel import Terms, duel
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario.runner import run_places
from shieldwall.server import outcomes
from shieldwall.server.forms import question_for
from shieldwall.server.messages import Preview
from shieldwall.server.previews import previewed
from shieldwall.table.formations import centre_of

Record = dict[str, str]
SCENARIOS = Path(__file__).parent.parent / "scenarios"
BOTS: dict[str, Callable[[int], Any]] = {"random": lambda seed: RandomBot(), "solo": SoloBot}
DRAG = 7000  # thousandths of an inch: the longest drag
ATTACKERS = (
    '10x Q4 24" A1', '5x Q3 18" A2 AP(1)', '3x Q4 24" A1 Blast(3) Deadly(3)', '10x Q4 12" A1 Rending',
    "10x Q4 A1 AP(1)", "5x Q3 A3 Furious", "3x Q4 A3 Impact(2) Tough(3)", "1x Q3 A6 AP(2) Tough(9) Fear",
)  # fmt: skip
DEFENDERS = (
    "10x D4 Q4 A1",
    "5x D2 Q3 A2 Tough(3)",
    "10x D5 Q5 A1 Regeneration",
    "1x D3 Q4 A4 Tough(12) Counter",
)


def numbered_hash(state: State) -> str:
    """The fingerprint of a state as it was recorded: with the numbers of its steps instead of their names."""
    numbers = zip(state.stack, old_numbers(state), strict=True)
    return state_hash(replace(state, stack=tuple(replace(frame, step=at or "") for frame, at in numbers)))


def old_numbers(state: State) -> list[int]:
    """The number of each frame's step from before steps had names; a newer step has that of the step after it."""
    rules = ruleset(state.ruleset)
    return [_old_number(rules, frame) for frame in state.stack]


def _old_number(rules: Ruleset, frame: AnyFrame) -> int:
    old = rules.numbered_steps(frame.procedure)
    names = [step.name for step in rules.procedures[frame.procedure]]
    ahead = names[names.index(str(frame.step)) :] if frame.step in names else names if not frame.step else []
    return next((old.index(name) for name in ahead if name in old), len(old))


def short_hash(value: bytes, length: int = 8) -> str:
    """The first hexadecimal digits of a digest."""
    return hashlib.sha256(value).hexdigest()[:length]


class Fingerprints:
    """Watches a game: one digit for each question with its answer, for its events, and for the state it led to."""

    def __init__(self) -> None:
        self.questions: list[str] = []
        self.events: list[str] = []
        self.states: list[str] = []

    def began(self, progress: Progress) -> None:
        """The state before the first answer."""
        self.questions.append("0")
        self.events.append(short_hash(encode(progress.events), 1))
        self.states.append(numbered_hash(progress.state)[0])

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """One answer."""
        asked = pending.purpose if isinstance(pending, Roll) else pending.kind
        self.questions.append(short_hash(asked.encode() + encode(answer), 1))
        self.events.append(short_hash(encode(progress.events), 1))
        self.states.append(numbered_hash(progress.state)[0])


def game(edition: str, bot: str, seed: int) -> Record:
    """One game of a bot against itself, answer by answer."""
    seen = Fingerprints()
    bots = (BOTS[bot](1), BOTS[bot](2))
    start = demo_setup(edition, seed)
    result = play_game(ruleset(edition), start, bots, SeededDice.from_seed(seed), watchers=[seen], seed=seed)
    return {
        "answers": str(result.answers),
        "end": numbered_hash(result.state),
        "questions": "".join(seen.questions),
        "events": "".join(seen.events),
        "states": "".join(seen.states),
    }


def page(edition: str, seed: int, every: int) -> Record:
    """Question forms and drag previews of a random game: one question in `every`, in the order they come."""
    rules = ruleset(edition)
    taken: list[tuple[State, Decision]] = []

    class Collector:
        count = 0

        def began(self, progress: Progress) -> None: ...

        def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
            if isinstance(pending, Decision):
                self.count += 1
                if self.count % every == 0:
                    taken.append((before, pending))

    dice = SeededDice.from_seed(seed)
    bots = (RandomBot(), RandomBot())
    play_game(rules, demo_setup(edition, seed), bots, dice, watchers=[Collector()], seed=seed)
    numbers = random.Random(seed)
    record: Record = {}
    with unhurried():
        for at, (state, decision) in enumerate(taken):
            name = f"{at} {decision.kind}"
            odds.forget()
            record[f"form {name}"] = short_hash(encode(question_for(rules, state, decision, True)))
            unit = getattr(decision, "unit", None)
            if isinstance(unit, Unit):  # only whole units are dragged; other questions name theirs by number
                x, y = centre_of(unit) if unit.poses or unit.block else (20_000, 20_000)
                record[f"drag {name}"] = _dragged(rules, state, decision, x, y, numbers)
    return record


def _dragged(rules: Ruleset, state: State, decision: Decision, x: int, y: int, numbers: random.Random) -> str:
    spot = Pose(x + numbers.randint(-DRAG, DRAG), y + numbers.randint(-DRAG, DRAG))
    found = previewed(rules, state, decision, 1, Preview(1, spot))
    return short_hash(encode(replace(found, ms=0.0)))


@contextmanager
def unhurried() -> Iterator[None]:
    """Let forms and previews work out all their odds, however long that takes: what they show depends on the
    clock otherwise.
    """
    hurried = outcomes.Clock.is_spent
    outcomes.Clock.is_spent = property(lambda clock: False)  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        outcomes.Clock.is_spent = hurried  # type: ignore[method-assign]


def chances(edition: str, stride: int) -> Record:
    """Exact odds of duels; one pair of units in `stride`."""
    rules = ruleset(edition)
    record: Record = {}
    pairs = [(one, two) for one in ATTACKERS for two in DEFENDERS]
    for one, two in pairs[::stride]:
        for charging in (False, True) if '"' in one else (True,):
            name = f"odds {'charge' if charging else 'shots'}: {one} against {two}"
            odds.forget()
            try:
                found = duel(rules, one, two, Terms(charging)).odds()
                told = [f"{numbered_hash(branch.state)} {branch.chance}" for branch in found.branches]
            except ShieldwallError as error:
                told = [str(error)]
            record[name] = short_hash("\n".join(sorted(told)).encode())
    return record


def scenarios(edition: str) -> Record:
    """Every scenario file of an edition: what was measured, what happened, and whether it holds."""
    report = run_places([SCENARIOS / edition], verbose=True)
    record: Record = {}
    for result in report.results:
        told = repr((result.holds, result.measured, result.outcome, result.notes))
        record[f"scenario {Path(result.file).name}: {result.title}"] = short_hash(told.encode())
    return record
