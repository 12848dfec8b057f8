"""Writes the results of a conversion: its files, its findings, its report, and the closing line.

Invariant: if the conversion failed, only the report is written.
"""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from transpile import targets
from transpile.cli import findings, options
from transpile.cli.invocation import Invocation
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render import PEOPLE
from transpile.model.printable import make_log_line
from transpile.model.words import count_noun
from transpile.pipeline import Conversion

if TYPE_CHECKING:
    from transpile.text.addresses import FollowedDirectory
    from transpile.text.output import DirectoryChange

COLUMNS, MOST_LINES = 100, 2  # of the closing words, without the next command
MOVES_SHOWN = 20  # one by one


def deliver_conversion(
    run: Invocation,
    done: Conversion,
    output: str,
    *,
    paths: Sequence[str],
    force: bool,
    verbose: bool,
    about: Sequence[Diagnostic] = (),
    conflicts: bool = False,
    diff: bool = False,
) -> bool:
    """Writes the files of a conversion unless its findings prevent that, shows the findings, and completes the report.

    Returns whether the conversion succeeded. `paths`: the template and the other files that the user named. `verbose`:
    whether all findings are shown. `about`: findings on the configuration. `conflicts`: write conflicts with edits,
    with markers. `diff`: show what would change, and write nothing.
    """
    target = targets.find_target(done.report["target"])
    findings, ignored = run.grade_conversion(done, paths[0], target.name)
    done.diagnostics = list(findings)
    change = None
    withheld = run.withholds(findings)
    if not withheld and output != "-":
        from transpile.todo_page import add_todo_page

        add_todo_page(target, done, output)
        change = write_output(run, target, done, output, force=force, conflicts=conflicts, diff=diff)
        findings += change.problems
        if change.merged or change.kept or change.marked:
            done.report["edits"] = {"merged": change.merged, "kept": change.kept, "conflicts": change.marked}
        if change.followed is not None:
            done.report |= describe_plan(change.followed)
    succeeded = not run.fails(findings)
    withheld = withheld or (change is not None and run.withholds(change.problems))
    written = not diff and (not withheld or (change is not None and bool(change.marked)))
    done.report["files"] = written_names(target, done.files, output) if written else []
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
    run: Invocation, done: Conversion, output: str, *, succeeded: bool, quiet: bool, verbose: bool, diff: bool = False
) -> None:
    """Prints the content that was not written to files, and closes with the user's tasks and the result."""
    target = targets.find_target(done.report["target"])
    differs = not succeeded and bool(done.files) and not run.withholds(done.diagnostics)
    if output == "-" and (succeeded or differs):
        show_files(target, done.files)
    if quiet or run.request.diagnostics not in PEOPLE:
        return
    if succeeded:
        hidden = findings.hidden_findings(done.report["diagnostics"], run.min_severity(verbose=verbose))
        asides = [options.ignored_words(done.report.get("ignored", {})), hidden]
        for line in [*describe_moves(done.report.get("moved", {})), *done.report.get("replaced", ())[:MOVES_SHOWN]]:
            options.tell_user(line)
        if diff:
            options.tell_user(f"Nothing was written.{describe_edits(done)}")
        else:
            for line in [*todo_lines(target, done, output), *closing_lines(target, done, output, asides)]:
                options.tell_user(line)
    elif marked := done.report.get("edits", {}).get("conflicts"):
        tail = "would have conflicts" if diff else "written, with conflicts that are marked"
        options.tell_user(f"{', '.join(marked)}: {tail}.")
    elif differs and (diff or output == "-" or done.report["files"]):
        places = ", ".join(list_marks(done.files))
        wrong = f"Values differ from Heat's (HOT910), which is a fault of hot2tf; see {places or 'the messages'}."
        options.tell_user(f"{wrong} --strict writes nothing then, --keep RESOURCE leaves the resource with Heat.")
    elif any(d["severity"] == "error" for d in done.report["diagnostics"]):
        options.tell_user("Nothing was written.")
    else:
        options.tell_user("Nothing was written: with --strict, warnings count as errors.")


