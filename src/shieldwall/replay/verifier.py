"""Plays a log back and compares it with its own fingerprints, activation by activation."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from shieldwall import __version__
from shieldwall.core.engine import Progress, Rules, begin
from shieldwall.core.pending import Roll
from shieldwall.dice.seeded import SeededDice, commitment, mixed_key
from shieldwall.replay.fingerprint import answers_hash, rules_hash, table_hash
from shieldwall.replay.format import Log, LoggedActivation, LoggedAnswer, LoggedRoll, Revealed
from shieldwall.replay.player import ReplayError, pending_words, play_record, rules_of
from shieldwall.replay.recorder import activations_ended

NOT_REACHED = "not reached"
CHANGED = "an answer or a die was changed after it was written"
OTHER_TABLE = "the table comes out differently"
OTHER_SECRET = "the secret of the dice is not the one that the header commits to"
HONEST_DICE = "every die follows from the key that was fixed before the game"


class Wrong(Struct, frozen=True):
    """The first activation that does not play as it was written down.

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
    """Whether a log plays as it was written down; `notes` are worth knowing but no fault."""

    ok: bool
    activations: int
    first_wrong: Wrong | None = None
    notes: tuple[str, ...] = ()


class ReplayedActivation(NamedTuple):
    """The answers from one checkpoint to the next (None: to the end), and the line of the first."""

    answers: tuple[LoggedRoll | LoggedAnswer, ...]
    checkpoint: LoggedActivation | None
    line: int


def verify(log: Log, rules: Rules | None = None) -> Verdict:
    """Play the whole log and stop at the first activation that comes out differently."""
    edition = rules_of(log) if rules is None else rules
    notes = _notes(log, edition)
    dice = _dice_of(log)
    if dice is not None and log.revealed is not None and not _is_committed(log, log.revealed):
        return Verdict(False, 0, _secret_is_wrong(log), notes)
    progress = begin(edition, log.header.setup)
    ended = 0
    for stretch in stretches(log):
        played = _play(edition, progress, stretch, ended, dice)
        wrong = _wrong(log, stretch, played, played.why or _compare(log, stretch, played))
        if wrong is not None:
            return Verdict(False, ended, wrong, notes)
        progress, ended = played.progress, played.ended
    return Verdict(True, ended, None, (*notes, HONEST_DICE) if dice is not None else notes)


def stretches(log: Log) -> list[ReplayedActivation]:
    """The log cut at its checkpoints; the last stretch has none."""
    found: list[ReplayedActivation] = []
    answers: list[LoggedRoll | LoggedAnswer] = []
    first = 2
    for line, record in enumerate(log.records, start=2):
        if isinstance(record, LoggedActivation):
            found.append(ReplayedActivation(tuple(answers), record, first))
            answers, first = [], line + 1
        else:
            answers.append(record)
    return [*found, ReplayedActivation(tuple(answers), None, first)]


class _Played(NamedTuple):
    progress: Progress
    ended: int
    line: int
    why: str = ""


def _dice_of(log: Log) -> SeededDice | None:
    """The dice of the game from their key, where the log shows it."""
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


def _forged(dice: SeededDice, progress: Progress, record: LoggedRoll | LoggedAnswer) -> str:
    """What is wrong with faces that do not follow from the key; empty when they do."""
    pending = progress.pending
    if not isinstance(record, LoggedRoll) or not isinstance(pending, Roll):
        return ""  # an answer, or a roll that nobody asked for, which playing it will tell
    faces = dice.faces(pending, progress.state.rolls_made)
    if faces == record.faces:
        return ""
    return f"{list(record.faces)} was thrown for {record.purpose}, the key of the dice gives {list(faces)}"


def _play(
    rules: Rules, progress: Progress, stretch: ReplayedActivation, ended: int, dice: SeededDice | None
) -> _Played:
    """Run one stretch as far as it goes."""
    line = stretch.line
    for line, record in enumerate(stretch.answers, start=stretch.line):
        forged = _forged(dice, progress, record) if dice is not None else ""
        if forged:
            return _Played(progress, ended, line, forged)
        try:
            after = play_record(rules, progress, record, line)
        except ReplayError as error:
            return _Played(progress, ended, line, error.why)
        except Exception as error:  # a changed log may lead the engine where no game ever was
            return _Played(progress, ended, line, f"the engine failed: {type(error).__name__}: {error}")
        new = activations_ended(after, progress.state.round)
        progress, ended = after, ended + new.how_many
        last = line == stretch.line + len(stretch.answers) - 1
        if new.how_many and not (last and stretch.checkpoint is not None):
            name = progress.state.units[new.unit].name
            return _Played(
                progress, ended, line, f"the game ends the activation of {name} here, the log does not"
            )
    return _Played(progress, ended, line)


def _compare(log: Log, stretch: ReplayedActivation, played: _Played) -> str:
    """What differs at the end of a stretch that could be played; empty when nothing does."""
    written = stretch.checkpoint
    if written is None:
        return _compare_end(log, played)
    if played.ended != written.number:
        return f"the log ends activation {written.number} here, the game has ended {played.ended}"
    return "" if table_hash(played.progress.state) == written.table else OTHER_TABLE


def _compare_end(log: Log, played: _Played) -> str:
    state, _, pending = played.progress
    footer = log.footer
    if footer.finished != (pending is None):
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


def _notes(log: Log, rules: Rules) -> tuple[str, ...]:
    notes = []
    if log.header.engine != __version__:
        notes.append(f"recorded with version {log.header.engine}, played back with {__version__}")
    if log.header.rules_hash != rules_hash(rules):
        notes.append(f"the numbers of {log.header.ruleset} have changed since the game was recorded")
    return tuple(notes)
