"""Writes and reads the plan file, `hot2tf-migrate.yaml`, which people may change, and which a migration then obeys.

Invariant: a plan that was written is read back as the same plan. A file with an error is refused as a whole: nobody
expects a migration of half of it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, Stopped, did_you_mean, failed
from transpile.front import documents, nodes
from transpile.front.expressions import Expressions
from transpile.front.nodes import span_of
from transpile.model.intrinsics import DATES, version
from transpile.model.ir import data, literal
from transpile.model.span import START, Span
from transpile.repository import outputs
from transpile.repository.ignoring import WrongPattern
from transpile.repository.plan import MODULES, STATE, Plan, StackPlan
from transpile.repository.survey import Survey
from transpile.repository.walking import shown
from transpile.text.places import plain
from transpile.text.source import Unreadable, load, unreadable
from transpile.text.yaml_scalars import scalar, text

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterable, Iterator, MutableMapping, Sequence

PLAN_FILE = "hot2tf-migrate.yaml"  # the name under which a migration looks for it in a tree
FORMAT = "1"
KEYS = ("format", "ignore", "stacks")
STACK_KEYS = ("template", "environments", "parameters", "render", "options", "name", "output", "why")
HEAD = """\
# What hot2tf migrate does in this tree. Change it as you like: from then on, migrate obeys it.
# docs/migrate.md describes it.
#
# stacks: each becomes a directory of Terraform code. Remove what is not to be migrated. The keys of a stack:
#   template      the template, or a Jinja2 source; paths are relative to the source directory
#   environments  its environments; later ones win
#   parameters    values that win over the environments: a map of texts
#   render        the values for a Jinja2 source: a map
#   options       options of the target: a map of texts, as for --option
#   name          what reports call the stack
#   output        its directory in the result
#   why           how it was found; change or remove it as you like
# ignore: patterns of files to leave out, as in .gitignore
"""


# writing


def as_yaml(plan: Plan) -> str:
    """The plan as a file."""
    lines = [HEAD]
    if plan.others:
        lines.append("# In no stack:\n" + "".join(f"#   {shown(f'{p}: {what}')}\n" for p, what in plan.others.items()))
    lines.append(f"format: {FORMAT}\n")
    lines.append(
        "ignore:\n" + "".join(f"  - {text(one)}\n" for one in plan.ignored) if plan.ignored else "ignore: []\n"
    )
    lines.append("stacks:\n" + "\n".join(map(entry, plan.stacks)) if plan.stacks else "stacks: []\n")
    return "\n".join(lines)


def entry(one: StackPlan) -> str:
    """One stack, as an item of the list."""
    lines = [f"template: {text(one.template)}"]
    if one.environments:
        lines += ["environments:", *(f"  - {text(path)}" for path in one.environments)]
    for key, values in (("parameters", one.parameters), ("render", one.render), ("options", one.options)):
        if values:
            lines += [f"{key}:", *(f"  {text(name)}: {flow(value)}" for name, value in values.items())]
    lines += [f"{key}: {text(value)}" for key in ("name", "output", "why") if (value := getattr(one, key))]
    return "".join(f"  {'- ' if not number else '  '}{line}\n" for number, line in enumerate(lines))


def flow(value: Any) -> str:
    """Any value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text(str(key), True)}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value, True)


# reading


