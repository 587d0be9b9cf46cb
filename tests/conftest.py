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


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)
