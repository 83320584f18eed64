"""The files of the page, compressed once for browsers that take them so: nothing else may stand before the server."""

from __future__ import annotations

import gzip
import os
from functools import lru_cache

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

TEXTS = (".js", ".css", ".svg", ".json")
FILES_KEPT = 128  # more than a page has, and those of the build before it


class PageFiles(StaticFiles):
    """Files from a folder; texts are compressed when they are first asked for, and kept."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or that it has not changed, or that there is none."""
        found = await super().get_response(path, scope)
        if not isinstance(found, FileResponse) or not path.endswith(TEXTS):
            return found
        found.headers["vary"] = "accept-encoding"
        headers = Headers(scope=scope)
        wants_it = "gzip" in headers.get("accept-encoding", "") and "range" not in headers
        if not wants_it or scope["method"] != "GET" or found.stat_result is None:
            return found
        body = await to_thread.run_sync(_compressed, str(found.path), found.stat_result)
        kept = {name: value for name, value in found.headers.items() if name != "content-length"}
        etag = {"etag": f"W/{kept['etag']}"} if "etag" in kept else {}
        return Response(body, headers=kept | etag | {"content-encoding": "gzip"})


def _compressed(path: str, stat: os.stat_result) -> bytes:
    return _read(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=FILES_KEPT)
def _read(path: str, changed: int, size: int) -> bytes:
    """A file as it was when it had this size, changed at this time."""
    with open(path, "rb") as file:
        return gzip.compress(file.read())
