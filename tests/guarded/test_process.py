"""A guarded process is started when it is needed, used again, and replaced when it has ended."""

from __future__ import annotations

import os
import pathlib
import signal
import sys
import textwrap

import pytest

from tests.guarded.test_patterns import starts
from transpile.guarded import patterns, process, service
from transpile.guarded.process import GuardExceeded, ask

__all__ = ["starts"]

REQUEST = {"pattern": "(a+)+b", "text": "aab", "flags": 0, "search": False}
SERVICE = """
import os, time
def answer(request):
    if request == "memory": return len(bytearray(8 << 30))
    if request == "wait": time.sleep(600)
    if request == "compute":
        while True: pass
    if request == "print": print("{}", flush=True); os.write(1, b"no answer")
    if request == "environment": return dict(os.environ)
    return [os.getpid(), request]
"""


@pytest.fixture
def helper(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a service that obeys each request."""
    (tmp_path / "service_of_test.py").write_text(textwrap.dedent(SERVICE))
    monkeypatch.syspath_prepend(tmp_path)
    return "service_of_test"


def test_one_process_answers_all_requests(starts: list[str]) -> None:
    for _ in range(20):
        assert ask(patterns.SERVICE, REQUEST, 10.0).content["span"] == [0, 3]
    assert starts == [patterns.SERVICE]


def test_a_process_that_was_killed_between_requests_is_replaced(helper: str, starts: list[str]) -> None:
    pid, _ = ask(helper, {}, 10.0).content
    (waiting,) = process._idle[helper]
    waiting.process.kill()
    waiting.process.wait()
    again, _ = ask(helper, {}, 10.0).content
    assert again != pid
    assert len(starts) == 2


@pytest.mark.skipif(not service.LIMIT_SIGNAL, reason="this system does not limit the time of a processor")
@pytest.mark.parametrize(("request_", "seconds"), [("compute", 0.2), ("wait", 0.1), ("memory", 10.0)])
def test_a_request_ends_at_its_limit_and_is_not_repeated(
    request_: str, seconds: float, helper: str, starts: list[str]
) -> None:
    """Of time and of memory. Nobody computes while a process waits, so a clock decides."""
    ask(helper, {}, 10.0)
    with pytest.raises(GuardExceeded) as caught:
        ask(helper, request_, seconds)  # type: ignore[arg-type]
    assert caught.value.milliseconds == int(1000 * seconds)
    assert starts == [helper]
    assert ask(helper, "x", 10.0).content[1] == "x"  # type: ignore[arg-type]


def test_printed_text_is_no_answer(helper: str, starts: list[str]) -> None:
    assert ask(helper, "print", 10.0).content[1] == "print"  # type: ignore[arg-type]


def test_the_process_gets_nothing_of_our_environment(
    helper: str, starts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OS_PASSWORD", "a secret")
    environment = ask(helper, "environment", 10.0).content  # type: ignore[arg-type]
    assert environment.keys() <= {"PYTHONPATH", "PYTHONIOENCODING", *process.KEPT, "LC_CTYPE"}


def test_a_process_of_its_own_answers_once(helper: str, starts: list[str]) -> None:
    pids = {ask(helper, {}, 10.0, shared=False).content[0] for _ in range(2)}
    assert len(pids) == 2
    assert not process._idle.get(helper)


def test_no_process_can_be_started(starts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere")
    with pytest.raises(GuardExceeded):
        ask(patterns.SERVICE, REQUEST, 10.0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_does_not_use_the_process_of_its_parent(helper: str, starts: list[str]) -> None:
    pid, _ = ask(helper, {}, 10.0).content
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, str(ask(helper, {}, 10.0).content[0]).encode())
            process.close_idle_processes()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(reader, 100)) != pid
    assert ask(helper, {}, 10.0).content[0] == pid
    os.close(reader)
    os.close(writer)


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or sys.platform == "win32", reason="signals need POSIX")
def test_an_interrupt_is_for_the_process_that_asks(helper: str, starts: list[str]) -> None:
    pid, _ = ask(helper, {}, 10.0).content
    os.kill(pid, signal.SIGINT)
    assert ask(helper, {}, 10.0).content[0] == pid
