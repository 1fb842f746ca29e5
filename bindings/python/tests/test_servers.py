"""Real servers of every SDK line, driven by the official clients, the wire seen from outside."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import venv

HERE = Path(__file__).parent / "servers"

# Environment, client, server.
LINES = [
    ("fastmcp4", "fastmcp4", "fastmcp4.py"),
    ("mcp2", "mcp2-modern", "mcp2_high.py"),
    ("mcp2", "mcp2-legacy", "mcp2_high.py"),
    ("mcp2", "mcp2-modern", "mcp2_low.py"),
    ("mcp2", "mcp2-legacy", "mcp2_low.py"),
    ("mcp1", "mcp1", "mcp1_high.py"),
    ("mcp1", "mcp1", "mcp1_low.py"),
]
IDS = [f"{client}-{server.removesuffix('.py')}" for _, client, server in LINES]

# The five that break FastMCP's own limiter, then what SDKs wrap, schemas, and a picture.
TOOLS = ["quotes", "newlines", "controls", "meta", "raised", "text", "rows", "closed", "screenshot"]
ERRORS = {"mcp2_high.py": ("tool", "protocol_error"), "mcp2_low.py": ("tool", "protocol_error")}
ERRORS["mcp1_low.py"] = ("prompt", "failing")
MAX_BYTES = "dev.result-budget/max_bytes"
LIMIT_BYTES = 1_000

DEFAULT_CALLS: list[list[Any]] = [["tool", "small", None], ["tool", "screenshot", None]]
REPORTED_CALLS: list[list[Any]] = [
    ["tool", "text", {MAX_BYTES: 3}],
    ["tool", "rows", None],
    ["prompt", "long_prompt", None],
    ["resource", "data://book", None],
]


@dataclass
class Ran:
    """What went over the wire, and what the client made of it."""

    answers: list[dict[str, Any]]
    outcomes: list[dict[str, Any]]
    records: list[dict[str, Any]]
    log: str


def run(
    line: tuple[str, str, str],
    calls: list[list[Any]],
    options: dict[str, Any] | None,
    folder: Path,
) -> Ran:
    """Run a server with these options and make these calls."""
    environment, client, server = line
    python = str(venv(environment))
    wire, reports = folder / "wire.jsonl", folder / "reports.jsonl"
    command = [python, str(HERE / "tee.py"), str(wire), python, str(HERE / server)]
    variables = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "REPORTS": str(reports)}
    if options is not None:
        variables["BOUNDARY"] = json.dumps(options)
    ended = subprocess.run(
        [python, str(HERE / "drive.py"), client, json.dumps(calls), *command],
        env=variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-4_000:]
    messages = [json.loads(text) for text in wire.read_bytes().splitlines()]
    records = reports.read_text().splitlines() if reports.exists() else []
    return Ran(
        # The answers to the calls: the last ones, but for what the client asked for itself.
        answers=[message for message in messages if "result" in message or "error" in message],
        outcomes=json.loads(ended.stdout),
        records=[json.loads(record) for record in records],
        log=ended.stderr,
    )


def wire_bytes(message: dict[str, Any]) -> int:
    """Return the length of a result or an error as it went over the wire."""
    body = message.get("result", message.get("error"))
    return len(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())


def is_list(message: dict[str, Any]) -> bool:
    """Whether this is the handshake or the list of tools, which are never cut."""
    result = message.get("result", {})
    return any(key in result for key in ("tools", "protocolVersion", "supportedVersions"))


def of_call(ran: Ran) -> list[dict[str, Any]]:
    """Return the answers to the calls, in order."""
    return [message for message in ran.answers if not is_list(message)]


@pytest.fixture(scope="module", params=LINES, ids=IDS)
def line(request: pytest.FixtureRequest) -> Any:
    """Return one SDK line, whose tests run one after another."""
    return request.param


@pytest.fixture(scope="module")
def bare(line: tuple[str, str, str], tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Return what the same server answers without a boundary."""
    return run(line, DEFAULT_CALLS + REPORTED_CALLS, None, tmp_path_factory.mktemp("bare"))


