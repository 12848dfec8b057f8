"""Validates conversions with real OpenStack providers of several versions, as far as each output says it accepts them.

    python benchmarks/provider_versions.py TEMPLATES --openstack DIR --mirror DIR [--sample N] [--seed N]

`--openstack`: a directory of providers that were built from their source, as
`DIR/2.1.0/terraform-provider-openstack_v2.1.0`. `--mirror`: a filesystem mirror that has the other providers. It prints
for each version how many outputs accept it, and how many of these `terraform validate` accepts, and names each output
that is refused.
"""

from __future__ import annotations

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from terraform_tests import asked

import transpile
from transpile.text import output

SOURCE = "registry.terraform.io/terraform-provider-openstack/openstack"
PREFERENCES = ("faithful", "native")
RANGE = re.compile(r'openstack/openstack"\n\s+version = ">= ([0-9.]+)(?:, < ([0-9.]+))?"')


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def accepted_range(root: str) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The lowest version that a versions.tf accepts, and the first that it does not accept."""
    match = RANGE.search(root)
    return (numbers(match[1]), numbers(match[2] or "999")) if match is not None else None


def build_mirror(folder: pathlib.Path, mirror: pathlib.Path, binary: pathlib.Path, version: str) -> pathlib.Path:
    """A configuration of terraform with one version of the OpenStack provider, and the others of a mirror."""
    for platform in mirror.glob("*/*/*/*/*"):  # terraform follows a link to a platform's directory alone
        place = folder / platform.relative_to(mirror)
        if not place.is_relative_to(folder / SOURCE):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(platform, target_is_directory=True)
    place = folder / SOURCE / version / "linux_amd64"
    place.mkdir(parents=True)
    (place / binary.name).symlink_to(binary)
    configuration = folder / "terraformrc"
    configuration.write_text(f'provider_installation {{\n  filesystem_mirror {{\n    path = "{folder}"\n  }}\n}}\n')
    return configuration


def validate(folder: pathlib.Path, configuration: pathlib.Path) -> str:
    """The first error of `init` or `validate`; empty if there is none."""
    environment = os.environ | {"TF_CLI_CONFIG_FILE": str(configuration), "TF_DATA_DIR": f"{folder}.data"}
    for command in (["init", "-backend=false", "-input=false", "-no-color"], ["validate", "-no-color"]):
        (folder / ".terraform.lock.hcl").unlink(missing_ok=True) if command[0] == "init" else None
        ended = subprocess.run(
            ["terraform", *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if ended.returncode:
            text = ended.stderr + ended.stdout
            return text[max(text.find("Error:"), 0) :][:700]
    return ""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--openstack", type=pathlib.Path, required=True)
    parser.add_argument("--mirror", type=pathlib.Path, required=True)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    binaries = {p.parent.name: p.resolve() for p in options.openstack.glob("*/terraform-provider-openstack_v*")}
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    floors: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="hot2tf-providers-") as top:
        mirrors = {
            version: build_mirror(pathlib.Path(top, "mirrors", version), options.mirror.resolve(), binary, version)
            for version, binary in binaries.items()
        }
        for number, (path, root) in enumerate(asked(options)):
            prefer = PREFERENCES[number % len(PREFERENCES)]
            done = transpile.convert(path, prefer=prefer, root=root)
            accepted = accepted_range(str(done.files.get("versions.tf", "")))
            if not done.ok or accepted is None:
                continue
            floors[".".join(map(str, accepted[0]))] += 1
            folder = pathlib.Path(top, "outputs", str(number))
            output.write_directory(folder, dict(done.files))
            for version in sorted(binaries, key=numbers):
                if accepted[0] <= numbers(version) < accepted[1]:
                    error = validate(folder, mirrors[version])
                    counts[version, "refused" if error else "valid"] += 1
                    if error:
                        print(f"{path} ({prefer}) with {version}: {error}", flush=True)
    print("lowest versions:", ", ".join(f"{version}: {count}" for version, count in sorted(floors.items())))
    for version in sorted(binaries, key=numbers):
        print(f"{version}: {counts[version, 'valid']} valid, {counts[version, 'refused']} refused")
    return 1 if any(result == "refused" for _, result in counts) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
