"""Where things are, and the line that the project's commands count."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    count = {name: len(terminalreporter.getreports(name)) for name in ("passed", "failed", "error")}
    failed = count["failed"] + count["error"]
    skipped = len(terminalreporter.getreports("skipped"))
    verdict = "FAILED" if failed else "ok"
    terminalreporter.write_line(
        f"test result: {verdict}. {count['passed']} passed; {failed} failed; {skipped} ignored"
    )
