"""The table at GitHub: what a player does there from a clone on a machine of their own (design section 11).

What is done is done at GitHub at once, as the web pages would do it: nothing of it is kept here for later.
"""

from __future__ import annotations

import base64
import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pygit2

from nomic_git.forges.connection import Connection, Denied, Missing, Uncertain, address_of
from nomic_git.forges.forge import Deed, ForgeError
from nomic_git.forges.github import PULLS, GitHubForge
from nomic_git.forges.pull_request import ReviewState
from nomic_git.forges.refs import is_commit
from nomic_git.forges.refusal import words_of
from nomic_git.forges.roll import same
from nomic_git.forges.token import host_of, token
from nomic_git.game.judgment import Move
from nomic_git.game.player import Account
from nomic_git.game.vote import Vote
from nomic_git.repository.clone import Refused
from nomic_git.repository.settings import NOMIC_TOML

if TYPE_CHECKING:
    from nomic_git.forges.pull_request import PullRequest
    from nomic_git.repository.clone import Clone

_WRITERS = frozenset({"ADMIN", "MAINTAIN", "WRITE"})
_LOOKS = 20
"""How often to look for a fork that GitHub is making."""

_LONGEST_NAME = 100
_LONGEST_COMMENT = 65_536

_AGAINST = "A vote against, by `nomic-git vote`. `nomic-git comment` says why."
"""GitHub wants words with a review that requests changes."""

_VIEWER = """
query ($owner: String!, $name: String!, $settings: String!) {
  viewer { login databaseId name }
  repository(owner: $owner, name: $name) {
    nameWithOwner url viewerPermission
    parent { nameWithOwner url object(expression: $settings) { id } }
  }
}
"""

_FORK = """
query ($owner: String!, $name: String!, $branch: String!) {
  repository(owner: $owner, name: $name) { nameWithOwner url ref(qualifiedName: $branch) { id } }
}
"""

_BRANCH_OF = """
query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { headRefName headRepository { nameWithOwner url } }
  }
}
"""

_OPENED = """
query ($owner: String!, $name: String!, $branch: String!) {
  repository(owner: $owner, name: $name) {
    pullRequests(headRefName: $branch, states: OPEN, first: 5) { nodes { number headRefOid } }
  }
}
"""

_READY = """
mutation ($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { clientMutationId } }
"""

_DRAFT = """
mutation ($id: ID!) { convertPullRequestToDraft(input: {pullRequestId: $id}) { clientMutationId } }
"""

_SENTENCES: Sequence[tuple[str, str]] = (
    ("commits between", "it changes nothing of what GitHub has; first: nomic-git sync"),
    ("draft pull requests are not supported", "there are no drafts in this repository; leave out --draft"),
    ("not part of the pull request", "the proposal has another head by now; read it again, then vote"),
    ("your own pull request", "nobody reviews a proposal of their own at GitHub"),
    ("locked", "the conversation is locked at GitHub; whoever locked it can open it"),
    ("limit", "the repository's owners let only some do that now"),
)
"""What GitHub's refusals mean, and what to do about them."""


@dataclass(frozen=True, slots=True)
class _Viewer:
    """Whom the token belongs to, and what that account may do in the game's repository, of which `url` is the page.

    `parent` is the repository that it is a fork of and that has a game, by name and page; None where there is none.
    """

    account: Account
    name: str | None
    may_write: bool
    repository: str
    url: str
    parent: tuple[str, str] | None


