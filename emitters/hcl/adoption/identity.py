"""Builds the import ID of each instance: its form is in the table, its parts come from the export, the arguments and
the cloud.

Invariant: an ID is known as a whole or not at all. If several objects answer a question, none of them is taken.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, final

from emitters.hcl.adoption.counterparts import Counterparts
from emitters.hcl.attempt import Attempt
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, convert_to_text
from emitters.hcl.evaluation.instances import MISSING, BlockInstance, InstancePlan
from emitters.hcl.tables import imports
from emitters.hcl.tables.imports import IdForm, IdPart, ImportRow
from emitters.hcl.tree.nodes import Argument
from transpile.adoption.adoption import Adoption
from transpile.adoption.lookups import CloudLookup, NoAnswer
from transpile.adoption.lookups import collect_values as values_at
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model.span import Span
from transpile.stack_evaluation.evaluation import StackEvaluation
from transpile.stack_evaluation.outside import Outside
from transpile.stack_evaluation.plugin_properties import Stub

if TYPE_CHECKING:
    from transpile.adoption.live import LiveResource

SCOPE = "openstack_identity_auth_scope_v3"  # the data source for the project and user of the credentials
# Attributes for which the provider and the API have different names.
API_NAMES: Mapping[tuple[str, str], str] = {("openstack_networking_floatingip_v2", "address"): "floating_ip_address"}
# Lists that the provider makes of single values of the API, by the path to their items.
API_LIST_PATHS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("openstack_networking_port_v2", "all_fixed_ips"): ("fixed_ips", "ip_address"),
    ("openstack_networking_port_v2", "all_security_group_ids"): ("security_groups",),
}


class Unanswered(UnknownValue):
    """A part of an ID is known only to the cloud."""

    def __init__(self, lookup: CloudLookup, why: str) -> None:
        super().__init__(why)
        self.lookup = lookup


class Identity(NamedTuple):
    """An instance with its ID. If the ID is not known: `why`, and the command that shows it."""

    instance: BlockInstance
    id: str | None
    why: str = ""
    command: str = ""


@final
class Identities:
    """The IDs of all instances of a plan."""

    def __init__(self, adoption: Adoption, root: Attempt, modules: Mapping[str, Attempt]) -> None:
        self.adoption = adoption
        self.plan, self.counterparts = InstancePlan(root, modules, self.attribute), Counterparts(adoption.live)
        self.ids: dict[str, str | UnknownValue | EvaluationFailed] = {}
        self.resources: dict[str, LiveResource] = {}
        self.resources_by_id: dict[str | None, LiveResource] = {}
        for path, resource in adoption.live.walk_resources():
            self.resources.setdefault(".".join(path), resource)
            self.resources_by_id.setdefault(resource.physical_id, resource)
        self.evaluated_stack: StackEvaluation | None = None
        self.without_import: list[
            tuple[BlockInstance, str]
        ] = []  # instances without an import, and the effect of creating them

    def list_identities(self) -> list[Identity]:
        """All instances that can be imported, each with its ID. Raises UnknownValue or EvaluationFailed if Terraform's
        plan is not known.
        """
        identities = []
        for instance in self.plan.root.walk_instances():
            row = imports.find_row(instance.block.labels[0])
            if row.none:
                self.without_import.append((instance, row.anew))
                continue
            try:
                identities.append(Identity(instance, self.look_up_id(instance)))
            except Unanswered as e:
                identities.append(Identity(instance, None, str(e), e.lookup.command))
            except (UnknownValue, EvaluationFailed) as e:
                identities.append(Identity(instance, None, str(e)))
        return identities

    def look_up_id(self, instance: BlockInstance) -> str:
        """The ID of an instance. Raises UnknownValue or EvaluationFailed."""
        address = instance.address_text
        if address not in self.ids:
            self.ids[address] = UnknownValue(f"the ID of {address} depends on itself")
            try:
                self.ids[address] = self.build_id(instance)
            except (UnknownValue, EvaluationFailed) as e:
                self.ids[address] = e
        import_id = self.ids[address]
        if isinstance(import_id, str):
            return import_id
        raise import_id

    def attribute(self, instance: BlockInstance, name: str) -> Any:
        """An attribute that is no argument: the ID, a generated value, or an attribute of the API."""
        kind = instance.block.labels[0]
        row = imports.find_row(kind)
        if instance.block.type == "data":
            return self.look_up_data_source(instance, row, name)
        if name == "id" or (kind.startswith("random_") and name == "result"):
            return self.look_up_id(instance)
        if not row.kind:
            raise UnknownValue(f"{name} of {instance.address_text}")
        path = API_LIST_PATHS.get((kind, name), ())
        take = path[0] if path else API_NAMES.get((kind, name), name)
        value = self.ask_cloud(CloudLookup(row.kind, (("id", self.look_up_id(instance)),), take))
        if path and value is not None:
            return values_at(value, path[1:])
        if value is None:
            raise UnknownValue(f"{name} of {instance.address_text}")
        return value

    def look_up_data_source(self, instance: BlockInstance, row: ImportRow, name: str) -> Any:
        """An attribute of a data source, read from the cloud's answer about the object that it looks for."""
        if instance.block.labels[0] == SCOPE and name == "project_id" and self.adoption.live.project:
            return self.adoption.live.project
        arguments = {item.name for item in instance.block.body if isinstance(item, Argument)} - {"count", "for_each"}
        if not row.kind or arguments != {"name"}:
            raise UnknownValue(f"{name} of {instance.address_text}")
        return self.ask_cloud(
            CloudLookup(row.kind, (("name", convert_to_text(instance.argument_value("name"))),), name)
        )

    def span_of(self, instance: BlockInstance) -> Span:
        """The place in the input of the running resource of an instance; that of the stack if it has none."""
        live, stack = self.counterparts.resource_of(instance), self.adoption.live
        return live.span if live is not None else Span(stack.at, stack.at + 1)

    # parts

    def build_id(self, instance: BlockInstance) -> str:
        row = imports.find_row(instance.block.labels[0])
        live, owner = self.counterparts.resource_of(instance), instance.owner_name
        if row.none:
            raise UnknownValue(f"the ID of {instance.address_text}")
        types = instance.directory.emission.unit.stack.types
        kind = live.type if live is not None else ""
        heat = types.get(owner, kind) if live is None or live.type not in row.of else live.type
        form = row.find_form(heat, instance.is_part)
        return self.join_parts(form, instance, live)

    def join_parts(self, form: IdForm, instance: BlockInstance, live: LiveResource | None) -> str:
        return form.separator.join(self.resolve_part(part, instance, live) for part in form.parts)

    def resolve_part(self, part: IdPart, instance: BlockInstance, live: LiveResource | None) -> str:
        match part:
            case imports.LiteralText(text):
                return text
            case imports.StackAttribute():
                return self.adoption.live.id
            case imports.LiveArgument(argument, optional):
                value = instance.argument_value(argument)
                if value is MISSING or value is None:
                    if optional:
                        return ""
                    raise UnknownValue(f"the argument {argument}, which has no value")
                return convert_to_text(value)
            case imports.FirstWithValue(parts):
                return self.resolve_first_part(parts, instance, live)
            case imports.CloudQuestion():
                return self.resolve_question(part, instance, live)
            case imports.LiveProperty(name):
                return self.resolve_property(name, instance)
        if live is None:
            raise UnknownValue("the running stack has no such resource")
        match part:
            case imports.StoredData(key, each):
                return read_stored_data(live, key, each)
            case imports.PhysicalId(last):
                if live.physical_id is None:
                    raise UnknownValue("the resource has no physical ID")
                return live.physical_id.rstrip("/").rpartition("/")[2] if last else live.physical_id
        raise UnknownValue("this part of an ID")

    def resolve_first_part(self, parts: tuple[IdPart, ...], instance: BlockInstance, live: LiveResource | None) -> str:
        error: UnknownValue | EvaluationFailed | None = None
        for part in parts:
            try:
                if text := self.resolve_part(part, instance, live):
                    return text
            except (UnknownValue, EvaluationFailed) as e:
                error = e
        raise error or UnknownValue("this part of an ID")

    def resolve_question(
        self, question: imports.CloudQuestion, instance: BlockInstance, live: LiveResource | None
    ) -> str:
        attributes = tuple((name, self.resolve_part(part, instance, live)) for name, part in question.by)
        value = self.ask_cloud(CloudLookup(question.kind, attributes, question.take), question, live)
        if value is None:
            raise UnknownValue(f"{question.take} of the {question.kind}")
        return convert_to_text(value)

    def ask_cloud(
        self, lookup: CloudLookup, question: imports.CloudQuestion | None = None, owner: LiveResource | None = None
    ) -> Any:
        """Asks the cloud for the attribute that a question is about. Raises Unanswered unless one object has it.
        `question`: the part of an ID that is asked for; `owner`: the running resource whose ID it is.
        """
        try:
            rows = self.adoption.cloud.ask(lookup)
        except NoAnswer:
            raise Unanswered(lookup, f"only the cloud knows the {lookup.kind}") from None
        matches = self.choose_answers(rows, lookup, question, owner) if question is not None else list(rows)
        if len(matches) != 1:
            many = "no" if not matches else f"not one but {len(matches)}"
            raise Unanswered(lookup, f"the cloud has {many} such {lookup.kind}")
        return matches[0].get(lookup.take)

    def choose_answers(
        self,
        rows: Sequence[Mapping[str, Any]],
        lookup: CloudLookup,
        question: imports.CloudQuestion,
        owner: LiveResource | None,
    ) -> list[Mapping[str, Any]]:
        """The answers that may be meant. As long as there are several, a further test leaves some out.

        For example, in a network with an IPv4 and a SLAAC subnet, every port has an address of the SLAAC subnet. So two
        ports of a router are on that subnet: its interface there, and the port of its interface on the IPv4 subnet.
        """

        def is_another_resource(row: Mapping[str, Any]) -> bool:
            resource = self.resources_by_id.get(row.get("id"))
            return resource is not None and resource is not owner

        def is_preferred(row: Mapping[str, Any]) -> bool:
            return all(
                any(CloudLookup("", ((name, value),)).matches(row) for value in values)
                for name, values in question.prefer
            )

        def has_nothing_more(row: Mapping[str, Any]) -> bool:
            return all(set(values_at(row, name.split("."))) <= {value, ""} for name, value in lookup.filter)

        answers = [row for row in rows if not any(CloudLookup("", (pair,)).matches(row) for pair in question.but)]
        if len(answers) > 1:
            answers = [row for row in answers if not is_another_resource(row)]
        for test in (is_preferred, has_nothing_more):
            fewer = [row for row in answers if test(row)] if len(answers) > 1 else []
            answers = fewer or answers
        return answers

    def resolve_property(self, name: str, instance: BlockInstance) -> str:
        """A property as Heat resolves it, with physical IDs where it refers to resources."""
        try:
            evaluation = self.evaluate_live_stack()
            for step in self.counterparts.names_of(instance.directory):
                inner = evaluation.find_nested_stack(step)
                if inner is None:
                    raise UnknownValue(f"the property {name}")
                evaluation = inner
            value = evaluation.evaluate_property(instance.owner_name, name)
        except EvaluationError as e:
            raise UnknownValue(f"the property {name}: {e}") from None
        if not isinstance(value, (str, int)) or isinstance(value, Stub):
            raise UnknownValue(f"the property {name}")
        return str(value)

    def evaluate_live_stack(self) -> StackEvaluation:
        if self.evaluated_stack is None:
            live = self.adoption.live
            assert self.adoption.stack is not None

            def find_physical_id(address: str) -> Any:
                resource = self.resources.get(address)
                return ABSENT if resource is None or resource.physical_id is None else resource.physical_id

            outside = Outside(find_physical_id, stack_name=live.name, stack_id=live.id, project_id=live.project)
            self.evaluated_stack = StackEvaluation(self.adoption.stack, outside)
        return self.evaluated_stack


def read_stored_data(live: LiveResource, key: str, each: str) -> str:
    """The value that Heat has stored in the resource data under a key. Raises UnknownValue if there is none."""
    value = live.data.get(key)
    if each and isinstance(value, str):
        try:
            items = json.loads(value)
        except ValueError:
            items = None
        item = items[0] if isinstance(items, list) and len(items) == 1 else None
        value = item.get(each) if isinstance(item, dict) else None
    if not isinstance(value, str) or not value:
        raise UnknownValue(f"{key} of the resource")
    return value
