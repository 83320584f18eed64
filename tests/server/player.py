"""A player for tests: real HTTP and a real socket, no knowledge of the rules."""

from __future__ import annotations

import os
import secrets
from typing import Any

import httpx2
import msgspec
from websockets.sync.client import ClientConnection, connect

PATIENCE = float(os.environ.get("SHIELDWALL_PATIENCE", "120"))  # seconds; only a failure takes that long
NONCE = "5e" * 16  # a player's nonce for the dice, the same in every run

SMALL = {"skirmish-3.2": "150", "regiments-3.5": "750"}


def new_game(edition: str = "skirmish-3.2", *who: str, **more: Any) -> dict[str, Any]:
    """An order for a game; `who` has "me", "friend" or a bot's name for each seat."""
    seats = [
        {"who": w} if w in ("me", "friend") else {"who": "bot", "bot": w} for w in who or ("me", "random")
    ]
    table = {"kind": "generate", "seed": 5}
    return {"edition": edition, "seats": seats, "nonce": NONCE, "table": table, **more}


class Person:
    """A person with their own cookie."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.tables: list[Table] = []
        self.http = httpx2.Client(base_url=address, timeout=PATIENCE)
        self.home = self.get("/api/home")

    @property
    def cookie(self) -> str:
        return f"shieldwall={self.http.cookies['shieldwall']}"

    def get(self, path: str) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any, status: int = 200) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def make(self, edition: str = "skirmish-3.2", *who: str, **more: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.post("/api/games", new_game(edition, *who, **more))
        return made

    def sit(self, game: str, last_seq: int = -1, last_hash: str = "") -> Table:
        self.tables.append(Table(self, game, last_seq, last_hash))
        return self.tables[-1]

    def moved_to(self, address: str) -> None:
        """The same person, with the same cookie, at a server that was restarted elsewhere."""
        cookie = self.http.cookies["shieldwall"]
        self.http.close()
        self.address = address
        self.http = httpx2.Client(base_url=address, timeout=PATIENCE, cookies={"shieldwall": cookie})

    def close(self) -> None:
        """Leave every table, so that no bot keeps playing there."""
        for table in self.tables:
            table.close()
        self.http.close()


class Table:
    """A socket of a game, with the messages received so far."""

    def __init__(self, person: Person, game: str, last_seq: int = -1, last_hash: str = "") -> None:
        address = person.address.replace("http", "ws")
        self.socket: ClientConnection = connect(
            f"{address}/api/games/{game}/socket",
            additional_headers={"Cookie": person.cookie},
            max_size=None,
            open_timeout=PATIENCE,
            close_timeout=0.5,  # later messages are not read, so the closing message may never be seen
            legacy=True,
        )
        self.seq, self.hash = last_seq, last_hash
        self.question: dict[str, Any] | None = None
        self.status = ""
        self.can_undo = False
        self.steps: list[dict[str, Any]] = []
        self.units: dict[int, dict[str, Any]] = {}
        self.first: dict[str, Any] = {}
        self.send(type="hello", last_seq=last_seq, last_hash=last_hash)
        self.first = self.until("welcome", "steps")

    def send(self, **message: Any) -> None:
        self.socket.send(msgspec.json.encode(message).decode())

    def take(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message, remembered."""
        message: dict[str, Any] = msgspec.json.decode(self.socket.recv(timeout=timeout))
        if message["type"] == "welcome":
            self.seq, self.hash = message["seq"], message["hash"]
            self.units = {unit["id"]: unit for unit in message["board"]["units"]}
        for step in message.get("steps", ()):
            self.steps.append(step)
            self.seq, self.hash = step["seq"], step["hash"]
            self.units |= {unit["id"]: unit for unit in step["board"]["units"]}
        if message["type"] in ("welcome", "steps"):
            self.question, self.status = message["question"], message["status"]
            self.can_undo = message["can_undo"]
        return message

    def until(self, *kinds: str) -> dict[str, Any]:
        while True:
            message = self.take()
            if message["type"] in kinds:
                return message

    def until_asked(self) -> dict[str, Any] | None:
        """The next question for this player; None when the game is over."""
        while self.status != "over" and not (self.question and self.question["mine"]):
            self.take()
        return self.question if self.status != "over" else None

    def command(self, **message: Any) -> dict[str, Any]:
        """Send a command and return the reply: accepted or refused."""
        command_id = message.setdefault("command_id", secrets.token_hex(8))
        message.setdefault("expected_seq", self.seq)
        self.send(**message)
        while True:
            answer = self.take()
            if answer["type"] in ("accepted", "refused") and answer["command_id"] == command_id:
                return answer

    def answer(self, answer: Any, **more: Any) -> dict[str, Any]:
        return self.command(type="answer", answer=answer, **more)

    def ask(self, **message: Any) -> dict[str, Any]:
        """Send a question that changes nothing and wait for its answer."""
        self.send(**message)
        while True:
            answer = self.take()
            if answer.get("id") == message["id"] and answer["type"] != "pong":
                return answer

    def play_default(self) -> bool:
        """Give the current question its default answer; False if the game is over.

        Waits for what follows, even if the next question takes so long that its step is sent without it.
        """
        question = self.until_asked()
        if question is None:
            return False
        before = self.seq
        answer = self.answer(question["default"])
        assert answer["type"] == "accepted", answer
        while self.seq <= before or (self.question is None and self.status != "over"):
            self.take()
        return True

    def close(self) -> None:
        self.socket.close()
