"""A model that says what it was told to say, on loopback, and keeps what it is asked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Model:
    """Answers each request with the next call to a tool, then with a last word.

    Leaving the `with` block ends it. Whatever is asked of it as a proxy is refused, and kept.
    """

    def __init__(self, calls: list[dict[str, Any]]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.strays: list[str] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                if self.path != "/v1/responses":
                    self.stray()
                    return
                with model._lock:
                    at = len(model.requests)
                    model.requests.append(json.loads(body))
                answer = _events(at, _item(at, calls)).encode()
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def stray(self) -> None:
                model.strays.append(f"{self.command} {self.path}")
                self.send_response(502)
                self.send_header("content-length", "0")
                self.end_headers()

            def do_GET(self) -> None:
                self.stray()

            def do_CONNECT(self) -> None:
                self.stray()

        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()

    def outputs(self) -> dict[str, str]:
        """Return what reached the model of each call, by its id."""
        items = self.requests[-1]["input"]
        found = [item for item in items if item["type"] == "function_call_output"]
        return {item["call_id"]: _text(item["output"]) for item in found}


def _item(at: int, calls: list[dict[str, Any]]) -> dict[str, Any]:
    if at < len(calls):
        return {"type": "function_call", "id": f"fc_{at}", "call_id": f"call_{at}", **calls[at]}
    content = [{"type": "output_text", "text": "Done."}]
    return {"type": "message", "id": f"msg_{at}", "role": "assistant", "content": content}


def _events(at: int, item: dict[str, Any]) -> str:
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    response = {"id": f"resp_{at}", "usage": usage}
    events = [
        {"type": "response.created", "response": {"id": f"resp_{at}"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def _text(output: Any) -> str:
    if isinstance(output, str):
        return output
    return "\n".join(part["text"] for part in output if part["type"] == "input_text")
