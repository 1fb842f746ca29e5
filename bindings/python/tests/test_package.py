"""The package as it is installed: small, alone, typed, and for every Python."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import PYTHON, ROOT, TARGET, venv
from test_readme import PAGE, blocks

MEBIBYTE = 1024 * 1024
PACKAGE = ROOT / "bindings" / "python"


# What one Python prints otherwise than another.
DIFFERENCES = """
import enum
from result_budget import Boundary, ResultBudgetError

class Whole(enum.IntEnum):
    THOUSAND = 1_000

def given(value):
    try:
        Boundary(limit_bytes=value)
    except ResultBudgetError as error:
        return error.details["given"]

print(Boundary(limit_bytes=Whole.THOUSAND).in_force()["limits"]["max_result_bytes"])
table = {"content": [], "structuredContent": {"n": Whole.THOUSAND}, "foreign": 1}
print(Boundary().fit(table)["structuredContent"]["n"])
print(given(True), given(16**5000)[:3], given(7))
"""


@pytest.fixture(scope="module")
def wheel() -> Path:
    """Return the wheel that was built."""
    (found,) = (PYTHON / "wheels").glob("*.whl")
    return found


def must(command: list[str | Path], **options: object) -> str:
    """Run a program that must succeed, and return what it printed."""
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False, **options
    )  # type: ignore[call-overload]
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    return str(ended.stdout)


def interpreters() -> dict[str, Path]:
    """Return every CPython from 3.10 on that is here, by its version."""
    places = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep)]
    places += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    found: dict[str, Path] = {}
    ask = "import sys; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"
    for program in [path for place in places for path in sorted(place.glob("python3*"))]:
        if not re.fullmatch(r"python3(\.\d+)?", program.name):
            continue
        told = subprocess.run([program, "-c", ask], capture_output=True, text=True, check=False)
        name, _, version = told.stdout.strip().partition(" ")
        if name == "cpython" and tuple(map(int, version.split("."))) >= (3, 10):
            found.setdefault(version, program.resolve())
    return found


def test_the_wheel_is_small_alone_and_for_every_python(wheel: Path) -> None:
    assert wheel.stat().st_size < 4 * MEBIBYTE
    assert "-cp310-abi3-" in wheel.name
    if sys.platform == "linux":
        assert "manylinux_2_17" in wheel.name
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        (metadata,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        text = files.read(metadata).decode()
    assert "result_budget/py.typed" in names
    assert "result_budget/_native.pyi" in names
    assert not re.search(r"^Requires-Dist", text, re.MULTILINE)
    assert "Requires-Python: >=3.10" in text


def test_the_wheel_names_no_folder_of_the_machine_that_built_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            content = files.read(name)
            for folder in (ROOT, Path.home() / ".cargo"):
                assert str(folder).encode() not in content, name


@pytest.mark.parametrize("version", sorted(interpreters()))
def test_a_fresh_environment_installs_the_wheel_and_runs_the_program(
    version: str, wheel: Path, tmp_path: Path
) -> None:
    must([interpreters()[version], "-m", "venv", tmp_path / "fresh"])
    python = tmp_path / "fresh" / ("Scripts" if os.name == "nt" else "bin") / "python"
    # Without an index: there is nothing else to install.
    must([python, "-m", "pip", "install", "--quiet", "--no-index", wheel])
    assert must([python, "-"], input=blocks(PAGE, "python")[1]) == blocks(PAGE, "text")[0]
    assert must([python, "-"], input=DIFFERENCES).split() == ["1000", "1000", "True", "0x1", "7"]
    installed = must([python, "-m", "pip", "list", "--format=freeze"])
    others = {line.partition("==")[0] for line in installed.split()} - {"pip", "setuptools"}
    assert others == {"result-budget"}


def test_the_licences_are_those_of_the_project() -> None:
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert (PACKAGE / name).read_bytes() == (ROOT / name).read_bytes()


def test_importing_takes_less_than_10_milliseconds() -> None:
    # The processor's time: a busy machine takes longer for everything.
    program = (
        "import time; start = time.process_time(); import result_budget; "
        "print((time.process_time() - start) * 1e3)"
    )
    took = [float(must([sys.executable, "-c", program])) for _ in range(11)]
    assert statistics.median(took) < 10, took


def test_importing_brings_no_sdk_and_no_pydantic() -> None:
    program = "import sys, result_budget; print(*sys.modules)"
    modules = must([sys.executable, "-c", program]).split()
    assert not {"mcp", "fastmcp", "pydantic", "asyncio", "logging", "typing"} & set(modules)


def test_the_stubs_say_what_is_there() -> None:
    must([sys.executable, "-m", "mypy.stubtest", "result_budget"], cwd=PYTHON)


def test_a_strict_reader_of_types_finds_nothing_in_the_program(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    uses = (
        'text: str = boundary.fit("{}")\n'
        'raw: bytes = boundary.fit(b"{}")\n'
        "table: dict[str, object] = boundary.fit({})\n"
    )
    program.write_text(blocks(PAGE, "python")[1] + uses, encoding="utf-8")
    for version in ("3.10", "3.13"):
        must([sys.executable, "-m", "mypy", "--strict", "--python-version", version, program])


def test_a_strict_reader_of_types_finds_a_wrong_argument(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("from result_budget import Boundary\nBoundary(limit_bytes=1.5)\n")
    command = [sys.executable, "-m", "mypy", "--strict", str(program)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "[arg-type]" in ended.stdout


def test_the_source_distribution_builds(tmp_path: Path) -> None:
    out = tmp_path / "dist"
    must([sys.executable, PACKAGE / "package" / "sdist.py", TARGET / "engine", out])
    (archive,) = out.glob("*.tar.gz")
    assert archive.stat().st_size < 8 * MEBIBYTE
    with tarfile.open(archive) as files:
        names = files.getnames()
        assert any(name.endswith("bindings/rust/engine/result-budget.wasm") for name in names)
        assert not any("/tests/fixtures/" in name for name in names)
        files.extractall(tmp_path / "source", filter="data")
    # In the folder of the wheel's build, so that what others wrote is not compiled again.
    maturin: list[str | Path] = [sys.executable, "-m", "maturin", "build", "--release"]
    if sys.platform == "linux":
        maturin += ["--zig", "--compatibility", "manylinux_2_17"]
    (source,) = (tmp_path / "source").iterdir()
    must(
        [*maturin, "--out", tmp_path / "wheel"],
        cwd=source,
        env={**os.environ, "CARGO_TARGET_DIR": str(TARGET / "python" / "sdist")},
    )
    (built,) = (tmp_path / "wheel").glob("*.whl")
    fresh = tmp_path / "fresh"
    must([venv("tools"), "-m", "venv", fresh])
    python = fresh / ("Scripts" if os.name == "nt" else "bin") / "python"
    must([python, "-m", "pip", "install", "--quiet", "--no-index", built])
    assert must([python, "-"], input=blocks(PAGE, "python")[1]) == blocks(PAGE, "text")[0]
