"""Sphinx configuration: `python3 dev.py docs` builds the documentation into build/docs, without a network."""

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import command_reference  # noqa: E402  (beside this file, which Sphinx reads as a script)

from shieldwall import __version__  # noqa: E402

project = "Shieldwall"
author = copyright = "Shieldwall contributors"
version = release = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
source_suffix = {".md": "markdown"}
root_doc = "index"
html_theme = "furo"
html_title = f"Shieldwall {__version__}"
html_static_path: list[str] = []
html_show_sphinx = False
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
myst_all_links_external = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"
suppress_warnings = ["myst.xref_missing"]  # links to sources, which readers of the site do not have
nitpicky = False
default_role = "code"  # docstrings quote names as Markdown does

command_reference.write(HERE / "reference" / "commands.md")


def tables_as_lists(
    _app: object, _what: str, _name: str, _item: object, _options: object, lines: list[str]
) -> None:
    """Convert Markdown tables in docstrings to what Sphinx understands."""
    out: list[str] = []
    for line in lines:
        if not line.startswith("|"):
            out.append(line)
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if set("".join(cells)) <= set("-: "):
            continue
        if not out or not out[-1].startswith("   "):
            out += ["", ".. list-table::", "   :header-rows: 1", ""]
        out += [f"   {'* -' if number == 0 else '  -'} {cell}" for number, cell in enumerate(cells)]
    lines[:] = out


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", tables_as_lists)
