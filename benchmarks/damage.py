"""Stops `hot2tf migrate` in every way that a machine has, and looks whether the next run mends it.

python -m benchmarks.damage [--times 100] [--only kill full readonly together]

The source is a repository of our goldens, in two versions; a destination is new, or has the output of the first
version, with files and an edit of a person in it. A run over the second version is then disturbed:

    kill      SIGKILL for all of its processes, after a random time
    full      its file system (a tmpfs) is full after a random number of bytes; needs root
    readonly  its file system, or one directory or file of it, can only be read; needs root
    together  two runs begin at nearly the same time

Three things are counted as faults: a traceback or an internal error; a file of the person that is lost or changed; a
destination that differs from an undisturbed one after two more runs. The exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import hashlib
import io
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from tests.support import cases
from transpile.cli import app
from transpile.text.manifest import read_manifest

STACKS = ("alias", "embedded", "environments", "get_file", "module", "module_group", "resource_chain")
ADDED = ("outputs", "one_subnet")  # stacks that only the second version has
REMOVED = ("alias", "resource_chain")  # and that only the first one has
CHANGED = ("embedded", "module", "get_file")  # of which the second version has another text
OF_PERSON = {"notes.txt": "x\n", "module/input/mine.tf": "# mine\n", "resource_chain/input/mine.tf": "# mine\n"}
EDITED = "environments/input/base/main.tf"  # which the person has edited
GENERATED = ("hcl", "tosca", "hot", "graph", "fmt", "check")  # folders of goldens that are no input
WRITTEN = (".report.json", ".diagnostics.txt", "case.toml")  # and files
WRONG = re.compile(r"Traceback|HOT900")
NOBODY = 65534
ROOM = 16 << 20  # bytes of a file system


@dataclasses.dataclass
class Ended:
    """The end of a run: its exit status, or minus its signal; and its messages."""

    status: int
    output: str


class Scene:
    """The two versions of the source, and the outputs of undisturbed runs."""

    def __init__(self, top: pathlib.Path) -> None:
        self.top = top
        self.first, self.second = top / "first", top / "second"
        lay_out(self.first, (*STACKS,))
        lay_out(self.second, (*(name for name in STACKS if name not in REMOVED), *ADDED))
        for name in CHANGED:
            main = next((self.second / name).glob("input.*"))
            main.write_text(
                re.sub(r"(?m)^description: ", "description: changed, ", main.read_text("utf-8")) + "\n# new\n"
            )
        warm_up(self.second, top / "warm")
        self.before = top / "before"
        self.finish(self.first, self.before)
        for path, text in OF_PERSON.items():
            (self.before / path).write_text(text)
        with (self.before / EDITED).open("a") as stream:
            stream.write("# by hand\n")
        began = time.monotonic()
        self.finish(self.first, self.place(top / "timed", again=False))
        self.seconds = time.monotonic() - began
        self.expected = {False: self.undisturbed(again=False), True: self.undisturbed(again=True)}

    def undisturbed(self, *, again: bool) -> dict[str, str]:
        dest = self.place(self.top / f"undisturbed-{again}", again=again)
        self.finish(self.second, dest)
        self.finish(self.second, dest)  # as each disturbed run is followed by another one
        return tree(dest)

    def place(self, dest: pathlib.Path, *, again: bool) -> pathlib.Path:
        """Makes a destination; a new one, or one that an earlier run wrote."""
        if again:
            shutil.copytree(self.before, dest, dirs_exist_ok=True)
        else:
            dest.mkdir(exist_ok=True)
        return dest

    def finish(self, src: pathlib.Path, dest: pathlib.Path) -> Ended:
        return wait(start(src, dest))


@dataclasses.dataclass
class Run:
    """A run in a group of processes of its own. `log`: where it writes."""

    process: int
    log: pathlib.Path


def warm_up(src: pathlib.Path, dest: pathlib.Path) -> None:
    """Loads modules and tables, which every fork then has. One without rights may not even read them."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for _ in range(2):
            with contextlib.suppress(SystemExit):
                sys.argv = ["hot2tf", "migrate", str(src), str(dest), "--progress", "none", "--jobs", "1"]
                app.run_command_line()


