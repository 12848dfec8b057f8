"""The public interface under the name of the distribution: `import hot2tf`, and `python -m hot2tf` for the command.

Invariant: it has the exports of `transpile`, and no code of its own. The build installs it as the module `hot2tf`
(pyproject.toml), because the packages of the checkout have other names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import transpile

if TYPE_CHECKING:
    from transpile import Conversion, Placement, __version__, adopt, convert, home

__all__ = ["Conversion", "Placement", "__version__", "adopt", "convert", "home"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(transpile, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


if __name__ == "__main__":
    from transpile.cli import process

    process.command()
