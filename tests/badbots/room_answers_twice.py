"""Answers every question twice."""

from room_player import RoomPlayer


class AnswersTwice(RoomPlayer):
    def answer(self, message: dict) -> None:
        super().answer(message)
        super().answer(message)


AnswersTwice().run()
