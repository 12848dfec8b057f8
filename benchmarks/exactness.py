"""Measures how many expressions are exact in HCL, for each function. Run `python -m benchmarks.exactness` in the
checkout.

It needs terraform, and for the probes the folder in HOT2TF_SHARED. tests/support/exactness.py defines the questions and
the verdicts.
"""

from __future__ import annotations

import argparse
import pathlib
import tempfile

from tests.support import exactness, questions
from tests.support.exactness import WRONG

DOCUMENT = pathlib.Path(__file__).parent.parent / "docs" / "exactness.md"


def replace(rows: list[str]) -> None:
    """Replaces the table in the document."""
    lines = DOCUMENT.read_text(encoding="utf-8").split("\n")
    first = lines.index(rows[0])
    last = next(i for i in range(first, len(lines)) if not lines[i].startswith("|"))
    DOCUMENT.write_text("\n".join([*lines[:first], *rows, *lines[last:]]), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--generated", type=int, metavar="N", help="expressions generated N times, instead of the probes"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the generation")
    parser.add_argument("--write", action="store_true", help="puts the table of the probes into docs/exactness.md")
    arguments = parser.parse_args()
    asked = questions.generated(arguments.generated, arguments.seed) if arguments.generated else questions.probes()
    with tempfile.TemporaryDirectory() as name:
        verdicts = exactness.judge(asked, pathlib.Path(name))
    for name, verdict in verdicts.items():
        if verdict.kind == WRONG:
            print("wrong:", name, verdict.value)
    rows = exactness.table(asked, verdicts)
    print("\n".join(rows))
    if arguments.write and not arguments.generated:
        replace(rows)


if __name__ == "__main__":
    main()
