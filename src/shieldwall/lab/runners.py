"""Where games are played: in this process, on all processors, or on a cluster. The outcomes are the same."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from shieldwall import editions
from shieldwall.bots import registry
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.extras import extra_package
from shieldwall.lab import games
from shieldwall.lab.games import GameOutcome, Task, play_task

WAITING = 3  # tasks handed to each worker beforehand, so that none runs dry


class WorkerError(ShieldwallError):
    """A worker died, or a game failed on it."""


def play_all(
    tasks: list[Task], workers: int, cluster: str, is_enough: Callable[[], bool]
) -> Iterator[GameOutcome]:
    """Outcomes in the order in which games finish; no new game begins once `is_enough` returns true."""
    if not cluster and workers <= 1:
        for task in tasks:
            if is_enough():
                return
            yield _safely(task)
        return
    with executor(max(workers, 1), cluster) as (pool, many):
        yield from _spread(pool, tasks, many * WAITING, is_enough)


def _safely(task: Task) -> GameOutcome:
    try:
        return play_task(task)
    except ShieldwallError as error:
        raise type(error)(f"{error}\nrepeat it with: {task.command}") from error


def _spread(
    pool: Executor, tasks: list[Task], at_once: int, is_enough: Callable[[], bool]
) -> Iterator[GameOutcome]:
    """Keep a number of tasks running until all are done or it is enough."""
    left = iter(tasks)
    running: dict[Future[GameOutcome], Task] = {}

    def fill() -> None:
        while len(running) < at_once and not is_enough():
            task = next(left, None)
            if task is None:
                return
            running[pool.submit(play_task, task)] = task

    fill()
    try:
        while running:
            ready, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ready:
                task = running.pop(future)
                yield _result(future, task)
            fill()
    finally:
        for future in running:
            future.cancel()


def extras_now() -> bytes:
    """Everything registered in this process that workers need too: bots, rules, editions, armies."""
    own = {name: rules for name, rules in editions.REGISTERED.items() if name not in editions.EDITIONS}
    extras = (dict(registry.REGISTERED), dict(editions.ADDED_RULES), own, dict(games.HANDED_IN))
    if not any(extras):
        return b""
    try:
        return pickle.dumps(extras)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise WorkerError(
            f"a registered bot, rule or edition cannot be sent to other processes ({error}). Define it at the top "
            "level of a module or script, or play with workers=1"
        ) from error


def take_over(extras: bytes) -> None:
    """Register in a worker what is registered in the process that started the series."""
    if not extras:
        return
    bots, rules, more_editions, armies = pickle.loads(extras)
    registry.REGISTERED.update(bots)
    editions.REGISTERED.update(more_editions)
    games.HANDED_IN.update(armies)
    for (edition, name), rule in rules.items():
        editions.register_rule(name, rule, editions=[edition])


def _result(future: Future[GameOutcome], task: Task) -> GameOutcome:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise WorkerError(
            f"a worker died during game {task.number} (seed {task.seed}); finished games are saved. "
            f"Start again to continue, or play that game with: {task.command} --workers 1"
        ) from error
    except ShieldwallError as error:
        raise WorkerError(f"game {task.number} failed: {error}\nrepeat it with: {task.command}") from error
    except Exception as error:  # a bug, whose message would not say in which game
        raise WorkerError(
            f"game {task.number} (seed {task.seed}) stopped with {error!r}; finished games are saved. "
            f"To see why, run: {task.command} --workers 1"
        ) from error


@contextmanager
def executor(workers: int, cluster: str) -> Iterator[tuple[Executor, int]]:
    """A pool of processes started afresh, or the workers of a cluster, with how many there are."""
    extras = extras_now()
    if not cluster:
        fresh = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(workers, fresh, take_over, (extras,))
        try:
            yield pool, workers
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()  # wait for the processes: exiting before they end can raise an error in Python's own clean-up
        return
    distributed = extra_package("distributed", "Playing on a cluster")
    try:
        client = distributed.Client(cluster, timeout=20)
    except OSError as error:
        raise WorkerError(f"there is no cluster at {cluster!r}: {error}") from error
    try:
        many = len(client.scheduler_info()["workers"])
        if not many:
            raise WorkerError(f"the cluster at {cluster!r} has no workers; start some and try again")
        if extras:
            client.run(take_over, extras)
        yield client.get_executor(), many
    finally:
        client.close()
