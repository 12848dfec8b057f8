"""The command `hot2tf lsp`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

from typing import Annotated

import typer

from transpile.cli import options

ALLOCATIONS = 500_000  # between two garbage collections: the tree of a large template takes 100,000, and is no garbage
MISSING = "the language server needs pygls: install hot2tf with its extra lsp (docs/install.md)"


def lsp(
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Talk over standard input and output, which is the only way there is.")
    ] = True,
) -> None:
    """Serve an editor (Language Server Protocol).

    The editor gets diagnostics, completion, documentation and more.
    """
    import gc
    import importlib.util

    if importlib.util.find_spec("pygls") is None:
        raise options.usage_error(MISSING)
    from transpile.language_server.server import serve_client

    gc.set_threshold(ALLOCATIONS)
    gc.freeze()  # the modules loaded so far stay, so the collector need not visit them
    raise typer.Exit(serve_client())
