"""The command `hot2tf completion`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

from typing import Annotated

import typer

from transpile.cli import options

SHELLS = ("bash", "zsh", "fish")


def completion(
    context: typer.Context,
    shell: Annotated[str, typer.Argument(help="The shell.", metavar="|".join(SHELLS))],
    line: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
) -> None:
    """Print the completion script of a shell.

    It completes commands, options, types, codes and files.
    """
    from transpile.cli import command_tree
    from transpile.cli.completion import scripts, words

    if shell not in scripts.SCRIPTS:
        raise options.usage_error(f"completion takes {', '.join(SHELLS[:-1])} or {SHELLS[-1]}, not {shell}")
    if line is None:
        typer.echo(scripts.SCRIPTS[shell], nl=False)
        return
    # The script of bash sends the line, as bash cuts words at : and =. The others send words.
    line_words = words.split_line(line[-1])[1:] if shell == "bash" else line
    root = command_tree.read_command(context.find_root().command, "hot2tf")
    typer.echo(
        scripts.format_candidates(words.complete_line(root, line_words), line_words[-1] if line_words else ""), nl=False
    )
