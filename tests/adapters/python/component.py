"""Answers vectors by the component alone, run by the `wasmtime` package: no code of ours between.

Usage: component.py result-budget.wasm
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant


class Host:
    """The component, called by the names in `wit/`."""

    def __init__(self, wasm: bytes) -> None:
        """Load it; an import would be missing here."""
        engine = Engine()
        self.store = Store(engine)
        self.instance = Linker(engine).instantiate(self.store, Component(engine, wasm))

    def call(self, interface: str, function: str, *arguments: Any) -> Any:
        """Call one function; a trap ends the process."""
        path = f"result-budget:engine/{interface}@{VERSION}"
        found = self.instance.get_export_index(self.store, path)
        index = self.instance.get_export_index(self.store, function, found)
        assert index is not None
        called = self.instance.get_func(self.store, index)
        assert called is not None
        answer = called(self.store, *arguments)
        called.post_return(self.store)
        return answer


def main() -> None:
    """Answer a line for each line."""
    wasm = Path(sys.argv[1]).read_bytes()
    host = Host(wasm)
    say({"engine": hashlib.sha256(wasm).hexdigest()})
    for line in sys.stdin:
        vector = json.loads(line)
        say(
            {
                "name": vector["name"],
                "answer": answer_to(host, vector["call"], vector["given"]),
            }
        )


def answer_to(host: Host, call: str, given: dict[str, Any]) -> dict[str, Any]:
    """Make one call."""
    if call in {"limit-rows", "preset-rows"}:
        return {"rows": told(host.call("settling", call))}
    asked = given.get("request", {})
    request = record({name: asked.get(name.replace("-", "_")) for name in REQUEST})
    # The package tells cases apart by their Python types where it can: an error
    # is a `Variant` throughout, and nothing else is.
    settled = host.call("settling", "settle", given.get("policy_json", ""), request)
    if isinstance(settled, Variant):
        return {"error": told_error(settled)}
    settings = settled.settings
    for name, value in given.get("limits_by_hand", {}).items():
        setattr(settings.limits, name.replace("_", "-"), value)
    result = given.get("tool_result_json", "")
    if call == "settle":
        return {**told(settled)}
    if call == "failure-result":
        kind = given.get("kind", "tool")
        text = host.call("fitting", call, failure(given["failure"]), kind, settings)
        return {"tool_result_json": text}
    if call in {"measure", "measure-tools", "prepare-tools"}:
        interface = "fitting" if call == "measure" else "listing"
        answer = host.call(interface, call, result, settings)
        if isinstance(answer, Variant):
            return {"error": told_error(answer)}
        if call != "prepare-tools":
            return {"measurement": told(answer)}
        if answer is None:
            return {"outcome": "unchanged"}
        return {"outcome": "prepared", "tool_result_json": answer}
    known = record(
        {
            "kind": given.get("kind", "tool"),
            "output-schema": schema(given),
            "previous-report": given.get("previous_report"),
        }
    )
    answer = host.call("fitting", call, result, known, settings)
    # Two of the outcomes are records: Python's types tell neither those nor outcomes and errors
    # apart, so that each is a `Variant`.
    failed = answer.tag == "err"
    answer = answer.payload
    if failed:
        return {"error": told_error(answer)}
    if answer.payload is None:
        return {"outcome": answer.tag}
    if isinstance(answer.payload, str):
        return {"outcome": answer.tag, "tool_result_json": answer.payload}
    return {"outcome": answer.tag, **told(answer.payload)}


def told_error(error: Variant) -> dict[str, Any]:
    """Tell a refusal."""
    fault = error.payload
    if fault is None:
        return {"code": error.tag}
    if isinstance(fault, int):
        return {"code": error.tag, "offset_bytes": fault}
    if isinstance(fault, str):
        return {"code": error.tag, "pointer": fault}
    return {"code": error.tag, "fault": told(fault)}


def record(fields: dict[str, Any]) -> Record:
    """Make a record, whose names are no names of Python."""
    made = Record()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def schema(given: dict[str, Any]) -> Any:
    """Make the variant `output-schema`."""
    told_schema = given.get("output_schema", "unknown")
    if isinstance(told_schema, dict):
        return Variant("given", told_schema["given"])
    return Variant(told_schema)


def failure(given: dict[str, Any]) -> Any:
    """Make the variant `failure`."""
    code = given["code"]
    if code == "not-utf8":
        return Variant(code, given["offset_bytes"])
    if code in ("malformed-json", "output-schema"):
        return Variant("refused", Variant(code, given["offset_bytes"]))
    if code == "not-an-object":
        return Variant("refused", Variant(code))
    if code == "input-too-large":
        size = record({"given-bytes": given["given_bytes"], "max-bytes": given["max_bytes"]})
        return Variant("refused", Variant(code, size))
    return Variant(code)


def told(value: Any) -> Any:
    """Tell a value of the component as JSON."""
    if isinstance(value, Record):
        return {name.replace("-", "_"): told(field) for name, field in vars(value).items()}
    if isinstance(value, list):
        return [told(item) for item in value]
    return value


def say(value: dict[str, Any]) -> None:
    """Write one line."""
    print(json.dumps(value), flush=True)


# The package's version of the interface, and the fields of its `request`.
VERSION = "0.1.0"
REQUEST = (
    "preset",
    "client-name",
    "limit-bytes",
    "limit-tokens",
    "tool",
    "revision",
    "wire-profile",
    "call-max-bytes",
    "call-max-tokens",
)

if __name__ == "__main__":
    main()
