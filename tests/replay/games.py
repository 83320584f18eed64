"""Recorded toy games, and ways to corrupt them."""

from __future__ import annotations

from msgspec.structs import replace
from toy import TOY, toy_setup

from shieldwall.bots import RandomBot, play_game
from shieldwall.dice import SeededDice
from shieldwall.replay import Log, LoggedActivation, LoggedRoll, Record, Recorder


def recorded(seed: int = 1, units: int = 4, dice: SeededDice | None = None) -> Log:
    """A whole game between two random bots."""
    setup = toy_setup(units)
    dice = dice or SeededDice.from_seed(seed)
    recorder = Recorder(TOY, setup, ("random", "random"), dice.commitment)
    play_game(TOY, setup, (RandomBot(), RandomBot()), dice, recorder, seed=seed)
    return recorder.log()


def with_record(log: Log, index: int, record: Record) -> Log:
    """The log with one record changed and nothing else."""
    records = list(log.records)
    records[index] = record
    return replace(log, records=tuple(records))


def flipped(log: Log, index: int, die: int) -> Log:
    """The log with one die turned to its other side."""
    record = log.records[index]
    assert isinstance(record, LoggedRoll)
    faces = tuple(7 - face if i == die else face for i, face in enumerate(record.faces))
    return with_record(log, index, LoggedRoll(record.purpose, faces))


def activation_of(log: Log, index: int) -> int:
    """The number of the activation a record belongs to."""
    for record in log.records[index:]:
        if isinstance(record, LoggedActivation):
            return record.number
    return log.footer.activations + 1