@dataclass(slots=True)
class GitHubTable(GitHubForge):
    """GitHub, as a player at the command line sees it.

    A vote is for the words that the player has seen. `seen` are the heads that this clone had when the command began:
    those of the last command that looked at GitHub (`read`, `tally`, `proposals`, `sync`, or any other on a proposal).
    The review names that head to GitHub, and not one that was pushed a second ago. Where the author has put other
    words on top meanwhile, the referee finds a vote given to an earlier text, and says so; where that commit is gone
    from the pull request, GitHub refuses the review. Nobody votes on a proposal that this clone has not had before.
    """

    seen: dict[int, str] | None = None
    _viewer: _Viewer | None = None

    @property
    def name(self) -> str | None:
        """What the user's account is called beside its login, where that is a name that a player can have."""
        name = " ".join((self._known().name or "").split())
        return name if name.isprintable() and 0 < len(name) <= _LONGEST_NAME else None

    @property
    def email(self) -> str:
        """The address by which GitHub knows whose a commit is, and which gives no other away."""
        account = self._known().account
        return f"{account.id}+{account.login}@users.noreply.{host_of(self.connection.api)}"

    def fetch(self) -> None:
        """Take a snapshot of GitHub, having noted first which heads this clone had before."""
        if self.seen is None:
            self.seen = self._heads_here()
        GitHubForge.fetch(self)
        self._mark()

    def _mark(self) -> None:
        """Note the heads that this clone has now, also those that it had for another reason before."""
        here = self._heads_here()
        pulls = self.snapshot.pulls.values() if self.snapshot is not None else ()
        moved = [one for one in pulls if here.get(one.number) != one.head and is_commit(self.clone, one.head)]
        if moved:
            self.clone.git(
                "update-ref", "--stdin", stdin="".join(f"update {PULLS}{one.number} {one.head}\n" for one in moved)
            )

    def _heads_here(self) -> dict[int, str]:
        lines = self.clone.git("for-each-ref", "--format=%(objectname) %(refname)", PULLS).splitlines()
        heads = (line.split(" ") for line in lines)
        return {int(name.removeprefix(PULLS)): id_ for id_, name in heads if name.removeprefix(PULLS).isdecimal()}

    @property
    def hint(self) -> str | None:
        """What somebody should know whose clone is of a fork in which nobody plays a game that is played elsewhere."""
        if self.snapshot is None or self.snapshot.pulls:
            return None
        known = self._known()
        if known.parent is None:
            return None
        name, url = known.parent
        return (
            f"{known.repository} is a fork of {name}, and there are no proposals in it; if the game is at {name}: "
            f"git remote set-url {self.clone.remote or 'origin'} {url}.git"
        )

    @property
    def may_only_read(self) -> bool:
        """Whether the user is a person who may not write to the game's repository."""
        known = self._known()
        return known.account.is_person and not known.may_write

    def me(self) -> Account:
        """Return the account that the token belongs to."""
        return self.snapshot.viewer if self.snapshot is not None else self._known().account

    def meant(self, login: str) -> str:
        """Return the login of the seat that a player means by one, as far as GitHub has told of its account."""
        return self._roll().meant(login)

    def _known(self) -> _Viewer:
        if self._viewer is None:
            settings = f"{self.clone.settings.branch}:{NOMIC_TOML}"
            data = self.connection.ask(_VIEWER, {**self._here, "settings": settings}).data
            viewer, repository = data["viewer"], data["repository"]
            parent = repository["parent"]
            login = viewer["login"]
            self._viewer = _Viewer(
                account=Account(login, viewer["databaseId"], is_person=not login.endswith("[bot]")),
                name=viewer["name"],
                may_write=repository["viewerPermission"] in _WRITERS,
                repository=repository["nameWithOwner"],
                url=repository["url"],
                parent=(parent["nameWithOwner"], parent["url"]) if parent is not None and parent["object"] else None,
            )
        return self._viewer

    @property
    def _here(self) -> dict[str, Any]:
        owner, _, name = self.connection.repository.partition("/")
        return {"owner": owner, "name": name}

    def was_merged(self, number: int) -> bool:
        """Return whether GitHub has a pull request as merged, be it by the referee or by hand."""
        pull = self._found(number)
        return pull is not None and pull.is_merged

    # Proposing.

    def propose(self, login: str, head: str, title: str, time: int, *, draft: bool) -> int:
        """Open a pull request with this head and return its number; `login` and `time` are GitHub's to say.

        The commit goes to a branch of the repository where the user may write to it, else to one of the user's own
        fork, which is made where there is none. Raises ForgeError where GitHub will not have it.
        """
        del login, time
        viewer = self._known()
        branch = f"nomic/{head[:12]}"
        label = branch
        if viewer.may_write:
            self._send(viewer.url, head, branch)
        else:
            fork, url = self._fork()
            self._send(url, head, branch)
            label = f"{fork.partition('/')[0]}:{branch}"
        body = {
            "title": title or self.clone.repository[head].peel(pygit2.Commit).message.partition("\n")[0],
            "head": label,
            "base": self.clone.settings.branch,
            "body": "",
            "draft": draft,
            "maintainer_can_modify": False,
        }
        try:
            number: int = self._do("POST", "/pulls", body)["number"]
        except Uncertain:
            opened = self._opened(branch, head)
            if opened is None:
                raise
            number = opened
        return number

    def _opened(self, branch: str, head: str) -> int | None:
        """Return the pull request that a write without an answer has opened, None where it has opened none."""
        data = self.connection.ask(_OPENED, {**self._here, "branch": branch}).data
        nodes = data["repository"]["pullRequests"]["nodes"]
        return next((one["number"] for one in nodes if one["headRefOid"] == head), None)

    def push(self, login: str, number: int, head: str, time: int) -> None:
        """Give a pull request of the user's another head, where its branch is: in the repository or in a fork."""
        del login, time
        data = self.connection.ask(_BRANCH_OF, {**self._here, "number": number}).data
        pull = data["repository"]["pullRequest"]
        if pull["headRepository"] is None:
            raise ForgeError(f"the repository that proposal {number} was made in is gone; withdraw it and make it anew")
        self._send(pull["headRepository"]["url"], head, pull["headRefName"])

    def _fork(self) -> tuple[str, str]:
        """Return the name and the address of the user's fork, once it is there."""
        made = self._do("POST", "/forks", {"default_branch_only": True})["full_name"]
        owner, _, name = made.partition("/")
        asked = {"owner": owner, "name": name, "branch": self.clone.branch}
        for look in range(1, _LOOKS + 1):
            with contextlib.suppress(Missing):
                repository = self.connection.ask(_FORK, asked).data["repository"]
                if repository is not None and repository["ref"] is not None:
                    return repository["nameWithOwner"], repository["url"]
            if look < _LOOKS:
                time.sleep(self.connection.pause)
        raise ForgeError(f"GitHub is still making your fork, {made}; try again in a minute")

    def _send(self, url: str, head: str, branch: str) -> None:
        """Push a commit to a branch, unforced, as the one whom the token belongs to."""
        secret = base64.b64encode(f"x-access-token:{self.connection.token}".encode()).decode()
        header = f"http.{url}.extraHeader"
        settings = [(header, ""), (header, f"Authorization: Basic {secret}")] if _is_web(url) else []
        try:
            self.clone.git("push", "-q", f"{url}.git", f"{head}:refs/heads/{branch}", settings=settings)
        except Refused as error:
            raise ForgeError(_unsent(branch, url, words_of(error.words))) from None

    # What players do on proposals.

    def note(
        self,
        login: str,
        number: int,
        deed: Deed,
        time: int,
        *,
        word: str = "",
        head: str | None = None,
        words: str = "",
    ) -> None:
        """Do at GitHub what the user does on a proposal: a review, a comment, closing it, making it ready.

        A vote is for the head that this clone had when the command began, and not for `head` as it is by now. Raises
        ForgeError where it had none, or where GitHub will not have it.
        """
        del login, time, head
        pull = self._proposal(number)
        match deed:
            case Deed.VOTE:
                self._vote(pull, Vote(word))
            case Deed.WITHDRAWN:
                self._do("PATCH", f"/pulls/{number}", {"state": "closed"})
            case Deed.READY | Deed.DRAFT:
                self._turn(_READY if deed is Deed.READY else _DRAFT, pull)
            case Deed.COMMENT:
                self._comment(number, words)
            case Deed.JUDGMENT:
                self._comment(number, f"/nomic {Move(word)} {' '.join(words.split())}".rstrip())
            case _:
                raise ForgeError(f"{deed} is not done at GitHub in this way")

    def _proposal(self, number: int) -> PullRequest:
        pull = self._found(number) if self.snapshot is not None else None
        if pull is None:
            raise ForgeError(f"there is no proposal {number} at GitHub; see: nomic-git proposals")
        return pull

    def _comment(self, number: int, words: str) -> None:
        if len(words) > _LONGEST_COMMENT:
            raise ForgeError(f"a comment at GitHub has at most {_LONGEST_COMMENT} characters; this has {len(words)}")
        self._do("POST", f"/issues/{number}/comments", {"body": words})

    def _turn(self, mutation: str, pull: PullRequest) -> None:
        try:
            self.connection.ask(mutation, {"id": pull.node})
        except Denied as error:
            raise _in_words(error) from None

    def _vote(self, pull: PullRequest, vote: Vote) -> None:
        if same(pull.author, self.me()):
            # GitHub lets nobody review their own pull request; an author is for it who says nothing.
            self._comment(pull.number, f"/nomic {Vote.AGAINST if vote is Vote.AGAINST else Vote.FOR}")
        elif vote is Vote.NONE:
            self._take_back(pull)
        else:
            seen = (self.seen or {}).get(pull.number)
            if seen is None:
                raise ForgeError(
                    f"this clone has not had proposal {pull.number} before; read what you vote on first: "
                    f"nomic-git read {pull.number}"
                )
            event = "APPROVE" if vote is Vote.FOR else "REQUEST_CHANGES"
            body = {"event": event, "commit_id": seen, "body": "" if vote is Vote.FOR else _AGAINST}
            self._do("POST", f"/pulls/{pull.number}/reviews", body)

    def _take_back(self, pull: PullRequest) -> None:
        """Dismiss the user's last vote."""
        standing = {ReviewState.APPROVED, ReviewState.CHANGES_REQUESTED}
        mine = [one for one in pull.reviews if one.state in standing and same(one.author, self.me())]
        if not mine:
            raise ForgeError(f"there is no vote of yours on proposal {pull.number} to take back")
        if not self._known().may_write:
            raise ForgeError(
                f"GitHub lets only those who may write to {self.connection.repository} take a review back; "
                f"vote the other way instead: nomic-git vote {pull.number} for|against"
            )
        last = max(mine, key=lambda one: (one.time, one.id))
        body = {"message": "Taken back by its voter.", "event": "DISMISS"}
        self._do("PUT", f"/pulls/{pull.number}/reviews/{last.id}/dismissals", body)

    def _do(self, verb: str, path: str, body: Mapping[str, Any]) -> Any:
        try:
            return self.connection.write(verb, path, body)
        except Uncertain as error:
            raise Uncertain(f"{error}. It may have been done all the same; see: nomic-git proposals") from None
        except Denied as error:
            raise _in_words(error) from None


def github_table(clone: Clone) -> GitHubTable:
    """Return the table of a clone of a game at GitHub. Raises ForgeError where nobody knows where, or as whom."""
    address = address_of(clone)
    return GitHubTable(clone, Connection(address.repository, token(host_of(address.api)), address.api))


def _is_web(url: str) -> bool:
    return url.startswith(("https://", "http://"))


def _in_words(error: Denied) -> ForgeError:
    """Return GitHub's refusal as a sentence that says what to do, where it is a known one."""
    known = next((words for sign, words in _SENTENCES if sign in str(error).lower()), None)
    return error if known is None else ForgeError(f"GitHub does not have it: {known}")


def _unsent(branch: str, url: str, words: str) -> str:
    remedy = "see that your token may write to it, then try again"
    if "workflow" in words:
        remedy = "bring your fork up to date with the game (Sync fork), or give the token the workflow scope: "
        remedy += "gh auth refresh -s workflow"
    elif "fetch first" in words or "non-fast-forward" in words:
        remedy = "somebody has pushed to it meanwhile; first: nomic-git sync"
    return f"the branch {branch} could not be pushed to {url} ({words}); {remedy}"
