"""One worker process: jobs go in and results come out over a socket pair; a job has limits on time and memory.

Imports nothing heavy: the worker imports what a job needs when the first job arrives.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import multiprocessing.process
import os
import pickle
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from shieldwall.server.worker_lifetime import end_with_parent, interrupts_ignored, tune_collector

LENGTH = struct.Struct("!Q")
FULL_COLLECTION_AFTER = 100  # collections of newer objects: about ten million objects created
CLOCK_FACTOR = 6.0  # wall-clock limit as a multiple of a job's limit: others use the processor too


class WorkLimits(NamedTuple):
    """The limits of one job; 0 means no limit. `seconds` is processor time."""

    seconds: float = 0.0
    megabytes: int = 0

    def words(self, what: str) -> str:
        """What a job needs that exceeds its limit of "time" or "memory"."""
        if what == "memory":
            return f"more than {self.megabytes} MB of memory"
        return f"more than {self.seconds:g} s of processor time"


NO_LIMITS = WorkLimits()


class Done(NamedTuple):
    """A job's result, and the processor milliseconds it took."""

    value: Any
    ms: float


class WorkerDiedError(Exception):
    """The process ended in the middle of a job."""


class OverLimitError(Exception):
    """A job exceeded its limit on time or memory; it has no result."""


# --- in the worker ---


class _OutOfTimeError(BaseException):
    """Raised in the middle of a job; the job's own handlers do not catch it."""


def work(connection: socket.socket, parent: int, nice: int) -> None:
    """The worker's main loop: receive a job, run it, send the result."""
    end_with_parent(parent)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    calm = False
    with connection, connection.makefile("rb") as incoming:
        while True:
            head = incoming.read(LENGTH.size)
            if len(head) < LENGTH.size:
                return
            (length,) = LENGTH.unpack(head)
            answer = _answer_to(incoming.read(length))
            connection.sendall(LENGTH.pack(len(answer)) + answer)
            if not calm:  # the first job has imported everything
                calm = True
                tune_collector(FULL_COLLECTION_AFTER)


def _answer_to(data: bytes) -> bytes:
    began, limits = time.process_time(), NO_LIMITS
    try:
        job, given, limits = pickle.loads(data)
        with _limited(limits) if limits != NO_LIMITS else contextlib.nullcontext():
            found: tuple[bool, object] = True, job(*given)
    except (_OutOfTimeError, MemoryError) as error:
        found = False, OverLimitError(limits.words("memory" if isinstance(error, MemoryError) else "time"))
    except Exception as error:
        found = False, error
    ms = (time.process_time() - began) * 1000
    try:
        return pickle.dumps((*found, ms))
    except Exception as error:  # a result or an error that cannot be pickled
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}"), ms))


@contextlib.contextmanager
def _limited(limits: WorkLimits) -> Iterator[None]:
    """Limit the time and memory of the job inside, as far as this system allows."""
    with _memory(limits.megabytes):
        if not limits.seconds or not hasattr(signal, "setitimer"):
            yield
            return

        def out_of_time(*_: object) -> None:
            raise _OutOfTimeError

        signal.signal(signal.SIGPROF, out_of_time)
        signal.setitimer(signal.ITIMER_PROF, limits.seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


@contextlib.contextmanager
def _memory(megabytes: int) -> Iterator[None]:
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as sizes:
            used = int(sizes.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + megabytes * 2**20, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


# --- in the server ---


class WorkerProcess:
    """A worker as the server sees it. One job at a time; callers ensure that."""

    def __init__(self, nice: int = 0) -> None:
        ours, theirs = socket.socketpair()
        context = multiprocessing.get_context("spawn")
        self.process: multiprocessing.process.BaseProcess = context.Process(
            target=work, args=(theirs, os.getpid(), nice), daemon=True
        )
        with interrupts_ignored(), theirs:
            self.process.start()
        self._socket = ours
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, job: Callable[..., object], given: tuple[object, ...], limits: WorkLimits) -> Done:
        """Run a job. The process is gone after `WorkerDiedError`, and after a job that would not stop."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(sock=self._socket)
        reader, writer = self._streams
        data = pickle.dumps((job, given, limits))
        by_the_clock = limits.seconds * CLOCK_FACTOR if limits.seconds else None
        try:
            async with asyncio.timeout(by_the_clock):
                writer.write(LENGTH.pack(len(data)) + data)
                await writer.drain()
                (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
                answer = await reader.readexactly(length)
        except TimeoutError:
            self.kill()
            raise OverLimitError(limits.words("time")) from None
        except (asyncio.IncompleteReadError, ConnectionError, OSError) as error:
            self.kill()
            raise WorkerDiedError(job.__name__) from error
        except asyncio.CancelledError:
            self.kill()  # its answer would be mistaken for that to the next job
            raise
        good, value, ms = pickle.loads(answer)
        if not good:
            raise value
        return Done(value, ms)

    def kill(self) -> None:
        """Kill the process, whatever it is doing."""
        self.process.kill()
        if self._streams is not None:
            self._streams[1].close()
        else:
            self._socket.close()

    def join(self) -> None:
        """Wait until the process is gone."""
        self.process.join(5)
