"""The tests that `convert --tests` writes pass as they are, and fail when somebody breaks their subject."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.adoption.test_adopt_golden import CASES, SECRETS, adopted
from tests.proof.stacks import FILE, SHOP, failed_runs, failures, with_tests
from tests.support import oracles
from tests.support.cases import Case, all_cases
from tests.support.examples import sampled

MUTATIONS = {  # faults that somebody might make: a file, the old text, the new one
    "a default": ("variables.tf", '"m1.small"\n', '"m1.medium"\n'),
    "a number": ("variables.tf", "default = 2", "default = 3"),
    "a limit": ("variables.tf", "var.size <= 4", "var.size <= 5"),
    "an allowed value": ("variables.tf", '["m1.small", "m1.large"]', '["m1.small", "m1.large", "not-m1.small"]'),
    "a condition": ("locals.tf", "= var.public", "= !var.public"),
    "a comparison": ("locals.tf", '== "m1.large"', '!= "m1.large"'),
    "a count": ("main.tf", "count = local.is_public ? 1 : 0", "count = 0"),
    "a branch": ("locals.tf", '? "m1.xlarge"', '? "m1.xxlarge"'),
    "an index": ("main.tf", "var.labels[1]", "var.labels[0]"),
    "an index of what is known later": ("main.tf", "all_fixed_ips[0]", "all_fixed_ips[1]"),
    "a reference": (
        "main.tf",
        "network_id = openstack_networking_network_v2.net.id\n  cidr",
        "network_id = openstack_networking_network_v2.other.id\n  cidr",
    ),
    "a name": ("main.tf", '"w${count.index}"', '"w${count.index + 1}"'),
    "a text": ("main.tf", "listen $", "listens $"),
    "a reference in an output": (
        "outputs.tf",
        "openstack_networking_network_v2.net.id",
        "openstack_networking_network_v2.other.id",
    ),
    "an output": ("outputs.tf", '"none"', '"nothing"'),
}


@oracles.needs_providers
@pytest.mark.parametrize("case", sampled(all_cases(), 36), ids=lambda c: c.name)
def test_the_tests_of_goldens_pass(case: Case, tmp_path: pathlib.Path) -> None:
    done = case.convert(tests=True, test_runs="all")
    assert done.ok
    if not any("runs" in test for test in done.report["tests"].values()):
        pytest.skip("; ".join(f"{name}: {test['why']}" for name, test in done.report["tests"].items()))
    assert failures(done.files, tmp_path) == ""


@pytest.mark.long
@oracles.needs_providers
@pytest.mark.parametrize("name", CASES)
def test_the_tests_of_an_adoption_pass(name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests leave out the blocks that import running objects, which mocks cannot do."""
    for variable, value in SECRETS.items():
        monkeypatch.setenv(variable, value)
    done = adopted(name, tests=True, test_runs="all")
    if name == "unanswered":
        assert done.report["tests"] == {FILE: {"why": "an import has no ID yet"}}
    else:
        assert failures(done.files, tmp_path) == ""


@oracles.needs_providers
def test_the_tests_of_a_shop_pass(tmp_path: pathlib.Path) -> None:
    assert failures(with_tests(SHOP).files, tmp_path) == ""


@oracles.needs_providers
@pytest.mark.parametrize("fault", sampled(MUTATIONS, 5))
def test_a_broken_module_fails(fault: str, tmp_path: pathlib.Path) -> None:
    """One change of the files, as a person would make it by mistake, makes at least one run fail."""
    files = dict(with_tests(SHOP).files)
    name, old, new = MUTATIONS[fault]
    text = str(files[name])
    assert text.count(old) >= 1, text
    files[name] = text.replace(old, new, 1)
    del files[".hot2tf.json"]
    printed = failures(files, tmp_path)
    assert failed_runs(printed), printed


@oracles.needs_terraform
def test_terraform_fmt_has_nothing_to_change(tmp_path: pathlib.Path) -> None:
    """Terraform starts once for all cases."""
    written = 0
    for case in all_cases():
        for name, content in case.convert(tests=True, test_runs="all").files.items():
            if name.endswith(".tftest.hcl"):
                (tmp_path / case.name).mkdir(exist_ok=True)
                (tmp_path / case.name / name.rpartition("/")[2]).write_text(str(content), encoding="utf-8")
                written += 1
    assert written > 100
    assert oracles.unformatted(tmp_path) == ""


def test_most_goldens_have_tests() -> None:
    """Of the cases that have a native resource, nearly all have assertions."""
    native = [case.convert(tests=True, test_runs="all") for case in all_cases()]
    with_native = [d for d in native if any(r["treatment"] == "native" for r in d.report["resources"].values())]
    with_tests = [d for d in with_native if "runs" in d.report["tests"].get(FILE, {})]
    assert len(with_tests) >= 0.85 * len(with_native)


def test_the_same_text_gives_the_same_tests() -> None:
    assert with_tests(SHOP).files == with_tests(SHOP).files
    assert FILE not in transpile.convert(SHOP).files
