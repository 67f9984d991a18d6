"""The plot of docs/simulation.md. Needs matplotlib, which the extra `benchmarks` brings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

from benchmarks.playing import MOST_TURNS
from benchmarks.simulation import KINDS, NEVER, rate

if TYPE_CHECKING:
    from benchmarks.simulation import Record

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
"""Four that everybody can tell apart (Okabe and Ito)."""

LINES = ("-", "--", "-.", ":")

SETTINGS: Any = {
    "svg.hashsalt": "nomic-git",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
"""With these, and without a date, the same figures give the same bytes."""


def draw(found: Mapping[str, Sequence[Record]], path: Path) -> None:
    """Draw how long the games of each rulebook are, by how much they are won, and what is adopted, into an SVG."""
    with mpl.rc_context(SETTINGS):
        from matplotlib.figure import Figure

        figure = Figure(figsize=(10, 3.4), layout="constrained")
        lengths, margins, rates = figure.subplots(1, 3)
        _draw_lengths(lengths, found)
        _draw_margins(margins, found)
        _draw_rates(rates, found)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _draw_lengths(axes: Any, found: Mapping[str, Sequence[Record]]) -> None:
    for (name, games), colour, line in zip(found.items(), COLOURS, LINES, strict=False):
        turns = range(MOST_TURNS + 1)
        ended = sorted(one.turns for one in games if one.end != NEVER)
        left = [100 - 100 * bisect_right(ended, at) / len(games) for at in turns]
        axes.plot(turns, left, line, color=colour, label=name)
    axes.set(title="Games still going on", xlabel="turns", ylabel="% of the games", xlim=(0, MOST_TURNS), ylim=(0, 100))
    axes.legend(frameon=False)


def _draw_margins(axes: Any, found: Mapping[str, Sequence[Record]]) -> None:
    margins = [[one.margin for one in games if one.margin is not None] for games in found.values()]
    drawn = axes.boxplot(margins, showfliers=False, patch_artist=True, medianprops={"color": "black"})
    for box, colour in zip(drawn["boxes"], COLOURS, strict=False):
        box.set(facecolor=colour, alpha=0.6)
    axes.set(title="Winner's margin", ylabel="points over the second")
    axes.set_xticks(range(1, 1 + len(found)), found, rotation=20)
    axes.set_ylim(bottom=0)


def _draw_rates(axes: Any, found: Mapping[str, Sequence[Record]]) -> None:
    width = 0.8 / len(found)
    for at, ((name, games), colour) in enumerate(zip(found.items(), COLOURS, strict=False)):
        shares = [100 * adopted / max(voted, 1) for adopted, voted in (rate(games, [kind]) for kind in KINDS)]
        places = [kind + (at - (len(found) - 1) / 2) * width for kind in range(len(KINDS))]
        axes.bar(places, shares, width, color=colour, label=name)
    axes.set(title="Proposals adopted", ylabel="% of those voted on", ylim=(0, 100))
    axes.set_xticks(range(len(KINDS)), KINDS)
