"""Adds `deletion_policy: Retain` to each resource that Terraform takes, in the template of a running stack and in the
files that it names.

Invariant: nothing else changes, except the names of files, which now lie next to the template, and the rolling update
policies of groups, which would create extra members during an update.

Retain on a nested stack would leave its record behind, and that record could still delete its resources. So Retain
stands on the resources inside, and Heat may delete the record. A group writes the template of its members itself, and
passes no policy on. It is retained as a whole (`detached`): its record is updated on its own later, then deleted.

A deployment would run again on its server, only because of its new policy. So it keeps the one that it has.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, final

from transpile.adoption.meanings import (
    CFN_KEYS,
    INSIDE,
    LEFT,
    PLAIN,
    Data,
    ReleaseModes,
    member_type,
    parse_stored_text,
    read_key,
    template_resources,
)
from transpile.adoption.server_ports import NestedPorts
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.format import hot
from transpile.front import read_back
from transpile.model import heat_types, ir
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.records import EMPTY
from transpile.model.source import Source, name_file
from transpile.resolve.registry import is_file

DEPTH = 6  # stacks below each other, the outermost included; Heat allows five below it
REMOTE_PREFIXES = ("http://", "https://")  # which Heat's client fetches itself
ENVIRONMENT = "environment.yaml"


@final
class Bundle:
    """A template with all the files that it names, side by side in one directory, and an environment for them.

    `ports`: those that nested templates read of servers.
    """

    def __init__(self, modes: ReleaseModes, source: Source, ports: NestedPorts | None = None) -> None:
        self.modes, self.source, self.ports = modes, source, ports
        self.files: dict[str, str] = {}
        self.registry: Data = {}
        self.placed_names: dict[tuple[str, bool], str] = {}

    def add_template(
        self,
        template: Data,
        retain: Callable[[str], bool],
        name: str = "template.yaml",
        empty: Collection[str] = (),
    ) -> Data:
        """Adds the template of a stack. `retain`: which of its resources Terraform takes. `empty`: those that stand for
        a stack without resources, whose record Heat may delete.
        """
        self.files[name] = ""  # takes the name
        changed = self.change_template(template, retain, empty)
        self.files[name] = print_stored_template(changed, self.source)
        return changed

    def change_template(self, template: Data, retain: Callable[[str], bool], empty: Collection[str] = ()) -> Data:
        """A template with Retain, and with the new names of files."""
        out, is_hot = dict(template), "heat_template_version" in template
        section = "resources" if is_hot else "Resources"
        entries = out[section] = {name: dict(resource) for name, resource in template_resources(template).items()}
        for name, resource in entries.items():
            taken = retain(name) and name not in empty
            mode = self.modes.release_mode(resource) if taken else PLAIN
            is_inside = mode == INSIDE
            if taken and mode not in (INSIDE, LEFT) and read_key(resource, "external_id") is None:
                resource["deletion_policy" if is_hot else CFN_KEYS["deletion_policy"]] = "Retain"
            if is_inside and read_key(resource, "type") == heat_types.RESOURCE_GROUP:
                resource.pop("update_policy" if is_hot else CFN_KEYS["update_policy"], None)
            if is_inside:
                kind = member_type(resource) or str(read_key(resource, "type"))
                if not is_file(kind):
                    self.registry[self.modes.find_registry_key(kind)] = self.place_file(
                        self.modes.find_template_file(kind), retain=True
                    )
            for key in list(resource):
                resource[key] = self.replace_file_names(resource[key], key, retain=is_inside)
        if section not in template:
            del out[section]
        section = "outputs" if is_hot else "Outputs"
        if section in out:
            out[section] = self.replace_file_names(out[section], section, retain=False)
        return out

    def replace_file_names(self, value: Any, key: str, *, retain: bool) -> Any:
        """A value with the new names of the files in it. These are the places where Heat's client looks for files."""
        if isinstance(value, dict):
            return {word: self.replace_file_names(inner, word, retain=retain) for word, inner in value.items()}
        if isinstance(value, list):
            return [self.replace_file_names(inner, "", retain=retain) for inner in value]
        if not isinstance(value, str) or value.startswith(REMOTE_PREFIXES):
            return value
        if key == "get_file":
            return self.place_file(value, retain=False)
        if key == "type" and is_file(value):
            return self.place_file(value, retain=retain)
        return value

    def place_file(self, name: str, *, retain: bool) -> str:
        """Adds a file that Heat knows by a name. Returns the name that it has beside the template. Raises Stopped."""
        if (name, retain) in self.placed_names:
            return self.placed_names[name, retain]
        text = self.modes.files.get(name)
        if text is None:
            raise Stopped([
                Diagnostic(
                    codes.RELEASE_CANNOT_BE_WRITTEN,
                    f"The input lacks the file {name}, which the template names.",
                    self.source,
                    hint="Export the stack again, or give its directory with --template.",
                )
            ])  # fmt: skip
        file = self.placed_names[name, retain] = self.choose_file_name(name)
        self.files[file] = text
        source = Source(name, text, budget=self.source.budget)
        template = parse_template_file(source)
        if template is not None:
            if self.ports is not None:
                template = self.ports.replace_reads(name, template, taken=retain)
            self.files[file] = print_stored_template(self.change_template(template, lambda _: retain), source)
        return file

    def list_template_files(self) -> Data:
        """The nested templates by the names that Heat knows them by, and the meaning of types: a registry that
        `openstack stack adopt` needs, since Heat reads neither the environment nor the files of a saved stack.
        """
        registry = {key: self.place_registered(value) for key, value in self.modes.registry.items() if value}
        files = {
            name: file
            for (name, _), file in self.placed_names.items()
            if parse_template_file(Source(name, self.modes.files[name], budget=self.source.budget)) is not None
        }
        return dict(sorted({**files, **registry}.items()))

    def place_registered(self, value: Any) -> Any:
        """A value of a registry with the new names of files."""
        if isinstance(value, dict):
            return {key: self.place_registered(inner) for key, inner in value.items()}
        return self.place_file(value, retain=False) if isinstance(value, str) and value in self.modes.files else value

    def choose_file_name(self, name: str) -> str:
        """A name of a file that is not taken, like that of a path or URL."""
        last = re.sub(r"[^A-Za-z0-9._-]", "_", name.rpartition("/")[2]).lstrip(".-") or "file"
        stem, dot, ending = last.rpartition(".")
        file, number = last, 2
        while file in self.files or file == ENVIRONMENT:
            file = f"{stem}-{number}{dot}{ending}" if dot else f"{last}-{number}"
            number += 1
        return file

    def add_environment(self, parameters: Mapping[str, Any] = EMPTY, *, guarded: bool = True) -> None:
        """Adds the environment: the files of types, and that Heat must fail rather than replace anything. Not
        `guarded`: that it need not any longer.
        """
        registry: Data = {
            **dict(sorted(self.registry.items())),
            "resources": restrict_actions("replace" if guarded else []),
        }
        environment: Data = {"resource_registry": registry}
        if parameters:
            environment["parameters"] = dict(parameters)
        if len(environment) == 1 and len(registry) == 1:  # that of most stacks
            self.files[ENVIRONMENT] = print_default_environment(guarded=guarded)
        else:
            self.files[ENVIRONMENT] = print_environment(environment, self.source)


