"""A contest's file as data: the plan, and how it is carried out on this machine."""

from dataclasses import dataclass, field
from pathlib import Path

from croupier.contest.plan import ContestPlan
from croupier.deals import seed_from_text
from croupier.server.arena.plan import ListenPlan
from croupier.server.arena.programs import named_in
from croupier.server.arena.sandbox import AUTO, Surroundings


@dataclass(frozen=True, kw_only=True)
class ContestFile:
    """A contest's plan, and how it is carried out on this machine."""

    plan: ContestPlan
    folder: Path
    store: str
    seed: str | None = None
    """For reproduction; None: one is drawn."""
    listen: list[ListenPlan] = field(default_factory=list)
    bind: str = "127.0.0.1"
    arrive_s: float = 120.0
    """Seconds that teams which connect by themselves have to come when they are called."""
    program_arrive_s: float = 20.0
    """Seconds that a program has to take its seat after it was started."""
    admit: bool = False
    """Whether programs are checked before their first match."""
    transcripts: Path | None = None
    output: Path = Path("output")
    pages: Path | None = None
    """A folder with pages of the organiser's own, for the site."""
    uploads: Path | None = None
    """The folder for new versions that teams upload, if they may."""
    durability: str = "process"
    sandbox: str = AUTO
    """Whether programs run in boxes."""
    arena: str = ""
    """The name of the arena that the contest belongs to, where several share a database."""

    @property
    def starts_programs(self) -> bool:
        """Whether there are programs to start, or may be at live tables."""
        teams = self.plan.teams
        live = any(team.connects for team in teams)
        return any(team.command or (live and team.bot and not team.house) for team in teams)

    def surroundings(self, boxed: bool) -> Surroundings:
        """Return what programs find around them."""
        hidden = [self.output] if self.transcripts is None else [self.output, self.transcripts]
        if self.uploads is not None:
            hidden.append(self.uploads)
        if "://" not in self.store:
            hidden.append(Path(self.store))
        hidden += [one.tls.key for one in self.listen if one.tls is not None]
        owned = []
        for team in self.plan.teams:
            owned += named_in(team.command, self.folder)
            if team.bot and not team.house:
                owned.append(self.folder / team.bot.rpartition(":")[0])
        resolved = ([path.resolve() for path in paths] for paths in (hidden, owned))
        return Surroundings(boxed, self.folder.resolve(), *resolved)

    @property
    def seed_bytes(self) -> bytes | None:
        """The seed that the file gives, if it does."""
        return None if self.seed is None else seed_from_text(self.seed)
