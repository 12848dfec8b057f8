"""Reads running stacks, and the objects that they made, from a cloud of clouds.yaml, by openstacksdk.

Invariant: only reads. The session refuses every request with a token but GET and HEAD; without a token nothing can be
changed. What goes wrong is a diagnostic, without a word of the credentials. openstacksdk is imported only here.
"""

from __future__ import annotations

import importlib
import json
import logging
import re
from typing import TYPE_CHECKING, Any, final
from urllib.parse import quote, urlencode, urlsplit

from transpile.adoption import export
from transpile.adoption.kinds import KINDS
from transpile.adoption.lookups import NoAnswer
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.model import heat_types
from transpile.model.printable import printable
from transpile.model.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from transpile.adoption.kinds import Kind
    from transpile.adoption.live import LiveStack
    from transpile.adoption.lookups import Lookup
    from transpile.model.budget import Budget

READS = ("GET", "HEAD")
SECONDS = 60  # for an answer, unless clouds.yaml has an api_timeout
NAME = re.compile(r"[a-zA-Z][\w.-]{0,254}", re.ASCII)  # of a stack
PAGES = 1000  # of one list
DEPTH = 8  # nested stacks, where each is read by itself
LOGGERS = ("keystoneauth", "openstack")
STORED = {heat_types.RANDOM_STRING: "value"}  # attributes that Heat keeps in the resource's data, under their names
EXTRA = 'pip install "hot2tf[openstack]"'


class NoSdk(Exception):
    """openstacksdk is not installed."""


class Writes(Exception):
    """Something tried to change the cloud; that is a defect."""


@final
class Refused(Exception):
    """The cloud's policy does not let this user read something."""


def stopped(code: str, message: str) -> Stopped:
    return Stopped([Diagnostic(code, message)])


def reading(base: Any) -> Any:
    """A class of sessions that only read."""

    def request(self: Any, url: str, method: str, *args: Any, **given: Any) -> Any:
        if method.upper() not in READS and given.get("authenticated") is not False:
            raise Writes(f"{method} {url}")
        return base.request(self, url, method, *args, **given)

    return type("ReadingSession", (base,), {"request": request})


def connect(name: str, budget: Budget | None = None) -> Project:
    """The project of a cloud of clouds.yaml. Raises NoSdk, and Stopped if there is no such cloud."""
    try:
        config: Any = importlib.import_module("openstack.config")
        connection: Any = importlib.import_module("openstack.connection")
        session: Any = importlib.import_module("keystoneauth1.session")
        sdk_errors: Any = importlib.import_module("openstack.exceptions")
        auth_errors: Any = importlib.import_module("keystoneauth1.exceptions")
    except ImportError:
        raise NoSdk(f"hot2tf cannot read clouds here: {EXTRA}") from None
    for logger in LOGGERS:  # what goes wrong is said by a diagnostic
        logging.getLogger(logger).addHandler(logging.NullHandler())
    errors = Errors(sdk_errors, auth_errors, name)
    try:
        region = config.OpenStackConfig(session_constructor=reading(session.Session)).get_one(cloud=name)
        if region.config.get("api_timeout") is None:
            region.config["api_timeout"] = SECONDS
        return Project(name, connection.Connection(config=region), errors, budget)
    except (sdk_errors.SDKException, auth_errors.ClientException) as e:
        raise errors.stopped(e) from None
    except (OSError, ValueError, TypeError) as e:  # a clouds.yaml that cannot be read, or is none
        raise stopped(
            codes.UNKNOWN_CLOUD, f"The configuration of the cloud {name} cannot be read: {first_line(e)}"
        ) from None


@final
class Errors:
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

    def stopped(self, error: Exception) -> Stopped:
        why = first_line(error)
        if isinstance(error, self.sdk.ConfigException):
            return stopped(codes.UNKNOWN_CLOUD, f"The cloud {self.cloud} cannot be used: {why}")
        if isinstance(error, (self.auth.Unauthorized, self.auth.AuthPluginException, self.auth.MissingRequiredOptions)):
            return stopped(codes.CLOUD_ACCESS_DENIED, f"The cloud {self.cloud} does not let this user in: {why}")
        if isinstance(error, self.auth.ConnectionError):
            return stopped(codes.CLOUD_DOES_NOT_ANSWER, f"The cloud {self.cloud} does not answer: {why}")
        return stopped(
            codes.UNEXPECTED_CLOUD_ANSWER,
            f"The cloud {self.cloud} gave an answer that hot2tf does not understand: {why}",
        )


