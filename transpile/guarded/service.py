"""The other side of the pipe: answers requests for one service, each within limits of time and memory.

Invariant: a request that exceeds a limit ends this process. The code in it cannot delay or catch that: the system sends
the signal, and there is no handler.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
import time

MEMORY = 1 << 30  # bytes
NO_MEMORY = 77  # exit status
LIMIT_SIGNAL = int(getattr(signal, "SIGPROF", 0))  # 0 on Windows, where the process that asks has a clock


def limit_memory() -> None:
    """Limits the memory of this process, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    with contextlib.suppress(ValueError, OSError):  # some systems have the limit, and refuse to set it
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def limit_time(seconds: float) -> None:
    """Ends this process when it has computed for so long from now on; 0 means never."""
    if LIMIT_SIGNAL:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def serve_requests(name: str) -> None:
    """Answers the requests on standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks handles interrupts
    service = importlib.import_module(name)
    limit_memory()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # printed text is no answer
    answers.write(json.dumps({"limited": bool(LIMIT_SIGNAL)}).encode() + b"\n")
    answers.flush()
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        start = time.process_time()
        limit_time(asked["seconds"])
        try:
            answer = json.dumps(service.answer(asked["request"]))
        except MemoryError:
            os._exit(NO_MEMORY)
        limit_time(0)
        milliseconds = int(1000 * (time.process_time() - start))
        answers.write(f'{{"answer": {answer}, "milliseconds": {milliseconds}}}\n'.encode("ascii"))
        answers.flush()


if __name__ == "__main__":
    serve_requests(sys.argv[1])
