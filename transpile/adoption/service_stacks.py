"""Recognizes the stacks that a service of the cloud made for itself, such as Magnum's clusters.

Invariant: only marks that the service itself gives to its stacks count, never a guess from the resources.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from transpile.adoption.live import LiveStack
from transpile.front import environment as environments

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


class ServiceMark(NamedTuple):
    """How the stacks of a service are recognized: by a tag, or by parameters of which it sets all, or by a name.

    `advice`: a hint for operators on how to do without such a stack.
    """

    service: str
    advice: str
    tag: str = ""
    parameters: frozenset[str] = frozenset()
    name: str = ""


# The marks are those in the services' own code: Magnum's drivers/heat, Sahara's option heat_stack_tags, Murano's option
# stack_tags, and Tacker's names of stacks.
CLUSTER = (
    "Create the cluster again with a driver that needs no Heat, move the workloads, and delete the old cluster with "
    "the service (openstack coe cluster delete)."
)
MARKS = (
    ServiceMark("Magnum", CLUSTER, parameters=frozenset(("cluster_uuid", "magnum_url"))),
    ServiceMark("Magnum", CLUSTER, parameters=frozenset(("bay_uuid", "magnum_url"))),
    ServiceMark("Sahara", "Delete the cluster with the service.", tag="data-processing-cluster"),
    ServiceMark("Murano", "Delete the environment with the service.", tag="murano"),
    ServiceMark("Tacker", "Terminate the VNF with the service.", name=f"vnf-{UUID}|vnflcm_{UUID}"),
)


def find_owning_service(live: LiveStack) -> ServiceMark | None:
    """The service that made the stack and goes on changing it; None for a stack of a user."""
    parameters = set(live.parameters)
    if live.environment is not None:
        environment, _ = environments.read_environment_text(live.environment)
        parameters |= environment.parameters.keys() if environment is not None else set()
    return next(
        (
            mark
            for mark in MARKS
            if (mark.tag and mark.tag in live.tags)
            or (mark.parameters and mark.parameters <= parameters)
            or (mark.name and re.fullmatch(mark.name, live.name))
        ),
        None,
    )
