"""How far each proposal has come, and what stands in its way (sections 3 and 4)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table import (
    AGAINST,
    FOR,
    amend,
    amend_to,
    enact,
    github,
    join,
    law,
    leave,
    play,
    proposal,
    repeal,
    rule,
    scores,
    seat,
    seated,
    standing,
    told,
    transmute,
    with_seats,
)

from nomic_git.game.docket import Hindrance
from nomic_git.game.event import Event, EventKind
from nomic_git.game.irregularity import Irregularity
from nomic_git.game.limits import Limit
from nomic_git.game.numbers import numbers
from nomic_git.game.player import Account
from nomic_git.game.proposal import Stage
from nomic_git.game.replay import follow
from nomic_git.law.reason import Reason
from nomic_git.law.rule import Status
from nomic_git.law.rule_change import Improper, Impropriety, NoProposal, improper

PLAYERS = ("alice", "bob", "carol")


def reasons(position, one, now: int = 100) -> tuple[Stage, list[str]]:
    found = standing(position, [one], now)[one.forge]
    return found.stage, [str(reason.what) for reason in found.reasons]


def test_what_is_resolved_or_no_proposal_is_not_on_the_docket():
    position = seated(law(), *PLAYERS)
    position = replace(position, state=replace(position.state, resolved=numbers([(1, 2)])))
    proposals = [proposal(2, "alice"), proposal(3, "alice", NoProposal()), proposal(4, "alice")]
    assert list(standing(position, proposals)) == [4]


def test_a_rule_changed_meanwhile_blocks():
    under = github()
    position = seated(under, *PLAYERS)
    unanimous = [("bob", FOR, 2), ("carol", FOR, 2)]
    position, _ = play(position, [proposal(1, "alice", amend(under, -109), *unanimous)])
    position, _ = play(position, [proposal(2, "bob", repeal(under, -108), ("alice", FOR, 3), ("carol", FOR, 3))])
    for change in (amend(under, -109, words="More."), repeal(under, -109), transmute(under, -109)):
        found = standing(position, [proposal(9, "carol", change)])[9]
        assert found.stage is Stage.BLOCKED
        assert [(one.what, one.facts) for one in found.reasons] == [
            (Hindrance.RULE_RENUMBERED, {"rule": -109, "now": 1})
        ]
    assert reasons(position, proposal(9, "carol", repeal(under, -108))) == (Stage.BLOCKED, [Hindrance.RULE_GONE])


def test_a_rule_that_is_not_what_the_proposal_takes_it_for_blocks():
    under = github()
    stale = replace(amend(under, -109), before=b"What it was long ago.\n")
    assert reasons(seated(under, *PLAYERS), proposal(1, "alice", stale)) == (Stage.BLOCKED, [Hindrance.RULE_CHANGED])
    moved = replace(repeal(under, -109), status=Status.IMMUTABLE)
    assert reasons(seated(under, *PLAYERS), proposal(1, "alice", moved)) == (Stage.BLOCKED, [Hindrance.RULE_CHANGED])


@pytest.mark.parametrize("change", [enact(), repeal(law(rule(7)), 7)])
def test_a_number_given_before_blocks_whatever_the_change(change):
    position = seated(law(rule(7), rule(5)), *PLAYERS)
    assert reasons(position, proposal(5, "alice", change)) == (Stage.BLOCKED, [Hindrance.NUMBER_TAKEN])
    assert reasons(position, proposal(6, "alice", change)) == (Stage.VOTING, [])


def test_the_number_of_a_rule_that_is_gone_is_given_all_the_same():
    position = seated(law(rule(5)), *PLAYERS)
    votes = [("bob", FOR, 2), ("carol", FOR, 2)]
    position, events = play(position, [proposal(1, "alice", repeal(position.law, 5), *votes)])
    assert told(events) == ["adopted 1"]
    assert reasons(position, proposal(5, "alice")) == (Stage.BLOCKED, [Hindrance.NUMBER_TAKEN])


def test_limits_are_the_resulting_laws_on_the_resulting_rulebook():
    under = law(rule(-3, "rules.mutable.maximum: 2", status=Status.IMMUTABLE), rule(-2), rule(-1))
    position = seated(under, *PLAYERS)
    assert reasons(position, proposal(1, "alice", enact())) == (Stage.BLOCKED, [Limit.TOO_MANY])
    assert reasons(position, proposal(1, "alice", transmute(under, -3))) == (Stage.BLOCKED, [Limit.TOO_MANY])
    assert reasons(position, proposal(1, "alice", repeal(under, -2))) == (Stage.VOTING, [])

    under = law(rule(-3, "rules.mutable.minimum: 1", status=Status.IMMUTABLE), rule(-2))
    for change in (repeal(under, -2), transmute(under, -2)):
        assert reasons(seated(under, *PLAYERS), proposal(1, "alice", change)) == (Stage.BLOCKED, [Limit.TOO_FEW])

    under = law(rule(-3, "rules.mutable.maximum: 2"), rule(-2))
    lifting = amend(under, -3, "rules.mutable.maximum: 1")
    assert reasons(seated(under, *PLAYERS), proposal(1, "alice", lifting)) == (Stage.BLOCKED, [Limit.TOO_MANY])
    assert reasons(seated(under, *PLAYERS), proposal(1, "alice", repeal(under, -3))) == (Stage.VOTING, [])


def test_a_blocked_proposal_is_not_resolved_and_is_withdrawn_freely():
    under = law(rule(-3, "rules.mutable.minimum: 1", status=Status.IMMUTABLE), rule(-2))
    votes = [("bob", FOR, 2), ("carol", FOR, 2)]
    position = seated(under, *PLAYERS)
    assert play(position, [proposal(1, "alice", repeal(under, -2), *votes)])[1] == []
    position, events = play(position, [proposal(1, "alice", repeal(under, -2), *votes, withdrawn=5)])
    assert told(events) == ["withdrawn 1"]
    assert scores(position) == dict.fromkeys(PLAYERS, 0)
    assert seat(position, "alice").turns == 0


def test_improper_proposals_say_why_and_are_withdrawn_freely():
    position = seated(law(), *PLAYERS)
    bad = Improper((improper(Impropriety.TWO_RULES, count=2),))
    assert reasons(position, proposal(1, "alice", bad, ("bob", AGAINST, 2))) == (
        Stage.IMPROPER,
        [Impropriety.TWO_RULES],
    )
    assert told(play(position, [proposal(1, "alice", bad, ("bob", AGAINST, 2), withdrawn=3)])[1]) == ["withdrawn 1"]
    assert play(position, [proposal(1, "eve", bad, withdrawn=3)])[1] == []


def test_only_players_propose_and_only_players_leave():
    position = seated(law(), *PLAYERS)
    assert reasons(position, proposal(1, "eve")) == (Stage.IMPROPER, [Hindrance.NOT_A_PLAYER])
    assert reasons(position, proposal(1, "eve", leave("eve"))) == (Stage.IMPROPER, [Hindrance.NOT_SEATED])
    assert reasons(position, proposal(1, "alice", join("Alice"))) == (Stage.IMPROPER, [Hindrance.SEATED_ALREADY])
    unreadable = join("eve", b"---\nshoe-size: 43\n---\n")
    assert reasons(position, proposal(1, "eve", unreadable)) == (Stage.IMPROPER, [Hindrance.SEAT_UNREADABLE])
    closed = seated(law("players.joining: closed"), *PLAYERS)
    assert reasons(closed, proposal(1, "eve", join("eve"))) == (Stage.IMPROPER, [Hindrance.JOINING_CLOSED])


BOT, GHOST = Account("dependabot", 5, is_person=False), Account("ghost", None, is_person=True)


@pytest.mark.parametrize("account", [BOT, GHOST], ids=["bot", "deleted"])
@pytest.mark.parametrize("joining", ["open", "vote", "closed"])
def test_only_a_persons_account_may_sit_or_propose(account, joining):
    position = seated(law(f"players.joining: {joining}"), *PLAYERS)
    for change in (join(account.login), enact()):
        asked = proposal(1, account.login, change, account=account)
        found = standing(position, [asked])[1]
        assert (found.stage, [(one.what, one.rests_on) for one in found.reasons]) == (
            Stage.IMPROPER,
            [(Hindrance.NOT_A_PERSON, "players.joining")],
        )
        assert play(position, [asked])[1] == []


def test_the_id_of_whoever_joins_is_recorded_and_written_into_the_file():
    for under, votes in (
        (law("players.joining: open"), ()),
        (law(), [("alice", FOR, 2), ("bob", FOR, 3), ("carol", FOR, 4)]),
    ):
        dave = proposal(1, "Dave", join("Dave", b"Hello.\n"), *votes, account=Account("Dave", 77, is_person=True))
        position, [event] = play(seated(under, *PLAYERS), [dave])
        assert (event.kind, event.player, event.account) == ("joined", "Dave", 77)
        assert position.players["Dave"].source == b"---\nid: 77\n---\nHello.\n"
        assert position.seat_of(77) == "Dave"


def test_a_request_to_join_that_is_declined_records_no_id():
    dave = proposal(
        1, "dave", join("dave"), *((one, AGAINST, 2) for one in PLAYERS), account=Account("dave", 7, is_person=True)
    )
    [event] = play(seated(law(), *PLAYERS), [dave])[1]
    assert (event.kind, event.account) == ("defeated", None)


def test_an_account_that_sits_is_not_seated_twice_whatever_it_is_called_now():
    position = seated(law("players.joining: open"), *PLAYERS)
    first = proposal(1, "dave", join("dave"), account=Account("dave", 77, is_person=True))
    renamed = proposal(2, "david", join("david"), account=Account("david", 77, is_person=True))
    position, events = play(position, [first, renamed])
    assert told(events) == ["joined 1"]
    found = standing(position, [renamed])[2]
    assert [(one.what, one.facts) for one in found.reasons] == [(Hindrance.SEATED_ALREADY, {"player": "dave"})]
    assert (
        reasons(position, proposal(3, "eve", join("eve"), account=Account("eve", 78, is_person=True)))[0]
        is Stage.VOTING
    )


def test_whoever_left_may_come_back_under_another_login_and_sits_once():
    position = with_seats(seated(law("players.joining: open"), *PLAYERS, "dave"), dave={"points": 40})
    account = Account("david", 77, is_person=True)
    proposals = [
        proposal(1, "dave", leave("dave"), ready=5, account=account),
        proposal(2, "david", join("david"), ready=6, account=account),
        proposal(3, "dave", join("dave"), ready=7, account=account),
    ]
    position, events = play(position, proposals)
    assert told(events) == ["forfeited 1", "joined 2"]
    assert (position.seat_of(77), scores(position)["david"]) == ("david", 0)
    assert [one.points for one in position.state.former] == [40]


def test_an_account_with_the_login_of_a_seat_that_is_anothers_proposes_nothing():
    stranger = proposal(1, "alice@99", account=Account("alice", 99, is_person=True))
    assert reasons(seated(law(), *PLAYERS), stranger) == (Stage.IMPROPER, [Hindrance.LOGIN_OF_ANOTHER])


def test_where_joining_is_open_a_request_is_met_at_once():
    position = seated(law("players.joining: open", "players.initial-points: 7"), *PLAYERS)
    asked = proposal(1, "Dave", join("Dave", b"---\nname: Dave\n---\n"), ready=5)
    assert standing(position, [asked])[1].result is None
    position, [event] = play(position, [asked])
    assert (event.kind, event.player, event.time) == ("joined", "Dave", 5)
    assert (seat(position, "dave").points, position.players["Dave"].name) == (7, "Dave")
    assert play(position, [asked])[1] == []


def test_a_request_that_is_withdrawn_seats_nobody():
    for under in (law("players.joining: open"), law("players.joining: vote")):
        for players in (PLAYERS, ("alice",), ()):
            assert play(seated(under, *players), [proposal(1, "dave", join("dave"), withdrawn=5)])[1] == []


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        ([("alice", FOR, 2), ("bob", FOR, 3), ("carol", AGAINST, 4)], "joined"),
        ([("alice", FOR, 2), ("bob", AGAINST, 3), ("carol", AGAINST, 4)], "defeated"),
        ([("alice", FOR, 2), ("bob", FOR, 3), ("dave", FOR, 4)], None),
    ],
)
def test_where_joining_is_put_to_the_vote_the_players_decide(votes, outcome):
    position = seated(law("defeat.points: -10", "turns.points: 5"), *PLAYERS)
    position, events = play(position, [proposal(1, "dave", join("dave"), *votes)])
    assert [one.kind for one in events] == ([outcome] if outcome else [])
    assert sum(scores(position).values()) == 0
    assert (position.state.seat("dave") is not None) == (outcome == "joined")
    assert (1 in position.state.given) is (1 in position.state.resolved)  # the forge gave it, and to nothing else


def test_leaving_takes_everything_that_the_player_had_proposed_along():
    position = with_seats(seated(law("defeat.points: -10"), *PLAYERS), alice={"points": 40})
    proposals = [
        proposal(1, "alice", enact(), ("bob", AGAINST, 2)),
        proposal(2, "alice", enact(), ready=3),
        proposal(3, "alice", enact(), ready=[], submitted=4),
        proposal(4, "ALICE", leave("Alice"), ready=5),
        proposal(5, "bob", enact(), ("alice", FOR, 4)),
    ]
    position, events = play(position, proposals)
    assert told(events) == ["forfeited 4", "withdrawn 1", "withdrawn 2", "withdrawn 3"]
    assert {one.time for one in events} == {5}
    assert events[0].player == "alice"
    assert "alice" not in position.players
    assert scores(position) == {"bob": 0, "carol": 0}
    assert reasons(position, proposal(6, "alice", submitted=6)) == (Stage.IMPROPER, [Hindrance.NOT_A_PLAYER])


def test_coming_back_brings_the_points_back_and_nothing_that_lapsed():
    position = with_seats(seated(law("players.joining: open"), *PLAYERS), alice={"points": 40, "turns": 3})
    proposals = [
        proposal(1, "Alice", join("Alice"), ready=2),
        proposal(2, "alice", enact(), ready=2),
        proposal(3, "alice", leave("alice"), ready=5),
    ]
    assert reasons(position, proposals[0])[0] is Stage.IMPROPER
    position, events = play(position, proposals)
    assert told(events) == ["forfeited 3", "withdrawn 2", "joined 1"]
    back = seat(position, "alice")
    assert (back.login, back.points, back.turns, back.joined) == ("Alice", 40, 3, 5)
    assert position.state.former == ()


def test_a_forfeit_dated_before_what_it_takes_along_takes_it_along():
    """Its number is the higher one, so it was made later, whatever the clock says."""
    position = seated(law("players.joining: open"), *PLAYERS)
    proposals = [
        proposal(1, "alice", enact(), ("bob", AGAINST, 30), ready=20),
        proposal(2, "alice", leave("alice"), ready=5),
        proposal(3, "alice", join("alice"), ready=40),
    ]
    position, events = play(position, proposals)
    assert told(events) == ["forfeited 2", "withdrawn 1", "joined 3"]
    assert [one.time for one in events] == [20, 20, 40]


def test_what_was_proposed_after_leaving_waits_for_the_player_to_come_back_as_a_newcomers_does():
    position = seated(law("players.joining: open"), *PLAYERS)
    late = proposal(2, "alice", enact(), ("bob", FOR, 60), ("carol", FOR, 60), ready=20)
    gone, events = play(position, [proposal(1, "alice", leave("alice"), ready=5), late])
    assert told(events) == ["forfeited 1"]
    assert reasons(gone, late) == (Stage.IMPROPER, [Hindrance.NOT_A_PLAYER])
    assert told(play(gone, [late, proposal(3, "alice", join("alice"), ready=40)])[1]) == ["joined 3", "adopted 2"]


def test_after_a_winner_every_proposal_is_over():
    position = with_seats(seated(github(), *PLAYERS), bob={"points": 200})
    proposals = [
        proposal(1, "alice", enact(), ("bob", FOR, 2), ("carol", FOR, 2)),
        proposal(2, "alice", enact(), ready=3),
        proposal(3, "carol", enact(), ready=[]),
        proposal(4, "zoe", join("zoe")),
    ]
    position, events = play(position, proposals)
    assert [(one.kind, one.player, one.rule) for one in events] == [("won", "bob", -105)]
    for found in standing(position, proposals).values():
        assert (found.stage, [one.what for one in found.reasons]) == (Stage.BLOCKED, [Hindrance.GAME_WON])


def test_a_winner_keeps_nobody_from_leaving():
    position = with_seats(seated(github(), *PLAYERS), bob={"points": 200})
    leaving = [proposal(1, "carol", leave("carol"), ready=30), proposal(2, "bob", leave("bob"), ready=40)]
    draft = proposal(3, "alice", leave("alice"), ready=[])
    position, events = play(position, [*leaving, draft, proposal(4, "alice", enact(), ready=35)])
    assert [(one.kind, one.player, one.time) for one in events] == [
        ("won", "bob", 0),
        ("forfeited", "carol", 30),
        ("forfeited", "bob", 40),
    ]
    assert ([one.login for one in position.state.seats], position.state.winner) == (["alice"], "bob")
    assert [one.points for one in position.state.former] == [0, 200]
    assert standing(position, [draft])[3].stage is Stage.DEBATE


def test_what_was_dated_before_the_winner_is_no_leaving_after():
    position, _ = play(with_seats(seated(github(), *PLAYERS), bob={"points": 200}), [])
    after_all = replace(position, state=replace(position.state, time=50))
    event = Event(EventKind.FORFEITED, 49, proposal=1, player="bob", head=f"{1:040x}")
    assert follow(after_all, event, leave("bob")) == Reason(Irregularity.TIME)
    assert not isinstance(follow(after_all, replace(event, time=50), leave("bob")), Reason)
    assert isinstance(follow(after_all, replace(event, time=50, player="zoe"), leave("zoe")), Reason)


def test_a_change_that_cannot_be_carried_out_blocks_itself_and_nothing_else():
    under = github()
    broken = amend_to(under, -110, b"---\nprovisions: [\n---\n")
    proposals = [proposal(1, "alice", broken), proposal(2, "bob", enact(), ("alice", FOR, 2), ("carol", FOR, 2))]
    found = standing(seated(under, *PLAYERS), proposals)
    assert (found[1].stage, [one.what for one in found[1].reasons]) == (Stage.BLOCKED, [Hindrance.IMPOSSIBLE])
    assert told(play(seated(under, *PLAYERS), proposals)[1]) == ["adopted 2"]
