"""Answers vectors through the Python package; `../README.md` tells how."""

from __future__ import annotations

import json
import sys
from typing import Any

from result_budget import Answer, Boundary, Engine, ResultBudgetError


def main() -> None:
    """Answer a line for each line."""
    engine = Engine()
    say({"engine": engine.sha256})
    for line in sys.stdin:
        vector = json.loads(line)
        try:
            answer = answer_to(engine, vector["call"], vector["given"])
        except ResultBudgetError as error:
            answer = {"error": told_error(error)}
        say({"name": vector["name"], "answer": answer})


def answer_to(engine: Engine, call: str, given: dict[str, Any]) -> dict[str, Any]:
    """Make one call."""
    if call == "limit-rows":
        return {"rows": engine.limit_rows()}
    if call == "preset-rows":
        return {"rows": engine.preset_rows()}
    request = given.get("request", {})
    boundary = Boundary(
        engine=engine,
        preset=request.get("preset"),
        limit_bytes=request.get("limit_bytes"),
        limit_tokens=request.get("limit_tokens"),
        profile=request.get("wire_profile"),
        policy=given["policy_json"].encode() if given.get("policy_json") else None,
    )
    of_call = {
        "tool": request.get("tool"),
        "revision": request.get("revision"),
        "client": request.get("client_name"),
        "max_bytes": request.get("call_max_bytes"),
        "max_tokens": request.get("call_max_tokens"),
    }
    result = given.get("tool_result_json", "")
    if call == "settle":
        settings = boundary.in_force(**of_call)
        preset, chosen_by = settings.pop("preset"), settings.pop("preset_chosen_by")
        return {"settings": settings, "preset": preset, "chosen_by": chosen_by}
    if call == "measure":
        return {"measurement": boundary.measure(result, **of_call)}
    if call == "measure-tools":
        return {"measurement": boundary.measure_tools(result, revision=request.get("revision"))}
    if call == "prepare-tools":
        prepared = boundary.prepare_tools(result, revision=request.get("revision"))
        if prepared is result:
            return {"outcome": "unchanged"}
        return {"outcome": "prepared", "tool_result_json": prepared}
    if call == "failure-result":
        failure = dict(given["failure"])
        text = boundary.failure_result(
            failure.pop("code"),
            revision=request.get("revision"),
            kind=given.get("kind", "tool"),
            **failure,
        )
        return {"tool_result_json": text}
    schema = given.get("output_schema", "unknown")
    if isinstance(schema, dict):
        schema = schema["given"]
    if "limits_by_hand" in given:
        by_hand = given["limits_by_hand"]
        return told(boundary._fit_by_hand(result, by_hand, output_schema=schema))
    kind, previous = given.get("kind", "tool"), given.get("previous_report")
    answer = boundary.answer(
        result, output_schema=schema, kind=kind, previous_report=previous, **of_call
    )
    return told(answer)


def told(answer: Answer) -> dict[str, Any]:
    """Tell how a result came out, as the engine does."""
    match answer.outcome:
        case "unchanged":
            return {"outcome": "unchanged"}
        case "compacted":
            return {"outcome": "compacted", "tool_result_json": answer.result}
        case "protocol-error":
            return {
                "outcome": "protocol-error",
                "error_json": answer.result,
                "report_json": answer.report_json,
            }
        case "bounded" | "replaced-by-error":
            return {
                "outcome": "bounded",
                "tool_result_json": answer.result,
                "report_json": answer.report_json,
                "replaced_by_error": answer.outcome == "replaced-by-error",
            }
    if isinstance(answer.failure, ResultBudgetError) and answer.failure.code in REFUSALS:
        return {"error": told_error(answer.failure)}
    raise RuntimeError(f"the engine broke: {answer.failure}")


def told_error(error: ResultBudgetError) -> dict[str, Any]:
    """Tell a refusal."""
    if error.code not in REFUSALS:
        raise error
    if "offset_bytes" in error.details or error.code == "previous-report":
        return {"code": error.code, **error.details}
    return {"code": error.code, "fault": error.details} if error.details else {"code": error.code}


def say(value: dict[str, Any]) -> None:
    """Write one line."""
    print(json.dumps(value), flush=True)


REFUSALS = frozenset(
    {
        "limit-out-of-range",
        "input-too-large",
        "malformed-json",
        "not-an-object",
        "output-schema",
        "previous-report",
        "policy",
        "unknown-name",
    }
)

if __name__ == "__main__":
    main()
