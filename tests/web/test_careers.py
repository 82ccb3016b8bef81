"""In which order players are shown."""

from croupier.web.archive.careers import ranked
from croupier.web.archive.schemas import Career


def player(name: str, rate: float, ci95: float | None) -> Career:
    return Career(name, "huawei", "plain", False, 3, 300, rate, ci95, 1)


def order(*players: Career) -> list[str]:
    return [one.name for one in ranked(list(players))]


def test_the_lower_end_of_the_interval_counts_and_not_a_lucky_day() -> None:
    assert order(player("lucky", 900.0, 1000.0), player("good", 50.0, 20.0)) == ["good", "lucky"]


def test_who_has_lost_leads_nobody_who_has_won() -> None:
    assert order(player("loser", -100.0, 50.0), player("winner", 300.0, 600.0)) == [
        "winner",
        "loser",
    ]


def test_who_has_no_interval_yet_comes_last() -> None:
    assert order(player("once", 900.0, None), player("often", -10.0, 5.0)) == ["often", "once"]