def read(
    path: pathlib.Path,
    src: pathlib.Path,
    exclude: Sequence[str] = (),
    memory: MutableMapping[str, str] | None = None,
) -> Plan:
    """The plan in a file for a source tree. `exclude`: patterns in addition to those of the file; `memory`: as for
    a survey. Raises Stopped for errors in the file, and WrongPattern for a pattern of `exclude`. The plan's own
    diagnostics are about files of the tree that cannot be read.
    """
    name = os.path.basename(path)
    try:
        source = load(path, name)
    except Unreadable as e:
        raise Stopped([unreadable(e, name)]) from None
    reader = Reader(Sink(source))
    try:
        stacks, ignore = reader.document(documents.compose(reader.sink, name))
    except nodes.Unreadable:
        raise Stopped(reader.sink.found) from None
    try:
        tree = Survey(src, (*ignore, *exclude), memory)
    except WrongPattern as e:
        if e.pattern not in ignore:
            raise
        reader.sink.say(codes.MALFORMED_PLAN, f"{str(e)[:1].upper()}{str(e)[1:]}.", reader.places.get("ignore", START))
        raise Stopped(reader.sink.found) from None
    if not failed(reader.sink.found):
        tree.look()
        reader.check(stacks, tree)
    if failed(reader.sink.found):
        raise Stopped(reader.sink.found)
    return tree.obeying([one for one, _ in stacks], shown(name), reader.sink.found)


Places = dict[str, Span]  # the spans of a stack's values, by key
Listed = tuple[StackPlan, Places]


