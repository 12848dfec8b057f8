"""Writes where Terraform keeps the state of a root: a partial backend, and a file with its settings.

Invariant: no credentials are in any file. Terraform takes them from the environment variables in `CREDENTIALS`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from emitters.hcl.tree.nodes import Argument, Block, Expr, Note, Object
from emitters.hcl.tree.printer import Item, print_hcl
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source

NONE, S3, HTTP, GITLAB, PG, LOCAL = "none", "s3", "http", "gitlab", "pg", "local"
KINDS = (NONE, S3, HTTP, GITLAB, PG, LOCAL)
FILE, SETTINGS = "backend.tf", "backend.hcl"
STATE_ENDING = ".tfstate"
LOCKING, S3_SETTINGS, LOWEST = ">= 1.10", ">= 1.7", ">= 1.5"  # `use_lockfile`; `skip_s3_checksum`; everything else
IMPORTS_WITH_KEYS = ">= 1.7"  # an `import` block with `for_each`
BACKENDS: Mapping[str, str] = {S3: "s3", HTTP: "http", GITLAB: "http", PG: "pg", LOCAL: "local"}
CREDENTIALS: Mapping[str, tuple[str, ...]] = {
    S3: ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
    HTTP: ("TF_HTTP_USERNAME", "TF_HTTP_PASSWORD"),
    GITLAB: ("TF_HTTP_USERNAME", "TF_HTTP_PASSWORD"),
    PG: ("PG_CONN_STR",),
    LOCAL: (),
}
# Settings with defaults that servers other than Amazon's need: Ceph and Swift have no accounts, regions or checksums.
S3_FLAGS: Mapping[str, bool] = {
    "skip_credentials_validation": True,
    "skip_metadata_api_check": True,
    "skip_region_validation": True,
    "skip_requesting_account_id": True,
    "skip_s3_checksum": True,
    "use_lockfile": True,
    "use_path_style": True,
}
REGION = "us-east-1"  # which Terraform requires, and which servers other than Amazon's ignore
GITLAB_METHODS: Mapping[str, str] = {"lock_method": "POST", "unlock_method": "DELETE"}
HTTP_WORDS = ("lock_method", "unlock_method", "update_method")
NUMBERS = ("retry_max", "retry_wait_max", "retry_wait_min")
FLAGS = (
    *S3_FLAGS,
    "encrypt",
    "skip_cert_verification",
    "skip_index_creation",
    "skip_schema_creation",
    "skip_table_creation",
)
SETTABLE: Mapping[str, tuple[str, ...]] = {
    NONE: (),
    S3: (
        "bucket",
        "prefix",
        "endpoint",
        "region",
        "dynamodb_table",
        "encrypt",
        "kms_key_id",
        "profile",
        "workspace_key_prefix",
        *S3_FLAGS,
    ),
    HTTP: ("address", "lock_address", *HTTP_WORDS, *NUMBERS, "skip_cert_verification"),
    GITLAB: ("address", *NUMBERS, "skip_cert_verification"),
    PG: ("prefix", "skip_index_creation", "skip_schema_creation", "skip_table_creation"),
    LOCAL: (),
}
ADDRESSES = ("address", "endpoint", "lock_address")
SECRET = {  # settings that are secrets, each with the variable that has it
    "access_key": "AWS_ACCESS_KEY_ID",
    "secret_key": "AWS_SECRET_ACCESS_KEY",
    "token": "AWS_SESSION_TOKEN",
    "sse_customer_key": "AWS_SSE_CUSTOMER_KEY",
    "username": "TF_HTTP_USERNAME",
    "password": "TF_HTTP_PASSWORD",
    "client_private_key_pem": "TF_HTTP_CLIENT_PRIVATE_KEY_PEM",
    "conn_str": "PG_CONN_STR",
}
PLAIN_STATE_NAME = compile_lazily(r"[A-Za-z0-9_-]+")
LONGEST_SCHEMA = 63  # bytes of a name in PostgreSQL


def read_settings(text: str) -> dict[str, str]:
    """The settings in lines of `KEY=VALUE`. Raises ValueError, with the reason, for a setting of no backend."""
    settings: dict[str, str] = {}
    for line in text.split("\n") if text else ():
        name, equals, value = line.partition("=")
        if name in SECRET:
            raise ValueError(f"{name} is a secret, which no file may have; set the environment variable {SECRET[name]}")
        known = sorted({key for keys in SETTABLE.values() for key in keys})
        if not equals or name not in known:
            raise ValueError(f"write KEY=VALUE, with one of the keys {', '.join(known)}")
        if not value or not value.isprintable():
            raise ValueError(f"{name} needs a value of printable characters")
        if name in FLAGS and value not in ("true", "false"):
            raise ValueError(f"{name} is true or false")
        if name in NUMBERS and not (value.isascii() and value.isdigit()):
            raise ValueError(f"{name} is a number")
        if name in ADDRESSES:
            check_address(name, value)
        settings[name] = value
    return settings


def check_address(name: str, address: str) -> None:
    """Raises ValueError for an address that is no URL, or one with a password."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"{name} is a URL such as https://example.org/path")
    if parts.username is not None:
        raise ValueError(f"{name} has a user in it; set environment variables instead")


