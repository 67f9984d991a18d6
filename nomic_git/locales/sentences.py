"""The message catalogue: every reason the referee gives, in English, by its key.

The keys are the values of the enums that name the reasons; the words in braces are the facts of the reason.
"""

from __future__ import annotations

from collections.abc import Mapping

RESTS_ON = "(rule {rule})"
RESTS_ON_SEVERAL = "(rules {rules})"
NO_RULE = "(no rule says otherwise)"

CONSULTING = "Only team-mates may consult each other about rule-changes that are yet to be made (rule {rule})."

_AFRESH = (
    "Begin afresh from the tip of the game branch, with one commit (on the web pages: edit the file there, and let "
    "that start a pull request)."
)
_AGAIN = (
    "Make the change again from the tip of the game branch (on the web pages: close this one, open the rule's file as "
    "it is now, and press the pencil)"
)
_TRANSMUTE = (
    "Propose to transmute it first: `nomic-git propose transmute {rule}`, or move its file, unchanged, to "
    "`rules/mutable/` (on the web pages: edit its path)."
)

REASONS: Mapping[str, str] = {
    # What makes a proposal improper, and how to mend it.
    "two-rules": "It changes {count} rule files; one proposal is one rule-change. Make a proposal of each.",
    "beside-the-rule": (
        "It also changes `{path}`; a proposal changes one file and nothing beside it. "
        "Take that file out of the proposal."
    ),
    "immutable-amended": ("Rule {rule} is immutable and cannot be amended. " + _TRANSMUTE),
    "immutable-repealed": ("Rule {rule} is immutable and cannot be repealed. " + _TRANSMUTE),
    "immutable-enacted": (
        "`{path}` would be an immutable rule, and only mutable rules are enacted. Put the file in "
        "`rules/mutable/`; once adopted, the rule can be transmuted."
    ),
    "transmuted-with-changes": (
        "It moves rule {rule} to the other folder and changes it as well. To transmute is to move the file "
        "with not a byte of it changed; amend it in another proposal."
    ),
    "renumbered-by-hand": (
        "It gives rule {rule} another file name, `{path}`, and nothing else. Rules get their numbers from the "
        "proposals that change them; leave the name as it is."
    ),
    "formerly-by-hand": (
        "It writes or changes `formerly` in `{path}`. The referee alone keeps that line; leave it as it is."
    ),
    "kind-not-provided": "In this game no proposal can {kind} a rule; that takes a rule-change of its own first.",
    "not-a-file": "`{path}` is a link or a submodule; a rule is a plain file. Replace it by one.",
    "executable": (
        "`{path}` is marked executable; a rule is a plain file. Clear the mark: chmod -x (on the web pages: delete the "
        "file and add it again)."
    ),
    "wrong-place": (
        "`{path}` is no place for a rule. A rule's file stands directly in `rules/mutable/` or "
        "`rules/immutable/` and its name ends in `.md`; move it there."
    ),
    "same-name": (
        "`{path}` and `{other}` differ only in ways that some file systems cannot tell apart. Choose another name."
    ),
    "unreadable": "`{path}` cannot be read as a rule: `{problem}`. Mend it, and the proposal is read again.",
    "unrelated": f"Its branch has no history in common with the game. {_AFRESH}",
    "several-merge-bases": (
        f"Its branch and the game branch cross more than once, so that nobody can say what it changes. {_AFRESH}"
    ),
    "off-the-game-branch": f"Its branch begins at a commit that is not one of the game branch's own. {_AFRESH}",
    "merged-unadopted": (
        "The game branch contains its branch already, merged by hand or with another proposal, so that nothing of it "
        f"is left to adopt. {_AFRESH}"
    ),
    "another-proposal-inside": (
        f"Its branch contains proposal {{other}}; adopting one would bring in the other unvoted. {_AFRESH}"
    ),
    "touches-workflows": (
        f"A commit of its branch touches `.github/workflows/`, even if a later one takes that back. {_AFRESH}"
    ),
    "too-many-commits": f"Its branch has more than {{most}} commits. {_AFRESH}",
    "too-large": (
        "Its branch brings more than {most} bytes of new objects, or more files, longer paths or longer commit "
        f"messages than are read. {_AFRESH} Leave out what is large."
    ),
    "message-acts": (
        f"A commit message of its branch says `{{words}}`, which a forge would act upon. {_AFRESH} Give that another "
        "message."
    ),
    "message-encoding": (
        f"A commit message of its branch is written in `{{encoding}}`, which is not read here. {_AFRESH} Give that a "
        "message in UTF-8."
    ),
    "seat-of-another": (
        "It changes `{path}`, and its author is {author} in this game. One joins by adding one's own file and leaves "
        "by deleting it; nobody does either for another."
    ),
    "seat-edited": (
        "It edits `{path}`. A player's file is added to join and deleted to forfeit. Of all that is in it, its player "
        "may set, change or take out `away: true` alone, to go away and come back, where the rules allow it, and add "
        "`surname:` alone, where turns go by surname and it gives none."
    ),
    "seat-unreadable": "The player's file cannot be read: `{problem}`. Mend it, and the proposal is read again.",
    # What of a proposal could not be read.
    "branch-unreadable": f"Its branch cannot be read: `{{problem}}`. {_AFRESH}",
    "log-unreadable": (
        "What {login} did on it cannot be read: `{problem}`. Until that log is mended or taken away, nothing is "
        "decided on the proposal."
    ),
    "pull-unreadable": "GitHub does not give all of it. Nothing is decided on the proposal until it does.",
    # What others did to a proposal that its author alone can do, or to a vote that its voter alone can.
    "closed-by-another": "{login} closed it. Only its author can take a proposal back, so it goes on.",
    "reopened-by-another": "{login} reopened it. Its author has taken it back, and only its author can reopen it.",
    "made-draft-by-another": (
        "{login} made it a draft. Only its author can take a proposal back to debate, so it goes on."
    ),
    "made-ready-by-another": (
        "{login} marked it ready for review. When debate ends is for its author to say: make it a draft and mark it "
        "ready again."
    ),
    "pointed-elsewhere-by-another": (
        "{login} pointed it at another branch. Only its author can take it from the game branch, so it goes on."
    ),
    "vote-dismissed-by-another": (
        "{login} dismissed the vote of {voter}. Only its voter can take a vote back, so it counts as it was given."
    ),
    "consulted-out-of-turn": (
        "{players} talked of it before its turn. Only team-mates may consult each other about rule-changes that are "
        "yet to be made; the proposal whose turn it is, is everybody's to debate. Nothing is blocked by this."
    ),
    # How commands in comments are answered.
    "command-heard": "{login} said `{words}`, and the referee has heard it.",
    "command-help": (
        "The commands, each on a line of its own in a comment: `/nomic withdraw` takes one's own proposal back; "
        "`/nomic against` and `/nomic for` are its author's own vote; `/nomic tally` has the referee look again; "
        "`/nomic judgment` and a question invokes judgment; `/nomic ask` and a login names the Judge; `/nomic rule` "
        "and `legal`, `illegal`, `undecided` or words alone is the Judge's ruling, with the reasons behind it; "
        "`/nomic uphold` and `/nomic overrule` answer it; `/nomic consent` lets the game go on meanwhile; "
        "`/nomic help` shows this."
    ),
    "command-not-a-player": "{login} is not a player, and only players give commands.",
    "command-author-alone": "{login} said `{words}`, which only the author of a proposal can.",
    "command-review-instead": (
        "{login} said `{words}`, which is for the author alone. Review the pull request instead: approve it, or "
        "request changes."
    ),
    "command-not-understood": "{login} said `{words}`, which is no command; `/nomic help` lists them.",
    "command-edited-by-another": (
        "Somebody else has changed a comment of {login} with a command in it, so that nobody can say whose it is. "
        "It does not count; give it again in a new comment."
    ),
    # Why what somebody says about a judgment does nothing.
    "judgment-not-a-player": "{player} is not a player, and only players take part in a judgment.",
    "judgment-not-provided": "No rule provides a Judge, so that judgment cannot be invoked.",
    "judgment-open": (
        "Judgment on proposal {proposal} is open, and there is one at a time; invoke the next when that one is over."
    ),
    "judgment-too-early": "Judgment on it can be invoked when its turn has begun: when voting on it opens.",
    "judgment-too-late": "The next turn has begun, and judgment on this one can no longer be invoked.",
    "judgment-no-question": "{player} invoked judgment without a question. Say what the Judge is to decide.",
    "judgment-nobody-can-judge": (
        "Nobody can be the Judge: during a turn, neither the mover, {mover}, nor a team-mate of the mover judges."
    ),
    "judgment-nobody-asks": "The mover, {mover}, has left the game, and nobody else can ask for a Judge.",
    "judgment-none-open": "No judgment is open on it: none was invoked, or it is over.",
    "judgment-elsewhere": "The judgment that is open is on proposal {proposal}; say it there.",
    "judgment-not-chosen": "Nobody asks for a Judge in this game; the player preceding the mover is the Judge.",
    "judgment-has-judge": "{judge} is the Judge; another can be asked only when that Judge has been overruled.",
    "judgment-not-the-asker": "It is for {asker} to ask somebody to be the Judge, not for {player}.",
    "judgment-asked-nobody": "{player} did not say whom to ask. Name the player who is to be the Judge.",
    "judgment-asked-stranger": (
        "`{words}` is not a player here, and only a player can be the Judge. To be asked, by the name of the seat: "
        "{players}."
    ),
    "judgment-asked-mover": "{judge} is the mover, and no player is the Judge during their own turn.",
    "judgment-asked-team-mate": (
        "{judge} is a team-mate of the mover, {mover}, and no player is the Judge during a team-mate's turn."
    ),
    "judgment-asked-again": "{judge} has been the Judge of this question before; ask somebody who has not.",
    "judgment-no-judge-yet": "There is no Judge yet; {asker} is to ask somebody.",
    "judgment-not-the-judge": "{player} is not the Judge and cannot rule; {judge} is the Judge.",
    "judgment-ruled-already": ("{judge} is the Judge and has ruled; that stands unless the other players overrule it."),
    "judgment-no-reasons": (
        "{player} ruled without a word. A ruling is legal, illegal or undecided, with reasons, or it answers in words."
    ),
    "judgment-no-verdict": "The Judge, {judge}, has not ruled yet, so that there is nothing to uphold or overrule.",
    "judgment-own-verdict": "{judge} is the Judge, and it takes another player to uphold the verdict.",
    "judgment-judge-overrules": "{judge} is the Judge, whom only the other players overrule.",
    "judgment-two-players": "With two players there is no overruling, since one of them would do it alone.",
    "judgment-mover-consents": (
        "The question is about the turn of {player}, and it is for the other players to consent to the next one."
    ),
    "judgment-otherwise": "What is recorded of the judgment does not follow from the position before it.",
    # What stands in the way of a proposal that is one.
    "rule-gone": (
        "Rule {rule}, which it would change, is gone meanwhile: it was repealed, or found illegal and undone. Withdraw "
        "it; no turn was taken."
    ),
    "rule-renumbered": (
        f"Rule {{rule}}, which it would change, has been changed meanwhile and is now rule {{now}}. {_AGAIN}; the "
        "votes that belong to another text will not count."
    ),
    "rule-changed": (
        f"Rule {{rule}} is no longer as it was when this proposal was written. {_AGAIN}; the votes that belong to "
        "another text will not count."
    ),
    "nothing-left": (
        "Others have voted on it, and its head now changes neither a rule nor a seat. Give it a rule-change again, or "
        "withdraw it."
    ),
    "cannot-be-adopted": "It cannot be adopted as it stands: `{problem}`. Mend it, and the proposal is read again.",
    "number-taken": "The number {number} has been given before. Withdraw the proposal and make it anew.",
    "forge-refuses": (
        "The votes would adopt it, and the forge will not have what it brings: `{words}`. Make the change again "
        "without that; the referee tries again at each pass."
    ),
    "game-won": "{winner} has won, and the game is over.",
    "given-before-the-vote": (
        "Given before the vote: {votes}. They count when voting opens, if the words are still the same."
    ),
    "conceded": (
        "{author} took it back (closed it, or made it a draft) after others had voted, so that it was defeated with "
        "the votes that stood."
    ),
    "away-then": "Away when voting opened, so that nobody waits for their votes: {players}.",
    "lapsed": "{author} had left the game, and what they had proposed lapsed with that.",
    "left-behind": "Round {round} has begun since, and what was open then was left behind: {again}.",
    "threshold-failed": "What rule {rule} says of the threshold gives nothing here (`{problem}`); the next one holds.",
    "author-not-a-player": (
        "{author} is not a player, and only players propose rule-changes. Join first: add `players/{author}.md`."
    ),
    "author-not-a-person": (
        "{author} is a bot or an account that was deleted. Only people play: it can neither join nor propose "
        "rule-changes."
    ),
    "login-of-another": (
        "{author} is not the player of that login but another account. Only players propose rule-changes; to join, "
        "take another login first."
    ),
    "seated-already": (
        "Its author sits here already, as {player}, whatever the account is called now. Nobody sits twice, and nobody "
        "joins for another. Withdraw it."
    ),
    "not-seated": "{player} is not a player, so there is nothing to forfeit. Withdraw it.",
    "leave-forbidden": (
        "{player} cannot be away in this game: that takes a rule-change first, by which a rule provides "
        "`players.leave: allowed`."
    ),
    "away-already": "{player} is away already, so there is nothing to do. Withdraw it.",
    "not-away": "{player} is not away, so there is nothing to come back from. Withdraw it.",
    "seat-changed": (
        "The file of {player} is not as it was when this was written, and nothing but `{key}` may be edited in it. "
        "Make the change again from the tip of the game branch."
    ),
    "surname-stays": (
        "The file of {player} gives a surname already. It stays as long as {player} plays, so that nobody chooses a "
        "place in the order of turns again and again. Withdraw it."
    ),
    "not-by-surname": "Turns in this game do not go by surname, so nobody needs to give one. Withdraw it.",
    "surname-missing": (
        "Turns in this game go by surname, and the file of {player} gives none. Write it at the head of the file: a "
        "line `---`, a line `surname: ` with the surname, and again a line `---`."
    ),
    "joining-closed": "Nobody may join this game now; that takes a rule-change first.",
    "too-few-mutable-rules": ("Adopting it would leave {count} mutable rules, and there must be at least {least}."),
    "too-many-mutable-rules": (
        "Adopting it would make {count} mutable rules, and there may be at most {most}. That is {over} too many: "
        "repeal as many first, or make them immutable."
    ),
    "points-win-no-more": (
        "Adopting it would leave no number of points that wins, and winning must stay reaching one. Provide "
        "`victory.points`, with whatever number."
    ),
    "nothing-changeable": (
        "Adopting it would leave no rule-change that could be made: of the kinds that there would be, the limits would "
        "allow none. It must always be possible to change the rules."
    ),
    "nothing-adoptable": (
        "Adopting it would leave no way to adopt any rule-change within {circuits} circuits of turns, even if all "
        "{players} players voted for it. It must always be possible to change the rules."
    ),
    "nothing-adoptable-later": (
        "Adopting it would lead to where no rule-change could be adopted any more, even if all {players} players voted "
        "for it. It must always be possible to change the rules."
    ),
    "nothing-adoptable-for-waiting": (
        "Adopting it would have every rule-change wait for more than a year. It must always be possible to change the "
        "rules."
    ),
    # What a proposal waits for.
    "another-proposal-open": "Its author has proposal {other} open; this one's turn comes when that one is over.",
    "too-few-players": "There are fewer than two players, so nothing is voted on. Others can join.",
    "others-away": (
        "So many are away that fewer than two are left to vote, so nothing is voted on. Its turn comes when somebody "
        "is back."
    ),
    "turn-over": (
        "The turn of {author} was over before this could be voted on, and passes on with the referee's next pass. It "
        "is taken up by itself when their turn comes again."
    ),
    "not-your-turn": "It is the turn of {mover}. This one is taken up by itself when the turn of {author} comes.",
    "turn-of-somebody-away": (
        "It is the turn of {mover}, who is away. This one is taken up by itself when the turn of {author} comes."
    ),
    "pause-between-turns": (
        "Between two turns there is a pause, in which judgment on the last can be invoked. This one is taken up by "
        "itself when the pause is over."
    ),
    "kept-by-judgment": (
        "Judgment is open on proposal {other}, and no turn begins while it is, unless the other players consent."
    ),
    "between-turns": (
        "Newcomers come in between turns, and {mover} has begun one. It is taken up by itself when that turn is over."
    ),
    "order-between-turns": (
        "Who sits where changes between turns, and {mover} has begun one. It is taken up by itself when that turn is "
        "over."
    ),
    "found-illegal": (
        "A Judge has found it illegal as it stands. The turn goes on: change what was found illegal "
        "(`nomic-git propose ... --update {proposal}`; at GitHub, push another commit), or withdraw it."
    ),
    # Why a vote is not counted.
    "not-a-player": "not a player",
    "joined-after-voting-opened": "joined after voting opened",
    "given-to-an-earlier-text": "given to an earlier text; vote again on the words as they stand",
    "away-when-voting-opened": "away when voting opened",
    "taken-back": "taken back by its voter",
    "too-late": "cast after the vote was complete",
    "unreadable-log": "what they did here cannot be read, so that no vote of theirs counts",
    "dated-later-than-now": "dated later than now; it counts when that time comes",
}

