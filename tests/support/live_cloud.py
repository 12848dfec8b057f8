"""A cloud to measure on: makes stacks with Heat and the objects that their templates expect, and lists all objects.

Invariant: everything is made in the project that OS_* names, except for objects that only an administrator can make.
"""

from __future__ import annotations

import concurrent.futures
import importlib
import json
import pathlib
import re
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

from transpile.adoption import online
from transpile.adoption.kinds import API_KINDS
from transpile.diagnostics.model import Stopped
from transpile.model.budget import Budget

TRIES = 12  # things that one template misses
THREADS = 8
WAIT = 400  # seconds for one action of Heat
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINLzr1HkrQVdzVJ8mgNm8xY8jyYyKZhvXyxpoGlJBcdm benchmark"
WAITING = ("CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS")
HOT_SIGNAL = ("status", "id", "reason", "data")
CFN_SIGNAL = ("Status", "UniqueId", "Reason", "Data")
ZONE = re.compile("zone|_az(_|$)")
OUTSIDE = "public"  # the external network of the cloud
EXTERNAL = re.compile("public|ext|float|fip|provider")
# Heat's messages about missing names, by kind.
MISSING = (
    ("image", r"value '([^']*)': No Image found for"),
    ("image", r"The Image \(([^)]+)\) could not be found"),
    ("image", r"value '([^']*)': No images? matching"),
    ("flavor", r"The Flavor ID \(([^)]+)\) could not be found"),
    ("flavor", r"The Flavor \(([^)]+)\) could not be found"),
    ("flavor", r"No [Ff]lavors? matching \{[^}]*'([^']+)'\}"),
    ("key", r"The Key \(([^)]+)\) could not be found"),
    ("network", r"Unable to find network with name or id '([^']+)'"),
    ("network", r"No Network found for (\S+)"),
    ("volume type", r"The VolumeType \(([^)]+)\) could not be found"),
    ("security group", r"Unable to find security_group with name or id '([^']+)'"),
    ("security group", r"EntityNotFound: \S*port\S*: The Resource \(([^)]+)\) could not be found"),
)
BY_CONSTRAINT = {
    "glance.image": "cirros",
    "nova.flavor": "m1.small",
    "nova.keypair": "mykey",
    "neutron.subnet": "private-subnet",
    "neutron.router": "router",
    "cinder.vtype": "ssd",
}
ADDRESS = "an address"
BY_NAME = (
    ("image", "cirros"),
    ("flavor|instance_?type|size$", "m1.small"),
    ("public_key|pub_key|ssh_key$|rsa", KEY),
    ("key", "mykey"),
    ("start", "10.55.0.100"),
    ("(?<![a-z])end", "10.55.0.200"),
    ("cidr|prefix$", "10.55.0.0/24"),
    ("gateway", "10.55.0.1"),
    ("dns", "192.0.2.53"),
    ("subnet", "private-subnet"),
    ("public|ext|float|fip", OUTSIDE),
    ("router", "router"),
    ("net", "private"),
    ("sec.*group|sg", "default"),
    ("zone", "nova"),
    ("ip|addr", ADDRESS),
    ("volume_type", "ssd"),
    ("port", "80"),
    ("pass|secret", "Secret-123"),
    ("size", "2"),
)
MINE = ("project_id", "tenant_id", "os-vol-tenant-attr:tenant_id", "owner", "domain_id")
SHARED = ("stack", "region", "endpoint", "domain", "network segment")  # not looked at
PUBLIC = (
    *("aggregate", "flavor", "image", "volume type", "volume qos"),
    *("loadbalancer flavor", "loadbalancer flavorprofile"),
)
IDENTITY = ("user", "project", "group", "role", "service")


class Unmade(Exception):
    """Heat does not make the stack here."""


