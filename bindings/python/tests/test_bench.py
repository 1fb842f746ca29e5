"""The benchmark runs; `cargo xtask bench` judges it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from conftest import venv

BENCH = Path(__file__).parents[1] / "bench" / "bench.py"


def test_the_benchmark_runs_and_names_each_row() -> None:
    ended = subprocess.run(
        [venv("fastmcp4"), BENCH, "--short"], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[0].split() == ["microseconds", "a", "call", "FastMCP", "ours", "ratio"]
    assert [line[:30].strip() for line in lines[1:]] == [
        "2 KB, fits",
        "1 MB, fits",
        "1 MB, cut",
        "1 MB, cut at 1,000,000",
    ]
