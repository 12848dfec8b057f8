"""A run has one budget, and every function that can cost something requires it."""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Iterator

import pytest

import transpile
from transpile.model import budget

ROOT = pathlib.Path(transpile.__file__).parents[1]

# Where a budget begins. The pipelines give each run one with the limits of its user, so they are not here: only a call
# without limits is searched for. These read documents that no conversion pays for, each alone.
BEGINNINGS = {
    "transpile/model/source.py": "a file that a diagnostic names, which is not read",
    "transpile/additions.py": "mapping tables of installed packages, read once in a process",
    "transpile/mapping_files.py": "texts of mapping files that were read with the budget of the run",
    "emitters/hcl/tables/user.py": "no mapping files",
    "emitters/hcl/tables/tables.py": "the place of a mistake in a table of hot2tf",
    "transpile/adopting/fleet/reading.py": "an export that an earlier run kept",
    "transpile/adopting/fleet/templates.py": "a template of a repository that is compared with a running stack",
    "transpile/adoption/release.py": "a stored template that was read before",
    "transpile/call_sites/yaml_texts.py": "a file that may call Heat",
    "transpile/checking/baseline.py": "a baseline",
    "transpile/adopting/inputs.py": "a file of exports, which are read one by one",
    "transpile/cli/capability_search.py": "a template or an environment that may declare capabilities",
    "transpile/cli/commands/convert.py": "what kind of document a file is",
    "transpile/initialization/files.py": "a configuration that was just written",
    "transpile/migrate/bundle.py": "a nested template that travels with others",
    "transpile/migrate/calls.py": "the names in a template that was converted",
    "transpile/plugins/build.py": "the build of the catalog",
    "transpile/plugins/build_physical_ids.py": "the build of the catalog",
    "transpile/plugins/dump.py": "a tool of its own",
    "transpile/plugins/reader.py": "the places of names in a setup.cfg",
    "transpile/repository/command_lines.py": "a task of Ansible",
    "transpile/schema/properties.py": "a scalar that is the default of a property without a pattern",
    "transpile/repository/contents.py": "what a file of a repository is",
    "transpile/repository/plan_file.py": "a plan file",
    "transpile/cli/differences.py": "a text whose hidden values are found",
    "transpile/settings/finder.py": "a configuration",
    "transpile/text/jinja.py": "values for Jinja2",
    "transpile/text/output.py": "a file of Terraform beside the output",
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for package in ("transpile", "emitters", "grammars"):
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))


def is_new_budget(node: ast.AST | None) -> bool:
    """Whether a node is `Budget()`: a call without limits."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Budget" and not node.args


def test_no_function_makes_a_budget_where_a_run_has_one() -> None:
    """A default would give every call limits of its own, so that no limit bounds the run."""
    beginnings = {name for name, tree in modules() if any(map(is_new_budget, ast.walk(tree)))}
    assert beginnings == {*BEGINNINGS}


def test_no_budget_is_a_default() -> None:
    defaults = []
    for name, tree in modules():
        for node in ast.walk(tree):
            values = list[ast.expr | None]()
            if isinstance(node, ast.arguments):
                values += [*node.defaults, *node.kw_defaults]
            elif isinstance(node, ast.BoolOp):
                values += node.values
            defaults += [f"{name}:{value.lineno}" for value in values if is_new_budget(value) and value is not None]
    assert defaults == []


@pytest.mark.parametrize("number", [1, 5, 40])
@pytest.mark.parametrize("options", [{}, {"tests": "true"}])
def test_all_patterns_of_a_run_are_paid_from_one_budget(
    number: int, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparisons of a run take no longer than the limit, however many parameters have a slow pattern."""
    spent = list[budget.Budget]()
    make = budget.Budget.__init__

    def record(self: budget.Budget, *limits: object, **named: object) -> None:
        make(self, *limits, **named)  # type: ignore[arg-type]
        spent.append(self)

    monkeypatch.setattr(budget.Budget, "__init__", record)
    parameters = "".join(
        f"  p{i}: {{type: string, default: {'a' * 40}{i}!, constraints: [{{allowed_pattern: '^(a|a)*{i}$'}}]}}\n"
        for i in range(number)
    )
    outputs = "".join(f"  o{i}: {{value: {{get_param: p{i}}}}}\n" for i in range(number))
    text = f"heat_template_version: 2018-08-31\nparameters:\n{parameters}outputs:\n{outputs}"
    result = transpile.convert(text, options=options, limits={"patterns": 60})
    assert [d.code for d in result.diagnostics if d.code == "HOT119"]
    part = 60 / 3  # one comparison may begin when the budget is nearly used up
    assert sum(each.spent["patterns"] for each in spent) <= 60 + part + 40
