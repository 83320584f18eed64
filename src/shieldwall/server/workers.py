"""Everything that does not run on the event loop: game steps, questions of the page, bots, and jobs for HTTP requests.

Each kind has its own pool, so a thinking bot or a hostile file delays no game.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Literal, NamedTuple, ParamSpec, Protocol, TypeVar

from msgspec import Struct

from shieldwall.core.codec import encode
from shieldwall.server import jobs
from shieldwall.server.budgets import Budgets
from shieldwall.server.metrics import Metrics
from shieldwall.server.refusals import NotNowError
from shieldwall.server.worker_process import (
    NO_LIMITS,
    Done,
    OverLimitError,
    WorkerDiedError,
    WorkerProcess,
    WorkLimits,
)

PoolName = Literal["bots", "desk", "office", "study"]
SIZES: dict[PoolName, int] = {"bots": 1, "desk": 1, "office": 2, "study": 1}
NICE: dict[PoolName, int] = {"bots": 2, "desk": 0, "office": 8, "study": 12}
OFFICE_LINE = 32  # queued jobs
READING = WorkLimits(4.0, 768)  # for text or files that a player sent
LONG = WorkLimits(30.0, 1024)  # for a replay, a result, a table, odds

P = ParamSpec("P")
T = TypeVar("T")


class Asker(NamedTuple):
    """The player and address a job is done for."""

    player: str
    address: str


ASKER: ContextVar[Asker | None] = ContextVar("asker", default=None)


class Encoded(Struct, frozen=True):
    """An answer that a worker has already encoded."""

    data: bytes


def encoded(job: Callable[..., object], *given: object) -> Encoded:
    """Run a job and encode its result in the worker, so that large answers are not rebuilt on the event loop."""
    return Encoded(encode(job(*given)))


class Worker(Protocol):
    """What a pool gives jobs to: a process, or a thread in tests."""

    async def call(self, job: Callable[..., object], given: tuple[object, ...], limits: WorkLimits) -> Done:
        """Run a job."""

    def kill(self) -> None:
        """End it now."""

    def join(self) -> None:
        """Wait until it has ended."""


class ThreadWorker:
    """A thread instead of a process; it has no limits."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "worker")

    async def call(self, job: Callable[..., object], given: tuple[object, ...], limits: WorkLimits) -> Done:
        """Run a job."""
        return Done(await asyncio.get_running_loop().run_in_executor(self._thread, job, *given), 0.0)

    def kill(self) -> None:
        """Start no more jobs."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def join(self) -> None:
        """Do nothing: a thread cannot be forced to end, and its results are ignored."""


class _Waiting:
    """A queued job."""

    __slots__ = ("future", "given", "job", "limits")

    def __init__(self, job: Callable[..., object], given: tuple[object, ...], limits: WorkLimits) -> None:
        self.job, self.given, self.limits = job, given, limits
        self.future: asyncio.Future[Done] = asyncio.get_running_loop().create_future()


class WorkerPool:
    """Workers for one kind of job, first come, first served. Workers are started when they are needed.

    If the asker of a job is gone, the job is skipped, or finished for nobody: workers are not killed for that.
    """

    def __init__(self, size: int, make: Callable[[], Worker]) -> None:
        self._make, self._size = make, size
        self._line: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._workers: set[Worker] = set()
        self._busy = 0

    @property
    def waiting(self) -> int:
        """Jobs that have not been started."""
        return self._line.qsize()

    async def run(self, job: Callable[..., object], given: tuple[object, ...], limits: WorkLimits) -> Done:
        """Run a job; if its worker dies, it is run again, once."""
        waiting = _Waiting(job, given, limits)
        if self._busy + self._line.qsize() >= len(self._tasks) and len(self._tasks) < self._size:
            self._tasks.add(asyncio.get_running_loop().create_task(self._work()))
        self._line.put_nowait(waiting)
        return await waiting.future

    async def _work(self) -> None:
        """One worker's tasks, one after another."""
        worker: Worker | None = None
        while True:
            waiting = await self._line.get()
            self._busy += 1
            try:
                worker = await self._done(worker, waiting)
                if worker is None and not waiting.future.done():
                    worker = await self._done(None, waiting, again=True)
            finally:
                self._busy -= 1

    async def _done(self, worker: Worker | None, waiting: _Waiting, again: bool = False) -> Worker | None:
        """Run one job; returns the worker, or None if it is gone."""
        if waiting.future.cancelled():
            return worker
        try:
            if worker is None:
                worker = self._make()
                self._workers.add(worker)
            done = await worker.call(waiting.job, waiting.given, waiting.limits)
        except WorkerDiedError as error:
            self._workers.discard(worker)
            if again:
                _fail(waiting.future, error)
            return None
        except Exception as error:
            _fail(waiting.future, error)
            if worker is None or _is_alive(worker):
                return worker
            self._workers.discard(worker)
            return None
        if not waiting.future.done():
            waiting.future.set_result(done)
        return worker

    def kill(self) -> None:
        """Kill all workers; waiting jobs get no answer."""
        for task in self._tasks:
            task.cancel()
        for worker in self._workers:
            worker.kill()

    def join(self) -> None:
        """Wait until all are gone."""
        for worker in self._workers:
            worker.join()


