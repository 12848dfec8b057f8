"""Disturbances of a command: it is killed, may open few files, has no locale, runs twice at once, and its files change
while they are read. No file is lost, and a plain message reports each failure.
"""

from __future__ import annotations

import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest

from tests.support.files import write_files
from transpile.text import source

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")

HOT2TF = [sys.executable, "-m", "transpile.cli.process"]
INNER = """\
heat_template_version: 2018-08-31
parameters: {name: {type: string, hidden: true}}
resources:
    net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}
outputs: {id: {value: {get_resource: net}}}
"""
MAIN = """\
heat_template_version: 2018-08-31
# café
parameters: {é: {type: string, default: ü}}
resources:
    one: {type: inner.yaml, properties: {name: {get_param: é}}}
    two: {type: OS::Heat::SoftwareConfig, properties: {config: {get_file: inner.yaml}}}
"""
INTERNAL = re.compile(r"Traceback|HOT90[0-35]|Exception")
Tree = dict[str, bytes]


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """A repository with two stacks, in which no file is formatted."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.yaml").write_text(MAIN, "utf-8")
        (tmp_path / name / "inner.yaml").write_text(INNER, "utf-8")
    return tmp_path


def run(folder: pathlib.Path, words: Sequence[str], limits: str = "", **environment: str) -> tuple[int, str]:
    """The exit status of a command, and its messages."""
    command = ["/bin/sh", "-c", f'{limits or ":"}; exec "$@"', "hot2tf", *HOT2TF, *words]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    output = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert INTERNAL.search(output) is None, output
    return done.returncode, output


def read_tree(top: pathlib.Path) -> Tree:
    files = (path for path in top.rglob("*") if path.is_file() and "state.db" not in path.name)
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in files}


def start(folder: pathlib.Path, words: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*HOT2TF, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


# killed


def test_fmt_that_is_killed_leaves_each_file_as_it_was_or_formatted(folder: pathlib.Path) -> None:
    for n in range(40):
        (folder / f"more{n}.yaml").write_text(MAIN, "utf-8")
    before = read_tree(folder)
    began = time.monotonic()
    assert run(folder, ["fmt", "."])[0] == 0
    seconds = time.monotonic() - began
    after = read_tree(folder)
    assert all(before[name] != after[name] for name in before)
    rng = random.Random(1)
    for _ in range(5):
        write_files(folder, before)
        process = start(folder, ["fmt", "."])
        time.sleep(rng.uniform(0.4, 1) * seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        for name, data in read_tree(folder).items():
            assert data in (before.get(name), after.get(name)) or name.rpartition("/")[2].startswith(".hot2tf-")
        assert run(folder, ["fmt", "."])[0] == 0
        assert read_tree(folder) == after


@pytest.mark.parametrize("words", [["convert", "a/main.yaml", "-o", "out"], ["migrate", "a", "out", "--jobs", "1"]])
def test_the_next_run_completes_the_output_of_a_killed_one(folder: pathlib.Path, words: list[str]) -> None:
    began = time.monotonic()
    assert run(folder, words)[0] == 0
    seconds = time.monotonic() - began
    expected = read_tree(folder / "out")
    rng = random.Random(2)
    for _ in range(4):
        subprocess.run(["rm", "-rf", "out"], cwd=folder, check=True)
        process = start(folder, words)
        time.sleep(rng.uniform(0.4, 1) * seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert run(folder, words)[0] == 0
        assert read_tree(folder / "out") == expected


# two at once


@pytest.mark.parametrize("words", [["convert", "a/main.yaml", "-o", "out"], ["fmt", "a", "b"]])
def test_two_runs_at_once_end_as_one(folder: pathlib.Path, words: list[str]) -> None:
    """Whichever is first: both succeed, or one says why not, and then a third run ends as one alone would have."""
    unformatted = read_tree(folder)
    assert run(folder, words)[0] == 0
    expected = read_tree(folder)
    write_files(folder, unformatted)
    subprocess.run(["rm", "-rf", "out"], cwd=folder, check=True)
    processes = [start(folder, words) for _ in range(2)]
    messages = [process.communicate()[1].decode() for process in processes]
    assert not any(map(INTERNAL.search, messages))
    assert run(folder, words)[0] == 0
    assert read_tree(folder) == expected


# few files, no locale, names in bytes


@pytest.mark.parametrize(
    "words", [["convert", "a/main.yaml", "-o", "out"], ["check", "."], ["fmt", "--check", "."], ["migrate", "a", "out"]]
)
def test_few_files_may_be_open_at_once(folder: pathlib.Path, words: list[str]) -> None:
    expected = run(folder, words)
    subprocess.run(["rm", "-rf", "out"], cwd=folder, check=True)
    status, _ = run(folder, words, "ulimit -n 32")
    assert status == expected[0]


def test_the_output_does_not_depend_on_the_locale(folder: pathlib.Path) -> None:
    words = ["convert", "a/main.yaml", "-o", "out", "--tests"]
    assert run(folder, words, LC_ALL="C.UTF-8")[0] == 0
    expected = read_tree(folder / "out")
    subprocess.run(["rm", "-rf", "out"], cwd=folder, check=True)
    locale = {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    assert run(folder, words, **locale)[0] == 0
    assert read_tree(folder / "out") == expected


@pytest.mark.skipif(sys.platform != "linux", reason="names in bytes")
def test_names_that_are_not_utf_8_without_a_locale(folder: pathlib.Path) -> None:
    name = os.fsdecode(b"caf\xe9.yaml")
    (folder / name).write_text(MAIN.replace("inner.yaml", "a/inner.yaml"), "utf-8")
    (folder / "a" / name).write_text(MAIN, "utf-8")
    locale = {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for environment in ({}, locale):
        assert run(folder, ["check", "."], **environment)[0] == 0
        assert run(folder, ["convert", name, "-o", "out"], **environment)[0] == 0
        status, messages = run(folder, ["migrate", "a", f"moved{len(environment)}"], **environment)
        assert (status, "caf\\xe9.yaml is not UTF-8" in messages) == (1, True)
    assert run(folder, ["fmt", name])[0] == 0
    assert (folder / name).read_text("utf-8") != MAIN.replace("inner.yaml", "a/inner.yaml")


# files that change between two reads


def test_a_file_that_changes_between_two_reads(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nested template is another one, or gone, whenever it is read again: no exception, and the output is that of
    one of the two.
    """
    import transpile

    read = source.read_bytes
    for later in (None, b"", b"heat_template_version: 2018-08-31\n", INNER.replace("name", "other").encode()):
        for first in range(4):
            count = 0

            def changing(path: str, limit: int, first: int = first, later: bytes | None = later) -> bytes:
                nonlocal count
                if not os.fspath(path).endswith("inner.yaml"):
                    return read(path, limit)
                count += 1
                if count <= first:
                    return read(path, limit)
                if later is None:
                    raise source.UnreadableFile("missing", "inner.yaml does not exist")
                return later

            monkeypatch.setattr(source, "read_bytes", changing)
            done = transpile.convert(folder / "a" / "main.yaml")
            assert not [d for d in done.diagnostics if d.code.startswith("HOT90")]
            assert done.ok == bool(done.files)


