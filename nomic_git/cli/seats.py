"""Commands about who plays, and about this clone: `players`, `join`, `forfeit`, `away`, `back`, `surname`, `sync`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nomic_git.cli.court import tell_open_now
from nomic_git.cli.desk import (
    AsJson,
    AsPlayer,
    Misunderstood,
    as_text,
    as_typed,
    desk,
    keeping,
    now,
    plain_instant,
    writing,
)
from nomic_git.cli.docket import (
    account_of,
    asked,
    concerns_the_players,
    open_accounts,
    refuse_after_the_end,
    tell_after,
)
from nomic_git.cli.paper import say, say_json, table
from nomic_git.cli.proposing import commit_email, signature
from nomic_git.cli.turn import tell_nameless, tell_turn

if TYPE_CHECKING:
    from nomic_git.cli.desk import Desk
    from nomic_git.game.player import Player


def sync(context: typer.Context) -> None:
    """Bring what others did, and the game branch, into this clone; send what could not be sent before."""
    at = keeping(context)
    where = "GitHub" if at.is_on_github else at.clone.remote
    if where is None:
        say("This game is in this clone alone; there is nothing to bring.")
        return
    forge = at.forge
    forge.fetch()
    for trouble in forge.troubles:
        say(trouble)
    open_ = sum(concerns_the_players(at, one) for one in open_accounts(at)[1])
    sent = f" What was only here is sent ({forge.sent})." if forge.sent else ""
    say(f"Up to date with {where}: {open_} proposal{'' if open_ == 1 else 's'} open.{sent}")


def players(context: typer.Context, as_json: AsJson = False) -> None:
    """List the players in the order of joining, or by surname where turns go so, and say whose turn it is."""
    from nomic_git.game.surname import is_by_surname, seats_by_surname
    from nomic_git.law.provisions import PLAYERS_CONSULTING, Consulting
    from nomic_git.locales import CONSULTING

    position = desk(context).position
    files = {login.casefold(): player for login, player in position.players.items()}
    sorted_by_surname = is_by_surname(position.law)
    seats = seats_by_surname(position) if sorted_by_surname else position.state.seats
    rows = [(seat, files.get(seat.login.casefold())) for seat in seats]
    if as_json:
        say_json(
            [
                {
                    "login": seat.login,
                    "name": player.called if player else seat.login,
                    "surname": player.surname if player else None,
                    "points": seat.points,
                    "turns": seat.turns,
                    "joined": plain_instant(seat.joined),
                    "away": seat.is_away,
                    "team": player.team if player else None,
                }
                for seat, player in rows
            ]
        )
        return
    if not rows:
        say("Nobody is in the game; to join it: nomic-git join")
        return
    # With a round everybody's seat begins anew, whoever had sat there before.
    joined = "Joined" if position.state.round == 1 else f"In round {position.state.round} since"
    surname = ("Surname",) if sorted_by_surname else ()
    team = ("Team",) if any(file is not None and file.team for _, file in rows) else ()
    table(
        ("Player", *surname, "Name", *team, "E-mail", joined),
        [
            (
                seat.login,
                *(as_text(file and file.surname) for _ in surname),
                file.called if file else "",
                *(as_text(file and file.team) for _ in team),
                as_text(file and file.email),
                plain_instant(seat.joined),
            )
            for seat, file in rows
        ],
    )
    tell_turn(desk(context), position)
    tell_nameless(position)
    tell_open_now(desk(context), position)
    for seat, _ in rows:
        if seat.is_away:
            say(f"{seat.login} has been away since {plain_instant(seat.absences[-1][0])}.")
    if position.law.value(PLAYERS_CONSULTING) is Consulting.FORBIDDEN:
        say(CONSULTING.format(rule=position.law.rule(PLAYERS_CONSULTING.name)))


def join(
    context: typer.Context,
    login: AsPlayer = None,
    name: Annotated[
        str | None, typer.Option("--name", help="What to call you; else your name at GitHub, or your login.")
    ] = None,
    surname: Annotated[str | None, typer.Option("--surname", help="For games that are played by surname.")] = None,
    email: Annotated[
        str | None, typer.Option("--email", help="How you are known; else, but not at GitHub, git's user.email.")
    ] = None,
    team: Annotated[str | None, typer.Option("--team", help="The team that you play in, if any.")] = None,
) -> None:
    """Ask to join the game."""
    from nomic_git.game.player import is_address, is_login, player_path, write_player
    from nomic_git.repository.drafting import Draft, commit

    if email and not is_address(email):
        raise Misunderstood(f"--email {email!r} is no address such as alice@example.org")
    at = writing(context)
    github = at.github
    login = at.called(login) or login
    if login is None:
        raise Misunderstood("say under which login you join: nomic-git join --as LOGIN")
    login = as_typed(login)
    if github is not None and not is_login(login):
        raise Misunderstood(
            f"GitHub knows you as {login}: nobody can sit under that name here, or another does already"
        )
    if at.position.state.seat(login) is not None:
        raise Misunderstood(f"{login} is a player already")
    refuse_after_the_end(at)
    _refuse_twice(at, login, "join")
    # A game at GitHub is for everybody to read: nobody's e-mail gets into it unasked.
    mine = email or (_own_email(at) if github is None else None)
    called = name if name or github is None else github.name
    player = write_player(login, name=called, surname=surname, email=mine, team=team)
    _refuse_without_surname(at, player)
    draft = Draft({player_path(login): player.source}, f"Let {login} join")
    head = commit(at.clone, draft, player.called, mine or commit_email(at, login), now())
    number = at.forge.propose(login, head, "", now(), draft=False)
    if mine and not email:
        say(f"{mine} (git config user.email) is {login}'s from now on: with it, {login} need not write --as.")
    tell_after(at, number)


def _refuse_without_surname(at: Desk, player: Player) -> None:
    """Raise Misunderstood where turns go by surname and who would join gives none (201)."""
    from nomic_git.game.docket import surname_missing

    reason = surname_missing(at.position.law, player)
    if reason is not None:
        rule = at.position.law.rule(reason.rests_on or "")
        raise Misunderstood(
            f"turns go by surname in this game (rule {rule}); give yours: nomic-git join --surname SURNAME"
        )


def _own_email(at: Desk) -> str | None:
    """Return the e-mail of git's configuration, unless another player is known by it."""
    known = {one.email.lower() for one in at.position.players.values() if one.email}
    return at.email() if at.email().lower() not in known else None


