"""Homing templates as modules of one Terraform directory, so that one run of terraform computes the choices of many."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import transpile
from tests.support import oracles
from transpile.text.manifest import MANIFEST

Case = tuple[str, str, Any]  # a name, the template, the inventory


def directory(where: pathlib.Path, cases: Sequence[Case], engine: str = "") -> Mapping[str, transpile.Conversion]:
    """Writes the modules, and a root that calls each with the values of its terraform.tfvars. `engine`: the option."""
    done: dict[str, transpile.Conversion] = {}
    for name, template, inventory in cases:
        conversion = done[name] = transpile.convert(
            template, to="hcl", options={"inventory": inventory} | ({"engine": engine} if engine else {})
        )
        if not conversion.ok:
            continue
        folder = where / name
        folder.mkdir(parents=True)
        for file, content in conversion.files.items():
            if file != MANIFEST and file != "terraform.tfvars":
                (folder / file).write_text(str(content), encoding="utf-8")
        values = str(conversion.files["terraform.tfvars"])
        call = f'module "{name}" {{\n  source = "./{name}"\n{values}\n}}\n'
        call += f'output "{name}" {{\n  value = module.{name}\n}}\n'
        (where / f"{name}.tf").write_text(call, encoding="utf-8")
    return done


def chosen(where: pathlib.Path) -> Mapping[str, Any]:
    """The outputs of all modules of a directory; of one whose precondition fails the message."""
    oracles.run(where, "init", "-input=false")
    names = {path.stem for path in where.glob("*.tf")}
    done = oracles.terraform(where, "plan", "-input=false", "-json")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    failed: dict[str, str] = {}
    for line in lines:
        diagnostic = line.get("diagnostic") or {}
        if diagnostic.get("severity") != "error":
            continue
        place = diagnostic["range"]["filename"].split("/")[0]
        assert place in names, line
        failed[place] = diagnostic["detail"]
    for name in failed:
        (where / f"{name}.tf").unlink()  # the others again, without these
    outputs: dict[str, Any] = dict(failed)
    if len(failed) < len(names):
        outputs |= oracles.outputs(where)
    return outputs
