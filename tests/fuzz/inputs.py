"""Makes the inputs of the fuzzer: seed and number give always the same one.

Invariant: nothing depends on the order of a set or on the clock.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from emitters.hcl.tables import tables
from tests.fuzz import call_sites, options, placements, seeds, text_mutations, values
from tests.fuzz.case import EDITOR, LIBRARY, Case, File
from tests.fuzz.mutations import Mutator, copied
from tests.fuzz.values import Names
from transpile.diagnostics import registry
from transpile.diagnostics.render import FORMS

TARGETS = ("hcl", "hcl", "hcl", "tosca", "hot")
PREFER = ("faithful", "native", "provisioners")
SPELLINGS = ("lines", "lines", "flow", "json")
TIMES = (1, 1, 1, 2, 2, 3, 5, 10)
GENTLE = 0.7  # the share of mutated trees of which only values change
WHOLE = 0.25  # the share of inputs whose files are as they were: the options make the difference
SMALL = 0.6  # the share of inputs that are made of the smallest of three seeds
JINJA = 0.001  # the share of inputs that are rendered, which takes a process of its own
ENVIRONMENT = "fuzz.env.yaml"
VALUES = "values.yaml"  # of Jinja2 sources


def make(seed: int, number: int) -> Case:
    """The input of that number."""
    rng = random.Random(f"{seed}:{number}")
    return options.add_options(rng, rng.choices(COMMANDS, WEIGHTS)[0](rng))


def some_files(rng: random.Random, *, jinja: bool = False) -> tuple[seeds.Seed, dict[str, File], str]:
    """A seed, its files, one or more of them mutated, and the name of its template."""
    every = seeds.every() if jinja else seeds.plain()
    seed = rng.choice([candidate for candidate in every if candidate.jinja] if jinja else every)
    if not jinja and rng.random() < SMALL:  # most faults need little, and small inputs run in a fraction of the time
        seed = min(seed, rng.choice(every), rng.choice(every), key=lambda candidate: candidate.size)
    files = {name: File(text=text) for name, text in seed.texts.items()}
    main = next(iter(files))
    if rng.random() < WHOLE:
        return seed, files, main
    chosen = [main] if len(files) == 1 or rng.random() < 0.7 else rng.sample(list(files), rng.randint(1, len(files)))
    for name in chosen:
        files[name] = mutated(rng, seed, name)
    return seed, files, main


def mutated(rng: random.Random, seed: seeds.Seed, name: str) -> File:
    """A file of a seed, with mutations of its structure or of its text."""
    tree = seed.tree(name)
    donor = rng.choice(seeds.plain())
    donors = donor.tree(next(iter(donor.trees))) if donor.trees else {}
    if tree is not None and rng.random() < 0.85:
        mutator = Mutator(rng, tree, donors, tuple(seed.texts))
        tree = mutator.bend(rng.choice(TIMES)) if rng.random() < GENTLE else mutator.mutate(rng.choice(TIMES))
        file = File(tree, rng.choice(SPELLINGS))
        if rng.random() < 0.95:
            return file
        return File(text=text_mutations.mutate(rng, file.content(), 1))
    text = text_mutations.mutate(rng, seed.texts[name], rng.choice(TIMES))
    if rng.random() < 0.1:
        return File(data=text_mutations.in_bytes(rng, text.encode("utf-8", "surrogatepass")))
    return File(text=text)


def environment(rng: random.Random, seed: seeds.Seed, files: dict[str, File]) -> list[str]:
    """Arguments with an environment and values of parameters, for a share of the inputs."""
    argv: list[str] = []
    for name in seed.environments:
        argv += ["-e", name]
    for key, value in seed.parameters:
        argv += ["--parameter", f"{key}={value}"]
    main = next(iter(files.values()))
    names = Names(main.tree)
    if rng.random() < 0.25:
        tree: dict[str, Any] = {
            "parameters": {name: rng.choice(ENTRIES) for name in names.parameters},
            "parameter_defaults": {rng.choice(names.parameters): rng.choice(ENTRIES)},
            "resource_registry": dict(rng.choice(REGISTRY) for _ in range(rng.randint(0, 4))),
            "parameter_merge_strategies": {rng.choice(names.parameters): rng.choice(("merge", "deep_merge", "x"))},
            "encrypted_param_names": [rng.choice(names.parameters)],
            "event_sinks": [{"type": "zaqar-queue", "target": "a"}],
            "requires": {"a": ["b"]},
        }
        for section in list(tree):
            if rng.random() < 0.5:
                del tree[section]
        tree = Mutator(rng, copied(tree), main.tree).mutate(rng.choice((0, 1, 2)))
        file = File(tree, rng.choice(SPELLINGS))
        if rng.random() < 0.1:
            file = File(text=text_mutations.mutate(rng, file.content(), 1))
        files[ENVIRONMENT] = file
        argv += ["-e", ENVIRONMENT]
    if rng.random() < 0.15:
        value = rng.choice(values.SCALARS)
        argv += ["--parameter", f"{rng.choice(names.parameters)}={value if isinstance(value, str) else spoken(value)}"]
    return argv


def spoken(value: Any) -> str:
    """A value as somebody would type it."""
    return "9" * 400 if isinstance(value, int) and abs(value) > 10**399 else str(value)


ENTRIES: tuple[Any, ...] = (*values.SCALARS, *values.COLLECTIONS, *values.NUMBERS)
REGISTRY: tuple[tuple[str, Any], ...] = (
    *(("OS::Nova::Server", "stack.yaml"), ("OS::Nova::*", "part.yaml"), ("OS::*", "OS::X::*"), ("*", "OS::Heat::None")),
    *(("OS::Neutron::Net", "OS::Neutron::Router"), ("OS::Heat::Value", ""), ("OS::Custom::Thing", "OS::Heat::None")),
    *(("resources", {"r0": {"hooks": "pre-create"}}), ("resources", {"r*": {"OS::Cinder::Volume": "OS::Heat::None"}})),
    *(("A*", "AA*"), ("AA*", "A*"), ("OS::Heat::ResourceGroup", "stack.yaml"), ("", ""), ("resources", None)),
    *(("OS::Cinder::Volume", {"x": "y"}), ("OS::Cinder::Volume", 7), ("OS::Keystone::Project", "http://h/x.yaml")),
)


def shared(rng: random.Random) -> list[str]:
    """Options of convert and check."""
    argv = []
    if rng.random() < 0.1:
        argv.append("--strict")
    if rng.random() < 0.3:
        argv += ["--diagnostics", rng.choice(FORMS)]
    if rng.random() < 0.05:
        argv += ["--root", rng.choice((".", "..", "nowhere", ""))]
    if rng.random() < 0.03:
        argv += ["--allow", rng.choice((".", "..", "http://h.invalid/x", "", "\x00"))]
    return argv


def convert(rng: random.Random) -> Case:
    jinja = rng.random() < JINJA
    seed, files, main = some_files(rng, jinja=jinja)
    argv = ["convert", "--to", rng.choice(TARGETS), *shared(rng)]
    argv += ["-o", rng.choice(("out", "out", "out", "-"))]
    if seed.jinja:
        argv += ["--render", VALUES]
        files[VALUES] = File(text=seed.jinja)
    if argv[2] == "hcl" and rng.random() < 0.4:
        argv += ["--prefer", rng.choice(PREFER)]
    if argv[2] == "hot" and rng.random() < 0.3:
        argv += ["--hot-version", rng.choice(("2013-05-23", "2016-10-14", "2021-04-16", "rocky", "x"))]
    if argv[2] == "tosca" and rng.random() < 0.5:
        argv += ["--tosca-version", rng.choice(("1.3", "2.0"))]
        argv += ["--csar"] if rng.random() < 0.1 else []
    if rng.random() < 0.3:
        argv += ["--report", "report.json"]
    argv += environment(rng, seed, files)
    if rng.random() < 0.03:
        return Case([*argv, "-"], files, main)
    return Case([*argv, main], files)


def library(rng: random.Random) -> Case:
    """A call of the library with a text, which may have characters that no file has."""
    seed, files, main = some_files(rng)
    argv = [LIBRARY, rng.choice(TARGETS), *environment(rng, seed, files)]
    return Case([*argv, main], files)


def check(rng: random.Random) -> Case:
    seed, files, main = some_files(rng)
    argv = ["check", *shared(rng)] + (["--level", "create"] if rng.random() < 0.3 else [])
    argv += rng.choice(((), (), (), ("--diff",), ("--color", "always"), ("-v",)))
    argv += environment(rng, seed, files)
    return Case([*argv, "."] if rng.random() < 0.3 else [*argv, main], files)


def fmt(rng: random.Random) -> Case:
    seed, files, main = some_files(rng)
    argv = ["fmt", *rng.choice(((), (), ("--check",), ("--diff",), ("--check", "--diff")))]
    environment(rng, seed, files)
    roll = rng.random()
    if roll < 0.1:
        return Case([*argv, "-"], files, main)
    if ENVIRONMENT in files and roll < 0.6:
        return Case([*argv, ENVIRONMENT], files)
    return Case([*argv, "." if roll < 0.2 else main], files)


def migrate(rng: random.Random) -> Case:
    """A repository: one or two seeds with their files, some of them in other directories."""
    seed, files, _ = some_files(rng)
    environment(rng, seed, files)
    source_files = {f"src/{name}": file for name, file in files.items()}
    if rng.random() < 0.3:
        source_files |= {f"src/more/{name}": file for name, file in some_files(rng)[1].items()}
    if rng.random() < 0.3:
        source_files["src/hot2tf-migrate.yaml"] = File(text=text_mutations.mutate(rng, PLAN, rng.choice((0, 1, 2, 3))))
    calls: list[str] = []
    if rng.random() < 0.5:
        source_files |= call_sites.files(rng)
        calls = rng.choice((["--calls"], ["--calls"], ["--calls", "--patch", "calls.diff"]))
    if rng.random() < 0.2:
        argv = ["migrate", "--plan", "src"]
    else:
        argv = ["migrate", "src", "out", "--jobs", "1", "--progress", "none", "--report", "report.json"]
        argv += ["--to", rng.choice(TARGETS), *calls]
        for option, name in (("--html", "page.html"), ("--sarif", "log.sarif"), ("--summary", "summary.txt")):
            argv += [option, name] if rng.random() < 0.2 else []
    return Case(argv, source_files)


PLAN = """\
format: 1
ignore:
  - /attic/
  - '*.x'
