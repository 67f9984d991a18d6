"""The fake GitHub as tests use it: what people do on GitHub's pages, what goes wrong, what is there afterwards."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest
import requests.adapters
from github import Auth, Github
from pygit2.enums import FileMode

from fake_github.clock import Clock
from fake_github.described import missing
from fake_github.faults import Fault, Killed, Matching, Request, Trap
from fake_github.limits import Budget
from fake_github.server import Server
from fake_github.state import Account, Comment, Permission, Pull, Repository, Review
from fake_github.world import ACTIONS_ID, Move, Switches, World

if TYPE_CHECKING:
    from types import TracebackType

Content = bytes | str | tuple[str, FileMode] | None
"""A file's new content; None deletes it; an id and a mode make a link, an executable or a submodule."""


@dataclass
class Life:
    """Of a client that is to be killed."""

    ended: bool = False


def _any(_: Request) -> bool:
    return True


class FakeGitHub:
    """One GitHub with one repository, `owner`/`name`, empty until somebody pushes to `path`.

    Skips the test where GitHub's descriptions are not installed. `now` is seconds since the epoch. With `like`, the
    world of another fake, it begins as a copy of that one instead.
    """

    def __init__(
        self,
        folder: Path,
        owner: str = "nomic",
        name: str = "game",
        *,
        now: int | None = None,
        like: World | None = None,
    ) -> None:
        absent = missing()
        if absent is not None:
            pytest.skip(absent)
        self.world = World(folder, Clock() if now is None else Clock(now)) if like is None else like.copied(folder)
        self.clock = self.world.clock
        self.server = Server(self.world)
        if like is None:
            repository = self.world.new_repository(self.world.new_account(owner), name)
            actions = self.world.new_account("github-actions[bot]", "Bot", ACTIONS_ID)
            repository.permissions[actions.id] = Permission.WRITE
        self.repository = self.world.repositories[0]
        self.owner = self.repository.owner
        self.actions = next(one for one in self.world.accounts if one.id == ACTIONS_ID)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if kind is None:
            assert not self.server.wrongs, self.server.wrongs

    def stop(self) -> None:
        """Close the server; the repository stays."""
        self.server.close()

    # Where it is, and who asks.

    @property
    def url(self) -> str:
        """What GITHUB_API_URL is to be."""
        return self.server.url

    @property
    def enterprise_url(self) -> str:
        """The same server as GitHub Enterprise Server has its API, under /api/v3."""
        return f"{self.server.url}/api/v3"

    @property
    def full_name(self) -> str:
        """What GITHUB_REPOSITORY is to be."""
        return self.repository.full_name

    @property
    def path(self) -> Path:
        """The bare repository, for clones to fetch from and push to."""
        return self.repository.store.folder

    def client(self, account: Account, **options: Any) -> Github:
        """PyGithub, signed in, without its pauses between requests and without its retries."""
        settings: dict[str, Any] = {
            "base_url": self.url,
            "per_page": 100,
            "retry": None,
            "seconds_between_requests": None,
            "seconds_between_writes": None,
            "timeout": 5,
        }
        return Github(auth=Auth.Token(account.token), **(settings | options))

    def clone(self, folder: Path, account: Account | None = None) -> Path:
        """A clone of the repository, or of the account's fork of it."""
        store = (self.repository if account is None else self.place(account)).store
        _git(folder.parent, "clone", "-q", str(store.folder), str(folder))
        return folder

    @property
    def switches(self) -> Switches:
        return self.world.switches

    def budget(self, account: Account, resource: str = "core") -> Budget:
        """Its hourly budget: of requests in REST ("core"), of points in GraphQL ("graphql"). Set its `limit`."""
        return self.server.budget(account, resource)

    # Accounts.

    def account(self, login: str, permission: Permission | str = Permission.READ, kind: str = "User") -> Account:
        """The account of that login; made at first, with that permission in the repository. A bot's ends in [bot]."""
        there = self.world.account(login)
        if there is not None:
            return there
        kind = "Bot" if login.endswith("[bot]") else kind
        with self.server.lock:
            made = self.world.new_account(login, kind)
            if Permission(permission) is not Permission.READ:
                self.permit(made, permission)
        return made

    def permit(self, account: Account, permission: Permission | str) -> None:
        self.repository.permissions[account.id] = Permission(permission)

    def rename(self, account: Account, login: str) -> None:
        """The id stays, the login changes."""
        with self._action():
            if self.world.account(login) not in (None, account):
                raise ValueError(f"there is an account {login} already")
            account.login = login

    def delete_account(self, account: Account) -> None:
        with self._action():
            self.world.delete_account(account)

    @contextmanager
    def _action(self) -> Iterator[None]:
        """One thing that a person does, after which the clock moves on a step."""
        with self.server.lock:
            yield
            self.clock.tick()

    # The web editor, and pushes.

    def place(self, account: Account) -> Repository:
        """Where the account can write: the repository, or its fork, made when there is none."""
        if self.repository.permission(account).reaches(Permission.WRITE):
            return self.repository
        with self.server.lock:
            return self.world.fork(account, self.repository)

    def edit(
        self, account: Account, path: str, content: bytes | str, branch: str | None = None, message: str | None = None
    ) -> str:
        """Write a file as the web editor does; the branch that it is on. See `commit`."""
        return self.commit(account, {path: content}, branch, message or f"Update {path}")

    def delete(self, account: Account, path: str, branch: str | None = None) -> str:
        return self.commit(account, {path: None}, branch, f"Delete {path}")

    def move(
        self, account: Account, path: str, to: str, branch: str | None = None, content: bytes | None = None
    ) -> str:
        """Rename a file, its content kept or given."""
        store = self.place(account).store
        tip = (branch and store.branch(branch)) or self.tip()
        data = store.read(tip, path) if content is None else content
        return self.commit(account, {path: None, to: data}, branch, f"Rename {path} to {to}")

    def commit(
        self,
        account: Account,
        changes: Mapping[str, Content],
        branch: str | None = None,
        message: str = "Change",
        parents: list[str] | None = None,
    ) -> str:
        """One commit on a branch of the account's; the branch's name.

        Without a branch, a new one named patch-1, patch-2, … begins at the tip of the default branch. With `parents`
        the commit has those, and the branch is set to it, forced if need be.
        """
        with self._action():
            repository = self.place(account)
            name = branch or self._new_branch(account, repository)
            tip = repository.store.branch(name) or self.repository.store.branch(self.repository.default_branch)
            above = [tip] if parents is None and tip is not None else parents or []
            made = repository.store.commit(changes, message, above, self.world.signature(account))
            self.world.move(repository, f"refs/heads/{name}", made, account)
        return name

    @staticmethod
    def _new_branch(account: Account, repository: Repository) -> str:
        prefix = f"{account.login}-patch" if repository.fork_of is None else "patch"
        number = 1
        while repository.store.branch(f"{prefix}-{number}") is not None:
            number += 1
        return f"{prefix}-{number}"

    def objects(self, changes: Mapping[str, Content], message: str = "Change", parents: list[str] | None = None) -> str:
        """A commit that no branch names yet, by the owner; its id. For histories that the web editor cannot make."""
        with self.server.lock:
            above = [self.tip()] if parents is None else parents
            return self.repository.store.commit(changes, message, above, self.world.signature(self.owner))

    def push(self, account: Account, branch: str, commit: str, clone: Path | None = None) -> None:
        """Push a commit, from a clone where it is only there; refused unless it is a fast-forward."""
        self._push(account, branch, commit, clone, forced=False)

    def force_push(self, account: Account, branch: str, commit: str, clone: Path | None = None) -> None:
        self._push(account, branch, commit, clone, forced=True)

    def _push(self, account: Account, branch: str, commit: str, clone: Path | None, *, forced: bool) -> None:
        repository = self.place(account)
        if clone is not None:
            plus = "+" if forced else ""
            _git(clone, "push", "-q", str(repository.store.folder), f"{plus}{commit}:refs/heads/{branch}")
            self.clock.tick()
            return
        with self._action():
            tip = repository.store.branch(branch)
            if tip is not None and not forced and not repository.store.contains(commit, tip):
                raise ValueError(f"{commit} is no fast-forward of {branch}, which is at {tip}")
            self.world.move(repository, f"refs/heads/{branch}", commit, account)

    def delete_branch(self, account: Account, branch: str) -> None:
        with self._action():
            self.world.move(self.place(account), f"refs/heads/{branch}", None, account)

    def tip(self, branch: str | None = None) -> str:
        """The commit at the tip of a branch of the repository."""
        found = self.repository.store.branch(branch or self.repository.default_branch)
        assert found is not None, "nothing was pushed yet"
        return found

    def read(self, path: str, commit: str | None = None) -> bytes:
        """A file of the default branch, or at a commit."""
        return self.repository.store.read(commit or self.tip(), path)

    # Pull requests.

    def open_pull(
        self,
        account: Account,
        branch: str,
        title: str = "A proposal",
        body: str = "",
        *,
        draft: bool = False,
        base: str = "main",
    ) -> int:
        """Open a pull request from the account's branch; its number."""
        source = self.place(account)
        head = branch if source is self.repository else f"{source.owner.login}:{branch}"
        with self._action():
            return self.world.open_pull(account, self.repository, head, base, title, body, draft).number

    def open_issue(self, account: Account, title: str = "A question", body: str = "") -> int:
        """An issue takes a number of the same series."""
        with self._action():
            return self.world.open_issue(account, self.repository, title, body).number

    def review(self, account: Account, number: int, event: str, body: str = "", commit: str | None = None) -> Review:
        """APPROVE, REQUEST_CHANGES (with words) or COMMENT (with words) the head, or an earlier commit."""
        words = body or ("" if event == "APPROVE" else "See above.")
        with self._action():
            return self.world.review(account, self.pull(number), event, words, commit)

    def approve(self, account: Account, number: int, body: str = "") -> Review:
        return self.review(account, number, "APPROVE", body)

    def request_changes(self, account: Account, number: int, body: str = "No.") -> Review:
        return self.review(account, number, "REQUEST_CHANGES", body)

    def edit_review(self, account: Account, number: int, review: Review, body: str) -> None:
        with self._action():
            self.world.edit_review(account, self.pull(number), review, body)

    def dismiss(self, account: Account, number: int, review: Review, message: str = "Not so.") -> None:
        with self._action():
            self.world.dismiss(account, self.pull(number), review, message)

    def comment(self, account: Account, number: int, body: str) -> Comment:
        with self._action():
            return self.world.comment(account, self.repository.thread(number), body)

    def edit_comment(self, account: Account, number: int, comment: Comment, body: str) -> None:
        with self._action():
            self.world.edit_comment(account, self.repository.thread(number), comment, body)

    def delete_comment(self, account: Account, number: int, comment: Comment) -> None:
        with self._action():
            self.world.delete_comment(account, self.repository.thread(number), comment)

    def react(self, account: Account, comment: Comment, content: str) -> None:
        """One of +1 -1 laugh confused heart hooray rocket eyes."""
        with self._action():
            self.world.react(account, comment, content)

    def label(self, account: Account, number: int, *names: str) -> None:
        with self._action():
            self.world.add_labels(account, self.repository.thread(number), list(names))

    def unlabel(self, account: Account, number: int, name: str) -> None:
        with self._action():
            self.world.remove_label(account, self.repository.thread(number), name)

    def set_status(self, account: Account, sha: str, state: str, context: str, description: str = "") -> None:
        with self._action():
            self.world.set_status(account, self.repository, sha, state, context, description)

    def close(self, account: Account, number: int) -> None:
        with self._action():
            self.world.close(account, self.repository.thread(number))

    def reopen(self, account: Account, number: int) -> None:
        with self._action():
            self.world.reopen(account, self.repository.thread(number))

    def ready(self, account: Account, number: int) -> None:
        with self._action():
            self.world.set_draft(account, self.pull(number), draft=False)

    def draft(self, account: Account, number: int) -> None:
        with self._action():
            self.world.set_draft(account, self.pull(number), draft=True)

    def retarget(self, account: Account, number: int, base: str) -> None:
        with self._action():
            self.world.retarget(account, self.pull(number), base)

    def retitle(self, account: Account, number: int, title: str) -> None:
        with self._action():
            self.world.rename(account, self.pull(number), title)

    def describe(self, account: Account, number: int, body: str) -> None:
        with self._action():
            self.world.describe(account, self.pull(number), body)

    def merge(self, account: Account, number: int, method: str = "merge") -> str:
        """The merge button, `merge` or `squash`, behind the game's back; the commit that it made."""
        with self._action():
            return self.world.merge(account, self.pull(number), method)

    def pull(self, number: int) -> Pull:
        """The pull request as it is: to look at in assertions."""
        return self.repository.pulls[number]

    # Branch protection.

    def protect(self, branch: str = "main", code: str = "GH013") -> None:
        """Refuse every push to the branch, in GitHub's words: GH006 of branch protection, GH013 of a ruleset."""
        self.switches.protected[branch] = code

    def unprotect(self, branch: str = "main") -> None:
        """Also what a bypass for who pushes amounts to."""
        del self.switches.protected[branch]

    # Faults.

    def fail(self, fault: Fault, nth: int = 1, *, times: int | None = 1, matching: Matching = _any) -> Trap:
        """Let the nth request from now on fail, of those that match; a push is a request too, of method PUSH."""
        return self._trap(Trap(nth, times, matching, fault=fault))

    def before(self, action: Callable[[], object], nth: int = 1, *, matching: Matching = _any) -> Trap:
        """Do something when the nth request has arrived and has not been answered."""
        return self._trap(Trap(nth, 1, matching, before=action))

    def after(self, action: Callable[[], object], nth: int = 1, *, matching: Matching = _any) -> Trap:
        """Do something when the nth request has taken effect, before its answer is read."""
        return self._trap(Trap(nth, 1, matching, after=action))

    def _trap(self, trap: Trap) -> Trap:
        with self.server.lock:
            self.server.traps.append(trap)
        return trap

    def heal(self) -> None:
        """Take back all faults and actions."""
        with self.server.lock:
            self.server.traps.clear()

    @contextmanager
    def killed_after(self, steps: int) -> Iterator[Life]:
        """Raise Killed in the client as soon as it has made so many requests and pushes; catches it at the end.

        A push counts, and whoever made it dies before its next request. `ended` says whether it came to that.
        """
        life = Life()
        send = requests.adapters.HTTPAdapter.send
        end = len(self.log) + steps

        def mortal(*arguments: Any, **options: Any) -> Any:
            if len(self.log) >= end:
                raise Killed
            answer = send(*arguments, **options)
            if len(self.log) >= end:
                raise Killed
            return answer

        patch = pytest.MonkeyPatch()
        patch.setattr(requests.adapters.HTTPAdapter, "send", mortal)
        try:
            yield life
        except Killed:
            life.ended = True
        finally:
            patch.undo()

    # What was asked.

    @property
    def log(self) -> list[Request]:
        """All requests and pushes, oldest first."""
        return self.server.log

    @property
    def requests(self) -> list[Request]:
        """The log without the pushes: what counts against GitHub's limits."""
        return [request for request in self.server.log if request.method != "PUSH"]

    @property
    def moves(self) -> list[Move]:
        """Each ref that moved, in any repository, oldest first."""
        return self.world.moves

    def forget(self) -> None:
        """Empty the log."""
        self.server.log.clear()


def _git(folder: Path, *arguments: str) -> None:
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env=environment)
