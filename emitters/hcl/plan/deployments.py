"""Decides which deployments become user data and which ones Terraform runs over SSH, with `--prefer native` and
`--prefer provisioners`.

Invariant: all deployments of a server are converted, or none, because Heat's agent in the server gets them all or none.
A deployment whose results another resource reads stays with Heat.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator
from typing import final

from emitters.hcl.plan import configurations, referrals
from emitters.hcl.plan.configurations import DeploymentJob, IdleDeployment, OnlyHeat, ReasonToKeep, Work
from emitters.hcl.plan.modules import Modules
from emitters.hcl.plan.referrals import Referrers
from transpile.model import heat_types, ir
from transpile.model.span import Span
from transpile.resolve import graph
from transpile.resolve.lifecycle import DEPLOYMENTS, target_servers
from transpile.resolve.stack import Stack

MIME, SERVER, GROUP = heat_types.MULTIPART_MIME, heat_types.NOVA_SERVER, heat_types.RESOURCE_GROUP
FIRST_BOOT, OVER_SSH = "first_boot", "provisioned"  # hooks


READ_RESULTS = "reads its results, which only Heat receives"


def place_of(properties: ir.Map, *words: str) -> Span | None:
    """The place of the value of the first property that is set; None if none is."""
    return next((value.span for word in words if (value := properties.get(word)) is not None), None)


@final
class Deployments:
    """The deployments of one stack, and their servers."""

    def __init__(self, stack: Stack, is_output_needed: Callable[[str], bool] = lambda name: False) -> None:
        self.stack, self.resources = stack, stack.template.resources
        self.is_output_needed = is_output_needed  # by a resource of a template that calls this one
        self.reasons_to_keep: dict[str, ReasonToKeep] = {}  # why a deployment is not converted, by its name

    @functools.cached_property
    def work_by_deployment(self) -> dict[str, Work]:
        """The job of each deployment, or the reason why it has none."""
        names = (name for name in self.resources if self.stack.types[name] in DEPLOYMENTS)
        return {name: configurations.read_work(self.stack, name) for name in names}

    def job_of(self, name: str) -> DeploymentJob:
        """The job of a deployment that is known to have one, be it only for a later action."""
        work = self.work_by_deployment[name]
        job = work.later if isinstance(work, IdleDeployment) else work
        assert isinstance(job, DeploymentJob)
        return job

    @functools.cached_property
    def referrers(self) -> Referrers:
        return referrals.find_referrers(self.stack)

    def servers_by_key(self, name: str) -> dict[str, ir.Expr]:
        """The servers of a deployment, by their keys in the map of a deployment group; empty if they are known only at
        run time. A group of servers counts as one.
        """
        return target_servers(self.stack, self.resources[name].properties)

    def servers_at_run_time(self, name: str) -> ir.Expr | None:
        """The map of servers that a deployment group gets from outside, such as `{get_param: servers}`."""
        servers = self.resources[name].find_property("servers")
        if self.servers_by_key(name) or not isinstance(servers, ir.ParamRef) or servers.path:
            return None
        return servers if self.stack.template.type_of_parameter(servers.name) == "json" else None

    def template_servers(self, name: str) -> list[str]:
        """The names of a deployment's servers if all are resources of this template; otherwise empty."""
        targets = self.servers_by_key(name).values()
        names = [target.name for target in targets if isinstance(target, ir.ResourceRef)]
        return list(dict.fromkeys(names)) if len(names) == len(targets) else []

    def server_names(self, name: str) -> list[str]:
        """The names of those servers of a deployment that are resources of this template."""
        names = (target.name for target in self.servers_by_key(name).values() if isinstance(target, ir.ResourceRef))
        return [server for server in dict.fromkeys(names) if server in self.resources]

    @functools.cached_property
    def deployments_by_server(self) -> dict[str, list[str]]:
        """The deployments of each server, including those that run nothing."""
        deployments: dict[str, list[str]] = {}
        for name in self.work_by_deployment:
            for server in self.server_names(name):
                deployments.setdefault(server, []).append(name)
        return deployments

    # which are converted

    def select_first_boot(self) -> set[str]:
        """The deployments that can become parts of the user data of their servers."""
        return self.select_convertible(
            {name for name in self.work_by_deployment if not self.why_not_converted(name)}, in_user_data=True
        )

    def select_unawaited(self, boots: set[str]) -> set[str]:
        """The deployments that lose nothing as user data: they run once, and neither Heat nor another resource waits
        for them. The others can run over SSH. boots: those that can become user data.
        """
        once = {name for name in boots if not self.job_of(name).again and not self.job_of(name).noticed}
        once -= {name for name in once if self.job_of(name).lost}
        servers = {name: self.server_names(name) for name in once}
        waited = set()
        for name, resource in self.resources.items():
            for other in {dependency.name for dependency in resource.depends_on} & once:
                if name not in servers or servers[name] != servers[other]:
                    waited.add(other)
        return self.select_convertible(once - waited - self.referrers.keys(), in_user_data=True, record_reasons=False)

    def select_over_ssh(self, without: Collection[str]) -> set[str]:
        """The deployments that Terraform can run over SSH. without: those that become user data."""
        return self.select_convertible(
            {n for n in self.work_by_deployment if not self.why_not_converted(n) or self.runs_later(n)} - set(without),
            in_user_data=False,
        )

    def runs_later(self, name: str) -> bool:
        """Whether an idle deployment runs something that Terraform can run when it changes or destroys."""
        work = self.work_by_deployment[name]
        return isinstance(work, IdleDeployment) and work.later is not None

    def why_not_converted(self, name: str) -> str:
        """Why a deployment is not converted at all; "" if it may be."""
        work = self.work_by_deployment[name]
        if not isinstance(work, DeploymentJob):
            return work.why
        reader = next(
            (
                referrer.name
                for referrer in self.referrers.get(name, ())
                if isinstance(referrer, ir.Resource) or self.is_output_needed(referrer.name)
            ),
            "",
        )
        return f"{reader} {READ_RESULTS}" if reader else ""

    def select_convertible(self, names: set[str], *, in_user_data: bool, record_reasons: bool = True) -> set[str]:
        """The deployments that can be converted together with all others of their servers. tell: record why
        the rest cannot be.
        """
        if not self.work_by_deployment:
            return set()
        why: dict[str, str] = {}
        for name in sorted(names):
            if in_user_data and not self.template_servers(name):
                why[name] = "the template does not create its server, so there is no user data for it"
            elif not self.servers_by_key(name) and self.servers_at_run_time(name) is None:
                why[name] = "its servers are known only at run time"
            for server in self.server_names(name):
                if reason := self.why_server_unfit(server, in_user_data=in_user_data):
                    why.setdefault(name, reason)
        left = self.drop_mixed_servers(names - why.keys(), why)
        if in_user_data:
            while circle := self.find_cyclic_deployments(left):
                for name in circle & left:
                    why[name] = "it gets a value that exists only after its server, so it cannot be part of user data"
                left = self.drop_mixed_servers(left - circle, why)
        if record_reasons:
            self.reasons_to_keep = {name: reason for name, reason in self.reasons_to_keep.items() if name not in left}
            for name, work in self.work_by_deployment.items():
                reason = why.get(name) or self.why_not_converted(name)
                if name not in left and reason and not isinstance(work, IdleDeployment):
                    self.reasons_to_keep[name] = self.make_reason(name, reason)
        return left

    def make_reason(self, name: str, why: str) -> ReasonToKeep:
        """The reason why a deployment stays, with the property that keeps it and the change that would free it."""
        work, properties = self.work_by_deployment[name], self.resources[name].properties
        if isinstance(work, OnlyHeat):
            return ReasonToKeep(why, work.free, place_of(properties, "config"))
        if READ_RESULTS in why:
            return ReasonToKeep(why, "pass the value in another way, such as a parameter")
        if not self.template_servers(name):
            return ReasonToKeep(why, "create the server in this template", place_of(properties, "server", "servers"))
        return ReasonToKeep(why, "", place_of(properties, "server", "servers"))

    def drop_mixed_servers(self, names: set[str], why: dict[str, str]) -> set[str]:
        """Drops each deployment that shares a server with one that stays with Heat, and records why. Deployments that
        run nothing keep no server in Heat.
        """
        left = set(names)
        todo = [
            name
            for name, work in self.work_by_deployment.items()
            if name not in left and not isinstance(work, IdleDeployment)
        ]
        while todo:
            stays = todo.pop()
            for other in [
                deployment
                for server in self.server_names(stays)
                for deployment in self.deployments_by_server[server]
                if deployment in left
            ]:
                why[other] = f"{stays}, on the same server, stays with Heat"
                left.discard(other)
                todo.append(other)
        return left

    def why_server_unfit(self, server: str, *, in_user_data: bool) -> str:
        """Why a server takes no deployments; "" if it does. in_user_data: as part of its user data."""
        resource, properties = self.resources[server], self.server_properties(server)
        if not in_user_data and self.stack.types[server] == heat_types.DEPLOYED_SERVER and not resource.is_conditional:
            return ""
        if properties is None or resource.is_existing:
            return f"{server} is not a server that the template creates"
        if resource.is_conditional:
            return f"{server} has a condition"
        if properties.get("user_data_format") != ir.Lit("SOFTWARE_CONFIG"):
            return f"the user data of {server} is not for software configuration"
        message = self.message_of_server(server)
        optional = in_user_data and message and self.resources[message].is_conditional
        return f"{message} has a condition" if optional else ""

    def server_properties(self, server: str) -> ir.Map | None:
        """The properties of a server, or of the members of a group of servers; None for any other resource."""
        properties, kind = self.resources[server].properties, self.stack.types[server]
        if kind == GROUP:
            member = properties.get("resource_def")
            written = member.get("type") if isinstance(member, ir.Map) else None
            kind = self.stack.canonical_type(str(written.value)) if isinstance(written, ir.Lit) else ""
            properties = ir.as_map(ir.as_map(member).get("properties"))
        return properties if kind == SERVER else None

    def message_of_server(self, server: str) -> str:
        """The multipart message that is the user data of a server; empty if it has none."""
        data = (self.server_properties(server) or ir.Map(())).get("user_data")
        name = data.name if isinstance(data, ir.ResourceRef) else ""
        return name if self.stack.types.get(name) == MIME else ""

    def user_data_holder(self, server: str) -> str:
        """The resource whose user data gets the parts: the server's multipart message, or the server itself if it has
        none or shares it with others.
        """
        message = self.message_of_server(server)
        return message if message and len(self.referrers.get(message, ())) == 1 else server

    def find_cyclic_deployments(self, names: set[str]) -> set[str]:
        """The deployments whose inputs depend on their own server, which cannot have them in its user data."""
        edges: dict[str, dict[str, None]] = {}
        at = {name: self.server_names(name) for name in names}
        for name, needs in graph.merge_edges(self.stack.needs, graph.explicit_edges(self.stack.template)).items():
            if name not in at:  # a resource that waits for a deployment waits for its servers
                edges.setdefault(name, {}).update((target, None) for need in needs for target in at.get(need, (need,)))
        for name, servers in at.items():
            for server in servers:
                edges.setdefault(server, {}).update(dict.fromkeys(self.needed_resources(name)))
        number = {node: i for i, every in enumerate(graph.strong_components(edges)) for node in every}
        return {
            name
            for name, servers in at.items()
            if any(number.get(need) == number[server] for need in self.needed_resources(name) for server in servers)
        }

    def needed_resources(self, name: str) -> set[str]:
        """The resources whose values the user data needs for a deployment."""
        every = (part for expr in self.job_expressions(name) for part in ir.walk(expr))
        return {part.name for part in every if isinstance(part, (ir.ResourceRef, ir.AttrRef))}

    def job_expressions(self, name: str) -> Iterator[ir.Expr]:
        """The expressions of a deployment that its user data needs."""
        job = self.job_of(name)
        yield job.body
        yield from (deployment_input.value for deployment_input in job.inputs)

    def convertible_components(self, converted: Collection[str]) -> set[str]:
        """The components that nothing but converted deployments refers to."""
        return {
            name
            for name in self.resources
            if self.stack.types[name] == heat_types.SOFTWARE_COMPONENT
            and referrals.is_created(self.stack, name)
            and all(
                isinstance(referrer, ir.Resource) and referrer.name in converted
                for referrer in self.referrers.get(name, ())
            )
        }

    def idle_deployments(self) -> dict[str, str]:
        """Why each idle deployment runs nothing when its server is created."""
        return {name: work.why for name, work in self.work_by_deployment.items() if isinstance(work, IdleDeployment)}

    def partners_of(self, name: str) -> set[str]:
        """The resources that stay with Heat if a deployment does: its servers, their user data, its configuration."""
        partners = {
            partner for server in self.server_names(name) for partner in (server, self.user_data_holder(server))
        }
        return partners | {config for config in (referrals.name_in_property(self.stack, name, "config"),) if config}


def deployments_need_no_heat(modules: Modules, stack: Stack) -> bool:
    """Whether no deployment of a nested template needs Heat. Modules are written before their callers, so the report of
    the written module has the answer.
    """
    deployments = Deployments(stack)
    if not deployments.work_by_deployment:
        return True
    interface = modules.module_of_stack(stack).interface
    if interface is None:
        return False
    rows = interface.report.resources
    return not any(name in rows and rows[name].treatment == "embedded" for name in deployments.work_by_deployment)
