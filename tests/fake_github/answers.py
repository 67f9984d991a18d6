"""How GitHub's REST API writes what there is: the fields of its own examples, with the values that hold here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_github.clock import stamp
from fake_github.described import example
from fake_github.state import Permission, Pull
from fake_github.world import GHOST_ID

if TYPE_CHECKING:
    import pygit2

    from fake_github.state import Account, Comment, Issue, Label, Reaction, Repository, Review, Status

USER_URLS = {
    "followers_url": "/followers",
    "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}",
    "starred_url": "/starred{/owner}{/repo}",
    "subscriptions_url": "/subscriptions",
    "organizations_url": "/orgs",
    "repos_url": "/repos",
    "events_url": "/events{/privacy}",
    "received_events_url": "/received_events",
}


def when(moment: int | None) -> str | None:
    return None if moment is None else stamp(moment)


class Answers:
    """Writes answers in which every address begins with `url`, where the server is."""

    def __init__(self, url: str) -> None:
        self.url = url

    def user(self, account: Account) -> dict[str, Any]:
        """An account in short; a deleted one is the ghost."""
        login, number, kind, node = account.login, account.id, account.kind, account.node_id
        if account.deleted:
            login, number, kind, node = "ghost", GHOST_ID, "User", f"U_{GHOST_ID}"
        here = f"{self.url}/users/{login}"
        return {
            "login": login,
            "id": number,
            "node_id": node,
            "avatar_url": f"{self.url}/avatars/{number}",
            "gravatar_id": "",
            "url": here,
            "html_url": f"{self.url}/html/{login}",
            "type": kind,
            "site_admin": False,
            "user_view_type": "public",
            **{name: here + end for name, end in USER_URLS.items()},
        }

    def person(self, account: Account) -> dict[str, Any]:
        """An account in full, as anybody may see it."""
        empty = ("bio", "blog", "company", "email", "hireable", "location", "twitter_username")
        zero = ("followers", "following", "public_gists", "public_repos")
        return {
            **self.user(account),
            **dict.fromkeys(empty),
            **dict.fromkeys(zero, 0),
            "name": account.name,
            "created_at": when(account.created_at),
            "updated_at": when(account.created_at),
        }

    def repository(self, repository: Repository, viewer: Account) -> dict[str, Any]:
        made = self._addressed(example("full-repository"), repository)
        for name in ("organization", "parent", "source", "template_repository", "temp_clone_token", "license"):
            made.pop(name, None)
        mine = repository.permission(viewer)
        made.update(
            id=repository.id,
            node_id=f"R_{repository.id}",
            name=repository.name,
            full_name=repository.full_name,
            owner=self.user(repository.owner),
            description=None,
            homepage=None,
            language=None,
            license=None,
            fork=repository.fork_of is not None,
            default_branch=repository.default_branch,
            has_discussions=False,
            open_issues=sum(thread.open for thread in [*repository.pulls.values(), *repository.issues.values()]),
            permissions={
                "admin": mine.reaches(Permission.ADMIN),
                "maintain": mine.reaches(Permission.MAINTAIN),
                "push": mine.reaches(Permission.WRITE),
                "triage": mine.reaches(Permission.TRIAGE),
                "pull": True,
            },
        )
        if repository.fork_of is not None and not repository.fork_of.owner.deleted:
            made["parent"] = made["source"] = self.short_repository(repository.fork_of)
        made["created_at"] = made["updated_at"] = made["pushed_at"] = when(repository.created_at)
        return made

    def short_repository(self, repository: Repository) -> dict[str, Any]:
        made = self._addressed(example("pull-request")["base"]["repo"], repository)
        made.update(
            id=repository.id,
            node_id=f"R_{repository.id}",
            name=repository.name,
            full_name=repository.full_name,
            owner=self.user(repository.owner),
            fork=repository.fork_of is not None,
            default_branch=repository.default_branch,
            description=None,
            language=None,
            has_discussions=False,
        )
        return made

    def _addressed(self, made: Any, repository: Repository) -> Any:
        """The example with its addresses pointed at this repository."""
        if isinstance(made, dict):
            return {name: self._addressed(value, repository) for name, value in made.items()}
        if isinstance(made, list):
            return [self._addressed(value, repository) for value in made]
        if isinstance(made, str) and "octocat/Hello-World" in made:
            made = made.replace("octocat/Hello-World", repository.full_name)
            return made.replace("https://api.github.com", self.url).replace("https://github.com", f"{self.url}/html")
        return made

    def pull(self, pull: Pull, *, full: bool = True) -> dict[str, Any]:
        made = self._addressed(example("pull-request"), pull.repository)
        here, page = self._thread_urls(pull)
        made.update(self._thread(pull))
        made.update(
            url=here,
            html_url=page,
            diff_url=f"{page}.diff",
            patch_url=f"{page}.patch",
            issue_url=f"{self._home(pull.repository)}/issues/{pull.number}",
            commits_url=f"{here}/commits",
            review_comments_url=f"{here}/comments",
            review_comment_url=f"{self._home(pull.repository)}/pulls/comments{{/number}}",
            comments_url=f"{self._home(pull.repository)}/issues/{pull.number}/comments",
            statuses_url=f"{self._home(pull.repository)}/statuses/{pull.head}",
            state="open" if pull.open else "closed",
            merged_at=when(pull.merged_at),
            merge_commit_sha=pull.merge_commit,
            draft=pull.draft,
            head=self._end(pull.head_repository, pull.head_branch, pull.head, pull.author),
            base=self._end(pull.repository, pull.base_branch, pull.base_commit, pull.repository.owner),
            requested_reviewers=[],
            requested_teams=[],
            auto_merge=None,
            active_lock_reason=None,
        )
        made["_links"] = {
            "self": {"href": here},
            "html": {"href": page},
            "issue": {"href": made["issue_url"]},
            "comments": {"href": made["comments_url"]},
            "review_comments": {"href": made["review_comments_url"]},
            "review_comment": {"href": made["review_comment_url"]},
            "commits": {"href": made["commits_url"]},
            "statuses": {"href": made["statuses_url"]},
        }
        counted = {
            "merged": pull.merged,
            "merged_by": None if pull.merged_by is None else self.user(pull.merged_by),
            "mergeable": None,
            "rebaseable": None,
            "mergeable_state": "unknown",
            "comments": len(pull.comments),
            "review_comments": 0,
            "commits": len(list(pull.repository.store.between(pull.base_commit, pull.head))),
            "additions": 0,
            "deletions": 0,
            "changed_files": 0,
            "maintainer_can_modify": False,
        }
        if full:
            return {**made, **counted}
        return {name: value for name, value in made.items() if name not in counted}

    def _end(self, repository: Repository | None, branch: str, commit: str, fallback: Account) -> dict[str, Any]:
        """Head or base; a deleted fork leaves the branch and the commit."""
        owner = fallback if repository is None else repository.owner
        return {
            "label": f"{self.user(owner)['login']}:{branch}",
            "ref": branch,
            "sha": commit,
            "user": self.user(owner),
            "repo": None if repository is None else self.short_repository(repository),
        }

    def _home(self, repository: Repository) -> str:
        return f"{self.url}/repos/{repository.full_name}"

    def _thread_urls(self, thread: Issue) -> tuple[str, str]:
        pull = isinstance(thread, Pull)
        here = f"{self._home(thread.repository)}/{'pulls' if pull else 'issues'}/{thread.number}"
        page = f"{self.url}/html/{thread.repository.full_name}/{'pull' if pull else 'issues'}/{thread.number}"
        return here, page

    def _thread(self, thread: Issue) -> dict[str, Any]:
        return {
            "id": thread.id,
            "node_id": f"PR_{thread.id}" if isinstance(thread, Pull) else f"I_{thread.id}",
            "number": thread.number,
            "title": thread.title,
            "body": thread.body or None,
            "user": self.user(thread.author),
            "labels": [self.label(thread.repository, label) for label in thread.labels],
            "locked": False,
            "assignee": None,
            "assignees": [],
            "milestone": None,
            "author_association": self._association(thread.repository, thread.author),
            "created_at": when(thread.created_at),
            "updated_at": when(thread.updated_at),
            "closed_at": when(thread.closed_at),
        }

    @staticmethod
    def _association(repository: Repository, account: Account) -> str:
        if account is repository.owner:
            return "OWNER"
        return "COLLABORATOR" if account.id in repository.permissions else "NONE"

    def issue(self, thread: Issue) -> dict[str, Any]:
        """An issue, or a pull request seen as one."""
        home = self._home(thread.repository)
        here = f"{home}/issues/{thread.number}"
        pull_url, page = self._thread_urls(thread)
        made = {
            **self._thread(thread),
            "url": here,
            "repository_url": home,
            "labels_url": f"{here}/labels{{/name}}",
            "comments_url": f"{here}/comments",
            "events_url": f"{here}/events",
            "html_url": page,
            "state": "open" if thread.open else "closed",
            "state_reason": None,
            "comments": len(thread.comments),
        }
        if isinstance(thread, Pull):
            links = {"url": pull_url, "html_url": page, "diff_url": f"{page}.diff", "patch_url": f"{page}.patch"}
            made["pull_request"] = {**links, "merged_at": when(thread.merged_at)}
            made["draft"] = thread.draft
        return made

    def comment(self, thread: Issue, comment: Comment) -> dict[str, Any]:
        home = self._home(thread.repository)
        return {
            "id": comment.id,
            "node_id": f"IC_{comment.id}",
            "url": f"{home}/issues/comments/{comment.id}",
            "html_url": f"{self._thread_urls(thread)[1]}#issuecomment-{comment.id}",
            "issue_url": f"{home}/issues/{thread.number}",
            "body": comment.body,
            "user": self.user(comment.author),
            "created_at": when(comment.created_at),
            "updated_at": when(comment.updated_at),
            "author_association": self._association(thread.repository, comment.author),
            "performed_via_github_app": None,
        }

    def reaction(self, reaction: Reaction) -> dict[str, Any]:
        return {
            "id": reaction.id,
            "node_id": f"REA_{reaction.id}",
            "user": self.user(reaction.account),
            "content": reaction.content,
            "created_at": when(reaction.created_at),
        }

    def label(self, repository: Repository, label: Label) -> dict[str, Any]:
        return {
            "id": label.id,
            "node_id": f"LA_{label.id}",
            "url": f"{self._home(repository)}/labels/{label.name}",
            "name": label.name,
            "description": label.description,
            "color": label.color,
            "default": False,
        }

    def review(self, pull: Pull, review: Review) -> dict[str, Any]:
        here, page = self._thread_urls(pull)
        page = f"{page}#pullrequestreview-{review.id}"
        made = {
            "id": review.id,
            "node_id": f"PRR_{review.id}",
            "user": None if review.author.deleted else self.user(review.author),
            "body": review.body,
            "state": review.state,
            "html_url": page,
            "pull_request_url": here,
            "_links": {"html": {"href": page}, "pull_request": {"href": here}},
            "commit_id": review.commit,
            "author_association": self._association(pull.repository, review.author),
        }
        if review.state != "PENDING":
            made["submitted_at"] = when(review.submitted_at)
        return made

    def commit(self, repository: Repository, commit: pygit2.Commit) -> dict[str, Any]:
        """A commit without its files."""
        made = self._addressed(example("commit"), repository)
        oid = str(commit.id)
        here = f"{self._home(repository)}/commits/{oid}"
        made.update(
            url=here,
            sha=oid,
            node_id=f"C_{oid}",
            html_url=f"{self.url}/html/{repository.full_name}/commit/{oid}",
            comments_url=f"{here}/comments",
            author=None,
            committer=None,
            parents=[
                {"sha": str(each), "url": f"{self._home(repository)}/commits/{each}"} for each in commit.parent_ids
            ],
            files=[],
        )
        made["commit"].update(
            url=f"{self._home(repository)}/git/commits/{oid}",
            message=commit.message,
            author=self._signature(commit.author),
            committer=self._signature(commit.committer),
            tree={"sha": str(commit.tree_id), "url": f"{self._home(repository)}/git/trees/{commit.tree_id}"},
        )
        return made

    @staticmethod
    def _signature(signature: pygit2.Signature) -> dict[str, Any]:
        return {"name": signature.name, "email": signature.email, "date": stamp(signature.time)}

    def ref(self, repository: Repository, ref: str, tip: str) -> dict[str, Any]:
        home = self._home(repository)
        target = {"type": "commit", "sha": tip, "url": f"{home}/git/commits/{tip}"}
        return {"ref": ref, "node_id": f"REF_{ref}", "url": f"{home}/git/{ref}", "object": target}

    def status(self, repository: Repository, status: Status) -> dict[str, Any]:
        return {
            "url": f"{self._home(repository)}/statuses/{status.sha}",
            "avatar_url": f"{self.url}/avatars/{status.creator.id}",
            "id": status.id,
            "node_id": f"SC_{status.id}",
            "state": status.state,
            "description": status.description,
            "target_url": status.target_url,
            "context": status.context,
            "created_at": when(status.created_at),
            "updated_at": when(status.created_at),
            "creator": self.user(status.creator),
        }
