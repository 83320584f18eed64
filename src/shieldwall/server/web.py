"""The web application: all routes, the page itself, and everything that lives as long as the server."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

from shieldwall import __version__
from shieldwall.server.analyses import Analyses
from shieldwall.server.analysis_handlers import AnalysisHandlers
from shieldwall.server.analysis_views import (
    AnalysisView,
    PuzzleAnswer,
    PuzzleList,
    PuzzleSolution,
    PuzzleTry,
    PuzzleVerdict,
    PuzzleView,
    WhatIf,
)
from shieldwall.server.army_handlers import ArmyHandlers
from shieldwall.server.budgets import Budgets, Limits
from shieldwall.server.campaign_views import CampaignMoment, CampaignView
from shieldwall.server.clocks import SpanKeeper
from shieldwall.server.cluster import Cluster
from shieldwall.server.connections import ConnectionGuard
from shieldwall.server.handlers import Handlers
from shieldwall.server.identity import Player, player_with
from shieldwall.server.lesson_handlers import LessonHandlers
from shieldwall.server.lesson_views import (
    EditionGuide,
    LessonCard,
    LessonView,
    SetBattleOrder,
    TopicCard,
    TopicView,
)
from shieldwall.server.limits import FILE_BYTES
from shieldwall.server.lobby import Lobby
from shieldwall.server.middleware import LOCAL_HOSTS, Middleware
from shieldwall.server.msgspec_fastapi import Api, problem
from shieldwall.server.page_files import PageFiles
from shieldwall.server.pages import (
    ArmyCard,
    GameCard,
    GameMade,
    GameResult,
    Home,
    Invitation,
    InviteCode,
    Join,
    Joined,
    NewGame,
    Opened,
    RematchOrder,
    Rename,
    Replay,
    TableProposal,
    TableRequest,
    TerrainKind,
)
from shieldwall.server.reference import (
    ArmyBody,
    ArmyFile,
    ArmyFileText,
    ArmyRepair,
    ArmyReport,
    BookCard,
    BookView,
    DiceProof,
    OddsAnswer,
    OddsRequest,
    RowView,
    RulesFound,
    SideBySide,
)
from shieldwall.server.sockets import serve_socket
from shieldwall.server.storage import DamagedError, StorageError, open_store
from shieldwall.server.storage.address import driver_address
from shieldwall.server.views import Reason
from shieldwall.server.workers import Workers

LOG = logging.getLogger("shieldwall.server")
STATIC = Path(__file__).parent / "static"
FILE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,80}", re.IGNORECASE)  # of files next to the page
SWEEP_SECONDS = 60
CLOSED_ENOUGH = 100  # closed rooms after which collecting their memory is worth a pause
HEALTH_SECONDS = 2.0
UNBUILT = """<!doctype html><title>Shieldwall</title><p>The page has not been built yet.
Run <code>python3 dev.py play</code>, which builds it, or <code>npm run build</code> in <code>web/</code>."""

TEXT: dict[str, Any] = {"type": "string", "maxLength": 200, "default": ""}
EDITION = {"name": "edition", "schema": {"type": "string", "maxLength": 40, "default": ""}}


def create_app(
    database: str,
    *,
    hosts: Iterable[str] = LOCAL_HOSTS,
    processes: bool = True,
    secure: bool = False,
    limits: Limits | None = None,
    watched: bool = False,
    inside: str = "",
) -> FastAPI:
    """The application for one database. Without `processes`, workers are threads, for tests.

    With `watched` there are `/health` and `/metrics` for the operator. `inside` is the address where other servers that
    share the database reach this one.
    """
    budgets = Budgets(limits)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = await open_store(database)
        workers = Workers(processes, budgets)
        spans = SpanKeeper(store)
        lobby = app.state.lobby = Lobby(store, workers, budgets, await spans.start())
        app.state.handlers = Handlers(lobby)
        analyses = Analyses(store, workers, budgets)
        app.state.analysis = AnalysisHandlers(app.state.handlers, analyses)
        if inside:
            await _joined(app, lobby, database, inside)
        sweeper = asyncio.create_task(_sweep(lobby))
        warming = asyncio.create_task(_warm(app, workers))
        tasks = [sweeper, warming]
        if watched:
            tasks.append(asyncio.create_task(workers.metrics.heartbeat.keep()))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            analyses.close()
            await lobby.close()
            workers.close()
            if lobby.cluster is not None:
                await lobby.cluster.close()
            await spans.stop()
            await store.close()

    app = FastAPI(
        title="Shieldwall",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    _routes(app, budgets)
    _socket(app)
    if watched:
        _watching(app)
    _page(app)
    app.add_exception_handler(HTTPException, _plain_refusal)
    app.add_middleware(Middleware, hosts=tuple(hosts), secure=secure)
    return app


async def _joined(app: FastAPI, lobby: Lobby, database: str, inside: str) -> None:
    """Join the servers that share the database."""
    cluster = Cluster(lobby.store, driver_address(database), inside, lobby.give_up, lobby.news)
    await cluster.start()
    lobby.cluster = cluster
    guard: ConnectionGuard = app.state.guard
    guard.joined(cluster)


async def _warm(app: FastAPI, workers: Workers) -> None:
    """Load what the first visitor will ask for."""
    nobody = player_with(None)
    await asyncio.gather(app.state.handlers.home(nobody), workers.start())


async def _sweep(lobby: Lobby) -> None:
    closed = 0
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        try:
            closed += await lobby.sweep()
        except Exception:
            LOG.exception("closing idle games failed")
        if closed >= CLOSED_ENOUGH:
            closed = 0
            gc.collect()  # rooms and their tasks refer to each other, so only the collector frees them


async def _plain_refusal(request: Request, error: Exception) -> Response:
    """Unknown paths and methods, in the form of every other refusal."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    found = problem(status, "not_found" if status == 404 else "malformed", (Reason(_why(status)),))
    for name, value in (getattr(error, "headers", None) or {}).items():
        found.headers[name] = value
    return found


