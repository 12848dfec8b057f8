"""The options that homing templates add to the commands `check`, `convert` and `home`."""

from __future__ import annotations

from transpile.settings.table import ConfiguredOption


def declare_options(option: type[ConfiguredOption]) -> tuple[ConfiguredOption, ...]:
    """The rows for the table of options."""
    return (
        option(
            "choice",
            "Of homing templates: the engine whose reading counts. Only constructs that it refuses are errors; it adds "
            "the cost of each candidate to its distance.",
            ("check", "convert", "home"),
            choices=("has",),
            flag="--engine",
            group="Translation",
            per_path=True,
            of_target=True,
            field="engine",
        ),
        option(
            "path",
            "Of homing templates: the candidates that there are.",
            ("check", "convert"),
            flag="--inventory",
            group="Input",
            per_path=True,
            of_target=True,
            field="inventory",
        ),
        option(
            "path",
            "With `--to tosca`, of homing templates: the HOT template whose resources the demands are.",
            ("convert",),
            flag="--with",
            metavar="TEMPLATE",
            per_path=True,
            of_target=True,
            field="with",
        ),
    )
