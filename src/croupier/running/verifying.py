"""Verifies a contest from its record alone.

- **commitment**: the seed is the one that was committed to before the first match, and so is the
  beacon that was announced with it.
- **pairings**: every match is one that the format asked for, given the results before it, and its
  teams sat where they should.
- **seeds**: every match was dealt from the seed that follows from its name.
- **matches**: every recorded match verifies, hand by hand, and gives the result that counts; what
  was not played counts as a forfeit does.
- **replays**: where only results were kept, matches between house bots are played again.
- **luck**: what is taken out of rates is the luck of the cards that were dealt; the coefficients
  are part of the commitment.
- **digest**: what identifies the results of the whole contest.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from sqlalchemy import Engine

from croupier.bots import bots_for, house_bot
from croupier.contest.adjusting import unpacked_luck
from croupier.contest.coefficients import text_problem
from croupier.contest.course import Course, StageCourse
from croupier.contest.fixtures import (
    MatchName,
    MatchResult,
    SeatResult,
    matches_of,
    seats_of,
    twin_of,
)
from croupier.contest.luck import LuckTerms
from croupier.contest.plan import HANDS, StagePlan, Team
from croupier.contest.seeds import set_seed
from croupier.deals import SEED_BYTES
from croupier.match.chance import chance_of
from croupier.match.match import Match
from croupier.rules.rules import Rules
from croupier.running import in_process
from croupier.running.luck_account import LuckAccount, LuckySink
from croupier.running.scoring import filling, scored
from croupier.server.table.books import MatchBooks
from croupier.server.table.task import MatchTask, Played, Player, PlayerResult, chance_for
from croupier.store import contests, queries
from croupier.store.contests import ContestRow, StoredResult
from croupier.store.unfinished import states_of
from croupier.store.verify import CheckResult, Verifier


class ContestVerifier:
    """Checks a contest; `checks` are complete when `run` is exhausted."""

    def __init__(self, engine: Engine, contest: ContestRow, noted: str = "") -> None:
        """`noted` is the commitment that somebody wrote down beforehand, if anybody did."""
        self._engine = engine
        self._noted = noted
        self._contest = contest
        self.course: Course = contests.course_of(engine, contest)
        self.results = contests.results(engine, contest.id)
        promised = "the seed is the one promised"
        self._commitment = CheckResult(
            "commitment", f"{promised}, and noted beforehand" if noted else promised
        )
        self._pairings = CheckResult("pairings", "every match is one that the formats asked for")
        self._seeds = CheckResult("seeds", "every match was dealt from the seed of its name")
        self._matches = CheckResult("matches", "every recorded match verifies and gives its result")
        self._replays = CheckResult("replays", "matches of house bots come out the same again")
        self._luck = CheckResult("luck", "the luck of every team is that of the cards")
        self._lucks = 0
        """How many times somebody's luck was computed again."""
        self.checks = [
            self._commitment,
            self._pairings,
            self._seeds,
            self._matches,
            self._replays,
            *([self._luck] if contest.plan.coefficients else []),
        ]

    @property
    def ok(self) -> bool:
        """Whether no check found a problem."""
        return all(check.ok for check in self.checks)

    def run(self) -> Iterator[str]:
        """Run all checks, yielding the name of each match once it is checked."""
        contest = self._contest
        if not contest.is_committed:
            what = "seed and coefficients of luck do" if contest.plan.coefficients else "seed does"
            self._commitment.problems.append(f"the {what} not give the commitment")
        if bool(contest.plan.beacon) != bool(contest.beacon):
            self._commitment.problems.append("a beacon was announced, or used, but not both")
        if self._noted and self._noted != contest.commitment:
            self._commitment.problems.append(
                f"noted was {self._noted}, the contest has {contest.commitment}"
            )
        if contest.plan.coefficients:
            self._luck.skipped = text_problem(contest.plan.coefficients)
        self._check_pairings()
        recorded = replayed = 0
        for stored in self.results:
            if stored.match_id is not None:
                recorded += 1
                self._check_match(stored, stored.match_id)
            elif not stored.digest:
                self._check_forfeit(stored.result)
            elif self.course.plan.record == HANDS:
                self._matches.problems.append(f"{stored.result.name} has no record")
            elif self._is_reproducible(stored.result):
                replayed += 1
                self._replay(stored)
            yield str(stored.result.name)
        if not recorded and self._matches.ok:
            self._matches.skipped = self._seeds.skipped = "only results were kept"
        if contest.plan.coefficients and not self._lucks and not self._luck.skipped:
            self._luck.skipped = "no result that takes it into account can be computed again"
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
        if match.twin != twin_of(name, self._stage(name)):
            self._seeds.problems.append(f"{name} was dealt as match {match.twin + 1} of its set")
        for check in verifier.report.checks:
            self._matches.problems.extend(f"{name}: {problem}" for problem in check.problems[:1])
        if _lasting(match.rules) != _lasting(self._stage(name).rules):
            self._matches.problems.append(f"{name} was played by other rules")
        self._check_result(stored, match)
        # What does not follow from the rules has no luck.
        sound = match.seed is not None and all(check.ok for check in verifier.report.checks)
        if self._stage(name).coefficients and sound and not self._luck.skipped:
            self._check_lucks(stored.result, match)

    def _check_result(self, stored: StoredResult, match: queries.MatchRow) -> None:
        """Check that the record of a match gives the result that counts."""
        result, name = stored.result, stored.result.name
        if match.hands != result.hands:
            self._matches.problems.append(
                f"{name} has {match.hands} hands on record, its result says {result.hands}"
            )
        try:
            played, digest = _books_of(self._engine, match)
        except (ValueError, LookupError, TypeError, AttributeError):
            self._matches.problems.append(f"{name}: its books cannot be read")
            return
        names = [player.name for player in match.players]
        seated = [seat.team for seat in result.seats if seat.team in played]
        filled = filling(self._stage(name), len(result.seats))
        if [*seated, *(player.team for player in filled)] != names:
            self._matches.problems.append(f"{name} is on record as played by {', '.join(names)}")
            return
        if digest != stored.digest:
            self._matches.problems.append(f"{name}: its hands have another digest")
        players = []
        for seat in result.seats:
            # Whoever never came is on no record; what users' bots did wrong is only in the result.
            player = played.get(seat.team, PlayerResult())
            player.faults, player.causes = seat.faults, dict(seat.causes)
            player.forfeit = seat.forfeit
            player.luck = seat.luck  # it is compared elsewhere
            players.append(player)
        self._compare(result, Played(match.hands, players), self._matches)

    def _check_lucks(self, result: MatchResult, match: queries.MatchRow) -> None:
        """Check the luck of all teams of a match on record."""
        account = _account_of(self._engine, match)
        names = [player.name for player in match.players]
        for seat in result.seats:
            if seat.team in names:
                self._check_luck(result.name, seat, account.terms_of(names.index(seat.team)))

    def _check_luck(self, name: MatchName, seat: SeatResult, terms: LuckTerms) -> None:
        """Check the luck of a team; other machines may round it differently."""
        self._lucks += 1
        try:
            kept = unpacked_luck(seat.luck, terms.shape[1])
        except ValueError:
            kept = np.zeros((0, terms.shape[1]))
        if kept.shape != terms.shape or not np.allclose(kept, terms, rtol=1e-5, atol=1e-6):
            self._luck.problems.append(f"{name}: {seat.team} had other luck than its result says")

    def _check_forfeit(self, result: MatchResult) -> None:
        """Check that a match that was not played counts as a forfeit does."""
        if not any(seat.forfeit for seat in result.seats):
            self._matches.problems.append(f"{result.name} has no record")
            return
        players = [PlayerResult(forfeit=seat.forfeit) for seat in result.seats]
        self._compare(result, Played(0, players), self._matches)

    def _compare(self, result: MatchResult, played: Played, check: CheckResult) -> None:
        """Compare a result with what was really played."""
        teams = [seat.team for seat in result.seats]
        stacks = self.course.plan.forfeit_stacks
        real = scored(result.name, teams, self._stage(result.name), played, stacks)
        for seat, expected in zip(result.seats, real.seats, strict=True):
            if seat.chips != expected.chips:
                check.problems.append(
                    f"{result.name}: {seat.team} won {expected.chips:+,}, its result says"
                    f" {seat.chips:+,}"
                )
            elif seat != expected:
                check.problems.append(f"{result.name}: the figures of {seat.team} are others")
        if result.hands != real.hands and played.hands == 0:
            check.problems.append(f"{result.name} counts {result.hands} hands, not {real.hands}")

    def _stage(self, name: MatchName) -> StagePlan:
        return self.course.plan.stage(name.stage)

    def _teams(self, result: MatchResult) -> list[Team]:
        known = self._contest.plan.teams_by_name
        return [known[seat.team] for seat in result.seats if seat.team in known]

    def _is_reproducible(self, result: MatchResult) -> bool:
        rules = self._stage(result.name).rules
        replaced = {act.team for act in self.course.acts if act.entry is not None}
        teams = self._teams(result)
        return len(teams) == len(result.seats) and all(
            team.bot in bots_for(rules) and team.name not in replaced for team in teams
        )

    def _replay(self, stored: StoredResult) -> None:
        result = stored.result
        rules = self._stage(result.name).rules
        seed = set_seed(self._contest.deal_seed, result.name)
        players = (
            *(Player(team.name, team.bot) for team in self._teams(result)),
            *filling(self._stage(result.name), len(result.seats)),
        )
        twin = twin_of(result.name, self._stage(result.name))
        task = MatchTask(
            str(result.name), "", rules, players, seed, False, False, "", "", twin=twin
        )
        chance = chance_for(task)
        bots = {place: house_bot(p.bot, chance.bot(place)) for place, p in enumerate(players)}
        sink: LuckySink | None = None
        account = LuckAccount(rules, chance)
        if self._stage(result.name).coefficients and not self._luck.skipped:
            sink = LuckySink(account, None)
        again = in_process.play(task, bots, sink)
        for number, seat in enumerate(result.seats):
            if sink is not None:
                self._check_luck(result.name, seat, account.terms_of(number))
            again.players[number].luck = seat.luck
        if again.digest != stored.digest or again.hands != result.hands:
            self._replays.problems.append(f"{result.name} comes out differently")
        else:
            self._compare(result, again, self._replays)


def _lasting(rules: Rules) -> Rules:
    """Return rules without what only matters while somebody watches."""
    return replace(rules, countdown_s=0)


def _books_of(engine: Engine, match: queries.MatchRow) -> tuple[dict[str, PlayerResult], str]:
    """Return what each player made of a match on record, and the digest of its hands."""
    seed = match.seed or bytes(SEED_BYTES)
    chance = chance_of(seed, match.twin, match.rules.hands, len(match.players))
    books = MatchBooks(Match(match.rules, len(match.players), chance), chance)
    for state in states_of(engine, match.id):
        books.replay(state)
    played = {player.name: made for player, made in zip(match.players, books.players, strict=True)}
    for seat in (match.result or {}).get("seats", ()):
        if seat["name"] in played:
            played[seat["name"]].rank = seat["rank"]
            played[seat["name"]].survived = seat["hands_survived"]
    return played, books.digest


def _account_of(engine: Engine, match: queries.MatchRow) -> LuckAccount:
    """Return the luck of a match on record that is over."""
    assert match.seed is not None
    chance = chance_of(match.seed, match.twin, match.rules.hands, len(match.players))
    account = LuckAccount(match.rules, chance)
    for row in queries.all_hands(engine, match.id):
        account.add(row.events)
    return account


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