def _why(status: int) -> str:
    return {404: "not found", 405: "method not allowed"}.get(status, "not possible")


def _identify(request: Request) -> Player:
    found: Player = request.scope["state"]["player"]
    return found


_FOUND_AT: dict[type, Callable[[FastAPI], Any]] = {
    Handlers: lambda app: app.state.handlers,
    ArmyHandlers: lambda app: app.state.handlers.armies,
    LessonHandlers: lambda app: app.state.handlers.teaching,
    AnalysisHandlers: lambda app: app.state.analysis,
}


class _Late:
    """Handlers are created when the server starts; routes are registered before."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def __getattr__(self, name: str) -> Any:
        kind = next(kind for kind in _FOUND_AT if hasattr(kind, name))
        plain = getattr(kind, name)

        async def handler(**given: Any) -> object:
            return await getattr(_FOUND_AT[kind](self._app), name)(**given)

        handler.__name__, handler.__doc__ = name, plain.__doc__
        return handler


def _routes(app: FastAPI, budgets: Budgets) -> None:
    api, to = Api(app, _identify, budgets), _Late(app)
    add = api.add
    add("GET", "/api/home", to.home, Home)
    add("POST", "/api/me", to.rename, Home, Rename)
    add("POST", "/api/games", to.make_game, GameMade, NewGame)
    add("GET", "/api/games", to.games, list[GameCard])
    add("GET", "/api/games/{game}", to.game, GameCard)
    add("DELETE", "/api/games/{game}", to.hide_game, list[GameCard])
    add("POST", "/api/invitation", to.invitation, Invitation, InviteCode)
    add("POST", "/api/join", to.join, Joined, Join)
    add("POST", "/api/games/{game}/rematch", to.rematch, GameCard, RematchOrder)
    add("DELETE", "/api/games/{game}/rematch", to.decline_rematch, GameCard)
    add("GET", "/api/games/{game}/result", to.result, GameResult)
    add("GET", "/api/games/{game}/replay", to.replay, Replay)
    add("GET", "/api/games/{game}/file", to.file, None, returns="application/x-ndjson")
    add("POST", "/api/files", to.open_file, Opened, raw=FILE_BYTES)
    add("GET", "/api/games/{game}/dice", to.dice, DiceProof)
    add("GET", "/api/terrain/{edition}", to.terrain, list[TerrainKind])
    add("POST", "/api/tables", to.table, TableProposal, TableRequest)
    words = {"name": "words", "schema": TEXT}
    limit = {"name": "limit", "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}}
    add("GET", "/api/rules", to.rules, RulesFound, query=(words, EDITION, limit))
    add("GET", "/api/rules/{id}", to.rule, RowView)
    add("GET", "/api/compare", to.compare, SideBySide, query=(words,))
    _army_routes(api, to)
    _lesson_routes(api, to)
    _study_routes(api, to)


def _army_routes(api: Api, to: _Late) -> None:
    add = api.add
    add("GET", "/api/books", to.books, list[BookCard], query=(EDITION,))
    add("POST", "/api/books", to.add_book, list[BookCard], raw=FILE_BYTES)
    add("GET", "/api/books/{edition}/{book}", to.book, BookView)
    add("DELETE", "/api/books/{book}", to.delete_book, list[BookCard])
    add("GET", "/api/armies", to.mine, list[ArmyCard])
    add("POST", "/api/armies", to.save_army, ArmyReport, ArmyBody)
    add("POST", "/api/armies/check", to.check_army, ArmyReport, ArmyBody)
    add("POST", "/api/armies/repairs", to.repair_army, list[ArmyRepair], ArmyBody)
    add("POST", "/api/armies/import", to.import_army, ArmyReport, ArmyFileText)
    add("GET", "/api/armies/{army}", to.army, ArmyReport, query=(EDITION,))
    add("PUT", "/api/armies/{army}", to.replace_army, ArmyReport, ArmyBody)
    add("DELETE", "/api/armies/{army}", to.delete_army, list[ArmyCard])
    add("POST", "/api/armies/{army}/copy", to.copy_army, ArmyReport, query=(EDITION,))
    add("GET", "/api/armies/{army}/file", to.army_file, ArmyFile, query=(EDITION,))
    add("POST", "/api/odds", to.odds, OddsAnswer, OddsRequest)


def _lesson_routes(api: Api, to: _Late) -> None:
    add = api.add
    add("GET", "/api/lessons", to.lessons, list[LessonCard])
    add("GET", "/api/lessons/{lesson_id}", to.lesson, LessonView)
    add("GET", "/api/learn", to.topics, list[TopicCard], query=({"name": "words", "schema": TEXT},))
    add("GET", "/api/learn/{topic_id}", to.topic, TopicView, query=(EDITION,))
    known = {"name": "known", "schema": {"type": "string", "maxLength": 40, "default": ""}}
    add("GET", "/api/editions/{edition}", to.edition_guide, EditionGuide, query=(known,))
    add("GET", "/api/campaigns", to.campaigns, list[CampaignView])
    add("GET", "/api/games/{game}/campaign", to.campaign_moment, CampaignMoment)
    add("POST", "/api/battles", to.begin_battle, GameMade, SetBattleOrder)


def _study_routes(api: Api, to: _Late) -> None:
    add = api.add
    add("GET", "/api/games/{game}/analysis", to.analysis, AnalysisView)
    add("POST", "/api/games/{game}/analysis", to.begin_analysis, AnalysisView)
    add("POST", "/api/games/{game}/what-if", to.what_if, GameMade, WhatIf)
    add("GET", "/api/puzzles", to.puzzle_list, PuzzleList)
    add("GET", "/api/puzzles/{puzzle}", to.puzzle, PuzzleView)
    add("GET", "/api/puzzles/{puzzle}/solution", to.puzzle_solution, PuzzleSolution)
    add("POST", "/api/puzzles/{puzzle}/tries", to.try_puzzle, GameMade, PuzzleTry)
    add("POST", "/api/puzzles/{puzzle}/verdict", to.judge_puzzle, PuzzleVerdict, PuzzleAnswer)


def _socket(app: FastAPI) -> None:
    @app.websocket("/api/games/{game}/socket")
    async def game_socket(socket: WebSocket, game: str) -> None:
        await serve_socket(app.state.lobby, socket, game, socket.scope["state"]["player"])


def _watching(app: FastAPI) -> None:
    """Health and metrics for operators; a reverse proxy should not expose them."""

    async def health() -> Response:
        try:
            async with asyncio.timeout(HEALTH_SECONDS):
                await app.state.lobby.store.database.fetch("SELECT 1")
        except (StorageError, DamagedError, TimeoutError):
            return Response("the database does not answer\n", 503, media_type="text/plain")
        return Response("ok\n", media_type="text/plain")

    async def metrics() -> Response:
        lobby: Lobby = app.state.lobby
        return Response(lobby.workers.metrics.text(lobby), media_type="text/plain; version=0.0.4")

    app.add_api_route("/health", health, include_in_schema=False)
    app.add_api_route("/metrics", metrics, include_in_schema=False)


def _page(app: FastAPI) -> None:
    """The built client: its files, and its single page for every other address."""
    # not looked up yet: the page may be built while the server runs
    app.mount("/assets", PageFiles(directory=STATIC / "assets", check_dir=False), name="assets")

    async def page(path: str) -> Response:
        if path.startswith("api/"):
            raise HTTPException(404)
        if FILE_NAME.fullmatch(path) and (wanted := STATIC / path).is_file():
            return FileResponse(wanted)
        index = STATIC / "index.html"
        if not index.is_file():
            return Response(UNBUILT, media_type="text/html")
        return FileResponse(index, headers={"cache-control": "no-cache"})

    app.add_api_route("/{path:path}", page, include_in_schema=False, methods=["GET", "HEAD"])
