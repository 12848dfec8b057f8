"""Finds the shell text and the tasks in YAML: jobs of CI systems, and playbooks of Ansible.

Invariant: an offset in a fragment is an offset in the file, and a scalar with escapes is never rewritten.
"""

from __future__ import annotations

import itertools
import re
from typing import final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.call_sites.model import TOP, UNKNOWN_PLACE, Fragment
from transpile.call_sites.texts import MARK
from transpile.diagnostics.model import Sink
from transpile.front import documents
from transpile.front.nodes import UnreadableDocument
from transpile.model.budget import Budget
from transpile.model.records import node
from transpile.model.source import Source

RUN_KEYS = {
    *("script", "before_script", "after_script", "run", "command", "commands", "cmd", "shell", "raw", "install"),
    *("before_install", "after_success", "after_failure", "before_deploy", "after_deploy", "deploy", "before_cache"),
    *("_raw_params", "ansible.builtin.shell", "ansible.builtin.command", "ansible.builtin.raw", "ansible.legacy.shell"),
    *("ansible.legacy.command", "local_action", "args", "inline", "argv"),
}
PLAIN_KEYS = {"command", "ansible.builtin.command", "ansible.legacy.command", "cmd", "argv", "local_action"}
MODULES = re.compile(
    r"(?:(?:\w+_)?os_stack|openstack\.cloud\.(?:os_)?stack|os_stack_info|openstack\.cloud\.stack_info|heat_stack)"
)
DIVIDER = re.compile(r"(?m)^---(?=\s|$)")
BLOCK = re.compile(r"[|>][+\-0-9]*[ \t]*(?:#[^\n]*)?\r?\n")
VARIABLE_KEYS = ("variables", "env", "environment")
DEEPEST = 60


@final
@node
class StackTask:
    """A task of Ansible that calls the module for stacks. `start`, `end`: of the key and its arguments. `task`: the
    whole task as a node; `base`: where its offsets begin.
    """

    module: str
    key: ScalarNode
    arguments: Node
    task: MappingNode
    base: int


@final
class YamlTexts:
    """The content of a YAML file: `fragments`, `tasks`, and `variables` of CI jobs (None for one that has several
    values).
    `is_readable`: whether all its documents are YAML.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.fragments: list[Fragment] = []
        self.tasks: list[StackTask] = []
        self.variables: dict[str, str | None] = {}
        self.is_readable = True
        name = path.rsplit("/", 1)[-1]
        self.is_ci = name in (".gitlab-ci.yml", ".travis.yml") or path.startswith(
            (".github/", ".gitlab/", ".circleci/", "ci/")
        )
        self.is_jinja = ".j2" in name
        self.base = 0
        cuts = [0, *(match.start() for match in DIVIDER.finditer(text)), len(text)]
        for begin, end in itertools.pairwise(cuts):
            part = text[begin:end]
            if not MARK.search(part):
                continue
            self.base = begin
            try:
                root = documents.compose_document(Sink(Source(path, part, budget=Budget())), "")
            except UnreadableDocument:
                self.is_readable = False
                continue
            self.walk(root, (), 0)

    def walk(self, each: Node, keys: tuple[str, ...], depth: int, *, in_flow: bool = False) -> None:
        """Collects the fragments and tasks below a node. An alias is the same node again, so each node is visited
        once. in_flow: whether the collection around it is in brackets.
        """
        if depth > DEEPEST:
            self.is_readable = False
        elif isinstance(each, ScalarNode):
            self.add_scalar(each, keys, in_flow=in_flow)
        elif isinstance(each, SequenceNode):
            for index, child in enumerate(each.value):
                if isinstance(child, ScalarNode) and not each.flow_style:
                    self.add_scalar(child, keys, in_block=True)
                elif child.start_mark.index >= each.start_mark.index:
                    self.walk(child, (*keys, f"[{index}]"), depth + 1, in_flow=bool(each.flow_style))
        elif isinstance(each, MappingNode):
            for key, value in each.value:
                name = key.value if isinstance(key, ScalarNode) else ""
                if name in VARIABLE_KEYS and isinstance(value, MappingNode):
                    self.add_variables(value)
                if MODULES.fullmatch(name):
                    self.tasks.append(StackTask(name, key, value, each, self.base))
                elif value.start_mark.index >= key.start_mark.index:
                    self.walk(value, (*keys, name), depth + 1, in_flow=bool(each.flow_style))

    def add_variables(self, mapping: MappingNode) -> None:
        for key, value in mapping.value:
            if isinstance(key, ScalarNode):
                known = value.value if isinstance(value, ScalarNode) and "$" not in value.value else None
                self.variables[key.value] = known if self.variables.get(key.value, known) == known else None

    def add_scalar(
        self, scalar: ScalarNode, keys: tuple[str, ...], *, in_block: bool = False, in_flow: bool = False
    ) -> None:
        """Adds the fragment of a scalar that a shell runs."""
        names = [key for key in keys if not key.startswith("[")]
        if not MARK.search(scalar.value) or not names or names[-1] not in RUN_KEYS:
            return
        text, start, end = self.text, self.base + scalar.start_mark.index, self.base + scalar.end_mark.index
        unit = "/".join(keys[:2]) if self.path.startswith(".github/") else keys[0] if self.is_ci else ""
        runs_in = TOP if self.is_ci else UNKNOWN_PLACE
        lines, forbidden, item, reason = False, "", "", ""
        if scalar.style in ("|", ">"):
            header = BLOCK.match(text, start)
            if header is None:
                return
            start, lines = header.end(), scalar.style == "|"
            end = min(end, len(text))
        elif scalar.style == '"':
            start, end, forbidden = start + 1, end - 1, '"\\\n'
            reason = "the string in YAML has escapes" if "\\" in text[start:end] else ""
        elif scalar.style == "'":
            start, end, forbidden = start + 1, end - 1, "'\n"
            reason = "the string in YAML has escapes" if "''" in text[start:end] else ""
        else:
            forbidden = "#\n" if "\n" not in text[start:end] else "#"
            forbidden += ",[]{}" if in_flow else ""
        if in_block and not scalar.style and "\n" not in text[start:end] and self.is_ci:
            line = text[text.rfind("\n", 0, start) + 1 : start]
            item = line if line.strip() == "-" else ""
        plain = names[-1] in PLAIN_KEYS and not self.is_ci
        joined = scalar.style != "|" and "\n" in text[start:end]
        self.fragments.append(
            Fragment(
                start,
                end,
                unit,
                runs_in=runs_in,
                lines=lines,
                forbidden=forbidden,
                item=item,
                reason="the file is a template of Jinja2" if self.is_jinja else reason,
                is_plain=plain,
                is_joined=joined,
            )
        )
