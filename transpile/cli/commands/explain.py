"""The command `hot2tf explain`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

from typing import Annotated

import typer

from transpile.cli import options


@options.with_examples("hot2tf explain HOT450")
def explain(code: Annotated[str, typer.Argument(help="The code of a diagnostic.", metavar="CODE")]) -> None:
    """Explain a diagnostic."""
    from transpile import document_kinds, targets
    from transpile.diagnostics import explain as explanations
    from transpile.diagnostics import registry
    from transpile.diagnostics.model import did_you_mean

    wanted_code = f"HOT{code}" if code.isascii() and code.isdigit() else code.upper()
    if registry.find_code_rule(wanted_code) is None:
        for _ in [
            *targets.every_target(),
            *document_kinds.all_kinds(),
        ]:  # finding a target or kind registers the codes of its package
            pass
    if registry.find_code_rule(wanted_code) is None:
        # a misspelled digit is as near to every other code as to the intended one
        is_number = wanted_code.startswith("HOT") and wanted_code[3:].isdigit()
        hint = "docs/diagnostics.md lists all." if is_number else did_you_mean(wanted_code, registry.list_codes())
        options.tell_user(f"hot2tf: unknown diagnostic {code}. {hint}".rstrip())
        raise typer.Exit(1)
    typer.echo(explanations.explain_code(wanted_code), nl=False)
