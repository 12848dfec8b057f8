"""Reads running stacks, and the objects that they made, from a cloud of clouds.yaml, by openstacksdk.

Invariant: nothing is changed. The session refuses every request with a token except GET and HEAD; a request without a
token can change nothing. Failures become diagnostics that never contain credentials. Only this module imports
openstacksdk.
"""

from __future__ import annotations

import importlib
import json
import logging
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, final
from urllib.parse import quote, urlencode, urlsplit

from transpile.adoption import export
from transpile.adoption.kinds import API_KINDS, ApiKind
from transpile.adoption.live import LiveStack
from transpile.adoption.lookups import CloudLookup, NoAnswer
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped, diagnose_limit
from transpile.model import heat_types
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.printable import make_printable
from transpile.model.source import Source

READ_METHODS = ("GET", "HEAD")
SECONDS = 60  # for an answer, unless clouds.yaml has an api_timeout
PROJECT_ID = compile_lazily(r"[0-9a-f]{32}")
STACK_NAME = compile_lazily(r"[a-zA-Z][\w.-]{0,254}", re.ASCII)  # of a stack
MOST_PAGES = 1000  # of one list
DEPTH = 8  # nested stacks, where each is read by itself
LOGGERS = ("keystoneauth", "openstack")
STORED_ATTRIBUTES = {
    heat_types.RANDOM_STRING: "value"
}  # attributes that Heat keeps in the resource's data, under their names
PAYING = threading.Lock()  # the requests of all threads are paid from one budget
INSTALL_ADVICE = "install hot2tf with its extra openstack (docs/install.md)"


class NoSdk(Exception):
    """openstacksdk is not installed."""


class WriteAttempted(Exception):
    """A request would change the cloud; that is a defect."""


@final
class ReadRefused(Exception):
    """The cloud's policy does not let this user read an object."""


class StackSummary(NamedTuple):
    """A stack in the list of a project. `changed`: a mark that differs as soon as Heat has changed the stack."""

    name: str
    id: str
    state: str
    changed: str


def make_stopped(code: str, message: str) -> Stopped:
    return Stopped([Diagnostic(code, message)])


def make_reading_session(base: Any) -> Any:
    """A class of sessions that only read."""

    def request_read_only(self: Any, url: str, method: str, *args: Any, **keywords: Any) -> Any:
        if method.upper() not in READ_METHODS and keywords.get("authenticated") is not False:
            raise WriteAttempted(f"{method} {url}")
        return base.request(self, url, method, *args, **keywords)

    return type("ReadingSession", (base,), {"request": request_read_only})


def connect_project(name: str, budget: Budget) -> CloudProject:
    """The project of a cloud of clouds.yaml. Raises NoSdk, and Stopped if there is no such cloud."""
    try:
        config: Any = importlib.import_module("openstack.config")
        connection: Any = importlib.import_module("openstack.connection")
        session: Any = importlib.import_module("keystoneauth1.session")
        sdk_errors: Any = importlib.import_module("openstack.exceptions")
        auth_errors: Any = importlib.import_module("keystoneauth1.exceptions")
    except ImportError:
        raise NoSdk(f"hot2tf cannot read clouds here: {INSTALL_ADVICE}") from None
    for logger in LOGGERS:  # diagnostics report failures; the log of the SDK would repeat them
        logging.getLogger(logger).addHandler(logging.NullHandler())
    errors = SdkErrors(sdk_errors, auth_errors, name)
    try:
        region = config.OpenStackConfig(session_constructor=make_reading_session(session.Session)).get_one(cloud=name)
        if region.config.get("api_timeout") is None:
            region.config["api_timeout"] = SECONDS
        return CloudProject(name, connection.Connection(config=region), errors, budget)
    except (sdk_errors.SDKException, auth_errors.ClientException) as e:
        raise errors.to_stopped(e) from None
    except (OSError, ValueError, TypeError) as e:  # clouds.yaml cannot be read, or has another form
        raise make_stopped(
            codes.UNKNOWN_CLOUD, f"The configuration of the cloud {name} cannot be read: {first_error_line(e)}"
        ) from None


