"""FastAPI with msgspec: the strict decoders read bodies, the codec writes answers, and the same structs describe both
in `/api/openapi.json`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from shieldwall import __version__
from shieldwall.core.codec import encode
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.server.budgets import Budgets, address_group
from shieldwall.server.identity import Player
from shieldwall.server.limits import BODY_BYTES, TooLargeError, read
from shieldwall.server.lobby import NotFoundError
from shieldwall.server.match import DriftError
from shieldwall.server.pages import Problem
from shieldwall.server.refusals import NotNowError
from shieldwall.server.storage import DamagedError, StorageError
from shieldwall.server.views import Reason
from shieldwall.server.workers import ASKER, Asker, Encoded

LOG = logging.getLogger("shieldwall.server")
JSON = "application/json"
BODY_SECONDS = 5.0  # before a body starts to arrive
BODY_RATE = 64 * 1024  # the bytes per second at which it must arrive
STATUS = {"not_your_seat": 403, "malformed": 400, "too_large": 413, "too_fast": 429, "busy": 409}
WORDS = {
    400: "The request is invalid; every reason is given",
    403: "Not yours",
    404: "Not there",
    409: "Not now",
    413: "Too large",
    429: "Too fast",
    503: "Storage is unavailable; nothing has changed",
}
# Possible answers to each kind of request, besides success.
USUAL = (400, 403, 404, 409, 413, 429, 503)

NOT_STORED = (
    "the server could not store or read this, its disk may be full; nothing has changed, try again later"
)
DAMAGED = "this game is damaged; the server's operator may be able to rescue it"
OTHER_VERSION = "this game was played with other rules and cannot be replayed"

Handler = Callable[..., Awaitable[object]]


class Api:
    """Registers routes and remembers their types."""

    def __init__(self, app: FastAPI, identify: Callable[[Request], Player], budgets: Budgets) -> None:
        self.app = app
        self.budgets = budgets
        self.identify = identify
        self._types: list[Any] = [Problem]
        self._routes: list[tuple[str, str, Any, Any]] = []
        app.openapi = self.openapi  # type: ignore[method-assign]

    def add(
        self,
        method: str,
        path: str,
        handler: Handler,
        answer: Any,
        body: Any = None,
        raw: int = 0,
        query: tuple[dict[str, Any], ...] = (),
        returns: str = JSON,
    ) -> None:
        """Add a route. `raw` accepts up to that many bytes as they are, instead of a typed body."""
        decoder = msgspec.json.Decoder(body) if body is not None else None

        async def endpoint(request: Request) -> Response:
            player, address = self.identify(request), address_of(request)
            ASKER.set(Asker(player.id, address))
            try:
                if not self.budgets.take("requests", 1, player.id, address):
                    raise NotNowError("too_fast", "too many requests; wait a few seconds and try again")
                given: dict[str, Any] = dict(request.path_params)
                if not self.budgets.allows("bytes", player.id, address):
                    raise NotNowError("too_fast", "too much data was sent or requested; wait a few seconds")
                if raw or decoder is not None:
                    data = await limited(request, raw or BODY_BYTES)
                    self.budgets.charge("bytes", len(data), player.id, address)
                    given |= {"data": data} if decoder is None else {"body": _body(data, decoder)}
                given |= {parameter["name"]: _parameter(request, parameter) for parameter in query}
                found = await handler(player=player, **given)
            except Exception as error:
                return refusal(error)
            reply = _reply(found)
            self.budgets.charge("bytes", len(reply.body), player.id, address)
            return reply

        self._types += [kind for kind in (answer, body) if kind is not None]
        self.app.add_api_route(
            path,
            endpoint,
            methods=[method],
            name=handler.__name__,
            summary=(handler.__doc__ or "").strip().split("\n")[0],
            operation_id=f"{method.lower()}_{handler.__name__}",
            openapi_extra={"x-answer": len(self._routes), "parameters": _described(path, query)},
            response_class=Response,
        )
        self._routes.append((returns, "raw" if raw else "", answer, body))

    def openapi(self) -> dict[str, Any]:
        """The description of the HTTP side."""
        if self.app.openapi_schema:
            return self.app.openapi_schema
        found = get_openapi(title="Shieldwall", version=__version__, routes=self.app.routes)
        template = "#/components/schemas/{name}"
        _, components = msgspec.json.schema_components(self._types, ref_template=template)
        found["components"] = {"schemas": components}
        for methods in found["paths"].values():
            for operation in methods.values():
                number = operation.pop("x-answer", None)
                if number is not None:
                    self._describe(operation, number, template)
        self.app.openapi_schema = found
        return found

    def _describe(self, operation: dict[str, Any], number: int, template: str) -> None:
        returns, raw, answer, body = self._routes[number]

        def schema(kind: Any) -> dict[str, Any]:
            (described,), _ = msgspec.json.schema_components([kind], ref_template=template)
            return described

        shown = schema(answer) if answer is not None else {}
        operation["responses"] = {"200": {"description": "Done", "content": {returns: {"schema": shown}}}}
        problem = {"content": {JSON: {"schema": schema(Problem)}}}
        operation["responses"] |= {str(code): {"description": WORDS[code], **problem} for code in USUAL}
        if body is not None:
            content = {JSON: {"schema": schema(body)}}
            operation["requestBody"] = {"required": True, "content": content}
        elif raw:
            plain = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
            operation["requestBody"] = {"required": True, "content": plain}


def _body(data: bytes, decoder: msgspec.json.Decoder[Any]) -> Any:
    return read(data, decoder, "request", BODY_BYTES)


def _reply(found: object) -> Response:
    if isinstance(found, Response):
        return found
    return Response(found.data if isinstance(found, Encoded) else encode(found), media_type=JSON)


def _described(path: str, query: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    names = [part[1:-1].split(":")[0] for part in path.split("/") if part.startswith("{")]
    ids = {"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[A-Za-z0-9._:-]+$"}
    return [
        *({"name": name, "in": "path", "required": True, "schema": ids} for name in names),
        *({"in": "query", "required": False, **parameter} for parameter in query),
    ]


def _parameter(request: Request, parameter: dict[str, Any]) -> Any:
    """A query parameter, checked against its schema."""
    name, schema = parameter["name"], parameter["schema"]
    given = request.query_params.get(name)
    if given is None:
        return schema.get("default", "")
    if schema["type"] == "integer":
        whole = given.lstrip("-")
        if not (whole.isascii() and whole.isdigit() and len(whole) < 12):
            raise NotNowError("malformed", f"{name} must be a whole number, not {given[:40]!r}")
        number = int(given)
        if not schema["minimum"] <= number <= schema["maximum"]:
            raise NotNowError("malformed", f"{name} goes from {schema['minimum']} to {schema['maximum']}")
        return number
    if len(given) > schema["maxLength"]:
        raise NotNowError("malformed", f"{name} is longer than {schema['maxLength']} characters")
    if "enum" in schema and given not in schema["enum"]:
        raise NotNowError("malformed", f"{name} is {given[:40]!r}; it can be {', '.join(schema['enum'])}")
    return given


async def limited(request: Request, most: int) -> bytes:
    """The body of a request, limited in size and time."""
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS) as limit:
            began = asyncio.get_running_loop().time()
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise TooLargeError("request", [f"more than the {most} bytes allowed"])
                parts.append(part)
                limit.reschedule(began + BODY_SECONDS + size / BODY_RATE)
    except TimeoutError as error:
        raise NotNowError("malformed", "the request took too long to arrive") from error
    return b"".join(parts)


def address_of(request: Request) -> str:
    """The client's address, as budgets count it."""
    return address_group(request.client.host) if request.client is not None else ""


def refusal(error: Exception) -> Response:
    """A refusal as an answer; faults of ours are passed on unchanged."""
    match error:
        case NotNowError():
            return problem(STATUS.get(error.code, 409), error.code, error.reasons)
        case DriftError() if error.other_rules:
            return problem(409, "other_version", (Reason(OTHER_VERSION), Reason(str(error))))
        case StorageError():
            LOG.error("storage failed: %s", error)
            return problem(503, "failed", (Reason(NOT_STORED),))
        case DamagedError():
            return problem(409, "damaged", (Reason(DAMAGED),))
        case NotFoundError():
            return problem(404, "not_found", (Reason(str(error)),))
        case TooLargeError():
            return problem(413, "too_large", tuple(Reason(text) for text in error.problems))
        case MalformedError():
            return problem(400, "malformed", tuple(Reason(text) for text in error.problems))
        case ShieldwallError():
            return problem(400, "malformed", (Reason(str(error)),))
        case _:
            raise error


def problem(status: int, code: str, reasons: tuple[Reason, ...]) -> Response:
    """A problem as JSON."""
    return Response(encode(Problem(code, reasons)), status, media_type=JSON)
