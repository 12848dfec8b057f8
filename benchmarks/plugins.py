"""Measures how much of resource plug-ins is read as Heat reads it. Run `python -m benchmarks.plugins` in the checkout.

It needs the folder in HOT2TF_SHARED (Heat's facts about plug-ins and itself) and, for Heat's own resources, real Heat
(HOT2TF_HEAT_PYTHON). `--sets DIR`: a folder with the public plug-ins, one folder for each line of sources.jsonl there.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import tempfile
import time
from typing import TYPE_CHECKING

from tests.plugins.comparison import compare, heat_resources
from transpile.model.budget import Budget
from transpile.plugins import read_plugins
from transpile.plugins.dump import dump_type

if TYPE_CHECKING:
    from collections.abc import Sequence


def judge(name: str, directories: Sequence[str], truth: pathlib.Path) -> collections.Counter[str]:
    begin = time.perf_counter()
    plugin_set = read_plugins(directories, cache=False, budget=Budget())
    took = time.perf_counter() - begin
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        read_plugins(directories, budget=Budget())
        begin = time.perf_counter()
        read_plugins(directories, budget=Budget())
        again = time.perf_counter() - begin
    count, lines = compare({kind: dump_type(type_) for kind, type_ in plugin_set.types.items()},
                           json.loads(truth.read_text(encoding="utf-8"))["types"])  # fmt: skip
    row = (name, count["types"], count["same"], count["said"], count["wrong"], f"{took:.2f}", f"{again:.2f}")
    print(f"| {' | '.join(map(str, row))} |")
    for line in lines:
        print("   ", line)
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", metavar="DIR", type=pathlib.Path)
    arguments = parser.parse_args()
    shared = pathlib.Path(os.environ["HOT2TF_SHARED"])
    own, truths = shared / "plugins" / "own", shared / "plugins" / "ground_truth"
    total: collections.Counter[str] = collections.Counter()
    print("| set | types | same | said unknown | wrong | seconds | cached |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, parts in (("shop", ["shop"]), ("three", ["shop", "later", "override"]), ("py2", ["py2"])):
        total += judge(f"own {name}", [str(own / part) for part in parts], truths / f"own+{name}.json")
    if (resources := heat_resources()) is not None:
        total += judge("Heat's own", [str(resources)], shared / "heat" / "heat_schema.json")
    for line in (
        (shared / "plugins" / "sources.jsonl").read_text(encoding="utf-8").splitlines() if arguments.sets else []
    ):
        source = json.loads(line)
        base = arguments.sets / source["id"]
        if base.is_dir():
            directories = [str(base / directory) for directory in source["plugin_dirs"]]
            total += judge(source["id"], directories, truths / f"{source['id']}.json")
    print(f"| all | {total['types']} | {total['same']} | {total['said']} | {total['wrong']} | | |")


if __name__ == "__main__":
    main()
