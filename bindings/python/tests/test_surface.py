"""What only Python can get wrong: types, keywords, numbers, surrogates."""

from __future__ import annotations

import enum
import json
import pickle
from typing import Any

import pytest
from pydantic import BaseModel
from result_budget import Answer, Boundary, Engine, ResultBudgetError

SMALL = {"content": [{"type": "text", "text": "hello"}]}
LARGE = {"content": [{"type": "text", "text": "x" * 50_000}]}


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Block(BaseModel):
    type: str
    text: str
    annotations: dict[str, Any] | None = None


class Result(BaseModel):
    content: list[Block]


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (lambda text: text, str),
        (lambda text: text.encode(), bytes),
        (lambda text: bytearray(text.encode()), bytearray),
        (lambda text: memoryview(text.encode()), memoryview),
        (json.loads, dict),
        (lambda text: Result.model_validate_json(text), Result),
    ],
)
def test_what_goes_in_comes_out_in_the_same_type(made: Any, kind: type) -> None:
    boundary = Boundary(preset="small")
    small = made(compact(SMALL))
    assert boundary.fit(small) is small
    bounded = boundary.fit(made(compact(LARGE)))
    assert type(bounded) is kind
    expected = boundary.fit(compact(LARGE))
    match bounded:
        case str():
            assert bounded == expected
        case dict():
            assert bounded == json.loads(expected)
        case Result():
            assert [block.text for block in bounded.content] == [
                block["text"] for block in json.loads(expected)["content"]
            ]
        case _:
            assert bytes(bounded).decode() == expected


def test_a_result_under_its_budget_is_the_same_object_and_a_cut_one_is_within_it() -> None:
    boundary = Boundary(limit_bytes=1_000)
    assert boundary.fit(SMALL) is SMALL
    bounded = boundary.fit(LARGE)
    assert len(compact(bounded).encode()) <= 1_000
    assert boundary.fit(bounded) is bounded


@pytest.mark.parametrize("given", [7, 1.5, None, {1, 2}, object(), [].append, Result])
def test_what_is_no_result_at_all_is_the_callers_fault(given: Any) -> None:
    with pytest.raises(ResultBudgetError, match="`result` must be") as raised:
        Boundary().fit(given)
    assert raised.value.code == "bad-argument"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("no json", "malformed-json"),
        ("[]", "not-an-object"),
        ([], "not-an-object"),
        (b"\xff", "not-utf8"),
        ({"content": {1, 2}}, "malformed-json"),
        ({"content": [], 1.5: 2}, "malformed-json"),
        ({"content": [], None: 2}, "malformed-json"),
        pytest.param({"n": 10**5000}, "malformed-json", id="5000-digits"),
        ({"content": object()}, "malformed-json"),
        ((), "not-an-object"),
    ],
)
def test_a_bad_result_is_answered_and_never_raised(given: Any, code: str) -> None:
    answer = Boundary().answer(given)
    assert answer.outcome == "failed-closed"
    assert isinstance(answer.failure, ResultBudgetError)
    assert answer.failure.code == code
    text = answer.result if isinstance(answer.result, str) else None
    told = json.loads(text) if text else answer.result
    told = json.loads(bytes(told)) if isinstance(told, bytes) else told
    assert told["isError"] is True
    assert len(compact(told).encode()) <= 256


def test_a_result_that_holds_itself_is_answered() -> None:
    inner: list[Any] = []
    inner.append(inner)
    outer: dict[str, Any] = {"content": inner}
    outer["self"] = outer
    for given in ({"content": inner}, outer):
        answer = Boundary().answer(given)
        assert answer.failure is not None
        assert answer.failure.code == "malformed-json"


def test_a_deep_result_is_cut_and_not_refused() -> None:
    deep: Any = "end"
    for _ in range(500):
        deep = [deep]
    answer = Boundary().answer({"content": [], "structuredContent": {"deep": deep}})
    assert answer.outcome == "bounded"
    assert answer.report is not None
    assert answer.report["budget_kind"] == "depth"


