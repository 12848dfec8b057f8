"""migrate that is stopped: killed, failed or interrupted anywhere, the next run ends as an undisturbed one."""

from __future__ import annotations

import errno
import os
import pathlib
import signal
import subprocess
import sys
from functools import partial
from typing import Any

import pytest

from tests.support import forks
from tests.support.interrupts import accept_interrupts
from tests.support.repositories import make, put, tree
from transpile.migrate import executors, progress, session
from transpile.migrate.state import MigrationState
from transpile.migrate.unit import MigrationUnit, UnitResult, convert_unit
from transpile.repository import survey
from transpile.settings.table import Request
from transpile.text.manifest import read_manifest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes of POSIX")

# of the system and of the state: those that change something
STEPS: list[tuple[Any, str]] = [(os, name) for name in ("open", "replace", "rename", "unlink", "mkdir", "rmdir")]
STEPS += [(MigrationState, name) for name in ("save_result", "copy_result", "save_placed", "forget_placed")]
PATIENCE = 60  # seconds
EVERY = 5  # only every fifth step, to save time; all kinds of steps are among them


def migrate(src: pathlib.Path, dest: pathlib.Path) -> bool:
    settings = session.MigrationRequest(Request(jobs=1))
    return session.migrate_stacks(src, dest, settings, progress.SilentProgress()).ok


def prepared(where: pathlib.Path, *, again: bool) -> tuple[pathlib.Path, pathlib.Path]:
    """A source, and a destination that is new or has the output of an older source."""
    src, dest = make(where / "src"), where / "out"
    if again:
        migrate(src, dest)
        put(src, "lib/boot.sh", "#!/bin/sh\nanother\n")
        put(src, "more/alone.yaml", (src / "net/alone.yaml").read_text())
        for name in ("db/db.yaml", "waits.yaml"):
            (src / name).unlink()
    return src, dest


@pytest.mark.long
@pytest.mark.parametrize("again", [False, True])
def test_killed_at_any_step_the_next_run_ends_as_an_undisturbed_one(again: bool, tmp_path: pathlib.Path) -> None:
    src, dest = prepared(tmp_path / "undisturbed", again=again)
    assert migrate(src, dest)
    expected = tree(dest)
    step, steps = 1, 0
    while True:
        src, dest = prepared(tmp_path / str(step), again=again)
        if not forks.is_killed_at(step, STEPS, partial(migrate, src, dest), after=False):
            break
        for complete in (dest.glob("*/*/main.tf"), dest.glob("modules/*/main.tf")):
            for main in complete:  # a reader never sees a directory without its manifest
                assert read_manifest(main.parent)
        assert migrate(src, dest)
        assert tree(dest) == expected
        step, steps = step + EVERY, steps + 1
    assert steps > 10


def test_a_full_disk_is_a_message_and_the_next_run_completes(tmp_path: pathlib.Path) -> None:
    src, dest = prepared(tmp_path / "undisturbed", again=False)
    migrate(src, dest)
    expected = tree(dest)

    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for step in range(2, 80, 7):
        src, dest = prepared(tmp_path / str(step), again=False)
        if (child := forks.fork()) == 0:
            forks.stop_at(step, STEPS, full)
            status = 1
            try:
                migrate(src, dest)
                status = 0
            except OSError:  # which the command says
                status = 0
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert migrate(src, dest)
        assert tree(dest) == expected


def test_stacks_converted_before_the_kill_are_not_converted_again(tmp_path: pathlib.Path) -> None:
    src, dest = prepared(tmp_path, again=False)

    def run() -> None:
        save, saved = MigrationState.save_result, 0

        def twice(self: MigrationState, *args: Any) -> None:
            nonlocal saved
            save(self, *args)
            if (saved := saved + 1) == 2:
                os._exit(9)

        setattr(MigrationState, "save_result", twice)  # noqa: B010  # a type checker refuses the plain form
        migrate(src, dest)

    if (child := forks.fork()) == 0:
        run()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    settings = session.MigrationRequest(Request(jobs=1))
    done = session.migrate_stacks(src, dest, settings, progress.SilentProgress())
    assert sorted(done.outcome.done.values()) == ["converted", "converted", "copied", "unchanged", "unchanged"]


