"""Recorded games: the log format, writing and reading logs, replaying and verifying them."""

from shieldwall.replay.files import encode_log, parse_log, read_log, write_log
from shieldwall.replay.fingerprint import rules_hash, table_hash
from shieldwall.replay.format import (
    FORMAT,
    Log,
    LogFooter,
    LoggedActivation,
    LoggedAnswer,
    LoggedFacts,
    LoggedRoll,
    LogHeader,
    Record,
    Revealed,
)
from shieldwall.replay.migrations import MIGRATIONS
from shieldwall.replay.player import ReplayError, changed, is_of_other_rules, replay, rules_of
from shieldwall.replay.recorder import Recorder
from shieldwall.replay.rules_versions import RulesVersion, rules_version_of
from shieldwall.replay.verifier import Verdict, Wrong, verify

__all__ = [
    "FORMAT",
    "MIGRATIONS",
    "Log",
    "LogFooter",
    "LogHeader",
    "LoggedActivation",
    "LoggedAnswer",
    "LoggedFacts",
    "LoggedRoll",
    "Record",
    "Recorder",
    "ReplayError",
    "Revealed",
    "RulesVersion",
    "Verdict",
    "Wrong",
    "changed",
    "encode_log",
    "is_of_other_rules",
    "parse_log",
    "read_log",
    "replay",
    "rules_hash",
    "rules_of",
    "rules_version_of",
    "table_hash",
    "verify",
    "write_log",
]