def lay_out(src: pathlib.Path, names: tuple[str, ...]) -> None:
    """Writes a repository with the inputs of goldens."""
    for name in names:
        for path in sorted((cases.GOLDEN / name).rglob("*")):
            inside = path.relative_to(cases.GOLDEN / name)
            if path.is_file() and inside.parts[0] not in GENERATED and not path.name.endswith(WRITTEN):
                (src / name / inside).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, src / name / inside)


def tree(top: pathlib.Path) -> dict[str, str]:
    """The digests of all files of a destination but the state, and of the files left behind in its folder."""
    return {
        path.relative_to(top).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(top.rglob("*"))
        if path.is_file() and path.relative_to(top).parts[0] != ".hot2tf"
    }


def start(src: pathlib.Path, dest: pathlib.Path, jobs: int = 1, user: int | None = None) -> Run:
    """Begins a run in a fork, which needs no time to import."""
    log = pathlib.Path(tempfile.gettempdir(), f"hot2tf-damage-{os.getpid()}-{time.monotonic_ns()}")
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        status = 70
        try:
            os.setsid()
            stream = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            os.dup2(stream, 1)
            os.dup2(stream, 2)
            if user is not None:
                os.setgid(user)
                os.setuid(user)
            sys.argv = ["hot2tf", "migrate", str(src), str(dest), "--progress", "none", "--jobs", str(jobs)]
            app.main()
            status = 0
        except SystemExit as e:
            status = e.code if isinstance(e.code, int) else 1
        finally:
            with contextlib.suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)
    return Run(process, log)


def wait(run: Run) -> Ended:
    status = os.waitstatus_to_exitcode(os.waitpid(run.process, 0)[1])
    output = run.log.read_text("utf-8", "replace") if run.log.exists() else ""
    run.log.unlink(missing_ok=True)
    return Ended(status, output)


def is_over(run: Run) -> bool:
    return os.waitid(os.P_PID, run.process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


# disturbances: each yields the faults that it sees, and leaves a destination for the next run


def kill(scene: Scene, dest: pathlib.Path, rng: random.Random) -> Iterator[str]:
    """Kills a run, and now and then the one after it."""
    for _ in range(rng.choice((1, 1, 2))):
        run = start(scene.second, dest, rng.choice((1, 1, 2)))
        time.sleep(rng.uniform(0, scene.seconds))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.process, signal.SIGKILL)
        ended = wait(run)
        yield from internal(ended)
        yield f"was {'killed' if ended.status == -9 else 'too fast'}"


def full(scene: Scene, dest: pathlib.Path, rng: random.Random) -> Iterator[str]:
    """Leaves little room on the file system."""
    ballast = dest.with_name("ballast")
    space = os.statvfs(dest.parent)
    room = rng.choice((0, 1, 4, rng.randrange(20), rng.randrange(100), rng.randrange(400))) * 4096
    with ballast.open("wb") as stream, contextlib.suppress(OSError):
        os.posix_fallocate(stream.fileno(), 0, max(space.f_bavail * space.f_frsize - room, 1))
    ended = wait(start(scene.second, dest, rng.choice((1, 2))))
    ballast.unlink()
    yield from internal(ended)
    yield "was " + ("stopped" if ended.status else "finished")
    if ended.status and not re.search("No space left|disk is full|disk I/O error", ended.output):
        yield f"status {ended.status} for another reason: {ended.output[:200]!r}"


