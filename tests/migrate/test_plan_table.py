"""The table of a plan: complete, and no wider than 100 columns."""

from __future__ import annotations

import pathlib

from tests.repository.trees import env, hot, tree
from transpile.migrate.plan_table import WIDTH, render_plan_table
from transpile.repository.plan import MigrationPlan, StackPlan
from transpile.repository.survey import survey_tree


def test_a_small_plan(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path,
        {
            "site/web.yaml": hot("a", x="lib/server.yaml", y="lib/disk.yaml"),
            "site/web-prod.env": env("a"),
            "site/web-dev.env": env("a"),
            "site/db.yaml": hot(x="lib/server.yaml"),
            "site/lib/server.yaml": hot(),
            "site/lib/disk.yaml": hot(),
            "net.yaml": hot(),
            "old/x.yaml": hot(),
            "lost.env": env("q"),
            "site/up.sh": "openstack stack create -t db.yaml db\n",
            "deploy-network-of-europe.sh": "openstack stack create -t net.yaml net\n",
        },
    )
    assert (
        render_plan_table(survey_tree(src, ["old/"]))
        == """\
Stacks: 4

./
  net                            net.yaml                           command line in
                                                                    deploy-network-of-europe.sh:1,
                                                                    which has no environment

site/
  db                             db.yaml                            command line in up.sh:1, which
                                                                    has no environment
  web/dev                        web.yaml                           its environment has its name and
                                 -e web-dev.env                     its parameters
  web/prod                       web.yaml                           its environment has its name and
                                 -e web-prod.env                    its parameters

Nested templates: 2

  site/lib/disk.yaml                                           used by ../web.yaml
  site/lib/server.yaml                                         used by 2 files

In no stack: 1

  lost.env                                                     an environment that no template was
                                                               found for

Left out by patterns:

  old/
"""
    )


def test_nothing_is_cut_off() -> None:
    long = "a-very-long-name" * 12
    stack = StackPlan(f"{long}/{long}.yaml", (f"other/{long}.env",), name="x", output=f"{long}/{long}", why=long * 3)
    table = render_plan_table(MigrationPlan((stack,), {long: (long, long)}, {f"{long}.env": long}))
    assert max(map(len, table.splitlines())) <= WIDTH
    together = "".join(table.split())
    assert together.count("name") >= 12 * 10


def test_an_empty_plan() -> None:
    assert render_plan_table(MigrationPlan()) == "Stacks: 0\n"