@final
class SdkErrors:
    """The exceptions of the SDK, as diagnostics."""

    def __init__(self, sdk: Any, auth: Any, cloud: str) -> None:
        self.sdk, self.auth, self.cloud = sdk, auth, cloud
        self.every = (sdk.SDKException, auth.ClientException)
        self.no_service = (
            auth.EndpointNotFound,
            auth.CatalogException,
            sdk.EndpointNotFound,
            sdk.NotSupported,
            sdk.ServiceDisabledException,
        )

    def to_stopped(self, error: Exception) -> Stopped:
        why = first_error_line(error)
        if isinstance(error, self.sdk.ConfigException):
            return make_stopped(codes.UNKNOWN_CLOUD, f"The cloud {self.cloud} cannot be used: {why}")
        if isinstance(error, (self.auth.Unauthorized, self.auth.AuthPluginException, self.auth.MissingRequiredOptions)):
            return make_stopped(codes.CLOUD_ACCESS_DENIED, f"The cloud {self.cloud} does not let this user in: {why}")
        if isinstance(error, self.auth.ConnectionError):
            return make_stopped(codes.CLOUD_DOES_NOT_ANSWER, f"The cloud {self.cloud} does not answer: {why}")
        return make_stopped(
            codes.UNEXPECTED_CLOUD_ANSWER,
            f"The cloud {self.cloud} gave an answer that hot2tf does not understand: {why}",
        )


