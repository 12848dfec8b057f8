"""Asks another process to do work that a stranger's text could make endless, and ends it when that takes too long.

The first request starts the process, so a run without requests pays nothing, and it answers all later ones. The limit
is for its processor time, so that a busy machine changes no result; only where the system cannot do that, and for a
process that answers nothing at all, a clock decides.

A browser has no processes. The program that started hot2tf there may promise to end all of it in time
(`answer_in_this_process`); otherwise each request is refused, like one that takes too long.

Invariant: the request and the answer are JSON, one line each; an answer is never run. The process has few of
the environment variables of hot2tf: others may be passwords. A process belongs to one request at a time, and to the
process that started it.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import pathlib
import sys
import time
from collections.abc import Mapping
from typing import Any, NamedTuple, final

KEPT = ("SYSTEMROOT", "LD_LIBRARY_PATH")  # without these, some builds of Python do not start
START_SECONDS = 30.0  # until a new process is ready, on a clock
PATIENCE = 4  # how much longer than the time of its processor a request may take on a clock
LARGEST = 64 << 20  # bytes of an answer


class GuardExceeded(Exception):
    """A request took too much time or memory, or no process could be started. `milliseconds`: the processor time that
    it used.
    """

    def __init__(self, milliseconds: int) -> None:
        super().__init__("it takes too much time or memory")
        self.milliseconds = milliseconds


class Answer(NamedTuple):
    """The answer of a process, and the processor time that it took."""

    content: Any
    milliseconds: int


def minimal_environment() -> dict[str, str]:
    """The environment variables that Python needs to start and to find its modules."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    here = str(pathlib.Path(__file__).parent.parent.parent)
    paths = [here, *(path for path in sys.path if path != here and pathlib.Path(path).is_absolute())]
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"}


@final
class GuardedProcess:
    """A process that answers the requests for one service. Raises OSError if it does not start."""

    def __init__(self, service: str) -> None:
        import subprocess  # slow to import, and few need it

        command = [sys.executable, "-P", "-m", "transpile.guarded.service", service]  # -P: not the current directory
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=minimal_environment(),
        )
        self.owner, self.used, self.timed_out = os.getpid(), False, False
        greeting = self.exchange(b"", START_SECONDS)
        if greeting is None:
            self.close()
            raise OSError("the process ends before it is ready")
        self.patience: int = PATIENCE if greeting["limited"] else 1

    def exchange(self, line: bytes, seconds: float) -> Any:
        """Sends a line and reads one; None if the process ends, or is ended when the seconds are over."""
        import threading

        assert self.process.stdin is not None
        assert self.process.stdout is not None
        timer = threading.Timer(seconds, self.end_in_time)
        timer.daemon = True
        timer.start()
        try:
            if line:
                self.process.stdin.write(line)
                self.process.stdin.flush()
            answer = self.process.stdout.readline(LARGEST)
        except OSError:  # the process has ended, perhaps long ago
            answer = b""
        finally:
            timer.cancel()
            timer.join()  # a process with several threads is not forked, see `parallel`
        try:
            return json.loads(answer)
        except (ValueError, RecursionError):
            return None

    def end_in_time(self) -> None:
        self.timed_out = True
        self.process.kill()

    def close(self) -> None:
        """Ends the process, even in the middle of a request."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self.process.wait()

    def was_ended_from_outside(self) -> bool:
        """Whether the process, which has just ended, had not reached a limit: it ended between two requests."""
        from transpile.guarded.service import LIMIT_SIGNAL, NO_MEMORY

        status = self.process.wait()
        return not self.timed_out and status not in (NO_MEMORY, -LIMIT_SIGNAL)


_guarded_from_outside = False


def answer_in_this_process(allowed: bool) -> None:
    """Whether requests are answered in this process. Only for a caller that ends this process if it takes too long."""
    global _guarded_from_outside
    _guarded_from_outside = allowed


def answer_here(service: str, request: Mapping[str, Any]) -> Answer:
    """Returns the answer of a service, computed here. Request and answer are JSON, as between processes."""
    start = time.process_time()
    try:
        answer = importlib.import_module(service).answer(json.loads(json.dumps(request)))
    except (MemoryError, RecursionError):
        raise GuardExceeded(int(1000 * (time.process_time() - start))) from None
    return Answer(json.loads(json.dumps(answer)), int(1000 * (time.process_time() - start)))


_idle: dict[str, list[GuardedProcess]] = {}  # those that wait for a request, by service


@atexit.register
def close_idle_processes() -> None:
    """Ends the processes that this process has started."""
    for processes in _idle.values():
        while processes:
            process = processes.pop()
            if process.owner == os.getpid():
                process.close()


def take_idle_process(service: str) -> GuardedProcess | None:
    """A process that waits for a request. A fork does not use those of its parent."""
    waiting = _idle.setdefault(service, [])
    while True:
        try:
            process = waiting.pop()  # several threads may do so at the same time
        except IndexError:
            return None
        if process.owner == os.getpid():
            return process


def ask(service: str, request: Mapping[str, Any], seconds: float, *, shared: bool = True) -> Answer:
    """The answer of a service, the name of a module with a function `answer`. Raises GuardExceeded.

    `seconds`: the time of the processor that the answer may take; `shared`: the process answers later requests, too.
    """
    if _guarded_from_outside:
        return answer_here(service, request)
    line = json.dumps({"seconds": seconds, "request": request}).encode("ascii") + b"\n"
    process = take_idle_process(service) if shared else None
    whole = max(1, int(1000 * seconds))
    while True:
        try:
            process = process or GuardedProcess(service)
        except OSError:
            raise GuardExceeded(whole) from None  # as if it had run: a run does not try this for ever
        try:
            answer = process.exchange(line, seconds * process.patience)
            if answer is None and process.used and process.was_ended_from_outside():
                process.close()
                process = None
                continue
            if answer is None:
                raise GuardExceeded(whole)
        except BaseException:
            if process is not None:
                process.close()
            raise
        process.used = True
        if shared:
            _idle[service].append(process)
        else:
            process.close()
        return Answer(answer["answer"], int(answer["milliseconds"]))
