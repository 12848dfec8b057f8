"""The inputs to mutate: the goldens, a template for each sample of a resource type, and random trees of nested
templates.

Invariant: the seeds and their order are the same in every run.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import marshal
from typing import Any

import yaml

from emitters.hcl.tables import tables
from tests.support import cases, random_stacks, samples

MAIN = "stack.yaml"
TREES = 60  # random trees of templates
WRITTEN = (".report.json", ".diagnostics.txt", "case.toml")  # files of goldens that are not input


@dataclasses.dataclass(frozen=True)
class Seed:
    """A template and the files beside it, by name. `texts`: as they are written; `trees`: those that are maps, as
    `marshal` has them, which copies fastest.
    """

    name: str
    texts: dict[str, str]
    trees: dict[str, bytes]
    environments: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    jinja: str = ""  # values for a Jinja2 source, as JSON

    @functools.cached_property
    def size(self) -> int:
        """The characters of all files."""
        return sum(map(len, self.texts.values()))

    def tree(self, name: str) -> Any:
        """A copy of a file's tree; None if it has none."""
        return marshal.loads(self.trees[name]) if name in self.trees else None


class Plain(yaml.CSafeLoader):
    """Dates stay texts, as Heat reads them."""


Plain.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith("timestamp")]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


def tree(text: str) -> bytes | None:
    """The map that a text holds, if it is one."""
    try:
        value = yaml.load(text, Plain)
        return marshal.dumps(value) if isinstance(value, dict) else None
    except (yaml.YAMLError, ValueError):
        return None


def seed(name: str, texts: dict[str, str], **more: Any) -> Seed:
    return Seed(name, texts, {n: packed for n, text in texts.items() if (packed := tree(text)) is not None}, **more)


def golden(case: cases.Case) -> Seed:
    texts = {}
    for path in sorted(case.folder.rglob("*")):
        inside = path.relative_to(case.folder)
        if path.is_file() and inside.parts[0] not in ("hcl", "tosca", "hot") and not path.name.endswith(WRITTEN):
            name = inside.as_posix().replace("input.", "stack.") if path == case.input else inside.as_posix()
            texts[name] = path.read_text(encoding="utf-8", errors="surrogateescape")
    main = next(name for name in texts if name.startswith("stack."))
    ordered = {main: texts.pop(main), **texts}
    environments = tuple(str(path.relative_to(case.folder)) for path in case.environments)
    jinja = json.dumps(case.options["render"]) if "render" in case.options else ""
    return seed(case.name, ordered, environments=environments, parameters=tuple(case.parameters.items()), jinja=jinja)


@functools.cache
def every() -> tuple[Seed, ...]:
    """All seeds. The first file of each is its template."""
    seeds = [golden(case) for case in cases.all_cases()]
    for kind in [name for service in tables.list_services() for name in tables.load_table(service)]:
        seeds += [seed(sample.name, {MAIN: sample.text}) for sample in samples.samples(kind)]
    for number in range(TREES):
        made = random_stacks.Tree(number).files
        seeds.append(seed(f"tree_{number}", {MAIN: made.pop(MAIN), **made}))
    return tuple(seeds)


@functools.cache
def plain() -> tuple[Seed, ...]:
    """The seeds without Jinja2, whose rendering takes a process of its own."""
    return tuple(each for each in every() if not each.jinja)
