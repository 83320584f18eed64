"""Verifying finds the exact activation at which a log no longer replays as recorded."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from games import activation_of, flipped, recorded, with_record
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from toy import TOY, Block, ToyConstants, ToyRules

from shieldwall.core.answers import Pick
from shieldwall.core.engine import GameRun, Progress, Rules
from shieldwall.core.errors import MalformedError
from shieldwall.core.pending import Roll
from shieldwall.core.values import Target
from shieldwall.core.values import pool_of_tests as plain_tests
from shieldwall.dice import SeededDice, commitment, mixed_key
from shieldwall.replay import (
    Log,
    LoggedActivation,
    LoggedAnswer,
    LoggedRoll,
    ReplayError,
    Revealed,
    encode_log,
    parse_log,
    replay,
    table_hash,
    verify,
)
from shieldwall.replay.verifier import HONEST_DICE, OTHER_SECRET


@pytest.mark.parametrize("seed", range(20))
def test_a_correct_log_verifies(seed: int) -> None:
    log = recorded(seed)
    verdict = verify(log, TOY)
    assert verdict.ok
    assert verdict.first_wrong is None
    assert verdict.activations == log.footer.activations
    assert verdict.notes == ()


@pytest.mark.parametrize("seed", range(6))
def test_every_flipped_die_is_found_at_its_own_activation(seed: int) -> None:
    log = recorded(seed)
    reasons = set()
    for index, record in enumerate(log.records):
        if not isinstance(record, LoggedRoll):
            continue
        for die in range(len(record.faces)):
            wrong = verify(flipped(log, index, die), TOY).first_wrong
            assert wrong is not None
            assert wrong.activation == activation_of(log, index), (index, die, str(wrong))
            assert wrong.expected != wrong.found
            reasons.add(" ".join(wrong.why.split("; ")[1].split(" ")[:3]))
    assert len(reasons) > 1, "flipped dice should lead to other tables and to other questions"


@given(st.integers(0, 400), st.data())
def test_a_die_changed_to_any_face_is_found(seed: int, data: st.DataObject) -> None:
    log = recorded(seed, units=2)
    index = data.draw(st.sampled_from([i for i, r in enumerate(log.records) if isinstance(r, LoggedRoll)]))
    record = log.records[index]
    assert isinstance(record, LoggedRoll)
    faces = data.draw(
        st.tuples(*(st.integers(1, 6) for _ in record.faces)).filter(lambda f: f != record.faces)
    )
    wrong = verify(with_record(log, index, LoggedRoll(record.purpose, faces)), TOY).first_wrong
    assert wrong is not None
    assert wrong.activation == activation_of(log, index)


def test_the_report_names_activation_round_unit_and_hashes() -> None:
    log = recorded(1)
    index = next(i for i, r in enumerate(log.records) if isinstance(r, LoggedRoll) and r.purpose == "to_hit")
    wrong = verify(flipped(log, index, 0), TOY).first_wrong
    assert wrong is not None
    checkpoint = next(r for r in log.records[index:] if isinstance(r, LoggedActivation))
    assert (wrong.activation, wrong.round) == (checkpoint.number, checkpoint.round)
    assert wrong.unit == log.header.setup.units[checkpoint.unit].name
    assert wrong.unit in str(wrong)
    assert "changed after it was recorded" in wrong.why


def test_a_changed_choice_is_found_at_its_activation() -> None:
    log = recorded(2)
    for index, record in enumerate(log.records):
        if isinstance(record, LoggedAnswer):
            wrong = verify(with_record(log, index, replace(record, answer=Pick("nobody"))), TOY).first_wrong
            assert wrong is not None
            assert wrong.activation == activation_of(log, index)
            assert "is refused: 'nobody' is not possible here" in wrong.why


def harder(rolls_kept: int) -> Rules:
    """The toy with a change of the rules that shows only after some rolls to block."""

    class HarderBlock(Block):
        def ask(self, game: GameRun[Rules]) -> Any:
            roll = super().ask(game)
            assert isinstance(roll, Roll)
            if game.state.rolls_made < rolls_kept:
                return roll
            return Roll(roll.purpose, roll.seat, (plain_tests(roll.dice, Target(6)),), roll.cite)

    return ToyRules(HarderBlock(), ToyConstants(rounds=4))


@pytest.mark.parametrize("seed", [0, 2, 3, 5, 6, 7, 8, 9])  # in 1 and 4 no die gives a different result
def test_drift_of_the_rules_is_found_at_the_first_activation_it_touches(seed: int) -> None:
    log = recorded(seed)
    verdict = verify(log, harder(0))
    assert verdict.first_wrong is not None
    assert verdict.first_wrong.activation == first_difference(log)
    assert "changed after it was recorded" not in verdict.first_wrong.why
    assert any("have changed since" in note for note in verdict.notes)
    assert verify(log, harder(10_000)).ok


def first_difference(log: Log) -> int:
    """The first activation after which two rulesets have different tables."""
    answered = [i for i, record in enumerate(log.records) if isinstance(record, LoggedRoll | LoggedAnswer)]
    for index, before, after in zip(answered, [*replay(log, TOY)][1:], skip_start(log), strict=False):
        if after is None or table_hash(before.state) != table_hash(after.state):
            return activation_of(log, index)
    raise AssertionError("the rulesets play the same game")


def skip_start(log: Log) -> Iterator[Progress | None]:
    """The drifted game after each answer, then None once it refuses one."""
    drifted = replay(log, harder(0))
    next(drifted)
    try:
        yield from drifted
    except ReplayError:
        yield None


def test_a_change_after_the_last_activation_is_found() -> None:
    log = recorded(3)
    for footer in (replace(log.footer, winner=7), replace(log.footer, finished=False)):
        wrong = verify(replace(log, footer=footer), TOY).first_wrong
        assert wrong is not None
        assert wrong.activation == log.footer.activations + 1
        assert wrong.unit == ""
        assert "after the last activation" in str(wrong)


def test_a_checkpoint_that_was_moved_is_found() -> None:
    log = recorded(3)
    index = next(i for i, r in enumerate(log.records) if isinstance(r, LoggedActivation) and r.number == 3)
    records = list(log.records)
    records[index - 1], records[index] = records[index], records[index - 1]
    wrong = verify(replace(log, records=tuple(records)), TOY).first_wrong
    assert wrong is not None
    assert wrong.activation == 3


def test_an_engine_that_fails_is_reported_not_raised() -> None:
    class Boom(Block):
        def rolled(self, game: GameRun[Rules], counts: Any) -> None:
            raise KeyError("boom")

    wrong = verify(recorded(1), ToyRules(Boom())).first_wrong
    assert wrong is not None
    assert "the engine failed: KeyError" in wrong.why


@pytest.mark.slow
def test_logs_do_not_depend_on_hash_randomisation() -> None:
    script = (
        "import hashlib, games; from shieldwall.replay import encode_log;"
        "print(hashlib.sha256(b''.join(encode_log(games.recorded(s)) for s in range(5))).hexdigest())"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=Path(__file__).parent,
            env={"PYTHONHASHSEED": hash_seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "31337")
    }
    assert len(printed) == 1


def test_a_log_read_back_verifies() -> None:
    assert verify(parse_log(encode_log(recorded(9))), TOY).ok


def _seeded(seed: int) -> tuple[Log, bytes]:
    """A game with dice from a key that was mixed with two nonces, and the secret in it."""
    secret, nonces = bytes([seed] * 32), ("ab" * 16, "cd" * 16)
    dice = SeededDice(mixed_key(secret, nonces))
    log = recorded(seed, dice=dice)
    header = replace(log.header, commitment=commitment(secret))
    return replace(log, header=header, revealed=Revealed(secret.hex(), nonces)), secret


def test_dice_are_checked_where_a_log_shows_their_key() -> None:
    log, _ = _seeded(3)
    assert verify(parse_log(encode_log(log)), TOY).notes[-1] == HONEST_DICE
    assert HONEST_DICE not in verify(replace(log, revealed=None), TOY).notes


def test_a_log_with_loaded_dice_and_mended_fingerprints_is_caught_by_the_key() -> None:
    log, secret = _seeded(3)
    loaded = recorded(3)  # a plausible log whose dice came from elsewhere
    assert verify(loaded, TOY).ok
    header = replace(loaded.header, commitment=commitment(secret))
    wrong = verify(replace(loaded, header=header, revealed=log.revealed), TOY).first_wrong
    assert wrong is not None
    assert "the key of the dice gives" in wrong.why


def test_a_secret_that_was_not_committed_to_is_refused() -> None:
    log, _ = _seeded(3)
    assert log.revealed is not None
    other = replace(log.revealed, secret="00" * 32)
    wrong = verify(replace(log, revealed=other), TOY).first_wrong
    assert wrong is not None
    assert wrong.why == OTHER_SECRET


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (Revealed("xyz"), "64 hexadecimal digits"),
        (Revealed("00" * 32, ("not hex", "ab")), "a nonce of the dice"),
        (Revealed("00" * 32, ("ab",)), "1 nonces for 2 seats"),
    ],
)
def test_an_invalid_key_is_a_problem_of_the_file(shown: Revealed, words: str) -> None:
    log, _ = _seeded(3)
    with pytest.raises(MalformedError, match=words):
        parse_log(encode_log(replace(log, revealed=shown)))
