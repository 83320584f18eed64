"""The page's own code: its types and its arithmetic."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"


@pytest.mark.parametrize("job", ["test", "check"])
def test_the_pages_own_tests_and_types_are_clean(job: str) -> None:
    beside = str(Path(sys.executable).parent)  # a Node pinned for .venv lies beside its Python
    path = os.pathsep.join([os.environ.get("PATH", ""), beside])
    npm = shutil.which("npm", path=path)
    assert npm is not None, "no npm found; `python3 dev.py test` installs one"
    done = subprocess.run(
        [npm, "run", job],
        cwd=WEB,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
