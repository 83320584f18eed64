"""Two worker processes: one for bots, one that answers what a dragging hand wants to know at once."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

from shieldwall.server import jobs

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

    def _made(self) -> Executor:
        if not self._processes:
            return ThreadPoolExecutor(1, "worker")
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, mp_context=context, initializer=jobs.stay_with_parent)

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
        pools = (self._bots, self._desk, self._engine)
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)
        if self._processes:
            for child in multiprocessing.active_children():
                child.terminate()
            for pool in pools:
                pool.shutdown(wait=True)