def write_output(
    run: Invocation, target: targets.Target, done: Conversion, output: str, *, force: bool, conflicts: bool, diff: bool
) -> DirectoryChange:
    """Writes the files to the output path, or says in its problems why not. `diff`: only shows the differences."""
    from transpile.diagnostics.model import Diagnostic
    from transpile.text import output as writer

    path, files = pathlib.Path(output), done.files
    if (problem := writer.refuse_links(output)) is not None:
        return writer.DirectoryChange(False, [problem], [], [], [])
    if target.writes == targets.FILE:
        if diff:
            show_changes(done, [(str(path.parent / name), old, new) for name, old, new in read_file_set(path, files)])
            return writer.DirectoryChange(False, [], [], [], [])
        problems = writer.write_file_set(path, files, force=force, private=done.private)
        return writer.DirectoryChange(not problems, problems, [], [], [])
    problems = []
    if target.neighbours is not None:
        others = writer.read_neighbours(path, files, target.neighbours.suffixes, problems)
        problems += target.neighbours.clashes(files, others)
    if run.fails(problems):
        return writer.DirectoryChange(False, problems, [], [], [])
    owns = target.owns or writer.has_marker
    left: list[str] = []
    if target.optional and not force:
        try:
            left = [name for name in writer.find_foreign_files(path, target.optional, owns) if name in files]
        except OSError as e:
            reason = f"{e.filename or path} cannot be read: {e.strerror}."
            problems.append(Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, reason))
            return writer.DirectoryChange(False, problems, [], [], [])
    problems += [writer.diagnose_kept_file(path / name) for name in left]
    change = writer.update_directory(
        path,
        files,
        owns=owns,
        left=left,
        optional=target.optional,
        force=force,
        private=done.private,
        conflicts=conflicts or diff,
        writes=not diff,
        follow=target.follow,
    )
    if diff and change.plan is not None:
        show_changes(done, [(str(path / name), old, new) for name, old, new in change.plan.walk_changes()])
    return change._replace(problems=problems + change.problems)


def read_file_set(path: pathlib.Path, files: Mapping[str, str | bytes]) -> list[tuple[str, bytes, bytes]]:
    """The files that `write_file_set` would change, with their contents before and after."""
    from transpile.text import places
    from transpile.text.manifest import encode_content

    rows = []
    for i, (name, content) in enumerate(files.items()):
        file = name if i else path.name
        before, after = places.read_regular_file(path.parent / file) or b"", encode_content(content)
        if before != after:
            rows.append((file, before, after))
    return rows


def show_changes(done: Conversion, changes: Sequence[tuple[str, bytes, bytes]]) -> None:
    """Prints the changes to files, without hidden values."""
    from transpile.cli.differences import mask_file_difference
    from transpile.report import list_hidden_names

    hidden = list_hidden_names(done.report)
    for name, before, after in changes:
        private = any(name == own or name.endswith(f"/{own}") for own in done.private)
        sys.stdout.write(
            mask_file_difference(name, before, after, private=private, hidden_names=hidden, conceal=done.hide)
        )


def written_names(target: targets.Target, files: Mapping[str, str | bytes], output: str) -> list[str]:
    """The names of the files in the output directory."""
    from transpile.text.base_store import BASE
    from transpile.text.manifest import MANIFEST

    names = list(files)
    if output != "-" and MANIFEST in files:
        names.append(BASE)
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


def list_marks(files: Mapping[str, str | bytes]) -> list[str]:
    """The places in files where a comment says that a value differs from Heat's: `main.tf:12`."""
    mark = f"# {codes.VALUE_DIFFERS_FROM_HEAT}: "
    return [
        f"{name}:{number}"
        for name, content in sorted(files.items())
        if isinstance(content, str) and mark in content
        for number, line in enumerate(content.split("\n"), 1)
        if line.lstrip().startswith(mark)
    ]


def todo_lines(target: targets.Target, done: Conversion, output: str) -> list[str]:
    """Returns the lines with the user's tasks; empty for fewer than two tasks."""
    from transpile.text import check_boxes
    from transpile.todo_page import collect_todo

    if (todo := collect_todo(target, done)).number < 2:
        return []
    written = check_boxes.FILE in done.report["files"]
    where = f" ({pathlib.Path(output, check_boxes.FILE)} has all, with places)" if written else ""
    return [f"To do{where}:", *todo.lines()]