def _fail(future: asyncio.Future[Done], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)


def _is_alive(worker: Worker) -> bool:
    return not isinstance(worker, WorkerProcess) or worker.process.is_alive()


class Workers:
    """Runs jobs off the event loop.

    The server's own engine has one thread: it keeps data between calls, so two games must not use it
    at the same time.
    """

    def __init__(self, processes: bool = True, budgets: Budgets | None = None) -> None:
        self._processes = processes
        self._budgets = budgets if budgets is not None else Budgets()
        self._pools: dict[PoolName, WorkerPool] = {}
        self._engine = ThreadPoolExecutor(1, "engine")
        self._in_office: Counter[str] = Counter()
        self._closed = False
        self.metrics = Metrics()

    def _made(self, name: PoolName) -> WorkerPool:
        def make() -> Worker:
            return WorkerProcess(NICE[name]) if self._processes else ThreadWorker()

        return WorkerPool(SIZES[name], make)

    def _pool(self, name: PoolName) -> WorkerPool:
        """The pool of a kind, created when first needed."""
        if self._closed:
            raise RuntimeError("the server is closing")
        if name not in self._pools:
            self._pools[name] = self._made(name)
        return self._pools[name]

    def waiting(self) -> dict[str, int]:
        """Jobs that have not been started, by pool."""
        return {name: pool.waiting for name, pool in self._pools.items()}

    async def start(self) -> None:
        """Have workers import everything before anybody waits for it."""
        office = [self.office(jobs.warm_office) for _ in range(SIZES["office"])]
        await asyncio.gather(self.think(jobs.warm), self.ask(jobs.warm), *office)

    async def think(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Run a job that may take seconds, such as a bot's."""
        return await self._run("bots", job, *given, **named)

    async def ask(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Run a job that somebody waits for while dragging."""
        return await self._run("desk", job, *given, **named)

    async def read(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Run a job on untrusted input, with tight limits on time and memory."""
        assert not named, "jobs take their arguments by position"
        found: T = (await self._office(READING, job, given)).value
        return found

    async def office(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Run a long job that no game waits for: replays, results, tables."""
        assert not named, "jobs take their arguments by position"
        found: T = (await self._office(LONG, job, given)).value
        return found

    async def office_encoded(self, job: Callable[P, object], *given: P.args, **named: P.kwargs) -> Encoded:
        """The same for large answers: the worker encodes them."""
        assert not named, "jobs take their arguments by position"
        found: Encoded = (await self._office(LONG, encoded, (job, *given))).value
        return found

    async def analyse(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Run a part of an analysis: lowest priority, charged to a separate budget."""
        assert not named, "jobs take their arguments by position"
        done = await self._pool("study").run(job, given, LONG)
        player, address = ASKER.get() or Asker("", "")
        if address:
            self._budgets.charge("studies", done.ms, player, address)
        found: T = done.value
        return found

    async def _office(
        self, limits: WorkLimits, job: Callable[..., object], given: tuple[object, ...]
    ) -> Done:
        """Run a job for a request; refused if its asker has too many running or has used too much."""
        pool = self._pool("office")
        player, address = ASKER.get() or Asker("", "")
        if pool.waiting >= OFFICE_LINE or self._in_office[address] >= self._budgets.limits.jobs_at_once * 4:
            raise NotNowError("too_fast", "the server is busy with other requests; try again in a moment")
        if address and not self._budgets.allows("jobs", player, address):
            raise NotNowError("too_fast", "your requests took too much work; wait a minute and try again")
        self._in_office[address] += 1
        try:
            done = await pool.run(job, given, limits)
        except OverLimitError as error:
            if address:
                self._budgets.charge("jobs", limits.seconds * 1000, player, address)
            raise NotNowError("too_large", f"this request needs {error}, which is the limit here") from error
        finally:
            self._in_office[address] -= 1
            if not self._in_office[address]:
                del self._in_office[address]
        if address:
            self._budgets.charge("jobs", done.ms, player, address)
        return done

    async def engine(self, job: Callable[[], T]) -> T:
        """Run a step of the game itself."""
        return await asyncio.get_running_loop().run_in_executor(self._engine, job)

    async def _run(self, name: PoolName, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        assert not named, "jobs take their arguments by position"
        found: T = (await self._pool(name).run(job, given, NO_LIMITS)).value
        return found

    def close(self) -> None:
        """Kill all workers, even those that are busy."""
        self._closed = True
        self._engine.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools.values():
            pool.kill()
        for pool in self._pools.values():
            pool.join()
