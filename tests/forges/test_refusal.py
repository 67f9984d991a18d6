"""What GitHub says to a push that it does not take: its own words, as people have met them."""

from __future__ import annotations

import pytest

from nomic_git.forges.refusal import Meaning, meaning, words_of

RULES = """\
remote: error: GH013: Repository rule violations found for refs/heads/main.
remote: Review all repository rules at https://github.com/alice/nomic/rules?ref=refs%2Fheads%2Fmain
remote:
remote: - Changes must be made through a pull request.
remote:
To https://github.com/alice/nomic
 ! [remote rejected] 5f2c... -> main (push declined due to repository rule violations)
error: failed to push some refs to 'https://github.com/alice/nomic'
"""
PROTECTED = """\
remote: error: GH006: Protected branch update failed for refs/heads/main.
remote: error: 2 of 2 required status checks have not succeeded: 1 expected.
To https://github.com/alice/nomic.git
 ! [remote rejected] main -> main (protected branch hook declined)
error: failed to push some refs to 'https://github.com/alice/nomic.git'
"""
SECRET = """\
remote: error: GH013: Repository rule violations found for refs/heads/main.
remote:
remote: - GITHUB PUSH PROTECTION
remote:   \u2014\u2014\u2014\u2014\u2014\u2014\u2014\u2014\u2014\u2014\u2014\u2014
remote:     Resolve the following violations before pushing again
remote:
remote:     - Push cannot contain secrets
remote:
remote:      (?) Learn how to resolve a blocked push
remote:      https://docs.github.com/code-security/secret-scanning/pushing-a-branch-blocked-by-push-protection
remote:
remote:       \u2014\u2014 GitHub Personal Access Token \u2014\u2014\u2014\u2014\u2014\u2014
remote:        locations:
remote:          - commit: 8728dbe67
remote:            path: rules/mutable/301.md:4
remote:
remote:        (?) To push, remove secret from commit(s) or follow this URL to allow the secret.
remote:        https://github.com/alice/nomic/security/secret-scanning/unblock-secret/2ZfAbC
To https://github.com/alice/nomic.git
 ! [remote rejected] main -> main (push declined due to repository rule violations)
"""
WORKFLOW = """\
To https://github.com/alice/nomic
 ! [remote rejected] main -> main (refusing to allow a GitHub App to create or update workflow \
`.github/workflows/dlc.yml` without `workflows` permission)
error: failed to push some refs to 'https://github.com/alice/nomic'
"""
LARGE = """\
remote: error: Trace: eef60ca4521006cb11e4b7f181bc7a1a
remote: error: See http://git.io/iEPt8g for more information.
remote: error: File X.sql is 1537.98 MB; this exceeds GitHub's file size limit of 100.00 MB
remote: error: GH001: Large files detected. You may want to try Git Large File Storage - https://git-lfs.github.com.
To https://github.com/X/X.git
 ! [remote rejected] v0.8 -> v0.8 (pre-receive hook declined)
"""
DENIED = """\
remote: Permission to alice/nomic.git denied to github-actions[bot].
fatal: unable to access 'https://github.com/alice/nomic/': The requested URL returned error: 403
"""
NO_LOGIN = "fatal: could not read Username for 'https://github.com': terminal prompts disabled\n"
BEHIND = """\
To https://github.com/alice/nomic.git
 ! [rejected]        main -> main (fetch first)
error: failed to push some refs to 'https://github.com/alice/nomic.git'
"""
RACED = """\
To https://github.com/alice/nomic.git
 ! [remote rejected] main -> main (cannot lock ref 'refs/heads/main': is at 6f1f but expected 1a2b)
"""
SERVER = """\
error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502
fatal: the remote end hung up unexpectedly
"""
INTERNAL = """\
remote: Internal Server Error
 ! [remote rejected] main -> main (Internal Server Error)
"""
NO_HOOK = """\
remote: error: proc-receive exited abnormally
 ! [remote rejected] main -> main (fail to run proc-receive hook)
"""
UNKNOWN = """\
remote: We do not like the weather in this commit.
 ! [remote rejected] main -> main (pre-receive hook declined)
"""


@pytest.mark.parametrize(
    ("words", "means"),
    [
        (RULES, Meaning.PROTECTED),
        (PROTECTED, Meaning.PROTECTED),
        (SECRET, Meaning.CONTENT),
        (WORKFLOW, Meaning.CONTENT),
        (LARGE, Meaning.CONTENT),
        (UNKNOWN, Meaning.CONTENT),
        (DENIED, Meaning.FORBIDDEN),
        (NO_LOGIN, Meaning.FORBIDDEN),
        (BEHIND, Meaning.OTHERS_FIRST),
        (RACED, Meaning.OTHERS_FIRST),
        (SERVER, Meaning.BROKEN),
        (INTERNAL, Meaning.BROKEN),
        (NO_HOOK, Meaning.BROKEN),
    ],
)
def test_each_known_refusal_has_its_meaning(words: str, means: Meaning) -> None:
    assert meaning(words) is means


def test_what_blocks_a_proposal_is_said_in_githubs_words_without_what_changes_from_try_to_try() -> None:
    said = words_of(SECRET)
    assert "Push cannot contain secrets" in said
    assert "rules/mutable/301.md:4" in said
    assert said == words_of(SECRET.replace("8728dbe67", "0123456789abcdef").replace("2ZfAbC", "9QqRrS"))
    assert "8728dbe67" not in said
    assert "https://" not in said


def test_the_words_of_a_refused_workflow_name_it() -> None:
    assert words_of(WORKFLOW) == (
        "refusing to allow a GitHub App to create or update workflow "
        "`.github/workflows/dlc.yml` without `workflows` permission"
    )


def test_the_words_are_one_line_without_control_characters() -> None:
    said = words_of("remote: a\x1b[31mb\x00c\nremote: second\n ! [remote rejected] main -> main (no)\n")
    assert said.isprintable()
    assert "second" in said


def test_an_address_that_git_quotes_is_kept_and_who_it_has_before_the_host_is_not() -> None:
    asked = "fatal: could not read Username for 'https://github.com': terminal prompts disabled\n"
    assert words_of(asked) == asked.strip()
    said = words_of("fatal: unable to access 'https://bob:sEcReT@github.com/o/r.git/': Could not resolve host\n")
    assert said == "fatal: unable to access 'https://github.com/o/r.git/': Could not resolve host"
    assert "sEcReT" not in words_of("fatal: no https://bob:sEcReT@github.com/o/r.git here\n")
