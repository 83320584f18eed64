"""Checks a stored game: replays it from its first command and compares every hash, and every die with the key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from shieldwall.server.dice_key import check_throws
from shieldwall.server.live import LiveGame
from shieldwall.server.match import THROWS, DriftError
from shieldwall.server.refusals import NotNowError
from shieldwall.server.storage import CommandRow, DamagedError, GameRow, SeatRow

T = TypeVar("T")


class StoredGame(NamedTuple):
    """Everything stored about a game."""

    row: GameRow
    seats: list[SeatRow]
    commands: list[CommandRow]


class Damage(NamedTuple):
    """What is wrong with a game; `sound` is the last good command."""

    game: str
    words: str
    sound: int = 0
    other_rules: bool = False


def damage_of(stored: StoredGame) -> Damage | None:
    """What is wrong with a game; None if it is sound."""
    row, seats, commands = stored
    if not row.setup:
        return None
    try:
        LiveGame(None, row, seats).replay(commands, None)  # type: ignore[arg-type]  # nothing is stored
        if commands and commands[-1].seq != row.head:
            words = f"the list says {row.head} commands, {commands[-1].seq} are stored"
            return Damage(row.id, words, commands[-1].seq)
        return _wrong_die(stored)
    except DriftError as error:
        return Damage(row.id, str(error), max(0, error.seq - 1), error.other_rules)
    except Exception as error:  # damaged data can raise anything
        return Damage(row.id, f"{type(error).__name__}: {error}")


def _wrong_die(stored: StoredGame) -> Damage | None:
    """The first command whose dice do not follow from the key."""
    row, seats, commands = stored
    if not row.secret or not row.commitment:
        return None
    nonces = [seat.nonce for seat in seats if seat.nonce]
    for command in commands:
        problems = check_throws(row.secret, row.commitment, nonces, THROWS.decode(command.dice))
        if problems:
            return Damage(row.id, f"command {command.seq}: {problems[0]}", command.seq - 1)
    return None


def on_stored_game(stored: StoredGame, job: Callable[..., T], *given: Any) -> T:
    """Run a job on a stored game, in a worker. If it fails, check the game: damage is not the job's fault."""
    try:
        return job(*given)
    except (DamagedError, NotNowError, MemoryError):
        raise
    except Exception as error:
        damage = damage_of(stored)
        if damage is None:
            raise
        raise DriftError(damage.words, damage.sound + 1, damage.other_rules) from error