def restrict_actions(actions: Any, depth: int = DEPTH) -> Data:
    """The entries `resources` of a registry that forbid actions for every resource.

    Heat gives a nested stack only the part below the name of its owner, so the wildcard is repeated for each level:
    `{"*": {"restricted_actions": "replace", "*": {…}}}`.
    """
    inner: Data = {"restricted_actions": actions}
    return {"*": inner if depth == 1 else {**inner, **restrict_actions(actions, depth - 1)}}


def data_to_expression(value: Any) -> ir.Expr:
    """Data as a document."""
    if isinstance(value, dict):
        return data_to_map(value)
    if isinstance(value, (list, tuple)):
        return ir.Seq(tuple([data_to_expression(inner) for inner in value]))
    return ir.Lit(value)


def data_to_map(data: Data) -> ir.Map:
    """A map as a document."""
    return ir.Map(tuple([ir.Entry(str(key), data_to_expression(inner)) for key, inner in data.items()]))


def print_environment(environment: Data, source: Source) -> str:
    """The text of an environment, in the canonical style. Raises Stopped if it is read as something else."""
    root = hot.environment(data_to_map(environment))
    text: str = hot.show(root, [], "", is_template=False)
    read_back.verify_written_yaml(text, root, source, "An environment")
    return text


@functools.cache
def print_default_environment(*, guarded: bool) -> str:
    """The environment of a stack without types and parameters of its own."""
    resources = restrict_actions("replace" if guarded else [])
    return print_environment({"resource_registry": {"resources": resources}}, name_file(ENVIRONMENT))


def parse_template_file(source: Source) -> Data | None:
    """The template in a file; None if the file is something else."""
    if not any(mark in source.text for mark in VERSION_KEYS):
        return None
    try:
        data = parse_stored_text(source)
    except Stopped:
        return None
    return data if any(mark in data for mark in VERSION_KEYS) else None


def print_stored_template(template: Data, source: Source) -> str:
    """The text of a template: HOT in the canonical style, CFN as JSON. Raises Stopped if it is not read as that."""
    if "heat_template_version" not in template:
        return json.dumps(template, indent=2, ensure_ascii=False) + "\n"
    root = hot.template(data_to_map(template))
    text: str = hot.show(root, [], "", is_template=True)
    read_back.verify_written_yaml(text, root, source)
    return text