stacks:
  - template: stack.yaml
    environments: [fuzz.env.yaml]
    parameters:
      s: x
      j: '["a"]'
    options:
      prefer: native
    name: a b
    output: production/web
  - template: part_0.yaml
    render:
      nodes: [a, b]
"""


def init(rng: random.Random) -> Case:
    """A repository that has no configuration yet, with other files that CI reads in some."""
    seed, files, _ = some_files(rng)
    environment(rng, seed, files)
    for name in (".gitlab-ci.yml", ".pre-commit-config.yaml", "hot2tf-migrate.yaml", "hot2tf.toml"):
        if rng.random() < 0.1:
            files[name] = File(text=text_mutations.mutate(rng, PLAN, rng.choice((0, 1))))
    return Case(["init", *(["."] if rng.random() < 0.3 else [])], files)


def capabilities(rng: random.Random) -> Case:
    seed, files, main = some_files(rng)
    environment(rng, seed, files)
    tree = files[main].tree
    if isinstance(tree, dict):
        tree["capabilities"] = rng.choice(
            ({"a": rng.choice(values.SCALARS), "type": rng.choice(values.TEXTS)}, *values.COLLECTIONS)
        )
    more = ["-e", ENVIRONMENT] if ENVIRONMENT in files and rng.random() < 0.5 else []
    if rng.random() < 0.5:
        return Case(["capabilities", "summary", *more, main], files)
    return Case(["capabilities", "find", "-c", "a=b", main], files)


def adopt(rng: random.Random) -> Case:
    """An export with a mutated template, or with resources that do not fit it."""
    if rng.random() < 0.3:
        return golden_adopt(rng)
    seed, files, main = some_files(rng)
    tree = files[main].tree if isinstance(files[main].tree, dict) else {}
    section = tree.get("resources")
    names = section if isinstance(section, dict) else {}
    resources: dict[str, Any] = {
        str(name): {"type": resource.get("type"), "resource_id": f"id-{i}", "action": "CREATE", "status": "COMPLETE"}
        for i, (name, resource) in enumerate(names.items())
        if isinstance(resource, dict) and rng.random() < 0.95
    }
    export: dict[str, Any] = {
        **{"name": "stack", "id": "s-1", "action": "CREATE", "status": "COMPLETE", "project_id": "p", "tags": []},
        **{"environment": {"parameters": dict(seed.parameters)}, "template": tree, "resources": resources},
        "files": {
            f"file:///{name}": file.content() for name, file in files.items() if name != main and file.data is None
        },
    }
    if rng.random() < 0.3:
        export = Mutator(rng, copied(export), {}).mutate(rng.choice((1, 2)))
    file = File(export, "json")
    if rng.random() < 0.1:
        file = File(text=text_mutations.mutate(rng, file.content(), 1))
    if rng.random() < 0.15:  # the template of a repository takes the place of Heat's
        own = environment(rng, seed, files)
        argv = ["adopt", "--template", main, *(own if "--parameter" not in own else ()), "export.json", "-o", "out"]
        return Case(argv, {**files, "export.json": file})
    return Case(["adopt", "export.json", "-o", "out"], {"export.json": file})


def golden_adopt(rng: random.Random) -> Case:
    """A mutated export of the goldens, which is closer to Heat's own exports."""
    text = rng.choice(options.exports())
    if rng.random() < 0.8:
        tree = json.loads(text)
        file = File(Mutator(rng, tree, tree).mutate(rng.choice(TIMES)), "json")
    else:
        file = File(text=text_mutations.mutate(rng, text, rng.choice(TIMES)))
    return Case(["adopt", "export.json", "-o", "out"], {"export.json": file})


