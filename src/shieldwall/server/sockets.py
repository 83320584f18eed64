"""The socket of a game: reads messages, answers questions, writes what the room has to say."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from shieldwall.core.codec import encode
from shieldwall.core.errors import MalformedError
from shieldwall.server import jobs
from shieldwall.server.identity import Player
from shieldwall.server.limits import TooLargeError, read
from shieldwall.server.lobby import Lobby, NotFoundError
from shieldwall.server.match import DriftError
from shieldwall.server.messages import (
    ClientMessage,
    FromServer,
    Goodbye,
    Hello,
    Hint,
    Hinted,
    Measure,
    Overlay,
    Ping,
    Pong,
    Preview,
    Refused,
)
from shieldwall.server.msgspec_fastapi import OTHER_VERSION
from shieldwall.server.opponents import helper
from shieldwall.server.overlays import NotThereError
from shieldwall.server.refusals import NotNowError, from_malformed
from shieldwall.server.room import Room
from shieldwall.server.viewer import Question, Viewer

LOG = logging.getLogger("shieldwall.server")
MESSAGES: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
HELLO_SECONDS = 15.0
SEND_SECONDS = 20.0
FAULTS_ALLOWED = 20
SOCKETS_EACH = 40
SOCKETS_IN_ALL = 1500

_open: Counter[str] = Counter()


async def serve_socket(lobby: Lobby, socket: WebSocket, game: str, player: Player) -> None:
    """Serve one socket to its end."""
    address = socket.client.host if socket.client is not None else ""
    if _open[address] >= SOCKETS_EACH or _open.total() >= SOCKETS_IN_ALL:
        await socket.close(1013, "too many connections")
        return
    try:
        room = await lobby.room(game)
    except NotFoundError:
        await socket.close(4404, "there is no such game here")
        return
    except DriftError as error:
        LOG.warning("game %s cannot be opened: %s", game, error)
        await socket.accept()
        await socket.send_text(encode(Goodbye(OTHER_VERSION, again=False)).decode())
        await socket.close(1000)
        return
    await socket.accept()
    viewer = Viewer(player.id, address)
    _open[address] += 1
    room.enter(viewer)
    tasks = [
        asyncio.create_task(_write(socket, viewer)),
        asyncio.create_task(_read(socket, room, viewer)),
        asyncio.create_task(_answer_questions(room, viewer)),
    ]
    try:
        await asyncio.wait(tasks[:2], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        room.leave(viewer)
        _open[address] -= 1
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(1001 if viewer.closing.is_set() else 1000)


async def _write(socket: WebSocket, viewer: Viewer) -> None:
    """Send what is in line; who takes too long is gone."""
    while True:
        data = await viewer.outbox.get()
        if data is None:
            return
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await socket.send_text(data.decode())
        except (TimeoutError, RuntimeError, WebSocketDisconnect):
            return


async def _read(socket: WebSocket, room: Room, viewer: Viewer) -> None:
    """Take messages in; nonsense is refused, and too much of it ends the connection."""
    faults = 0
    greeted = False
    while True:
        try:
            async with asyncio.timeout(None if greeted else HELLO_SECONDS):
                data = await _received(socket)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            return
        try:
            message = read(data, MESSAGES, "message")
        except TooLargeError as error:
            viewer.send(_refusal(room, from_malformed(error, "too_large")))
            faults += 1
        except MalformedError as error:
            viewer.send(_refusal(room, from_malformed(error)))
            faults += 1
        else:
            greeted = greeted or isinstance(message, Hello)
            _take(room, viewer, message, greeted)
        if faults > FAULTS_ALLOWED:
            viewer.drop("too many messages made no sense")
            await asyncio.sleep(0.1)
            return


async def _received(socket: WebSocket) -> bytes:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    return text.encode() if text is not None else message.get("bytes") or b""


def _take(room: Room, viewer: Viewer, message: ClientMessage, greeted: bool) -> None:
    match message:
        case Ping():
            viewer.send(Pong(message.id))
        case Preview() | Overlay() | Measure() | Hint():
            if not viewer.ask(message):
                viewer.send(_refusal(room, NotNowError("busy", "too many questions at once"), message.id))
        case _ if not greeted:
            viewer.send(_refusal(room, NotNowError("malformed", "say hello first")))
        case _:
            room.submit(viewer, message)


def _refusal(room: Room, error: NotNowError, id: int = -1) -> Refused:
    return Refused(error.code, error.reasons, room.seq, room.hash, id=id)


# --- questions that change nothing ---


async def _answer_questions(room: Room, viewer: Viewer) -> None:
    """Answer previews and the like one after another, within the player's budget of time."""
    while True:
        question = viewer.newest(await viewer.questions.get())
        try:
            if not viewer.may_ask():
                raise NotNowError("too_fast", "too many questions; wait a moment")
            began = time.perf_counter()
            found = await _asked(room, viewer, question)
            viewer.charge((time.perf_counter() - began) * 1000)
            viewer.send(found)
        except NotNowError as error:
            viewer.send(_refusal(room, error, question.id))
        except NotThereError as error:
            viewer.send(_refusal(room, NotNowError("illegal", str(error)), question.id))
        except asyncio.CancelledError:
            raise
        except Exception:
            LOG.exception("game %s: a question failed: %r", room.row.id, question)
            viewer.send(_refusal(room, NotNowError("failed", "this could not be worked out"), question.id))


async def _asked(room: Room, viewer: Viewer, question: Question) -> FromServer:
    position = room.position()
    if position is None:
        raise NotNowError("waiting", "the game waits for the other player")
    match question:
        case Overlay():
            return await room.workers.ask(jobs.overlay, position, question)
        case Measure():
            return await room.workers.ask(jobs.measure, position, question)
        case _:
            return await _for_the_asked(room, viewer, question, position)


async def _for_the_asked(
    room: Room, viewer: Viewer, question: Preview | Hint, position: jobs.Position
) -> FromServer:
    """Previews and hints are for the seat whose question it is; nobody tries out another's moves."""
    assert room.live is not None
    pending = room.live.head.pending
    if pending is None or room.live.status == "over":
        raise NotNowError("over", "the game is over; nothing is asked")
    if pending.seat not in room.seats_of(viewer.player):
        raise NotNowError("not_your_seat", "this question is for the other player")
    if isinstance(question, Preview):
        found = await room.workers.ask(jobs.preview, position, question)
        if found is None:
            raise NotNowError("stale", "the game has moved on")
        return found
    thought = await room.workers.think(jobs.hint, position, helper(), pending.seat)
    if thought is None:
        raise NotNowError("stale", "the game has moved on")
    return Hinted(question.id, position.seq, thought.answer, thought.why or "The plainest good answer.")