def readonly(scene: Scene, dest: pathlib.Path, rng: random.Random) -> Iterator[str]:
    """Makes the file system, or a part of the destination, unwritable."""
    if rng.random() < 0.3:
        mount = dest.parent
        subprocess.run(["mount", "-o", "remount,ro", str(mount)], check=True)
        ended = wait(start(scene.second, dest, rng.choice((1, 2))))
        subprocess.run(["mount", "-o", "remount,rw", str(mount)], check=True)
    else:
        for path in (dest, *dest.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        os.chown(dest.parent, NOBODY, NOBODY)
        paths = sorted(path for path in (dest, *dest.rglob("*")) if not path.is_symlink())
        chosen = rng.sample(paths, min(len(paths), rng.choice((1, 1, 2, 5))))
        modes = {path: path.stat().st_mode for path in chosen}
        for path in chosen:
            path.chmod(0o555 if path.is_dir() else 0o444)
        ended = wait(start(scene.second, dest, rng.choice((1, 2)), NOBODY))
        for path, mode in modes.items():
            if path.exists():
                path.chmod(mode)
    yield from internal(ended)
    yield "was " + ("stopped" if ended.status else "finished")
    if ended.status and not re.search("Read-only|Permission denied|readonly", ended.output):
        yield f"status {ended.status} for another reason: {ended.output[:200]!r}"


def together(scene: Scene, dest: pathlib.Path, rng: random.Random) -> Iterator[str]:
    """Begins two runs, over either version of the source."""
    sources = rng.choice(((scene.second, scene.second), (scene.first, scene.second), (scene.second, scene.first)))
    first = start(sources[0], dest, rng.choice((1, 2)))
    time.sleep(rng.choice((0.0, rng.uniform(0, scene.seconds))))
    second = start(sources[1], dest, rng.choice((1, 2)))
    ends = wait(first), wait(second)
    refused = ["another hot2tf migrate is at work" in ended.output for ended in ends]
    for ended, was_refused in zip(ends, refused, strict=True):
        yield from internal(ended)
        if ended.status and not was_refused:
            yield f"status {ended.status}: {ended.output[:200]!r}"
    if all(refused):
        yield "both were refused"
    yield "was " + ("refused" if any(refused) else "one after the other")


def internal(ended: Ended) -> Iterator[str]:
    if WRONG.search(ended.output):
        yield f"internal: {ended.output[-300:]!r}"


KINDS: dict[str, Callable[[Scene, pathlib.Path, random.Random], Iterator[str]]] = {
    function.__name__: function for function in (kill, full, readonly, together)
}


@contextlib.contextmanager
def file_system(kind: str, top: pathlib.Path) -> Iterator[pathlib.Path]:
    """A directory for destinations; for some kinds, a file system of its own."""
    where = top / kind
    where.mkdir()
    if kind in ("kill", "together"):
        yield where
        return
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "hot2tf-damage", str(where)], check=True)
    where.chmod(0o755)
    try:
        yield where
    finally:
        subprocess.run(["umount", str(where)], check=True)


def look(scene: Scene, dest: pathlib.Path, *, again: bool) -> Iterator[str]:
    """Faults of a destination that was disturbed: before and after another run."""
    if again:
        for path, text in OF_PERSON.items():
            if not (dest / path).exists() or (dest / path).read_text() != text:
                yield f"{path} is lost"
    for main in dest.rglob("main.tf"):
        if ".hot2tf" not in main.parts and not read_manifest(main.parent):
            yield f"{main.parent} has no manifest"
    ended = scene.finish(scene.second, dest)
    yield from internal(ended)
    ended = scene.finish(scene.second, dest)
    there, expected = tree(dest), scene.expected[again]
    for name in sorted(there.keys() | expected.keys()):
        if there.get(name) != expected.get(name):
            how = "is there, too" if name not in expected else "differs" if name in there else "is lost"
            yield f"{name} {how}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.damage", description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS))
    asked = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory(prefix="hot2tf-damage-") as folder:
        top = pathlib.Path(folder)
        top.chmod(0o755)
        scene = Scene(top)
        print(f"{len(scene.expected[True])} files, an undisturbed run takes {scene.seconds:.1f} s", flush=True)
        for kind in asked.only:
            if kind in ("full", "readonly") and os.geteuid() != 0:
                print(f"{kind:10} needs root")
                continue
            counts: dict[str, int] = {}
            with file_system(kind, top) as where:
                for number in range(asked.times):
                    rng, again = random.Random(f"{asked.seed}:{kind}:{number}"), number % 3 != 0
                    dest = scene.place(where / "out", again=again)
                    for event in (*KINDS[kind](scene, dest, rng), *look(scene, dest, again=again)):
                        if event.startswith("was "):
                            counts[event[4:]] = counts.get(event[4:], 0) + 1
                        else:
                            faults += 1
                            print(f"{kind} {number}: {event}", flush=True)
                    shutil.rmtree(dest)
            print(
                f"{kind:10} {asked.times} times: {', '.join(f'{n} {what}' for what, n in sorted(counts.items()))}",
                flush=True,
            )
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
