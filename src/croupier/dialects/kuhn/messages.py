"""The messages that a client may send."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Start:
    """The client identifies itself and asks for the stakes."""

    id: int


@dataclass(frozen=True, slots=True)
class Anok:
    """The client posts its ante: the next hand may begin."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The client leaves."""


@dataclass(frozen=True, slots=True)
class Action:
    """The client acts: CHCK, BET_, CALL or FOLD."""

    word: str


@dataclass(frozen=True, slots=True)
class ClientError:
    """The client reports a server error; its text is ignored, and no answer is sent."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A message that the server answers with an error: its code, and an explanation for people."""

    code: str
    explanation: str


Message = Start | Anok | Quit | Action | ClientError | Wrong
