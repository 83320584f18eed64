"""Replays a log: the same answers into the same engine, without the seed.

A log from another version of the rules is not replayed but shown from its recorded events, because only events change
the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.codec import decode_events
from shieldwall.core.engine import Progress, Rules, begin, check, submit_checked
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.core.events import AnyEvent
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State
from shieldwall.dice.words import asked, count
from shieldwall.replay.format import Log, LoggedAnswer, LoggedFacts, LoggedRoll
from shieldwall.replay.rules_versions import RulesVersion, rules_version_of


class ReplayError(ShieldwallError):
    """The game does not accept the log's next answer; `why` is the reason without the line number."""

    def __init__(self, line: int, why: str) -> None:
        self.line = line
        self.why = why
        super().__init__(f"line {line}: {why}")


def rules_of(log: Log) -> Rules:
    """The edition the log was played with."""
    from shieldwall.editions import ruleset

    return ruleset(log.header.ruleset)


def is_of_other_rules(log: Log, rules: Rules) -> bool:
    """Whether a log is from another version of the rules and has the events of its answers."""
    written = RulesVersion(log.header.rules, log.header.rules_hash)
    return log.has_events and written != rules_version_of(rules)


def replay(log: Log, rules: Rules | None = None) -> Iterator[Progress]:
    """The game step by step: the start, then the result of each answer.

    It is replayed with `rules`, by default the current ones. A log from another version is shown from its events
    instead, with nothing pending, because the questions are not known.
    """
    edition = rules_of(log) if rules is None else rules
    if rules is None and is_of_other_rules(log, edition):
        yield from from_events(log)
        return
    progress = begin(edition, log.header.setup)
    yield progress
    for line, record in enumerate(log.records, start=2):
        if isinstance(record, LoggedRoll | LoggedAnswer):
            progress = play_record(edition, progress, record, line)
            yield progress


def from_events(log: Log) -> Iterator[Progress]:
    """Each step of the game from the recorded events, without any rules."""
    state = log.header.setup
    for line, record in enumerate(log.records, start=2):
        if isinstance(record, LoggedFacts):
            progress = apply_recorded(state, record, line)
            state = progress.state
            yield progress


def apply_recorded(state: State, record: LoggedFacts, line: int) -> Progress:
    """The recorded events of an answer."""
    try:
        events = decode_events(bytes(record.events))
    except MalformedError as error:
        raise ReplayError(line, f"the recorded events cannot be read: {'; '.join(error.problems)}") from error
    return Progress(changed(state, events), events, None)


def changed(state: State, events: Sequence[AnyEvent]) -> State:
    """The table after some events; events about things that do not exist raise `ReplayError`."""
    try:
        for event in events:
            state = event.apply(state)
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        raise ReplayError(
            0, f"the recorded events do not fit the table: {type(error).__name__}: {error}"
        ) from error
    return state


def play_record(rules: Rules, progress: Progress, record: LoggedRoll | LoggedAnswer, line: int) -> Progress:
    """The result of one recorded answer."""
    pending = progress.pending
    if pending is None:
        raise ReplayError(line, f"the game is over, but the log continues with {record_words(record)}")
    if not _fits(pending, record):
        raise ReplayError(
            line, f"the log has {record_words(record)}, the game asks for {pending_words(pending)}"
        )
    answer: AnyAnswer = Faces(record.faces) if isinstance(record, LoggedRoll) else record.answer
    refusals = check(pending, answer)
    if refusals:
        reasons = "; ".join(f"{r.reason} ({r.cite})" if r.cite else r.reason for r in refusals)
        raise ReplayError(line, f"{record_words(record)} is refused: {reasons}")
    return submit_checked(rules, progress.state, pending, answer)


def record_words(record: LoggedRoll | LoggedAnswer) -> str:
    """A recorded answer in a few words."""
    if isinstance(record, LoggedRoll):
        return f"{count(len(record.faces), 'die', 'dice')} for {record.purpose}"
    return f"an answer to {record.kind!r} by seat {record.seat}"


def pending_words(pending: Pending) -> str:
    """What the game is waiting for, in a few words."""
    if isinstance(pending, Roll):
        return asked(pending)
    return f"an answer to {pending.kind!r} by seat {pending.seat}"


def _fits(pending: Pending, record: LoggedRoll | LoggedAnswer) -> bool:
    """Whether the record answers this very question; refused answers come later."""
    if isinstance(record, LoggedRoll):
        return (
            isinstance(pending, Roll)
            and pending.purpose == record.purpose
            and pending.dice == len(record.faces)
        )
    return isinstance(pending, Decision) and (pending.kind, pending.seat) == (record.kind, record.seat)
