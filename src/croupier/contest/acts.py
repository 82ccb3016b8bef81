"""What an organiser decides while a contest is running.

An act has a position: the stage and the round that were being played. What was paired before it
stays as it was, what is paired after it knows of it; so the whole course can be computed again from
results and acts, whatever happened since.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from croupier.contest.plan import ContestPlan, Team

WITHDRAW = "withdraw"
DISQUALIFY = "disqualify"
REPLACE = "replace"
ADD = "add"
ADMIT = "admit"
"""Its program has passed the check."""
PAUSE = "pause"
RESUME = "resume"
FORFEIT = "forfeit"
GIVE_UP = "give up"
"""Nothing more is played of the fixture of a match that broke too often."""
BROKEN = "broken"
"""A match broke for reasons of the machine; not an organiser's act, but on the same record."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act, in the order in which they were recorded."""

    kind: str
    team: str = ""
    stage: int = 0
    """The index of the stage that was being played."""
    round: int = 0
    """The last round of it that was known."""
    match: str = ""
    """The match that it is about, by its name."""
    why: str = ""
    entry: Team | None = None
    """How the team plays from now on, if that is what it is about."""


def teams_after(plan: ContestPlan, acts: Iterable[Act]) -> ContestPlan:
    """Return a plan with the teams that were added or replaced."""
    teams = {team.name: team for team in plan.teams}
    for act in acts:
        if act.entry is not None:
            teams[act.team] = act.entry
    return replace(plan, teams=tuple(teams.values()))


def has_left(acts: Iterable[Act], team: str) -> bool:
    """Tell whether a team was withdrawn or disqualified."""
    return any(act.team == team and act.kind in (WITHDRAW, DISQUALIFY) for act in acts)


def is_paused(acts: Iterable[Act]) -> bool:
    """Tell whether no match may be started."""
    switches = [act.kind for act in acts if act.kind in (PAUSE, RESUME)]
    return bool(switches) and switches[-1] == PAUSE
