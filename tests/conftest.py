"""Fixtures that several stages share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.project import Project

# Time is no property: machines are shared. In CI the same examples each time, so that a change is
# judged by what it changed; elsewhere new ones.
settings.register_profile("webstem", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("webstem")


SHARED = Path(__file__).parents[2] / "shared"
"""Real sites and answers of the original program; they are no part of the repository."""


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real sites; a test that needs it is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"no folder {SHARED}")
    return SHARED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs real sites, so that it can be run alone: `pytest -m real`."""
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.real)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)
