"""Breaks one line of the program at a time, and counts the changes that the tests of its room notice.

    python -m benchmarks.code_mutants [COUNT] [SEED] [--only TEXT] [--jobs N]
    python -m benchmarks.code_mutants --at FILE:LINE

A mutant is a seeded line in a function body with one change: a condition negated, a comparison or an operator replaced,
a number or a boolean changed, a statement dropped, a result that is None. Each runs in a copy of the checkout, with the
tests of the room that the file belongs to, after they have passed without a change. The survivors are listed with their
lines; some mean the same as the program.
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
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).parent.parent
PACKAGES = ("transpile", "emitters", "grammars")
SECONDS = 900  # for the tests of one mutant; one that takes longer is noticed, too
GOLDEN = ("tests/test_golden.py", "tests/test_completeness.py")
# the tests of a room, for those that are not in the folder of its name; the longest beginning of a path counts
TESTS: dict[str, tuple[str, ...]] = {
    "emitters/hcl": (*GOLDEN, "tests/hcl", "tests/proof"),
    "emitters/hcl/adoption": ("tests/adoption", "tests/test_live_stacks.py"),
    "emitters/hcl/homing": ("tests/homing", "tests/hcl/test_homing.py"),
    "emitters/homing": ("tests/homing",),
    "transpile/homing": ("tests/homing", "tests/hcl/test_homing.py"),
    "emitters/tosca/homing": ("tests/homing",),
    "emitters/tosca": (*GOLDEN, "tests/tosca"),
    "emitters/graph": ("tests/graph",),
    "emitters/hot": (*GOLDEN, "tests/rewrite", "tests/format"),
    "transpile/adopting": ("tests/adoption", "tests/adopting"),
    "transpile/initialization": ("tests/cli",),
    "transpile/mapping_files": ("tests/hcl",),
    "transpile": GOLDEN,
}
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
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield ast.Return(None) if node.value is not None else ast.Pass()
    elif isinstance(node, (ast.Continue, ast.Break, ast.AugAssign)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()
    test = getattr(node, "test", None)
    if isinstance(node, (ast.If, ast.IfExp, ast.While)) and test is not None:
        yield ast.Tuple([test, ast.UnaryOp(ast.Not(), copy.deepcopy(test))])  # the replaced node, and its replacement


def mutants_of(path: pathlib.Path) -> Iterator[Mutant]:
    """All mutants of a file."""
    text = path.read_text(encoding="utf-8")
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    tree = ast.parse(text)
    inside = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for s in f.body for n in ast.walk(s)}
    skipped = {id(n) for a in ast.walk(tree) if isinstance(a, (ast.Assert, ast.Raise)) for n in ast.walk(a)}
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


def tests_of(path: str) -> list[str]:
    """The tests of the room that a file belongs to."""
    parts = path.split("/")
    own = f"tests/{parts[1].removesuffix('.py')}" if len(parts) > 1 else ""
    names = [name for name in TESTS if path.removesuffix(".py") == name or path.startswith(f"{name}/")]
    chosen = TESTS[max(names, key=len)] if names else GOLDEN
    if parts[0] == "transpile" and (ROOT / own).is_dir():
        chosen = (own, *chosen)
    return [name for name in dict.fromkeys(chosen) if (ROOT / name).exists()]


def copy_checkout(where: pathlib.Path) -> pathlib.Path:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (where / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, where / name)
    return where


def run_tests(path: str, where: pathlib.Path) -> bool:
    """Whether the tests of a file's room pass in a copy of the checkout, in time."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *tests_of(path)]
    environment = {**os.environ, "PYTHONPATH": str(where), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=where, env=environment, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def judge_mutant(mutant: Mutant, where: pathlib.Path, passing: dict[tuple[str, ...], bool]) -> str:
    """Whether a test fails with a change. `passing`: by tests, whether they pass without one, as far as it is known."""
    tests = tuple(tests_of(mutant.path))
    if tests not in passing:
        passing[tests] = run_tests(mutant.path, where)
    if not passing[tests]:
        return "unknown"
    path = where / mutant.path
    before = path.read_text(encoding="utf-8")
    path.write_text(mutant.text, encoding="utf-8")
    try:
        return "survived" if run_tests(mutant.path, where) else "noticed"
    finally:
        path.write_text(before, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.code_mutants")
    parser.add_argument("count", nargs="?", type=int, default=40)
    parser.add_argument("seed", nargs="?", default="0")
    parser.add_argument("--only", default="", help="a part of the paths to draw from")
    parser.add_argument("--at", default="", help="all mutants of a line: FILE:LINE")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
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

        passing: dict[tuple[str, ...], bool] = {}

        def run(mutant: Mutant) -> tuple[Mutant, str]:
            where = copies.get()
            try:
                return mutant, judge_mutant(mutant, where, passing)
            finally:
                copies.put(where)

        for mutant, verdict in pool.imap_unordered(run, drawn):
            counts[verdict] += 1
            shown = f"{mutant.path}:{mutant.line}: {mutant.before[:70]!r} -> {mutant.after[:70]!r}"
            print(f"{verdict:8} {shown}", flush=True)
    print(", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items())))


if __name__ == "__main__":
    main()
