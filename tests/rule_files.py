"""Files of rules that try what a file may be."""

from nomic_git.law.front_matter import LARGEST_MATTER


def crowded() -> bytes:
    """A front matter that is as long as may be, and longer once each provision stands on a line of its own."""
    sums = ("turns.points", "dissent.points", "defeat.points", "players.admission", "adoption.transmutation")
    sums += ("judgment.overruling", "judgment.consent")
    times = ("votes.deadline", "turns.deadline", "turns.pause")
    relaxation = "adoption.relaxation: {after-circuits: 1,threshold: 1+1}"
    parts = [relaxation, *(f"{key}: votes_for+0" for key in sums), *(f"{key}: 1d" for key in times)]
    matter = f"provisions: {{{','.join(parts)}}}\n#".encode()
    return b"---\n" + matter + b"x" * (LARGEST_MATTER - len(matter) - 1) + b"\n---\nwords\n"
