"""Standard output and error that are closed, full or read only in part, and Ctrl-C at any time: no traceback, and the
exit status that a script expects.
"""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest

from tests.support.files import write_files

TEMPLATE = """\
heat_template_version: 2021-04-16
resources:
  net: {type: OS::Neutron::Net, properties: {nane: x}}
"""
GOOD = "heat_template_version: 2021-04-16\n"
HOT2TF = [sys.executable, "-m", "transpile.cli.process"]
# Commands, and their exit status if nobody disturbs them. All of them write results to standard output.
WRITE = {
    "--version": 0,
    "--help": 0,
    "convert --help": 0,
    "convert good.yaml": 0,
    "convert good.yaml --to tosca": 0,
    "convert good.yaml --to tosca --csar": 0,
    "check bad.yaml": 1,
    "check good.yaml --diagnostics json": 0,
    "fmt --diff unformatted.yaml": 0,
    "targets": 0,
    "types": 0,
    "explain HOT201": 0,
    "capabilities summary good.yaml": 0,
}
# Those that write nothing there.
QUIET = {"convert good.yaml -o out": 0, "convert bad.yaml -o out": 1, "check good.yaml": 0, "convert": 2, "wrong": 2}


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    write_files(tmp_path, {"good.yaml": GOOD, "bad.yaml": TEMPLATE, "unformatted.yaml": "outputs: {}\n" + GOOD})
    return tmp_path


def shell(folder: pathlib.Path, command: str, unbuffered: bool = False) -> tuple[int, str]:
    """The exit status of a command in a shell, and its messages on standard error, or on the stream in its place."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1" if unbuffered else ""}
    line = command.replace("hot2tf", shlex.join(HOT2TF))
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    output = done.stderr.decode() + done.stdout.decode("utf-8", "replace")
    assert "Traceback" not in output
    assert "HOT900" not in output
    assert "Exception" not in output
    return done.returncode, output


full = pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="this system has no /dev/full")


@full
@pytest.mark.parametrize("command", WRITE)
def test_results_that_cannot_be_written_are_a_failure(command: str, folder: pathlib.Path) -> None:
    status, output = shell(folder, f"hot2tf {command} > /dev/full")
    assert status == 1
    assert "standard output cannot be written" in output


@full
@pytest.mark.parametrize(
    "command",
    [
        "convert good.yaml -o out --report",
        "convert good.yaml -o out --html",
        "adopt export.json -o out --report",
        "migrate . ../out --report",
        "migrate . ../out --html",
        "migrate . ../out --summary",
        "check bad.yaml --output-file",
    ],
)
def test_a_result_that_nothing_can_be_written_to_is_found_before_the_output_is(
    command: str, folder: pathlib.Path
) -> None:
    export = {"name": "s", "id": "1", "template": {"heat_template_version": "2021-04-16"}, "resources": {}}
    (folder / "export.json").write_text(json.dumps(export))
    below = folder / "below"
    below.mkdir()
    for name in ("good.yaml", "bad.yaml", "export.json"):
        (folder / name).rename(below / name)
    status, output = shell(below, f"hot2tf {command} /dev/full")
    assert (status, "/dev/full cannot be written: No space left on device" in output) == (2, True)
    assert not (folder / "out").exists()
    assert not (below / "out").exists()


@pytest.mark.parametrize("command", WRITE)
def test_a_closed_standard_output_ends_the_command_quietly(command: str, folder: pathlib.Path) -> None:
    status, output = shell(folder, f"hot2tf {command} >&-")
    assert status == WRITE[command]
    assert "standard output" not in output


@full
@pytest.mark.parametrize("command", ["--version", "convert good.yaml"])
def test_python_without_buffers_does_the_same(command: str, folder: pathlib.Path) -> None:
    assert shell(folder, f"hot2tf {command} > /dev/full", unbuffered=True)[0] == 1
    assert shell(folder, f"hot2tf {command}", unbuffered=True)[0] == 0


@pytest.mark.parametrize("command", QUIET)
@pytest.mark.parametrize("to", [">&-", pytest.param("> /dev/full", marks=full)])
def test_without_results_nothing_is_missing(command: str, to: str, folder: pathlib.Path) -> None:
    assert shell(folder, f"hot2tf {command} {to}")[0] == QUIET[command]


@pytest.mark.parametrize("command", [*WRITE, *QUIET])
@pytest.mark.parametrize("to", ["2>&-", pytest.param("2> /dev/full", marks=full)])
def test_diagnostics_that_cannot_be_written_change_nothing(command: str, to: str, folder: pathlib.Path) -> None:
    status = {**WRITE, **QUIET}[command]
    assert shell(folder, f"hot2tf {command} {to}")[0] == status
    if "-o out" in command:
        assert (folder / "out").exists() == (status == 0)


def test_with_all_descriptors_closed_the_output_is_still_right(folder: pathlib.Path) -> None:
    """A file that is opened must not become standard output or error."""
    texts = []
    for closed in ("", "<&- >&- 2>&-"):
        assert shell(folder, f"hot2tf convert good.yaml -o out {closed}")[0] == 0
        texts.append((folder / "out" / "versions.tf").read_bytes())
        shutil.rmtree(folder / "out")
    assert texts[0] == texts[1]
    code = "import os, sys; from transpile.cli.app import prepare_streams; prepare_streams(); "
    code += "sys.exit(os.open(os.devnull, os.O_RDONLY))"  # the number of the next file
    assert shell(folder, f"'{sys.executable}' -c '{code}' <&- >&- 2>&-")[0] == 3


def test_a_reader_that_has_enough_is_no_error_to_speak_of(folder: pathlib.Path) -> None:
    status, output = shell(folder, "(hot2tf types; echo status $? >&2) | head -n 1")
    assert status == 0
    assert len(output.splitlines()) == 2, output
    assert "status 1" in output or "status 0" in output  # 0 if all of it was written before the reader ended
    ended = "import subprocess, sys; p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE); p.stdout.close(); "
    ended += "sys.exit(p.wait())"
    done = subprocess.run([sys.executable, "-c", ended, *HOT2TF, "types"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_pipe_without_room_is_waited_for(folder: pathlib.Path) -> None:
    """The pipe is one that does not block, as another program may have set it."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    (folder / "long.txt").write_text("x" * 300_000)
    (folder / "long.yaml").write_text(f"{GOOD}outputs: {{a: {{value: {{get_file: long.txt}}}}}}\n")
    with subprocess.Popen([*HOT2TF, "convert", "long.yaml"], stdout=writer, cwd=folder, stderr=subprocess.PIPE) as run:
        os.close(writer)
        time.sleep(1)
        with os.fdopen(reader, "rb") as stream:
            read = stream.read()
        assert run.wait() == 0
    assert b"x" * 300_000 in read


