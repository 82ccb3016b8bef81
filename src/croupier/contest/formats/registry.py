"""The list of all formats."""

from croupier.contest.formats.base import Format
from croupier.contest.formats.round_robin import RoundRobin

FORMATS: dict[str, Format] = {format.name: format for format in (RoundRobin(),)}
