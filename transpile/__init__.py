"""hot2tf: OpenStack Heat templates to Terraform, with nothing lost silently.

Invariant: `__all__` is the whole public interface. It is imported on first use, so that `hot2tf --version` does not
wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.version import __version__

if TYPE_CHECKING:
    from transpile.adopting.run import adopt
    from transpile.homing.home import Placement, home
    from transpile.pipeline import Conversion, convert

__all__ = ["Conversion", "Placement", "__version__", "adopt", "convert", "home"]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name in ("Conversion", "convert"):
        from transpile import pipeline

        return getattr(pipeline, name)
    if name in __all__:  # a registered function; Python asks here for modules, too, which are not in `__all__`
        from transpile.registrations import FUNCTIONS, registered

        return registered(FUNCTIONS)[name].load()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
