"""The `browser` dialect as a value."""

from croupier.dialects.browser.session import BrowserSession
from croupier.dialects.browser.speaker import BrowserSpeaker
from croupier.dialects.browser.words import NAME
from croupier.dialects.dialect import Dialect, Recognised, Transport, no_player_side
from croupier.dialects.roster import Place
from croupier.rules.sets import PLAIN


def _by_token(place: Place) -> tuple[str | None, ...]:
    """Identify a person who comes back by the token in the address of the page."""
    return (place.dialect, place.token)


BROWSER = Dialect(
    name=NAME,
    about="people on the website",
    document="How a person's seat on the site talks to the table.",
    port=0,
    transport=Transport.SITE,
    rule_sets=(PLAIN,),
    human=True,
    first_message="hello",
    session=BrowserSession,
    speaker=lambda roster, listeners, clock: BrowserSpeaker(roster, listeners),
    recognised=Recognised.BY_TOKEN,
    identity=_by_token,
    rejoins=True,
    takes_over=True,
    player=no_player_side,
    address_example="the page of a table, Take a seat",
    key_help="people need none",
)
