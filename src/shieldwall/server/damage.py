"""Whether a stored game is sound: played again from its first command, every hash, and every die against the key."""

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
    """Everything that is stored of a game."""

    row: GameRow
    seats: list[SeatRow]
    commands: list[CommandRow]


class Damage(NamedTuple):
    """What is wrong with a game; `sound` is the last command before that."""

    game: str
    words: str
    sound: int = 0
    other_rules: bool = False


def damage_of(stored: StoredGame) -> Damage | None:
    """What is wrong with a game; None where nothing is."""
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
    except Exception as error:  # there is no end of what damaged data can lead to
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
    """Do a job on a stored game, in a worker. Where it fails the game is looked into: damage is no fault of the job."""
    try:
        return job(*given)
    except (DamagedError, NotNowError, MemoryError):
        raise
    except Exception as error:
        damage = damage_of(stored)
        if damage is None:
            raise
        raise DriftError(damage.words, damage.sound + 1, damage.other_rules) from error
