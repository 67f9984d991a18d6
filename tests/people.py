"""A server that knows who people are as GitHub does: `GET /users/LOGIN`, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

PEOPLE = {
    "octocat": {"login": "octocat", "id": 583231, "type": "User"},
    "hubot": {"login": "hubot", "id": 480938, "type": "User"},
    "github": {"login": "github", "id": 9919, "type": "Organization"},
    "dependabot": {"login": "dependabot[bot]", "id": 49699333, "type": "Bot"},
}


class Directory(BaseHTTPRequestHandler):
    """Answers who somebody is, and keeps what was asked."""

    asked: list[tuple[str, str | None]]

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers.get("Authorization")))
        login = self.path.removeprefix("/users/").lower()
        if login == "busy":
            self._answer(503, {"message": "Service unavailable"})
        elif login in PEOPLE:
            self._answer(200, PEOPLE[login])
        else:
            self._answer(404, {"message": "Not Found"})

    def _answer(self, status: int, said: dict[str, Any]) -> None:
        body = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - as the library calls it
        """Say nothing."""


@contextmanager
def directory() -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    """Run the server; gives its address and the list of what it is asked, each with its Authorization."""
    asked: list[tuple[str, str | None]] = []
    with HTTPServer(("127.0.0.1", 0), type("Here", (Directory,), {"asked": asked})) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()