def has_lock(kind: str, settings: Mapping[str, str]) -> bool:
    """Whether two runs at once are refused."""
    if kind == S3:
        return settings.get("use_lockfile") != "false" or "dynamodb_table" in settings
    return kind != HTTP or "lock_address" in settings


def required_terraform_version(kind: str, settings: Mapping[str, str]) -> str:
    """The version for `required_version`. Terraform and OpenTofu have these settings since the same versions."""
    if kind != S3:
        return LOWEST
    return LOCKING if settings.get("use_lockfile") != "false" else S3_SETTINGS


def highest_version(*versions: str) -> str:
    """The one of several lower bounds that accepts the fewest versions."""
    return max(versions, key=lambda version: tuple(map(int, version.removeprefix(">= ").split("."))))


def declare_backend(kind: str) -> str:
    """The text of backend.tf: a backend whose settings `terraform init -backend-config=FILE` completes."""
    terraform = Block("terraform")
    terraform.add_block("backend", BACKENDS[kind])
    return print_hcl([terraform])


def write_backend_settings(kind: str, state_key: str, settings: Mapping[str, str] | None = None) -> str:
    """Writes the text of a file of settings. state_key: the name of the state, without an ending: for a remote backend
    a path that no other state has, for a local one a path below the root. settings: those of the user, see
    `read_settings`.
    """
    items: list[Item] = []
    notes = describe_credentials(kind)
    known = {name: value for name, value in (settings or {}).items() if name in SETTABLE[kind]}
    values = {name: read_value(name, value) for name, value in known.items()}
    if prefix := str(values.pop("prefix", "")).strip("/"):
        state_key = f"{prefix}/{state_key}"
    if kind == S3:
        endpoint = values.pop("endpoint", None)
        if "bucket" not in values:
            notes.append("The bucket is not known: terraform init takes -backend-config=bucket=NAME.")
        if endpoint is None:
            notes.append("AWS_ENDPOINT_URL_S3 has the address of a server that is not Amazon's.")
        endpoints: dict[str, Expr] = {"endpoints": Object((("s3", endpoint),))} if endpoint is not None else {}
        values = {"key": state_key + STATE_ENDING, "region": REGION, **S3_FLAGS, **endpoints, **values}
    elif kind in (HTTP, GITLAB):
        values = {**(GITLAB_METHODS if kind == GITLAB else {}), **values}
        values |= write_addresses(kind, state_key, known)
        if "address" not in known:
            name = name_state(state_key)
            notes.append(f"The address is not known: TF_HTTP_ADDRESS has it, and the name of the state is {name}.")
            if kind == GITLAB:
                notes.append(
                    "TF_HTTP_LOCK_ADDRESS and TF_HTTP_UNLOCK_ADDRESS have the same address, and /lock after it."
                )
    elif kind == PG:
        values = {"schema_name": name_schema(state_key), **values}
    else:
        values = {"path": state_key + STATE_ENDING}
    items += [Note([f" {line}" for line in notes])] if notes else []
    items += [Argument(name, values[name]) for name in sorted(values)]
    return print_hcl(items, constant=True)