@final
class Cloud:
    """The cloud of OS_*, and an administrator of it, if ADMIN names one."""

    def __init__(self, name: str = "envvars", administrator: str = "admin") -> None:
        self.project = online.connect_project(name, budget=Budget())
        openstack: Any = importlib.import_module("openstack")
        self.user: Any = openstack.connect(cloud=name)
        self.admin: Any = self.user.connect_as(username=administrator)
        self.id = self.user.current_project_id
        self.is_admin = self.user.config.get_auth_args().get("username") == administrator
        self.heat = self.user.orchestration
        self.absent: set[str] = set()  # kinds that the cloud does not have
        self.supplied: dict[str, set[str]] = {}  # objects that templates missed, which stay

    # stacks

    def create(
        self, name: str, template: pathlib.Path, environments: Sequence[str], parameters: Mapping[str, str]
    ) -> dict[str, str]:
        """Makes a stack and waits for it; returns the values of its parameters. Raises Unmade."""
        request: dict[str, Any] = self.heat.read_env_and_templates(
            template_file=str(template), environment_files=list(environments)
        )
        environment = request.get("environment") or {}
        known_values = {**environment.get("parameter_defaults", {}), **environment.get("parameters", {}), **parameters}
        written = request["template"].get("parameters") or request["template"].get("Parameters") or {}
        values = dict(parameters)
        for key, rule in written.items():
            if key not in known_values and not {"default", "Default"} & set(rule or {}):
                values[key] = str(guess(key, rule or {}, subnets="OS::Neutron::Subnet" in str(request["template"])))
        for _ in range(TRIES):
            try:
                body = {
                    "stack_name": name,
                    "parameters": values,
                    "timeout_mins": 6,
                    "disable_rollback": True,
                    **request,
                }
                answer = self.heat.post("/stacks", json=body)
                problem = "" if answer.status_code in (200, 201) else message(answer)
            except Exception as e:
                problem = str(e)
            if not problem:
                state, problem = self.wait(name, "CREATE")
                if state == "CREATE_COMPLETE":
                    return values
                problem = f"{state} {problem} {self.failures(name)}"
                self.delete(name)
            if self.redirected(problem, written, known_values, values):
                continue
            old = self.inventory()
            if not self.supply(problem):
                raise Unmade(problem)
            for kind, ids in self.inventory().items():
                self.supplied.setdefault(kind, set()).update(ids - old.get(kind, set()))
        raise Unmade("too many things are missing")

    def redirected(
        self, problem: str, written: Mapping[str, Any], known_values: Mapping[str, Any], values: dict[str, str]
    ) -> bool:
        """Gives parameters existing objects in place of missing ones: the external network, of which some types want
        only one, and the availability zone.
        """
        missing = {
            match[1] for kind, pattern in MISSING if kind == "network" and (match := re.search(pattern, problem))
        }
        changed, zone = False, "availability zone is not available" in problem
        for key, rule in written.items():
            if zone and ZONE.search(key.lower()) and values.get(key) != "nova":
                values[key], changed = "nova", True
            value = values.get(key, known_values.get(key, (rule or {}).get("default", (rule or {}).get("Default"))))
            if isinstance(value, str) and value in missing and EXTERNAL.search(value) and value != OUTSIDE:
                values[key], changed = OUTSIDE, True
        return changed

    def update(self, name: str, template: pathlib.Path, environments: Sequence[str], values: Mapping[str, str]) -> None:
        """Updates a stack to other values. Raises Unmade."""
        request: dict[str, Any] = self.heat.read_env_and_templates(
            template_file=str(template), environment_files=list(environments)
        )
        summary = self.project.find_stack_summary(name)
        assert summary is not None
        answer = self.heat.put(f"/stacks/{name}/{summary['id']}", json={"parameters": dict(values), **request})
        if answer.status_code != 202:
            raise Unmade(message(answer))
        state, problem = self.wait(name, "UPDATE")
        if state != "UPDATE_COMPLETE":
            raise Unmade(f"{state} {problem}")

    def wait(self, name: str, action: str) -> tuple[str, str]:
        """The state that an action ends in, and why."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            summary = self.project.find_stack_summary(name)
            if summary is None:
                return "DELETE_COMPLETE", ""
            state = str(summary["stack_status"])
            self.signal_handles(name)
            if state.startswith(action) and not state.endswith("IN_PROGRESS"):
                return state, str(summary.get("stack_status_reason"))
            time.sleep(1)
        return "TIMEOUT", ""

    def signal_handles(self, name: str) -> None:
        """Does the work of the servers of a stack: signals the handles for which a wait condition waits. A handle
        that Heat is still making is not signalled: a signal would stop that.
        """
        rows = self.stack_resources(name)
        waiting = {row["resource_type"].rpartition("::")[2] for row in rows if row["resource_status"] in WAITING}
        if "WaitCondition" not in waiting:
            return
        for row in rows:
            if row["resource_type"].endswith("WaitConditionHandle"):
                link = next(link["href"] for link in row["links"] if link["rel"] == "self")
                unique = str(time.monotonic_ns())
                names = HOT_SIGNAL if row["resource_type"].startswith("OS::") else CFN_SIGNAL
                body = dict(zip(names, ("SUCCESS", unique, "a benchmark", "data"), strict=True))
                self.heat.post(f"{link}/signal", json=body)

    def signal_until(self, ended: threading.Event) -> None:
        """Signals the handles of all stacks of the project, once a second."""
        while not ended.wait(1):
            for summary in self.project.read_rows("orchestration", "/stacks", "stacks"):
                self.signal_handles(str(summary["stack_name"]))

    def stack_resources(self, name: str) -> list[dict[str, Any]]:
        """The resources of a stack and of its nested stacks."""
        summary = self.project.find_stack_summary(name)
        if summary is None:
            return []
        path = f"/stacks/{name}/{summary['id']}/resources?nested_depth=4"
        return self.listed("orchestration", path, "resources")

    def lose(self, name: str, resource: str) -> None:
        """Deletes the port that a resource of a stack has made, behind Heat's back."""
        ids = [row["physical_resource_id"] for row in self.stack_resources(name) if row["resource_name"] == resource]
        self.user.network.delete_port(ids[0], ignore_missing=False)

    def failures(self, name: str) -> list[str]:
        summary = self.project.find_stack_summary(name)
        if summary is None:
            return []
        rows = self.project.read_rows(
            "orchestration", f"/stacks/{name}/{summary['id']}/events?nested_depth=4", "events"
        )
        failed = [row for row in rows if str(row["resource_status"]).endswith("FAILED")]
        return [f"{row['resource_name']}: {row['resource_status_reason']}" for row in failed][:4]

    def delete(self, name: str) -> str:
        """Deletes a stack; returns the state in the end."""
        summary = self.project.find_stack_summary(name)
        if summary is None:
            return "DELETE_COMPLETE"
        self.heat.delete(f"/stacks/{name}/{summary['id']}")
        return self.wait(name, "DELETE")[0]

    def supply(self, problem: str) -> str:
        """Makes an object that a message reports as missing. Returns its name, or nothing."""
        for kind, pattern in MISSING:
            match = re.search(pattern, problem)
            if match is None or not match[1]:
                continue
            name = match[1]
            if kind == "image":
                self.admin.create_image(
                    name=name, disk_format="raw", container_format="bare", data=b"\0" * 1024, visibility="public",
                    wait=True, allow_duplicates=True,
                )  # fmt: skip
            elif kind == "flavor":
                self.admin.compute.create_flavor(name=name, vcpus=1, ram=1024, disk=10)
            elif kind == "key":
                self.user.compute.create_keypair(name=name, public_key=KEY)
            elif kind == "volume type":
                self.admin.block_storage.create_type(name=name)
            elif kind == "security group":
                self.user.network.create_security_group(name=name)
            else:
                self.network(name)
            return f"{kind} {name}"
        return ""

    def network(self, name: str) -> None:
        outside = EXTERNAL.search(name) is not None
        place = {"provider_network_type": "flat", "provider_physical_network": name[:60]} if outside else {}
        who = self.admin if outside else self.user
        made = who.network.create_network(name=name, **({"is_router_external": True, **place} if outside else {}))
        cidr = f"198.19.{zlib.crc32(name.encode()) % 250}.0/24"
        who.network.create_subnet(name=f"{name}-subnet", network_id=made.id, ip_version=4, cidr=cidr)

    # existing objects

    def inventory(self, text: str = "") -> dict[str, set[str]]:
        """The IDs of all that the project has, by kind. `text`: of the template, which tells the kinds to look at."""
        ids: dict[str, set[str]] = {}
        kinds = [kind for kind in API_KINDS if self.looked_at(kind, text)]
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            for kind, rows in zip(kinds, pool.map(self.rows, kinds), strict=True):
                ids[kind] = {row["id"] for row in rows if self.mine(row)}
                for row in rows:
                    for label, inner in inside(row):
                        ids.setdefault(label, set()).add(inner)
        for zone in ids.get("zone", ()):
            rows = self.listed("dns", f"/zones/{zone}/recordsets", "recordsets")
            ids.setdefault("recordset", set()).update(row["id"] for row in rows)
        return ids

    def looked_at(self, kind: str, text: str) -> bool:
        if kind in SHARED or "{" in API_KINDS[kind].path or kind in self.absent:
            return False
        if kind in IDENTITY:
            return self.is_admin and "Keystone" in text
        return kind not in PUBLIC or self.is_admin

    def rows(self, kind: str) -> list[dict[str, Any]]:
        """All objects of a kind; a kind that is not there is not asked for again."""
        api_kind = API_KINDS[kind]
        try:
            return self.project.read_rows(
                api_kind.service, api_kind.path + api_kind.details, api_kind.list_key, api_kind.object_key
            )
        except (online.ReadRefused, Stopped):
            self.absent.add(kind)
            return []

    def listed(self, service: str, path: str, many: str) -> list[dict[str, Any]]:
        try:
            return self.project.read_rows(service, path, many)
        except (online.ReadRefused, Stopped):
            return []

    def mine(self, row: Mapping[str, Any]) -> bool:
        return all(row.get(key) in (None, self.id, "default") for key in MINE)