@final
class Project:
    """What one user sees of one project. `exports`: the texts of the stacks that were read, by name."""

    def __init__(self, name: str, connection: Any, errors: Errors, budget: Budget | None = None) -> None:
        self.name, self.connection, self.errors, self.budget = name, connection, errors, budget
        self.exports: dict[str, str] = {}

    # -- stacks

    def stacks(self) -> list[str]:
        """The names of all stacks that are not nested in another one."""
        try:
            return sorted(self.named(row) for row in self.rows("orchestration", "/stacks", "stacks"))
        except Refused:
            message = f"The cloud {self.name} does not let this user list stacks."
            raise Stopped([Diagnostic(codes.EXPORT_NOT_ALLOWED, message, forced="error")]) from None

    def named(self, stack: Mapping[str, Any]) -> str:
        """The name of a stack, which is fit for a path. Raises Stopped if Heat would not allow it."""
        name = str(stack.get("stack_name"))
        if NAME.fullmatch(name) is None:
            raise stopped(
                codes.UNEXPECTED_CLOUD_ANSWER, f"The cloud {self.name} told of a stack called {printable(name)[:80]}."
            )
        return name

    def stack(self, name: str) -> tuple[LiveStack | None, list[Diagnostic]]:
        """A stack by its name or ID, read as its export is; and the diagnostics. Raises Stopped."""
        found = self.shown(name)
        if found is None:
            raise stopped(codes.UNKNOWN_STACK, f"The cloud {self.name} has no stack {name} in this project.")
        called, problems = self.named(found), list[Diagnostic]()
        where = f"/stacks/{called}/{quote(str(found.get('id')), safe='')}"
        try:
            whole = self.get("orchestration", f"{where}/export")
        except Refused:
            message = f"The cloud {self.name} does not let this user export {called}."
            problems.append(Diagnostic(codes.EXPORT_NOT_ALLOWED, message))
            try:
                whole = self.assembled(found, where, 0)
            except Refused:
                raise self.unreadable(called) from None
            except (KeyError, TypeError, AttributeError):  # something is missing that the API describes
                raise stopped(
                    codes.UNEXPECTED_CLOUD_ANSWER, f"The cloud {self.name} does not tell all of the stack {called}."
                ) from None
        if whole is None:
            raise stopped(codes.UNKNOWN_STACK, f"The stack {called} was deleted while it was read.")
        if found.get("parent"):
            whole["parent"] = found["parent"]
        text = json.dumps(whole, indent=2, ensure_ascii=False)
        self.exports[called] = text
        live, more = export.load(Source(f"{called}.json", text, budget=self.budget))
        return live, problems + more

    def shown(self, name: str) -> dict[str, Any] | None:
        """What `stack show` shows; None if there is no such stack, or if it is deleted."""
        try:
            body = self.get("orchestration", f"/stacks/{quote(name, safe='')}")
        except Refused:
            raise self.unreadable(name) from None
        found = body.get("stack") if body is not None else None
        if not isinstance(found, dict) or str(found.get("stack_status")).startswith("DELETE_COMPLETE"):
            return None
        return found

    def assembled(self, shown: Mapping[str, Any], where: str, depth: int) -> dict[str, Any]:
        """The export of a stack, put together from what else Heat tells about it. Raises Refused."""
        template = self.get("orchestration", f"{where}/template")
        environment = self.get("orchestration", f"{where}/environment") or {}
        environment.pop("encrypted_param_names", None)  # which no export has
        files = self.get("orchestration", f"{where}/files")
        rows = self.rows("orchestration", f"{where}/resources", "resources")
        action, _, status = str(shown["stack_status"]).partition("_")
        return {
            "name": shown["stack_name"],
            "id": shown["id"],
            "action": action,
            "status": status,
            "template": template,
            "environment": environment,
            "files": files or {},
            "resources": {row["resource_name"]: self.resource(row, where, depth) for row in rows},
            "project_id": self.connection.current_project_id or "",
            "stack_user_project_id": shown.get("stack_user_project_id") or "",
            "tags": shown.get("tags") or [],
        }

    def unreadable(self, name: str) -> Stopped:
        message = f"The cloud {self.name} does not let this user read the stack {printable(name)}."
        return Stopped([Diagnostic(codes.EXPORT_NOT_ALLOWED, message, forced="error")])

    def resource(self, row: Mapping[str, Any], where: str, depth: int) -> dict[str, Any]:
        """One resource of such an export; the nested stack, if it has one."""
        nested = [link["href"] for link in row.get("links") or [] if link.get("rel") == "nested"]
        if nested and depth < DEPTH:
            inner = "/stacks/" + urlsplit(nested[0]).path.rpartition("/stacks/")[2]
            body = self.get("orchestration", inner)
            if body is not None:
                return self.assembled(body["stack"], inner, depth + 1)
        here = f"{where}/resources/{quote(row['resource_name'], safe='')}"
        data = {}
        if (key := STORED.get(row["resource_type"])) is not None:
            shown = (self.get("orchestration", here) or {}).get("resource", {}).get("attributes", {})
            data = {key: shown[key]} if key in shown else {}
        body = self.get("orchestration", f"{here}/metadata")
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

    def ask(self, lookup: Lookup) -> Sequence[Mapping[str, Any]]:
        """The objects of a kind; maybe more than match. Raises NoAnswer if this user may not read them."""
        kind, given = KINDS.get(lookup.kind), dict(lookup.filter)
        if kind is None:
            raise NoAnswer(lookup.command)
        outer = re.findall(r"\{(\w+)\}", kind.path)
        if not all(given.get(key) for key in outer):
            raise NoAnswer(lookup.command)
        path = kind.path.format_map({key: quote(given[key], safe="") for key in outer})
        held = {key: given[key] for key in outer}
        try:
            if set(given) - set(outer) == {kind.key}:
                return [one | held for one in self.one(kind, f"{path}/{quote(given[kind.key], safe='')}")]
            query = question(kind, {key: value for key, value in given.items() if key not in outer})
            return [row | held for row in self.rows(kind.service, path + kind.details + query, kind.many, kind.one)]
        except Refused:
            raise NoAnswer(lookup.command) from None

    def one(self, kind: Kind, path: str) -> Iterator[dict[str, Any]]:
        """The object at a path; none if there is none."""
        body = self.get(kind.service, path)
        found = body.get(kind.one, body) if body is not None else None
        if isinstance(found, dict):
            yield identified(found)

    def rows(self, service: str, path: str, many: str, one: str = "") -> list[dict[str, Any]]:
        """All items of a list, page by page."""
        found: list[dict[str, Any]] = []
        after: str | None = path
        for _ in range(PAGES):
            body = self.get(service, after) if after is not None else None
            if body is None:
                return found
            page = body.get(many)
            if not isinstance(page, list) or not all(isinstance(row, dict) for row in page):
                raise stopped(
                    codes.UNEXPECTED_CLOUD_ANSWER, f"The cloud {self.name} answered {service} {path} without {many}."
                )
            found += [identified(row.get(one, row) if set(row) == {one} else row) for row in page]
            after = following(body, many, path) if page else None
        raise stopped(codes.UNEXPECTED_CLOUD_ANSWER, f"The cloud {self.name} has more than {PAGES} pages of {many}.")

    def get(self, service: str, path: str) -> dict[str, Any] | None:
        """What a path says; None if there is nothing. Raises Refused, NoAnswer without the service, and Stopped."""
        try:
            answer = getattr(self.connection, service).get(path, headers={"Accept": "application/json"})
            status = answer.status_code
            if status in (404, 410):
                return None
            if status == 403:
                raise Refused
            if status == 401:
                raise stopped(
                    codes.CLOUD_ACCESS_DENIED, f"The cloud {self.name} does not let this user in: {service} {path}."
                )
            body = answer.json() if status == 200 else None
        except self.errors.no_service:
            raise Refused from None
        except self.errors.auth.Forbidden:
            raise Refused from None
        except self.errors.auth.NotFound:
            return None
        except self.errors.every as e:
            raise self.errors.stopped(e) from None
        except ValueError:  # no JSON
            body = None
        if not isinstance(body, dict):
            raise stopped(
                codes.UNEXPECTED_CLOUD_ANSWER, f"The cloud {self.name} answered {service} {path} with status {status}."
            )
        return body


