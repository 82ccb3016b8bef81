"""The values of recorded rounds of the original server, if present, are ours; so are our own."""

import json
import random
from pathlib import Path

import pytest

from croupier.match.chance import SeededChance
from croupier.rules.sets import TREND
from tests.wire import replay_trend
from tests.wire.replay_trend import CHOICES, compare
from tests.wire.trend_game import Game, Reply, message

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "captures" / "trend"
FILES = sorted(RECORDED.glob("*.jsonl"))


@pytest.mark.skipif(not FILES, reason="the recorded traffic of the original server is not here")
def test_recorded_rounds_come_out_with_the_same_values_and_every_choice_is_shown() -> None:
    excused: set[str] = set()
    for path in FILES:
        report = compare(path)
        assert not report.differences, "\n".join(report.differences)
        assert report.values > 100 * sum(report.excused.values())
        excused |= set(report.excused)
    assert excused == CHOICES


def own_recording() -> list[str]:
    """Return the messages of a game of ours, as a recording has them."""
    game = Game(TREND.with_fields({"hands": 12}), ["a", "b", "c", "d"], SeededChance(bytes(32)))
    lines: list[str] = []

    def note(player: int, text: bytes) -> None:
        lines.append(json.dumps({"t": 0, "to": game.names[player], "msg": json.loads(text)}))

    game.on_message = note
    dice = random.Random(1)
    words = ("call", "call", "check", "raise", "bet", "fold", "allin")

    def answer(game: Game, player: int) -> Reply:
        return message(dice.choice(words), amount=dice.randrange(20, 200))

    game.start()
    game.run(answer)
    return lines


def test_a_recording_of_our_own_is_alike_and_one_changed_value_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.jsonl"
    lines = own_recording()
    path.write_text("\n".join(lines))
    report = compare(path)
    assert (report.differences, report.excused, report.rounds) == ([], {}, 12)
    assert report.values > 5000
    for event, old, new in (
        ("__action", '"minBet": 20', '"minBet": 10'),
        ("__show_action", '"totalBet": ', '"totalBet": 1'),
        ("__round_end", '"winMoney": 0', '"winMoney": 1'),
        ("__deal", '"roundName": "Turn"', '"roundName": "River"'),
    ):
        place = next(
            index for index, line in enumerate(lines) if f'"{event}"' in line and old in line
        )
        changed = lines[place].replace(old, new, 1)
        path.write_text("\n".join([*lines[:place], changed, *lines[place + 1 :]]))
        assert compare(path).differences, event
    assert replay_trend.main([str(path)]) == 1
    assert "recorded" in capsys.readouterr().out
