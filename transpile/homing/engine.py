"""The option `engine` of the converters of homing templates."""

from __future__ import annotations

from transpile.homing.model import HAS
from transpile.targets import Option

ENGINE = Option(
    "engine",
    "Of homing templates: the engine whose reading counts. Constructs that it refuses are errors, and it adds the cost "
    "of each candidate to its distance.",
    values=(HAS,),
)
