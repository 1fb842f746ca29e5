"""The wheel's command is the same program as the one that is written in Rust."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import FIXTURES, PYTHON, TARGET, venv

SCRIPT = Path(sys.executable).with_name("result-budget")
RUST = TARGET / "debug" / "result-budget"
LONG = str(FIXTURES / "api-issues-list.json")

CASES: list[tuple[list[str], bytes]] = [
    (["fit", LONG], b""),
    (["fit", "--report", "--limit-bytes", "1000", LONG], b""),
    (["fit"], b'{"content":[{"type":"text","text":"hello"}]}'),
    (["fit"], b"no json"),
    (["fit"], b"\xff"),
    (["fit", "--jsonl"], b'{"content":[]}\nno\n{"content":[]}\n'),
    (["fit", "--limit-bytes", "255"], b"{}"),
    (["fit", "--preset", "huge"], b"{}"),
    (["fit", "not-there"], b""),
    (["inspect", LONG], b""),
    (["inspect", "--json", LONG], b""),
    (["limits"], b""),
    (["limits", "--json"], b""),
    (["--engine-sha"], b""),
    (["--version"], b""),
    (["--help"], b""),
    (["fit", "--help"], b""),
    (["--nope"], b""),
    ([], b""),
]


def ran(program: Path, arguments: list[str], given: bytes) -> tuple[int, bytes, bytes]:
    """Run it, and return code and both streams."""
    ended = subprocess.run(
        [program, *arguments], input=given, capture_output=True, timeout=60, check=False
    )
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize(("arguments", "given"), CASES)
def test_the_command_answers_as_the_rust_program_does(arguments: list[str], given: bytes) -> None:
    if not RUST.exists():
        pytest.fail(f"{RUST} is not there: run `cargo build -p result-budget-cli`")
    assert ran(SCRIPT, arguments, given) == ran(RUST, arguments, given)


def test_arguments_that_are_no_unicode_are_passed_on() -> None:
    assert os.name != "posix" or ran(SCRIPT, ["fit", os.fsdecode(b"\xff.json")], b"") == ran(
        RUST, ["fit", os.fsdecode(b"\xff.json")], b""
    )


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    shell = f"'{SCRIPT}' limits --json | head -c 1; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", shell], capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="signals are otherwise elsewhere")
def test_an_interrupt_ends_it_at_once() -> None:
    waiting = subprocess.Popen([SCRIPT, "fit"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.5)
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait(timeout=5) == -signal.SIGINT
    waiting.communicate()


def test_uvx_runs_the_command_from_the_wheel(tmp_path: Path) -> None:
    (wheel,) = (PYTHON / "wheels").glob("*.whl")
    uvx = venv("tools").with_name("uvx")
    ended = subprocess.run(
        [uvx, "--from", str(wheel), "--python", sys.executable, "result-budget", "--engine-sha"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "UV_CACHE_DIR": str(tmp_path), "UV_OFFLINE": "1"},
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.encode() == ran(RUST, ["--engine-sha"], b"")[1]