def graph(rng: random.Random) -> Case:
    seed, files, main = some_files(rng)
    argv = ["graph", "-o", rng.choice(("out", "-")), *environment(rng, seed, files)]
    return Case([*argv, main], files)


def convert_placement(rng: random.Random) -> Case:
    """A homing template as any target writes it."""
    made = placements.home(rng)
    argv = ["convert", "--to", rng.choice(("hcl", "tosca", "homing", "graph", "hot")), "-o", "out"]
    argv += ["--inventory", made.argv[3]] if rng.random() < 0.5 else []
    return Case([*argv, "placement.yaml"], made.files)


def editor(rng: random.Random) -> Case:
    """A document in an editor, with a few places of the cursor, as shares of its length."""
    if rng.random() < 0.1:
        made = placements.home(rng)
        return Case([EDITOR, str(rng.random()), "placement.yaml"], made.files)
    seed, files, main = some_files(rng)
    environment(rng, seed, files)
    if ENVIRONMENT in files and rng.random() < 0.3:
        main = ENVIRONMENT
    return Case([EDITOR, *(str(rng.random()) for _ in range(3)), main], files)


def types(rng: random.Random) -> Case:
    kinds = [name for service in tables.list_services() for name in tables.load_table(service)]
    name = rng.choice((rng.choice(kinds), rng.choice(kinds)[rng.randint(0, 8) :], rng.choice(values.TEXTS)))
    return Case(["types", "--", name], {})