AGAIN: Mapping[str, str] = {
    # What one does about what was left behind, by the kind of change; a rule-change has none of its own here.
    "join": "join again",
    "forfeit": "forfeit again",
    "away": "say again that you are away",
    "back": "say again that you are back",
    "surname": "give your surname again",
}

SUBJECTS: Mapping[str, str] = {
    "founded": "Found the game",
    "begun": "Begin round {round}",
    "proposed": "Number proposal {proposal}: it is proposal {number} of the rulebook",
    "adopted-enact": "Adopt proposal {number}: enact rule {becomes}",
    "adopted-amend": "Adopt proposal {number}: amend rule {rule}, now rule {becomes}",
    "adopted-repeal": "Adopt proposal {number}: repeal rule {rule}",
    "adopted-transmute": "Adopt proposal {number}: transmute rule {rule}, now rule {becomes}",
    "defeated-enact": "Defeat proposal {number}: enact a rule",
    "defeated-amend": "Defeat proposal {number}: amend rule {rule}",
    "defeated-repeal": "Defeat proposal {number}: repeal rule {rule}",
    "defeated-transmute": "Defeat proposal {number}: transmute rule {rule}",
    "declined": "Decline proposal {proposal}: {player} does not join",
    "withdrawn": "Withdraw proposal {proposal}",
    "joined": "Seat {player}, who joins by proposal {proposal}",
    "forfeited": "Let {player} go, who forfeits by proposal {proposal}",
    "away": "Note that {player} is away, by proposal {proposal}",
    "back": "Note that {player} is back, by proposal {proposal}",
    "surnamed": "Seat {player} by surname, by proposal {proposal}",
    "relaxed": "Relax rule {rule}, as it provides",
    "passed": "Pass on the turn of {player}, who has let it go by",
    "invoked": "Invoke judgment on proposal {proposal}, for {player}",
    "asked": "Ask {judge} to judge proposal {proposal}, for {player}",
    "judged-legal": "Judge proposal {proposal} legal, by {player}",
    "judged-illegal": "Judge proposal {proposal} illegal, by {player}",
    "judged-undecided": "Judge proposal {proposal} undecided, as legal as illegal, by {player}",
    "judged-words": "Answer the question about proposal {proposal}, by {player}",
    "overruled": "Overrule {player} about proposal {proposal}",
    "settled-legal": "Settle that proposal {proposal} is legal",
    "settled-illegal": "Settle that proposal {proposal} is illegal",
    "settled-undecided": "Settle that proposal {proposal} is undecided, as legal as illegal",
    "settled-words": "Settle the question about proposal {proposal}",
    "settled": "Drop the question about proposal {proposal}",
    "voided": "Void proposal {proposal}, which was illegal",
    "won": "Declare {player} the winner",
}

