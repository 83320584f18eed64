"""The socket of a game: reads messages, answers questions, sends what the room broadcasts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from shieldwall.core.codec import encode
from shieldwall.core.errors import MalformedError
from shieldwall.server import jobs
from shieldwall.server.budgets import address_group
from shieldwall.server.connections import LINE
from shieldwall.server.identity import Player
from shieldwall.server.lessons_in_play import coach_plan
from shieldwall.server.limits import TooLargeError, question_problems, read
from shieldwall.server.lobby import ElsewhereError, Lobby, NotFoundError
from shieldwall.server.logs import SHORT
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
from shieldwall.server.msgspec_fastapi import DAMAGED, NOT_STORED, OTHER_VERSION
from shieldwall.server.opponents import helper
from shieldwall.server.overlays import NotThereError
from shieldwall.server.refusals import NotNowError, from_malformed
from shieldwall.server.room import MOVED, Room
from shieldwall.server.storage import DamagedError, StorageError
from shieldwall.server.viewer import Question, Viewer

LOG = logging.getLogger("shieldwall.server")
MESSAGES: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
FAULTS_ALLOWED = 20
THROTTLED_AT_MOST = 5.0  # seconds


async def serve_socket(lobby: Lobby, socket: WebSocket, game: str, player: Player) -> None:
    """Serve one socket until it closes."""
    address = address_group(socket.client.host) if socket.client is not None else ""
    place = lobby.places.reserve(address, player.id, time.monotonic())
    if place is None or not lobby.budgets.take("requests", 1, player.id, address):
        if place is not None:
            lobby.places.release(place)
        await socket.close(1013, "too many connections")
        return
    try:
        room = await _opened(lobby, socket, game)
        viewer = Viewer(socket.scope["extensions"][LINE], player.id, address, lobby.budgets)
        viewer.place = place
        if room is None:
            return
        if not lobby.places.settle(place, bool(room.seats_of(player.id)), viewer.make_room):
            await socket.close(1013, "the server is full; try again later")
            return
        await socket.accept()
        await _served(room, socket, viewer)
    finally:
        lobby.places.release(place)


async def _opened(lobby: Lobby, socket: WebSocket, game: str) -> Room | None:
    """The room of a game; None, after an explanation was sent, if it cannot be shown."""
    try:
        return await lobby.room(game)
    except NotFoundError:
        await socket.close(4404, "there is no such game here")
    except ElsewhereError:
        await _turned_away(socket, MOVED, True)
    except (DamagedError, StorageError) as error:
        LOG.warning("a game cannot be opened: %s", error, extra={"game": game[:SHORT]})
        words = NOT_STORED if isinstance(error, StorageError) else DAMAGED
        if isinstance(error, DriftError) and error.other_rules:
            words = OTHER_VERSION
        await _turned_away(socket, words, isinstance(error, StorageError))
    return None


async def _turned_away(socket: WebSocket, words: str, again: bool) -> None:
    await socket.accept()
    await socket.send_text(encode(Goodbye(words, again)).decode())
    await socket.close(1000)


async def _served(room: Room, socket: WebSocket, viewer: Viewer) -> None:
    room.enter(viewer)
    tasks = [
        asyncio.create_task(_read(socket, room, viewer)),
        asyncio.create_task(viewer.closing.wait()),
        asyncio.create_task(_answer_questions(room, viewer)),
        asyncio.create_task(_answer_hints(room, viewer)),
    ]
    try:
        await asyncio.wait(tasks[:2], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        room.leave(viewer)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(1001 if viewer.closing.is_set() else 1000)


async def _read(socket: WebSocket, room: Room, viewer: Viewer) -> None:
    """Read messages; invalid ones are refused, and too many of them end the connection."""
    faults = 0
    greeted = False
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(viewer.budgets.limits.hello_seconds) as patience:
            while faults <= FAULTS_ALLOWED:
                data = await _received(socket)
                if data is None:
                    return
                await _throttled(viewer, patience)
                try:
                    message = read(data, MESSAGES, "message")
                except MalformedError as error:
                    large = isinstance(error, TooLargeError)
                    viewer.send(_refusal(room, from_malformed(error, "too_large" if large else "malformed")))
                    faults += 1
                    continue
                if isinstance(message, Hello) and not greeted:
                    greeted = True
                    patience.reschedule(None)
                _take(room, viewer, message, greeted)
            viewer.drop("too many invalid messages")


async def _throttled(viewer: Viewer, patience: asyncio.Timeout) -> None:
    """Read more slowly from clients that send too much; this does not shorten their time to say hello."""
    viewer.spend("messages", 1)
    wait = min(viewer.wait("messages"), THROTTLED_AT_MOST)
    if wait:
        end = patience.when()
        patience.reschedule(end + wait if end is not None else None)
        await asyncio.sleep(wait)


async def _received(socket: WebSocket) -> bytes | None:
    """The next message; None if the other side is gone."""
    try:
        message = await socket.receive()
    except (WebSocketDisconnect, RuntimeError):
        return None
    if message["type"] == "websocket.disconnect":
        return None
    text = message.get("text")
    return text.encode() if text is not None else message.get("bytes") or b""


def _take(room: Room, viewer: Viewer, message: ClientMessage, greeted: bool) -> None:
    match message:
        case Ping():
            viewer.send(Pong(message.id))
        case Preview() | Overlay() | Measure() | Hint():
            problems = question_problems(message)
            if problems:
                viewer.send(_refusal(room, NotNowError("malformed", *problems), message.id))
            elif not (viewer.ask_hint(message) if isinstance(message, Hint) else viewer.ask(message)):
                viewer.send(_refusal(room, NotNowError("busy", "too many questions at once"), message.id))
        case _ if not greeted:
            viewer.send(_refusal(room, NotNowError("malformed", "say hello first")))
        case Hello() if not viewer.allows("bytes"):
            viewer.send(
                _refusal(room, NotNowError("too_fast", "the whole table was requested too often; wait"))
            )
        case _ if not viewer.allows("commands"):
            error = NotNowError("too_fast", "too many commands; wait a moment")
            viewer.send(_refusal(room, error, command_id=getattr(message, "command_id", "")))
        case _:
            room.submit(viewer, message)


def _refusal(room: Room, error: NotNowError, id: int = -1, command_id: str = "") -> Refused:
    return Refused(error.code, error.reasons, room.seq, room.hash, command_id, id)


# --- questions that change nothing ---


async def _answer_questions(room: Room, viewer: Viewer) -> None:
    """Answer previews and other questions one after another, within the player's time budget."""
    while True:
        question = viewer.newest(await viewer.questions.get())
        try:
            if not viewer.allows("questions"):
                raise NotNowError("too_fast", "too many questions; wait a moment")
            began = time.perf_counter()
            found = await _asked(room, viewer, question)
            taken = time.perf_counter() - began
            viewer.spend("questions", taken * 1000)
            room.workers.metrics.question(room.row.id, type(question).__name__.lower(), taken)
            viewer.send(found)
        except NotNowError as error:
            viewer.send(_refusal(room, error, question.id))
        except NotThereError as error:
            viewer.send(_refusal(room, NotNowError("illegal", str(error)), question.id))
        except asyncio.CancelledError:
            raise
        except Exception:
            kind = type(question).__name__.lower()
            LOG.exception("a question failed", extra={"game": room.row.id[:SHORT], "kind": kind})
            viewer.send(_refusal(room, NotNowError("failed", "this could not be computed"), question.id))