@final
class CloudProject:
    """The access of one user to one project. `exports`: the texts of the stacks that were read, by name."""

    def __init__(self, name: str, connection: Any, errors: SdkErrors, budget: Budget) -> None:
        self.name, self.connection, self.errors, self.budget = name, connection, errors, budget
        self.exports: dict[str, str] = {}

    # -- projects

    def list_projects(self) -> list[str]:
        """The IDs of the projects that this user may enter, in the order of their names. Raises Stopped."""
        try:
            rows = self.read_rows("identity", "/auth/projects", "projects")
        except ReadRefused:
            message = f"The cloud {self.name} does not let this user list projects."
            raise Stopped([Diagnostic(codes.EXPORT_NOT_ALLOWED, message, forced="error")]) from None
        rows = [row for row in rows if row.get("enabled", True) and isinstance(row.get("id"), str)]
        return [row["id"] for row in sorted(rows, key=lambda row: (str(row.get("name")), row["id"]))]

    def enter_project(self, project: str, *, by_id: bool = False) -> CloudProject:
        """Returns the same user's access to another project. `project`: its name in the domain of this one, or its ID.
        The requests of both count against one budget.
        """
        where = {"id": project, "name": None} if by_id or PROJECT_ID.fullmatch(project) else project
        try:
            return CloudProject(self.name, self.connection.connect_as_project(where), self.errors, self.budget)
        except self.errors.every as e:
            raise self.errors.to_stopped(e) from None

    def find_project_name(self) -> str:
        """The name of the project that the token is for; its ID if the token has no name. Raises Stopped."""
        try:
            access = self.connection.session.auth.get_access(self.connection.session)
        except self.errors.every as e:
            raise self.errors.to_stopped(e) from None
        return str(access.project_name or access.project_id or "")

    def find_project_id(self) -> str:
        return str(self.connection.current_project_id or "")

    # -- stacks

    def list_stacks(self) -> list[str]:
        """The names of all stacks that are not nested in another one."""
        return [stack.name for stack in self.list_stack_summaries()]

    def list_stack_summaries(self) -> list[StackSummary]:
        """All stacks that are not nested in another one, by name. Raises Stopped."""
        try:
            rows = self.read_rows("orchestration", "/stacks", "stacks")
        except ReadRefused:
            message = f"The cloud {self.name} does not let this user list stacks."
            raise Stopped([Diagnostic(codes.EXPORT_NOT_ALLOWED, message, forced="error")]) from None
        return sorted(
            StackSummary(
                self.check_stack_name(row),
                str(row.get("id") or ""),
                str(row.get("stack_status") or ""),
                " ".join(str(row.get(key) or "") for key in ("creation_time", "updated_time", "stack_status")),
            )
            for row in rows
        )

    def check_stack_name(self, stack: Mapping[str, Any]) -> str:
        """The name of a stack, which is fit for a path. Raises Stopped if Heat would not allow it."""
        name = stack.get("stack_name")
        if isinstance(name, str) and STACK_NAME.fullmatch(name) is not None:
            return name
        message = f"The cloud {self.name} returned a stack with the name {make_printable(str(name))[:80]}."
        raise make_stopped(codes.UNEXPECTED_CLOUD_ANSWER, message)

    def read_stack(self, name: str) -> tuple[LiveStack | None, list[Diagnostic]]:
        """A stack by its name or ID, read as its export is; and the diagnostics. Raises Stopped."""
        summary = self.find_stack_summary(name)
        if summary is None:
            raise make_stopped(codes.UNKNOWN_STACK, f"The cloud {self.name} has no stack {name} in this project.")
        stack_name, diagnostics = self.check_stack_name(summary), list[Diagnostic]()
        stack_id = summary.get("id")
        if not isinstance(stack_id, str) or not stack_id:
            message = f"The cloud {self.name} returned the stack {stack_name} without an ID."
            raise make_stopped(codes.UNEXPECTED_CLOUD_ANSWER, message)
        where = f"/stacks/{stack_name}/{quote(stack_id, safe='')}"
        try:
            document = self.get_json("orchestration", f"{where}/export")
        except ReadRefused:
            message = f"The cloud {self.name} does not let this user export {stack_name}."
            diagnostics.append(Diagnostic(codes.EXPORT_NOT_ALLOWED, message))
            try:
                document = self.assemble_export(summary, where, 0)
            except ReadRefused:
                raise self.refuse_stack(stack_name) from None
            except (KeyError, TypeError, AttributeError, ValueError):  # not the form that the API describes
                raise make_stopped(
                    codes.UNEXPECTED_CLOUD_ANSWER,
                    f"The cloud {self.name} does not return all data of the stack {stack_name}.",
                ) from None
        if document is None:
            raise make_stopped(codes.UNKNOWN_STACK, f"The stack {stack_name} was deleted while it was read.")
        if summary.get("parent"):
            document["parent"] = summary["parent"]
        text = json.dumps(document, indent=2, ensure_ascii=False)
        self.exports[stack_name] = text
        live, export_diagnostics = export.read_export(
            Source(f"{stack_name}.json", text, budget=Budget(self.budget.limits))
        )
        return live, diagnostics + export_diagnostics

    def find_stack_summary(self, name: str) -> dict[str, Any] | None:
        """Returns the data of `stack show`; None if there is no such stack, or if it is deleted."""
        try:
            body = self.get_json("orchestration", f"/stacks/{quote(name, safe='')}")
        except ReadRefused:
            raise self.refuse_stack(name) from None
        summary = body.get("stack") if body is not None else None
        if not isinstance(summary, dict) or str(summary.get("stack_status")).startswith("DELETE_COMPLETE"):
            return None
        return summary

    def assemble_export(self, summary: Mapping[str, Any], where: str, depth: int) -> dict[str, Any]:
        """The export of a stack, assembled from other requests, because policies often forbid `stack export` itself.

        Raises ReadRefused.
        """
        template = self.get_json("orchestration", f"{where}/template")
        environment = self.get_json("orchestration", f"{where}/environment") or {}
        environment.pop("encrypted_param_names", None)  # which no export has
        files = self.get_json("orchestration", f"{where}/files")
        rows = self.read_rows("orchestration", f"{where}/resources", "resources")
        action, _, status = str(summary["stack_status"]).partition("_")
        return {
            "name": summary["stack_name"],
            "id": summary["id"],
            "action": action,
            "status": status,
            "template": template,
            "environment": environment,
            "files": files or {},
            "resources": {row["resource_name"]: self.assemble_resource(row, where, depth) for row in rows},
            "project_id": self.connection.current_project_id or "",
            "stack_user_project_id": summary.get("stack_user_project_id") or "",
            "tags": summary.get("tags") or [],
        }

    def refuse_stack(self, name: str) -> Stopped:
        message = f"The cloud {self.name} does not let this user read the stack {make_printable(name)}."
        return Stopped([Diagnostic(codes.EXPORT_NOT_ALLOWED, message, forced="error")])

    def assemble_resource(self, row: Mapping[str, Any], where: str, depth: int) -> dict[str, Any]:
        """One resource of such an export; the nested stack, if it has one."""
        nested = [link["href"] for link in row.get("links") or [] if link.get("rel") == "nested"]
        if nested and depth < DEPTH:
            inner = "/stacks/" + urlsplit(nested[0]).path.rpartition("/stacks/")[2]
            body = self.get_json("orchestration", inner)
            if body is not None:
                return self.assemble_export(body["stack"], inner, depth + 1)
        here = f"{where}/resources/{quote(row['resource_name'], safe='')}"
        data = {}
        if (key := STORED_ATTRIBUTES.get(row["resource_type"])) is not None:
            attributes = (self.get_json("orchestration", here) or {}).get("resource", {}).get("attributes", {})
            data = {key: attributes[key]} if key in attributes else {}
        body = self.get_json("orchestration", f"{here}/metadata")
        action, _, status = str(row["resource_status"]).partition("_")
        return {
            "name": row["resource_name"],
            "resource_id": row.get("physical_resource_id") or None,
            "type": row["resource_type"],
            "action": action,
            "status": status,
            "metadata": (body or {}).get("metadata") or {},
            "resource_data": data,
        }

    # -- objects

    def ask(self, lookup: CloudLookup) -> Sequence[Mapping[str, Any]]:
        """The objects of a kind; maybe more than match. Raises NoAnswer if this user may not read them."""
        kind, attributes = API_KINDS.get(lookup.kind), dict(lookup.filter)
        if kind is None:
            raise NoAnswer(lookup.command)
        outer = re.findall(r"\{(\w+)\}", kind.path)
        if not all(attributes.get(key) for key in outer):
            raise NoAnswer(lookup.command)
        path = kind.path.format_map({key: quote(attributes[key], safe="") for key in outer})
        outer_attributes = {key: attributes[key] for key in outer}
        try:
            if set(attributes) - set(outer) == {kind.id_attribute}:
                return [
                    row | outer_attributes
                    for row in self.read_object(kind, f"{path}/{quote(attributes[kind.id_attribute], safe='')}")
                ]
            query = make_query(kind, {key: value for key, value in attributes.items() if key not in outer})
            return [
                row | outer_attributes
                for row in self.read_rows(kind.service, path + kind.details + query, kind.list_key, kind.object_key)
            ]
        except ReadRefused:
            raise NoAnswer(lookup.command) from None

    def read_object(self, kind: ApiKind, path: str) -> Iterator[dict[str, Any]]:
        """Yields the object at a path, or nothing."""
        body = self.get_json(kind.service, path)
        row = body.get(kind.object_key, body) if body is not None else None
        if isinstance(row, dict):
            yield add_object_id(row)

    def read_rows(self, service: str, path: str, list_key: str, object_key: str = "") -> list[dict[str, Any]]:
        """All items of a list, page by page."""
        rows: list[dict[str, Any]] = []
        next_path: str | None = path
        for _ in range(MOST_PAGES):
            body = self.get_json(service, next_path) if next_path is not None else None
            if body is None:
                return rows
            page = body.get(list_key)
            items: list[Any] = [
                row[object_key] if isinstance(row, dict) and set(row) == {object_key} else row
                for row in (page if isinstance(page, list) else [None])
            ]
            if not all(isinstance(item, dict) for item in items):
                raise make_stopped(
                    codes.UNEXPECTED_CLOUD_ANSWER,
                    f"The cloud {self.name} answered {service} {path} without {list_key}.",
                )
            rows += [add_object_id(item) for item in items]
            try:
                next_path = find_next_page(body, list_key, path) if page else None
            except (AttributeError, ValueError):
                message = f"The cloud {self.name} answered {service} {path} with a broken link to the next page."
                raise make_stopped(codes.UNEXPECTED_CLOUD_ANSWER, message) from None
        raise make_stopped(
            codes.UNEXPECTED_CLOUD_ANSWER, f"The cloud {self.name} has more than {MOST_PAGES} pages of {list_key}."
        )

    def get_json(self, service: str, path: str) -> dict[str, Any] | None:
        """The answer of a GET; None for 404 and 410. Raises Stopped, and ReadRefused also without the service. Each
        request is paid for: an answer may name further stacks to read, and those lead back to it.
        """
        with PAYING:
            affordable = self.budget.spend("requests", 1)
        if not affordable:
            raise Stopped([diagnose_limit("requests", self.budget.limits["requests"])])
        status = 0
        try:
            answer = getattr(self.connection, service).get(path, headers={"Accept": "application/json"})
            status = answer.status_code
            if status in (404, 410):
                return None
            if status == 403:
                raise ReadRefused
            if status == 401:
                raise make_stopped(
                    codes.CLOUD_ACCESS_DENIED, f"The cloud {self.name} does not let this user in: {service} {path}."
                )
            body = answer.json() if status == 200 else None
        except self.errors.no_service:
            raise ReadRefused from None
        except self.errors.auth.Forbidden:
            raise ReadRefused from None
        except self.errors.auth.NotFound:
            return None
        except self.errors.every as e:
            raise self.errors.to_stopped(e) from None
        except (ValueError, RecursionError):  # no JSON, or JSON that is too deep
            body = None
        if not isinstance(body, dict) or not is_text(body):
            raise make_stopped(
                codes.UNEXPECTED_CLOUD_ANSWER, f"The cloud {self.name} answered {service} {path} with status {status}."
            )
        return body