BOTH_NUMBERS = "{proposal} (number {number} of the rulebook)"

NEEDS: Mapping[str, str] = {
    "unanimous": "the votes of all {eligible} who may vote",
    "simple-majority": "more than half of the {eligible} who may vote",
    "fraction": "at least {threshold} of the {eligible} who may vote",
    "expression": "that `{threshold}`, with {eligible} who may vote",
}

ASKS: Mapping[str, str] = {
    "unanimous": "the votes of all",
    "simple-majority": "a simple majority",
    "fraction": "at least {threshold} of the votes",
    "expression": "that `{threshold}`",
}

HAPPENED: Mapping[str, str] = {
    "passed": "The turn of {player} has passed on, since none had begun in time",
    "invoked": "{player} invokes judgment on proposal {proposal}: `{words}`",
    "asked": "{player} asks {judge} to be the Judge of proposal {proposal}",
    "judged-legal": "{player} rules that proposal {proposal} is legal",
    "judged-illegal": "{player} rules that proposal {proposal} is illegal",
    "judged-undecided": "{player} rules that proposal {proposal} is undecided, as legal as illegal",
    "judged-words": "{player} answers the question about proposal {proposal}",
    "overruled": "{supporters} overrule {player}, the Judge of proposal {proposal}",
    "settled-legal": "It is settled that proposal {proposal} is legal",
    "settled-illegal": "It is settled that proposal {proposal} is illegal",
    "settled-undecided": "It is settled that proposal {proposal} is undecided, as legal as illegal",
    "settled-words": "The question about proposal {proposal} is settled",
    "settled": "The question about proposal {proposal} is dropped",
    "won": "{player} has won with {points} points",
    "stalemate": "{player} has won, as the first player who cannot complete a turn",
    "relaxed": "Rule {rule} now asks for {asks}",
}

