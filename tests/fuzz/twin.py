"""Runs the inputs whose numbers stand on standard input again, and prints a digest of each outcome."""

from __future__ import annotations

import sys

from tests.fuzz import inputs
from tests.fuzz.runner import Box


def main() -> None:
    box = Box()
    try:
        for line in sys.stdin:
            print(box.run(inputs.make(int(sys.argv[1]), int(line))).digest(), flush=True)
    finally:
        box.close()


if __name__ == "__main__":
    main()