def test_input_beyond_the_cap_is_told_and_not_read() -> None:
    engine = Engine(input_max_bytes=1_000)
    boundary = Boundary(engine=engine)
    for given in (compact(LARGE), compact(LARGE).encode(), LARGE):
        answer = boundary.answer(given)
        assert answer.failure is not None
        assert answer.failure.code == "input-too-large"
        assert answer.failure.details["max_bytes"] == 1_000


class Whole(enum.IntEnum):
    THOUSAND = 1_000


class Indexed:
    def __index__(self) -> int:
        return 1_000


@pytest.mark.parametrize("given", [1_000, "1000", Whole.THOUSAND, Indexed()])
def test_whole_numbers_of_any_kind_are_taken(given: Any) -> None:
    boundary = Boundary(limit_bytes=given)
    assert boundary.in_force()["limits"]["max_result_bytes"] == 1_000
    assert Boundary().in_force(tool="t", max_bytes=given)["limits"]["max_text_bytes"] == 1_000


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (True, "True"),
        (False, "False"),
        (1_000.0, "1000.0"),
        (1.9, "1.9"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (-1, "-1"),
        (0, "0"),
        (255, "255"),
        (16 * 1024 * 1024 + 1, "16777217"),
        (2**32 + 1_000, "4294968296"),
        (2**53 + 1, "9007199254740993"),
        (2**64 + 1_000, "18446744073709552616"),
        pytest.param(10**5000, "0x", id="5000-digits"),
        ("1e3", "1e3"),
        (" 1000", " 1000"),
        ("", ""),
        (b"1000", "b'1000'"),
        ([], "[]"),
        ({}, "{}"),
    ],
)
def test_numbers_out_of_range_are_told_with_the_range(given: Any, shown: str) -> None:
    with pytest.raises(ResultBudgetError) as raised:
        Boundary(limit_bytes=given)
    error = raised.value
    assert error.code == "limit-out-of-range"
    assert error.details["given"].startswith(shown)
    assert (error.details["min"], error.details["max"]) == (256, 16_777_216)
    assert "256 to 16777216" in str(error)
    with pytest.raises(ResultBudgetError) as raised:
        Boundary().fit(SMALL, max_bytes=given)
    assert raised.value.code == "limit-out-of-range"
    with pytest.raises(ResultBudgetError) as raised:
        Boundary().check(max_bytes=given)
    assert raised.value.code == "limit-out-of-range"


@pytest.mark.parametrize("given", [-1, 2**32, True, 1.0, "10"])
def test_numbers_of_the_host_are_checked_as_wide(given: Any) -> None:
    for name in ("deadline_ms", "input_max_bytes"):
        with pytest.raises(ResultBudgetError, match=f"`{name}` must be a whole number from 0"):
            Engine(**{name: given})


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"preset": "huge"}, "unknown-name"),
        ({"profile": "yaml"}, "unknown-name"),
        ({"policy": {"version": 2}}, "policy"),
        ({"policy": '{"version":1,"limits":{"max_text_bytes":true}}'}, "policy"),
        ({"policy": {"version": 1, "limits": {"max_text_bytes": True}}}, "policy"),
        ({"policy": {"version": 1, "limits": {"max_text_bytes": 300.0}}}, "limit-out-of-range"),
        ({"policy": "not-there.json"}, "bad-argument"),
        ({"policy": 5}, "bad-argument"),
        ({"mode": "loud"}, "bad-argument"),
        ({"on_report": 5}, "bad-argument"),
        ({"engine": 5}, "bad-argument"),
        ({"engine": __file__}, "bad-image"),
    ],
)
def test_wrong_arguments_are_raised_with_a_code(arguments: dict[str, Any], code: str) -> None:
    with pytest.raises(ResultBudgetError) as raised:
        Boundary(**arguments)
    assert raised.value.code == code


def test_options_are_keywords() -> None:
    with pytest.raises(TypeError):
        Boundary("small")  # type: ignore[misc]
    with pytest.raises(TypeError):
        Boundary().fit(SMALL, "tool")  # type: ignore[call-overload]


