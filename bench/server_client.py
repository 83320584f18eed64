"""Players of the load test: sockets without any library, and recorded answers, without any understanding of the game.

Run as a separate process: `python -m bench.server_client FILE`. The file says which games to continue; the
measurements are printed as one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import struct
import sys
import time
from pathlib import Path
from typing import Any

MASK = b"\x01\x02\x03\x04"
KEY = "AAAAAAAAAAAAAAAAAAAAAA=="
ACCEPTED, STEPS, WELCOME, REFUSED = (
    b'{"type":"%s"' % kind for kind in (b"accepted", b"steps", b"welcome", b"refused")
)
NO_QUESTION = b'"question":null,"status":"running","can_undo":false}'  # it takes long and arrives by itself


def frame(text: str) -> bytes:
    """A masked text frame."""
    data = text.encode()
    size = len(data)
    head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
    pattern = int.from_bytes((MASK * (size // 4 + 1))[:size], "big")
    return head + MASK + (int.from_bytes(data, "big") ^ pattern).to_bytes(size, "big")


class Seat(asyncio.Protocol):
    """One player's socket."""

    def __init__(self, game: Game, number: int) -> None:
        self.game, self.number = game, number
        self.transport: asyncio.Transport
        self._data = bytearray()
        self._open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        cookie = self.game.cookies[self.number]
        lines = (
            f"GET /api/games/{self.game.id}/socket HTTP/1.1",
            f"Host: 127.0.0.1:{self.game.load.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {KEY}",
            "Sec-WebSocket-Version: 13",
            f"Cookie: shieldwall={cookie}",
        )
        transport.write("\r\n".join((*lines, "", "")).encode())

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self._open:
            head, mark, rest = bytes(self._data).partition(b"\r\n\r\n")
            if not mark:
                return
            assert b" 101 " in head.split(b"\r\n", 1)[0], head
            self._data, self._open = bytearray(rest), True
            self.transport.write(frame('{"type":"hello"}'))
        self._frames()

    def _frames(self) -> None:
        data, at = self._data, 0
        while len(data) - at >= 2:
            size, head = data[at + 1] & 0x7F, 2
            if size == 126:
                size, head = int.from_bytes(data[at + 2 : at + 4], "big"), 4
            elif size == 127:
                size, head = int.from_bytes(data[at + 2 : at + 10], "big"), 10
            if len(data) - at < head + size:
                break
            if data[at] & 0x0F == 1:
                self.game.heard(self.number, data[at + head : at + head + 24], data, at + head, size)
            at += head + size
        del data[:at]

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.game.load.over:
            self.game.load.problems.append("a socket was closed")


class Game:
    """One game of two players. The player who is asked answers once a second, when the question has arrived."""

    def __init__(self, load: Load, id: str, recording: int, head: int, cookies: tuple[str, str]) -> None:
        self.load, self.id, self.cookies = load, id, cookies
        self.answers = load.answers[recording]
        self.seats = load.seats[recording]
        self.head = head
        self.unseen = [0, 0]  # messages with a question that each player has yet to see
        self.due = 0.0
        self.sent_at = 0.0
        self.waiting = False
        self.answered_by = -1
        self.ready = asyncio.Event()
        self._hello = 2
        self.sockets: list[Seat] = []

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        for number in range(2):
            _, seat = await loop.create_connection(
                lambda number=number: Seat(self, number),  # type: ignore[misc]
                "127.0.0.1",
                self.load.port,
            )
            self.sockets.append(seat)

    def heard(self, seat: int, start: bytearray, data: bytearray, at: int, size: int) -> None:
        if start.startswith(ACCEPTED):
            self.load.took((time.perf_counter() - self.sent_at) * 1000)
            self.head += 1
            self._plan()
        elif start.startswith(STEPS):
            self._saw(seat, data, at, size)
        elif start.startswith(WELCOME):
            self._hello -= 1
            if not self._hello:
                self.ready.set()
        elif start.startswith(REFUSED):
            self.load.problems.append(bytes(data[at : at + min(size, 300)]).decode(errors="replace"))

    def _saw(self, seat: int, data: bytearray, at: int, size: int) -> None:
        if seat != self.answered_by:
            self.load.seen((time.perf_counter() - self.sent_at) * 1000)
        if data.endswith(NO_QUESTION, at, at + size):
            return
        self.unseen[seat] -= 1
        if self.waiting and self.unseen[self.seats[self.head - 1]] <= 0:
            self._plan()

    def begin(self, delay: float) -> None:
        """Give the first answer after a delay."""
        self.due = time.perf_counter() + delay
        self._plan()

    def _plan(self) -> None:
        """Send the next answer when it is due and its question has been seen."""
        if self.head > len(self.answers) or self.load.over:
            return
        asked = self.seats[self.head - 1]
        if self.unseen[asked] > 0:
            self.waiting = True
            return
        self.waiting = False
        wait = max(0.0, self.due - time.perf_counter())
        asyncio.get_running_loop().call_later(wait, self._send, asked)

    def _send(self, asked: int) -> None:
        if self.load.over:
            return
        number = self.load.number()
        text = (
            f'{{"type":"answer","command_id":"load-{number:08}","expected_seq":{self.head},'
            f'"answer":{self.answers[self.head - 1]}}}'
        )
        self.unseen[0] += 1
        self.unseen[1] += 1
        self.answered_by = asked
        self.sent_at = time.perf_counter()
        self.due = max(self.due + self.load.every, self.sent_at + self.load.every / 2)
        self.sockets[asked].transport.write(frame(text))