def explain(rng: random.Random) -> Case:
    if rng.random() < 0.5:
        return configuration(rng)
    return Case(["explain", "--", rng.choice((*registry.list_codes(), *values.TEXTS))], {})


def completion(rng: random.Random) -> Case:
    """A line at whose end somebody presses the tab key."""
    words = (*(word for make in (convert, check, types) for word in make(rng).argv), *values.TEXTS, "--", "-", "'", '"')
    line = " ".join(rng.choice(words) for _ in range(rng.randint(1, 6)))
    return Case(["completion", rng.choice(("bash", "zsh", "fish")), "--", f"hot2tf {line}"], {})


def configuration(rng: random.Random) -> Case:
    """A mutated configuration beside a template with comments that ignore findings."""
    _, files, main = some_files(rng)
    text = text_mutations.mutate(rng, CONFIGURATION, rng.choice(TIMES))
    lines = files[main].content().split("\n")
    for _ in range(rng.randint(0, 4)):
        comment = text_mutations.mutate(rng, rng.choice(COMMENTS), rng.choice((0, 0, 1)))
        at = rng.randrange(len(lines))
        lines[at] = rng.choice((f"{lines[at]}  {comment}", f"{comment}\n{lines[at]}", f"  {comment}\n{lines[at]}"))
    if files[main].data is None:
        files[main] = File(text="\n".join(lines))
    files["hot2tf.toml"] = File(text=text)
    argv = rng.choice((["config", main], ["config", "--json"], ["check", main], ["check", "."], ["fmt", "--diff", "."],
                       ["convert", main, "-o", "out"], ["migrate", "--plan", "."]))  # fmt: skip
    return Case(argv, files)


CONFIGURATION = """\
select = ["ALL"]  # all
ignore = ["HOT6", "HOT411"]
exclude = ["attic/", "!a*.yaml"]
limits = {steps = 1_000, values = 100}
to = "hcl"
root = "."
allow = ['.']
[severity]
HOT5 = "error"
[per-file-ignores]
"*.yaml" = ["HOT3", "HOT450"]
[options]
cfn_init = "tools"
[[overrides]]
paths = ["**/*.yaml"]
plugin-types = ["A*"]
parameters.a = [1, {b = 1979-05-27T07:32:00Z}]
[[overrides]]
paths = ["x"]
description = \"\"\"
x\"\"\"
"""
COMMENTS = (
    "# hot2tf: ignore HOT601",
    "# hot2tf: ignore HOT601, HOT450 -- why",
    "# hot2tf: ignore-file HOT301",
    "# hot2tf: ignore",
    "#hot2tf:ignore HOT9999 HOT101",
)


COMMANDS: tuple[Callable[[random.Random], Case], ...] = (
    *(convert, library, check, fmt, capabilities, types, explain, migrate, init, placements.home, adopt, completion),
    *(graph, convert_placement, editor),
)
WEIGHTS = (42, 12, 15, 12, 5, 2, 2, 5, 1, 6, 10, 1, 7, 3, 4)
