"""Replays a log and compares it with its fingerprints, activation by activation.

A log from another version is not replayed: its events must lead to the tables it records, and its dice must follow
from their key.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from msgspec import Struct

from shieldwall import __version__
from shieldwall.core.codec import encode
from shieldwall.core.engine import Progress, Rules, begin
from shieldwall.core.pending import Roll
from shieldwall.core.values import FACE_LABELS, Pool
from shieldwall.dice.seeded import SeededDice, commitment, mixed_key
from shieldwall.replay.fingerprint import answers_hash, facts_hash, rules_hash, table_hash
from shieldwall.replay.format import Log, LoggedActivation, LoggedAnswer, LoggedFacts, LoggedRoll, Revealed
from shieldwall.replay.player import (
    ReplayError,
    apply_recorded,
    is_of_other_rules,
    pending_words,
    play_record,
    rules_of,
)
from shieldwall.replay.recorder import activations_ended
from shieldwall.replay.rules_versions import rules_version_of

NOT_REACHED = "not reached"
CHANGED = "an answer or a die was changed after it was recorded"
OTHER_TABLE = "the table is different"
OTHER_SECRET = "the secret of the dice does not match the commitment in the header"
OTHER_FACTS = "the events of an answer were changed after they were recorded"
HONEST_DICE = "every die follows from the key that was fixed before the game"


class Wrong(Struct, frozen=True):
    """The first activation that does not match the log.

    An activation's stretch begins where the one before ended, so deployment belongs to the first one. What
    comes after the last has its number plus one and no unit.
    """

    activation: int
    round: int
    unit: str
    line: int
    expected: str
    found: str
    why: str

    def __str__(self) -> str:
        where = f"activation {self.activation}, {self.unit}" if self.unit else "after the last activation"
        return f"{where} (round {self.round}, line {self.line}): {self.why}"


class Verdict(Struct, frozen=True):
    """Whether a log replays as recorded; `notes` are not faults."""

    ok: bool
    activations: int
    first_wrong: Wrong | None = None
    notes: tuple[str, ...] = ()


class GivenAnswer(NamedTuple):
    """An answer with its line and its recorded events."""

    line: int
    record: LoggedRoll | LoggedAnswer
    facts: LoggedFacts | None = None


class ReplayedActivation(NamedTuple):
    """The answers from one checkpoint to the next (None: to the end), and the line of the first."""

    given: tuple[GivenAnswer, ...]
    checkpoint: LoggedActivation | None
    line: int
    began: LoggedFacts | None = None  # what happened before the first answer of the game

    @property
    def answers(self) -> tuple[LoggedRoll | LoggedAnswer, ...]:
        """The answers alone."""
        return tuple(given.record for given in self.given)

    @property
    def facts(self) -> list[bytes]:
        """Their recorded events."""
        all = (self.began, *(given.facts for given in self.given))
        return [bytes(facts.events) for facts in all if facts is not None]


def verify(log: Log, rules: Rules | None = None) -> Verdict:
    """Replay the whole log and stop at the first activation that differs.

    It is replayed with `rules`, by default the current ones; a log from another version is checked by its events
    instead.
    """
    edition = rules_of(log) if rules is None else rules
    by_events = rules is None and is_of_other_rules(log, edition)
    notes = _notes(log, edition, by_events)
    dice = _dice_of(log)
    if dice is not None and log.revealed is not None and not _is_committed(log, log.revealed):
        return Verdict(False, 0, _secret_is_wrong(log), notes)
    player: _Player = _ByEvents() if by_events else _Rules(edition, strict=rules is None)
    progress, ended = None, 0
    for stretch in stretches(log):
        played = _play(
            player, player.begun(log, stretch) if progress is None else progress, stretch, ended, dice
        )
        wrong = _wrong(log, stretch, played, played.why or _compare(log, stretch, played, player))
        if wrong is not None:
            return Verdict(False, ended, wrong, notes)
        progress, ended = played.progress, played.ended
    return Verdict(True, ended, None, (*notes, HONEST_DICE) if dice is not None else notes)


class _Player(Protocol):
    """How one answer leads to the next table. `differs`: an answer had other events than recorded."""

    knows_questions: bool
    differs: bool

    def begun(self, log: Log, first: ReplayedActivation) -> Progress:
        """The game before the first answer."""

    def went(self, progress: Progress, given: GivenAnswer) -> Progress:
        """The result of an answer; raises `ReplayError` if it does not fit."""


class _Rules:
    """By the rules. If `strict`, the recorded events of each answer must be the same."""

    knows_questions = True

    def __init__(self, rules: Rules, strict: bool) -> None:
        self._rules, self._strict = rules, strict
        self.differs = False

    def begun(self, log: Log, first: ReplayedActivation) -> Progress:
        return begin(self._rules, log.header.setup)

    def went(self, progress: Progress, given: GivenAnswer) -> Progress:
        after = play_record(self._rules, progress, given.record, given.line)
        if self._strict and given.facts is not None:
            self.differs |= bytes(given.facts.events) != encode(tuple(after.events))
        return after


class _ByEvents:
    """By the recorded events."""

    knows_questions = False
    differs = False

    def begun(self, log: Log, first: ReplayedActivation) -> Progress:
        empty = Progress(log.header.setup, (), None)
        return empty if first.began is None else apply_recorded(empty.state, first.began, 2)

    def went(self, progress: Progress, given: GivenAnswer) -> Progress:
        if given.facts is None:
            raise ReplayError(given.line, "the log has no events for this")
        return apply_recorded(progress.state, given.facts, given.line + 1)


def stretches(log: Log) -> list[ReplayedActivation]:
    """The log cut at its checkpoints; the last stretch has none."""
    found: list[ReplayedActivation] = []
    given: list[GivenAnswer] = []
    began: LoggedFacts | None = None
    first = 2
    for line, record in enumerate(log.records, start=2):
        if isinstance(record, LoggedActivation):
            found.append(ReplayedActivation(tuple(given), record, first, began))
            given, first, began = [], line + 1, None
        elif isinstance(record, LoggedFacts):
            if given:
                given[-1] = given[-1]._replace(facts=record)
            else:
                began = record
        else:
            given.append(GivenAnswer(line, record))
    return [*found, ReplayedActivation(tuple(given), None, first, began)]


class _Played(NamedTuple):
    progress: Progress
    ended: int
    line: int
    why: str = ""


def _dice_of(log: Log) -> SeededDice | None:
    """The dice of the game from their key, if the log has it."""
    shown = log.revealed
    return None if shown is None else SeededDice(mixed_key(bytes.fromhex(shown.secret), shown.nonces))


def _is_committed(log: Log, shown: Revealed) -> bool:
    return commitment(bytes.fromhex(shown.secret)) == log.header.commitment


def _secret_is_wrong(log: Log) -> Wrong:
    assert log.revealed is not None
    found = commitment(bytes.fromhex(log.revealed.secret))
    line = len(log.records) + 2
    return Wrong(
        log.footer.activations + 1, log.footer.round, "", line, log.header.commitment, found, OTHER_SECRET
    )


def _forged(dice: SeededDice, progress: Progress, record: LoggedRoll | LoggedAnswer, asked: bool) -> str:
    """What is wrong with faces that do not follow from the key; empty if they do."""
    if not isinstance(record, LoggedRoll):
        return ""
    pending = progress.pending
    if not asked:  # the roll itself is not known for other rules; the key only needs its purpose and number
        pending = Roll(record.purpose, 0, (Pool(len(record.faces), FACE_LABELS),), "")
    if not isinstance(pending, Roll):
        return ""  # an unexpected roll, which the replay will report
    faces = dice.faces(pending, progress.state.rolls_made)
    if faces == record.faces:
        return ""
    return (
        f"{list(record.faces)} was rolled for {record.purpose}, but the key of the dice gives {list(faces)}"
    )


def _play(
    player: _Player, progress: Progress, stretch: ReplayedActivation, ended: int, dice: SeededDice | None
) -> _Played:
    """Run one stretch as far as it goes."""
    line = stretch.line
    for given in stretch.given:
        line = given.line
        forged = _forged(dice, progress, given.record, player.knows_questions) if dice is not None else ""
        if forged:
            return _Played(progress, ended, line, forged)
        try:
            after = player.went(progress, given)
        except ReplayError as error:
            return _Played(progress, ended, line, error.why)
        except Exception as error:  # an edited log may lead the engine anywhere
            return _Played(progress, ended, line, f"the engine failed: {type(error).__name__}: {error}")
        new = activations_ended(after, progress.state.round)
        progress, ended = after, ended + new.how_many
        last = given is stretch.given[-1]
        if new.how_many and not (last and stretch.checkpoint is not None):
            name = progress.state.units[new.unit].name
            return _Played(
                progress, ended, line, f"the game ends the activation of {name} here, the log does not"
            )
    return _Played(progress, ended, line)


def _compare(log: Log, stretch: ReplayedActivation, played: _Played, player: _Player) -> str:
    """What differs at the end of a stretch that could be played; empty when nothing does."""
    return _compare_tables(log, stretch, played, player) or _compare_facts(log, stretch, player)


def _compare_facts(log: Log, stretch: ReplayedActivation, player: _Player) -> str:
    same = facts_hash(stretch.facts) == (stretch.checkpoint or log.footer).facts
    return "" if same and not player.differs else OTHER_FACTS


def _compare_tables(log: Log, stretch: ReplayedActivation, played: _Played, player: _Player) -> str:
    written = stretch.checkpoint
    if written is None:
        return _compare_end(log, played, player)
    if played.ended != written.number:
        return f"the log ends activation {written.number} here, the game has ended {played.ended}"
    return "" if table_hash(played.progress.state) == written.table else OTHER_TABLE


def _compare_end(log: Log, played: _Played, player: _Player) -> str:
    state, _, pending = played.progress
    footer = log.footer
    if player.knows_questions and footer.finished != (pending is None):
        waits = "is over" if pending is None else f"waits for {pending_words(pending)}"
        return f"the log says that the game was {'' if footer.finished else 'not '}finished, but it {waits}"
    if footer.winner != state.winner:
        return f"the log names winner {footer.winner}, the game {state.winner}"
    return "" if table_hash(state) == footer.table else OTHER_TABLE


def _wrong(log: Log, stretch: ReplayedActivation, played: _Played, why: str) -> Wrong | None:
    """What to report about a stretch: `why` it differs, and whether its answers are those once written."""
    end = stretch.checkpoint or log.footer
    answers = answers_hash(stretch.answers)
    changed = answers != end.answers
    if not why and not changed:
        return None
    expected, found = end.table, NOT_REACHED if played.why else table_hash(played.progress.state)
    if expected == found:
        expected, found = end.answers, answers
    if changed:
        why = f"{CHANGED}; {why or 'the table comes out the same'}"
    if stretch.checkpoint is None:
        return Wrong(log.footer.activations + 1, log.footer.round, "", played.line, expected, found, why)
    name = log.header.setup.units[stretch.checkpoint.unit].name
    number, round = stretch.checkpoint.number, stretch.checkpoint.round
    return Wrong(number, round, name, played.line, expected, found, why)


def _notes(log: Log, rules: Rules, by_events: bool) -> tuple[str, ...]:
    notes = []
    if log.header.engine != __version__:
        notes.append(f"recorded with version {log.header.engine}, played back with {__version__}")
    if log.header.rules_hash != rules_hash(rules):
        notes.append(f"the constants of {log.header.ruleset} have changed since the game was recorded")
    if by_events:
        notes.append(
            f"played with rules version {log.header.rules} of {log.header.ruleset}, the current version is "
            f"{rules_version_of(rules).number}: it is checked by its events, not replayed"
        )
    return tuple(notes)
