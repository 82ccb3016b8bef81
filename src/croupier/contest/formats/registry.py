"""The list of all formats."""

from croupier.contest.formats.base import Format
from croupier.contest.formats.gauntlet import Gauntlet
from croupier.contest.formats.groups import Groups
from croupier.contest.formats.knockout import Knockout
from croupier.contest.formats.ladder import Ladder
from croupier.contest.formats.round_robin import RoundRobin
from croupier.contest.formats.swiss import Swiss

FORMATS: dict[str, Format] = {
    format.name: format
    for format in (RoundRobin(), Swiss(), Knockout(), Groups(), Gauntlet(), Ladder())
}
