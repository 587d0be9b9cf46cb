"""Fixtures of the tests on storage."""

from collections.abc import Callable, Iterator
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer

from crawler.storage.partitions import Storage
from tests.tables import killer


@pytest.fixture
def local(tmp_path: Path) -> Storage:
    return Storage(str(tmp_path))


@pytest.fixture(scope="module")
def s3_bucket() -> Iterator[Callable[[str], str]]:
    """Makes buckets on a loopback S3 server; the environment holds its address and keys."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "test")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")

        def make(name: str) -> str:
            boto3.client("s3").create_bucket(Bucket=name)
            return name

        yield make
    server.stop()


@pytest.fixture(scope="module")
def run_killed() -> Iterator[Callable[[str, int, Path], bool]]:
    """run_killed(mode, number, root): True if the work was killed before its Nth change."""
    with killer() as run:
        yield run
