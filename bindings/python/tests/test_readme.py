"""What the prose shows is what happens.

`RESULT_BUDGET_BLESS=1` writes what happens into the prose, for a person to review.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from conftest import ROOT, venv

PAGE = Path(__file__).parents[1] / "README.md"
FORGE = ROOT / "host-examples" / "forge"


def blocks(page: Path, language: str) -> list[str]:
    """Return the blocks of that language, in order."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"\n```{language}\n(.*?)```", text, re.DOTALL)


def holds(page: Path, shown: str, happens: str) -> None:
    """Compare, or write what happens."""
    if os.environ.get("RESULT_BUDGET_BLESS"):
        text = page.read_text(encoding="utf-8")
        assert text.count(f"```text\n{shown}```") == 1
        page.write_text(text.replace(f"```text\n{shown}```", f"```text\n{happens}```"), "utf-8")
        return
    assert shown == happens, page


def printed(command: list[str | Path], program: str | None = None) -> str:
    """Return what a program prints."""
    ended = subprocess.run(
        command, input=program, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_program_prints_what_the_page_shows() -> None:
    program = blocks(PAGE, "python")[1]
    holds(PAGE, blocks(PAGE, "text")[0], printed([sys.executable, "-"], program))


def test_the_refusal_is_worded_as_the_page_shows() -> None:
    line, message = blocks(PAGE, "text")[1].splitlines()
    program = f"from result_budget import *\ntry:\n    {line.removeprefix('>>> ')}\n"
    program += "except ResultBudgetError as error:\n    print(error)\n"
    assert printed([sys.executable, "-"], program) == f"{message}\n"


def test_the_one_line_attaches_and_both_pages_show_the_same() -> None:
    line = blocks(PAGE, "python")[0]
    assert line in blocks(ROOT / "README.md", "python")
    assert printed([venv("fastmcp4"), "-"], line) == ""
    assert re.search(
        r"^Boundary\(\)\.attach\(mcp\)$", (FORGE / "forge.py").read_text(), re.MULTILINE
    )


def test_the_forge_server_answers_what_both_pages_show() -> None:
    happens = printed([venv("fastmcp4"), FORGE / "ask.py"])
    holds(FORGE / "README.md", blocks(FORGE / "README.md", "text")[0], happens)
    holds(ROOT / "README.md", blocks(ROOT / "README.md", "text")[1], happens)