def closing_lines(target: targets.Target, done: Conversion, output: str, asides: Sequence[str]) -> list[str]:
    """The result in at most two lines, and the next command in one of its own. asides: phrases about findings that were
    not shown.
    """
    from transpile.report import summarize_report

    maker = done.converter or target
    phrases = (maker.summary or summarize_report)(done.report).split("; ")
    open_ids = len(done.report.get("unknown_ids", ()))
    if "imports" in done.report:
        number, added = len(done.report["imports"]) + open_ids, len(done.report.get("additions", ()))
        missing = f", {open_ids} without an ID" if open_ids else ""
        phrases = [f"{count_noun(number, 'import')}{missing}", *[f"{added} to add"] * bool(added), *phrases]
    phrases += filter(None, asides)
    if output != "-" and target.writes == targets.FILE:
        phrases.append(f"written to {output}")
    elif output != "-":
        number = len(done.files) - len(done.report.get("edits", {}).get("kept", ()))
        phrases.append(f"{count_noun(number, 'file')} in {output}")
    lines = wrap_phrases(phrases)
    if output == "-":
        return lines
    if edits := describe_edits(done).strip():
        lines.append(edits)
    if names := done.report.get("environments_of_root"):
        guides = ", ".join(f"{shlex.quote(f'{output}/environments/{name}')}/ADOPT.md" for name in names)
        return [*lines, f"Next: {guides}"]
    first = f"fill in {count_noun(open_ids, 'ID')} in imports.tf (ADOPT.md), then " if open_ids else ""
    next_steps = targets.fill_next_steps(maker.next_steps, shlex.quote(output), done.report)
    return [*lines, f"Next: {first}{next_steps}"] if next_steps else lines


def wrap_phrases(phrases: Sequence[str]) -> list[str]:
    """A sentence of phrases in lines that are not too long, unless one phrase alone is. The first phrases and the last
    one stay if they are too many.
    """
    lines = [""]
    for number, phrase in enumerate(phrases):
        joined = f"{lines[-1]}; {phrase}" if lines[-1] else phrase
        if len(joined) < COLUMNS or not lines[-1]:
            lines[-1] = joined
        elif len(lines) < MOST_LINES:
            lines[-1] += ";"
            lines.append(phrase)
        elif number == len(phrases) - 1:
            lines[-1] = phrase
    return [*lines[:-1], f"{lines[-1]}."]


def describe_edits(done: Conversion) -> str:
    """Sentences about files that a person edited; empty if there are none."""
    edits = done.report.get("edits", {})
    words = (("merged", "Merged with your changes"), ("kept", "Left as you edited or removed them"))
    return "".join(f" {text}: {', '.join(map(make_log_line, edits[key]))}." for key, text in words if edits.get(key))


def describe_plan(followed: FollowedDirectory) -> dict[str, Any]:
    """Returns the part of the report on objects that Terraform's plan moves or replaces after changes of the
    template.
    """
    replaced = [problem.message for problem in followed.diagnostics if problem.severity == "info"]
    return {
        **({"moved": dict(followed.moves)} if followed.moves else {}),
        **({"replaced": replaced} if replaced else {}),
    }


def describe_moves(moved: Mapping[str, str]) -> list[str]:
    """A line for each address that changes, as Terraform's plan will have it."""
    lines = [f"Terraform moves {make_log_line(old)} to {make_log_line(new)}." for old, new in moved.items()]
    more = len(lines) - MOVES_SHOWN
    return [*lines[:MOVES_SHOWN], f"Terraform moves {more} more (moved.tf)."] if more > 0 else lines


def save_report(path: str, report: dict[str, Any]) -> None:
    from transpile.model.printable import escape_json_text

    save_text(path, "report", escape_json_text(json.dumps(report, indent=1, ensure_ascii=False)) + "\n")


def save_text(path: str, noun: str, text: str) -> None:
    from transpile.text import output as writer

    if (problem := writer.write_user_file(path, text.encode("utf-8", "replace"))) is not None:
        raise options.usage_error(f"the {noun} cannot be written: {problem.message}")
