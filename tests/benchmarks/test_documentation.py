from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNNABLE = [
    path.stem
    for path in sorted((ROOT / "benchmarks").glob("*.py"))
    if '__name__ == "__main__"' in path.read_text()
]


@pytest.mark.parametrize("name", RUNNABLE)
def test_every_benchmark_is_documented(name: str) -> None:
    pages = [page.read_text() for page in (ROOT / "docs").glob("*.md")]
    assert any(f"python -m benchmarks.{name}" in page for page in pages)
