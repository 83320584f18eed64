"""Requests generated from the server's own description, valid and invalid, with answers checked against it."""

from __future__ import annotations

import contextlib
import json
import random
import secrets
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from websockets.exceptions import ConnectionClosed

from tests.server.player import Person, Table

# The description cannot list the existing editions, armies or games, so well-formed requests may be refused.

TOO_LARGE = 413


def faults_of(address: str, examples: int) -> list[str]:
    """Everything that was not answered as described; `examples` requests of each kind for each operation."""
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    faults = []
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                _tried(operation, mode, examples)
            except Unsatisfiable:
                continue  # a request without parameters cannot be invalid
            except (Exception, FailureGroup) as error:
                told = getattr(error, "exceptions", (error,))
                faults += [f"{operation.label} ({mode.value}): {one}" for one in told]
    return faults


def _tried(operation: schemathesis.schemas.APIOperation, mode: GenerationMode, examples: int) -> None:
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def one(case: schemathesis.Case) -> None:
        answer = case.call(timeout=60)
        left_out = [positive_data_acceptance]
        if answer.status_code == TOO_LARGE:  # a refusal, but one that the check does not know
            left_out.append(negative_data_rejection)
        case.validate_response(answer, excluded_checks=left_out)

    one()


STRANGE: list[Any] = [
    None, True, -1, 0, 1, 2**31, 2**63, -(2**63), 10**19, 1.5, 1e308, "", "x", "\x00", "\u202e", "9" * 30, [], {}, [[]],
    {"answer": "pick"}, [0, 0, 0, 0], "activate", "u0", -(2**31) + 1, 999, "\ud800",
]  # fmt: skip


class MessageFuzzer:
    """Sends a game mutated copies of real messages, and checks that it survives."""

    def __init__(self, address: str, seed: int, edition: str = "skirmish-3.2") -> None:
        self._numbers = random.Random(seed)
        self._person = Person(address)
        self._edition = edition
        self._begin()

    def _begin(self) -> None:
        self._game = self._person.make(self._edition, "me", "me", table={"kind": "empty"})["game"]
        self._table = self._person.sit(self._game)

    def run(self, messages: int) -> int:
        """Send so many, and return the number sent. A game that changes without a message fails."""
        sent = 0
        while sent < messages:
            try:
                self._one()
            except ConnectionClosed:
                self._table = self._person.sit(self._game)
            sent += 1
            if self._table.status == "over":
                self._table.close()
                self._begin()
        self._table.close()
        self._person.close()
        return sent

    def _one(self) -> None:
        table = self._table
        table.until_asked()
        before = (table.seq, table.hash)
        message = self._changed(self._real(table))
        data = json.dumps(message)
        if self._numbers.random() < 0.1:
            cut = self._numbers.randrange(len(data) + 1)
            data = data[:cut] + self._numbers.choice(["", "}", '"', "[", "\\"]) + data[cut:]
        with contextlib.suppress(UnicodeEncodeError):
            table.socket.send(data)
        table.send(type="ping", id=7)
        while True:
            told = table.take()
            assert told.get("code") != "failed", (message, told)
            if told["type"] == "refused" and not (told["seq"], told["hash"]) == before == (
                table.seq,
                table.hash,
            ):
                assert told["seq"] >= before[0], (message, told)
            if told["type"] == "pong" and told["id"] == 7:
                break

    def _real(self, table: Table) -> dict[str, Any]:
        assert table.question is not None
        command = {"command_id": secrets.token_hex(8), "expected_seq": table.seq}
        pose = [self._numbers.randrange(72_000), self._numbers.randrange(48_000), 0, 0]
        made: list[dict[str, Any]] = [
            {"type": "answer", **command, "answer": table.question["default"]},
            {"type": "undo", **command},
            {"type": "preview", "id": 1, "drag": pose},
            {"type": "preview", "id": 2, "answer": table.question["default"]},
            {"type": "overlay", "id": 3, "what": self._numbers.choice(["range", "sight", "arc"]), "unit": 0},
            {"type": "measure", "id": 4, "from_unit": 0, "to_point": pose[:2]},
            {"type": "hello", "last_seq": table.seq, "last_hash": table.hash},
            {"type": "pace", "paused": False, "delay": 0},
        ]
        return self._numbers.choice(made)

    def _changed(self, value: Any) -> Any:
        """The same with a few parts replaced, added or left out."""
        rate = 0.12
        if self._numbers.random() < rate * 0.5:
            return self._numbers.choice(STRANGE)
        if isinstance(value, dict):
            kept = {k: self._changed(v) for k, v in value.items() if self._numbers.random() > rate * 0.3}
            if self._numbers.random() < rate:
                kept[self._numbers.choice(["dice", "seat", "type", "x"])] = self._numbers.choice(STRANGE)
            return kept
        if isinstance(value, list):
            return [self._changed(item) for item in value for _ in range(1 + (self._numbers.random() < 0.02))]
        return value
