"""Nothing is wrong with this one."""

from room_player import RoomPlayer

RoomPlayer().run()
