"""Worker processes: one for bots, one that answers a dragging hand at once, one for long jobs when they come up."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

from shieldwall.server import jobs
from shieldwall.server.refusing import NotNowError

OFFICE_LINE = 16

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """Runs jobs off the event loop. A worker that dies is replaced, and its job is done again once.

    The engine of the server itself has one thread: kernels keep notes between calls, so that two games must not
    use them at the same moment.
    """

    def __init__(self, processes: bool = True) -> None:
        self._processes = processes
        self._bots = self._made()
        self._desk = self._made()
        self._engine = ThreadPoolExecutor(1, "engine")
        self._office: Executor | None = None  # made when somebody first asks for a replay or the like
        self._in_office = 0

    def _made(self) -> Executor:
        if not self._processes:
            return ThreadPoolExecutor(1, "worker")
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, mp_context=context, initializer=jobs.stay_with, initargs=(os.getpid(),))

    async def start(self) -> bool:
        """Have both workers import everything; whether their kernels are compiled."""
        found = await asyncio.gather(self.think(jobs.warm), self.ask(jobs.warm))
        return all(found)

    async def think(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """A job that may take seconds."""
        try:
            return await self._run(self._bots, job, *given, **named)
        except BrokenProcessPool:
            self._bots = self._made()
            return await self._run(self._bots, job, *given, **named)

    async def ask(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """A job that somebody waits for with the pointer down."""
        try:
            return await self._run(self._desk, job, *given, **named)
        except BrokenProcessPool:
            self._desk = self._made()
            return await self._run(self._desk, job, *given, **named)

    async def office(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """A long job that no game waits for: replays, results, tables. Too many at once are refused."""
        if self._in_office >= OFFICE_LINE:
            raise NotNowError("too_fast", "the server is busy with other requests; try again in a moment")
        if self._office is None:
            self._office = self._made()
        self._in_office += 1
        try:
            return await self._run(self._office, job, *given, **named)
        except BrokenProcessPool:
            self._office = self._made()
            return await self._run(self._office, job, *given, **named)
        finally:
            self._in_office -= 1

    async def engine(self, job: Callable[[], T]) -> T:
        """A step of the game itself."""
        return await asyncio.get_running_loop().run_in_executor(self._engine, job)

    @staticmethod
    async def _run(pool: Executor, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        assert not named, "jobs take their arguments by position"
        return await asyncio.get_running_loop().run_in_executor(pool, job, *given)

    async def renew(self) -> None:
        """Start both workers afresh, so that they find newly compiled kernels."""
        old = (self._bots, self._desk)
        bots, desk = self._made(), self._made()
        loop = asyncio.get_running_loop()
        await asyncio.gather(loop.run_in_executor(bots, jobs.warm), loop.run_in_executor(desk, jobs.warm))
        self._bots, self._desk = bots, desk
        for pool in old:
            pool.shutdown(wait=False)

    def close(self) -> None:
        """Let all workers go, also one that is deep in thought."""
        pools = [self._bots, self._desk, self._engine, *([self._office] if self._office else [])]
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)
        if self._processes:
            for child in multiprocessing.active_children():
                child.terminate()
            for pool in pools:
                pool.shutdown(wait=True)
