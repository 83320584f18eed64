"""Plays a log back: the same answers into the same engine, without the seed."""

from __future__ import annotations

from collections.abc import Iterator

from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.engine import Progress, Rules, begin, check, submit_checked
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.dice.words import asked, count
from shieldwall.replay.format import Log, LoggedActivation, LoggedAnswer, LoggedRoll


class ReplayError(ShieldwallError):
    """The game does not take the log's next answer; `why` says so without the line number."""

    def __init__(self, line: int, why: str) -> None:
        self.line = line
        self.why = why
        super().__init__(f"line {line}: {why}")


def rules_of(log: Log) -> Rules:
    """The edition the log was played with."""
    from shieldwall.editions import ruleset

    return ruleset(log.header.ruleset)


def replay(log: Log, rules: Rules | None = None) -> Iterator[Progress]:
    """Each step of the game in turn: first how it began, then what came of each answer."""
    edition = rules_of(log) if rules is None else rules
    progress = begin(edition, log.header.setup)
    yield progress
    for line, record in enumerate(log.records, start=2):
        if not isinstance(record, LoggedActivation):
            progress = play_record(edition, progress, record, line)
            yield progress


def play_record(rules: Rules, progress: Progress, record: LoggedRoll | LoggedAnswer, line: int) -> Progress:
    """What comes of one recorded answer."""
    pending = progress.pending
    if pending is None:
        raise ReplayError(line, f"the game is over, but the log goes on with {record_words(record)}")
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
    """What the game waits for in a few words."""
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
