"""The notebooks of the documentation run from their first cell to the last."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook_runs(file: Path) -> None:
    cells = [
        cell for cell in json.loads(file.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"
    ]
    assert len(cells) >= 4
    names: dict[str, object] = {"__name__": "notebook"}
    for number, cell in enumerate(cells, start=1):
        assert cell["outputs"] == []  # stored outputs would be numbers that nothing re-measures
        exec(compile("".join(cell["source"]), f"{file.name}, cell {number}", "exec"), names)
