"""The tools that hot2tf offers to targets of other packages: `from transpile.emit import …`.

Invariant: `__all__` is public: its names and their meanings do not change. docs/python.md has an example.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, final

from transpile import report, targets
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.rules import Rule
from transpile.evaluate.interpreter import ABSENT, Interpreter
from transpile.evaluate.partial import evaluate_partially, world_before_creation
from transpile.evaluate.pure import EvaluationError, NotKnown
from transpile.model import ir
from transpile.model.ir import children, rebuilt, walk
from transpile.model.records import replace
from transpile.model.span import Located
from transpile.resolve import graph, implicit_dependencies
from transpile.resolve.lifecycle import Deployment, Input, Operation, find_deployments
from transpile.resolve.stack import Stack, collect_parameter_values
from transpile.schema.properties import UNKNOWN
from transpile.targets import DIRECTORY, FILE, KEEP, LOAD, REFUSE, Option, Output, Target
from transpile.text.source import UnreadableFile

__all__ = [
    "ABSENT",
    "DIRECTORY",
    "FILE",
    "KEEP",
    "LOAD",
    "REFUSE",
    "UNKNOWN",
    "Deployment",
    "Diagnostic",
    "Input",
    "Operation",
    "Option",
    "Outcome",
    "Output",
    "Rule",
    "Stack",
    "Target",
    "children",
    "creation_order",
    "find_deployments",
    "fully_known",
    "ir",
    "known_value",
    "mapping_of",
    "provider_schema",
    "rebuilt",
    "walk",
]


def known_value(stack: Stack, expr: ir.Expr, *, with_parameters: bool = True) -> Any:
    """The value of an expression as Python data, as far as it is known before there is a stack.

    `{list_join: ["-", [a, b]]}` is `"a-b"`. `[a, {get_resource: r}]` is `["a", UNKNOWN]`. An
    expression that Heat would refuse is UNKNOWN, too.

    Args:
        stack: The stack that contains the expression.
        expr: The expression, such as `stack.template.outputs["address"].value`.
        with_parameters: Whether the values of parameters count: those of environments, and defaults. Without them,
            `{get_param: p}` is UNKNOWN, which a target with variables wants.

    Returns:
        The value. A value, or a part of it, that only a running stack has is UNKNOWN. A branch that does not exist
        is ABSENT: `{if: [condition, value]}` where the condition does not hold.
    """

    def read_file(name: str) -> str:
        try:
            return stack.root.read_file(name).decode_text()
        except UnreadableFile as e:
            raise NotKnown(str(e)) from e

    values = (
        collect_parameter_values(stack.template, stack.bindings, stack.passed_parameters) if with_parameters else {}
    )
    before = world_before_creation(values)
    world = replace(before, file=read_file, stack_name=None, stack_id=None, project_id=None, zones=None)
    try:
        return evaluate_partially(Interpreter(stack.template, world), expr)
    except EvaluationError:
        return UNKNOWN


def fully_known(value: Any) -> bool:
    """Whether nothing in a value of `known_value` is UNKNOWN or ABSENT: then it is data that can be written.

    Args:
        value: The value.

    Returns:
        True for `{"a": ["b"]}`, False for `["a", UNKNOWN]`.
    """
    if isinstance(value, (list, dict)):
        return all(map(fully_known, value.values() if isinstance(value, dict) else value))
    return value is not UNKNOWN and value is not ABSENT


def creation_order(stack: Stack) -> list[str]:
    """The names of the resources, each after all others that it needs: by a reference, by `depends_on`, or because Heat
    waits without either (a server for the subnets of its network).

    Apart from that it is the order of the template, so that the output changes as little as the template does. To
    delete, reverse it.

    Args:
        stack: The stack.

    Returns:
        All resources of the template, nested templates as one resource each.
    """
    written = graph.merge_edges(graph.explicit_edges(stack.template), stack.needs)
    hidden: dict[str, list[str]] = {}
    for name, dependency, _ in implicit_dependencies.find_implicit_dependencies(stack):
        hidden.setdefault(name, []).append(dependency)
    components = graph.strong_components(graph.merge_edges(written, hidden))
    level = {name: number for number, component in enumerate(components) for name in component}
    # implied waits may form a circle; then only the dependencies that the template states count
    return sorted((name for (name,) in graph.strong_components(written)), key=level.__getitem__)


def mapping_of(kind: str) -> Mapping[str, Any] | None:
    """Returns the mapping of a resource type of Heat: the provider's resource, and the argument for each property and
    attribute, as data of the form that docs/mappings.md describes.

    `mapping_of("OS::Neutron::Net")["properties"]["shared"]` is `"shared"`.

    Args:
        kind: The type, such as `stack.types["server"]`.

    Returns:
        A copy of the mapping; None if hot2tf has none.
    """
    mapping = targets.find_target(targets.DEFAULT).mapping
    return copy.deepcopy(mapping(kind)) if mapping is not None else None


def provider_schema(resource: str) -> Mapping[str, Any] | None:
    """Returns the schema of a resource or data source of the Terraform providers: its arguments with their types, its
    nested blocks, and the accepted values.

    `provider_schema("openstack_networking_network_v2")["arguments"]["mtu"]["type"]` is `"number"`.

    Args:
        resource: The name, after `data.` for a data source.

    Returns:
        A copy of the schema: `arguments` and `blocks`, each by name; None if there is no such resource.
    """
    schema = targets.find_target(targets.DEFAULT).schema
    return copy.deepcopy(schema(resource)) if schema is not None else None


@final
class Outcome:
    """Collects the results of a target while it writes: the counterparts of resources, and diagnostics.

    An example, in a target that has no module for a type:

        outcome = Outcome(stack)
        outcome.stays_with_heat("disk", "ANS001", "Ansible has no module for it")
        return outcome.output({"site.yaml": text})
    """

    def __init__(self, stack: Stack) -> None:
        self.stack, self.report = stack, report.StackReport()
        self.diagnostics: list[Diagnostic] = []

    def say(self, code: str, message: str, where: Located) -> None:
        """Adds a diagnostic. `where`: its subject, a node of the IR or a place such as `resource.type_span`."""
        self.diagnostics.append(Diagnostic(code, message, self.stack.template.source, where.span))

    def became(self, name: str, *addresses: str) -> None:
        """Records that a resource has a counterpart in the output. `addresses`: the names of the counterparts in the
        target.
        """
        self._resource(name).addresses = list(addresses)

    def stays_with_heat(self, name: str, code: str, why: str) -> None:
        """Records that a resource has no counterpart in the output, so it has to stay in a Heat stack.

        The report gets this fact, and a diagnostic with a code of the target is added at the type of the resource.
        `why`: a clause, such as "Ansible has no module for it".
        """
        entry = self._resource(name)
        entry.treatment, entry.kept = "embedded", {"code": code, "why": why}
        self.say(code, f"{name} stays with Heat: {why}.", self.stack.template.resources[name].type_span)

    def _resource(self, name: str) -> report.ResourceReport:
        resource = self.stack.template.resources[name]
        line, _ = self.stack.template.source.line_and_column(resource.at)
        return self.report.resources.setdefault(name, report.ResourceReport(resource.type, line))

    def output(self, files: Mapping[str, str | bytes]) -> Output:
        """The output of the target, with all recorded facts and diagnostics."""
        return Output(dict(files), self.report.as_json(), self.diagnostics)