def test_a_policy_is_a_path_a_document_or_its_text(tmp_path: Any) -> None:
    document = {
        "version": 1,
        "limits": {"max_text_bytes": 500},
        "tools": {"t": {"preset": "small"}},
    }
    path = tmp_path / "policy.json"
    path.write_text(json.dumps(document))
    for policy in (document, json.dumps(document), json.dumps(document).encode(), path, str(path)):
        boundary = Boundary(policy=policy)
        assert boundary.in_force()["limits"]["max_text_bytes"] == 500
        assert boundary.in_force(tool="t")["limits"]["max_text_bytes"] == 8_000


def test_a_lone_surrogate_is_repaired_and_reported() -> None:
    boundary = Boundary()
    text = '{"content":[{"type":"text","text":"a\ud800b"}]}'
    answer = boundary.answer(text)
    assert json.loads(answer.result)["content"][-1]["text"] == "a\ufffdb"
    assert answer.report is not None
    assert answer.report["repairs"]
    bounded = boundary.fit({"content": [{"type": "text", "text": "a\udfffb\U0001f600"}]})
    assert bounded["content"][-1]["text"] == "a\ufffdb\U0001f600"
    # As an escape, it is what it is in bytes.
    assert boundary.fit(text) == boundary.fit(text.replace("\ud800", "\\ud800"))


def test_a_surrogate_behind_a_backslash_is_no_escape() -> None:
    answer = Boundary().answer('{"content":[],"a":"\\\ud800"}')
    assert answer.failure is not None
    assert answer.failure.code == "malformed-json"
    answer = Boundary().answer('{"content":[{"type":"text","text":"\\\\\ud800"}]}')
    assert json.loads(answer.result)["content"][-1]["text"] == "\\\ufffd"


def test_two_halves_of_a_pair_are_the_character() -> None:
    answer = Boundary().answer(
        {"content": [{"type": "text", "text": "\ud83d\ude00" + "x" * 40_000}]}
    )
    assert answer.result["content"][-1]["text"].startswith("\U0001f600x")


def test_an_output_schema_is_told_in_four_ways() -> None:
    given = {"content": [], "structuredContent": {"rows": list(range(9_000)), "id": 7}}
    boundary = Boundary(preset="small")
    unknown = boundary.fit(given)
    assert boundary.fit(given, output_schema="unknown") == unknown
    schema = {"type": "object", "properties": {"rows": {"type": "array"}}}
    for way in (schema, json.dumps(schema)):
        assert "structuredContent" in boundary.fit(given, output_schema=way)
    assert "structuredContent" in boundary.fit(given, output_schema="none")
    for wrong in ("some", 5, []):
        with pytest.raises(ResultBudgetError) as raised:
            boundary.fit(given, output_schema=wrong)  # type: ignore[call-overload]
        assert raised.value.code == "bad-argument"


def test_a_revision_decides_the_shape_of_an_error() -> None:
    boundary = Boundary()
    assert "resultType" in json.loads(boundary.fit("no json"))
    assert "resultType" not in json.loads(boundary.fit("no json", revision="2025-06-18"))
    with pytest.raises(ResultBudgetError) as raised:
        boundary.fit(SMALL, revision="1999-01-01")
    assert raised.value.code == "unknown-name"
    assert raised.value.details["field"] == "revision"


def test_a_clients_budget_can_only_lower() -> None:
    boundary = Boundary(limit_bytes=2_000)
    assert len(boundary.fit(compact(LARGE), max_bytes=600).encode()) <= 600
    answer = boundary.answer(SMALL, max_bytes=2_001)
    assert answer.outcome == "failed-closed"
    assert answer.failure is not None
    assert answer.failure.code == "limit-out-of-range"


def test_measuring_tells_the_sizes_of_the_limits(long_result: str) -> None:
    sizes = Boundary().measure(long_result)
    assert sizes["result_bytes"] == len(long_result.encode())
    assert sizes["structured_bytes"] > 0
    assert sizes["parts"][0].keys() == {"pointer", "kind", "encoded_bytes", "children_items"}
    with pytest.raises(ResultBudgetError) as raised:
        Boundary().measure("no json")
    assert raised.value.code == "malformed-json"
    assert raised.value.details["offset_bytes"] == 1


