"""Migrates repositories of many stacks, made up for this: time, memory and the cost of a second run.

    python -m benchmarks.migrate [--stacks 1000 10000] [--jobs 1 2] [--cluster]

Each repository has stacks of four kinds: plain ones, ones with an environment, and ones that share nested templates.
For each size it prints the throughput, the memory of the coordinating process at its peak, the time of a second run as
a share of the first, and the time as a share of that of the conversions alone.
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import transpile
from transpile.text import output

MODULES = 50  # nested templates, each shared by many stacks
SAMPLE = 200  # conversions that are timed alone

NESTED = """\
heat_template_version: 2018-08-31
parameters:
  network: {{type: string}}
resources:
  port: {{type: OS::Neutron::Port, properties: {{network: {{get_param: network}}}}}}
  server:
    type: OS::Nova::Server
    properties:
      image: image-{i}
      flavor: m1.tiny
      networks: [{{port: {{get_resource: port}}}}]
      user_data: {{get_file: boot.sh}}
      user_data_format: RAW
outputs:
  address: {{value: {{get_attr: [server, first_address]}}}}
"""
CALLER = """\
heat_template_version: 2018-08-31
parameters:
  name: {{type: string, default: stack-{i}}}
resources:
  net: {{type: OS::Neutron::Net, properties: {{name: {{get_param: name}}}}}}
  subnet: {{type: OS::Neutron::Subnet, properties: {{network: {{get_resource: net}}, cidr: 10.0.0.0/24}}}}
  one: {{type: ../../lib/server{nested}.yaml, properties: {{network: {{get_resource: net}}}}}}
outputs:
  address: {{value: {{get_attr: [one, address]}}}}
"""
PLAIN = """\
heat_template_version: 2018-08-31
parameters:
  name: {{type: string, default: stack-{i}}}
resources:
  net: {{type: OS::Neutron::Net, properties: {{name: {{get_param: name}}}}}}
  subnet: {{type: OS::Neutron::Subnet, properties: {{network: {{get_resource: net}}, cidr: 10.0.0.0/24}}}}
  volume: {{type: OS::Cinder::Volume, properties: {{size: {size}, name: {{get_param: name}}}}}}
"""


def make(src: pathlib.Path, count: int) -> None:
    """A repository with so many stacks, a hundred in a directory."""
    (src / "lib").mkdir(parents=True)
    (src / "lib/boot.sh").write_text("#!/bin/sh\necho started\n")
    for i in range(MODULES):
        (src / f"lib/server{i}.yaml").write_text(NESTED.format(i=i))
    for i in range(count):
        folder = src / f"group{i // 100:04}" / f"s{i % 100:02}"
        folder.mkdir(parents=True)
        if i % 4 < 2:
            (folder / "stack.yaml").write_text(CALLER.format(i=i, nested=i % MODULES))
        else:
            (folder / "stack.yaml").write_text(PLAIN.format(i=i, size=1 + i % 7))
        if i % 4 == 1:
            (folder / "stack.env").write_text(f"parameters: {{name: other-{i}}}\n")


def run(src: pathlib.Path, dest: pathlib.Path, jobs: int, cluster: str | None = None) -> tuple[float, float]:
    """The seconds and the peak memory in MB of one run, as a process of its own."""
    command = [sys.executable, "-m", "transpile.cli.process", "migrate", str(src), str(dest), "--progress", "none"]
    command += ["--jobs", str(jobs)] if cluster is None else ["--cluster", cluster]
    script = (
        "import resource, subprocess, sys; status = subprocess.call(sys.argv[1:], stderr=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, text=True, check=True)
    return time.perf_counter() - begun, int(done.stdout) / 1024


def alone(src: pathlib.Path, count: int) -> float:
    """The seconds of all conversions in one process, with writing their output, from a sample."""
    paths = sorted(src.glob("group*/*/stack.yaml"))[:: max(1, count // SAMPLE)]
    for path in paths[:20]:
        transpile.convert(path, root=src)
    begun = time.perf_counter()
    for i, path in enumerate(paths):
        environment = path.with_suffix(".env")
        done = transpile.convert(path, root=src, environments=[environment] if environment.exists() else [])
        output.write_directory(src.with_name("alone") / str(i), done.files)
    return (time.perf_counter() - begun) / len(paths) * count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stacks", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--cluster", action="store_true", help="also on a Dask cluster of two local workers")
    arguments = parser.parse_args()
    print("stacks  jobs   seconds  stacks/s  memory MB  second run  of the conversions alone")
    for count in arguments.stacks:
        with tempfile.TemporaryDirectory() as place:
            src = pathlib.Path(place, "src")
            make(src, count)
            total = alone(src, count)
            for jobs in arguments.jobs:
                report(src, pathlib.Path(place, f"out{jobs}"), count, total, jobs)
            if arguments.cluster:
                import distributed

                with distributed.LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=2, threads_per_worker=1, dashboard_address=None
                ) as cluster:
                    report(src, pathlib.Path(place, "cluster"), count, total, 2, cluster.scheduler_address)


def report(
    src: pathlib.Path, dest: pathlib.Path, count: int, total: float, jobs: int, cluster: str | None = None
) -> None:
    first, memory = run(src, dest, jobs, cluster)
    second, _ = run(src, dest, jobs)
    name = "dask" if cluster else str(jobs)
    share = first * jobs / total
    line = (
        f"{count:6}  {name:>4}  {first:8.1f}  {count / first:8.0f}  {memory:9.0f}  {second / first:10.1%}  {share:.2f}"
    )
    print(line, flush=True)


if __name__ == "__main__":
    main()
