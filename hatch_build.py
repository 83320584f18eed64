"""Builds the page into wheels and source archives, so that whoever installs Shieldwall needs no Node."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src/shieldwall/server/static/index.html")


class PageHook(BuildHookInterface[Any]):
    """Runs `npm ci && npm run build` once for each archive; never for editable installs."""

    PLUGIN_NAME = "page"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make sure that the page is there; a source archive already holds it."""
        root = Path(self.root)
        if version == "editable" or not (root / "web" / "package.json").is_file():
            return
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError("building the page needs Node 20.19 or newer with npm; see web/README.md")
        for command in ([npm, "ci"], [npm, "run", "build"]):
            subprocess.run(command, cwd=root / "web", check=True)
        if not (root / STATIC).is_file():
            raise RuntimeError(f"npm built no {STATIC}")
