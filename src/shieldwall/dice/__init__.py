"""Sources of dice: seeded, scripted by purpose, typed in by a person, or read back from a log.

Every source has the same method, `faces(roll, number)`, and none of them changes the game.
"""

from shieldwall.dice.expression import Expression, ExpressionError, parse
from shieldwall.dice.recorded import RecordedDice, RecordedRoll, RecordEndedError, RecordMismatchError
from shieldwall.dice.scripted import ScriptedDice, ScriptError
from shieldwall.dice.seeded import KEY_BYTES, SeededDice, commitment, key_from_seed, mixed_key, random_key
from shieldwall.dice.source import Dice
from shieldwall.dice.typed import TypedDice
from shieldwall.dice.words import asked, target_words

__all__ = [
    "KEY_BYTES",
    "Dice",
    "Expression",
    "ExpressionError",
    "RecordEndedError",
    "RecordMismatchError",
    "RecordedDice",
    "RecordedRoll",
    "ScriptError",
    "ScriptedDice",
    "SeededDice",
    "TypedDice",
    "asked",
    "commitment",
    "key_from_seed",
    "mixed_key",
    "parse",
    "random_key",
    "target_words",
]
