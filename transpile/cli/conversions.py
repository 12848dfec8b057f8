"""How a conversion leaves a command: its files, its findings, its report, and the closing line.

Invariant: if the conversion failed, nothing is written but the report.
"""

from __future__ import annotations

import json
import pathlib
import shlex
import sys
from typing import TYPE_CHECKING, Any

from transpile import targets
from transpile.cli import options
from transpile.diagnostics import codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.cli.invocation import Invocation
    from transpile.diagnostics.model import Diagnostic
    from transpile.pipeline import Conversion


def deliver(
    run: Invocation,
    done: Conversion,
    output: str,
    *,
    paths: Sequence[str],
    force: bool,
    about: Sequence[Diagnostic] = (),
) -> bool:
    """Writes the files of a conversion, unless its findings prevent that, shows the findings, and completes the report.
    Returns whether the conversion succeeded. `paths`: the template and what else the user named; `about`: findings on
    the configuration.
    """
    target = targets.find(done.report["target"])
    findings, ignored = run.graded(done, paths[0], target.name)
    done.diagnostics = list(findings)
    if not run.fails(findings) and output != "-":
        findings += place(run, target, done, output, force=force)
    succeeded = not run.fails(findings)
    done.report["files"] = named(target, done.files, output) if succeeded else []
    done.report["diagnostics"] = [d.as_json() for d in findings]
    if ignored:
        done.report["ignored"] = ignored
    options.say([*about, *findings], run.request.diagnostics, paths)
    return succeeded


def close(run: Invocation, done: Conversion, output: str, *, succeeded: bool, quiet: bool) -> None:
    """Prints what was not written to files, and says in a line what came of the conversion."""
    target = targets.find(done.report["target"])
    if succeeded and output == "-":
        show(target, done.files)
    if quiet or run.request.diagnostics != "text":
        return
    if succeeded:
        options.tell(closing(target, done, output, options.ignored_words(done.report.get("ignored", {}))))
    elif any(d["severity"] == "error" for d in done.report["diagnostics"]):
        options.tell("Nothing was written.")
    else:
        options.tell("Nothing was written: with --strict, warnings count as errors.")


def place(run: Invocation, target: targets.Target, done: Conversion, output: str, *, force: bool) -> list[Diagnostic]:
    """Writes the files to the output path, or returns diagnostics that say why not."""
    from transpile.diagnostics.model import Diagnostic
    from transpile.text import output as writer

    path, files = pathlib.Path(output), done.files
    if (problem := writer.refused(output)) is not None:
        return [problem]
    if target.writes == targets.FILE:
        return writer.write_beside(path, files, force=force, private=done.private)
    problems: list[Diagnostic] = []
    if target.neighbours is not None:
        others = writer.neighbours(path, files, target.neighbours.suffixes, problems)
        if others:
            problems += target.neighbours.clashes(files, others)
    if run.fails(problems):
        return problems
    owns = target.owns or writer.marked
    left: list[str] = []
    if target.optional and not force:
        try:
            left = [name for name in writer.in_place(path, target.optional, owns) if name in files]
        except OSError as e:
            return [
                *problems,
                Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{e.filename or path} cannot be read: {e.strerror}."),
            ]
    problems += [
        Diagnostic(codes.EDITED_FILE_KEPT, f"{path / name} is not ours, or was edited, so it stays.") for name in left
    ]
    return problems + writer.write(path, files, owns=owns, left=left, force=force, private=done.private)


def named(target: targets.Target, files: Mapping[str, str | bytes], output: str) -> list[str]:
    """The names of the files as written."""
    names = list(files)
    if target.writes == targets.FILE and output != "-" and names:
        names[0] = pathlib.Path(output).name
    return sorted(names)


def show(target: targets.Target, files: Mapping[str, str | bytes]) -> None:
    """Prints the files: a single file as it is, several under headings with their names. A terminal gets only what can
    be seen.
    """
    from transpile.model.printable import printable
    from transpile.text.manifest import MANIFEST

    seen = sys.stdout.isatty()

    alone = target.writes == targets.FILE and len(files) == 1
    for name, content in files.items():
        if alone and isinstance(content, bytes):
            sys.stdout.buffer.write(content)
            continue
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        if seen:
            text = "\n".join(map(printable, text.split("\n")))
        if alone:
            sys.stdout.write(text)
        elif name != MANIFEST and name not in target.optional:  # the manifest describes a directory
            sys.stdout.write(f"# file: {printable(name)}\n{text}" + "\n" * (not text.endswith("\n")))


def closing(target: targets.Target, done: Conversion, output: str, ignored: str) -> str:
    """The result and the next step, in one line. `ignored`: what to say of findings that were not shown."""
    from transpile.report import summary

    maker = done.converter or target
    what = (maker.summary or summary)(done.report)
    if "imports" in done.report:
        number = len(done.report["imports"])
        what = f"{number} import{'s' * (number != 1)}; {what}"
    what += f", {ignored}" if ignored else ""
    if output == "-":
        return f"{what}."
    if target.writes == targets.FILE:
        what += f"; written to {output}."
    else:
        what += f"; {len(done.files)} file{'s' * (len(done.files) != 1)} in {output}."
    return f"{what} Next: {maker.next_steps.replace('{output}', shlex.quote(output))}" if maker.next_steps else what


def check_place(path: str) -> None:
    """Rejects the path of a report or page below a regular file. Missing directories are created later."""
    above = next((p for p in pathlib.Path(path).absolute().parents if p.exists()), None)
    if above is not None and not above.is_dir():
        raise options.usage(f"{path} cannot be written: {above} is not a directory")


def save_report(path: str, report: dict[str, Any]) -> None:
    from transpile.model.printable import escaped

    save(path, "report", escaped(json.dumps(report, indent=1, ensure_ascii=False)) + "\n")


def save(path: str, what: str, text: str) -> None:
    from transpile.text import output as writer

    if (problem := writer.record(path, text.encode("utf-8", "replace"))) is not None:
        raise options.usage(f"the {what} cannot be written: {problem.message}")
