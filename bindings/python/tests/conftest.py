"""Where things are, and what stays out of the way."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
PYTHON = TARGET / "python"
FIXTURES = ROOT / "tests" / "fixtures"

sys.path.insert(0, str(Path(__file__).parent))


def venv(name: str) -> Path:
    """Return the interpreter of one of the project's environments."""
    program = PYTHON / name / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not program.exists():
        pytest.fail(f"{program} is not there: run `cargo xtask python`")
    return program


@pytest.fixture
def long_result() -> str:
    """Return a recorded result of 345,763 bytes, as JSON text."""
    return (FIXTURES / "api-issues-list.json").read_text(encoding="utf-8")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Close with a line in the form that the project's commands count."""
    count = {name: len(terminalreporter.getreports(name)) for name in ("passed", "failed", "error")}
    failed = count["failed"] + count["error"]
    skipped = len(terminalreporter.getreports("skipped"))
    verdict = "FAILED" if failed else "ok"
    terminalreporter.write_line(
        f"test result: {verdict}. {count['passed']} passed; {failed} failed; {skipped} ignored"
    )