def inside(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The parts of an object that have IDs: attachments, members and rules."""
    for volume in row.get("os-extended-volumes:volumes_attached") or []:
        yield "volume attachment", f"{row['id']}/{volume['id']}"
    for key in ("members", "rules"):
        for item in row.get(key) or []:
            if isinstance(item, dict) and set(item) == {"id"}:
                yield key, str(item["id"])


def message(answer: Any) -> str:
    try:
        return str(answer.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return str(answer.status_code)


def guess(name: str, rule: Mapping[str, Any], *, subnets: bool = True) -> object:
    """A value for a parameter without a default. `subnets`: the template makes subnets of its own."""
    kind, low = str(rule.get("type") or rule.get("Type") or "string").lower(), name.lower()
    address = f"{'10.55.0' if subnets else '192.168.77'}.{10 + zlib.crc32(low.encode()) % 200}"
    for constraint in rule.get("constraints") or []:
        if "allowed_values" in constraint:
            return constraint["allowed_values"][0]
        if "range" in constraint:
            return constraint["range"].get("min", constraint["range"].get("max"))
        custom = constraint.get("custom_constraint", "")
        if custom == "neutron.network":
            return OUTSIDE if EXTERNAL.search(low) else "private"
        if custom in BY_CONSTRAINT:
            return BY_CONSTRAINT[custom]
    if rule.get("AllowedValues"):
        return rule["AllowedValues"][0]
    if kind == "number":
        return 2 if re.search("size|count", low) else 80 if "port" in low else 1
    if kind == "boolean":
        return "false"
    if kind in ("comma_delimited_list", "commadelimitedlist"):
        if re.search("ip|addr", low):
            return address
        return "default" if "sec" in low else "private" if "net" in low else "a,b"
    if kind == "json":
        return json.dumps({})
    value = next((value for pattern, value in BY_NAME if re.search(pattern, low)), "text")
    return address if value == ADDRESS else value
