"""Never answers."""

from player import Player


class Silent(Player):
    def answer(self) -> None:
        pass


Silent().run()
