"""Compares the Terraform of hot2tf with that of a person, for the templates in `benchmarks/hand`.

    python -m benchmarks.hand_translations [--prefer native] [--validate]

Each directory has a template and `hand.tf`, which an engineer wrote for it. Prints the lines that are not blank: by
hand, as converted, and with `--roll-up`. `--validate` runs `terraform validate` on all of them. Exit status 1 if a
rolled-up translation is longer than one that is not, if all of them have more than LIMIT times the lines by hand, or if
one is not valid.
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Mapping

from tests.support.hand_translations import FOLDER, LIMIT, measure_translations


def is_valid(files: Mapping[str, str | bytes]) -> bool:
    """Whether `terraform validate` accepts files."""
    with tempfile.TemporaryDirectory(prefix="hot2tf-hand-") as folder:
        for name, content in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        lines = (["init", "-input=false", "-backend=false"], ["validate"], ["fmt", "-check", "-recursive"])
        return not any(
            subprocess.run(["terraform", *line], cwd=folder, capture_output=True, check=False).returncode
            for line in lines
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefer", default="faithful")
    parser.add_argument("--validate", action="store_true", help="run terraform validate, too")
    arguments = parser.parse_args()
    rows = list(measure_translations(arguments.prefer))
    wrong = [f"{row.name} is longer with --roll-up" for row in rows if row.rolled_up > row.plain]
    print(f"{'':12} {'hand':>6} {'plain':>6} {'rolled up':>10}")
    for row in rows:
        print(f"{row.name:12} {row.hand:6} {row.plain:6} {row.rolled_up:10}")
        by_hand = {"hand.tf": (FOLDER / row.name / "hand.tf").read_text("utf-8")}
        if arguments.validate:
            wrong += [f"{row.name} is not valid" for files in (by_hand, *row.files) if not is_valid(files)]
    hand, plain, rolled_up = map(sum, zip(*((row.hand, row.plain, row.rolled_up) for row in rows), strict=True))
    print(f"{'all':12} {hand:6} {plain:6} {rolled_up:10}   {rolled_up / hand:.2f} times the lines by hand")
    if rolled_up > LIMIT * hand:
        wrong.append(f"more than {LIMIT} times the lines by hand")
    print("\n".join(wrong), end="\n" * bool(wrong), file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
