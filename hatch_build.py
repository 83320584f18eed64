"""Puts the built page and the compiled modules into wheels, so that installing needs no other tools."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src/shieldwall/server/static/index.html")


class PageHook(BuildHookInterface[Any]):
    """Builds the page unless it is there, and compiles for wheels; does nothing for editable installs."""

    PLUGIN_NAME = "page"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make sure that the page is built (a source archive contains it) and the geometry compiled."""
        root = Path(self.root)
        if version == "editable":
            return
        sys.path.insert(0, str(root))
        if self.target_name == "wheel":
            self._compile(root, build_data)
        self._build_page(root)

    def _compile(self, root: Path, build_data: dict[str, Any]) -> None:
        import ahead_of_time

        compiler = ahead_of_time.machine_compiler()
        if not compiler and importlib.util.find_spec("ziglang") is not None:
            compiler = [sys.executable, "-m", "ziglang", "cc"]
        if not compiler:
            raise RuntimeError(
                "building a wheel needs a C compiler: cc, gcc or clang, one named by $CC, or the package ziglang"
            )
        ahead_of_time.build(root / "build" / "ahead-of-time", compiler)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def _build_page(self, root: Path) -> None:
        import dev

        if not (root / "web" / "package.json").is_file() or dev.is_page_built():
            return
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError("building the page needs Node 20.19 or newer with npm; see web/README.md")
        for command in ([npm, "ci"], [npm, "run", "build"]):
            subprocess.run(command, cwd=root / "web", check=True)
        if not (root / STATIC).is_file():
            raise RuntimeError(f"npm built no {STATIC}")