def test_no_answer_on_the_wire_is_over_the_limit(
    line: tuple[str, str, str], tmp_path: Path
) -> None:
    calls: list[list[Any]] = [["tool", name, None] for name in TOOLS]
    calls += [["prompt", "long_prompt", None], ["resource", "data://book", None]]
    if line[2] in ERRORS:
        calls.append([*ERRORS[line[2]], None])
    ran = run(line, calls, {"limit_bytes": LIMIT_BYTES}, tmp_path)
    answers = of_call(ran)
    assert len(answers) == len(calls) == len(ran.outcomes)
    for call, answer in zip(calls, answers, strict=True):
        assert wire_bytes(answer) <= LIMIT_BYTES, call
    by_name = {call[1]: answer for call, answer in zip(calls, answers, strict=True)}
    outcomes = {call[1]: told for call, told in zip(calls, ran.outcomes, strict=True)}
    # Tools answer with results, which their clients accept: structured content fits its schema.
    for name in TOOLS:
        if name != "raised":
            assert "result" in by_name[name], by_name[name]
            assert "result" in outcomes[name], outcomes[name]
            assert not by_name[name]["result"].get("isError"), name
    for name in ("quotes", "newlines", "controls", "text", "rows", "closed"):
        meta = by_name[name]["result"]["_meta"]
        assert meta["dev.result-budget/report"]["truncated"] is True
        text = by_name[name]["result"]["content"][0]["text"]
        assert text.startswith("[result-budget] ")
    rows = by_name["closed"]["result"]["structuredContent"]["rows"]
    assert rows
    assert set(rows[0]) == {"id", "name", "done"}
    # A prompt is cut message by message; a resource goes whole, or an error says so.
    notice = by_name["long_prompt"]["result"]["messages"][0]["content"]["text"]
    assert notice.startswith("[result-budget] ")
    assert by_name["data://book"]["error"]["code"] == -32603
    assert "[result-budget] " in by_name["data://book"]["error"]["message"]
    if line[2] in ERRORS:
        error = by_name[ERRORS[line[2]][1]]["error"]
        assert error["code"] == -32050
        assert error["data"]["kept"] == "short"
        assert "[result-budget] " in error["message"]


def test_what_fits_is_as_it_was_and_a_client_can_ask_for_less(
    line: tuple[str, str, str], bare: Ran, tmp_path: Path
) -> None:
    calls: list[list[Any]] = [
        *DEFAULT_CALLS,
        ["tool", "text", {MAX_BYTES: 2_000}],
        ["tool", "text", None],
        ["tool", "small", {MAX_BYTES: 3}],
        ["tool", "small", {MAX_BYTES: True}],
        ["tool", "small", {MAX_BYTES: 2_000.0}],
        ["tool", "small", {MAX_BYTES: "many"}],
        ["tool", "small", None, {"max_bytes": 255}],
        ["tool", "text", None, {"max_bytes": 2_000}],
    ]
    ran = run(line, calls, {}, tmp_path)
    answers = of_call(ran)
    screenshot = answers[1]["result"]["content"]
    assert screenshot[0]["type"] == "image"
    assert len(screenshot[0]["data"]) > 500_000
    count = len(DEFAULT_CALLS)
    assert answers[:count] == of_call(bare)[:count]
    small, normal, *refused, by_argument = answers[count:]
    assert wire_bytes(small) <= 2_000 < wire_bytes(normal)
    # The tool has no argument of this name, so it is for the boundary.
    assert by_argument["result"] == small["result"]
    for answer, given in zip(refused, ("3", "true", "2000.0", "many", "255"), strict=True):
        assert answer["error"]["code"] == -32602
        assert f"got `{given}`" in answer["error"]["message"]
        assert "whole number from 256 to" in answer["error"]["message"]


def test_report_only_changes_nothing_and_tells_of_each(
    line: tuple[str, str, str], bare: Ran, tmp_path: Path
) -> None:
    ran = run(line, REPORTED_CALLS, {"limit_bytes": LIMIT_BYTES, "mode": "report-only"}, tmp_path)
    without_ids = [{**answer, "id": None} for answer in of_call(ran)]
    assert without_ids == [{**answer, "id": None} for answer in of_call(bare)[len(DEFAULT_CALLS) :]]
    told = [record for record in ran.records if not record["method"].endswith("/list")]
    assert [record["method"] for record in told] == [
        "tools/call",
        "tools/call",
        "prompts/get",
        "resources/read",
    ]
    assert [record["tool"] for record in told] == ["text", "rows", None, None]
    assert not any(record["enforced"] for record in told)
    assert all(record["client"] for record in told)
    assert {record["outcome"] for record in told} == {"bounded", "protocol-error"}
    lists = [record for record in ran.records if record["method"] == "tools/list"]
    assert lists
    assert all(record["in_bytes"] > 500 for record in lists)


def test_each_environment_attaches_as_it_should() -> None:
    for environment in ("fastmcp4", "mcp2", "mcp1"):
        ended = subprocess.run(
            [
                venv(environment),
                "-m",
                "pytest",
                "-q",
                "-o",
                "addopts=",
                "-p",
                "no:cacheprovider",
                "sdk",
            ],
            cwd=HERE.parent,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout[-4_000:]