async def _answer_hints(room: Room, viewer: Viewer) -> None:
    """Answer hints one by one, separately from the questions that a drag waits for."""
    while True:
        question = await viewer.hints.get()
        try:
            viewer.send(await _asked(room, viewer, question))
        except NotNowError as error:
            viewer.send(_refusal(room, error, question.id))
        except asyncio.CancelledError:
            raise
        except Exception:
            LOG.exception("a hint failed", extra={"game": room.row.id[:SHORT]})
            viewer.send(_refusal(room, NotNowError("failed", "this could not be computed"), question.id))


async def _asked(room: Room, viewer: Viewer, question: Question) -> FromServer:
    if room.live is None:
        raise NotNowError("waiting", "the game waits for the other player")
    match question:
        case Overlay():
            return await room.ask(jobs.overlay, question)
        case Measure():
            return await room.ask(jobs.measure, question)
        case _:
            return await _for_the_asked(room, viewer, question)


async def _for_the_asked(room: Room, viewer: Viewer, question: Preview | Hint) -> FromServer:
    """Previews and hints are for the seat that is asked; nobody may try out another player's moves."""
    assert room.live is not None
    pending = room.live.head.pending
    if pending is None or room.live.status == "over":
        raise NotNowError("over", "the game is over; nothing is asked")
    if pending.seat not in room.seats_of(viewer.player):
        raise NotNowError("not_your_seat", "this question is for the other player")
    if isinstance(question, Preview):
        found = await room.ask(jobs.preview, question)
        if found is None:
            raise NotNowError("stale", "the game has moved on")
        return found
    seq = room.seq
    if question.answers:
        words = await room.think(jobs.move_warning, question.answers)
        return Hinted(question.id, seq, (), words)
    if room.is_lesson:
        state = room.live.head.state
        plan = await room.workers.engine(lambda: coach_plan(room.battle, state))
        return Hinted(question.id, seq, plan, "Like this. Press the button to play it.")
    thought = await room.think(jobs.hint, helper(), pending.seat)
    if thought is None:
        raise NotNowError("stale", "the game has moved on")
    return Hinted(question.id, seq, thought.answers, thought.why)
