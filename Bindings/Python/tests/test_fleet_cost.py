"""Tests the simulated fleet against results calculated by hand."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

fleet_cost: Any = pytest.importorskip("soaking.fleet_cost")

# No deaths, no slow workers, no huge files, and no variation in size.
CALM: dict[str, Any] = {
    "files": 64_000, "workers": 10, "life": 1e15, "slow_share": 0, "spread": 0,
    "huge_every": 10**15, "cpu": 0.01, "bandwidth": 1e15, "rate": 1e15, "latency": 0,
}  # fmt: skip


def simulated(seed: int = 1, **changes: Any) -> Any:
    return fleet_cost.simulate(replace(fleet_cost.Fleet(), **(CALM | changes)), seed)


def test_without_failures_it_takes_as_long_as_the_work() -> None:
    found = simulated()
    assert found.seconds == pytest.approx(64_000 * 0.01 / 10, rel=0.01)
    assert (found.files, found.redone, found.deaths) == (64_000, 0, 0)
    assert found.busy == pytest.approx(1, rel=0.01)


def test_a_slow_store_determines_the_time() -> None:
    assert simulated(bandwidth=1e6, fetched=1e4).seconds == pytest.approx(640, rel=0.01)
    assert simulated(rate=100, requests=4).seconds == pytest.approx(2560, rel=0.01)


@pytest.mark.parametrize("divided", [False, True])
def test_deaths_cost_batches_but_no_files(divided: bool) -> None:
    found = simulated(life=30, rebirth=5, divided=divided)
    assert found.deaths > 10 and found.redone >= 64 * 10
    assert found.files == 64_000
    assert found.seconds > simulated().seconds


def test_slow_workers_delay_work_that_was_split_in_advance() -> None:
    slow: dict[str, Any] = {"slow_share": 0.3, "slow": 5}
    assert simulated(divided=True, **slow).seconds > 1.5 * simulated(**slow).seconds


def test_a_late_batch_is_started_at_most_twice() -> None:
    slow: dict[str, Any] = {"batch": 3200, "slow_share": 0.3, "slow": 20}
    plain, twice = simulated(**slow), simulated(speculates=True, **slow)
    assert twice.seconds < plain.seconds
    assert 0 < twice.redone <= twice.files


def test_the_same_seed_gives_the_same_results() -> None:
    troubles: dict[str, Any] = {"life": 60, "slow_share": 0.1, "spread": 1.5}
    assert simulated(7, **troubles) == simulated(7, **troubles) != simulated(8, **troubles)