# Ctrl-C


INTERRUPT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
from transpile.cli import process

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == place:
            os.kill(os.getpid(), signal.SIGINT)

place, sys.argv = sys.argv[1], ["hot2tf", *sys.argv[2:]]
sys.meta_path.insert(0, Finder())
process.command()
"""


@pytest.mark.parametrize("module", ["transpile.cli.app", "typer", "transpile.pipeline", "yaml", "emitters.hcl.emitter"])
def test_ctrl_c_while_modules_are_imported_ends_quietly(module: str, folder: pathlib.Path) -> None:
    command = [sys.executable, "-c", INTERRUPT, module, "convert", "good.yaml", "-o", "out"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
    assert not (folder / "out").exists()


AT_WORK = """
import pathlib, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
from transpile import parallel
from transpile.cli.process import command

def noticed(work, *more):
    def do(job):
        result = work(job)
        pathlib.Path("at-work").touch()
        return result
    return run(do, *more)

run, parallel.run_in_parallel = parallel.run_in_parallel, noticed
command()
"""


@pytest.mark.parametrize("jobs", ["1", "4"])
def test_ctrl_c_at_work_ends_quietly(jobs: str, folder: pathlib.Path) -> None:
    many = folder / "many"
    many.mkdir()
    for i in range(400):
        nets = "".join(f"  n{j}: {{type: OS::Neutron::Net}}\n" for j in range(100))
        (many / f"{i}.yaml").write_text(f"{GOOD}resources:\n{nets}")
    with subprocess.Popen(
        [sys.executable, "-c", AT_WORK, "check", "--jobs", jobs, "many"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as run:
        while not (folder / "at-work").exists() and run.poll() is None:
            time.sleep(0.01)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to all processes
        out, err = run.communicate(timeout=300)
    assert (run.returncode, out, err) == (130, b"", b"")


def test_a_process_that_ignores_ctrl_c_is_not_ended_by_it(folder: pathlib.Path) -> None:
    """As `nohup` and background jobs of shells have it."""
    program = "import signal, os\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n" + INTERRUPT.replace(
        "signal.signal(signal.SIGINT, signal.default_int_handler)", "pass"
    )
    command = [sys.executable, "-c", program, "transpile.pipeline", "convert", "good.yaml", "-o", "out"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0
    assert (folder / "out").exists()
