"""The plan file, `hot2tf-migrate.yaml`: a plan that people read and change."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pathlib

    from transpile.repository.plan import Plan


def as_yaml(plan: Plan) -> str:
    """The plan as a file."""
    raise NotImplementedError


def read(path: pathlib.Path, src: pathlib.Path) -> Plan:
    """The plan in a file. Errors are among its diagnostics."""
    raise NotImplementedError
