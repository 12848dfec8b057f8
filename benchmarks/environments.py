"""Compares, for each environment, the plan of a shared root with that of a directory of its own.

    python -m benchmarks.environments DIRECTORY [--prefer faithful] [--roots]

Every template of the directory with several environments is converted in both layouts. Each side gets the values of the
file that it writes for the environment, read back from its text. Prints how many instances and values were compared,
and the differences; with `--roots`, also which environments share a root. Exit status 1 if anything differs.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

from emitters.hcl.emitter import TARGET
from tests.support.environment_values import compare_group
from transpile.migrate.environment_groups import find_groups
from transpile.repository.survey import survey_tree


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--prefer", default="faithful", choices=("faithful", "native", "provisioners"))
    parser.add_argument("--roots", action="store_true")
    arguments = parser.parse_args()
    root = arguments.directory.resolve()
    totals = (0, 0, 0, 0, 0)
    groups = find_groups(survey_tree(root).stacks, TARGET)
    for group in groups:
        counts = compare_group(group, root, arguments.prefer, shows_roots=arguments.roots)
        totals = tuple(map(sum, zip(totals, counts, strict=True)))  # type: ignore[assignment]
    stacks, failed, roots, compared, differing = totals
    print(f"{len(groups)} templates with {stacks} environments, of which {failed} are not converted: {roots} roots")
    print(f"{compared} values compared, {differing} differ")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
