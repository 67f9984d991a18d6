"""GitHub's REST API: each request held against GitHub's description, answered from the world, and the answer held too.

One function a request, registered under the path that the description has. To add one, write one more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote

from fake_github.described import Operation, operation
from fake_github.state import Permission, Pull, Refusal

if TYPE_CHECKING:
    from fake_github.answers import Answers
    from fake_github.limits import Budget
    from fake_github.state import Account, Issue, Repository, Review
    from fake_github.world import World

Answer = tuple[int, Any]
HOME = "/repos/{owner}/{repo}"


class Wrong(Exception):
    """The fake itself is at fault: it lacks a request, or gave an answer that GitHub never gives."""


@dataclass
class Call:
    """One request: who asks, for what, with what; `headers` are what its answer has beside the usual ones."""

    world: World
    answers: Answers
    budgets: dict[str, Budget]
    actor: Account
    operation: Operation
    query: dict[str, str]
    body: Any
    url: str
    headers: dict[str, str] = field(default_factory=dict)

    def parameter(self, name: str) -> str:
        return unquote(self.operation.parameters[name])

    def number(self, name: str) -> int:
        try:
            return int(self.operation.parameters[name])
        except ValueError:
            raise Refusal(404, "Not Found") from None

    def given(self, name: str, otherwise: Any = None) -> Any:
        """A property of the body; absent and null are one."""
        value = (self.body or {}).get(name)
        return otherwise if value is None else value

    @property
    def repository(self) -> Repository:
        found = self.world.repository(self.parameter("owner"), self.parameter("repo"))
        if found is None:
            raise Refusal(404, "Not Found")
        return found

    @property
    def thread(self) -> Issue:
        return self.repository.thread(self.number("issue_number"))

    @property
    def pull(self) -> Pull:
        found = self.repository.pulls.get(self.number("pull_number"))
        if found is None:
            raise Refusal(404, "Not Found")
        return found

    @property
    def review(self) -> Review:
        for review in self.pull.reviews:
            if review.id == self.number("review_id") and (review.state != "PENDING" or review.author is self.actor):
                return review
        raise Refusal(404, "Not Found")

    def page(self, items: list[Any]) -> list[Any]:
        """The page that was asked for, with GitHub's links to the others."""
        size = min(max(int(self.query.get("per_page", "30")), 1), 100)
        page = max(int(self.query.get("page", "1")), 1)
        last = max(-(-len(items) // size), 1)
        places = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        if page >= last:
            places.pop("next"), places.pop("last")
        if page == 1:
            places.pop("prev"), places.pop("first")
        others = "".join(f"&{name}={value}" for name, value in self.query.items() if name not in ("page", "per_page"))
        links = [f'<{self.url}?per_page={size}&page={n}{others}>; rel="{rel}"' for rel, n in places.items()]
        if links:
            self.headers["Link"] = ", ".join(links)
        return items[(page - 1) * size : page * size]


ROUTES: dict[tuple[str, str], Callable[[Call], Answer]] = {}


def route(method: str, template: str) -> Callable[[Callable[[Call], Answer]], Callable[[Call], Answer]]:
    def register(answer: Callable[[Call], Answer]) -> Callable[[Call], Answer]:
        ROUTES[method, template] = answer
        return answer

    return register


def answer(call: Call, *, checked: bool = True) -> Answer:
    """What GitHub answers; raises Refusal for its no, Wrong where the fake itself falls short."""
    which = (call.operation.method, call.operation.template)
    if which not in ROUTES:
        raise Wrong(f"the fake GitHub does not answer {' '.join(which)} yet: add it to {__name__}")
    wrong = call.operation.wrong_query(list(call.query)) or call.operation.wrong_body(call.body)
    if wrong is not None:
        raise Refusal(422, f"Invalid request.\n\n{wrong}")
    status, made = ROUTES[which](call)
    fault = call.operation.wrong_answer(status, made) if checked else None
    if fault is not None:
        raise Wrong(f"GitHub would not answer {' '.join(which)} so: {fault}")
    return status, made


def described(method: str, path: str) -> Operation:
    found = operation(method, path)
    if found is None:
        raise Refusal(404, "Not Found")
    return found


def query_of(text: str) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(text, keep_blank_values=True).items()}


@route("GET", "/user")
def get_user(call: Call) -> Answer:
    if call.actor.is_app:
        raise Refusal(403, "Resource not accessible by integration")
    return 200, call.answers.person(call.actor)


@route("GET", "/users/{username}")
def get_named_user(call: Call) -> Answer:
    account = call.world.account(call.parameter("username"))
    if account is None:
        raise Refusal(404, "Not Found")
    return 200, call.answers.person(account)


@route("GET", "/user/{account_id}")
def get_user_by_id(call: Call) -> Answer:
    for account in call.world.accounts:
        if account.id == call.number("account_id") and not account.deleted:
            return 200, call.answers.person(account)
    raise Refusal(404, "Not Found")


@route("GET", "/rate_limit")
def get_rate_limit(call: Call) -> Answer:
    core = call.budgets["core"].told(call.world.clock)
    resources = {"core": core, "search": core, "graphql": call.budgets["graphql"].told(call.world.clock)}
    return 200, {"resources": resources, "rate": core}


@route("GET", HOME)
def get_repository(call: Call) -> Answer:
    return 200, call.answers.repository(call.repository, call.actor)


@route("POST", f"{HOME}/forks")
def post_fork(call: Call) -> Answer:
    return 202, call.answers.repository(call.world.fork(call.actor, call.repository), call.actor)


@route("GET", f"{HOME}/collaborators/{{username}}/permission")
def get_permission(call: Call) -> Answer:
    account = call.world.account(call.parameter("username"))
    if account is None:
        raise Refusal(404, "Not Found")
    mine = call.repository.permission(account)
    old = {Permission.TRIAGE: "read", Permission.MAINTAIN: "write"}.get(mine, mine.lower())
    return 200, {"permission": old, "role_name": mine.lower(), "user": None}


@route("GET", f"{HOME}/pulls")
def get_pulls(call: Call) -> Answer:
    wanted = call.query.get("state", "open")
    found = [pull for pull in call.repository.pulls.values() if wanted == "all" or pull.open == (wanted == "open")]
    if "base" in call.query:
        found = [pull for pull in found if pull.base_branch == call.query["base"]]
    if "head" in call.query:
        found = [pull for pull in found if _head_label(pull) == call.query["head"]]
    updated = call.query.get("sort") == "updated"
    backwards = call.query.get("direction", "asc" if "sort" in call.query and updated else "desc") == "desc"
    found.sort(key=lambda pull: pull.updated_at if updated else pull.number, reverse=backwards)
    return 200, [call.answers.pull(pull, full=False) for pull in call.page(found)]


def _head_label(pull: Pull) -> str | None:
    return None if pull.head_repository is None else f"{pull.head_repository.owner.login}:{pull.head_branch}"


@route("POST", f"{HOME}/pulls")
def post_pull(call: Call) -> Answer:
    made = call.world.open_pull(
        call.actor,
        call.repository,
        call.body["head"],
        call.body["base"],
        call.given("title", ""),
        call.given("body", ""),
        bool(call.given("draft", False)),
    )
    return 201, call.answers.pull(made)


@route("GET", f"{HOME}/pulls/{{pull_number}}")
def get_pull(call: Call) -> Answer:
    return 200, call.answers.pull(call.pull)


@route("PATCH", f"{HOME}/pulls/{{pull_number}}")
def patch_pull(call: Call) -> Answer:
    pull = call.pull
    _edit(call, pull)
    if "base" in (call.body or {}):
        call.world.retarget(call.actor, pull, call.body["base"])
    return 200, call.answers.pull(pull)


def _edit(call: Call, thread: Issue) -> None:
    """Title, body and state: what pull requests and issues have in common."""
    body = call.body or {}
    call.world.demand_author(thread, call.actor)
    if body.get("title") is not None:
        call.world.rename(call.actor, thread, str(body["title"]))
    if "body" in body:
        call.world.describe(call.actor, thread, body["body"] or "")
    if body.get("state") == "closed":
        call.world.close(call.actor, thread)
    if body.get("state") == "open":
        call.world.reopen(call.actor, thread)


@route("GET", f"{HOME}/issues/{{issue_number}}")
def get_issue(call: Call) -> Answer:
    return 200, call.answers.issue(call.thread)


@route("PATCH", f"{HOME}/issues/{{issue_number}}")
def patch_issue(call: Call) -> Answer:
    thread = call.thread
    _edit(call, thread)
    if "labels" in (call.body or {}) and call.repository.permission(call.actor).reaches(Permission.TRIAGE):
        call.world.set_labels(call.actor, thread, _names(call.body["labels"]))
    return 200, call.answers.issue(thread)


@route("GET", f"{HOME}/pulls/{{pull_number}}/reviews")
def get_reviews(call: Call) -> Answer:
    pull = call.pull
    seen = [review for review in pull.reviews if review.state != "PENDING" or review.author is call.actor]
    return 200, [call.answers.review(pull, review) for review in call.page(seen)]


@route("POST", f"{HOME}/pulls/{{pull_number}}/reviews")
def post_review(call: Call) -> Answer:
    pull = call.pull
    made = call.world.review(call.actor, pull, call.given("event"), call.given("body", ""), call.given("commit_id"))
    return 200, call.answers.review(pull, made)


@route("GET", f"{HOME}/pulls/{{pull_number}}/reviews/{{review_id}}")
def get_review(call: Call) -> Answer:
    return 200, call.answers.review(call.pull, call.review)


@route("PUT", f"{HOME}/pulls/{{pull_number}}/reviews/{{review_id}}")
def put_review(call: Call) -> Answer:
    call.world.edit_review(call.actor, call.pull, call.review, call.body["body"])
    return 200, call.answers.review(call.pull, call.review)


@route("POST", f"{HOME}/pulls/{{pull_number}}/reviews/{{review_id}}/events")
def post_review_event(call: Call) -> Answer:
    review = call.review
    call.world.submit_review(call.actor, call.pull, review, call.body["event"], call.given("body"))
    return 200, call.answers.review(call.pull, review)


@route("PUT", f"{HOME}/pulls/{{pull_number}}/reviews/{{review_id}}/dismissals")
def put_dismissal(call: Call) -> Answer:
    review = call.review
    call.world.dismiss(call.actor, call.pull, review, call.body["message"])
    return 200, call.answers.review(call.pull, review)


@route("GET", f"{HOME}/issues/{{issue_number}}/comments")
def get_comments(call: Call) -> Answer:
    thread = call.thread
    return 200, [call.answers.comment(thread, comment) for comment in call.page(thread.comments)]


@route("POST", f"{HOME}/issues/{{issue_number}}/comments")
def post_comment(call: Call) -> Answer:
    thread = call.thread
    return 201, call.answers.comment(thread, call.world.comment(call.actor, thread, call.body["body"]))


@route("GET", f"{HOME}/issues/comments/{{comment_id}}")
def get_comment(call: Call) -> Answer:
    return 200, call.answers.comment(*call.world.comment_named(call.repository, call.number("comment_id")))


@route("PATCH", f"{HOME}/issues/comments/{{comment_id}}")
def patch_comment(call: Call) -> Answer:
    thread, comment = call.world.comment_named(call.repository, call.number("comment_id"))
    call.world.edit_comment(call.actor, thread, comment, call.body["body"])
    return 200, call.answers.comment(thread, comment)


@route("DELETE", f"{HOME}/issues/comments/{{comment_id}}")
def delete_comment(call: Call) -> Answer:
    thread, comment = call.world.comment_named(call.repository, call.number("comment_id"))
    call.world.delete_comment(call.actor, thread, comment)
    return 204, None


@route("GET", f"{HOME}/issues/comments/{{comment_id}}/reactions")
def get_reactions(call: Call) -> Answer:
    _, comment = call.world.comment_named(call.repository, call.number("comment_id"))
    wanted = call.query.get("content")
    found = [each for each in comment.reactions if wanted in (None, each.content)]
    return 200, [call.answers.reaction(each) for each in call.page(found)]


@route("POST", f"{HOME}/issues/comments/{{comment_id}}/reactions")
def post_reaction(call: Call) -> Answer:
    _, comment = call.world.comment_named(call.repository, call.number("comment_id"))
    reaction, new = call.world.react(call.actor, comment, call.body["content"])
    return 201 if new else 200, call.answers.reaction(reaction)


@route("DELETE", f"{HOME}/issues/comments/{{comment_id}}/reactions/{{reaction_id}}")
def delete_reaction(call: Call) -> Answer:
    _, comment = call.world.comment_named(call.repository, call.number("comment_id"))
    for reaction in comment.reactions:
        if reaction.id == call.number("reaction_id") and reaction.account is call.actor:
            comment.reactions.remove(reaction)
            return 204, None
    raise Refusal(404, "Not Found")


def _labels(call: Call, thread: Issue) -> Answer:
    return 200, [call.answers.label(thread.repository, label) for label in thread.labels]


def _names(labels: list[Any]) -> list[str]:
    return [each if isinstance(each, str) else each["name"] for each in labels]


def _named_labels(call: Call) -> list[str]:
    """The labels of a body: an object of them, or a bare list."""
    return _names(call.body if isinstance(call.body, list) else call.given("labels", []))


@route("GET", f"{HOME}/issues/{{issue_number}}/labels")
def get_labels(call: Call) -> Answer:
    thread = call.thread
    return 200, [call.answers.label(thread.repository, label) for label in call.page(thread.labels)]


@route("POST", f"{HOME}/issues/{{issue_number}}/labels")
def post_labels(call: Call) -> Answer:
    thread = call.thread
    call.world.add_labels(call.actor, thread, _named_labels(call))
    return _labels(call, thread)


@route("PUT", f"{HOME}/issues/{{issue_number}}/labels")
def put_labels(call: Call) -> Answer:
    thread = call.thread
    call.world.set_labels(call.actor, thread, _named_labels(call))
    return _labels(call, thread)


@route("DELETE", f"{HOME}/issues/{{issue_number}}/labels")
def delete_labels(call: Call) -> Answer:
    call.world.set_labels(call.actor, call.thread, [])
    return 204, None


@route("DELETE", f"{HOME}/issues/{{issue_number}}/labels/{{name}}")
def delete_label(call: Call) -> Answer:
    thread = call.thread
    call.world.remove_label(call.actor, thread, call.parameter("name"))
    return _labels(call, thread)


@route("GET", f"{HOME}/labels")
def get_all_labels(call: Call) -> Answer:
    found = list(call.repository.labels.values())
    return 200, [call.answers.label(call.repository, label) for label in call.page(found)]


@route("GET", f"{HOME}/labels/{{name}}")
def get_label(call: Call) -> Answer:
    found = call.repository.labels.get(call.parameter("name").casefold())
    if found is None:
        raise Refusal(404, "Not Found")
    return 200, call.answers.label(call.repository, found)


@route("POST", f"{HOME}/labels")
def post_label(call: Call) -> Answer:
    call.world.demand(call.repository, call.actor, Permission.WRITE)
    name = call.body["name"]
    if name.casefold() in call.repository.labels:
        raise Refusal(422, "Validation Failed", {"resource": "Label", "code": "already_exists", "field": "name"})
    label = call.repository.label(name, call.world.new_id())
    label.color, label.description = call.given("color", "ededed"), call.given("description")
    return 201, call.answers.label(call.repository, label)


@route("POST", f"{HOME}/statuses/{{sha}}")
def post_status(call: Call) -> Answer:
    body = call.body
    made = call.world.set_status(
        call.actor,
        call.repository,
        call.parameter("sha"),
        body["state"],
        body.get("context", "default"),
        body.get("description"),
        body.get("target_url"),
    )
    return 201, call.answers.status(call.repository, made)


@route("GET", f"{HOME}/commits/{{ref}}")
def get_commit(call: Call) -> Answer:
    store = call.repository.store
    named = call.parameter("ref")
    oid = named if store.has(named) else store.branch(named)
    if oid is None:
        raise Refusal(422, f"No commit found for SHA: {named}")
    return 200, call.answers.commit(call.repository, store.git[oid])


@route("GET", f"{HOME}/git/ref/{{ref}}")
def get_ref(call: Call) -> Answer:
    ref = f"refs/{call.parameter('ref')}"
    tip = call.repository.store.tip(ref)
    if tip is None:
        raise Refusal(404, "Not Found")
    return 200, call.answers.ref(call.repository, ref, tip)


@route("GET", f"{HOME}/commits/{{ref}}/statuses")
def get_statuses(call: Call) -> Answer:
    found = list(reversed(call.repository.statuses.get(call.parameter("ref"), [])))
    return 200, [call.answers.status(call.repository, status) for status in call.page(found)]
