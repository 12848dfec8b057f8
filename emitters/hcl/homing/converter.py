"""Registers the conversion of homing templates to Terraform modules."""

from __future__ import annotations

from emitters.hcl.homing import module
from transpile.homing.engine import ENGINE
from transpile.homing.summary import count_demands
from transpile.targets import Converter, Option

CONVERTER = Converter(
    module.emit_module,
    options=(ENGINE, Option("inventory", "Of homing templates: the file with the candidates.", file=True)),
    summary=count_demands,
    next_steps="cd {output} && terraform init && terraform plan",
)
