"""migrate on a Dask cluster: the same bytes as here, also if workers die."""

from __future__ import annotations

import os
import pathlib
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.repositories import make, put, tree
from transpile import additions
from transpile.migrate import cluster, executors, progress, session
from transpile.migrate.shipping import FileShipping
from transpile.migrate.unit import MigrationUnit, UnitResult
from transpile.model.budget import Budget
from transpile.settings.table import Request

distributed = pytest.importorskip("distributed", reason="the extra hot2tf[cluster] is not installed")


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


def migrate(src: pathlib.Path, dest: pathlib.Path, address: str | None) -> session.MigrationResult:
    settings = session.MigrationRequest(Request(jobs=1), cluster=address)
    return session.migrate_stacks(src, dest, settings, progress.SilentProgress())


def many(src: pathlib.Path, count: int) -> pathlib.Path:
    make(src)
    for i in range(count):
        put(src, f"many/t{i:03}.yaml", (src / "db/db.yaml").read_text().replace("data", f"data{i}"))
    return src


def test_a_cluster_gives_the_same_bytes(workers: Any, tmp_path: pathlib.Path) -> None:
    src = many(tmp_path / "src", 20)
    assert migrate(src, tmp_path / "here" / "out", None).ok
    assert migrate(src, tmp_path / "there" / "out", workers.scheduler_address).ok
    assert tree(tmp_path / "there") == tree(tmp_path / "here")


@pytest.mark.long
def test_a_worker_that_is_killed_costs_nothing(workers: Any, tmp_path: pathlib.Path) -> None:
    src = many(tmp_path / "src", 120)
    assert migrate(src, tmp_path / "here" / "out", None).ok

    class Killing:
        """Kills a worker when some results have come."""

        def __init__(self) -> None:
            self.count, self.killed = 0, False

        def begin(self, total: int, unchanged: int) -> None: ...

        def finish_unit(self, unit: MigrationUnit, how: str, result: UnitResult | None) -> None:
            self.count += 1
            if self.count == 10:
                with distributed.Client(workers.scheduler_address, set_as_default=False) as client:
                    pids = client.run(os.getpid)
                os.kill(min(pids.values()), signal.SIGKILL)
                self.killed = True

        def begin_stage(self, what: str) -> None: ...

        def end(self) -> None: ...

    watching = Killing()
    settings = session.MigrationRequest(cluster=workers.scheduler_address)
    assert session.migrate_stacks(src, tmp_path / "there" / "out", settings, watching).ok
    assert watching.killed
    assert tree(tmp_path / "there") == tree(tmp_path / "here")


def test_another_version_on_a_worker_is_an_error(
    workers: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "__version__", "99.0")
    with pytest.raises(executors.NoCluster, match=r"and this is 99\.0"):
        cluster.ClusterExecutor(workers.scheduler_address, FileShipping(str(tmp_path)))


def test_no_scheduler_is_an_error(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SECONDS", 1)
    with pytest.raises(executors.NoCluster, match="there is no scheduler at"):
        cluster.ClusterExecutor("tcp://127.0.0.1:1", FileShipping(str(tmp_path)))


def test_a_worker_gets_no_file_outside_the_root(tmp_path: pathlib.Path) -> None:
    put(tmp_path, "secret.txt", "secret")
    put(tmp_path, "src/a.yaml", "x: {get_file: ../secret.txt}\ny: {get_file: link.txt}\nz: {get_file: b.sh}\n")
    put(tmp_path, "src/b.sh", "echo\n")
    (tmp_path / "src/link.txt").symlink_to(tmp_path / "secret.txt")
    shipping = FileShipping(str(tmp_path / "src"))
    plain = MigrationUnit("a", "a.yaml", (), Request(), str(tmp_path / "src"))
    assert sorted(shipping.collect_likely_files([plain])) == ["a.yaml", "b.sh"]
    assert shipping.read_contents(["../secret.txt", "link.txt", str(tmp_path / "secret.txt")]) == {}


@pytest.mark.long
def test_workers_have_the_mappings_of_the_user(workers: Any, tmp_path: pathlib.Path) -> None:
    src = tmp_path / "src"
    put(src, "net.yaml", "heat_template_version: 2021-04-16\nresources: { net: { type: OS::Neutron::Net } }\n")
    put(tmp_path, "map.yaml", "OS::Neutron::Net: { treatment: embedded, why: we said so }\n")
    added = additions.read_additions([], [tmp_path / "map.yaml"], budget=Budget())
    settings = session.MigrationRequest(Request(jobs=1), cluster=workers.scheduler_address, added=added)
    assert session.migrate_stacks(src, tmp_path / "there", settings, progress.SilentProgress()).ok
    assert "# We said so.\n" in (tmp_path / "there" / "net" / "main.tf").read_text()
