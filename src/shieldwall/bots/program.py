"""Bots as separate programs: JSON lines over their standard input and output, with limits that protect the host.

`docs/bots.md` says what a program may see, how long it may think and what happens when it fails.
"""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import threading
import time
from contextlib import suppress
from typing import IO, Any

import msgspec
from msgspec import Struct

from shieldwall.bots.explanation import Explanation
from shieldwall.bots.match import ForfeitError
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.codec import answer_from, encode
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.core.pending import Choice, Decision, Numbers
from shieldwall.core.state import State

PROTOCOL = "shieldwall-bot/1"
PREFIX = "program:"
LINE_MAX = 1 << 20
MEMORY_MAX = 4 << 30
SAMPLES = 4
LAST_WORDS = 8  # lines of a failing program's stderr that are quoted
WORDS_MAX = 4096  # bytes of stderr that are kept
ENDING_SECONDS = 5.0  # how long a program that closed its output has to exit
KEPT_IN_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "SYSTEMROOT", "VIRTUAL_ENV")


class ProgramLimits(Struct, frozen=True):
    """What a program is allowed, in seconds and counts.

    An answer that is late, or wrong `tries` times, is a fault, and the question's default is played instead. A
    program that exits, or has more than `faults` faults, loses the game.
    """

    start: float = 10.0
    answer: float = 5.0
    game: float = 600.0
    tries: int = 3
    faults: int = 5


class _SilentError(Exception):
    """The program did not send a whole line in time."""


class _GoneError(Exception):
    """The program has exited, or sends something unreadable."""


class ProgramBot:
    """A policy whose answers come from another program."""

    samples_only = True  # every answer was checked, or is the question's own default

    def __init__(self, command: str, limits: ProgramLimits | None = None) -> None:
        self._pipe: _Pipe | None = None
        _words(command)
        self.command = command
        self.name = PREFIX + command
        self.limits = limits or ProgramLimits()
        self.thought: Explanation | None = None
        self.faults: list[str] = []
        self._asked = 0
        self._used = 0.0

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """The program's answer, or the question's default if it failed; too many failures lose the game."""
        self.thought = None
        asked = question(decision, numbers)
        began = time.monotonic()
        try:
            pipe = self._running(view, decision, numbers)
            return self._asked_for(pipe, view, decision, asked)
        except _SilentError:
            return self._fault(decision, f"no answer to {decision.kind!r} within {self.limits.answer:g} s")
        except _GoneError as error:
            raise self._lost(decision, str(error)) from error
        finally:
            self._used += time.monotonic() - began
            if self._used > self.limits.game:
                raise self._lost(decision, f"used more than {self.limits.game:g} s in one game")

    def _asked_for(self, pipe: _Pipe, view: State, decision: Decision, asked: dict[str, Any]) -> AnyAnswer:
        self._asked += 1
        pipe.say({"say": "decide", "id": self._asked, "view": view, "question": asked})
        until = time.monotonic() + self.limits.answer
        wrong: list[str] = []
        while len(wrong) < self.limits.tries:
            heard = pipe.hear(until)
            if heard.get("id") != self._asked:
                continue  # an answer to an earlier question that came too late
            answer, reasons = _read(decision, heard.get("answer"))
            if answer is not None and not reasons:
                why = heard.get("why")
                self.thought = Explanation(why[:500]) if isinstance(why, str) and why else None
                return answer
            wrong += ["; ".join(reasons)]
            left = self.limits.tries - len(wrong)
            pipe.say({"say": "refused", "id": self._asked, "reasons": reasons, "left": left})
        return self._fault(decision, f"{self.limits.tries} wrong answers to {decision.kind!r}: {wrong[-1]}")

    def _fault(self, decision: Decision, what: str) -> AnyAnswer:
        self.faults.append(what)
        if len(self.faults) > self.limits.faults:
            raise self._lost(decision, f"failed {len(self.faults)} times, most recently: {what}")
        return decision.default()

    def _lost(self, decision: Decision, why: str) -> ForfeitError:
        """The forfeit of this seat: what the program did, how it exited, and its last lines on stderr."""
        ended, words = "", ""
        if self._pipe is not None:
            ended, words = self._pipe.last_words()
            self.close()
        return ForfeitError(decision.seat, f"{self.command} {why}{ended}{words}")

    def _running(self, view: State, decision: Decision, numbers: Numbers) -> _Pipe:
        """The program, started for its first question and told its seat."""
        if self._pipe is None:
            self._pipe = _Pipe(self.command)
            hello = {
                "say": "hello",
                "protocol": PROTOCOL,
                "seat": decision.seat,
                "edition": view.ruleset,
                "luck": numbers.below(1 << 53),
                "limits": self.limits,
            }
            self._pipe.say(hello)
            try:
                heard = self._pipe.hear(time.monotonic() + self.limits.start)
            except _SilentError as error:
                raise _GoneError(f"was not ready within {self.limits.start:g} s") from error
            if heard.get("say") != "ready":
                raise _GoneError(f"said {str(heard)[:200]} instead of ready")
        return self._pipe

    def close(self) -> None:
        """End the program and everything it started."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def __del__(self) -> None:
        self.close()


def question(decision: Decision, numbers: Numbers) -> dict[str, Any]:
    """A question as data: its options if it has a list of them, otherwise a few legal answers to choose from."""
    told: dict[str, Any] = {
        "kind": decision.kind,
        "prompt": decision.prompt,
        "cite": decision.cite,
        "default": decision.default(),
    }
    if isinstance(decision, Choice):
        told["options"] = decision.options
    else:
        told["samples"] = [decision.sample(numbers) for _ in range(SAMPLES)]
    return told


def _read(decision: Decision, given: object) -> tuple[AnyAnswer | None, list[str]]:
    """An answer and the reasons against it."""
    try:
        answer = answer_from(given)
    except MalformedError as error:
        return None, [str(error)]
    try:
        return answer, [refusal.reason for refusal in decision.check(answer)]
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        # absurd numbers can break a check in any way; that is the program's fault
        return None, [f"an answer that is invalid here ({type(error).__name__})"]


def _words(command: str) -> list[str]:
    """The words of a command line, at least one."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ShieldwallError(f"the command {command!r} of a program bot cannot be read: {error}") from error
    if not words:
        raise ShieldwallError("a program bot needs a command, as in program:python3 my_bot.py")
    return words