# names that Windows cannot have


def test_outputs_have_names_that_every_system_can_have(folder: pathlib.Path) -> None:
    """Modules and copied files are not named as Windows' devices, nor do two names differ only in case."""
    import transpile

    nested = ["con.yaml", "Aux.yaml", "nul.yaml", "com1.yaml", "sub.yaml", "SUB.yaml", "console.yaml"]
    for name in nested:
        (folder / name).write_text(INNER, "utf-8")
    resources = "".join(
        f"  r{n}: {{type: {name}, properties: {{name: x{n}}}}}\n"
        f"  f{n}: {{type: OS::Heat::SoftwareConfig, properties: {{config: {{get_file: {name}}}}}}}\n"
        for n, name in enumerate(nested)
    )
    servers = "".join(
        f"  s{n}: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, user_data: {{get_resource: f{n}}}}}}}\n"
        for n in range(len(nested))
    )
    path = folder / "top.yaml"
    path.write_text(f"heat_template_version: 2018-08-31\nresources:\n{resources}{servers}", "utf-8")
    for to in ("hcl", "tosca"):
        done = transpile.convert(path, to=to)
        assert done.ok
        parts = [part for name in done.files for part in name.split("/")]
        devices = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
        assert [part for part in parts if devices.fullmatch(part)] == []
        assert len({name.casefold() for name in done.files}) == len(done.files)
