"""A battle for environments: questions with more than one answer, numbered actions, one seed for everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from shieldwall.api.game import AnyArmy, two_armies
from shieldwall.api.menu import SLOTS, Menu, menu_of
from shieldwall.armies import fresh_state
from shieldwall.armies.demo import table_for
from shieldwall.bots import Policy, policy, seen_by
from shieldwall.bots.match import introduce
from shieldwall.bots.numbers import SplitMix, numbers_for
from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.engine import begin, submit_checked
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.rulebook.house_rules import Setting

SEATS = 2
ANSWERS_AT_MOST = 50_000  # many times the longest game
REWARDS = ("win", "markers")
MARKER_REWARD = 0.1


class BattleKeywords(TypedDict, total=False):
    """Keywords of every environment that concern the games it plays; see `Battle`."""

    house_rules: Mapping[str, Setting] | None
    mission: str
    tables: int
    reward: str


class Battle:
    """One game after another between two armies, driven action by action.

    Dice are rolled and questions with a single answer are answered here, so that every remaining question is a real
    one. The table is one of `tables` different ones and follows from the seed of a game, as the dice do. The `reward`
    is that of a win only, or also counts "markers".
    """

    def __init__(
        self,
        edition: str = "regiments-3.5",
        armies: Sequence[AnyArmy] = (),
        *,
        house_rules: Mapping[str, Setting] | None = None,
        mission: str = "",
        tables: int = 16,
        reward: str = "win",
    ) -> None:
        if reward not in REWARDS:
            raise ShieldwallError(f"the reward is one of {', '.join(REWARDS)}, not {reward!r}")
        if tables < 1:
            raise ShieldwallError(f"at least one table is needed, not {tables}")
        self.rules = ruleset(edition)
        self.armies = two_armies(self.rules, armies)
        self.options = dict(house_rules or {})
        self.mission = mission
        self.tables = tables
        self.reward = reward
        self._setups: dict[int, State] = {}
        self.state: State = self._setup(1)
        self.question: Decision | None = None
        self.menu: Menu | None = None
        self.dice = SeededDice.from_seed(0)
        self.answers = 0
        self._lead = 0

    def _setup(self, table: int) -> State:
        """The start of a game on a table; states are immutable, so one serves every game."""
        known = self._setups.get(table)
        if known is None:
            known = self._setups[table] = self._fresh(table)
        return known

    def _fresh(self, table: int) -> State:
        width, depth = self.rules.constants.table
        pieces = table_for(self.rules.id, table)
        return fresh_state(
            self.rules, width, depth, pieces, self.armies, options=self.options, mission=self.mission
        )

    def reset(self, seed: int) -> None:
        """Begin the game of a seed."""
        self.dice = SeededDice.from_seed(seed)
        self.answers = 0
        self._lead = 0
        progress = begin(self.rules, self._setup(1 + seed % self.tables))
        self._go_on(progress.state, progress.pending)

    def step(self, action: int) -> bool:
        """Answer with an action, or with the question's suggestion if it is illegal; returns whether it was legal."""
        assert self.menu is not None
        is_legal = action in self.menu.slots
        question = self.menu.question
        self.answer(self.menu.answer(action) if is_legal else question.default())
        return is_legal

    def answer(self, answer: AnyAnswer) -> None:
        """Answer the question; the answer must come from the question or have been checked by it."""
        assert self.question is not None
        progress = submit_checked(self.rules, self.state, self.question, answer)
        self._go_on(progress.state, progress.pending)

    def _go_on(self, state: State, pending: Pending | None) -> None:
        """Continue to the next question with a choice."""
        while pending is not None:
            self.answers += 1
            if self.answers > ANSWERS_AT_MOST:
                raise ShieldwallError(f"more than {ANSWERS_AT_MOST} answers and still in round {state.round}")
            if isinstance(pending, Roll):
                answer: AnyAnswer = Faces(self.dice.faces(pending, state.rolls_made))
            else:
                menu = menu_of(state, pending)
                if len(menu.slots) > 1:
                    self.state, self.question, self.menu = state, pending, menu
                    return
                answer = menu.answer(menu.slots[0])
            state, _, pending = submit_checked(self.rules, state, pending, answer)
        self.state, self.question, self.menu = state, None, None

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.question is None

    @property
    def side(self) -> int:
        """The side that has to answer; -1 when the game is over."""
        return self.state.seats[self.question.seat].side if self.question is not None else -1

    def rewards(self) -> tuple[float, float]:
        """The rewards of the last step: 1 and -1 for a win, and with `reward="markers"` a tenth for every marker gained
        or lost.
        """
        first = 0.0
        if self.is_over and self.state.winner is not None:
            first = 1.0 if self.state.winner == 0 else -1.0
        if self.reward == "markers":
            lead = sum((marker.holder == 0) - (marker.holder == 1) for marker in self.state.markers)
            first += MARKER_REWARD * (lead - self._lead)
            self._lead = lead
        return first, -first


class Opponent:
    """A bot that plays the other side of a battle."""

    def __init__(self, bot: str | Policy) -> None:
        self.bot = bot
        self.policy: Policy = policy("random") if isinstance(bot, str) else bot
        self._numbers = SplitMix(0)

    def reset(self, battle: Battle, seed: int, side: int) -> None:
        """Get ready for a game."""
        if isinstance(self.bot, str):
            self.policy = policy(self.bot, seed)
        introduce(self.policy, battle.rules)
        self._numbers = numbers_for(seed, side)

    def play(self, battle: Battle, until: int) -> None:
        """Answer questions until it is the turn of side `until`, or the game is over."""
        while battle.question is not None and battle.side != until:
            question = battle.question
            answer = self.policy.decide(seen_by(battle.state, question.seat), question, self._numbers)
            if not self.policy.samples_only and question.check(answer):
                answer = question.default()
            battle.answer(answer)


__all__ = ["SLOTS", "Battle", "Opponent"]
