"""A newcomer's first commands with an installed Shieldwall; `python3 dev.py wheel` runs them in an empty
environment."""

import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(sys.executable).parent
ODDS = ["odds", "10x Q4 A1 AP(1)", "vs", "10x D4 A1"]
ODDS_WITHIN = 0.5  # seconds of processor time, the start of Python included
PAGE_WITHIN = 30  # seconds


def main() -> None:
    """Stop at the first thing that does not work."""
    assert "site-packages" in _run(sys.executable, "-c", "import shieldwall; print(shieldwall.__file__)")
    # A warning, here an error, would say that the geometry is not compiled.
    _run(
        sys.executable,
        "-W",
        "error::RuntimeWarning",
        "-c",
        "import shieldwall.bots.simulation, shieldwall.geometry",
    )
    print(_shieldwall("--version").strip())
    _shieldwall(*ODDS)  # the very first call writes bytecode
    used = min(_processor_seconds(ODDS) for _ in range(5))
    print(f"odds answered in {used:.2f} s")
    assert used <= ODDS_WITHIN, f"odds took {used:.2f} s, at most {ODDS_WITHIN} s are expected"
    assert "won" in _shieldwall("battle", "--seed", "7", "--bots", "solo,random")
    _serve_the_page()
    print("the page was served")


def _shieldwall(*words: str) -> str:
    return _run(str(HERE / "shieldwall"), *words)


def _run(*command: str) -> str:
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with code {answer.returncode}:\n{answer.stdout}{answer.stderr}")
    return answer.stdout


def _processor_seconds(words: list[str]) -> float:
    before = os.times()
    _shieldwall(*words)
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def _serve_the_page() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [
            str(HERE / "shieldwall"),
            "play",
            "--no-browser",
            "--port",
            "0",
            "--db",
            f"sqlite:///{folder}/games.db",
        ]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            page = _first_page(server)
            assert "<script" in page, page[:200]
        finally:
            server.terminate()
            server.wait(timeout=PAGE_WITHIN)


def _first_page(server: "subprocess.Popen[str]") -> str:
    assert server.stdout is not None
    started = time.monotonic()
    told = ""
    while time.monotonic() - started < PAGE_WITHIN:
        told += server.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+\S*", told)
        if address is not None:
            with urllib.request.urlopen(address[0], timeout=PAGE_WITHIN) as answer:
                assert answer.status == 200
                return str(answer.read(), "utf-8")
    sys.exit(f"the server named no address within {PAGE_WITHIN} s:\n{told}")


if __name__ == "__main__":
    main()
