"""Decides which deployments become user data and which ones Terraform runs over SSH, with `--prefer native` and
`--prefer provisioners`.

Invariant: all deployments of a server are converted, or none, because Heat's agent in the server gets them all or none.
A deployment whose results another resource reads stays with Heat.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, final

from emitters.hcl.plan import configurations, referrals
from emitters.hcl.plan.configurations import Idle, Job, Work
from transpile.model import heat_types, ir
from transpile.resolve import graph
from transpile.resolve.lifecycle import DEPLOYMENTS, target_servers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from emitters.hcl.plan.modules import Modules
    from emitters.hcl.plan.referrals import Readers
    from transpile.resolve.stack import Stack

MIME, SERVER, GROUP = heat_types.MULTIPART_MIME, heat_types.NOVA_SERVER, heat_types.RESOURCE_GROUP
FIRST_BOOT, OVER_SSH = "first_boot", "provisioned"  # hooks


@final
class Deployments:
    """The deployments of one stack, and their servers."""

    def __init__(self, stack: Stack) -> None:
        self.stack, self.resources = stack, stack.template.resources
        self.needed: dict[str, str] = {}  # why a deployment is not converted, by its name

    @functools.cached_property
    def work(self) -> dict[str, Work]:
        """What each deployment runs."""
        names = (name for name in self.resources if self.stack.types[name] in DEPLOYMENTS)
        return {name: configurations.work(self.stack, name) for name in names}

    def job(self, name: str) -> Job:
        """The job of a deployment that is known to have one."""
        found = self.work[name]
        assert isinstance(found, Job)
        return found

    @functools.cached_property
    def readers(self) -> Readers:
        return referrals.readers(self.stack)

    def targets(self, name: str) -> dict[str, ir.Expr]:
        """The servers of a deployment, by their keys in the map of a deployment group; empty if they are known only at
        run time. A group of servers counts as one.
        """
        return target_servers(self.stack, self.resources[name].properties or ir.Map(()))

    def servers(self, name: str) -> list[str] | None:
        """The names of a deployment's servers if all are resources of this template; otherwise None."""
        targets = self.targets(name).values()
        found = [one.name for one in targets if isinstance(one, ir.ResourceRef)]
        return list(dict.fromkeys(found)) if found and len(found) == len(targets) else None

    def named(self, name: str) -> list[str]:
        """The names of those servers of a deployment that are resources of this template."""
        found = (one.name for one in self.targets(name).values() if isinstance(one, ir.ResourceRef))
        return [one for one in dict.fromkeys(found) if one in self.resources]

    @functools.cached_property
    def on(self) -> dict[str, list[str]]:
        """The deployments of each server, including those that run nothing."""
        found: dict[str, list[str]] = {}
        for name in self.work:
            for server in self.named(name):
                found.setdefault(server, []).append(name)
        return found

    # which are converted

    def first_boot(self) -> set[str]:
        """The deployments that can become parts of the user data of their servers."""
        return self.fitting({name for name in self.work if not self.refused(name)}, in_user_data=True)

    def quiet(self, boots: set[str]) -> set[str]:
        """The deployments that lose nothing as user data: they run once, and neither Heat nor another resource waits
        for them. The others can run over SSH. boots: those that can become user data.
        """
        once = {name for name in boots if not self.job(name).again and not self.job(name).noticed}
        once -= {name for name in once if self.job(name).lost}
        servers = {name: self.named(name) for name in once}
        waited = set()
        for name, resource in self.resources.items():
            for other in {one.name for one in resource.depends_on} & once:
                if name not in servers or servers[name] != servers[other]:
                    waited.add(other)
        return self.fitting(once - waited - self.readers.keys(), in_user_data=True, tell=False)

    def over_ssh(self, without: Collection[str]) -> set[str]:
        """The deployments that Terraform can run over SSH. without: those that become user data."""
        return self.fitting({n for n in self.work if not self.refused(n)} - set(without), in_user_data=False)

    def refused(self, name: str) -> str:
        """Why a deployment is not converted at all; "" if it may be."""
        found = self.work[name]
        if not isinstance(found, Job):
            return found.why
        reader = next((one.name for one in self.readers.get(name, ()) if isinstance(one, ir.Resource)), None)
        return f"{reader} reads its results, which only Heat receives" if reader is not None else ""

    def fitting(self, names: set[str], *, in_user_data: bool, tell: bool = True) -> set[str]:
        """Those of the deployments that can be converted together with all others of their servers. tell: record why
        the rest cannot be.
        """
        why: dict[str, str] = {}
        for name in sorted(names):
            if in_user_data and self.servers(name) is None:
                why[name] = "the template does not create its server, so there is no user data for it"
            elif not self.targets(name):
                why[name] = "its servers are known only at run time"
            for server in self.named(name):
                if reason := self.unfit(server, in_user_data=in_user_data):
                    why.setdefault(name, reason)
        left = self.closed(names - why.keys(), why)
        if in_user_data:
            while circle := self.circle(left):
                for name in circle & left:
                    why[name] = "it gets a value that exists only after its server, so it cannot be part of user data"
                left = self.closed(left - circle, why)
        if tell:
            self.needed = {name: reason for name, reason in self.needed.items() if name not in left}
            for name, found in self.work.items():
                reason = why.get(name) or self.refused(name)
                if name not in left and reason and not isinstance(found, Idle):
                    self.needed[name] = reason
        return left

    def closed(self, names: set[str], why: dict[str, str]) -> set[str]:
        """Drops each deployment that shares a server with one that stays with Heat, and records why. Deployments that
        run nothing keep no server in Heat.
        """
        left = set(names)
        todo = [name for name, found in self.work.items() if name not in left and not isinstance(found, Idle)]
        while todo:
            stays = todo.pop()
            for other in [one for server in self.named(stays) for one in self.on[server] if one in left]:
                why[other] = f"{stays}, on the same server, stays with Heat"
                left.discard(other)
                todo.append(other)
        return left

    def unfit(self, server: str, *, in_user_data: bool) -> str:
        """Why a server takes no deployments; "" if it does. in_user_data: as part of its user data."""
        resource, properties = self.resources[server], self.properties(server)
        if not in_user_data and self.stack.types[server] == heat_types.DEPLOYED_SERVER and resource.condition is None:
            return ""
        if properties is None or resource.external_id is not None:
            return f"{server} is not a server that the template creates"
        if resource.condition is not None:
            return f"{server} has a condition"
        if properties.get("user_data_format") != ir.Lit("SOFTWARE_CONFIG"):
            return f"the user data of {server} is not for software configuration"
        message = self.message(server)
        return f"{message} has a condition" if in_user_data and message and self.resources[message].condition else ""

    def properties(self, server: str) -> ir.Map | None:
        """The properties of a server, or of the members of a group of servers; None for any other resource."""
        given, kind = self.resources[server].properties, self.stack.types[server]
        if kind == GROUP:
            member = given.get("resource_def") if given is not None else None
            written = member.get("type") if isinstance(member, ir.Map) else None
            kind = self.stack.type_of(str(written.value)) if isinstance(written, ir.Lit) else ""
            inner = member.get("properties") if isinstance(member, ir.Map) else None
            given = inner if isinstance(inner, ir.Map) else None
        return (given or ir.Map(())) if kind == SERVER else None

    def message(self, server: str) -> str | None:
        """The multipart message that is the user data of a server."""
        data = (self.properties(server) or ir.Map(())).get("user_data")
        found = data.name if isinstance(data, ir.ResourceRef) else None
        return found if found is not None and self.stack.types.get(found) == MIME else None

    def container(self, server: str) -> str:
        """The resource whose user data gets the parts: the server's multipart message, or the server itself if it has
        none or shares it with others.
        """
        message = self.message(server)
        return message if message is not None and len(self.readers.get(message, ())) == 1 else server

    def circle(self, names: set[str]) -> set[str]:
        """The deployments whose inputs depend on their own server, which cannot have them in its user data."""
        edges: dict[str, dict[str, None]] = {}
        at = {name: self.named(name) for name in names}
        for name, needs in graph.union(self.stack.needs, graph.explicit(self.stack.template)).items():
            if name not in at:  # a resource that waits for a deployment waits for its servers
                edges.setdefault(name, {}).update((one, None) for need in needs for one in at.get(need, (need,)))
        for name, servers in at.items():
            for server in servers:
                edges.setdefault(server, {}).update(dict.fromkeys(self.wanted(name)))
        number = {one: i for i, every in enumerate(graph.components(edges)) for one in every}
        return {
            name
            for name, servers in at.items()
            if any(number.get(one) == number[server] for one in self.wanted(name) for server in servers)
        }

    def wanted(self, name: str) -> set[str]:
        """The resources whose values the user data needs for a deployment."""
        every = (one for expr in self.values(name) for one in ir.walk(expr))
        return {one.name for one in every if isinstance(one, (ir.ResourceRef, ir.AttrRef))}

    def values(self, name: str) -> Iterator[ir.Expr]:
        """The expressions of a deployment that its user data needs."""
        job = self.job(name)
        yield job.body
        yield from (one.value for one in job.inputs)

    def stored(self, converted: Collection[str]) -> set[str]:
        """The components that nothing but converted deployments refers to."""
        return {
            name
            for name in self.resources
            if self.stack.types[name] == heat_types.SOFTWARE_COMPONENT
            and referrals.plain(self.stack, name)
            and all(isinstance(one, ir.Resource) and one.name in converted for one in self.readers.get(name, ()))
        }

    def idle(self) -> dict[str, str]:
        """Why each idle deployment runs nothing when its server is created."""
        return {name: found.why for name, found in self.work.items() if isinstance(found, Idle)}

    def beside(self, name: str) -> set[str]:
        """What must stay with Heat if a deployment does: its servers, their user data, and its configuration."""
        found = {one for server in self.named(name) for one in (server, self.container(server))}
        return found | {one for one in (referrals.refers(self.stack, name, "config"),) if one is not None}


def released(modules: Modules | None, over_ssh: bool, stack: Stack) -> bool:
    """Whether no deployment of a nested template needs Heat. Modules are written before their callers, so the report of
    the written module has the answer. Without a module, the plan for the template alone gives a guess: another resource
    in it may still stay. over_ssh: whether Terraform runs deployments.
    """
    work = Deployments(stack)
    if not work.work:
        return True
    module = modules.called(stack) if modules is not None else None
    if module is not None and module.interface is None:
        return False
    found = module.interface.report.resources if module is not None and module.interface is not None else None
    if found is not None:
        return not any(name in found and found[name].treatment == "embedded" for name in work.work)
    return work.work.keys() <= {*work.idle(), *(work.over_ssh(()) if over_ssh else work.first_boot())}
