"""`python -m transpile` is the command `hot2tf`."""

from __future__ import annotations

from transpile.cli import process

if __name__ == "__main__":
    process.command()
