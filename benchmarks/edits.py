"""Edits of templates between two conversions: `python -m benchmarks.edits` (tests/support/edit_pairs.py)."""

from __future__ import annotations

import sys

from tests.support.edit_pairs import main

if __name__ == "__main__":
    sys.exit(main())
