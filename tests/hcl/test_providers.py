"""`required_providers` names the providers of a directory and of the modules that it calls, and no others.

Without an entry, terraform takes `openstack` for `hashicorp/openstack`, which does not exist: the first provider block
that an owner adds to a root that only calls modules would send `terraform init` to it.
"""

from __future__ import annotations

import pathlib
import posixpath
import re
from collections.abc import Mapping

import pytest

import transpile
from tests.support import conversions, oracles, random_stacks
from tests.support.cases import Case, template_cases
from tests.support.files import write_files

HOT = "heat_template_version: 2021-04-16\n"
CASES = [case for case in template_cases() if "hcl" in case.targets]
BUILT_IN = "terraform"  # the provider of terraform_data
LEAF = """
parameters: {name: {type: string}}
resources: {net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}}
"""
OUTPUT = "outputs: {net: {value: {get_resource: net}}}\n"
MIDDLE = """
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: leaf.yaml, properties: {name: 'net-%index%'}}}
outputs: {nets: {value: {get_attr: [group, net]}}}
"""
ROOT = "resources: {middle: {type: middle.yaml}}\n"


def required(text: str) -> set[str]:
    """The names in the block `required_providers`."""
    return set(re.findall(r"^    (\S+) += \{", text, re.M))


def used(files: Mapping[str, str | bytes], folder: str) -> set[str]:
    """The providers of the blocks in a folder, and of the modules that it calls."""
    names = set[str]()
    for path, text in files.items():
        if posixpath.dirname(path) == folder and path.endswith(".tf") and isinstance(text, str):
            names.update(re.findall(r'^(?:resource|data) "([^_"]+)_', text, re.M))
            names.update(re.findall(r'^provider "([^"]+)"', text, re.M))
            for source in re.findall(r'^  source +?= "(\.[^"]+)"$', text, re.M):
                names |= used(files, posixpath.normpath(posixpath.join(folder, source)))
    return names - {BUILT_IN}


def assert_exact(files: Mapping[str, str | bytes]) -> None:
    """Each directory requires exactly the providers that it uses."""
    folders = {posixpath.dirname(path) for path in files if path.endswith("versions.tf")}
    assert folders
    wrong = {
        folder: (required(text), used(files, folder))
        for folder in sorted(folders)
        if isinstance(text := files[posixpath.join(folder, "versions.tf")], str)
        and required(text) != used(files, folder)
    }
    assert wrong == {}


def converted_tree(where: pathlib.Path, *, tests: bool = False, **texts: str) -> transpile.Conversion:
    templates = {name: HOT + text for name, text in texts.items()}
    return conversions.convert_templates(where, templates, options={"tests": tests})


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_goldens_require_the_providers_that_they_use(case: Case) -> None:
    assert_exact(case.convert().files)


@pytest.mark.parametrize("seed", range(20))
def test_random_trees_require_the_providers_that_they_use(seed: int, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, random_stacks.Tree(seed).files)
    assert_exact(transpile.convert(tmp_path / "stack.yaml").files)


def test_callers_of_modules_require_the_providers_of_these(tmp_path: pathlib.Path) -> None:
    """Through two levels, none of which has a block of its own that needs a provider."""
    done = converted_tree(tmp_path, stack=ROOT, middle=MIDDLE, leaf=LEAF + OUTPUT)
    for folder in ("", "modules/middle/", "modules/leaf/"):
        assert required(str(done.files[f"{folder}versions.tf"])) == {"openstack"}, folder


@pytest.mark.parametrize(
    "resources",
    [
        "{delay: {type: OS::Heat::Delay, properties: {min_wait: 5, actions: [SUSPEND]}}}",
        "{mime: {type: OS::Heat::MultipartMime, properties: {parts: [{config: text}]}}}",
    ],
    ids=["a delay that never waits", "a message that nothing reads"],
)
def test_nothing_is_required_that_no_block_uses(resources: str, tmp_path: pathlib.Path) -> None:
    done = converted_tree(tmp_path, stack=f"resources: {resources}\n")
    assert required(str(done.files["versions.tf"])) == used(done.files, "")


def test_tests_mock_the_providers_of_their_subject(tmp_path: pathlib.Path) -> None:
    """A module could be made of `noise`, but its only caller stays with Heat. OpenTofu refuses the mock of a provider
    that nothing requires.
    """
    root = """
resources:
  noise: {type: OS::Heat::AutoScalingGroup, properties: {min_size: 1, max_size: 3, resource: {type: noise.yaml}}}
  net: {type: OS::Neutron::Net}
outputs: {name: {value: {get_attr: [net, name]}}}
"""
    done = converted_tree(
        tmp_path, tests=True, test_runs="all", stack=root, noise="resources: {word: {type: OS::Heat::RandomString}}\n"
    )
    assert re.findall(r'mock_provider "(.*?)"', str(done.files["tests/heat.tftest.hcl"])) == ["openstack"]


@oracles.needs_providers
def test_a_provider_block_can_be_added_to_a_root_of_modules(tmp_path: pathlib.Path) -> None:
    """The first thing that an owner adds. Terraform looks for the provider where the modules have it from."""
    (source := tmp_path / "templates").mkdir()
    done = converted_tree(source, tests=True, test_runs="all", stack=ROOT, middle=MIDDLE, leaf=LEAF + OUTPUT)
    write_files(tmp_path / "hcl", done.files)
    (tmp_path / "hcl" / "providers.tf").write_text('provider "openstack" {\n  cloud = "x"\n}\n', encoding="utf-8")
    assert oracles.invalid(tmp_path / "hcl") == []
