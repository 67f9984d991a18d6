"""The HTTP server: who asks, what goes wrong on the way, and the log of it all."""

from __future__ import annotations

import json
import socket
import sys
import threading
import traceback
from contextlib import suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fake_github import graph, rest
from fake_github.answers import Answers
from fake_github.described import operation
from fake_github.faults import Fault, Request, Trap
from fake_github.limits import Budget
from fake_github.state import Refusal

if TYPE_CHECKING:
    from fake_github.state import Account
    from fake_github.world import World

Reply = tuple[int, dict[str, str], Any]

ENTERPRISE = "/api/v3"
APP_LIMIT, USER_LIMIT = 1000, 5000
SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. "
    "If you reach out to GitHub Support for help, please include the request ID."
)
PAGES = "https://docs.github.com/rest"


class Server:
    """Serves the world at `url` until it is closed. All requests are answered one at a time, callbacks between them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.lock = threading.RLock()
        self._budgets: dict[tuple[int, str], Budget] = {}
        self.log: list[Request] = []
        self.traps: list[Trap] = []
        self.wrongs: list[str] = []
        self.checks_answers = True
        self.retry_after = 60
        self.patience = 5.0
        self.closing = threading.Event()
        self._http = _Http(self)
        self.port = self._http.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        world.report_to(self.port)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def budget(self, account: Account, resource: str) -> Budget:
        """What the account may use an hour, of `core` (requests in REST) or `graphql` (points)."""
        return self._budgets.setdefault((account.id, resource), Budget(APP_LIMIT if account.is_app else USER_LIMIT))

    def sprung(self, request: Request) -> list[Trap]:
        """The traps that this request springs."""
        with self.lock:
            return [trap for trap in self.traps if trap.springs(request)]

    def answer(self, method: str, target: str, token: str | None, body: Any) -> Reply | Fault:
        """What a request gets; a fault in place of an answer where none is given."""
        split = urlsplit(target)
        path = split.path.removeprefix(ENTERPRISE)
        path = "/graphql" if path == "/api/graphql" else path
        actor = None if token is None else self.world.bearer(token)
        operation = graph.operation_name(body) if path == "/graphql" else None
        request = Request(method, path, operation, 0, actor and actor.login)
        traps = self.sprung(request)
        for trap in traps:
            if trap.before is not None:
                trap.before()
        fault = next((trap.fault for trap in traps if trap.fault is not None), None)
        reply: Reply | None = None
        if fault is None or fault.takes_effect:
            with self.lock:
                home = self.url + (ENTERPRISE if split.path.startswith(ENTERPRISE) else "")
                reply = self._answer(method, path, split.query, actor, token, body, home)
        given = reply if fault is None else self._failed(fault, request, actor)
        assert given is not None
        with self.lock:
            self.log.append(replace(request, status=0 if isinstance(given, Fault) else given[0], fault=fault))
        for trap in traps:
            if trap.after is not None:
                trap.after()
        return given

    def _failed(self, fault: Fault, request: Request, actor: Account | None) -> Reply | Fault:
        if fault in (Fault.BAD_GATEWAY, Fault.BAD_GATEWAY_AFTER):
            return 502, {}, {"message": "Server Error"}
        if fault is Fault.SECONDARY_LIMIT:
            return 403, {"Retry-After": str(self.retry_after)}, {"message": SECONDARY, "documentation_url": PAGES}
        if fault is Fault.RATE_LIMIT:
            if request.path == "/graphql" and actor is not None:
                return 200, self.budget(actor, "graphql").headers("graphql"), graph.rate_limited(actor)
            return self._exhausted(actor)
        return fault

    def _exhausted(self, actor: Account | None) -> Reply:
        if actor is None:
            return 403, {}, {"message": "API rate limit exceeded.", "documentation_url": PAGES}
        budget = self.budget(actor, "core")
        budget.renew(self.world.clock)
        budget.used = budget.limit
        words = f"API rate limit exceeded for user ID {actor.id}."
        return 403, budget.headers("core"), {"message": words, "documentation_url": PAGES}

    def _answer(
        self, method: str, path: str, query: str, actor: Account | None, token: str | None, body: Any, home: str
    ) -> Reply:
        if actor is None:
            words = "Requires authentication" if token is None else "Bad credentials"
            return 401, {}, {"message": words, "documentation_url": PAGES, "status": "401"}
        if path == "/graphql":
            budget = self.budget(actor, "graphql")
            given = graph.run(self.world, actor, self.url, budget, body)
            self._note_gaps(given)
            return 200, budget.headers("graphql"), given
        return self._rest(method, path, query, actor, body, home)

    def _note_gaps(self, given: dict[str, Any]) -> None:
        for error in given.get("errors", []):
            if error.get("type") == "FAKE_INCOMPLETE":
                self.wrongs.append(error["message"])

    def _rest(self, method: str, path: str, query: str, actor: Account, body: Any, home: str) -> Reply:
        budget = self.budget(actor, "core")
        budget.renew(self.world.clock)
        if path != "/rate_limit":
            if not budget.remaining:
                return self._exhausted(actor)
            budget.used += 1
        headers = budget.headers("core")
        try:
            call = rest.Call(
                self.world,
                Answers(home),
                {resource: self.budget(actor, resource) for resource in ("core", "graphql")},
                actor,
                rest.described(method, path),
                rest.query_of(query),
                body,
                home + path,
                headers,
            )
            status, given = rest.answer(call, checked=self.checks_answers)
        except Refusal as no:
            said: dict[str, Any] = {"message": no.message, "documentation_url": PAGES, "status": str(no.status)}
            if no.errors:
                said["errors"] = list(no.errors)
            self._check_refusal(method, path, no.status, said)
            return no.status, headers, said
        except rest.Wrong as wrong:
            self.wrongs.append(str(wrong))
            return 500, headers, {"message": str(wrong)}
        return status, headers, given

    def _check_refusal(self, method: str, path: str, status: int, said: dict[str, Any]) -> None:
        """A no of the fake's is held against GitHub's description as its other answers are."""
        found = operation(method, path)
        fault = found.wrong_answer(status, said) if found is not None and self.checks_answers else None
        if fault is not None:
            self.wrongs.append(f"GitHub would not answer {method} {path} so: {status}: {fault}")

    def pushed(self, question: str) -> str:
        """What the hook is told of a push: whether the answer is lost, what becomes of each ref, the words to show."""
        folder, atomic, *lines = question.split("\n")
        commands = [line.split(" ", 2) for line in lines]
        request = Request("PUSH", " ".join(ref for _, _, ref in commands), None, 0, None)
        traps = self.sprung(request)
        for trap in traps:
            if trap.before is not None:
                trap.before()
        fault = next((trap.fault for trap in traps if trap.fault is not None), None)
        words, refused = "", dict[str, str]()
        with self.lock:
            if fault is None or fault.takes_effect:
                words, refused = self.world.receive(folder, commands, atomic=bool(atomic))
            status = 422 if refused else 200
            self.log.append(replace(request, status=0 if fault else status, fault=fault))
        for trap in traps:
            if trap.after is not None:
                trap.after()
        said = [f"ng {ref} {refused[ref]}" if ref in refused else f"ok {ref}" for _, _, ref in commands]
        return "\n".join(["" if fault is None else "lost", *said, words])


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, served: Server) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.served = served

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002
        """An error of the fake's own fails the test; a client that went away does not."""
        if not isinstance(sys.exception(), ConnectionError):
            self.served.wrongs.append(traceback.format_exc())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "github.com"
    sys_version = ""
    disable_nagle_algorithm = True

    @property
    def served(self) -> Server:
        assert isinstance(self.server, _Http)
        return self.server.served

    def date_time_string(self, timestamp: float | None = None) -> str:  # noqa: ARG002
        return self.served.world.clock.date

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """The log is the server's own."""

    def _serve(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/_push":
            told = self.served.pushed(data.decode("utf-8", "surrogateescape"))
            self._send(200, {}, told.encode("utf-8", "surrogateescape"))
            return
        try:
            body = json.loads(data) if data else None
        except ValueError:
            self._send(400, {}, {"message": "Problems parsing JSON"})
            return
        scheme, _, token = (self.headers.get("Authorization") or "").partition(" ")
        known = token if scheme.lower() in ("token", "bearer") and token else None
        reply = self.served.answer(self.command, self.path, known, body)
        if isinstance(reply, Fault):
            self._break_off(reply)
        else:
            self._send(*reply)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve  # noqa: N815

    def _break_off(self, fault: Fault) -> None:
        if fault in (Fault.TIMEOUT, Fault.TIMEOUT_AFTER):
            self.served.closing.wait(self.served.patience)
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, status: int, headers: dict[str, str], body: Any) -> None:
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        # A client that went away after its time-out reads no answer.
        with suppress(ConnectionError):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if body is not None:
                self.send_header("Content-Type", "application/json; charset=utf-8")
            if status != 204:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
