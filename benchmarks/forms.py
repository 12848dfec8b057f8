"""Every property in every form of a value: `python -m benchmarks.forms` (tests/support/form_sweep.py)."""

from __future__ import annotations

from tests.support.form_sweep import main

if __name__ == "__main__":
    main()
