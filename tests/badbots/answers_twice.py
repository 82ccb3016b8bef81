"""Answers every question twice."""

from player import Player


class AnswersTwice(Player):
    def answer(self) -> None:
        super().answer()
        super().answer()


AnswersTwice().run()
