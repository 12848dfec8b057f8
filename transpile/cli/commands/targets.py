"""The command `hot2tf targets`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import typer


def show_targets() -> None:
    """List the targets of convert and their options."""
    from transpile import targets

    for target in targets.every_target():
        nested = {targets.LOAD: "converted, too", targets.KEEP: "left unchanged", targets.REFUSE: "refused"}
        typer.echo(f"{target.name}: writes a {target.writes}; nested templates are {nested[target.nested]}")
        for option in (*target.options, *target.contributed.values()):
            default = str(option.default).lower() if option.kind is bool else option.default
            tail = f" (default: {default})" if option.default is not None else ""
            typer.echo(
                f"  --option {option.name}={'|'.join(option.values) or option.accepted_values}{tail}: {option.help}"
            )
