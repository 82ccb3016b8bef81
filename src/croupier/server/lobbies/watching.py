"""Leads spectators to a game, within the limits of the house."""

from collections.abc import Callable

from croupier.dialects.session import Refusal, RefusalKind
from croupier.server.net.client import Client
from croupier.server.table.game import Game
from croupier.server.table.house import House
from croupier.server.table.spectators import TOO_MANY, Spectators


def watch_game(
    house: House, game: Game, client: Client, on_lost: Callable[[], None] = lambda: None
) -> Refusal | None:
    """Let a spectator watch a game, or return why not."""
    table = game.table
    if table.spectators is None:
        table.spectators = Spectators(game.policy, table.view, game.seating)
    spectators = table.spectators
    if spectators.full:
        return Refusal(RefusalKind.FULL, TOO_MANY)

    def lost() -> None:
        spectators.remove(client)
        house.watchers.discard(client)
        on_lost()

    house.clients.track(client, lost)
    house.watchers.add(client, client.address)
    spectators.add(client)
    return None


def too_many_watchers(house: House, client: Client) -> Refusal | None:
    """Return the refusal of a spectator, if its address or all have enough of them."""
    reason = house.watchers.refusal(client.address, "spectators")
    return Refusal(RefusalKind.FULL, reason) if reason else None
