"""A line of play: who answers the questions that come up between the dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.engine import check
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.frames import Activation, Melee
from shieldwall.core.pending import Decision, Refusal
from shieldwall.core.state import State

Chooser = Callable[[State, Decision], AnyAnswer | None]


class PlaybookError(ShieldwallError):
    """The line of play does not fit the game: an answer of it is never allowed."""


class Playbook(NamedTuple):
    """Answers in the order they are to be given, answers by the kind of question, and a policy for the rest.

    At each question the next answer of `answers` is given if it is allowed there; otherwise the one for the kind of
    question, then the one of `policy`, and in the end the question's own default. A policy must answer the same
    question the same way every time, and None leaves the answer to the default. One of the `answers` may also be a
    policy for the one question it is about; what it says there has to be allowed.
    """

    answers: tuple[AnyAnswer | Chooser, ...] = ()
    kinds: tuple[tuple[str, AnyAnswer], ...] = ()
    policy: Chooser | None = None

    def answer(self, state: State, decision: Decision, given: int) -> tuple[AnyAnswer, int]:
        """The answer to a question after `given` answers of the line, and how many have been given then."""
        for at in range(given, len(self.answers)):
            planned = self.answers[at]
            made = _made(planned, state, decision)
            if made is not None and not check(decision, made):
                return made, at + 1
            if not callable(planned) and not is_given(state, planned):
                break
        by_kind = self._by_kind(decision)
        if by_kind is not None:
            return by_kind, given
        if self.policy is not None:
            chosen = self.policy(state, decision)
            if chosen is not None and not check(decision, chosen):
                return chosen, given
        return decision.default(), given

    def by_kind(self, decision: Decision) -> AnyAnswer:
        """The answer of a playbook that has neither answers in order nor a policy."""
        found = self._by_kind(decision)
        return decision.default() if found is None else found

    def _by_kind(self, decision: Decision) -> AnyAnswer | None:
        for kind, answer in self.kinds:
            if kind == decision.kind and not check(decision, answer):
                return answer
        return None

    def against_next(self, decision: Decision, given: int) -> tuple[Refusal, ...]:
        """Why the next answer of the line does not fit a question."""
        planned = self.answers[given] if given < len(self.answers) else None
        return () if planned is None or callable(planned) else check(decision, planned)


def _made(planned: AnyAnswer | Chooser, state: State, decision: Decision) -> AnyAnswer | None:
    """What a planned answer says to a question."""
    if not callable(planned):
        return planned
    made = planned(state, decision)
    reasons = check(decision, made) if made is not None else ()
    if reasons:
        told = "; ".join(f"{one.reason} ({one.cite})" if one.cite else one.reason for one in reasons)
        raise PlaybookError(f"{decision.prompt}: the given answer is not allowed: {told}")
    return made


def is_given(state: State, answer: AnyAnswer | Chooser) -> bool:
    """Whether the engine gave the only legal answer itself: a unit, an action, a charge target."""
    if not isinstance(answer, Pick):
        return False
    for frame in state.stack:
        if isinstance(frame, Activation) and answer.option in (f"u{frame.unit}", frame.action):
            return True
        if isinstance(frame, Melee) and answer.option == f"u{frame.target}":
            return True
    return False


def playbook_of(
    play: Playbook | Chooser | Sequence[AnyAnswer | Chooser] | Mapping[str, AnyAnswer] | None,
) -> Playbook:
    """A line from whatever is at hand: answers in order, answers by kind of question, or a policy."""
    if play is None:
        return Playbook()
    if isinstance(play, Playbook):
        return play
    if isinstance(play, Mapping):
        return Playbook(kinds=tuple(sorted(play.items())))
    if callable(play):
        return Playbook(policy=play)
    return Playbook(tuple(play))
