"""Real servers from the registries behind `result-budget proxy`, before the official clients.

What the client hears is recorded byte for byte, with the proxy and without it.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PROXY = os.environ["PROXY"]
TAP = os.environ["SCRIPTED_SERVER"]
INSTALLED = Path(os.environ["INSTALLED"])
# Each holds a client for Python of another generation.
PYTHONS = {name: INSTALLED / name / "bin" for name in ("servers", "sqlite")}
LIMIT_BYTES = 4_000

CLIENTS: dict[str, list[str]] = {
    "python-2": [str(PYTHONS["servers"] / "python"), str(HERE / "client.py")],
    "python-1": [str(PYTHONS["sqlite"] / "python"), str(HERE / "client.py")],
    "typescript": [os.environ["NODE"], str(HERE / "client.mjs")],
}

SERVERS = ("everything", "filesystem", "memory", "git", "time", "sqlite")


def node(name: str) -> str:
    """Return the program of a server from npm."""
    return str(INSTALLED / "node_modules" / ".bin" / f"mcp-server-{name}")


def told(server: str, folder: Path) -> dict[str, Any]:
    """Return how a server is started, and the calls: some fit, some do not."""
    folder.mkdir()
    env: dict[str, str] = {}
    if server == "everything":
        command = [node(server), "stdio"]
        calls = [
            ["echo", {"message": 'caf\u00e9 \u2028 "quoted"'}],
            ["echo", {"message": "a long line, " * 1_000}],
            ["get-sum", {"a": 1.5, "b": 2}],
            ["get-tiny-image", {}],
            ["get-annotated-message", {"messageType": "error", "includeImage": True}],
            ["get-structured-content", {"location": "Chicago"}],
            ["get-resource-links", {"count": 3}],
            ["echo", {"wrong": 1}],
        ]
    elif server == "filesystem":
        command = [node(server), str(folder)]
        (folder / "small.txt").write_text("a few words\n", encoding="utf-8")
        (folder / "large.txt").write_text("a line of it\n" * 20_000, encoding="utf-8")
        for number in range(300):
            (folder / f"file {number}").touch()
        calls = [
            ["read_text_file", {"path": str(folder / "small.txt")}],
            ["read_text_file", {"path": str(folder / "large.txt")}],
            ["list_directory", {"path": str(folder)}],
            ["list_allowed_directories", {}],
            ["read_text_file", {"path": "/etc/passwd"}],
        ]
    elif server == "memory":
        command = [node(server)]
        env["MEMORY_FILE_PATH"] = str(folder / "memory.json")
        entity = {"entityType": "thing", "observations": ["is \u00e9"]}
        calls = [
            ["create_entities", {"entities": [entity | {"name": "one"}]}],
            ["read_graph", {}],
            ["create_entities", {"entities": [entity | {"name": f"n{n}"} for n in range(500)]}],
            ["read_graph", {}],
            ["search_nodes", {"query": "one"}],
        ]
    elif server == "git":
        command = [str(PYTHONS["servers"] / "mcp-server-git")]
        repository(folder)
        calls = [
            ["git_status", {"repo_path": str(folder)}],
            ["git_log", {"repo_path": str(folder), "max_count": 2}],
            ["git_log", {"repo_path": str(folder), "max_count": 100}],
            ["git_show", {"repo_path": str(folder), "revision": "HEAD"}],
            ["git_status", {"repo_path": str(folder / "nowhere")}],
        ]
    elif server == "time":
        command = [str(PYTHONS["servers"] / "mcp-server-time"), "--local-timezone", "UTC"]
        zones = {"source_timezone": "UTC", "target_timezone": "Asia/Tokyo"}
        calls = [
            ["convert_time", zones | {"time": "12:00"}],
            ["convert_time", zones | {"time": "no time"}],
        ]
    else:
        command = [str(PYTHONS["sqlite"] / "mcp-server-sqlite")]
        command += ["--db-path", str(folder / "data.db")]
        rows = ", ".join(f"({n}, 'row {n}')" for n in range(1_000))
        calls = [
            ["create_table", {"query": "CREATE TABLE t (a INTEGER, b TEXT)"}],
            ["write_query", {"query": f"INSERT INTO t VALUES {rows}"}],
            ["read_query", {"query": "SELECT count(*) FROM t"}],
            ["read_query", {"query": "SELECT * FROM t"}],
            ["list_tables", {}],
            ["read_query", {"query": "DROP TABLE t"}],
        ]
    return {"command": command, "env": env, "calls": calls}


def repository(folder: Path) -> None:
    """Make a repository of which every byte is known."""
    when = "2026-01-01T00:00:00Z"
    env = os.environ | {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    for name in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{name}_NAME": "a", f"GIT_{name}_EMAIL": "a@example.org"}

    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-C", str(folder), *arguments], check=True, env=env, capture_output=True
        )

    git("init", "--initial-branch", "main")
    (folder / "file").write_text("words\n" * 2_000, encoding="utf-8")
    git("add", "file")
    for number in range(100):
        git("commit", "--allow-empty", "--message", f"Change number {number}")


def session(
    client: str, start: dict[str, Any], heard: Path, proxy: list[str]
) -> tuple[Any, dict[int, bytes]]:
    """Run one session; return what the client got, and each line it heard by id."""
    command = [TAP, "tap", str(heard), *proxy, *start["command"]]
    ended = subprocess.run(
        CLIENTS[client],
        input=json.dumps(start | {"command": command}),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env=os.environ | {"INSTALLED": str(INSTALLED)},
    )
    assert ended.returncode == 0, ended.stderr
    lines = {}
    for line in heard.read_bytes().splitlines():
        message = json.loads(line)
        if "method" not in message:
            lines[message["id"]] = line
    return json.loads(ended.stdout), lines


def without_notices(list_line: bytes) -> Any:
    """Return a list of tools without what is added for our notices."""
    message = json.loads(list_line)
    for tool in message["result"]["tools"]:
        tool.get("outputSchema", {}).get("properties", {}).pop("result_budget", None)
    return message


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("server", SERVERS)
def test_answers_that_fit_are_the_same_bytes_and_others_are_bounded(
    server: str, client: str, tmp_path: Path
) -> None:
    """The clients get what they get without the proxy, or what is left of it."""
    plain = told(server, tmp_path / "plain")
    got, direct = session(client, plain, tmp_path / "direct", [])
    # The same folder, made anew.
    (tmp_path / "plain").rename(tmp_path / "old")
    plain = told(server, tmp_path / "plain")
    proxy = [PROXY, "proxy", "--limit-bytes", str(LIMIT_BYTES), "--"]
    bounded, proxied = session(client, plain, tmp_path / "proxied", proxy)
    assert direct.keys() == proxied.keys()
    assert len(got) == len(bounded) == len(plain["calls"]) + 1
    assert got[0] == bounded[0], "the tools"
    same = cut = 0
    for number, line in direct.items():
        message = json.loads(line)
        if "tools" in message.get("result", {}):
            assert without_notices(line) == without_notices(proxied[number])
            continue
        result = json.dumps(message.get("result", {}), ensure_ascii=False, separators=(",", ":"))
        if len(result.encode()) <= LIMIT_BYTES:
            assert proxied[number] == line
            same += 1
        else:
            after = json.loads(proxied[number])["result"]
            text = json.dumps(after, ensure_ascii=False, separators=(",", ":"))
            assert len(text.encode()) <= LIMIT_BYTES
            assert "[result-budget]" in text
            cut += 1
    for number, (before, after) in enumerate(zip(got, bounded, strict=True)):
        # No cut makes a client refuse what it would have taken.
        assert ("threw" in after) == ("threw" in before), (number, after)
    print(f"{server}, {client}: {same} the same, {cut} cut")
    assert same > 0
    assert cut > 0 or server == "time"