def forfeit(context: typer.Context, login: AsPlayer = None) -> None:
    """Leave the game, which every player may at any time."""
    from nomic_git.game.player import player_path
    from nomic_git.repository.drafting import Draft, commit

    at = writing(context)
    player = at.who(login)
    _refuse_twice(at, player, "forfeit")
    path = next(player_path(one) for one in at.position.players if one.casefold() == player.casefold())
    head = commit(at.clone, Draft({path: None}, f"Let {player} go"), *signature(at, player), now())
    tell_after(at, at.forge.propose(player, head, "", now(), draft=False))


def away(context: typer.Context, login: AsPlayer = None) -> None:
    """Be away for a while, where the rules allow it: no vote of yours is waited for on what is opened meanwhile."""
    _say_away(context, login, away=True)


def back(context: typer.Context, login: AsPlayer = None) -> None:
    """Be back, and vote on what is opened from then on."""
    _say_away(context, login, away=False)


def _say_away(context: typer.Context, login: str | None, *, away: bool) -> None:
    from nomic_git.game.docket import refused_absence
    from nomic_git.game.player import absent, player_path
    from nomic_git.law.rule_change import Absence
    from nomic_git.locales import reason_text
    from nomic_git.repository.drafting import Draft, commit

    at = writing(context)
    player = at.who(login)
    refuse_after_the_end(at)
    for word in ("away", "back"):
        _refuse_twice(at, player, word, "be")
    position = at.position
    seat = position.state.seat(player)
    if seat is not None and seat.is_away is away:
        why = "away already, so there is nothing to do" if away else "not away, so there is nothing to come back from"
        raise Misunderstood(f"{player} is {why}")
    file = absent(position.players[player], away=away)
    refused = refused_absence(position, seat, Absence(player, file.source, away)) if seat is not None else None
    if refused is not None:
        raise Misunderstood(reason_text(refused, position.law))
    draft = Draft({player_path(player): file.source}, f"Note that {player} is {'away' if away else 'back'}")
    head = commit(at.clone, draft, *signature(at, player), now())
    tell_after(at, at.forge.propose(player, head, "", now(), draft=False))


def surname(
    context: typer.Context,
    given: Annotated[str, typer.Argument(metavar="SURNAME", help="What you are sorted by from then on.")],
    login: AsPlayer = None,
) -> None:
    """Give your surname, where turns have come to go by surname and your file has none yet."""
    from nomic_git.game.docket import refused_surname
    from nomic_git.game.player import player_path, surnamed
    from nomic_git.law.rule_change import NewSurname
    from nomic_git.locales import reason_text
    from nomic_git.repository.drafting import Draft, commit

    at = writing(context)
    player = at.who(login)
    refuse_after_the_end(at)
    _refuse_twice(at, player, "surname", "add a")
    position = at.position
    seat = position.state.seat(player)
    file = surnamed(position.players[player], as_typed(given))
    refused = refused_surname(position, seat, NewSurname(player, file.source)) if seat is not None else None
    if refused is not None:
        # Nothing has been proposed, so that there is nothing to withdraw.
        raise Misunderstood(reason_text(refused, position.law).replace(" Withdraw it.", ""))
    draft = Draft({player_path(player): file.source}, f"Seat {player} by surname")
    head = commit(at.clone, draft, *signature(at, player), now())
    tell_after(at, at.forge.propose(player, head, "", now(), draft=False))


def _refuse_twice(at: Desk, login: str, wish: str, doing: str = "") -> None:
    """Raise Misunderstood where somebody who would join or leave has asked for it already."""
    number = asked(at, login, wish)
    if number is not None:
        to, account = f"{doing} {wish}".strip(), account_of(at, number)
        hint = at.next_pass if account.is_due else f"nomic-git tally {number} tells what it waits for"
        raise Misunderstood(f"{login} has asked to {to} already: proposal {number}; {hint}")
