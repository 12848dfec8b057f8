"""Counts the blocks that `--roll-up` folds in the templates of a directory, and proves that nothing else changes.

    python benchmarks/roll_up.py DIRECTORY [--most N] [--prefer native] [--validate N] [--all]

Only templates with three or more resources of a type whose names differ in numbers are converted, or all with `--all`;
`--most N` takes N of them, spread over the directory. Each is converted without and with `--roll-up`. The evaluator
computes all instances and values that Terraform would plan from both, and compares them. `--validate N` runs
`terraform fmt -check`, `terraform validate` and the tests of `--tests` on N results with families. Exit status 1 if
anything differs.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

import transpile
from emitters.hcl.roll_up import comparison, rolling
from transpile.report import template_reports

BLOCK = re.compile(r'^(?:resource "\w+"|module) "', re.MULTILINE)
ENDINGS = (".yaml", ".yml", ".template")
UNLIKE = ("README.md", ".hot2tf.json")  # the report names the options
RULE = "openstack_networking_secgroup_rule_v2."


class RolledUp(NamedTuple):
    """One template. dropped: families that the comparison refused. compared: instances. equal: whether all values are
    the same afterwards.
    """

    path: str
    problem: str
    before: int
    after: int
    families: tuple[int, ...]
    rules: tuple[int, ...]
    dropped: int
    compared: int
    equal: bool
    rest: bool


def has_numbered_copies(path: pathlib.Path) -> bool:
    """Whether three resources of one type have names that differ in numbers alone."""
    try:
        text = path.read_text("utf-8")
        if "heat_template_version" not in text or len(text) > 600_000:
            return False
        resources = yaml.load(text, Loader=yaml.CSafeLoader)["resources"]
        names = [
            (str(r["type"]), re.sub(r"\d+", "#", str(n))) for n, r in resources.items() if re.search(r"\d", str(n))
        ]
    except (yaml.YAMLError, KeyError, TypeError, AttributeError, UnicodeDecodeError, ValueError):
        return False
    return any(number > 2 for number in collections.Counter(names).values())


def count_blocks(files: Mapping[str, str | bytes]) -> int:
    return sum(len(BLOCK.findall(t)) for name, t in files.items() if name.endswith(".tf") and isinstance(t, str))


def roll_up(path: pathlib.Path, prefer: str, root: pathlib.Path) -> RolledUp:
    """Converts one template with `--roll-up`, and measures the families."""
    figures: dict[str, Any] = {"dropped": 0, "compared": 0, "equal": True}
    find_families, find_differences = rolling.RollUp.find_families, rolling.RollUp.find_differences

    def record_differences(self: rolling.RollUp) -> list[Any] | None:
        different = find_differences(self)
        figures["dropped"] += len(different or ())
        return different

    def record_families(self: rolling.RollUp, *arguments: Any) -> None:
        rolling.RollUp.find_differences = record_differences  # type: ignore[method-assign]
        find_families(self, *arguments)
        rolling.RollUp.find_differences = find_differences  # type: ignore[method-assign]
        if self.families:
            after = {label: self.roll_attempt(label) for label in self.attempts}
            judge = comparison.Comparison(self.attempts, after, self.paths)
            figures["equal"] = not list(judge.find_differences())
            figures["compared"] = judge.compared

    try:
        plain = transpile.convert(path, root=root, prefer=prefer)
        rolling.RollUp.find_families = record_families  # type: ignore[method-assign, assignment]
        rolled = transpile.convert(path, root=root, prefer=prefer, options={"roll_up": True})
    except Exception as e:
        return RolledUp(str(path), repr(e), 0, 0, (), (), 0, 0, False, False)
    finally:
        rolling.RollUp.find_families = find_families  # type: ignore[method-assign]
        rolling.RollUp.find_differences = find_differences  # type: ignore[method-assign]
    if not plain.files and not rolled.files:
        return RolledUp(str(path), "not converted", 0, 0, (), (), 0, 0, True, True)
    families: list[int] = []
    rules: list[int] = []
    for report in template_reports(rolled.report):
        for address, members in report.get("rolled_up", {}).items():
            (rules if address.startswith(RULE) else families).append(len(members))
    same = families or rules or comparable_files(plain.files) == comparable_files(rolled.files)
    return RolledUp(
        str(path),
        "",
        count_blocks(plain.files),
        count_blocks(rolled.files),
        tuple(families),
        tuple(rules),
        figures["dropped"],
        figures["compared"],
        figures["equal"],
        bool(same),
    )


def comparable_files(files: Mapping[str, str | bytes]) -> dict[str, str | bytes]:
    """The files that do not have the command of their conversion, and others without their first line, which has it."""
    texts = {name: text for name, text in files.items() if name not in UNLIKE}
    return {name: text.partition("\n")[2] if isinstance(text, str) else text for name, text in texts.items()}


def validate(files: Mapping[str, str | bytes], folder: pathlib.Path) -> str:
    """The objections of Terraform to a result; empty if there are none."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    commands = (("fmt", "-check", "-recursive"), ("init", "-backend=false", "-input=false"), ("validate", "-no-color"))
    for command in (*commands, *((("test", "-no-color"),) if any(name.startswith("tests/") for name in files) else ())):
        done = subprocess.run(["terraform", *command], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{command[0]}: {done.stdout}{done.stderr}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--prefer", default="faithful")
    parser.add_argument("--validate", type=int, default=0)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    paths = sorted(p for p in arguments.directory.rglob("*") if p.suffix in ENDINGS and p.is_file())
    paths = [path for path in paths if arguments.all or has_numbered_copies(path)]
    step = max(1, -(-len(paths) // arguments.most))
    chosen = paths[::step]
    with concurrent.futures.ProcessPoolExecutor(arguments.workers) as pool:
        number = len(chosen)
        results = list(pool.map(roll_up, chosen, [arguments.prefer] * number, [arguments.directory] * number))
    converted = [result for result in results if not result.problem]
    rolled = [result for result in converted if result.families or result.rules]
    print(
        f"{len(paths)} templates, {len(chosen)} of them taken, {len(converted)} converted, {len(rolled)} with families"
    )
    before, after = sum(r.before for r in converted), sum(r.after for r in converted)
    print(f"blocks: {before} before, {after} after ({before - after} fewer)")
    members, rules = [n for r in rolled for n in r.families], [n for r in rolled for n in r.rules]
    print(f"copies: {sum(members)} in {len(members)} families; rules: {sum(rules)} in {len(rules)} families")
    print(f"families that the comparison refused: {sum(r.dropped for r in results)}")
    print(f"instances compared: {sum(r.compared for r in rolled)}")
    wrong = [r for r in results if not r.equal or (not r.problem and not r.rest)]
    print(f"equal: {len(results) - len(wrong)} of {len(results)}")
    for result in wrong:
        print(f"  {result.path}: {result.problem or 'differs'}")
    failed = tested = 0
    some = rolled[:: max(1, len(rolled) // arguments.validate)][: arguments.validate] if arguments.validate else []
    for result in some:
        options = {"roll_up": True, "tests": True}
        done = transpile.convert(
            pathlib.Path(result.path), root=arguments.directory, prefer=arguments.prefer, options=options
        )
        tested += any(name.startswith("tests/") for name in done.files)
        with tempfile.TemporaryDirectory() as folder:
            if why := validate(done.files, pathlib.Path(folder)):
                failed += 1
                print(f"  {result.path}: {why}")
    print(f"terraform accepts {len(some) - failed} of {len(some)}, {tested} of them with tests")
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    sys.exit(main())
