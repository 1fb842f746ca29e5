"""The real Codex before a scripted model: what reaches the model of results of ours.

`CODEX` is the program, and `SHOWN` the one that makes its rule anew. All talk is on loopback: what
Codex would ask of others goes to the model as well, which keeps it and refuses.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from model import Model

HERE = Path(__file__).resolve().parent
TEE = HERE.parents[2] / "bindings" / "python" / "tests" / "servers" / "tee.py"
CODEX, SHOWN = os.environ["CODEX"], os.environ["SHOWN"]

# One that the pinned Codex knows, and one that nobody knows.
KNOWN, OTHER = "gpt-5.5", "somebody-elses-model"
TEXTS = ["log", "chinese", "blocks", "picture", "failing"]
STRUCTURED = ["rows", "page"]
TOOLS = TEXTS + STRUCTURED
CUT = re.compile(r"…\d+ tokens truncated…")


@dataclass
class Ran:
    """What the server sent, and what reached the model, by tool."""

    sent: dict[str, dict[str, Any]]
    shown: dict[str, str]


def run(folder: Path, model_name: str, boundary: dict[str, Any] | None) -> Ran:
    """Run Codex with this model: it calls each tool once."""
    home, work, wire = folder / "home", folder / "work", folder / "wire"
    for made in (home, work):
        made.mkdir(parents=True)
    calls = [{"namespace": "mcp__long", "name": tool, "arguments": "{}"} for tool in TOOLS]
    with Model(calls) as model:
        command = [str(TEE), str(wire), sys.executable, str(HERE / "server.py")]
        text = {"BOUNDARY": json.dumps(boundary)}
        config = f"""
model = "{model_name}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[features]
plugins = false
remote_plugin = false
apps = false
[history]
persistence = "none"
[model_providers.scripted]
name = "scripted"
base_url = "{model.url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[mcp_servers.long]
command = {json.dumps(sys.executable)}
args = {json.dumps(command)}
startup_timeout_sec = 120
required = true
[mcp_servers.long.env]
BOUNDARY = {json.dumps(text["BOUNDARY"])}
"""
        (home / "config.toml").write_text(config, encoding="utf-8")
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "CODEX_HOME": str(home),
            "HTTP_PROXY": model.url,
            "HTTPS_PROXY": model.url,
            "NO_PROXY": "127.0.0.1",
        }
        options = ["exec", "--json", "--skip-git-repo-check", "--ephemeral", "-C", str(work), "Go."]
        ended = subprocess.run(
            [CODEX, *options],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
        )
        assert ended.returncode == 0, ended.stdout[-4_000:] + ended.stderr[-4_000:]
        assert model.strays == []
        assert len(model.requests) == len(TOOLS) + 1, ended.stdout[-4_000:]
        outputs = model.outputs()
    shown = {tool: outputs[f"call_{at}"] for at, tool in enumerate(TOOLS)}
    # In the order of the calls: each waits for the one before.
    answers = [json.loads(line) for line in wire.read_text(encoding="utf-8").splitlines()]
    results = [answer["result"] for answer in answers if "content" in answer.get("result", {})]
    return Ran(dict(zip(TOOLS, results, strict=True)), shown)


def made_anew(client: str, results: dict[str, Any]) -> dict[str, str]:
    """Show results by the rule that the presets are held against."""
    lines = "".join(json.dumps(result) + "\n" for result in results.values())
    ran = subprocess.run([SHOWN, client], input=lines.encode(), capture_output=True, check=True)
    texts = [json.loads(line) for line in ran.stdout.decode().splitlines()]
    return dict(zip(results, texts, strict=True))


def plain(text: str) -> str:
    """Leave out what differs from run to run, and Codex' count of what it cut from its own mark."""
    text = re.sub(r"Wall time: [\d.]+ seconds", "Wall time: 0.0000 seconds", text)
    return CUT.sub("…0 tokens truncated…", text)


@pytest.mark.parametrize(("model", "rule"), [(KNOWN, "Codex"), (OTHER, "Codex, models of others")])
def test_codex_cuts_as_its_rule_made_anew_says(tmp_path: Path, model: str, rule: str) -> None:
    ran = run(tmp_path, model, None)
    expected = made_anew(rule, ran.sent)
    for tool in TOOLS:
        assert CUT.search(ran.shown[tool]), f"{tool} was not cut at all"
        assert plain(ran.shown[tool]) == plain(expected[tool]), tool


def test_with_its_preset_codex_cuts_nothing_and_the_model_reads_the_notice(tmp_path: Path) -> None:
    # `auto` goes by the name that Codex gives.
    ran = run(tmp_path, KNOWN, {"preset": "auto"})
    assert ran.sent == run(tmp_path / "named", KNOWN, {"preset": "codex"}).sent
    expected = made_anew("Codex", ran.sent)
    for tool in TOOLS:
        shown = ran.shown[tool]
        assert not CUT.search(shown), tool
        assert "truncated" not in shown, tool
        assert plain(shown) == plain(expected[tool]), tool
        assert told(tool, shown), shown[:300]
        # Far more than a notice: the payload is there.
        assert len(shown.encode()) > 4_000, f"{tool}: {len(shown.encode())} bytes"
    assert "issue number 0" in ran.shown["rows"]
    assert "worker took job 1\n" in ran.shown["log"]


@pytest.mark.parametrize("model", [KNOWN, OTHER])
def test_under_a_larger_preset_the_notice_survives_codex_own_cut(
    tmp_path: Path, model: str
) -> None:
    ran = run(tmp_path, model, {"preset": "large"})
    cut = [tool for tool in TOOLS if CUT.search(ran.shown[tool])]
    assert {"log", "page", "failing"} <= set(cut), cut
    for tool in TOOLS:
        assert told(tool, ran.shown[tool]), ran.shown[tool][:300]


def told(tool: str, shown: str) -> bool:
    """Whether the first thing after Codex' own line tells of our cut, and how to go on."""
    head = r"Wall time: [\d.]+ seconds\nOutput:\n"
    if tool in STRUCTURED:
        return bool(
            re.match(head + r'\{"result_budget":"\d+ of \d+ \w+ shown; ask for less"', shown)
        )
    notice = re.match(head + r"\[result-budget\] (.*)\n", shown)
    return bool(notice and re.search(r"\d+ of \d+ \w+ .*ask for less", notice[1], re.IGNORECASE))