def test_a_report_is_told_for_each_call(long_result: str) -> None:
    records: list[dict[str, Any]] = []
    boundary = Boundary(on_report=records.append, tenant="acme")
    bounded = boundary.fit(long_result, tool="list_issues")
    boundary.fit(SMALL)
    boundary.fit("no json")
    cut, whole, failed = records
    assert cut["tool"] == "list_issues"
    assert cut["tenant"] == "acme"
    assert (cut["in_bytes"], cut["out_bytes"]) == (len(long_result.encode()), len(bounded.encode()))
    assert cut["outcome"] == "bounded"
    assert cut["report"]["truncated"] is True
    assert whole["outcome"] == "unchanged"
    assert (whole["report"], whole["code"]) == (None, None)
    assert failed["code"] == "malformed-json"
    assert all(json.dumps(record) and record["elapsed_micros"] >= 0 for record in records)


def test_report_only_changes_nothing_and_tells_what_would_have_been(long_result: str) -> None:
    records: list[dict[str, Any]] = []
    boundary = Boundary(mode="report-only", on_report=records.append)
    assert boundary.mode == "report-only"
    assert boundary.fit(long_result) is long_result
    assert boundary.fit("no json") == "no json"
    assert [record["outcome"] for record in records] == ["bounded", "failed-closed"]
    assert not any(record["enforced"] for record in records)
    assert records[0]["out_bytes"] < records[0]["in_bytes"]


def test_a_callback_that_raises_costs_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    seen: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: seen.append(told.exc_value))

    def broken(_record: dict[str, Any]) -> None:
        raise ZeroDivisionError

    assert Boundary(on_report=broken).fit(SMALL) is SMALL
    assert [type(error) for error in seen] == [ZeroDivisionError]


def test_a_callback_may_call_the_boundary_again() -> None:
    seen: list[int] = []
    inner = Boundary(preset="small")

    def nested(record: dict[str, Any]) -> None:
        seen.append(len(inner.fit(compact(LARGE))))
        assert record["in_bytes"] == len(compact(LARGE))

    Boundary(on_report=nested).fit(compact(LARGE))
    assert len(seen) == 1


def test_an_error_survives_pickling() -> None:
    with pytest.raises(ResultBudgetError) as raised:
        Boundary(limit_bytes=1)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.code, again.details) == (
        str(raised.value),
        raised.value.code,
        raised.value.details,
    )


def test_the_engine_tells_what_it_is() -> None:
    engine = Engine()
    assert len(engine.sha256) == 64
    assert engine.image in {"native", "interpreted", "compiled"}
    assert engine.input_max_bytes == 16 * 1024 * 1024
    assert engine.limit_rows()[0]["name"] == "max_result_bytes"
    presets = {row["name"]: row for row in engine.preset_rows()}
    assert list(presets)[:3] == ["small", "normal", "large"]
    assert not any(presets[size]["client_names"] for size in ("small", "normal", "large"))
    assert "codex-mcp-client*" in presets["codex"]["client_names"]
    assert all(row["client_names"] and row["source"] for row in list(presets.values())[3:])
    assert sum(engine.fault_counts().values()) == 0
    assert Boundary(engine=engine).engine.sha256 == engine.sha256
    assert Engine.component_wasm()[:4] == b"\0asm"


def test_an_answer_says_how_it_came_out() -> None:
    answer = Boundary(limit_bytes=256).answer(compact(SMALL) + " " * 256)
    assert isinstance(answer, Answer)
    assert answer.outcome == "compacted"
    assert (answer.report, answer.report_json, answer.failure) == (None, None, None)
    assert answer.result == compact(SMALL)


@pytest.mark.parametrize("isolation", ["reuse", "call"])
def test_bytes_do_not_depend_on_isolation(isolation: Any, long_result: str) -> None:
    boundary = Boundary(engine=Engine(isolation=isolation))
    assert boundary.fit(long_result) == Boundary().fit(long_result)
