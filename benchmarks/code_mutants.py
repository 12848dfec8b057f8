"""Breaks one line of the program at a time, and counts the changes that the tests notice.

    python -m benchmarks.code_mutants [COUNT] [SEED] [--only TEXT] [--jobs N]
    python -m benchmarks.code_mutants --at FILE:LINE

A mutant is a seeded line in a function body with one change: a condition negated, a comparison or an operator replaced,
a number or a boolean changed, a statement dropped, a result that is None. A first run records with `coverage` which
tests run which lines, in `out/code_mutants`; remove that folder to record again. Each mutant then runs in a copy of the
checkout with the tests that run its line, and after them with those that run its file. The survivors are listed with
their lines; some mean the same as the program.
(`benchmarks.mutations` breaks the HCL that comes out instead.)
"""

from __future__ import annotations

import argparse
import ast
import collections
import copy
import multiprocessing.pool
import os
import pathlib
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

import coverage
import pytest

ROOT = pathlib.Path(__file__).parent.parent
RECORDING = ROOT / "out" / "code_mutants"
PACKAGES = ("transpile", "emitters", "grammars")
GUARD = "transpile/guarded/process.py"  # starts processes that may write nothing, so that their lines are not recorded
SECONDS = 60  # of the recorded time of the tests that one mutant runs
FILES = 8  # whose tests run before the others
NOT_COLLECTED = 4  # the status of pytest if a test is not there, for example because its file cannot be imported
TIMEOUT = 300  # a mutant whose tests take longer is noticed, too
SWAPS: dict[type[Any], type[Any]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd,
}  # fmt: skip


class Mutant(NamedTuple):
    """A change of a file. `before`, `after`: the text that changes, and the new one; `text`: the whole new file."""

    path: str
    line: int
    before: str
    after: str
    text: str


