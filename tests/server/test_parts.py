"""Parts of the server: limits before decoding, plain names, verifiable dice, generated types."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import signal
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shieldwall.core.errors import MalformedError, RefusedError
from shieldwall.core.pending import Roll
from shieldwall.core.values import FACE_LABELS, Pool
from shieldwall.server.dice_key import Throw, check_throws, commitment_of, dice_for, new_nonce, new_secret
from shieldwall.server.limits import NESTING, TooLargeError, deepest, read
from shieldwall.server.messages import ClientMessage
from shieldwall.server.serving import PortTakenError, listen
from shieldwall.server.text import clean
from shieldwall.server.typescript import typescript
from shieldwall.server.worker_process import OverLimitError, WorkerProcess, WorkLimits

ROOT = Path(__file__).parents[2]
MESSAGES: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


@given(st.binary(max_size=400))
def test_no_bytes_make_the_reader_fail_in_any_way_but_its_own(data: bytes) -> None:
    with contextlib.suppress(MalformedError):
        read(data, MESSAGES, "message")


@given(st.text(max_size=60))
def test_brackets_inside_strings_do_not_count_as_nesting(text: str) -> None:
    data = msgspec.json.encode({"type": "ping", "id": 1, "x": text + "[" * 100})
    with pytest.raises(MalformedError, match="unknown field"):
        read(data, MESSAGES, "message")


def test_size_and_nesting_are_looked_at_before_decoding() -> None:
    with pytest.raises(TooLargeError):
        read(b" " * 70_000, MESSAGES, "message")
    with pytest.raises(MalformedError, match="nested"):
        read(b"[" * (NESTING + 1), MESSAGES, "message")
    assert deepest(b"[[{}]]") == 3


@given(st.text(max_size=200))
def test_cleaned_names_are_one_short_line_and_cleaning_again_changes_nothing(name: str) -> None:
    kept = clean(name)
    assert len(kept) <= 60
    assert kept.isprintable() or not kept
    assert clean(kept) == kept


def throws(secret: bytes, nonces: list[str]) -> list[Throw]:
    dice = dice_for(secret, nonces)
    found = []
    for number, count in enumerate((10, 1, 40, 3)):
        roll = Roll("to_hit", 0, (Pool(count, FACE_LABELS),), "")
        found.append(Throw(number, "to_hit", dice.faces(roll, number)))
    return found


def test_every_die_can_be_checked_and_one_turned_die_is_found() -> None:
    secret, nonces = new_secret(), [new_nonce(), new_nonce()]
    commitment, thrown = commitment_of(secret), throws(secret, nonces)
    assert check_throws(secret, commitment, nonces, thrown) == ()
    first = thrown[2]
    turned = msgspec.structs.replace(first, faces=(first.faces[0] % 6 + 1, *first.faces[1:]))
    problems = check_throws(secret, commitment, nonces, [*thrown[:2], turned, thrown[3]])
    assert len(problems) == 1
    assert problems[0].startswith("roll 2 (to_hit)")


def test_neither_another_secret_nor_another_nonce_gives_the_same_dice() -> None:
    secret, nonces = new_secret(), [new_nonce(), new_nonce()]
    commitment, thrown = commitment_of(secret), throws(secret, nonces)
    assert check_throws(new_secret(), commitment, nonces, thrown)
    assert check_throws(secret, commitment, [nonces[0], new_nonce()], thrown)


def test_the_types_of_the_page_are_those_of_the_server() -> None:
    written = (ROOT / "web" / "src" / "protocol" / "types.ts").read_text(encoding="utf-8")
    tip = "run: python -m shieldwall.server.typescript web/src/protocol/types.ts"
    assert written == typescript(), tip


def test_errors_come_back_whole_from_other_processes() -> None:
    for error in (MalformedError("list", ["one", "two"]), RefusedError((("too far", "R35-MOVE-17"),))):
        again = pickle.loads(pickle.dumps(error))
        assert str(again) == str(error)
        assert vars(again) == vars(error)


def burn(seconds: float) -> None:
    """Keep a processor busy."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers of processor time")
def test_a_job_beyond_its_limit_names_the_limit() -> None:
    async def run() -> None:
        worker = WorkerProcess()
        try:
            await worker.call(burn, (30.0,), WorkLimits(seconds=0.2))
        finally:
            worker.kill()
            worker.join()

    with pytest.raises(OverLimitError, match=r"more than 0\.2 s of processor time"):
        asyncio.run(run())


def test_a_port_in_use_is_named_with_a_tip() -> None:
    first = listen("127.0.0.1", 0)
    with first, pytest.raises(PortTakenError, match="try another with --port"):
        listen("127.0.0.1", first.getsockname()[1])