COUNTDOWNS: Mapping[str, str] = {
    "vote-ends": (
        "The vote ends at {instant}, {left}, whoever has voted {rule}; it waits for {players}. {absent}, and as the "
        "votes stand it is {outcome} then. {look}"
    ),
    "debate-ends": (
        "Nothing ends the vote before {instant}, {left}: until then there is time to debate it {rule}. {look}"
    ),
    "debate-decides": (
        "The vote ends at {instant}, {left}: until then there is time to debate it {rule}. As the votes stand, it is "
        "{outcome} then. {look}"
    ),
    "turn-passes": (
        "The turn of {mover} passes on to {following} at {instant}, {left}, if it has not begun by then {rule}. {look}"
    ),
    "turn-begins": "The next turn can begin at {instant}, {left} {rule}. {look}",
}

LEFT: Mapping[str, str] = {
    "days": "in about {count} days",
    "day": "in about a day",
    "hours": "in about {count} hours",
    "hour": "in about an hour",
    "soon": "within the hour",
}

ABSENT: Mapping[str, str] = {
    "abstain": "A vote not cast by then is an abstention {rule}",
    "against": "A vote not cast by then counts as one against {rule}",
    "for": "A vote not cast by then counts as one for {rule}",
}

WERE_ABSENT: Mapping[str, str] = {
    "abstain": "had not voted in time {deadline}, and that counted as an abstention {rule}",
    "against": "had not voted in time {deadline}, and that counted as a vote against {rule}",
    "for": "had not voted in time {deadline}, and that counted as a vote for {rule}",
}

