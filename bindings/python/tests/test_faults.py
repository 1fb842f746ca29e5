"""An engine that breaks gives the constant error, and the next call is fine."""

from __future__ import annotations

import json
import os
import platform
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest
from conftest import PYTHON
from result_budget import Boundary, Engine, ResultBudgetError

if TYPE_CHECKING:
    from pathlib import Path

MACHINE = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())


def image(name: str) -> Path:
    """Return an engine that is not the product's; the project's commands make it."""
    path = PYTHON.parent / "other-engines" / name / f"result-budget.{MACHINE}.cwasm"
    if not path.exists():
        pytest.fail(f"{path} is not there: run `cargo xtask test`")
    return path


@pytest.fixture(scope="module")
def broken() -> Engine:
    """Return an engine that does what the seventh byte of its input says."""
    return Engine(image_path=image("broken"), deadline_ms=200, memory_max_bytes=128 * 1024 * 1024)


FAULTS = [
    ("trap", "trap"),
    ("recurse", "trap"),
    ("loop", "deadline"),
    ("memory", "memory"),
    ("over budget", "bad-answer"),
    ("no json", "bad-answer"),
    ("zero", "bad-answer"),
    ("utf8", "bad-answer"),
    ("pointer", "bad-answer"),
]
FINE = '{"do":"as it is"}'


@pytest.mark.parametrize(("what", "code"), FAULTS)
def test_each_fault_gives_the_constant_error_and_the_next_call_is_fine(
    broken: Engine, what: str, code: str
) -> None:
    boundary = Boundary(engine=broken)
    for round_number in range(50 if os.environ.get("RESULT_BUDGET_LONG") else 3):
        given = json.dumps({"do": what}, separators=(",", ":"))
        answer = boundary.answer(given)
        assert answer.outcome == "failed-closed", round_number
        assert isinstance(answer.failure, ResultBudgetError)
        assert answer.failure.code == code
        told = json.loads(answer.result)
        assert told["isError"] is True
        assert len(answer.result.encode()) <= 256
        assert what not in answer.result
        # Never raised by `fit`, and of the type that was given.
        assert boundary.fit(json.loads(given)) == told
        assert boundary.fit(FINE) is FINE


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("x" * 2_000, "input-too-large"),
        (b'{"do":"\xff"}', "not-utf8"),
    ],
)
def test_input_that_no_engine_sees_is_told(given: Any, code: str) -> None:
    boundary = Boundary(engine=Engine(input_max_bytes=1_000))
    answer = boundary.answer(given)
    assert answer.failure is not None
    assert answer.failure.code == code
    assert len(answer.result) <= 256
    assert boundary.fit(FINE) is not None


def test_there_is_no_boundary_without_an_engine(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.cwasm"
    damaged.write_bytes(image("broken").read_bytes()[:5_000])
    for path, code in ((damaged, "bad-image"), (tmp_path / "none", "bad-argument")):
        with pytest.raises(ResultBudgetError) as raised:
            Boundary(engine=path)
        assert raised.value.code == code
    with pytest.raises(ResultBudgetError) as raised:
        Engine(image_path=image("broken"), memory_max_bytes=64 * 1024)
    assert raised.value.code == "no-instance"


def test_three_faults_in_a_row_pause_the_engine_for_a_second(broken: Engine) -> None:
    engine = Engine(image_path=image("broken"), deadline_ms=200)
    boundary = Boundary(engine=engine)
    for _ in range(3):
        boundary.fit('{"do":"trap"}')
    answer = boundary.answer(FINE)
    assert answer.failure is not None
    assert answer.failure.code == "circuit-open"
    assert engine.fault_counts()["circuit_open_calls"] == 1
    assert engine.fault_counts()["trap_calls"] == 3
    # Others are not held up.
    assert Boundary(engine=broken).fit(FINE) is FINE
    time.sleep(1.1)
    assert boundary.fit(FINE) is FINE


def test_10000_calls_of_which_each_tenth_breaks_go_on(broken: Engine) -> None:
    boundary = Boundary(engine=broken)
    broke = 0
    for call in range(10_000):
        if call % 10:
            assert boundary.fit(FINE) is FINE
        else:
            broke += boundary.answer('{"do":"trap"}').outcome == "failed-closed"
    assert broke == 1_000


def test_another_table_of_limits_is_another_behaviour() -> None:
    given = {"content": [{"type": "text", "text": "x" * 20_000}]}
    ours = Boundary(preset="small")
    other = Boundary(preset="small", engine=image("other"))
    assert ours.engine.sha256 != other.engine.sha256
    assert ours.in_force()["limits"]["max_text_bytes"] == 8_000
    assert other.in_force()["limits"]["max_text_bytes"] == 9_000
    assert other.engine.preset_rows()[0]["max_text_bytes"] == 9_000
    sizes = [boundary.measure(boundary.fit(given))["text_bytes"] for boundary in (ours, other)]
    assert 7_600 < sizes[0] <= 8_000 < 8_600 < sizes[1] <= 9_000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_deadlines_hold_in_the_child_of_a_fork(broken: Engine) -> None:
    boundary = Boundary(engine=broken)
    # The thread that keeps deadlines is awake now.
    boundary.fit('{"do":"loop"}')
    child = os.fork()
    if child == 0:
        code = "other"
        try:
            answer = boundary.answer('{"do":"loop"}')
            code = getattr(answer.failure, "code", "none")
        finally:
            os._exit(0 if code == "deadline" and boundary.fit(FINE) is FINE else 1)
    for _ in range(100):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child never came back")
