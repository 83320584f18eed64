"""Checks in front of every request: allowed hosts and origins, the player's cookie, strict headers."""

from __future__ import annotations

from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shieldwall.server.identity import COOKIE, Player, player_with
from shieldwall.server.msgspec_fastapi import problem
from shieldwall.server.views import Reason

YEAR = 365 * 24 * 3600
LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]", "::1")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Middleware:
    """ASGI middleware. `hosts` are the names the server answers to; "*" allows any."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOCAL_HOSTS, secure: bool = False) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        why = self._objection(scope, headers)
        if why:
            await self._refuse(scope, receive, send, why)
            return
        player = player_with(_token(headers))
        scope.setdefault("state", {})["player"] = player

        async def sending(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                self._decorate(scope, player, MutableHeaders(scope=message))
            await send(message)

        await self.app(scope, receive, sending)

    def _objection(self, scope: Scope, headers: Headers) -> str:
        """Why a request is refused: an unknown host name (DNS rebinding) or another site's page (request forgery)."""
        host = headers.get("host", "")
        name = _split(f"//{host}").hostname or ""
        if "*" not in self.hosts and name not in self.hosts:
            return f"this server is not called {name[:60]!r}"
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope.get("method") not in SAFE_METHODS
        if changes and origin is not None and _split(origin).netloc != host:
            return "requests from other sites are not accepted"
        if changes and headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            return "requests from other sites are not accepted"
        return ""

    @staticmethod
    async def _refuse(scope: Scope, receive: Receive, send: Send, why: str) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": why})
        else:
            await problem(403, "foreign", (Reason(why),))(scope, receive, send)

    def _decorate(self, scope: Scope, player: Player, headers: MutableHeaders) -> None:
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        is_api = scope["path"].startswith("/api")
        if is_api:
            headers.setdefault("cache-control", "no-store")
        if is_api and player.fresh and not scope["path"].endswith("openapi.json"):
            secure = "; Secure" if self.secure else ""
            cookie = f"{COOKIE}={player.fresh}; Path=/api; Max-Age={YEAR}; HttpOnly; SameSite=Strict{secure}"
            headers.append("set-cookie", cookie)


def _split(url: str) -> SplitResult:
    """The parts of a URL; none if it is not a URL."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _token(headers: Headers) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return found.value if found is not None else None
