"""How the documentation is built: `python3 dev.py docs` puts it into build/docs, without a network."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import command_reference  # noqa: E402  (beside this file, which Sphinx reads as a script)

from shieldwall import __version__  # noqa: E402

project = "Shieldwall"
author = "Shieldwall contributors"
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

command_reference.write(HERE / "reference" / "commands.md")
