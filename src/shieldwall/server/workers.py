"""Worker processes: one for bots, one that answers a dragging hand at once, one for long jobs when they come up."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Literal, ParamSpec, TypeVar

from shieldwall.server import jobs
from shieldwall.server.refusals import NotNowError
from shieldwall.server.worker_lifetime import deaf_to_interrupts, end_with_parent

OFFICE_LINE = 16
Room = Literal["bots", "desk", "office"]

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """Runs jobs off the event loop. A worker that dies is replaced, and its job is done again once.

    The engine of the server itself has one thread: kernels keep notes between calls, so that two games must not
    use them at the same moment.
    """

    def __init__(self, processes: bool = True) -> None:
        self._processes = processes
        self._pools: dict[Room, Executor] = {}
        self._engine = ThreadPoolExecutor(1, "engine")
        self._in_office = 0
        self._closed = False
        self.compiled = False  # whether bots and desk run compiled kernels, as far as is known

    def _made(self) -> Executor:
        if not self._processes:
            return ThreadPoolExecutor(1, "worker")
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(
            1, mp_context=context, initializer=end_with_parent, initargs=(os.getpid(),)
        )
        with deaf_to_interrupts():
            pool.submit(os.getpid)  # a first job starts the process
        return pool

    async def start(self) -> None:
        """Have bots and desk import everything, and learn whether their kernels are compiled."""
        found = await asyncio.gather(self.think(jobs.warm), self.ask(jobs.warm))
        self.compiled = all(found)

    async def think(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """A job that may take seconds: a bot's."""
        return await self._run("bots", job, *given, **named)

    async def ask(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """A job that somebody waits for with the pointer down."""
        return await self._run("desk", job, *given, **named)

    async def office(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """A long job that no game waits for: replays, results, tables. Too many at once are refused."""
        if self._in_office >= OFFICE_LINE:
            raise NotNowError("too_fast", "the server is busy with other requests; try again in a moment")
        self._in_office += 1
        try:
            return await self._run("office", job, *given, **named)
        finally:
            self._in_office -= 1

    async def engine(self, job: Callable[[], T]) -> T:
        """A step of the game itself."""
        return await asyncio.get_running_loop().run_in_executor(self._engine, job)

    def _pool(self, room: Room) -> Executor:
        """The worker of a room, made when it is first needed."""
        if self._closed:
            raise RuntimeError("the server is closing")
        if room not in self._pools:
            self._pools[room] = self._made()
        return self._pools[room]

    async def _run(self, room: Room, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        assert not named, "jobs take their arguments by position"
        loop, pool = asyncio.get_running_loop(), self._pool(room)
        try:
            return await loop.run_in_executor(pool, job, *given)
        except BrokenProcessPool:
            if self._pools.get(room) is pool:  # of several whose jobs were lost only the first replaces it
                del self._pools[room]
            return await loop.run_in_executor(self._pool(room), job, *given)

    async def renew(self) -> None:
        """Start bots and desk afresh, so that they find newly compiled kernels."""
        loop, fresh = asyncio.get_running_loop(), {"bots": self._made(), "desk": self._made()}
        found = await asyncio.gather(*(loop.run_in_executor(pool, jobs.warm) for pool in fresh.values()))
        self.compiled = all(found)
        old, self._pools = self._pools, {"bots": fresh["bots"], "desk": fresh["desk"]}
        for pool in old.values():
            pool.shutdown(wait=False)

    def close(self) -> None:
        """Let all workers go, also one that is deep in thought."""
        self._closed = True
        pools = [*self._pools.values(), self._engine]
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)
        if self._processes:
            for child in multiprocessing.active_children():
                child.terminate()
            for pool in pools:
                pool.shutdown(wait=True)
