"""`nomic-git new --forge github`: a game whose referee GitHub runs."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from people import directory
from program import Answer, ask, git

from nomic_git.repository.workflows import release, workflows

REFEREE = ".github/workflows/nomic-referee.yml"


@pytest.fixture(autouse=True)
def _people(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    with directory() as (address, _):
        monkeypatch.setenv("GITHUB_API_URL", address)
        yield


def new(folder: Path, *options: str) -> Answer:
    answer = ask("new", folder, "--forge", "github", *options)
    assert (answer.code, answer.err) == (0, "")
    return answer


def refused(answer: Answer, *words: str) -> None:
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    for one in words:
        assert one in answer.err


def begun(folder: Path, branch: str = "main") -> Path:
    """A repository with a file of somebody's own in its only commit."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", branch)
    (folder / "code.c").write_text("int main;\n")
    git(folder, "add", "code.c")
    git(folder, "-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-q", "-m", "Begin")
    return folder


def test_the_game_is_of_github_and_has_the_workflows_of_this_release(tmp_path: Path) -> None:
    new(tmp_path / "game")
    assert 'forge = "github"' in (tmp_path / "game" / "nomic.toml").read_text()
    for path, data in workflows("main", release()).items():
        assert (tmp_path / "game" / path).read_bytes() == data
    assert git(tmp_path / "game", "status", "--porcelain") == ""


def test_the_workflows_stand_before_the_founding_and_an_audit_finds_all_in_order(tmp_path: Path) -> None:
    new(tmp_path / "game", "--source", "git+https://github.com/someone/nomic-git@v9")
    assert git(tmp_path / "game", "log", "--format=%s") == "Found the game\nLet GitHub run the referee"
    changed = git(tmp_path / "game", "diff-tree", "--name-only", "-r", "HEAD")
    assert not any(path.startswith(".github") for path in changed.splitlines())
    audit = ask("-C", tmp_path / "game", "audit", "--json")
    assert (audit.code, audit.json) == (0, {"events": 1, "irregular": [], "scores_match": True})
    assert [one["event"] for one in ask("-C", tmp_path / "game", "log", "--json").json] == ["founded"]


def test_the_source_is_what_the_workflow_installs(tmp_path: Path) -> None:
    new(tmp_path / "game", "--source", "git+https://github.com/someone/nomic-git@v9")
    text = (tmp_path / "game" / REFEREE).read_text()
    assert 'NOMIC_GIT: "git+https://github.com/someone/nomic-git@v9"' in text
    assert release() not in text


def test_a_bad_source_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    refused(ask("new", tmp_path / "game", "--forge", "github", "--source", 'x"; id'), release())
    refused(ask("new", tmp_path / "game", "--source", "nomic-git"), "--forge github")
    assert not (tmp_path / "game").exists()


def test_the_next_steps_are_told_and_lead_there(tmp_path: Path) -> None:
    said = new(tmp_path / "my game").out
    assert "Players: nobody yet." in said
    assert "https://github.com/new" in said
    assert "Settings > Actions > General" in said
    assert "players/YOUR-LOGIN.md" in said
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "NAME.git")
    commands = [line.strip() for line in said.splitlines() if line.strip().startswith("git -C")]
    script = "\n".join(commands).replace("https://github.com/OWNER/NAME.git", str(tmp_path / "NAME.git"))
    subprocess.run(["bash", "-e", "-c", script], check=True, capture_output=True)
    assert git(tmp_path / "NAME.git", "rev-parse", "main") == git(tmp_path / "my game", "rev-parse", "HEAD")


def test_those_who_are_seated_are_not_told_to_join(tmp_path: Path) -> None:
    both = ("--player", "octocat", "--player", "hubot")
    nobody, one, two = (
        new(tmp_path / f"game{count}", *both[: 2 * count]).out.partition("\n3. ")[2] for count in range(3)
    )
    assert nobody.startswith("You and everybody else join by a pull request")
    assert one.startswith("Others join by a pull request")
    assert two.startswith("Others join by a pull request")
    assert "It takes two players to begin." in nobody
    assert "It takes two players to begin." in one
    assert "It takes two" not in two
    assert "To propose something: nomic-git propose --help" in two


def test_a_clone_of_a_repository_gets_a_game_and_is_told_to_push_it(tmp_path: Path) -> None:
    begun(tmp_path / "there", "trunk")
    git(tmp_path, "clone", "-q", "there", "here")
    answer = ask("-C", tmp_path / "here", "new", ".", "--forge", "github")
    assert (answer.code, answer.err) == (0, "")
    assert "push -u origin trunk" in answer.out
    assert "default branch there has to be trunk" in answer.out
    assert "remote add" not in answer.out
    assert 'branches: ["trunk"]' in (tmp_path / "here" / REFEREE).read_text()
    assert git(tmp_path / "here", "log", "--format=%s").splitlines()[-1] == "Begin"
    assert git(tmp_path / "here", "status", "--porcelain") == ""
    assert ask("-C", tmp_path / "here", "audit").code == 0


def test_workflows_that_are_there_already_stay_and_others_are_not_overwritten(tmp_path: Path) -> None:
    folder = begun(tmp_path / "game")
    for path, data in workflows("main", release()).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    git(folder, "add", ".github")
    git(folder, "-c", "user.name=A", "-c", "user.email=a@x.invalid", "commit", "-q", "-m", "Prepare")
    refused(ask("-C", folder, "new", ".", "--forge", "github", "--source", "nomic-git==9.9"), REFEREE, "git mv")
    assert git(folder, "log", "--format=%s") == "Prepare\nBegin"
    new(folder)
    assert git(folder, "log", "--format=%s") == "Found the game\nPrepare\nBegin"


def test_a_local_game_gets_no_workflows(tmp_path: Path) -> None:
    assert ask("new", tmp_path / "game").code == 0
    assert not (tmp_path / "game" / ".github").exists()


def test_players_named_from_the_start_are_known_by_their_numbers(tmp_path: Path) -> None:
    assert "Players: octocat, hubot." in new(tmp_path / "game", "--player", "octocat=Mona", "--player", "hubot").out
    assert (tmp_path / "game" / "players" / "octocat.md").read_text() == "---\nname: Mona\nid: 583231\n---\n"
    assert (tmp_path / "game" / "players" / "hubot.md").read_text() == "---\nid: 480938\n---\n"
    assert ask("-C", tmp_path / "game", "audit").code == 0


@pytest.mark.parametrize(
    ("login", "words"),
    [
        ("nobody-here", "nobody is called nobody-here"),
        ("github", "Organization"),
        ("busy", "Service unavailable"),
        ("two/words", "can be no login"),
    ],
)
def test_a_player_whom_github_does_not_know_is_refused_and_nothing_is_made(
    tmp_path: Path, login: str, words: str
) -> None:
    refused(ask("new", tmp_path / "game", "--forge", "github", "--player", login), words)
    assert not (tmp_path / "game").exists()
