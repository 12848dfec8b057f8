"""Plans a directory on the schema provider's empty cloud, with invented values for the variables that need one.

Everything that a service computes is unknown at plan, as in a real cloud before the first apply.
"""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.support import oracles

BY_NAME = (  # by a pattern for the variable's name: a value that suits most properties called so
    ("public_key|ssh_key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINLzr1HkrQVdzVJ8mgNm8xY8jyYyKZhvXyxpoGlJBcdm x"),
    ("start", "10.55.0.100"),
    ("(?<![a-z])end", "10.55.0.200"),
    ("cidr|prefix$", "10.55.0.0/24"),
    ("gateway|_ip$|^ip|address", "10.55.0.9"),
    ("dns", "192.0.2.53"),
    ("port$|vlan|segmentation", "100"),
    ("size|count|number|index", "2"),
    ("mac", "fa:16:3e:00:00:01"),
)
TEXTS = (  # tried in turn against a pattern
    *("invented", "10.55.0.9", "10.55.0.0/24", "12345678-1234-1234-1234-123456789abc", "abcDEF123", "2", "A1b2C3d4"),
    *("fa:16:3e:00:00:01", "a.example.com.", "user@example.com", "http://example.com", "ab", "100", "1:30"),
)


def refused(where: pathlib.Path) -> str:
    """The errors of `terraform init`, `validate` and `plan`; empty if the plan succeeds."""
    set_already = where / "terraform.tfvars"
    tfvars = set_already.read_text(encoding="utf-8") if set_already.exists() else ""
    values = invented_values(text_of(where), tfvars)
    (where / "invented.auto.tfvars.json").write_text(json.dumps(values), encoding="utf-8")
    if errors := oracles.invalid(where):
        return json.dumps(errors, indent=1)
    done = oracles.terraform(where, "plan", "-input=false", "-lock=false")
    return done.stdout + done.stderr if done.returncode else ""


def refused_together(where: pathlib.Path, names: Sequence[str]) -> str:
    """The errors for some folders of a directory, which become modules of one root: terraform starts once for all."""
    values = write_root_of_modules(where, names)
    (where / "terraform.tfvars.json").write_text(json.dumps(values), encoding="utf-8")
    return refused(where)


def write_root_of_modules(where: pathlib.Path, names: Sequence[str]) -> dict[str, Any]:
    """Writes a root that calls some folders of a directory as modules. Returns values for its variables."""
    root: list[str] = []
    values: dict[str, Any] = {}
    for name in names:
        of_module = invented_values(text_of(where / name), "")
        values |= {f"{name}_{variable}": value for variable, value in of_module.items()}
        root += [f'variable "{name}_{variable}" {{}}' for variable in of_module]
        arguments = "".join(f"  {variable} = var.{name}_{variable}\n" for variable in of_module)
        root.append(f'module "{name}" {{\n  source = "./{name}"\n{arguments}}}')
    (where / "main.tf").write_text("\n".join(root), encoding="utf-8")
    return values


def text_of(where: pathlib.Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted(where.glob("*.tf")))


def invented_values(text: str, tfvars: str) -> dict[str, Any]:
    """Values for the variables of a configuration that have none."""
    values = {
        name: invented(name, body)
        for name, body in variables(text)
        if not re.search(r"(?m)^  default\s*=", body) and not re.search(rf"(?m)^{name}\s*=", tfvars)
    }
    every = [item for value in values.values() for item in (value if isinstance(value, list) else [value])]
    texts = {item for item in every if isinstance(item, str)}
    for name, body in variables(text):
        if name in values and re.search(r"(?m)^  type\s*=\s*map\(string\)", body):
            keys = texts | set(re.findall(rf'var\.{name}\["([^"]+)"\]', text))
            values[name] = dict.fromkeys(sorted(keys), text_for(name, ""))
    return values


def variables(text: str) -> Iterator[tuple[str, str]]:
    """The names and bodies of variables."""
    for match in re.finditer(r'(?ms)^variable "([^"]+)" \{\n(.*?)^\}', text):
        yield match[1], match[2]


def invented(name: str, body: str) -> Any:
    """A value of a variable's type that its validations accept."""
    kind = match[1] if (match := re.search(r"(?m)^  type\s*=\s*(\S+)", body)) else "string"
    if allowed := re.search(r"contains\(\[\s*(.*?)[,\]]", body, re.DOTALL):
        return json.loads(allowed[1])
    if kind == "number":
        limit = re.search(r"var\.\w+ [<>]= (-?\d+)", body)
        return int(limit[1]) if limit else 2
    if kind == "bool":
        return False
    if kind.startswith(("list", "set")):
        return [text_for(name, "")]
    return {} if kind.startswith(("map", "object", "any")) else text_for(name, body)


def text_for(name: str, body: str) -> str:
    value = next((value for pattern, value in BY_NAME if re.search(pattern, name.lower())), TEXTS[0])
    if pattern := re.search(r'regex\("((?:[^"\\]|\\.)*)", var', body):
        accepts = json.loads(f'"{pattern[1]}"')
        value = next((text for text in (value, *TEXTS) if re.search(accepts, text)), value)
    if least := re.search(r"length\(var\.\w+\) >= (\d+)", body):
        value = value.ljust(int(least[1]), "x")
    if most := re.search(r"length\(var\.\w+\) <= (\d+)", body):
        value = value[: int(most[1])]
    return value
