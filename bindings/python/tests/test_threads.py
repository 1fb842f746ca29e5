"""Threads and tasks never see one another's results, and memory stays where it is."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from result_budget import Boundary, Engine

THREADS = 64
CALLS = 1_000


def tagged(tag: str, size: int) -> str:
    text = f"{tag} " * (size // (len(tag) + 1))
    return json.dumps({"content": [{"type": "text", "text": text}]}, separators=(",", ":"))


def is_of(tag: str, given: str, result: str) -> bool:
    """Whether `result` holds what was given, and nothing of anybody else."""
    if result == given:
        return True
    words = {word for block in json.loads(result)["content"] for word in block["text"].split()}
    # A last word may be cut; what else looks like a tag is somebody else's.
    tags = {word for word in words if re.match(r"t(ask)?[0-9]", word)}
    return tag in tags and all(tag.startswith(word) for word in tags)


@pytest.mark.parametrize("isolation", ["reuse", "call"])
def test_64_threads_of_1000_tagged_calls_never_cross(isolation: Any) -> None:
    boundary = Boundary(preset="small", engine=Engine(isolation=isolation))
    crossings: list[str] = []
    done: list[int] = []
    start = threading.Barrier(THREADS)

    def work(number: int) -> None:
        start.wait()
        for call in range(CALLS):
            tag = f"t{number}c{call}"
            # One in eight is cut.
            given = tagged(tag, 12_000 if call % 8 == 0 else 400)
            if not is_of(tag, given, boundary.fit(given, tool=f"tool-{number % 3}")):
                crossings.append(tag)
        done.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert crossings == []
    assert len(done) == THREADS
    assert sum(boundary.engine.fault_counts().values()) == 0


def test_1000_tasks_in_flight_never_cross() -> None:
    boundary = Boundary(preset="small")

    async def work(number: int, gate: asyncio.Event) -> bool:
        tag = f"task{number}"
        given = tagged(tag, 12_000)
        await gate.wait()
        result = await asyncio.to_thread(boundary.fit, given) if number % 2 else boundary.fit(given)
        await asyncio.sleep(0)
        return is_of(tag, given, result)

    async def main() -> list[bool]:
        gate = asyncio.Event()
        tasks = [asyncio.create_task(work(number, gate)) for number in range(1_000)]
        await asyncio.sleep(0)
        gate.set()
        return await asyncio.gather(*tasks)

    answers = asyncio.run(main())
    assert len(answers) == 1_000
    assert all(answers)


def test_records_belong_to_their_calls() -> None:
    records: list[dict[str, Any]] = []
    boundary = Boundary(on_report=records.append)

    def work(number: int) -> None:
        for _ in range(200):
            boundary.fit(tagged("x", 100 + number), tool=f"t{number}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(records) == 16 * 200
    lengths = {f"t{number}": len(tagged("x", 100 + number)) for number in range(16)}
    assert all(record["in_bytes"] == lengths[record["tool"]] for record in records)


def test_the_interpreter_runs_while_the_engine_works() -> None:
    boundary = Boundary(preset="large")
    given = tagged("x", 12_000_000).encode()
    boundary.fit(given)
    ticks = 0
    stop = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.000_1)

    # An interpreter that hands over only when it must.
    before = sys.getswitchinterval()
    sys.setswitchinterval(10)
    ticker = threading.Thread(target=tick)
    ticker.start()
    try:
        started = time.perf_counter()
        rounds = 10
        for _ in range(rounds):
            boundary.fit(given)
        took = time.perf_counter() - started
    finally:
        stop.set()
        ticker.join()
        sys.setswitchinterval(before)
    # Held throughout, there would be a handful: one for each return to Python.
    assert ticks > 4 * rounds, f"{ticks} ticks in {took:.3f} s"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux's account of memory")
def test_memory_grows_by_less_than_5_megabytes_in_10000_calls() -> None:
    def resident_bytes() -> int:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGESIZE")

    records: list[int] = []
    boundary = Boundary(preset="small", on_report=lambda record: records.append(record["in_bytes"]))
    whole, cut = tagged("x", 400), tagged("x", 40_000)
    objects = json.loads(cut)

    def work(calls: int) -> None:
        for call in range(calls):
            match call % 5:
                case 0:
                    boundary.fit(cut, tool=f"tool-{call}", max_bytes=1_000 + call % 1_000)
                case 1:
                    boundary.fit(objects)
                case 2:
                    boundary.fit("no json")
                case 3:
                    boundary.fit(cut.encode())
                case _:
                    boundary.fit(whole)
        records.clear()
        gc.collect()

    work(2_000)
    before = resident_bytes()
    work(10_000)
    grown = resident_bytes() - before
    assert grown < 5 * 1024 * 1024, f"{grown} bytes"