@final
class Reader:
    """Reads one plan file."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.expressions = Expressions(sink, version(DATES[0]), frozenset())
        self.places: Places = {}

    def say(self, code: str, message: str, place: Node | Span, hint: str = "") -> None:
        self.sink.say(code, message, place if isinstance(place, Span) else span_of(place), hint)

    def document(self, root: Node) -> tuple[list[Listed], tuple[str, ...]]:
        stacks: list[Listed] = []
        ignore: tuple[str, ...] = ()
        said = ""
        for word, value in self.known(root, KEYS, "A plan file"):
            self.places[word] = span_of(value)
            if word == "format":
                said = self.word(value, "format")
            elif word == "ignore":
                ignore = tuple(self.words(value, "ignore"))
            elif not isinstance(value, SequenceNode):
                self.say(codes.MALFORMED_PLAN, "stacks must be a list.", value)
            else:
                stacks = [found for item in value.value if (found := self.stack(item)) is not None]
        if not isinstance(root, MappingNode):
            return [], ()
        if said != FORMAT:
            place = self.places.get("format", START)
            self.say(
                codes.MALFORMED_PLAN, f"The format must be {FORMAT}.", place, f"Begin the file with format: {FORMAT}."
            )
        elif "stacks" not in self.places:
            self.say(codes.MALFORMED_PLAN, "A plan file must have stacks.", START)
        return stacks, ignore

    def known(self, node: Node, keys: Sequence[str], what: str) -> Iterator[tuple[str, Node]]:
        """The keys and values of a map; unknown ones are reported."""
        if not isinstance(node, MappingNode):
            self.say(codes.MALFORMED_PLAN, f"{what} must be a map.", node)
            return
        for word, key, value in self.expressions.pairs(node):
            if word in keys:
                yield word, value
            else:
                hint = did_you_mean(word, keys) or f"The keys are {', '.join(keys)}."
                self.say(codes.UNKNOWN_PLAN_KEY, f"{what} has no key {shown(word)}.", key, hint)

    def stack(self, node: Node) -> Listed | None:
        found: dict[str, Any] = {}
        places: Places = {"": span_of(node)}
        before = self.sink.errors
        for word, value in self.known(node, STACK_KEYS, "A stack"):
            places[word] = span_of(value)
            if word == "environments":
                found[word] = tuple(self.words(value, word))
            elif word == "render":
                found[word] = self.data(value)
            elif word in ("parameters", "options"):
                found[word] = self.texts(value, word)
            else:
                found[word] = self.word(value, word)
        if "template" not in places and self.sink.errors == before:
            self.say(codes.MALFORMED_PLAN, "A stack must have a template.", node)
        return (StackPlan(**found), places) if found.get("template") else None

    def word(self, node: Node, what: str) -> str:
        """A text. A number or another scalar counts as it is spelled; null and empty texts are errors."""
        if isinstance(node, ScalarNode) and node.tag != nodes.NULL and node.value:
            return str(node.value)
        self.say(codes.MALFORMED_PLAN, f"{what} must be a text.", node)
        return ""

    def words(self, node: Node, what: str) -> list[str]:
        if isinstance(node, SequenceNode):
            return [self.word(item, what) for item in node.value]
        self.say(codes.MALFORMED_PLAN, f"{what} must be a list of texts.", node)
        return []

    def texts(self, node: Node, what: str) -> dict[str, str]:
        """A map of texts."""
        if not isinstance(node, MappingNode):
            self.say(codes.MALFORMED_PLAN, f"{what} must be a map.", node)
            return {}
        found = {}
        for key, _, value in self.expressions.pairs(node):
            if isinstance(value, ScalarNode) and value.tag != nodes.NULL:
                found[key] = str(value.value)
            else:
                hint = "Write a list or a map as JSON, in quotes."
                self.say(codes.MALFORMED_PLAN, f"The value of {shown(key)} must be a text.", value, hint)
        return found

    def data(self, node: Node) -> dict[str, Any]:
        """A map of any values."""
        found = self.expressions.plain(node)
        values = data(found) if literal(found) else None
        if isinstance(values, dict):
            return values
        self.say(codes.MALFORMED_PLAN, "render must be a map.", node)
        return {}

    # what the tree and the other stacks allow

    def check(self, stacks: Iterable[Listed], tree: Survey) -> None:
        used: set[Any] = set()
        names: set[str] = set()
        taken = outputs.Taken()
        for one, places in stacks:
            self.file(one.template, places["template"], tree, (*tree.templates, *tree.others))
            for path in one.environments:
                self.file(path, places["environments"], tree, (*tree.environments, *tree.others))
            same = (one.template, one.environments, *(repr(v) for v in (one.parameters, one.render, one.options)))
            if same in used:
                self.say(
                    codes.DUPLICATE_STACK, f"The stack of {shown(one.template)} is listed twice.", places["template"]
                )
            used.add(same)
            if one.name:
                if one.name in names:
                    self.say(codes.DUPLICATE_STACK, f"Two stacks have the name {shown(one.name)}.", places["name"])
                names.add(one.name)
            if one.output:
                self.output(one.output, places["output"], taken)

    def file(self, path: str, place: Span, tree: Survey, known: Sequence[str]) -> None:
        """Reports a file that does not exist, without following links."""
        if path in known:
            return
        if not plain(path):
            hint = "Paths are relative to the source directory, and lead nowhere else."
            self.say(codes.PLANNED_FILE_NOT_FOUND, f"{shown(path)} is no path in the source tree.", place, hint)
        elif not tree.has(path):
            self.say(
                codes.PLANNED_FILE_NOT_FOUND, f"{shown(path)} does not exist.", place, did_you_mean(path, known, 0.8)
            )

    def output(self, output: str, place: Span, taken: outputs.Taken) -> None:
        """Takes a directory, or reports why it cannot be used."""
        parts = output.split("/")
        better = "/".join(outputs.slug(part) for part in parts if part not in ("", ".", ".."))
        if output.startswith(("/", "~")) or ".." in parts or "\\" in output or ":" in parts[0]:
            message, hint = f"The directory {shown(output)} leads out of the result.", "It is relative to the result."
        elif outputs.key(parts[0]) in (MODULES, STATE):
            message, hint = f"{parts[0]} is a directory of the result itself.", "Use another name."
        elif better != output:
            message = f"The directory {shown(output)} has characters that a shell or a file system may not take."
            hint = f"Use {better}, for example."
        elif outputs.key(output) in taken.taken:
            message, hint = f"Two stacks have the directory {output}.", ""
        elif not taken.fits(output):
            message, hint = f"The directory {output} is inside another stack's, or around it.", ""
        else:
            taken.add(output)
            return
        self.say(codes.INVALID_STACK_DIRECTORY, message, place, hint)
