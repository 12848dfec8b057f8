"""Templates in which Heat keeps its hands off what Terraform takes: `deletion_policy: Retain` on each resource, in the
template of a running stack and in the files that it names.

Invariant: nothing else changes, apart from the names of files, which now lie beside the template, and the rolling
updates of groups, which would make members for the time of an update.

Retain on a nested stack would leave its record behind, and that record could still delete what is in it. So Retain
stands on the resources inside, and Heat may delete the record. A group writes the template of its members itself, and
passes no policy on. It is retained as a whole (`detached`): its record is updated on its own later, then deleted.

A deployment would run again on its server, only because of its new policy. So it keeps the one that it has.
"""

from __future__ import annotations

import functools
import json
import re
from typing import TYPE_CHECKING, Any, final

from transpile import targets
from transpile.adoption.meanings import INSIDE, KEYS, LEFT, PLAIN, given, member_of, parsed, resources_of
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.front import read_back
from transpile.model import heat_types, ir
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.records import EMPTY
from transpile.model.source import Source
from transpile.resolve.registry import is_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from transpile.adoption.meanings import Data, Meanings

DEPTH = 6  # stacks below each other, the outermost included; Heat allows five below it
REMOTE = ("http://", "https://")  # which Heat's client fetches itself
ENVIRONMENT = "environment.yaml"


@final
class Bundle:
    """A template with all the files that it names, side by side in one directory, and an environment for them.

    `retained`: whether Retain stands on the resources; otherwise the files are those of the running stack.
    """

    def __init__(self, meanings: Meanings, source: Source) -> None:
        self.meanings, self.source = meanings, source
        self.files: dict[str, str] = {}
        self.registry: Data = {}
        self.placed: dict[tuple[str, bool], str] = {}

    def template(self, template: Data, retain: Callable[[str], bool], name: str = "template.yaml") -> Data:
        """Adds the template of a stack. `retain`: which of its resources Terraform takes."""
        self.files[name] = ""  # takes the name
        changed = self.changed(template, retain)
        self.files[name] = printed(changed, self.source)
        return changed

    def changed(self, template: Data, retain: Callable[[str], bool]) -> Data:
        """A template with Retain, and with the new names of files."""
        out, hot = dict(template), "heat_template_version" in template
        section = "resources" if hot else "Resources"
        entries = out[section] = {name: dict(one) for name, one in resources_of(template).items()}
        for name, one in entries.items():
            taken = retain(name)
            mode = self.meanings.mode(one) if taken else PLAIN
            inside = mode == INSIDE
            if taken and mode not in (INSIDE, LEFT) and given(one, "external_id") is None:
                one["deletion_policy" if hot else KEYS["deletion_policy"]] = "Retain"
            if inside and given(one, "type") == heat_types.RESOURCE_GROUP:
                one.pop("update_policy" if hot else KEYS["update_policy"], None)
            if inside:
                kind = member_of(one) or str(given(one, "type"))
                if not is_file(kind):
                    self.registry[self.meanings.entry(kind)] = self.place(self.meanings.file(kind), retain=True)
            for key in list(one):
                one[key] = self.named(one[key], key, retain=inside)
        if section not in template:
            del out[section]
        section = "outputs" if hot else "Outputs"
        if section in out:
            out[section] = self.named(out[section], section, retain=False)
        return out

    def named(self, value: Any, key: str, *, retain: bool) -> Any:
        """A value with the new names of the files in it. These are the places where Heat's client looks for files."""
        if isinstance(value, dict):
            return {word: self.named(inner, word, retain=retain) for word, inner in value.items()}
        if isinstance(value, list):
            return [self.named(inner, "", retain=retain) for inner in value]
        if not isinstance(value, str) or value.startswith(REMOTE):
            return value
        if key == "get_file":
            return self.place(value, retain=False)
        if key == "type" and is_file(value):
            return self.place(value, retain=retain)
        return value

    def place(self, name: str, *, retain: bool) -> str:
        """Adds a file that Heat knows by a name. Returns the name that it has beside the template. Raises Stopped."""
        if (name, retain) in self.placed:
            return self.placed[name, retain]
        text = self.meanings.files.get(name)
        if text is None:
            raise Stopped([
                Diagnostic(
                    codes.RELEASE_CANNOT_BE_WRITTEN,
                    f"The input lacks the file {name}, which the template names.",
                    self.source,
                    hint="Export the stack again, or give its directory with --template.",
                )
            ])  # fmt: skip
        found = self.placed[name, retain] = self.free(name)
        self.files[found] = text
        source = Source(name, text, budget=self.source.budget)
        template = as_template(source)
        if template is not None:
            self.files[found] = printed(self.changed(template, lambda _: retain), source)
        return found

    def free(self, name: str) -> str:
        """A name of a file that is not taken, like that of a path or URL."""
        last = re.sub(r"[^A-Za-z0-9._-]", "_", name.rpartition("/")[2]).lstrip(".-") or "file"
        stem, dot, ending = last.rpartition(".")
        found, number = last, 2
        while found in self.files or found == ENVIRONMENT:
            found = f"{stem}-{number}{dot}{ending}" if dot else f"{last}-{number}"
            number += 1
        return found

    def environment(self, parameters: Mapping[str, Any] = EMPTY, *, guarded: bool = True) -> None:
        """Adds the environment: the files of types, and that Heat must fail rather than replace anything. Not
        `guarded`: that it need not any longer.
        """
        registry: Data = {**dict(sorted(self.registry.items())), "resources": guard("replace" if guarded else [])}
        found: Data = {"resource_registry": registry}
        if parameters:
            found["parameters"] = dict(parameters)
        if len(found) == 1 and len(registry) == 1:  # that of most stacks
            self.files[ENVIRONMENT] = usual(guarded=guarded)
        else:
            self.files[ENVIRONMENT] = environment_text(found, self.source)