def is_text(body: Mapping[str, Any]) -> bool:
    """Whether an answer can be written as UTF-8: JSON may name lone surrogates, such as `"\\ud800"`. One that is nested
    too deeply cannot.
    """
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return True


def make_query(kind: ApiKind, attributes: Mapping[str, str]) -> str:
    """The query string for attributes that the API itself can filter by. Only Neutron can: by IDs, names and fixed IPs.

    `fixed_ips.subnet_id: s1` -> `?fixed_ips=subnet_id%3Ds1`
    """
    if kind.service != "network":
        return ""
    pairs = [(key, value) for key, value in attributes.items() if value and (key.endswith("_id") or key == "name")]
    plain = [(key, value) for key, value in pairs if "." not in key]
    inner = [(key.partition(".")[0], f"{key.partition('.')[2]}={value}") for key, value in pairs if "." in key]
    return f"?{urlencode(plain + inner)}" if pairs else ""


def find_next_page(body: Mapping[str, Any], list_key: str, path: str) -> str | None:
    """The path of the next page. Each service has its own form for the link; only the query of its URL is used, so that
    an answer cannot lead to another host.
    """
    links = body.get(f"{list_key}_links") or body.get("links")
    url = body.get("next")
    if isinstance(links, list):
        url = next((link.get("href") for link in links if link.get("rel") == "next"), None)
    elif isinstance(links, dict):
        url = links.get("next")
    query = urlsplit(url).query if isinstance(url, str) else ""
    return f"{path.partition('?')[0]}?{query}" if query else None


def add_object_id(row: dict[str, Any]) -> dict[str, Any]:
    """An object with its `id`: some services give a URL or a UUID instead."""
    if "id" in row:
        return row
    for key in ("uuid", "secret_ref", "container_ref", "order_ref", "name"):
        if isinstance(row.get(key), str):
            return row | {"id": row[key].rpartition("/")[2] if key.endswith("_ref") else row[key]}
    return row


def first_error_line(error: Exception) -> str:
    """The first line of an exception's message, fit for a terminal."""
    return make_printable(next(iter(str(error).splitlines()), "") or type(error).__name__)[:300]
