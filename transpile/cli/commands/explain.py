"""The command `hot2tf explain`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

from typing import Annotated

import typer

from transpile.cli import options


def explain(code: Annotated[str, typer.Argument(help="The code of a diagnostic.", metavar="CODE")]) -> None:
    """Explain a diagnostic."""
    from transpile import document_kinds, targets
    from transpile.diagnostics import explain as explanations
    from transpile.diagnostics import registry
    from transpile.diagnostics.model import did_you_mean

    wanted = code.upper()
    if registry.known(wanted) is None:
        for _ in [*targets.every(), *document_kinds.all_kinds()]:  # finding one makes the codes of a package known
            pass
    if registry.known(wanted) is None:
        options.tell(f"hot2tf: unknown diagnostic {code}. {did_you_mean(wanted, registry.codes())}".rstrip())
        raise typer.Exit(1)
    typer.echo(explanations.as_text(wanted), nl=False)
