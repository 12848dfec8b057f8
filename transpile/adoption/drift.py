"""Drift: the differences between the live resources of a stack and its template.

Invariant: a difference is reported only if the values of both sides are known. Values that are not compared are counted
by reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, final

from transpile.adoption.api_comparisons import VALUE_COMPARISONS, CannotTell, CloudObjects, ComparedValues, Finding
from transpile.adoption.by_hand import RESOURCE_COMPARISONS
from transpile.adoption.family import ComparedResource, PairedResource, ResourceIndex
from transpile.adoption.live import LiveResource, LiveStack
from transpile.adoption.live_fields import COMPARED_TYPES, TYPES_WITHOUT_DRIFT, ComparedField, ComparedType
from transpile.adoption.lookups import Cloud
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError, NotKnown
from transpile.model import heat_types
from transpile.model.records import node, record
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.model.words import list_first
from transpile.resolve.stack import Stack
from transpile.stack_evaluation import Outside, StackEvaluation, follow_path

OTHER_REFERENCES = frozenset({  # types whose get_resource is not the physical ID
    heat_types.AWS_LAUNCH_CONFIGURATION,
    heat_types.AWS_SCALING_POLICY,
    heat_types.AWS_STACK,
    heat_types.AWS_WAIT_CONDITION_HANDLE,
    heat_types.AWS_EIP,
    heat_types.AWS_EIP_ASSOCIATION,
    heat_types.AWS_LOAD_BALANCER,
    heat_types.AWS_USER,
    heat_types.SCALING_POLICY,
    heat_types.SWIFT_SIGNAL_HANDLE,
    heat_types.MISTRAL_WORKFLOW,
    heat_types.NOVA_FLOATING_IP_ASSOCIATION,
})  # fmt: skip
HEAT_ONLY_TYPES = "OS::Heat::"  # types that exist only in Heat
API_ATTRIBUTE_TYPES = ("OS::Neutron::", "OS::Octavia::")  # types whose attributes are the fields of the API's object
OTHER_FIELDS = frozenset({"show", "segments", "subnets", "network", "rules"})  # attributes that Heat computes
UNANSWERED = "nobody answered a question to the cloud"


@final
@node
class Difference:
    """A difference of a resource. `path`: the names that lead to it. `field`: the property of Heat. `expected`, `live`:
    the values of the template and of the cloud, as texts. `added`, `missing`: whether the cloud has something more, or
    lacks something.
    """

    path: tuple[str, ...]
    type: str
    field: str
    expected: str
    live: str
    added: bool
    missing: bool
    source: Source
    span: Span

    @property
    def address(self) -> str:
        return ".".join(self.path)

    def make_diagnostic(self) -> Diagnostic:
        if self.added:
            message = f"{self.address} has {self.live} in {self.field}, which the template does not have."
            return Diagnostic(codes.ADDED_TO_LIVE_RESOURCE, message, self.source, self.span)
        if self.missing:
            message = f"{self.address} lacks {self.expected} in {self.field}, which the template has."
        else:
            message = f"{self.field} of {self.address} is {self.live} in the cloud and {self.expected} in the template."
        return Diagnostic(codes.LIVE_RESOURCE_DIFFERS, message, self.source, self.span)

    def as_json(self) -> dict[str, Any]:
        sort = "added" if self.added else "missing" if self.missing else "changed"
        out = {"resource": self.address, "type": self.type, "property": self.field, "difference": sort}
        return out | ({"template": self.expected} if self.expected else {}) | ({"live": self.live} if self.live else {})


@final
@record
class Drift:
    """The result of a comparison. `compared`: the number of values that were compared. `skipped`: how many were not, by
    reason. `commands`: commands that show the answers that are missing.
    """

    differences: list[Difference]
    compared: int
    skipped: Counter[str]
    commands: tuple[str, ...]

    def make_diagnostics(self, source: Source) -> list[Diagnostic]:
        """Yields the differences, and the values that were not compared. `source`: the text of the live stack."""
        diagnostics = [difference.make_diagnostic() for difference in self.differences]
        if self.commands:
            commands = list_first(self.commands, 1)
            message = f"{self.skipped[UNANSWERED]} values are not compared, because nobody answered: {commands}."
            diagnostics.append(Diagnostic(codes.COMPARISON_NEEDS_CLOUD, message, source))
        rest = {why: n for why, n in sorted(self.skipped.items()) if why != UNANSWERED}
        if rest:
            reasons = "; ".join(f"{n}: {why}" for why, n in rest.items())
            message = f"{self.compared} values are compared, and {sum(rest.values())} are not ({reasons})."
            diagnostics.append(Diagnostic(codes.VALUES_NOT_COMPARED, message, source))
        return diagnostics

    def as_json(self) -> dict[str, Any]:
        return {
            "differences": [difference.as_json() for difference in self.differences],
            "compared": self.compared,
            "not_compared": dict(sorted(self.skipped.items())),
        }


def find_drift(live: LiveStack, stack: Stack, cloud: Cloud) -> Drift:
    """The differences between the resources of a live stack and its linked template."""
    objects, skipped, differences = CloudObjects(cloud), Counter[str](), list[Difference]()
    resources = {".".join(path): resource for path, resource in live.walk_resources()}
    stack_resources = list(
        walk_paired_resources(StackEvaluation(stack, build_outside(live, resources, objects)), live, skipped)
    )
    resource_index, compared = ResourceIndex(stack_resources), 0
    for stack_resource in stack_resources:
        for field, outcome in compare_resource(stack_resource, resource_index, objects):
            if isinstance(outcome, str):
                skipped[outcome] += 1
            else:
                compared += 1
                differences += [make_difference(stack_resource, field, finding) for finding in outcome]
    return Drift(differences, compared, skipped, tuple(objects.unanswered))


def walk_paired_resources(
    evaluation: StackEvaluation, live: LiveStack, skipped: Counter[str], path: tuple[str, ...] = ()
) -> Iterator[PairedResource]:
    """The resources that are both in the template and in the live stack, those of nested stacks included."""
    try:
        names = evaluation.resource_names
    except EvaluationError:
        skipped["the resources of a nested stack are not known"] += 1
        return
    for name in names:
        resource = live.resources.get(name)
        if resource is None:
            skipped["the resource is not in the live stack"] += 1
            continue
        kind = evaluation.resource_kind(name)
        if resource.stack is None:
            yield PairedResource((*path, name), kind, evaluation, resource)
            continue
        try:
            inside = evaluation.find_nested_stack(name)
        except EvaluationError:
            inside = None
        if inside is None:
            skipped["the resources of a nested stack are not known"] += 1
        else:
            yield from walk_paired_resources(inside, resource.stack, skipped, (*path, name))


def build_outside(live: LiveStack, resources: Mapping[str, LiveResource], objects: CloudObjects) -> Outside:
    """Answers references from the live stack, and attributes from the API. Raises NotKnown for anything else."""

    def look_up_reference(address: str) -> Any:
        resource = resources.get(address)
        if resource is None or resource.stack is not None or resource.type in OTHER_REFERENCES:
            raise NotKnown(f"{address} is not known")
        value = resource.data.get("value") if resource.type == heat_types.RANDOM_STRING else resource.physical_id
        if not isinstance(value, str):
            raise NotKnown(f"{address} is not known")
        return value

    def look_up_attribute(address: str, path: tuple[Any, ...]) -> Any:
        resource = resources.get(address)
        if resource is None or resource.stack is not None or resource.type == heat_types.VALUE:
            return ABSENT
        if path and resource.type == heat_types.RANDOM_STRING and path[0] == "value":
            return look_up_reference(address)
        if (
            path
            and resource.type.startswith(API_ATTRIBUTE_TYPES)
            and path[0] not in OTHER_FIELDS
            and resource.type in COMPARED_TYPES
        ):
            try:
                api_object = objects.look_up_object(COMPARED_TYPES[resource.type].noun, str(resource.physical_id))
            except CannotTell as e:
                raise NotKnown(str(e)) from None
            if path[0] in api_object:
                return follow_path(api_object[path[0]], path[1:])
        raise NotKnown(f"{address} is not known")

    return Outside(look_up_reference, look_up_attribute, live.name, live.id, live.project)


def compare_resource(
    stack_resource: PairedResource, resource_index: ResourceIndex, objects: CloudObjects
) -> Iterator[tuple[ComparedField | None, str | list[Finding]]]:
    """For each field of a resource its findings, or as a text the reason why it was not compared."""
    table = COMPARED_TYPES.get(stack_resource.type)
    if table is None:
        if stack_resource.type not in TYPES_WITHOUT_DRIFT and not stack_resource.type.startswith(HEAT_ONLY_TYPES):
            yield None, "hot2tf does not know how the API shows the type"
        return
    if stack_resource.live.physical_id is None:
        yield None, "the resource has no physical ID"
        return
    try:
        api_object = objects.look_up_object(
            table.noun, stack_resource.live.physical_id, **make_owner_filter(stack_resource, table)
        )
    except CannotTell as e:
        for field in table.fields:
            yield field, str(e)
        return
    schema = stack_resource.evaluation.resource_facts(stack_resource.name).get("properties", {})
    for field in table.fields:
        try:
            expected = stack_resource.evaluate_property(field.name)
            if field.how in RESOURCE_COMPARISONS:
                yield (
                    field,
                    list(
                        RESOURCE_COMPARISONS[field.how](
                            ComparedResource(stack_resource, field, expected, api_object, resource_index, objects)
                        )
                    ),
                )
                continue
            if expected is ABSENT or (expected is None and field.how != "address"):
                expected = schema.get(field.name, {}).get("default", field.unset)
                if expected is ABSENT:
                    continue  # the service has chosen, so nothing is to compare
            value: Any = api_object
            for step in field.path:
                if not isinstance(value, dict) or step not in value:
                    raise CannotTell("the API does not show the field")
                value = value[step]
            yield field, list(VALUE_COMPARISONS[field.how](ComparedValues(field, expected, value, objects)))
        except CannotTell as e:
            yield field, str(e)


def make_owner_filter(stack_resource: PairedResource, table: ComparedType) -> dict[str, str]:
    """The filter for an object that the API has only below its owner: `{"pool_id": …}` for a pool member."""
    if table.inside is None:
        return {}
    attribute, name = table.inside
    owner = stack_resource.evaluate_property(name)
    if not isinstance(owner, str):
        raise CannotTell("a value of the template is not known")
    return {attribute: owner}


def make_difference(stack_resource: PairedResource, field: ComparedField | None, finding: Finding) -> Difference:
    """A difference at the place of the property in the template, or of the resource."""
    assert field is not None
    template = stack_resource.evaluation.stack.template
    resource = template.resources[stack_resource.name]
    span = resource.name_span
    for entry in resource.entries:
        if entry.key == field.name:
            span = entry.span
    return Difference(
        stack_resource.path,
        stack_resource.type,
        field.name,
        finding.expected,
        finding.live,
        finding.added,
        finding.missing,
        template.source,
        span,
    )