@pytest.mark.long
def test_an_interrupt_ends_it_without_a_traceback_and_keeps_finished_work(tmp_path: pathlib.Path) -> None:
    src, dest = make(tmp_path / "src"), tmp_path / "out"
    for i in range(400):
        put(src, f"many/t{i:03}.yaml", (src / "net/alone.yaml").read_text().replace("name: n", f"name: n{i}"))
    command = [sys.executable, "-m", "transpile.cli.process", "migrate", str(src), str(dest), "--progress", "plain"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, preexec_fn=accept_interrupts
    ) as process:
        assert process.stderr is not None
        seen = []
        for line in process.stderr:
            seen.append(line)
            if line.startswith("[20/"):
                process.send_signal(signal.SIGINT)
                break
        rest = process.stderr.read()
        assert process.wait(60) == 130
    assert "Traceback" not in "".join(seen) + rest
    assert "Stopped. Converted stacks are kept" in rest
    done = session.migrate_stacks(src, dest, session.MigrationRequest(Request(jobs=1)), progress.SilentProgress())
    assert list(done.outcome.done.values()).count("unchanged") >= 15


def interrupted(src: str) -> None:
    """Ctrl-C comes while a unit is handed to the pool."""
    pool = executors.ProcessExecutor(2, "hcl")
    put, done = pool.pool._work_ids.put, 0

    def stopping_put(*args: Any) -> None:
        nonlocal done
        done += 1
        if done == 3:
            raise KeyboardInterrupt
        put(*args)

    pool.pool._work_ids.put = stopping_put  # type: ignore[assignment,method-assign]
    try:
        list(pool.run_units(units(pathlib.Path(src))))
    except KeyboardInterrupt:
        pool.close()


def test_an_interrupt_in_the_pool_does_not_keep_the_process(tmp_path: pathlib.Path) -> None:
    """Jobs that the pool has only half registered are cancelled; otherwise the process would wait for them at its
    end.
    """
    program = f"from {__name__} import interrupted; interrupted({str(make(tmp_path))!r})"
    root = pathlib.Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", program], cwd=root, timeout=PATIENCE).returncode == 0


# processes that are killed


def fatal(unit: MigrationUnit) -> UnitResult:
    """Converts a unit; one of them ends the process, as the system does when there is no memory left."""
    if unit.output == "db/db":
        os.kill(os.getpid(), signal.SIGKILL)
    return convert_unit(unit)


def units(src: pathlib.Path) -> list[MigrationUnit]:
    plan = survey.survey_tree(src)
    return [session.make_unit(stack, Request(), str(src), src, b"") for stack in plan.stacks]


def test_a_unit_that_kills_its_process_is_found_and_the_others_are_converted(tmp_path: pathlib.Path) -> None:
    pool = executors.ProcessExecutor(2, "hcl", fatal)
    results = {unit.output: result for unit, result in pool.run_units(units(make(tmp_path)))}
    pool.close()
    assert isinstance(results.pop("db/db"), executors.ProcessLost)
    assert sorted(results) == ["copy/alone", "net/alone", "waits", "web/web"]
    assert all(isinstance(result, UnitResult) and result.converted for result in results.values())


def test_a_unit_that_failed_by_a_defect_is_tried_again(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(unit: MigrationUnit) -> UnitResult:
        if unit.output == "waits":
            raise MemoryError
        return convert_unit(unit)

    src = make(tmp_path / "src")
    with monkeypatch.context() as broken:
        broken.setattr(executors, "convert_unit", fail)
        assert not migrate(src, tmp_path / "out")
    settings = session.MigrationRequest(Request(jobs=1))
    done = session.migrate_stacks(src, tmp_path / "out", settings, progress.SilentProgress())
    assert [output for output, word in done.outcome.done.items() if word != "unchanged"] == ["waits"]
    assert done.ok


def test_several_processes_give_the_same_as_one(tmp_path: pathlib.Path) -> None:
    src = make(tmp_path)
    pool = executors.ProcessExecutor(2, "hcl")
    several = sorted((result for _, result in pool.run_units(units(src))), key=output)
    pool.close()
    assert several == sorted((result for _, result in executors.InlineExecutor().run_units(units(src))), key=output)


def output(result: UnitResult | Exception) -> str:
    assert isinstance(result, UnitResult)
    return result.output