NOT_IN_TIME = "had not voted in time"

COMPLETED: Mapping[str, str] = {
    "voted": "the vote was complete at {instant} {rule}",
    "deadline": "the vote was over at {instant}, its deadline {rule}",
    "given-up": "its author gave it up at {instant}, after others had voted",
}

LOOKS: Mapping[str, str] = {
    "itself": "The next time the referee looks by itself after that is {instant}.",
    "somebody": "It is carried out when somebody runs `nomic-git referee`, as of that time.",
}

REASONED = "{told}: `{words}`"
MADE_FINAL = "{told}, by {supporters}"
NEXT_JUDGE = "{told}; {judge} is the Judge"

CASES: Mapping[str, str] = {
    # A judgment that is open, and what can be done about it.
    "open-seeks": "Judgment is open on proposal {proposal}: {asker} is to ask a player to be the Judge",
    "open-to-rule": "Judgment is open on proposal {proposal}: {judge} is the Judge, and is to rule",
    "open-ruled": "Judgment is open on proposal {proposal}: {judge} has ruled, and another player can uphold that",
    "open-ruled-or-overruled": (
        "Judgment is open on proposal {proposal}: {judge} has ruled, and the others can uphold or overrule that"
    ),
    "open-asked": "{told} {invoker} invoked it.",
    "open-alone": "Judgment is open on proposal {proposal}, and nobody is left to judge",
    "invoked": "{invoker} invoked judgment and asks: `{question}`",
    "holds-a-vote": "While that is open, the vote goes on and does not end, and no other turn begins",
    "holds-a-turn": "While that is open, the next turn does not begin",
    "seeks-a-judge": "{asker} is to ask a player to be the Judge: {command}",
    "to-rule": "{judge} is the Judge, and is to rule: {command}",
    "uphold": "Any other player can uphold what {judge} ruled, which makes it final: {command}",
    "overrule": "The other players, {players}, can overrule {judge}, which takes {asks}: {command}",
    "nobody-left": "If {judge} is overruled, nobody is left to judge, and the question is undecided",
    "consent": "All but {mover}, who are {players}, can consent that the game goes on, which takes {asks}: {command}",
    "consent-final": "what was ruled is final then",
    "consent-drops": "the question is dropped then",
    "said-so": "so far said by {players}",
    # What Judges did.
    "ruled-legal": "{judge} ruled it legal",
    "ruled-illegal": "{judge} ruled it illegal",
    "ruled-undecided": "{judge} ruled it undecided, as legal as illegal",
    "ruled-words": "{judge} answered",
    "ruled-none": "{judge} was the Judge",
    "for-reasons": "{told}: `{reasons}`",
    "overruled": "{told}; overruled by {players}",
    "left": "{told} and did not rule",
    # How a judgment ended.
    "asked": "{invoker} asked: `{question}`",
    "upheld": "{players} upheld that, and it is final",
    "consented": "{players} consented that the game goes on, and that is final",
    "consented-without": "{players} consented that the game goes on, and the question was dropped",
    "exhausted": "nobody was left who could judge, so that it is undecided",
    "lapsed": "nobody was left who could ask for a Judge, and the question was dropped",
    "dropped": "it was dropped when the proposal, or the game, was over",
    "voided": "The move was illegal and has been taken back",
    "to-be-voided": "The move was illegal and is about to be taken back",
    # What a player has just said together with others.
    "is-for-overruling": "{player} is for overruling {judge}, the Judge of proposal {proposal}",
    "consents": "{player} consents that the game goes on in spite of the question about proposal {proposal}",
}

