"""What a client may say."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Start:
    """The client is this one, and wants to know the stakes."""

    id: int


@dataclass(frozen=True, slots=True)
class Anok:
    """The client puts in its ante: the next hand may begin."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The client goes."""


@dataclass(frozen=True, slots=True)
class Action:
    """The client acts: CHCK, BET_, CALL or FOLD."""

    word: str


@dataclass(frozen=True, slots=True)
class ClientError:
    """The client found an error of ours, whatever it says of it, and is not to be answered."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What the server answers with an error: its code, and what a person may want to know."""

    code: str
    explanation: str


Message = Start | Anok | Quit | Action | ClientError | Wrong
