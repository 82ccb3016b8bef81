"""Answers every state, whoever is asked."""

from room_player import RoomPlayer


class OutOfTurn(RoomPlayer):
    def state(self, message: dict) -> None:
        self.answer(message)


OutOfTurn().run()