def changes_of(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that may stand in place of a node."""
    changed: Any = copy.deepcopy(node)
    if isinstance(node, ast.Compare):
        changed.ops[0] = SWAPS[type(node.ops[0])]()
        yield changed
    elif isinstance(node, (ast.BoolOp, ast.BinOp)) and type(node.op) in SWAPS:
        changed.op = SWAPS[type(node.op)]()
        yield changed
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Return):
        if not isinstance(node.value, ast.Constant) or node.value.value:  # most callers take None for False or ""
            yield ast.Return(None) if node.value is not None else ast.Pass()
    elif isinstance(node, (ast.Continue, ast.Break, ast.AugAssign)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()
    test = getattr(node, "test", None)
    if isinstance(node, (ast.If, ast.IfExp, ast.While)) and test is not None:
        yield ast.Tuple([test, ast.UnaryOp(ast.Not(), copy.deepcopy(test))])  # the replaced node, and its replacement


def unjudged_parts(node: ast.AST) -> list[ast.AST]:
    """The parts of a node without mutants: types, which never run, errors, and assertions such as `strict=True`."""
    if isinstance(node, (ast.Assert, ast.Raise)) or (isinstance(node, ast.keyword) and node.arg == "strict"):
        return [node]
    types = [getattr(node, name, None) for name in ("annotation", "returns")]
    return [part for part in types if part is not None]


def mutants_of(path: pathlib.Path) -> Iterator[Mutant]:
    """All mutants of a file."""
    text = path.read_text(encoding="utf-8")
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    tree = ast.parse(text)
    inside = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for s in f.body for n in ast.walk(s)}
    skipped = {id(n) for a in ast.walk(tree) for part in unjudged_parts(a) for n in ast.walk(part)}
    for node in ast.walk(tree):
        if id(node) not in inside or id(node) in skipped:
            continue
        for change in changes_of(node):
            target, new = change.elts if isinstance(change, ast.Tuple) else (node, change)
            start = starts[target.lineno - 1] + target.col_offset  # type: ignore[attr-defined]
            end = starts[target.end_lineno - 1] + target.end_col_offset  # type: ignore[attr-defined]
            after = ast.unparse(ast.fix_missing_locations(new))
            after = f"({after})" if isinstance(new, ast.expr) else after
            data = text.encode()
            whole = data[:start] + after.encode() + data[end:]
            name = path.relative_to(ROOT).as_posix()
            yield Mutant(name, target.lineno, data[start:end].decode(), after, whole.decode())  # type: ignore[attr-defined]


def draw_mutants(count: int, seed: str, only: str) -> list[Mutant]:
    """Mutants of different lines, each line as likely as any other."""
    rng = random.Random(seed)
    by_line: dict[tuple[str, int], list[Mutant]] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if only in path.relative_to(ROOT).as_posix():
                for mutant in mutants_of(path):
                    by_line.setdefault((mutant.path, mutant.line), []).append(mutant)
    places = rng.sample(sorted(by_line), min(count, len(by_line)))
    return [rng.choice(by_line[place]) for place in places]


def copy_checkout(where: pathlib.Path) -> pathlib.Path:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (where / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, where / name)
    return where


def run_pytest(where: pathlib.Path, *arguments: str, seconds: int | None = None, **variables: str) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(where), **variables}
    return subprocess.run(command, cwd=where, env=environment, capture_output=True, timeout=seconds).returncode


def record_tests(jobs: int) -> None:
    """Runs all tests once, and keeps which lines each of them runs, also in processes that it starts."""
    with tempfile.TemporaryDirectory() as folder:
        where = copy_checkout(pathlib.Path(folder) / "checkout")
        data = pathlib.Path(folder) / "data"
        data.mkdir()
        settings = pathlib.Path(folder) / "coveragerc"
        included = ",".join(f"{where}/{package}/*" for package in PACKAGES)
        settings.write_text(
            f"[run]\nparallel = true\ndata_file = {data}/lines\ninclude = {included}\n"
            "concurrency = thread,multiprocessing\ncontext = ${PYTEST_CURRENT_TEST-}\n"
        )
        run_pytest(where, "-n", str(jobs), "-p", "benchmarks.code_mutants", COVERAGE_PROCESS_START=str(settings))
        recorder = coverage.Coverage(data_file=str(data / "lines"), config_file=False)
        recorder.combine()
        recorder.save()
        shutil.copytree(data, RECORDING)


def clear_shared_conversions() -> None:
    """Lets each test run the conversions that it shares with others: else only the first runs the lines."""
    modules = [module for name, module in sys.modules.items() if name.startswith("tests.")]
    for function in [value for module in modules for value in vars(module).values()]:
        if getattr(function, "__annotations__", {}).get("return") == "transpile.Conversion":
            getattr(function, "cache_clear", lambda: None)()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Records the lines of each test, and its seconds if it passes: this module is the plug-in of the recorded run."""
    recorder = coverage.Coverage.current()
    assert recorder is not None
    clear_shared_conversions()
    recorder.switch_context(item.nodeid)
    before, failed = sum(os.times()[:4]), item.session.testsfailed
    result = yield
    if item.session.testsfailed == failed:
        with (pathlib.Path(recorder.config.data_file).parent / "seconds").open("a", encoding="utf-8") as file:
            file.write(f"{sum(os.times()[:4]) - before:.2f} {item.nodeid}\n")
    return result


class Recording:
    """Which tests run which lines, as the recorded run has it."""

    def __init__(self) -> None:
        self.data = coverage.CoverageData(str(RECORDING / "lines"))
        self.data.read()
        self.paths = {path.rpartition("/checkout/")[2]: path for path in self.data.measured_files()}
        rows = (line.split(" ", 1) for line in (RECORDING / "seconds").read_text(encoding="utf-8").splitlines())
        self.seconds = {name: float(seconds) for seconds, name in rows}

    def has_changed(self, path: str) -> bool:
        """Whether a file is another one than when the tests were recorded."""
        return (ROOT / path).stat().st_mtime > (RECORDING / "seconds").stat().st_mtime

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that run the line of a mutant, then those that run its file. In place of a test whose file has
        changed since: all tests of its file. The lines of a changed file of the program are not known.
        """
        names = self.names_by_line(mutant.path)
        of_line = set() if self.has_changed(mutant.path) else names.get(mutant.line, set())
        if not of_line:
            names |= self.names_by_line(GUARD)
        chosen: dict[str, None] = {}
        left = float(SECONDS)
        others = set().union(*names.values()) - of_line
        for name in [*self.in_turn(of_line, mutant.path), *self.in_turn(others, mutant.path)]:
            left -= self.seconds[name]
            file = name.partition("::")[0]
            if left < 0:
                break
            if (ROOT / file).exists():
                chosen[file if self.has_changed(file) else name] = None
        return list(chosen)

    def names_by_line(self, path: str) -> dict[int, set[str]]:
        """The tests that run a file of the program, by line. A process that a test starts has its step in the name."""
        contexts = self.data.contexts_by_lineno(self.paths.get(path, ""))
        return {line: {re.sub(r" \((setup|call|teardown)\)$", "", c) for c in of} for line, of in contexts.items()}

    def in_turn(self, names: set[str], path: str) -> list[str]:
        """Sorts tests so that each function of the tests gets the same time, and more if its file has words of the
        path: the tests of one function assert the same.
        """
        words = set(re.findall(r"[a-z]+", path))
        spent: dict[str, float] = collections.defaultdict(float)
        ranks: dict[str, float] = {}
        for name in sorted(names & self.seconds.keys(), key=lambda name: (self.seconds[name], name)):
            function = name.partition("[")[0]
            spent[function] += self.seconds[name] + 0.01
            ranks[name] = spent[function] / (1 + len(words.intersection(re.findall(r"[a-z]+", function))))
        return sorted(ranks, key=lambda name: ranks[name])


def judge_mutant(mutant: Mutant, where: pathlib.Path, tests: list[str]) -> str:
    """Whether a test fails with a change."""
    path = where / mutant.path
    path.write_text(mutant.text, encoding="utf-8")
    near = list(dict.fromkeys(test.partition("::")[0] for test in tests))[:FILES]
    first = [test for test in tests if test.partition("::")[0] in near]
    status = 0
    try:
        for chosen in (first, [test for test in tests if test not in set(first)]):  # to collect all files takes longer
            if chosen and status == 0:
                (where / "tests.txt").write_text("\n".join(chosen), encoding="utf-8")
                status = run_pytest(where, "-x", "-n", "0", "@tests.txt", seconds=TIMEOUT)
    except subprocess.TimeoutExpired:
        status = 1
    finally:
        shutil.copy2(ROOT / mutant.path, path)
    if status == NOT_COLLECTED and run_pytest(where, "--collect-only", "@tests.txt") == 0:
        return "noticed"
    return {0: "survived", 1: "noticed", 2: "noticed"}.get(status, "unknown")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.code_mutants")
    parser.add_argument("count", nargs="?", type=int, default=40)
    parser.add_argument("seed", nargs="?", default="0")
    parser.add_argument("--only", default="", help="a part of the paths to draw from")
    parser.add_argument("--at", default="", help="all mutants of a line: FILE:LINE")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    if not RECORDING.exists():
        record_tests(asked.jobs)
    recording = Recording()
    if asked.at:
        file, _, line = asked.at.rpartition(":")
        drawn = [mutant for mutant in mutants_of(ROOT / file) if mutant.line == int(line)]
    else:
        drawn = draw_mutants(asked.count, asked.seed, asked.only)
    copies: queue.Queue[pathlib.Path] = queue.Queue()
    counts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, multiprocessing.pool.ThreadPool(asked.jobs) as pool:
        for number in range(asked.jobs):
            copies.put(copy_checkout(pathlib.Path(folder) / str(number)))

        def run(mutant: Mutant) -> tuple[Mutant, str]:
            where = copies.get()
            try:
                return mutant, judge_mutant(mutant, where, recording.tests_of(mutant))
            finally:
                copies.put(where)

        for mutant, verdict in pool.imap_unordered(run, drawn):
            counts[verdict] += 1
            shown = f"{mutant.path}:{mutant.line}: {mutant.before[:70]!r} -> {mutant.after[:70]!r}"
            print(f"{verdict:8} {shown}", flush=True)
    print(", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items())))


if __name__ == "__main__":
    main()
