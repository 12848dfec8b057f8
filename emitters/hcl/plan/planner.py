"""Plans which resources are native and which stay with Heat, before writing and after every failed attempt.

The plan is a fixed point. It begins with the conversion that the type of each resource allows (`classify_resource`).
Then it is closed: keeping one resource in Heat drags others along, in one of three ways (`complete_plan`, in
closure.py). After a failed attempt, the emitter keeps the failed resources too (`keep_in_heat`) and closes the plan
again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar, final

from emitters.hcl.errors import CannotSay, Existing
from emitters.hcl.plan import cfn_init, coupling, deployments, left_out, preferences, referrals, scaling, signals
from emitters.hcl.plan.configurations import ReasonToKeep
from emitters.hcl.plan.deployments import FIRST_BOOT, OVER_SSH, Deployments
from emitters.hcl.plan.module_values import is_needed_by_resource
from emitters.hcl.plan.modules import Modules
from emitters.hcl.plan.policy import PreferencePolicy
from emitters.hcl.plan.signals import CONDITIONS, SERVERS, UNHEARD, Signals
from emitters.hcl.tables.mapping import UNMAPPED, TypeMapping
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.records import node
from transpile.model.span import Span, WithSpan
from transpile.resolve import graph, implicit_dependencies
from transpile.resolve.groups import INSIDE
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import ValueFlow

T = TypeVar("T")
CFN_TOOLS = ("cfn-init", "cfn-signal", "cfn-hup", "cfn-get-metadata", "cfn-push-stats")
SUBNETS = ir.Lit("subnets")
MODULE = TypeMapping("module", "native", hook="module")  # a template that stands for a resource
STACK = TypeMapping("module", "native", hook="stack")  # a stack of its own, whose template is a file
ONLY_A_GATEWAY = "the provider has no resource for only the gateway of a router"
OUTPUT = "output/"  # before outputs that Heat must compute, which are planned like resources; Heat allows no / in names


def describe_member(name: str) -> str:
    """The name of a planned resource or output in a message: `web`, `output address`."""
    return f"output {name.removeprefix(OUTPUT)}" if name.startswith(OUTPUT) else name


@final
@node
class Reason(WithSpan):
    """Why a resource or output stays with Heat. indirect: only because another resource stays, so that the list of
    reasons in the embedded stack leaves it out. free: the change after which it does not stay, as a command.
    reader: the resource without whose reference it would not stay.
    """

    code: str
    why: str
    span: Span
    indirect: bool = False
    free: str = ""
    reader: str = ""


@final
@node
class PlannedReaders:
    """The readers of a stack, as readers.py made them: resources with `external_id` that Heat only reads.

    targets: from a reader to the resource that it reads, "" for an existing one. existing: from an existing resource to
    its reader. reasons: for each reader its name, the error that an attempt without it gave, and why Heat must read.
    """

    targets: Mapping[str, str]
    existing: Mapping[Existing, str]
    reasons: Sequence[tuple[str, CannotSay, str]]


NO_READERS = PlannedReaders({}, {}, ())


@final
class ConversionPlan:
    """The treatment of every resource of a stack. A new plan has no groups until `complete_plan` has closed it.

    kinds: the mapping of each resource's type, or its preferred conversion.
    preferred: the conversions of `--prefer native` that still apply. kept: the resources and outputs that stay with
    Heat, and why. disabled: resources whose condition is never true. implicit: dependencies that Heat's plug-ins add.
    gateways: the RouterGateway that each native router takes over. groups: the kept resources and outputs of each
    embedded stack; group_of: the index of the group of each. partners: resources that work only together with one in
    another template. failures: why an attempt failed, by resource or output.
    """

    def __init__(
        self,
        stack: Stack,
        policy: PreferencePolicy,
        modules: Modules,
        reading: PlannedReaders = NO_READERS,
    ) -> None:
        self.stack, self.template, self.tables = stack, stack.template, modules.tables
        nested = {
            name: STACK if written == INSIDE else MODULE
            for name, written in stack.nested
            if written in (INSIDE, stack.template.resources[name].type)
        }
        self.kinds: dict[str, TypeMapping] = {
            name: nested.get(name) or modules.tables.find_mapping(kind) for name, kind in stack.types.items()
        }
        self.policy, self.modules = policy, modules
        self.signals = Signals(stack, self.is_output_needed)
        self.deployments = Deployments(stack, self.is_output_needed)
        self.preferred = self.select_preferred()
        self.kinds |= self.preferred
        self.nested = {name for name, _ in stack.nested}
        self.needs = stack.needs
        self.implicit = list(implicit_dependencies.find_implicit_dependencies(stack))
        self.dependencies = self.compute_dependencies()
        self.kept: dict[str, Reason] = {}
        self.failures: dict[str, CannotSay] = {}
        self.disabled: set[str] = set()
        self.gateways: dict[str, str] = {}
        self.groups: list[list[str]] = []
        self.group_of: dict[str, int] = {}
        self.outputs: dict[str, list[str]] = {}  # outputs that Heat computes, with the resources they refer to
        self.indexes: dict[Callable[[ConversionPlan], Any], Any] = {}
        self.subnets_by_network = self.find_listed_subnets()
        for name, resource in self.template.resources.items():
            self.classify_resource(name, resource)
        self.text_partners = modules.module_of_stack(stack).text_partners
        self.partners: dict[str, str] = {}
        self.keep_coupled_across_templates()
        self.readers, self.existing = reading.targets, reading.existing
        for reader, instead, why in reading.reasons:
            self.kept[reader] = Reason(codes.READ_THROUGH_HEAT, why, instead.span)

    def keep_coupled_across_templates(self) -> None:
        """Keeps resources that work only together with a resource in another template, such as a handle whose URL is
        passed to a nested template. Runs again after conversions were reverted: faithful conversions may be coupled
        now.
        """
        coupled = self.find_coupled_resources() if self.nested else {}
        self.partners = coupled | self.text_partners
        for name, partner in self.partners.items():
            if name not in self.kept and name not in self.disabled:
                self.revert_preferred(name)
                self.keep_with_partner(name, f"it works only together with {partner}")

    def find_coupled_resources(self) -> dict[str, str]:
        work = self.deployments.work_by_deployment if self.preferred else ()
        unheard = (UNHEARD, scaling.UNSCALED, left_out.HOOK)
        free = [name for name, kind in self.preferred.items() if kind.hook in unheard or name in work]
        released = deployed = coupling.is_never_released
        if self.policy.accepts_differences:
            released = functools.partial(signals.receivers_need_no_heat, self.modules)
            deployed = functools.partial(deployments.deployments_need_no_heat, self.modules)
        flow = self.value_flow
        return coupling.find_coupled_resources(self.stack, flow, self.tables, free, released, deployed)

    @functools.cached_property
    def value_flow(self) -> ValueFlow:
        return self.modules.value_flow_of(self.stack)

    def is_output_needed(self, name: str) -> bool:
        """Whether a resource of a template that calls this one needs an output."""
        is_root = self.modules.module_of_stack(self.stack).is_root
        return not is_root and is_needed_by_resource(self.value_flow, self.value_flow.output(self.stack, name))

    def select_preferred(self) -> dict[str, TypeMapping]:
        """The preferred conversion of each resource that has one; none if the user asked for a faithful output."""
        if not self.policy.accepts_differences:
            return {}
        return preferences.select_preferred_conversions(
            self.stack, self.policy, self.tables, self.signals, self.deployments
        )

    def compute_dependencies(self) -> dict[str, list[str]]:
        """The resources that each resource waits for: by references, by `depends_on`, and by Heat's plug-ins. A
        converted wait condition waits for no signal. It depends on the servers that would have sent the signal, so that
        resources after it keep their order.
        """
        implicit_needs = {name: [n for o, n, _ in rows] for name, rows in groupby(self.implicit, itemgetter(0))}
        senders = {
            name: self.signals.senders_of(name) for name in self.preferred if self.stack.types[name] in CONDITIONS
        }
        return graph.merge_edges(self.stack.needs, graph.explicit_edges(self.template), implicit_needs, senders)

    # questions

    def is_embedded(self, name: str) -> bool:
        """Whether a resource, or an output by its prefix, stays with Heat."""
        return name in self.kept

    def is_native(self, name: str) -> bool:
        """Whether a resource becomes a Terraform resource or module."""
        kind = self.kinds.get(name, UNMAPPED)
        return (
            name not in self.kept
            and name not in self.disabled
            and kind.treatment == "native"
            and not self.template.resources[name].is_existing
        )

    def native_router_of(self, gateway: ir.Resource) -> str:
        """The native router that a RouterGateway belongs to; empty if there is none, or it has another gateway."""
        router = gateway.find_property("router_id")
        if (
            isinstance(router, ir.ResourceRef)
            and self.is_native(router.name)
            and self.stack.types.get(router.name) == heat_types.NEUTRON_ROUTER
        ):
            return router.name if self.gateways.get(router.name, gateway.name) == gateway.name else ""
        return ""

    def find_listed_subnets(self) -> dict[str, list[str]]:
        """For each network whose `subnets` attribute is read, the subnets that the template creates in it."""
        template = self.template
        owners: list[ir.Resource | ir.Output] = [*template.resources.values(), *template.outputs.values()]
        read_names = {r.name for o in owners for r in o.refs if isinstance(r, ir.AttrRef) and r.path[:1] == (SUBNETS,)}
        subnets: dict[str, list[str]] = {}
        for name, resource in template.resources.items() if read_names else ():
            network = (
                implicit_dependencies.find_network(resource)
                if self.stack.types[name] == heat_types.NEUTRON_SUBNET
                else None
            )
            if isinstance(network, ir.ResourceRef) and network.name in read_names:
                subnets.setdefault(network.name, []).append(name)
        return subnets

    # the first plan, by type

    def classify_resource(self, name: str, resource: ir.Resource) -> None:
        """Decides how a resource is converted by its own type and properties, without regard to coupling. Runs at first
        for all, and again for a resource that lost its preferred conversion.
        """
        kind = self.kinds[name]
        span = resource.type_span
        settled = map(self.stack.fold_condition, resource.conditions)
        if any(isinstance(condition, ir.Lit) and not condition.value for condition in settled):
            self.disabled.add(name)
        elif resource.is_existing:
            return
        elif name in self.policy.kept_words:
            self.kept[name] = Reason(codes.KEPT_IN_HEAT, "--keep names it", span)
        elif kind is UNMAPPED:
            self.kept[name] = Reason(codes.ASSUMED_PLUGIN_TYPE, f"{resource.type} is not one of Heat's own types", span)
        elif kind.treatment == "embedded":
            prefers_native = self.policy.accepts_differences
            known = {**self.deployments.reasons_to_keep, **self.signals.reasons_to_keep} if prefers_native else {}
            reason = known.get(name) or self.reason_of_type(resource, kind)
            self.kept[name] = Reason(
                codes.KEPT_IN_HEAT, reason.why, reason.span or span, free=reason.free, reader=reason.reader
            )
        elif (
            why := self.why_server_needs_heat(resource)
            if kind.name in SERVERS
            else self.why_member_needs_heat(resource)
        ):
            self.kept[name] = Reason(codes.KEPT_IN_HEAT, why, span)
        elif kind.name == heat_types.NEUTRON_ROUTER_GATEWAY:
            router = self.native_router_of(resource)
            if router:
                self.gateways[router] = name
            else:
                self.kept[name] = Reason(codes.KEPT_IN_HEAT, ONLY_A_GATEWAY, span)

    def reason_of_type(self, resource: ir.Resource, kind: TypeMapping) -> ReasonToKeep:
        """Why a resource stays whose type stays by itself. With a preference, one that could be left out has a reader
        that needs it, or the user wants to keep it.
        """
        if why := self.why_member_needs_heat(resource):
            return ReasonToKeep(why)
        if not self.policy.accepts_differences or kind.preferred_hook != left_out.HOOK:
            return ReasonToKeep(kind.why)
        if self.policy.match_kept_resources(self.stack, (resource.name,)):
            return ReasonToKeep("--keep names its type", "do not name it with --keep")
        reader = next((name for name, needs in self.stack.needs.items() if resource.name in needs), "")
        if not reader:
            return ReasonToKeep(kind.why)
        return ReasonToKeep(kind.why, f"remove the reference to it from {reader}", reader=reader)

    def why_member_needs_heat(self, group: ir.Resource) -> str:
        """Why the members of a scaling group need Heat at run time; empty if they do not."""
        if not self.policy.accepts_differences:
            return ""
        member = scaling.member_of_scaling_group(self.stack, group)
        return (
            self.why_server_needs_heat(member)
            if member is not None and self.stack.canonical_type(member.type) in SERVERS
            else ""
        )

    def why_server_needs_heat(self, resource: ir.Resource) -> str:
        """Why a server needs Heat at run time; empty if it does not. A server needs Heat if it reads its metadata with
        Heat's tools, and without `user_data_format` Heat itself adds these tools to the user data.
        """
        if self.may_do_without_heat(resource):
            boot = cfn_init.read_boot(resource.name, resource.properties, resource.metadata)
            return cfn_init.why_boot_needs_heat(self.stack, boot, self.policy.metadata_reader)
        if isinstance(resource.metadata, ir.Map) and "AWS::CloudFormation::Init" in resource.metadata:
            return "cfn-init in the server reads this metadata through Heat"
        data = resource.find_property("user_data", "UserData")
        if data is not None and resource.find_property("user_data_format") in (None, ir.Lit("HEAT_CFNTOOLS")):
            for expr in ir.walk(data):
                if isinstance(expr, ir.Lit) and isinstance(expr.value, str):
                    for tool in CFN_TOOLS:
                        if tool in expr.value:
                            return f"its user data calls {tool}, which contacts Heat"
        return ""

    def may_do_without_heat(self, resource: ir.Resource) -> bool:
        """Whether a server may do without Heat although that changes its behaviour: the user prefers Terraform, and did
        not name the server's type among those to keep.
        """
        return self.policy.accepts_differences and not self.policy.match_kept_resources(self.stack, (resource.name,))

    # growing: keep more in Heat

    def keep_in_heat(self, name: str, reason: CannotSay) -> bool:
        """Keeps a resource (or an output, by its prefix) in Heat. Returns False if it was kept already. The caller must
        close the plan afterwards (`complete_plan`).
        """
        if name in self.kept:
            return False
        self.failures[name] = reason
        self.indexes.clear()  # an index may have read the native resources
        # first: `classify_resource` may keep it for a reason of its own, which is replaced below
        self.revert_with_partners(name)
        self.kept[name] = Reason(reason.code, reason.why, reason.span)
        return True

    def revert_with_partners(self, name: str) -> None:
        """Reverts the preferred conversion of a resource, and says of those that must change with it that they stay
        because of it. `classify_resource` keeps them for reasons of their own, but this is the reason that a user can
        change.
        """
        before = set(self.preferred)
        self.revert_preferred(name)
        for other in before & self.kept.keys() - self.preferred.keys() - {name}:
            self.keep_with_partner(other, f"it works only together with {describe_member(name)}")

    def revert_preferred(self, name: str) -> None:
        """Reverts the preferred conversion of a resource to the faithful one, and those of all resources that must
        change with it. For example, a wait condition that stays with Heat needs its handle, and the server that
        signals, to be written for Heat too.
        """
        if not self.preferred:
            return
        reverted = self.preferred.keys() & {name, *graph.reachable_nodes(self.treatment_partners, [name])}
        for other in sorted(reverted, key=self.template_positions.__getitem__):
            del self.preferred[other]
            self.kinds[other] = self.tables.find_mapping(self.stack.types[other])
            self.classify_resource(other, self.template.resources[other])
        # A reverted wait condition waits for signals again instead of depending on its servers, so the edges change.
        # The order is a cached property of them: popping it from the instance makes the next access compute it again.
        # `pop` has a default, because nobody may have asked for the order yet. No other cached property reads them.
        if any(self.stack.types[other] in CONDITIONS for other in reverted):
            self.dependencies = self.compute_dependencies()
            self.__dict__.pop("in_order", None)

    @functools.cached_property
    def treatment_partners(self) -> dict[str, set[str]]:
        """Resources that must change treatment together, by resource. Computed once, for the conversions at first:
        reverting always takes a whole connected component, and so the others keep their partners.
        """
        return preferences.link_treatments(self.stack, self.preferred, self.signals, self.deployments)

    @functools.cached_property
    def template_positions(self) -> dict[str, int]:
        """The index of each resource in the template."""
        return {name: place for place, name in enumerate(self.template.resources)}

    def first_boot_deployments(self, holder: str) -> list[str]:
        """The deployments that become parts of the user data of a message or server, in order."""
        return self.get_index(first_boot_by_holder).get(holder, []) if self.preferred else []

    def get_index(self, build: Callable[[ConversionPlan], T]) -> T:
        """The result of a function of the plan, such as `resources_by_type`, computed once until the plan changes.
        Hooks look things up for each resource, and would otherwise walk the template each time.
        """
        if build not in self.indexes:
            self.indexes[build] = build(self)
        result: T = self.indexes[build]
        return result

    @functools.cached_property
    def in_order(self) -> list[str]:
        """The resources in topological order: each after those that it waits for, circles in one piece."""
        return [name for circle in graph.strong_components(self.dependencies) for name in circle]

    def deployments_of_config(self, config: str) -> list[str]:
        """The deployments that use a configuration, if nothing else uses it; otherwise none."""
        return self.get_index(deployments_by_config).get(config, [])

    def is_converted_deployment(self, name: str) -> bool:
        """Whether a resource is a deployment that is converted, so that it needs no Heat."""
        return name in self.preferred and name in self.deployments.work_by_deployment

    def keep_output_in_heat(self, output: ir.Output, reason: CannotSay) -> bool:
        """Has Heat compute an output. The embedded stack then needs the resources that the output refers to."""
        key = OUTPUT + output.name
        self.outputs[key] = list(
            dict.fromkeys(
                r.name
                for r in output.refs
                if isinstance(r, (ir.ResourceRef, ir.AttrRef)) and r.name in self.template.resources
            )
        )
        return self.keep_in_heat(key, reason)

    def keep_with_partner(self, name: str, why: str) -> None:
        """Keeps a resource only because another one is kept. why: a clause that names the other one."""
        resource = self.template.resources[name]
        self.kept[name] = Reason(codes.KEPT_IN_HEAT, why, resource.type_span, indirect=True)

    @functools.cached_property
    def neighbours(self) -> dict[str, dict[str, None]]:
        """The resources that a resource names in a reference or in `depends_on`, and those that name it."""
        resources, neighbours = self.template.resources, dict[str, dict[str, None]]()
        for name, resource in resources.items():
            references = (ref.name for ref in resource.refs if isinstance(ref, (ir.ResourceRef, ir.AttrRef)))
            for other in (*references, *(dependency.name for dependency in resource.depends_on)):
                if other in resources:
                    neighbours.setdefault(name, {})[other] = None
                    neighbours.setdefault(other, {})[name] = None
        return neighbours

    @functools.cached_property
    def referring_resources(self) -> dict[str, list[str]]:
        """The resources that refer to a resource, by its name: `needs` the other way around."""
        return graph.reverse_edges(self.needs)

    def retirement_release(self, name: str) -> str:
        """The last Heat release that implemented the type of a resource; empty if it is not retired."""
        return self.stack.catalog.find_type(self.stack.types[name]).get("retired", "")


def first_boot_by_holder(plan: ConversionPlan) -> dict[str, list[str]]:
    """The deployments that become user data, in the order in which they run, by the holder of the user data."""
    deployments_by_holder: dict[str, list[str]] = {}
    for name in plan.in_order:
        if plan.preferred.get(name, UNMAPPED).hook == FIRST_BOOT:
            for server in plan.deployments.server_names(name):
                deployments_by_holder.setdefault(plan.deployments.user_data_holder(server), []).append(name)
    return deployments_by_holder


def resources_by_type(plan: ConversionPlan) -> dict[str, list[ir.Resource]]:
    """The resources that are not disabled, by type and in template order."""
    resources: dict[str, list[ir.Resource]] = {}
    for name, resource in plan.template.resources.items():
        if name not in plan.disabled:
            resources.setdefault(plan.stack.types[name], []).append(resource)
    return resources


def declarations_in_text(plan: ConversionPlan) -> list[ir.Resource | ir.Output]:
    """The resources and outputs in the order of the text. Readers have no text."""
    owners = referring_declarations(plan.template)
    return sorted((owner for owner in owners if owner.end > owner.at), key=lambda declaration: declaration.at)


def referred_resources(plan: ConversionPlan) -> frozenset[str]:
    """The resources that any resource or output refers to."""
    owners = referring_declarations(plan.template)
    return frozenset(name for owner in owners for name in referrals.referred_names(owner))


def resources_referred_by_id(plan: ConversionPlan) -> frozenset[str]:
    """The resources whose IDs any resource or output reads, by `get_resource`."""
    owners = referring_declarations(plan.template)
    return frozenset(ref.name for owner in owners for ref in owner.refs if isinstance(ref, ir.ResourceRef))


def referring_declarations(template: ir.Template) -> list[ir.Resource | ir.Output]:
    return [*template.resources.values(), *template.outputs.values()]


def deployments_by_config(plan: ConversionPlan) -> dict[str, list[str]]:
    """For each configuration that only converted deployments use, those deployments."""
    names_by_config: dict[str, list[str]] = {}
    for name, owners in referrals.find_referrers(plan.stack).items():
        if all(isinstance(owner, ir.Resource) and plan.is_converted_deployment(owner.name) for owner in owners):
            names_by_config[name] = [owner.name for owner in owners]
    return names_by_config


def previous_deployments(plan: ConversionPlan) -> dict[tuple[str, str], str]:
    """For each deployment that Terraform runs over SSH, and each of its servers, the previous one on that server."""
    previous: dict[tuple[str, str], str] = {}
    last: dict[str, str] = {}
    for circle in graph.strong_components(plan.dependencies):
        for name in sorted(circle, key=lambda n: plan.template_positions.get(n, 0)):
            if name in plan.preferred and plan.preferred[name].hook == OVER_SSH:
                for server in plan.deployments.server_names(name):
                    if server in last:
                        previous[name, server] = last[server]
                    last[server] = name
    return previous


def dependent_resources(plan: ConversionPlan) -> dict[str, list[str]]:
    """Maps each resource to those that directly wait for it."""
    return graph.reverse_edges(plan.dependencies)
