"""How much of the server a player and an address may use: requests, bytes and milliseconds of work, each with a rate.

Cookies are free, so everything is charged twice: to the player and to the address the request came from.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal, NamedTuple

Kind = Literal["requests", "messages", "bytes", "jobs", "studies", "questions", "commands"]
IPV6_NETWORK = 64  # bits: one household or rented machine often has a whole network of addresses


class Rate(NamedTuple):
    """`burst` may be spent at once; `refill` is returned each second."""

    burst: float
    refill: float


class Limits(NamedTuple):
    """Limits an operator may want to change. Rates are per player; an address has `shared` times as much."""

    sockets_each: int = 40  # from one address
    sockets_in_all: int = 1500
    connections_each: int = 120
    connections_in_all: int = 4000
    requests: Rate = Rate(200, 20)  # HTTP requests and connections to games
    messages: Rate = Rate(400, 100)  # bytes received on a socket
    bytes: Rate = Rate(8e6, 300e3)  # bytes of requested data: boards, replays, pages
    jobs: Rate = Rate(20e3, 800)  # ms of work for HTTP requests
    studies: Rate = Rate(60e3, 200)  # ms of work for analyses, which have the lowest priority
    questions: Rate = Rate(2e3, 700)  # ms of work for previews, overlays and hints
    commands: Rate = Rate(4e3, 700)  # ms of work for answers, legal or not
    shared: float = 4.0
    jobs_at_once: int = 2  # from one address
    header_seconds: float = 5.0
    hello_seconds: float = 5.0
    write_seconds: float = 10.0


def unlimited(limits: Limits | None = None) -> Limits:
    """No rates, and thousands of connections per address: for load tests, which run on one machine."""
    free = Rate(1e15, 1e12)
    return (limits or Limits())._replace(
        sockets_each=100_000,
        sockets_in_all=100_000,
        connections_each=100_000,
        connections_in_all=100_000,
        requests=free,
        messages=free,
        bytes=free,
        jobs=free,
        studies=free,
        questions=free,
        commands=free,
        jobs_at_once=1000,
    )


class _Account:
    __slots__ = ("at", "left")

    def __init__(self, left: float, at: float) -> None:
        self.left, self.at = left, at


class Budgets:
    """The accounts of recent players and addresses. `kept` bounds the memory: the oldest account is dropped first."""

    def __init__(
        self, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic, kept: int = 20_000
    ) -> None:
        self.limits = limits or Limits()
        self._clock, self._kept = clock, kept
        self._accounts: OrderedDict[tuple[Kind, str], _Account] = OrderedDict()

    def __len__(self) -> int:
        return len(self._accounts)

    def allows(self, kind: Kind, player: str, address: str) -> bool:
        """Whether both accounts have something left. An account may go into debt, which is paid off by waiting."""
        return self.wait(kind, player, address) == 0

    def wait(self, kind: Kind, player: str, address: str) -> float:
        """Seconds until something may be spent again; 0 if it may be now."""
        return max(self._wait(kind, player, 1.0), self._wait(kind, f"@{address}", self.limits.shared))

    def charge(self, kind: Kind, amount: float, player: str, address: str) -> None:
        """Charge both accounts."""
        self._account(kind, player, 1.0).left -= amount
        self._account(kind, f"@{address}", self.limits.shared).left -= amount

    def take(self, kind: Kind, amount: float, player: str, address: str) -> bool:
        """Charge an amount if both accounts have something left; otherwise charge nothing and return False."""
        if not self.allows(kind, player, address):
            return False
        self.charge(kind, amount, player, address)
        return True

    def _wait(self, kind: Kind, key: str, times: float) -> float:
        account = self._account(kind, key, times)
        if account.left > 0:
            return 0.0
        rate: Rate = getattr(self.limits, kind)
        return max(-account.left / (rate.refill * times), 0.001)

    def _account(self, kind: Kind, key: str, times: float) -> _Account:
        rate: Rate = getattr(self.limits, kind)
        now = self._clock()
        found = self._accounts.get((kind, key))
        if found is None:
            found = self._accounts[kind, key] = _Account(rate.burst * times, now)
            if len(self._accounts) > self._kept:
                self._accounts.popitem(last=False)
        else:
            found.left = min(rate.burst * times, found.left + (now - found.at) * rate.refill * times)
            found.at = now
            self._accounts.move_to_end((kind, key))
        return found


def address_group(host: str) -> str:
    """The unit that counts as one address: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.IPv6Network((found, IPV6_NETWORK), strict=False))
    return str(found)
