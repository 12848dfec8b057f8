"""A stack → service templates of TOSCA Simple Profile 1.3, as files or as one archive.

The easy rule to break: nested templates are service templates of their own, which nothing imports; a CFN-era template
is turned into HOT first, as far as HOT can say it.
"""

from __future__ import annotations

import dataclasses
import pathlib
from typing import TYPE_CHECKING, Any

from emitters.tosca import printer
from emitters.tosca.archive import INPUTS, MAIN, Archive, csar
from emitters.tosca.functions20 import TooLarge
from emitters.tosca.inputs import Inputs
from emitters.tosca.service import Service
from emitters.tosca.service20 import Service20
from emitters.tosca.shapes import NoFit
from transpile.diagnostics import Diagnostic, failed
from transpile.functions import version
from transpile.report import fate
from transpile.targets import Output, UnknownTarget
from transpile.upgrade import Upgrade

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.link import Stack

NESTED = "load"  # nested templates become service templates of their own
LATEST = "wallaby"
VERSIONS: Mapping[str, type[Service]] = {"1.3": Service, "2.0": Service20}
TOLD = ("HOT594", "HOT595", "HOT596", "HOT597")  # what making HOT of a template says that is true here, too


def emit(stack: Stack, options: Mapping[str, Any]) -> Output:
    """The main file first. Options: `tosca_version`; `csar`: one archive, `main.csar`; `beside`: the folder of all
    files but the main one.
    """
    wanted = options.get("tosca_version") or next(iter(VERSIONS))
    if wanted not in VERSIONS:
        raise UnknownTarget(f"There is no version {wanted} of TOSCA here. There are {' and '.join(VERSIONS)}.")
    found: list[Diagnostic] = []
    stack = modern(stack, found, {})
    archive = Archive(stack, "" if options.get("csar") else str(options.get("beside") or ""))
    kind = VERSIONS[wanted]
    inputs = {id(one): Inputs(one, nests=kind.NESTS) for one in [*archive.order, stack]}
    name = pathlib.PurePath(stack.template.source.name).stem or "template"
    try:
        services = [
            kind(one, archive.names[id(one)], archive.paths[id(one)], archive, inputs, True) for one in archive.order
        ]
        main = kind(stack, name, MAIN, archive, inputs, False)
    except TooLarge as e:
        message = "The conditions that this one names, written out, are more than anybody can read."
        return Output({}, {}, [*found, Diagnostic("HOT706", message, stack.template.source, max(e.at, 0), e.end)])
    files: dict[str, str | bytes] = {MAIN: printer.show(main.document())}
    files |= {archive.paths[id(s.stack)]: printer.show(s.document()) for s in services}
    files |= archive.files
    report = main.report()
    values = given(stack, inputs[id(stack)], report.environments, found)
    if values:
        files[f"{archive.beside}{INPUTS}"] = printer.show(values)
    body = report.as_json()
    body["modules"] = {
        archive.names[id(s.stack)]: {"source": archive.sources[id(s.stack)], "report": s.report().as_json()}
        for s in services
    }
    found += archive.found
    for service in [*services, main]:
        found += service.said()
    if options.get("csar"):
        definitions = sorted(archive.paths.values())
        return Output({"main.csar": csar(files, definitions)}, body, found)
    return Output(files, body, found)


def modern(stack: Stack, found: list[Diagnostic], done: dict[int, Stack]) -> Stack:
    """The stack with templates of the CFN era as HOT, and so those inside it."""
    if id(stack) in done:
        return done[id(stack)]
    nested = {key: dataclasses.replace(one, stack=modern(one.stack, found, done)) for key, one in stack.nested.items()}
    template = stack.template
    if not template.version.hot:
        upgrade = Upgrade(stack, version(LATEST))
        template = upgrade.run()
        if upgrade.last is not None:  # an older version has a function that this one has not got
            other = Upgrade(stack, version(upgrade.last))
            again = other.run()
            if not failed(other.sink.found):
                upgrade, template = other, again
        found += [d for d in upgrade.sink.found if d.code in TOLD]
    done[id(stack)] = dataclasses.replace(stack, template=template, nested=nested)
    return done[id(stack)]


def given(
    stack: Stack, inputs: Inputs, environments: dict[str, dict[str, Any]], found: list[Diagnostic]
) -> dict[str, Any]:
    """The values that environments and the command give, as values of inputs; hidden ones stay out of files."""
    out: dict[str, Any] = {}
    for environment in stack.environments:
        entries = environments.setdefault(environment.source.name, {})
        for section in ("parameters", "parameter_defaults"):
            for name in getattr(environment, section):
                entries[f"{section}.{name}"] = fate("implied", why="another value is in force, or nothing has the name")
        for section, named in (("resource_registry", environment.registry), ("", environment.other)):
            for name in named:
                path = f"{section}.{name}" if section else name
                entries[path] = fate("value", "metadata", f"hot.environment.{section or name}")
    for name, one in stack.given.items():
        param = stack.template.parameters.get(name)
        if param is None or one.wrong:
            continue
        entries = environments[one.environment.source.name] if one.environment is not None else {}
        if param.hidden:
            message = f"The value of {name} is hidden, and stands in no file; give it when you deploy."
            found.append(Diagnostic("HOT704", message, stack.template.source, max(param.at, 0), param.at + len(name)))
            entries[one.path] = fate("dropped", code="HOT704", why="hidden values stand in no file")
            continue
        try:
            out[name] = inputs.given(name, one.value)
        except NoFit:
            message = f"The value of {name} cannot be written as the input's type; give it when you deploy."
            found.append(Diagnostic("HOT705", message, stack.template.source, max(param.at, 0), param.at + len(name)))
            entries[one.path] = fate("dropped", code="HOT705", why="it does not have the input's type")
            continue
        entries[one.path] = fate("value", f"input.{name}", INPUTS)
    return {name: out[name] for name in inputs.all if name in out}
