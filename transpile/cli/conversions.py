"""Writes what a conversion made: its files, its findings, its report, and the closing line.

Invariant: if the conversion failed, only the report is written.
"""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from transpile import targets
from transpile.cli import findings, options
from transpile.cli.invocation import Invocation
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render import PEOPLE
from transpile.pipeline import Conversion


def deliver_conversion(
    run: Invocation,
    done: Conversion,
    output: str,
    *,
    paths: Sequence[str],
    force: bool,
    verbose: bool,
    about: Sequence[Diagnostic] = (),
) -> bool:
    """Writes the files of a conversion unless its findings prevent that, shows the findings, and completes the report.

    Returns whether the conversion succeeded. `paths`: the template and the other files that the user named. `verbose`:
    whether all findings are shown. `about`: findings on the configuration.
    """
    target = targets.find_target(done.report["target"])
    findings, ignored = run.grade_conversion(done, paths[0], target.name)
    done.diagnostics = list(findings)
    if not run.fails(findings) and output != "-":
        findings += write_output(run, target, done, output, force=force)
    succeeded = not run.fails(findings)
    done.report["files"] = written_names(target, done.files, output) if succeeded else []
    done.report["diagnostics"] = [d.as_json() for d in findings]
    if ignored:
        done.report["ignored"] = ignored
    options.say_diagnostics(
        [*about, *findings],
        run.request.diagnostics,
        paths,
        folder=os.fspath(run.request.root or os.path.dirname(paths[0])),
        min_severity=run.min_severity(verbose=verbose),
    )
    return succeeded


def close_conversion(
    run: Invocation, done: Conversion, output: str, *, succeeded: bool, quiet: bool, verbose: bool
) -> None:
    """Prints the content that was not written to files, and closes with one line on the result."""
    target = targets.find_target(done.report["target"])
    if succeeded and output == "-":
        show_files(target, done.files)
    if quiet or run.request.diagnostics not in PEOPLE:
        return
    if succeeded:
        hidden = findings.hidden_findings(done.report["diagnostics"], run.min_severity(verbose=verbose))
        asides = [options.ignored_words(done.report.get("ignored", {})), hidden]
        options.tell_user(closing_line(target, done, output, ", ".join(filter(None, asides))))
    elif any(d["severity"] == "error" for d in done.report["diagnostics"]):
        options.tell_user("Nothing was written.")
    else:
        options.tell_user("Nothing was written: with --strict, warnings count as errors.")


def write_output(
    run: Invocation, target: targets.Target, done: Conversion, output: str, *, force: bool
) -> list[Diagnostic]:
    """Writes the files to the output path, or returns diagnostics that say why not."""
    from transpile.diagnostics.model import Diagnostic
    from transpile.text import output as writer

    path, files = pathlib.Path(output), done.files
    if (problem := writer.refuse_links(output)) is not None:
        return [problem]
    if target.writes == targets.FILE:
        return writer.write_file_set(path, files, force=force, private=done.private)
    problems: list[Diagnostic] = []
    if target.neighbours is not None:
        others = writer.read_neighbours(path, files, target.neighbours.suffixes, problems)
        if others:
            problems += target.neighbours.clashes(files, others)
    if run.fails(problems):
        return problems
    owns = target.owns or writer.has_marker
    left: list[str] = []
    if target.optional and not force:
        try:
            left = [name for name in writer.find_foreign_files(path, target.optional, owns) if name in files]
        except OSError as e:
            return [
                *problems,
                Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{e.filename or path} cannot be read: {e.strerror}."),
            ]
    problems += [
        Diagnostic(codes.EDITED_FILE_KEPT, f"{path / name} is not ours, or was edited, so it stays.") for name in left
    ]
    return problems + writer.write_directory(path, files, owns=owns, left=left, force=force, private=done.private)


def written_names(target: targets.Target, files: Mapping[str, str | bytes], output: str) -> list[str]:
    """The names of the files in the output directory."""
    names = list(files)
    if target.writes == targets.FILE and output != "-" and names:
        names[0] = pathlib.Path(output).name
    return sorted(names)


def show_files(target: targets.Target, files: Mapping[str, str | bytes]) -> None:
    """Prints the files: a single file as it is, several files under headings with their names. For a terminal, control
    characters are made visible.
    """
    from transpile.model.printable import make_printable
    from transpile.text.manifest import MANIFEST

    seen = sys.stdout.isatty()

    alone = target.writes == targets.FILE and len(files) == 1
    for name, content in files.items():
        if alone and isinstance(content, bytes):
            sys.stdout.buffer.write(content)
            continue
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        if seen:
            text = "\n".join(map(make_printable, text.split("\n")))
        if alone:
            sys.stdout.write(text)
        elif name != MANIFEST and name not in target.optional:  # the manifest describes a directory
            sys.stdout.write(f"# file: {make_printable(name)}\n{text}" + "\n" * (not text.endswith("\n")))


def closing_line(target: targets.Target, done: Conversion, output: str, aside: str) -> str:
    """The result and the next step, in one line. `aside`: a phrase about findings that were not shown."""
    from transpile.report import summarize_report

    maker = done.converter or target
    what = (maker.summary or summarize_report)(done.report)
    open_ids = len(done.report.get("unknown_ids", ()))
    if "imports" in done.report:
        number, added = len(done.report["imports"]) + open_ids, len(done.report.get("additions", ()))
        what = f"{f'; {added} to add' if added else ''}; {what}"
        what = f"{number} import{'s' * (number != 1)}{f', {open_ids} without an ID' if open_ids else ''}{what}"
    what += f", {aside}" if aside else ""
    if output == "-":
        return f"{what}."
    if target.writes == targets.FILE:
        what += f"; written to {output}."
    else:
        what += f"; {len(done.files)} file{'s' * (len(done.files) != 1)} in {output}."
    first = f"fill in {open_ids} ID{'s' * (open_ids != 1)} in imports.tf (ADOPT.md), then " if open_ids else ""
    return (
        f"{what} Next: {first}{maker.next_steps.replace('{output}', shlex.quote(output))}" if maker.next_steps else what
    )


def save_report(path: str, report: dict[str, Any]) -> None:
    from transpile.model.printable import escape_json_text

    save_text(path, "report", escape_json_text(json.dumps(report, indent=1, ensure_ascii=False)) + "\n")


def save_text(path: str, what: str, text: str) -> None:
    from transpile.text import output as writer

    if (problem := writer.write_user_file(path, text.encode("utf-8", "replace"))) is not None:
        raise options.usage_error(f"the {what} cannot be written: {problem.message}")