COMMANDS: Mapping[str, Mapping[str, str]] = {
    "typed": {
        "judgment": "`nomic-git judgment invoke {proposal} QUESTION`",
        "ask": "`nomic-git judgment ask {proposal} LOGIN`",
        "rule": "`nomic-git judgment rule {proposal} legal|illegal|undecided REASONS`, or the answer in words",
        "uphold": "`nomic-git judgment uphold {proposal}`",
        "overrule": "`nomic-git judgment overrule {proposal}`",
        "consent": "`nomic-git judgment consent {proposal}`",
    },
    "commented": {
        "judgment": "`/nomic judgment QUESTION`",
        "ask": "`/nomic ask LOGIN`",
        "rule": "`/nomic rule legal|illegal|undecided REASONS`, or the answer in words",
        "uphold": "`/nomic uphold`",
        "overrule": "`/nomic overrule`",
        "consent": "`/nomic consent`",
    },
}

DIE = "die {die}: {command}"
THROW = "python3 -c 'import hashlib; print(int(hashlib.sha256(b\"{cast}\").hexdigest(), 16) % {faces} + 1)'"

ENDINGS: Mapping[str, str] = {
    "must-vote": "Everybody must vote, and it waits for {players}",
    "must-vote-in-time": "Until the time is up, it waits for {players}, since everybody must vote",
    "all-voted": "The vote ends when everybody has voted; {waiting} still to vote",
    "one-against": "One vote against ends it at once, in defeat",
    "decided": "It is adopted at once with {adopting} more for, and defeated with {defeating} more against",
    "cannot-be-adopted": (
        "As the votes stand it cannot be adopted any more, and it is defeated at once with {defeating} more against"
    ),
    "last-decides": "{last} is the last to vote, and that vote decides",
    "last-against": "{last} is the last to vote; as the other votes stand, it is defeated whatever that vote is",
    "last-for": "{last} is the last to vote; as the other votes stand, it is adopted whatever that vote is",
}

