"""Verifies a contest from its record alone.

- **commitment**: the seed is the one that was committed to before the first match.
- **pairings**: every match is one that the format asked for, given the results before it, and its
  teams sat where they should.
- **seeds**: every match was dealt from the seed that follows from its name.
- **matches**: every recorded match verifies, hand by hand, and gives the result that counts.
- **replays**: where only results were kept, matches between house bots are played again.
- **digest**: what identifies the results of the whole contest.
"""

from collections.abc import Iterator
from hashlib import sha256

from sqlalchemy import Engine

from croupier.bots import bots_for, house_bot
from croupier.contest.course import Course, StageCourse
from croupier.contest.fixtures import MatchName, MatchResult, matches_of, seats_of
from croupier.contest.plan import Team
from croupier.contest.seeds import set_seed
from croupier.match.chance import SeededChance
from croupier.running import in_process
from croupier.server.table.task import MatchTask, Player
from croupier.store import contests, queries
from croupier.store.contests import ContestRow, StoredResult
from croupier.store.verify import CheckResult, Verifier


class ContestVerifier:
    """Checks a contest; `checks` are complete when `run` is exhausted."""

    def __init__(self, engine: Engine, contest: ContestRow) -> None:
        self._engine = engine
        self._contest = contest
        self.course: Course = contests.course_of(engine, contest)
        self.results = contests.results(engine, contest.id)
        self._commitment = CheckResult("commitment", "the seed is the one promised")
        self._pairings = CheckResult("pairings", "every match is one that the formats asked for")
        self._seeds = CheckResult("seeds", "every match was dealt from the seed of its name")
        self._matches = CheckResult("matches", "every recorded match verifies and gives its result")
        self._replays = CheckResult("replays", "matches of house bots come out the same again")
        self.checks = [
            self._commitment,
            self._pairings,
            self._seeds,
            self._matches,
            self._replays,
        ]

    @property
    def ok(self) -> bool:
        """Whether no check found a problem."""
        return all(check.ok for check in self.checks)

    def run(self) -> Iterator[str]:
        """Run all checks, yielding the name of each match once it is checked."""
        contest = self._contest
        if sha256(contest.salt + contest.seed).hexdigest() != contest.commitment:
            self._commitment.problems.append("the seed does not give the commitment")
        self._check_pairings()
        recorded = replayed = 0
        for stored in self.results:
            name = stored.result.name
            if stored.match_id is not None:
                recorded += 1
                self._check_match(stored, stored.match_id)
            elif stored.digest and self._is_reproducible(stored.result):
                replayed += 1
                self._replay(stored)
            yield str(name)
        if not recorded:
            self._matches.skipped = self._seeds.skipped = "only results were kept"
        if not replayed:
            self._replays.skipped = (
                "the hands are on record"
                if recorded
                else "there is nothing that can be played again without its program"
            )

    def _check_pairings(self) -> None:
        seats: dict[MatchName, tuple[str, ...]] = {}
        for stage in self.course.stages:
            seats |= _seats_in(stage)
        for stored in self.results:
            result = stored.result
            teams = tuple(seat.team for seat in result.seats)
            asked = seats.get(result.name)
            if asked is None:
                self._pairings.problems.append(f"{result.name} was not asked for")
            elif not _is_part_of(teams, asked):
                self._pairings.problems.append(
                    f"{result.name} was played by {', '.join(teams)}, not by {', '.join(asked)}"
                )

    def _check_match(self, stored: StoredResult, match_id: str) -> None:
        name = stored.result.name
        try:
            match = queries.match(self._engine, match_id)
            verifier = Verifier(self._engine, match_id)
            for _ in verifier.run():
                pass
        except (queries.UnknownError, queries.RecordError) as error:
            self._matches.problems.append(f"{name}: {error}")
            return
        if match.seed != set_seed(self._contest.deal_seed, name):
            self._seeds.problems.append(f"{name} was dealt from another seed")
        for check in verifier.report.checks:
            self._matches.problems.extend(f"{name}: {problem}" for problem in check.problems[:1])
        stage = self.course.plan.stage(name.stage)
        if match.rules.stack != stage.rules.stack or match.rules.game != stage.rules.game:
            self._matches.problems.append(f"{name} was played by other rules")
        if match.hands != stored.result.hands:
            self._matches.problems.append(
                f"{name} has {match.hands} hands on record, its result says {stored.result.hands}"
            )
        self._check_chips(stored.result, match)

    def _check_chips(self, result: MatchResult, match: queries.MatchRow) -> None:
        rules = match.rules
        books = {} if match.state is None else {p.name: p for p in match.state.players}
        for seat in result.seats:
            player = books.get(seat.team)
            if player is None or seat.forfeit:
                continue  # a forfeit is charged by the contest's own rule
            won = player.chips - rules.stack * (1 + player.reloads) - rules.reserve
            if won != seat.chips:
                self._matches.problems.append(
                    f"{result.name}: {seat.team} won {won:+,}, its result says {seat.chips:+,}"
                )

    def _teams(self, result: MatchResult) -> list[Team]:
        known = self._contest.plan.teams_by_name
        return [known[seat.team] for seat in result.seats if seat.team in known]

    def _is_reproducible(self, result: MatchResult) -> bool:
        rules = self.course.plan.stage(result.name.stage).rules
        replaced = {act.team for act in self.course.acts if act.entry is not None}
        teams = self._teams(result)
        return len(teams) == len(result.seats) and all(
            team.bot in bots_for(rules) and team.name not in replaced for team in teams
        )

    def _replay(self, stored: StoredResult) -> None:
        result = stored.result
        rules = self.course.plan.stage(result.name.stage).rules
        seed = set_seed(self._contest.deal_seed, result.name)
        players = tuple(Player(team.name, team.bot) for team in self._teams(result))
        task = MatchTask(str(result.name), "", rules, players, seed, False, False, "", "")
        chance = SeededChance(seed)
        bots = {place: house_bot(p.bot, chance.bot(place)) for place, p in enumerate(players)}
        if in_process.play(task, bots).digest != stored.digest:
            self._replays.problems.append(f"{result.name} comes out differently")


def _seats_in(stage: StageCourse) -> dict[MatchName, tuple[str, ...]]:
    return {
        name: seats_of(fixture.teams, name)
        for fixture in stage.schedule.fixtures
        for name in matches_of(fixture, stage.plan)
    }


def _is_part_of(teams: tuple[str, ...], asked: tuple[str, ...]) -> bool:
    """Tell whether teams sat as asked; who was withdrawn meanwhile is missing."""
    if len(teams) == len(asked):
        return teams == asked
    return set(teams) < set(asked)
