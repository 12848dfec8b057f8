"""Writes and reads the plan file, `hot2tf-migrate.yaml`, which people may change, and which a migration then obeys.

Invariant: a plan that was written is read back as the same plan. A file with an error is refused as a whole: nobody
expects a migration of half of it.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, Stopped, did_you_mean, has_errors
from transpile.front import documents, nodes
from transpile.front.expressions import ExpressionReader
from transpile.front.nodes import span_of
from transpile.model.budget import Budget
from transpile.model.intrinsics import DATES, look_up_template_version
from transpile.model.ir import is_plain_data, to_data
from transpile.model.records import EMPTY, replace
from transpile.model.span import START, Span
from transpile.model.words import list_first
from transpile.repository import outputs
from transpile.repository.ignoring import WrongPattern
from transpile.repository.plan import MODULES, STATE, JoinedTemplates, MigrationPlan, StackPlan
from transpile.repository.survey import Survey
from transpile.repository.walking import escape_path
from transpile.text.places import is_plain_path
from transpile.text.source import UnreadableFile, diagnose_unreadable, load_source
from transpile.text.yaml_scalars import print_scalar, quote_if_needed

PLAN_FILE = "hot2tf-migrate.yaml"  # the name under which a migration looks for it in a tree
FORMAT = "1"
MOST_VALUES = 4  # that a comment names
KEYS = ("format", "ignore", "join", "stacks")
STACK_KEYS = ("template", "environments", "parameters", "render", "options", "name", "output", "environment", "why")
HEAD = """\
# The plan of hot2tf migrate for this tree. Change it as you like: from then on, migrate obeys it.
# docs/migrate.md describes it.
#
# stacks: each becomes a directory of Terraform code. Remove stacks that are not to be migrated. The keys of a stack:
#   template      the template, or a Jinja2 source; paths are relative to the source directory
#   environments  its environments; later ones win
#   parameters    values that win over the environments: a map of texts; OS::stack_name is the name of the stack
#   render        the values for a Jinja2 source: a map
#   options       options of the target: a map of texts, as for --option
#   name          the name of the stack in reports, and in Terraform if there is no OS::stack_name
#   output        its directory in the result
#   environment   the name of its environment, if its directory has several: that of its files in environments/
#   why           how hot2tf found the stack; change or remove it as you like
# ignore: patterns of files to leave out, as in .gitignore
# join: templates that are equal but for literals; each directory of the result has one configuration for its templates,
#   in which variables take the place of these literals, and a file of values for each of them
"""
OFFER = "# Templates that are equal but for the values in brackets become one directory without the # before them.\n"


# writing


def print_plan(plan: MigrationPlan, offers: Sequence[JoinedTemplates] = ()) -> str:
    """The plan as a file. offers: templates that could be joined, as comments."""
    lines = [HEAD]
    if plan.others:
        lines.append(
            "# In no stack:\n" + "".join(f"#   {escape_path(f'{p}: {why}')}\n" for p, why in plan.others.items())
        )
    lines.append(f"format: {FORMAT}\n")
    lines.append(
        "ignore:\n" + "".join(f"  - {quote_if_needed(pattern)}\n" for pattern in plan.ignored)
        if plan.ignored
        else "ignore: []\n"
    )
    if plan.joins or offers:
        offered = [f"# {line}\n" for join in offers for line in print_join(join)]
        heads = (OFFER if offers else "") + ("join:\n" if plan.joins else "# join:\n")
        lines.append(
            heads + "".join(f"{line}\n" for join in plan.joins for line in print_join(join)) + "".join(offered)
        )
    lines.append("stacks:\n" + "\n".join(map(print_stack, plan.stacks)) if plan.stacks else "stacks: []\n")
    return "\n".join(lines)


def print_join(join: JoinedTemplates) -> Iterator[str]:
    """The lines of templates that share a directory."""
    yield f"  {quote_if_needed(join.output)}:" + (
        f"  # ({escape_path(list_first(join.values, MOST_VALUES))})" if join.values else ""
    )
    yield from (f"    - {quote_if_needed(template)}" for template in join.templates)


def print_stack(stack: StackPlan) -> str:
    """One stack, as an item of the list."""
    lines = [f"template: {quote_if_needed(stack.template)}"]
    if stack.environments:
        lines += ["environments:", *(f"  - {quote_if_needed(path)}" for path in stack.environments)]
    for key, values in (("parameters", stack.parameters), ("render", stack.render), ("options", stack.options)):
        if values:
            lines += [
                f"{key}:",
                *(f"  {quote_if_needed(name)}: {print_value(value)}" for name, value in values.items()),
            ]
    texts = {"name": stack.name, "output": stack.output, "environment": stack.environment, "why": stack.why}
    if stack.environment:
        texts["output"] = stack.output.removesuffix(f"/{stack.environment}")
    lines += [f"{key}: {quote_if_needed(text)}" for key, text in texts.items() if text]
    return "".join(f"  {'- ' if not number else '  '}{line}\n" for number, line in enumerate(lines))


def print_value(value: Any) -> str:
    """Any value on one line."""
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{quote_if_needed(str(key), True)}: {print_value(inner)}" for key, inner in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(print_value, value)) + "]"
    return print_scalar(value, True)


# reading


def read_plan_file(
    path: pathlib.Path,
    src: pathlib.Path,
    exclude: Sequence[str] = (),
    memory: MutableMapping[str, str] | None = None,
    url_map: Mapping[str, str] = EMPTY,
) -> MigrationPlan:
    """The plan in a file for a source tree. `exclude`: patterns in addition to those of the file; `memory`, `url_map`:
    as for a survey. Raises Stopped for errors in the file, and WrongPattern for a pattern of `exclude`. The plan's own
    diagnostics are about files of the tree that cannot be read.
    """
    name = os.path.basename(path)
    try:
        source = load_source(path, name, Budget())
    except UnreadableFile as e:
        raise Stopped([diagnose_unreadable(e, name)]) from None
    reader = PlanReader(Sink(source))
    try:
        stacks, ignore = reader.read_document(documents.compose_document(reader.sink, name))
    except nodes.UnreadableDocument:
        raise Stopped(reader.sink.diagnostics) from None
    try:
        tree = Survey(src, (*ignore, *exclude), memory, url_map=url_map)
    except WrongPattern as e:
        if e.pattern not in ignore:
            raise
        reader.sink.add(codes.MALFORMED_PLAN, f"{str(e)[:1].upper()}{str(e)[1:]}.", reader.places.get("ignore", START))
        raise Stopped(reader.sink.diagnostics) from None
    if not has_errors(reader.sink.diagnostics):
        tree.read_tree()
        reader.check_stacks(stacks, tree)
        reader.check_joins([stack for stack, _ in stacks])
    if has_errors(reader.sink.diagnostics):
        raise Stopped(reader.sink.diagnostics)
    plan = tree.plan_listed_stacks([stack for stack, _ in stacks], escape_path(name), reader.sink.diagnostics)
    return replace(plan, joins=tuple(reader.joins))


KeySpans = dict[str, Span]  # the spans of a stack's values, by key
ListedStack = tuple[StackPlan, KeySpans]


@final
class PlanReader:
    """Reads one plan file."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.expressions = ExpressionReader(sink, look_up_template_version(DATES[0]), frozenset())
        self.places: KeySpans = {}
        self.joins: list[JoinedTemplates] = []

    def report_error(self, code: str, message: str, place: Node | Span, hint: str = "") -> None:
        self.sink.add(code, message, place if isinstance(place, Span) else span_of(place), hint)

    def read_document(self, root: Node) -> tuple[list[ListedStack], tuple[str, ...]]:
        stacks: list[ListedStack] = []
        ignore: tuple[str, ...] = ()
        written_format = ""
        for word, value in self.read_map(root, KEYS, "A plan file"):
            self.places[word] = span_of(value)
            if word == "format":
                written_format = self.read_text(value, "format")
            elif word == "ignore":
                ignore = tuple(self.read_texts(value, "ignore"))
            elif word == "join":
                if not isinstance(value, MappingNode):
                    self.report_error(codes.MALFORMED_PLAN, "join must be a map of directories.", value)
                    continue
                for folder, key, templates in self.expressions.read_pairs(value):
                    self.joins.append(JoinedTemplates(folder, tuple(self.read_texts(templates, f"join.{folder}"))))
                    self.places[f"join.{folder}"] = span_of(key)
            elif not isinstance(value, SequenceNode):
                self.report_error(codes.MALFORMED_PLAN, "stacks must be a list.", value)
            else:
                stacks = [stack for item in value.value if (stack := self.read_stack(item)) is not None]
        if not isinstance(root, MappingNode):
            return [], ()
        if written_format != FORMAT:
            place = self.places.get("format", START)
            self.report_error(
                codes.MALFORMED_PLAN, f"The format must be {FORMAT}.", place, f"Begin the file with format: {FORMAT}."
            )
        elif "stacks" not in self.places:
            self.report_error(codes.MALFORMED_PLAN, "A plan file must have stacks.", START)
        return stacks, ignore

    def read_map(self, node: Node, keys: Sequence[str], subject: str) -> Iterator[tuple[str, Node]]:
        """The keys and values of a map; unknown ones are reported."""
        if not isinstance(node, MappingNode):
            self.report_error(codes.MALFORMED_PLAN, f"{subject} must be a map.", node)
            return
        for word, key, value in self.expressions.read_pairs(node):
            if word in keys:
                yield word, value
            else:
                hint = did_you_mean(word, keys) or f"The keys are {', '.join(keys)}."
                self.report_error(codes.UNKNOWN_PLAN_KEY, f"{subject} has no key {escape_path(word)}.", key, hint)

    def read_stack(self, node: Node) -> ListedStack | None:
        values: dict[str, Any] = {}
        places: KeySpans = {"": span_of(node)}
        before = self.sink.errors
        for word, value in self.read_map(node, STACK_KEYS, "A stack"):
            places[word] = span_of(value)
            if word == "environments":
                values[word] = tuple(self.read_texts(value, word))
            elif word == "render":
                values[word] = self.read_data(value)
            elif word in ("parameters", "options"):
                values[word] = self.read_text_map(value, word)
            else:
                values[word] = self.read_text(value, word)
        if "template" not in places and self.sink.errors == before:
            self.report_error(codes.MALFORMED_PLAN, "A stack must have a template.", node)
        self.check_environment(values.get("environment", ""), places)
        if values.get("environment") and values.get("output"):
            values["output"] = f"{values['output']}/{values['environment']}"
        return (StackPlan(**values), places) if values.get("template") else None

    def check_environment(self, name: str, places: KeySpans) -> None:
        """Reports a name of an environment that cannot be the name of a file."""
        if name and (better := outputs.make_slug(name)) != name:
            message = f"The environment {escape_path(name)} has characters that a shell or a file system may not take."
            self.report_error(
                codes.INVALID_STACK_DIRECTORY, message, places["environment"], f"Use {better}, for example."
            )

    def read_text(self, node: Node, subject: str) -> str:
        """A text. A number or another scalar counts as it is spelled; null and empty texts are errors."""
        if isinstance(node, ScalarNode) and node.tag != nodes.NULL and node.value:
            return str(node.value)
        self.report_error(codes.MALFORMED_PLAN, f"{subject} must be a text.", node)
        return ""

    def read_texts(self, node: Node, subject: str) -> list[str]:
        if isinstance(node, SequenceNode):
            return [self.read_text(item, subject) for item in node.value]
        self.report_error(codes.MALFORMED_PLAN, f"{subject} must be a list of texts.", node)
        return []

    def read_text_map(self, node: Node, subject: str) -> dict[str, str]:
        """A map of texts."""
        if not isinstance(node, MappingNode):
            self.report_error(codes.MALFORMED_PLAN, f"{subject} must be a map.", node)
            return {}
        texts = {}
        for key, _, value in self.expressions.read_pairs(node):
            if isinstance(value, ScalarNode) and value.tag != nodes.NULL:
                texts[key] = str(value.value)
            else:
                hint = "Write a list or a map as JSON, in quotes."
                self.report_error(codes.MALFORMED_PLAN, f"The value of {escape_path(key)} must be a text.", value, hint)
        return texts

    def read_data(self, node: Node) -> dict[str, Any]:
        """A map of any values."""
        expression = self.expressions.read_plain_value(node)
        values = to_data(expression) if is_plain_data(expression) else None
        if isinstance(values, dict):
            return values
        self.report_error(codes.MALFORMED_PLAN, "render must be a map.", node)
        return {}

    # checks against the tree and the other stacks

    def check_stacks(self, stacks: Iterable[ListedStack], tree: Survey) -> None:
        used: set[Any] = set()
        names: set[str] = set()
        taken = outputs.TakenDirectories()
        for stack, places in stacks:
            self.check_file(stack.template, places["template"], tree, (*tree.templates, *tree.others))
            for path in stack.environments:
                self.check_file(path, places["environments"], tree, (*tree.environments, *tree.others))
            same = (
                stack.template,
                stack.environments,
                *(repr(v) for v in (stack.parameters, stack.render, stack.options)),
            )
            if same in used:
                self.report_error(
                    codes.DUPLICATE_STACK,
                    f"The stack of {escape_path(stack.template)} is listed twice.",
                    places["template"],
                )
            used.add(same)
            if stack.name:
                if stack.name in names:
                    self.report_error(
                        codes.DUPLICATE_STACK, f"Two stacks have the name {escape_path(stack.name)}.", places["name"]
                    )
                names.add(stack.name)
            if stack.output:
                self.check_output(stack.output, places["output"], taken)

    def check_joins(self, stacks: Sequence[StackPlan]) -> None:
        """Reports templates that cannot be joined because no stack, or another group, has them."""
        listed, used = {stack.template for stack in stacks}, set[str]()
        joined = {template for join in self.joins for template in join.templates}
        taken = outputs.TakenDirectories()
        for stack in stacks:
            if stack.output and stack.template not in joined:
                taken.take(stack.output)
        for join in self.joins:
            place = self.places[f"join.{join.output}"]
            self.check_output(join.output, place, taken)
            for template in join.templates:
                if template not in listed:
                    message = f"No stack has the template {escape_path(template)}."
                    self.report_error(codes.MALFORMED_PLAN, message, place)
                elif template in used:
                    self.report_error(codes.MALFORMED_PLAN, f"{escape_path(template)} is joined twice.", place)
                used.add(template)

    def check_file(self, path: str, place: Span, tree: Survey, paths: Sequence[str]) -> None:
        """Reports a file that does not exist, without following links."""
        if path in paths:
            return
        if not is_plain_path(path):
            hint = "Paths are relative to the source directory, and lead nowhere else."
            self.report_error(
                codes.PLANNED_FILE_NOT_FOUND, f"{escape_path(path)} is no path in the source tree.", place, hint
            )
        elif not tree.has_file(path):
            self.report_error(
                codes.PLANNED_FILE_NOT_FOUND,
                f"{escape_path(path)} does not exist.",
                place,
                did_you_mean(path, paths, 0.8),
            )

    def check_output(self, output: str, place: Span, taken: outputs.TakenDirectories) -> None:
        """Takes a directory, or reports why it cannot be used."""
        parts = output.split("/")
        better = "/".join(outputs.make_slug(part) for part in parts if part not in ("", ".", ".."))
        if output.startswith(("/", "~")) or ".." in parts or "\\" in output or ":" in parts[0]:
            message, hint = (
                f"The directory {escape_path(output)} leads out of the result.",
                "It is relative to the result.",
            )
        elif outputs.fold_case(parts[0]) in (MODULES, STATE):
            message, hint = f"{parts[0]} is a directory of the result itself.", "Use another name."
        elif better != output:
            message = f"The directory {escape_path(output)} has characters that a shell or a file system may not take."
            hint = f"Use {better}, for example."
        elif outputs.fold_case(output) in taken.taken:
            message, hint = f"Two stacks have the directory {output}.", ""
        elif not taken.is_free(output):
            message, hint = f"The directory {output} is inside another stack's, or around it.", ""
        else:
            taken.take(output)
            return
        self.report_error(codes.INVALID_STACK_DIRECTORY, message, place, hint)