ENDED: Mapping[str, str] = {
    "adopted-enact": "; it is rule {becomes}",
    "adopted-amend": "; rule {rule} is now rule {becomes}",
    "adopted-repeal": "; rule {rule} is gone",
    "adopted-transmute": "; rule {rule} is now rule {becomes}",
    "joined": "; {player} is a player",
    "forfeited": "; {player} has left the game",
    "away": "; {player} is away",
    "back": "; {player} is back",
    "surnamed": "; {player} sits by surname",
    "withdrawn": "; no turn was taken, and there are no points",
    "voided": ", since it was illegal; it was defeated before, and the points of that are taken back",
    "voided-enact": ", since it was illegal; rule {becomes} is gone again",
    "voided-amend": ", since it was illegal; rule {becomes} is rule {rule} again, as it was",
    "voided-repeal": ", since it was illegal; rule {rule} is in force again",
    "voided-transmute": ", since it was illegal; rule {becomes} is rule {rule} again, as it was",
}

STAGES: Mapping[str, str] = {
    "debate": "in debate: a draft, on which no vote counts yet",
    "waiting": "waiting for its turn",
    "voting": "being voted on",
    "blocked": "blocked",
    "improper": "improper: not one lawful rule-change",
    "adopted": "adopted",
    "defeated": "defeated",
    "withdrawn": "withdrawn",
    "voided": "voided",
}

SUMMARIES: Mapping[str, str] = {
    "debate": "in debate: no vote counts yet",
    "waiting": "waiting for its turn",
    "voting": "{supporters} for, {opponents} against, {waiting} still to vote",
    "blocked": "blocked; the comment says what to do",
    "improper": "improper; the comment says how to mend it",
    "adopted": "adopted",
    "defeated": "defeated",
    "withdrawn": "withdrawn",
    "voided": "voided",
}

OVER = "the game is over: {winner} has won"

ADVICE: Mapping[str, str] = {
    "look-again": (
        "A vote that is not shown here within five minutes: comment `/nomic tally`, and the referee looks again."
    ),
}

BY_DIE = "+1 to +6, as a die shows"

CHANGES: Mapping[str, str] = {
    "enact": "enact a rule",
    "amend": "amend rule {rule}",
    "repeal": "repeal rule {rule}",
    "transmute": "transmute rule {rule}",
    "join": "let {author} join",
    "forfeit": "let {author} forfeit",
    "away": "note that {author} is away",
    "back": "note that {author} is back",
    "surname": "seat {author} by surname",
}

NOTICES: Mapping[str, str] = {
    "stale": (f"The rule that it would change is no longer as it was when this was written. {_AGAIN}."),
    "words-alone": (
        "The words of the rule change and its provisions do not. The referee goes by the provisions: make sure "
        "that both still say the same."
    ),
    "provisions-alone": (
        "The provisions of the rule change and its words do not. Players go by the words: make sure that both "
        "still say the same."
    ),
    "void": (
        "As it stands, this rule would be void as soon as it is adopted: it conflicts with immutable rule {rule} over "
        "{keys}, and {why}."
    ),
    "overridden": "As it stands, `{provision}` would have no effect: rule {rule} prevails, {why}.",
}

