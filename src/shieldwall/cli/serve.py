"""`shieldwall serve`: a small public server, meant to run behind a reverse proxy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from shieldwall.cli.options import Database, with_options
from shieldwall.cli.play import PORT, default_database


@dataclass(frozen=True)
class ProxyOptions:
    """How players reach the server from outside."""

    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="HOST", help="A host name that players use; may be repeated."),
    ] = None
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy",
            metavar="ADDRESS",
            help="The reverse proxy, the only one trusted for forwarded addresses. May be repeated.",
        ),
    ] = None
    https: Annotated[
        bool, typer.Option("--https", help="Players connect by https; cookies are sent only over https.")
    ] = False


@dataclass(frozen=True)
class ProcessOptions:
    """How the server runs."""

    metrics: Annotated[
        bool, typer.Option("--metrics", help="Serve /health and /metrics; do not expose them to the public.")
    ] = False
    json_log: Annotated[bool, typer.Option("--json-log", help="Write the log as JSON lines.")] = False
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            min=1,
            max=64,
            metavar="N",
            help="The number of processes that share the games; needs PostgreSQL.",
        ),
    ] = 1
    inside: Annotated[
        str,
        typer.Option(
            "--inside",
            metavar="ADDRESS",
            help="The address at which other servers with the same database reach this one. Not for the public.",
        ),
    ] = "127.0.0.1"


@with_options
def serve(
    *,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, metavar="PORT", help="The port to listen on.")
    ] = PORT,
    db: Database = "",
    public: ProxyOptions,
    process: ProcessOptions,
) -> None:
    """Run a public server until it is stopped; games are stored in the database."""
    from shieldwall.server.serving import Serving
    from shieldwall.server.serving import serve as run

    run(
        Serving(
            host,
            port,
            db or default_database(),
            browser=False,
            names=tuple(public.name or ()),
            proxies=tuple(public.proxy or ()),
            secure=public.https,
            watched=process.metrics,
            json_log=process.json_log,
            processes=process.workers,
            inside=process.inside,
        )
    )