class Load:
    """All games of one process."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.port = order["port"]
        self.every = order["every"]
        self.answers: list[list[str]] = order["answers"]
        self.seats: list[list[int]] = order["seats"]
        self.orders: list[str] = order["orders"]
        self.order = order
        self.times: list[float] = []
        self.seen_times: list[float] = []
        self.made: list[float] = []
        self.problems: list[str] = []
        self.over = False
        self.measuring = False
        self._number = 0

    def number(self) -> int:
        self._number += 1
        return self._number

    def took(self, ms: float) -> None:
        if self.measuring:
            self.times.append(ms)

    def seen(self, ms: float) -> None:
        if self.measuring:
            self.seen_times.append(ms)

    async def run(self) -> dict[str, Any]:
        games = [
            Game(self, id, recording, head, tuple(cookies))  # type: ignore[arg-type]
            for id, recording, head, cookies in self.order["games"]
        ]
        for game in games:
            await game.open()
            await asyncio.wait_for(game.ready.wait(), 60)
        for game in games:
            game.begin(random.random() * self.every)
        await asyncio.sleep(self.order["settle"])
        print("begin", flush=True)
        self.measuring = True
        began, spent = time.perf_counter(), time.process_time()
        makers = [asyncio.create_task(self._make())] if self.order["new_each_second"] else []
        await asyncio.sleep(self.order["seconds"])
        self.measuring = False
        seconds, spent = time.perf_counter() - began, time.process_time() - spent
        print("end", flush=True)
        for maker in makers:
            maker.cancel()
        self.over = True
        return {
            "seconds": seconds, "times": sorted(self.times), "seen": sorted(self.seen_times), "made": sorted(self.made),
            "problems": self.problems[:5], "spent": spent,
        }  # fmt: skip

    # --- new games ---

    async def _make(self) -> None:
        """Make games as fast as they end: made by one player, joined by another, played from the first answer on."""
        pause = 1 / self.order["new_each_second"]
        number = 500_000
        running = set()
        while True:
            running.add(asyncio.create_task(self._one(number)))
            number += 1
            await asyncio.sleep(pause)

    async def _one(self, number: int) -> None:
        cookies = tuple(f"player-{number:06}-{seat}-".ljust(43, "x") for seat in range(2))
        recording = number % len(self.orders)
        began = time.perf_counter()
        made = await self._post("/api/games", self.orders[recording], cookies[0])
        join = json.dumps({"invite": made["invite"], "nonce": self.order["nonce"]})
        await self._post("/api/join", join, cookies[1])
        game = Game(self, made["game"], recording, 1, cookies)  # type: ignore[arg-type]
        await game.open()
        await game.ready.wait()
        self.made.append((time.perf_counter() - began) * 1000)
        game.begin(self.every)

    async def _post(self, path: str, body: str, cookie: str) -> Any:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        data = body.encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: shieldwall={cookie}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode() + data)
        answer = await reader.read()
        writer.close()
        top, _, rest = answer.partition(b"\r\n\r\n")
        if b" 200 " not in top.split(b"\r\n", 1)[0]:
            self.problems.append(rest.decode(errors="replace")[:300])
            raise OSError(path)
        return json.loads(rest)


def main() -> None:
    """Play what the file says."""
    order = json.loads(Path(sys.argv[1]).read_text())
    found = asyncio.run(Load(order).run())
    Path(sys.argv[2]).write_text(json.dumps(found))
    sys.stdout.flush()
    os._exit(0)  # hundreds of sockets need not be closed one by one


if __name__ == "__main__":
    main()