def guard(actions: Any, depth: int = DEPTH) -> Data:
    """What Heat must not do to any resource, in nested stacks too, which see what is below the name of their owner."""
    inner: Data = {"restricted_actions": actions}
    return {"*": inner if depth == 1 else {**inner, **guard(actions, depth - 1)}}


def expr(value: Any) -> ir.Expr:
    """Data as a document."""
    if isinstance(value, dict):
        return ir.Map(tuple([ir.Entry(str(key), expr(inner)) for key, inner in value.items()]))
    if isinstance(value, (list, tuple)):
        return ir.Seq(tuple([expr(inner) for inner in value]))
    return ir.Lit(value)


def environment_text(environment: Data, source: Source) -> str:
    """The text of an environment, in the canonical style. Raises Stopped if it is read as something else."""
    hot = targets.load("hot").document
    root = hot.environment(expr(environment))
    text: str = hot.show(root, [], "", is_template=False)
    read_back.prove(text, root, source, "An environment")
    return text


@functools.cache
def usual(*, guarded: bool) -> str:
    """The environment of a stack without types and parameters of its own."""
    resources = guard("replace" if guarded else [])
    return environment_text({"resource_registry": {"resources": resources}}, Source(ENVIRONMENT, ""))


def as_template(source: Source) -> Data | None:
    """The template in a file; None if the file is something else."""
    if not any(mark in source.text for mark in VERSION_KEYS):
        return None
    try:
        found = parsed(source)
    except Stopped:
        return None
    return found if any(mark in found for mark in VERSION_KEYS) else None


def printed(template: Data, source: Source) -> str:
    """The text of a template: HOT in the canonical style, CFN as JSON. Raises Stopped if it is not read as that."""
    if "heat_template_version" not in template:
        return json.dumps(template, indent=2, ensure_ascii=False) + "\n"
    hot = targets.load("hot").document
    root = hot.template(expr(template))
    text: str = hot.show(root, [], "", is_template=True)
    read_back.prove(text, root, source)
    return text