def question(kind: Kind, given: Mapping[str, str]) -> str:
    """What an API can filter by itself: Neutron by IDs and names, and by addresses of ports."""
    if kind.service != "network":
        return ""
    pairs = [(key, value) for key, value in given.items() if value and (key.endswith("_id") or key == "name")]
    plain = [(key, value) for key, value in pairs if "." not in key]
    inner = [(key.partition(".")[0], f"{key.partition('.')[2]}={value}") for key, value in pairs if "." in key]
    return f"?{urlencode(plain + inner)}" if pairs else ""


def following(body: Mapping[str, Any], many: str, path: str) -> str | None:
    """The path of the next page; services tell it in different ways, all as a URL, of which the query matters."""
    links = body.get(f"{many}_links") or body.get("links")
    url = body.get("next")
    if isinstance(links, list):
        url = next((link.get("href") for link in links if link.get("rel") == "next"), None)
    elif isinstance(links, dict):
        url = links.get("next")
    query = urlsplit(url).query if isinstance(url, str) else ""
    return f"{path.partition('?')[0]}?{query}" if query else None


def identified(row: dict[str, Any]) -> dict[str, Any]:
    """An object with its `id`: some services give a URL or a UUID instead."""
    if "id" in row:
        return row
    for key in ("uuid", "secret_ref", "container_ref", "order_ref", "name"):
        if isinstance(row.get(key), str):
            return row | {"id": row[key].rpartition("/")[2] if key.endswith("_ref") else row[key]}
    return row


def first_line(error: Exception) -> str:
    """The first line of an exception's message, fit for a terminal."""
    return printable(next(iter(str(error).splitlines()), "") or type(error).__name__)[:300]
