"""`shieldwall serve`: a small public server, meant to run behind a reverse proxy."""

from __future__ import annotations

from typing import Annotated

import typer

from shieldwall.cli.play import PORT, default_database


def serve(
    *,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, metavar="PORT")] = PORT,
    db: Annotated[
        str,
        typer.Option(
            "--db", metavar="URL", help="Where games are stored: sqlite:///path or postgresql://..."
        ),
    ] = "",
    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="HOST", help="A host name that players use; may be repeated."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy",
            metavar="ADDRESS",
            help="The reverse proxy, the only one trusted for forwarded addresses. May be repeated.",
        ),
    ] = None,
    https: Annotated[
        bool, typer.Option("--https", help="Players connect by https; cookies are sent only over https.")
    ] = False,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Serve /health and /metrics; do not expose them to the public.")
    ] = False,
    json_log: Annotated[bool, typer.Option("--json-log", help="Write the log as JSON lines.")] = False,
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            min=1,
            max=64,
            metavar="N",
            help="The number of processes that share the games; needs PostgreSQL.",
        ),
    ] = 1,
    inside: Annotated[
        str,
        typer.Option(
            "--inside",
            metavar="ADDRESS",
            help="The address at which other servers with the same database reach this one. Not for the public.",
        ),
    ] = "127.0.0.1",
) -> None:
    """Run a public server until it is stopped; games are stored in the database."""
    from shieldwall.server.serving import Serving
    from shieldwall.server.serving import serve as run

    order = Serving(host, port, db or default_database(), browser=False)
    run(
        order._replace(
            names=tuple(name or ()),
            proxies=tuple(proxy or ()),
            secure=https,
            watched=metrics,
            json_log=json_log,
            processes=workers,
            inside=inside,
        )
    )