WHYS: Mapping[str, str] = {
    "default": "no rule provides it",
    "only": "the only rule that provides it",
    "agreed": "the rules that provide it agree",
    "immutable": "an immutable rule prevails over a mutable one",
    "claim": "by what the rules say of their own precedence",
    "number": "by number",
}

IRREGULAR: Mapping[str, str] = {
    # What an event's commit is not, of what the position before it and its trailers lead to.
    "no-founding": "No event founds this game, so there is nothing to replay.",
    "by-hand": "`{path}` was changed by hand; only the referee's events change the game's files.",
    "by-hand-too": "`{path}` and {more} more were changed by hand; only the referee's events change the game's files.",
    "unreadable-trailers": "Its trailers cannot be read: {problem}.",
    "no-position": "The game's files before it cannot be read, so nobody can say what it leads to.",
    "not-a-founding": "It founds the game with files that no founding makes: {problem}.",
    "scores-of-founding": "Its `scores.json` is not that of a game just founded with these rules and players.",
    "game-there-before": "It founds the game over `{path}`, which was there before.",
    "leaves-out": "It leaves out {events} of the game's events, which stand on another parent of it; one is {commit}.",
    "merges-unadopted": "It merges a change of `{path}` that no event adopted.",
    "head-missing": "Its proposal's head, {head}, is not in this clone.",
    "no-account": "It seats {player} without the id of an account, which every joining on GitHub records.",
    "head-is-no-proposal": "Its proposal's head changes nothing of the game's.",
    "parents": "Its parents are not the commit before it and, where it adopts, its proposal's head, and no other.",
    "tree": "`{path}` is not what the position before it and its trailers lead to.",
    "date": "Its date is not the time of its event, {time} by its `scores.json`.",
    "message": "Its message is not the one that the referee writes for this event: {line}",
    "signature": "Its author or committer is not the referee, at the time of the event.",
    "header": "Its header has lines that the referee does not write.",
    "not-in-order": "It was not in order. {reason}",
    "goes-on": "From then on the game's files cannot be read ({problem}); the position before it is kept.",
    # Why an event cannot have happened.
    "after-the-end": "{winner} had won before, and after that nothing happens but that players leave.",
    "no-winner": "It founds the game, which had been founded before, and nobody had won round {round}.",
    "winner-due": "{winner} had won, and that is recorded first.",
    "relaxation-due": "The relaxation of rule {rule} was due, and that is recorded first.",
    "voiding-due": "Proposal {proposal} had been found illegal, and that it is void is recorded first.",
    "not-due": "Nothing had led to it: nothing of the kind was due.",
    "not-the-mover": "It was the turn of {mover}, not of {player}.",
    "resolved-in-judgment": "Judgment was open on proposal {proposal}, and nothing resolves it before that is over.",
    "no-such-judgment": "There was no such judgment on proposal {proposal} to go on with.",
    "deadline-over": "It did not end the vote when its deadline did.",
    "debate-too-short": "It ends the vote before the debate that the law then asked for was over, or says so of none.",
    "not-absent": "Those whom it counts as absent are not those who had not voted, as the law then counted them.",
    "unknown-event": "It records an event, {event}, that this nomic-git cannot replay.",
    "time": "Its date is not one that can follow the event before it.",
    "resolved-before": "Proposal {proposal} had been resolved before.",
    "no-proposal": "It names no proposal.",
    "no-head": "It names no head of its proposal.",
    "not-a-player-then": "{player} was not a player then.",
    "too-few-players-then": "There were fewer than two players, so nothing could be voted on.",
    "no-series": "The law then had no series of numbers to give one from.",
    "no-number": "Its proposal had been given no number, and the law then gave numbers of a series.",
    "no-such-rule": "There was no rule {rule} to change.",
    "head-says-otherwise": "Its proposal's head would change something else.",
    "opened": "It does not say when voting opened, or names an instant at which it cannot have.",
    "no-vote": "{player} is counted and had no vote on it.",
    "voted-twice": "{player} is counted both for and against.",
    "not-adopted": "{supporters} for and {opponents} against of {votes} did not adopt it by the law then.",
    "not-defeated": "{supporters} for and {opponents} against of {votes} did not defeat it by the law then.",
    "trailer": "It says `{key}: {says}`; the position before it leads to {due}.",
    "impossible": "It cannot follow from the position before it: {problem}.",
}