class _Pipe:
    """A running program and the lines to and from it."""

    def __init__(self, command: str) -> None:
        environment = {name: os.environ[name] for name in KEPT_IN_ENVIRONMENT if name in os.environ}
        try:
            self._process = subprocess.Popen(
                _words(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise ShieldwallError(
                f"the bot {command!r} cannot be started: {error.strerror or error}"
            ) from error
        _limit(self._process.pid)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        os.set_blocking(self._to.fileno(), False)
        os.set_blocking(self._from.fileno(), False)
        self._heard = b""
        self._has_hung_up = False
        assert self._process.stderr is not None
        self._errors = _Errors(self._process.stderr)

    def last_words(self) -> tuple[str, str]:
        """How the program exited, if it has, and its last lines on stderr, both as ends of a sentence."""
        code: int | None = None
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(timeout=ENDING_SECONDS if self._has_hung_up else 0.5)
        if code is not None:
            self._end()  # programs it started could go on writing to its stderr
        lines = self._errors.lines(wait=code is not None)
        ended = "" if code is None else f" (exit code {code})" if code >= 0 else f" (ended by signal {-code})"
        said = "".join(f"\n  {line}" for line in lines)
        return ended, f"; its last lines on stderr:{said}" if lines else ""

    def say(self, message: object) -> None:
        """Send one line to the program."""
        left = memoryview(encode(message) + b"\n")
        until = time.monotonic() + 5.0
        with selectors.DefaultSelector() as ready:
            ready.register(self._to, selectors.EVENT_WRITE)
            while left:
                if not ready.select(max(0.0, until - time.monotonic())):
                    raise _GoneError("does not read its input")
                try:
                    left = left[os.write(self._to.fileno(), left) :]
                except OSError as error:
                    self._has_hung_up = True
                    raise _GoneError("has stopped") from error

    def hear(self, until: float) -> dict[str, Any]:
        """The next line as data."""
        with selectors.DefaultSelector() as ready:
            ready.register(self._from, selectors.EVENT_READ)
            while b"\n" not in self._heard:
                left = until - time.monotonic()
                if left <= 0 or not ready.select(left):
                    raise _SilentError
                more = os.read(self._from.fileno(), 65536)
                if not more:
                    self._has_hung_up = True
                    raise _GoneError("has stopped")
                self._heard += more
                if len(self._heard) > LINE_MAX:
                    raise _GoneError(f"sent a line of more than {LINE_MAX} bytes")
        line, self._heard = self._heard.split(b"\n", 1)
        try:
            heard = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _GoneError(f"sent something that is not JSON: {line[:80]!r}") from error
        if not isinstance(heard, dict):
            raise _GoneError(f"said {line[:80]!r}, which is not a JSON object")
        return heard

    def close(self) -> None:
        """End the program and everything it started."""
        for stream in (self._to, self._from):
            with suppress(OSError):  # it may be gone already
                stream.close()
        self._end()
        self._process.wait(timeout=ENDING_SECONDS)

    def _end(self) -> None:
        if os.name == "posix":
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()


class _Errors:
    """A program's stderr, read as it comes so that the program never waits for us; only the end of it is kept."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._kept = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with self._stream, suppress(OSError, ValueError):  # it may be closed under us
            while more := os.read(self._stream.fileno(), 65536):
                self._kept = (self._kept + more)[-WORDS_MAX:]

    def lines(self, wait: bool) -> list[str]:
        """The last lines; with `wait`, after all output of a program that has exited was read."""
        self._reader.join(timeout=ENDING_SECONDS if wait else 0.0)
        text = self._kept.decode(errors="replace")
        shown = (
            "".join(letter if letter.isprintable() else " " for letter in line) for line in text.split("\n")
        )
        return [line.rstrip() for line in shown if line.strip()][-LAST_WORDS:]


def _limit(process: int) -> None:
    """Limit a program's memory, if the system can."""
    with suppress(ImportError, AttributeError, OSError):
        import resource

        resource.prlimit(process, resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
        resource.prlimit(process, resource.RLIMIT_CORE, (0, 0))
