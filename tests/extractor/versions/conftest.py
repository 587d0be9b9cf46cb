"""A storage, and what merges into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawler.storage.partitions import Storage
from tests.extractor.versions.merger import Merger


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(str(tmp_path / "data"))


@pytest.fixture
def merge(storage: Storage, tmp_path: Path) -> Merger:
    return Merger(storage, tmp_path)
