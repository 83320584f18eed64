"""The records of a log. One JSON object per line: a header, answers with their events, checkpoints, and a footer.

docs/logs.md describes the format for people and for programs in other languages.
"""

from __future__ import annotations

from msgspec import Raw, Struct

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.state import State
from shieldwall.dice.recorded import RecordedDice, RecordedRoll

FORMAT = 2


class LogHeader(Struct, frozen=True, tag_field="record", tag="header", forbid_unknown_fields=True):
    """What was played, by whom, and from where. House rules and seats are part of `setup`.

    `commitment` is the SHA-256 of the dice key, or of the secret in it (`Revealed`), where dice were seeded;
    `players` names who answered for each seat. `rules` is the version of the edition's rules (`rules_versions.py`).
    """

    format: int
    engine: str
    ruleset: str
    rules_hash: str
    setup: State
    players: tuple[str, ...] = ()
    commitment: str = ""
    rules: int = 1


class LoggedFacts(Struct, frozen=True, tag_field="record", tag="facts", forbid_unknown_fields=True):
    """The events caused by the previous line; only events change the table.

    They are read only where the rules that led to them are gone, so that an event of a later version does not make a
    log unreadable that can be played.
    """

    events: Raw


class LoggedRoll(Struct, frozen=True, tag_field="record", tag="roll", forbid_unknown_fields=True):
    """A roll: its purpose, and the unmodified faces in the order of its pools."""

    purpose: str
    faces: tuple[int, ...]


class LoggedAnswer(Struct, frozen=True, tag_field="record", tag="choice", forbid_unknown_fields=True):
    """An answered question: the seat, the kind of question, and the answer."""

    seat: int
    kind: str
    answer: AnyAnswer


class LoggedActivation(Struct, frozen=True, tag_field="record", tag="activation", forbid_unknown_fields=True):
    """The end of an activation: which one it was, with fingerprints of the table and of the answers since."""

    number: int
    round: int
    unit: int
    table: str
    answers: str
    facts: str = ""


class LogFooter(Struct, frozen=True, tag_field="record", tag="end", forbid_unknown_fields=True):
    """How it ended, with counts that show whether anything is missing. `winner` -1 is a draw."""

    finished: bool
    winner: int | None
    round: int
    activations: int
    answers_given: int
    table: str
    answers: str
    facts: str = ""


class Revealed(Struct, frozen=True, tag_field="record", tag="dice", forbid_unknown_fields=True):
    """The secret that the header commits to (in hex) and the nonces mixed into it, shown when a game is over."""

    secret: str
    nonces: tuple[str, ...] = ()


Record = LoggedRoll | LoggedAnswer | LoggedFacts | LoggedActivation
AnyRecord = LogHeader | LoggedRoll | LoggedAnswer | LoggedFacts | LoggedActivation | Revealed | LogFooter


class Log(Struct, frozen=True):
    """A whole recorded game. Record `i` stands on line `i + 2` of its file."""

    header: LogHeader
    records: tuple[Record, ...]
    footer: LogFooter
    revealed: Revealed | None = None

    def dice(self) -> RecordedDice:
        """The dice of the game, for a replay."""
        throws = (
            RecordedRoll(record.purpose, record.faces)
            for record in self.records
            if isinstance(record, LoggedRoll)
        )
        return RecordedDice(throws, self.header.setup.rolls_made)

    @property
    def has_events(self) -> bool:
        """Whether it has the events of its answers, so that it can be watched without its rules."""
        return any(isinstance(record, LoggedFacts) for record in self.records)

    @property
    def activations(self) -> int:
        """How many activations were played."""
        return self.footer.activations
