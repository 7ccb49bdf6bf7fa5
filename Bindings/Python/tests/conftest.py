"""Fixtures: every test runs the real engine on the sample files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import trim_media

# For what several tests make.
sys.path.insert(0, str(Path(__file__).resolve().parent))

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@pytest.fixture(scope="session")
def samples() -> Path:
    return SAMPLES


@pytest.fixture(scope="module")
def engine() -> Iterator[trim_media.Engine]:
    with trim_media.Engine(workers=2) as engine:
        yield engine