def read_value(name: str, value: str) -> Expr:
    """The value of a setting as Terraform takes it."""
    if name in FLAGS:
        return value == "true"
    return int(value) if name in NUMBERS else value


def describe_credentials(kind: str) -> list[str]:
    """The comment that says where credentials are."""
    names = CREDENTIALS[kind]
    verb = "have" if len(names) > 1 else "has"
    return [f"{' and '.join(names)} {verb} the credentials. None belong into this file."] if names else []


def write_addresses(kind: str, state_key: str, settings: Mapping[str, str]) -> dict[str, Expr]:
    """Writes the addresses of a state and of its lock, below those that the user set."""
    name = name_state(state_key)
    addresses: dict[str, Expr] = {}
    if "address" in settings:
        addresses["address"] = f"{settings['address'].rstrip('/')}/{name}"
    if kind == GITLAB and "address" in settings:
        lock = f"{addresses['address']}/lock"
    elif "lock_address" in settings:
        lock = f"{settings['lock_address'].rstrip('/')}/{name}"
    else:
        return addresses
    return {**addresses, "lock_address": lock, "unlock_address": lock}


def name_state(state_key: str) -> str:
    """A name for a state in GitLab, of letters, digits, `-` and `_`. Different keys have different names."""
    if PLAIN_STATE_NAME.fullmatch(state_key):
        return state_key
    digest = hashlib.sha256(state_key.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{re.sub(r'[^A-Za-z0-9_-]+', '-', state_key).strip('-')}-{digest}"


def name_schema(state_key: str) -> str:
    """A name for a schema in PostgreSQL, which cuts longer names off. Different keys have different names."""
    name = name_state(state_key)
    if len(name) <= LONGEST_SCHEMA:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{name[: LONGEST_SCHEMA - 9]}-{digest}"


def name_settings(environment: str) -> str:
    """The file with the settings of an environment's state, or with those of a root without environments."""
    return f"environments/{environment}.{SETTINGS}" if environment else SETTINGS


class StateLocation(NamedTuple):
    """The place of a root's state. key: see `write_backend_settings`. settings: the settings that the user chose.
    environment: its name, if each environment of the root has a state and a file of settings.
    """

    kind: str
    key: str
    settings: Mapping[str, str]
    environment: str = ""

    @property
    def settings_file(self) -> str:
        return name_settings(self.environment)

    @property
    def required_version(self) -> str:
        return required_terraform_version(self.kind, self.settings)

    def write_files(self, first: Note) -> dict[str, str]:
        """Writes backend.tf and the file of settings next to it. first: the first line of each."""
        head = print_hcl([first]) + "\n"
        local = f"environments/{self.environment}" if self.environment else "terraform"
        key = self.key if self.kind != LOCAL else local
        settings = write_backend_settings(self.kind, key, self.settings)
        return {FILE: head + declare_backend(self.kind), self.settings_file: head + settings}

    def as_json(self) -> dict[str, Any]:
        """The entry for the report. unset: a setting that the backend needs and nobody chose."""
        locked = has_lock(self.kind, self.settings)
        report: dict[str, Any] = {"kind": self.kind, "settings": self.settings_file, "locked": locked}
        needed = {S3: "bucket", HTTP: "address", GITLAB: "address"}.get(self.kind)
        if needed is not None and needed not in self.settings:
            report["unset"] = needed
        if self.kind == GITLAB:
            report["state"] = name_state(self.key)
        return {**report, "credentials": list(CREDENTIALS[self.kind])}

    def list_findings(self, source: Source) -> list[Diagnostic]:
        """The warnings about the settings: settings of another backend, and a state without a lock."""
        foreign = [name for name in self.settings if name not in SETTABLE[self.kind]]
        findings = [
            Diagnostic(codes.SETTING_OF_OTHER_BACKEND, f"The backend {self.kind} has no setting {name}.", source)
            for name in foreign
        ]
        if not has_lock(self.kind, self.settings):
            message = f"The backend {self.kind} has no lock: two runs at once would overwrite each other's state."
            findings.append(Diagnostic(codes.STATE_WITHOUT_LOCK, message, source))
        return findings
