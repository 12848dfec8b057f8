"""The command `hot2tf lsp`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

from typing import Annotated

import typer

from transpile.cli import options

ALLOCATIONS = 500_000  # between two garbage collections: the tree of a large template takes 100,000, and is no garbage
MISSING = "the language server needs pygls, which hot2tf[lsp] brings along: pip install 'hot2tf[lsp]'"


def lsp(
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Talk over standard input and output, which is the only way there is.")
    ] = True,
) -> None:
    """Serve an editor: diagnostics, completion, documentation and more, by the Language Server Protocol."""
    import gc
    import importlib.util

    if importlib.util.find_spec("pygls") is None:
        raise options.usage_error(MISSING)
    from transpile.language_server.server import serve_client

    gc.set_threshold(ALLOCATIONS)
    gc.freeze()  # the modules loaded so far stay, so the collector need not visit them
    raise typer.Exit(serve_client())
