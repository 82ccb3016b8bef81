"""A team's own files: what its program printed, and what went over its connections.

Names of files are made here from the names of matches on record, never taken from a request.
"""

from pathlib import Path
from typing import Literal

from sqlalchemy import Engine

from croupier.dialects.registry import dialect_of
from croupier.dialects.roster import Place
from croupier.history.printable import plain
from croupier.server.arena.programs import program_name
from croupier.server.net.transcript import transcript_name
from croupier.store import friendlies, queries
from croupier.store.contests import StoredResult
from croupier.store.friendlies import OPEN
from croupier.store.queries import UnknownError
from croupier.store.sealing import Seals
from croupier.web.contest.courses import Followed
from croupier.web.http.parameters import Paging
from croupier.web.http.settings import ContestFiles
from croupier.web.teams.schemas import OwnMatch, OwnMatches

OUTPUT: Literal["output"] = "output"
TRANSCRIPT: Literal["transcript"] = "transcript"
KINDS = (OUTPUT, TRANSCRIPT)


class OwnFiles:
    """The files of one team of a contest; all methods block."""

    def __init__(
        self, engine: Engine, followed: Followed, files: ContestFiles | None, team: str
    ) -> None:
        self._engine = engine
        self._followed = followed
        # The site knows the folders of the contest whose file it was started with.
        known = files is not None and files.title == followed.row.title
        self._files = files if known else None
        self._team = team
        self._seals = Seals(engine)

    def page(self, paging: Paging) -> OwnMatches:
        """Return matches that are over, the newest first."""
        played = [one for one in reversed(self._followed.results) if one.result.of(self._team)]
        shown = [one for one in played if not self._is_sealed(one)]
        return OwnMatches(
            items=[self._match(one) for one in paging.cut(shown)],
            page=paging.page,
            pages=paging.pages(len(shown)),
            total=len(shown),
            sealed=len(played) - len(shown),
            transcripts=self._files is not None and self._files.transcripts is not None,
        )

    def path(self, kind: str, name: str) -> Path:
        """Return the file of a kind for a match of the team that is over and not sealed."""
        for one in self._followed.results:
            if str(one.result.name) == name and one.result.of(self._team):
                if self._is_sealed(one):
                    raise UnknownError(f"{name} is sealed until all matches of its set are over")
                found = self._file(kind, name, one.match_id)
                if found is not None:
                    return found
        for friendly in friendlies.of_team(self._engine, self._followed.row.id, self._team):
            if friendly.name == name and friendly.state not in OPEN:
                found = self._file(kind, name, friendly.outcome.match or None)
                if found is not None:
                    return found
        raise UnknownError(f"there is no such file of a match {name!r} of {plain(self._team)}")

    def size(self, kind: str, name: str, match_id: str | None) -> int | None:
        """Return the size of a file of the team; None if there is nothing in it."""
        found = self._file(kind, name, match_id)
        try:
            return None if found is None else found.stat().st_size or None
        except OSError:
            return None

    def _is_sealed(self, one: StoredResult) -> bool:
        return self._seals.holds(self._followed.row.place(one.result.name))

    def _match(self, one: StoredResult) -> OwnMatch:
        own = one.result.of(self._team)
        assert own is not None
        return OwnMatch(
            name=str(one.result.name),
            match=one.match_id,
            ended=one.ended,
            opponents=[plain(seat.team) for seat in one.result.seats if seat.team != self._team],
            forfeit=plain(own.forfeit),
            output=self.size(OUTPUT, str(one.result.name), one.match_id),
            transcript=self.size(TRANSCRIPT, str(one.result.name), one.match_id),
        )

    def _file(self, kind: str, name: str, match_id: str | None) -> Path | None:
        """Return a file of the team, if there is one."""
        found = self._output(name) if kind == OUTPUT else self._transcript(match_id)
        return found if found is not None and found.is_file() else None

    def _output(self, name: str) -> Path | None:
        if self._files is None:
            return None
        return Path(self._files.output) / f"{program_name(name, self._team)}.log"

    def _transcript(self, match_id: str | None) -> Path | None:
        if self._files is None or self._files.transcripts is None or match_id is None:
            return None
        for player in queries.match(self._engine, match_id).players:
            dialect = dialect_of(player.dialect)
            if player.name == self._team and dialect is not None:
                pid = None if player.pid is None else str(player.pid)
                label = dialect.transcript_label(Place(player.name, player.dialect, pid))
                return Path(self._files.transcripts) / transcript_name(match_id, *label)
        return None
