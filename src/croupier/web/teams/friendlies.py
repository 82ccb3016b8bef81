"""A team asks for friendly matches, answers what others ask for, and sees what came of them.

The site only writes and moves requests: whoever runs the contest plays (`running/friendlies.py`).
"""

from starlette.exceptions import HTTPException

from croupier.contest.friendlies import house_opponents, opponents, problem_of
from croupier.history.printable import plain
from croupier.store import contests, friendlies
from croupier.store.friendlies import (
    ASKED,
    DECLINED,
    OPEN,
    PLAYING,
    WAITING,
    WITHDRAWN,
    Friendly,
    RefusedRequestError,
    State,
)
from croupier.store.places import table_name
from croupier.web.site import Site
from croupier.web.teams.entry import Entered
from croupier.web.teams.logs import OUTPUT, TRANSCRIPT, OwnFiles
from croupier.web.teams.schemas import Act, FriendlyMatch, FriendlyMatches, FriendlyWish

SHOWN = 10

MOVES: dict[Act, tuple[tuple[State, ...], State]] = {
    "accept": ((ASKED,), WAITING),
    "decline": ((ASKED,), DECLINED),
    "withdraw": ((ASKED, WAITING), WITHDRAWN),
}
"""The states in which a team may do something about a match, and the one that follows."""


def listed(site: Site, own: Entered) -> FriendlyMatches:
    """Return whom a team may ask, and its latest friendly matches; this blocks."""
    course, team = own.followed.course, own.team.name
    plan = course.plan.friendlies
    files = OwnFiles(site.engine, own.followed, site.settings.contest, team)
    found = friendlies.of_team(site.engine, own.followed.row.id, team, SHOWN)
    problem = problem_of(course, team)
    return FriendlyMatches(
        problem=plain(problem),
        hands=0 if plan is None else plan.hands,
        waiting=0 if plan is None else plan.waiting,
        teams=[] if problem else [plain(name) for name in _who_can_answer(site, own)],
        house=[] if problem else house_opponents(course),
        items=[_match(site, own, files, one) for one in found],
    )


def ask(site: Site, own: Entered, wish: FriendlyWish) -> FriendlyMatches:
    """Ask for a match; this blocks."""
    course, row = own.followed.course, own.followed.row
    if problem := problem_of(course, own.team.name):
        raise HTTPException(409, problem)
    assert course.plan.friendlies is not None
    if wish.house:
        known = {bot: bot for bot in house_opponents(course)}
    else:
        known = {plain(name): name for name in _who_can_answer(site, own)}
    if wish.opponent not in known:
        raise HTTPException(404, f"{wish.opponent} cannot be asked for a match")
    opponent, most = known[wish.opponent], course.plan.friendlies.waiting
    try:
        friendlies.ask(site.engine, row, own.team.name, opponent, wish.house, most)
    except RefusedRequestError as error:
        raise HTTPException(429, str(error)) from None
    return listed(site, own)


def answer(site: Site, own: Entered, number: int, act: Act) -> FriendlyMatches:
    """Accept or decline what another team asks for, or withdraw what was asked; this blocks."""
    course, team = own.followed.course, own.team.name
    before, after = MOVES[act]
    one = friendlies.find(site.engine, own.followed.row.id, number)
    if one is None or team not in one.teams or (one.team == team) != (after == WITHDRAWN):
        raise HTTPException(404, f"there is no friendly match {number} that you could {act}")
    problem = problem_of(course, *one.teams)
    if problem and after == WAITING:
        raise HTTPException(409, problem)
    if not friendlies.move(site.engine, number, before, after):
        raise HTTPException(409, "it is too late for that: see what became of the match")
    return listed(site, own)


def _who_can_answer(site: Site, own: Entered) -> list[str]:
    """Return the teams that can be asked; one without a key could never answer."""
    keyed = {key.team for key in contests.keys(site.engine, own.followed.row.id)}
    return [name for name in opponents(own.followed.course, own.team.name) if name in keyed]


def _match(site: Site, own: Entered, files: OwnFiles, one: Friendly) -> FriendlyMatch:
    mine = one.team == own.team.name
    opponent = one.opponent if mine else one.team
    table = plain(table_name(own.followed.row.friendly_place(one.number)))
    outcome, over = one.outcome, one.state not in OPEN
    return FriendlyMatch(
        friendly=one.number,
        at=one.at,
        mine=mine,
        opponent=plain(opponent),
        house=one.house,
        state=one.state,
        why=plain(outcome.why),
        match=outcome.match or None,
        hands=outcome.hands,
        chips=outcome.chips.get(own.team.name),
        live=table if one.state == PLAYING and site.is_live(table) else None,
        name=one.name,
        output=files.size(OUTPUT, one.name, None) if over else None,
        transcript=files.size(TRANSCRIPT, one.name, outcome.match or None) if over else None,
    )
