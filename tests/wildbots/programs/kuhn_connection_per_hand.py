"""Opens a new connection for every hand of Kuhn poker, and closes none of the old ones.

    python kuhn_connection_per_hand.py HOST PORT ID HANDS text|binary

Bets with the king, calls with all but the jack. The exit code is 1 if the server says anything but
what belongs to a hand.
"""

import socket
import struct
import sys

host, port, number, hands, spelling = sys.argv[1:]

SIZES = {b"STKS": 14, b"DEAL": 6, b"CARD": 6, b"SHOW": 6, b"ERRO": 8}
connections = []


def start():
    """Connect and say who plays; return a function that reads a message."""
    connection = socket.create_connection((host, int(port)), timeout=30)
    connections.append(connection)  # it stays open as long as the program runs
    stream = connection.makefile("rb")
    if spelling == "text":
        connection.sendall(f"STRT {number}\n".encode())
        return connection, lambda: stream.readline().replace(b"'", b"").strip()

    def by_count():
        word = stream.read(4)
        return word + stream.read(SIZES.get(word, 4) - 4)

    connection.sendall(b"STRT " + struct.pack(">i", int(number)))
    return connection, by_count


def play_hand(played):
    """Play one hand, up to the stakes after it."""
    connection, next_message = start()
    dealer, card, stakes, checked = False, b"", 0, False
    while True:
        message = next_message()
        word, answer = message[:4], b""
        if word == b"STKS":
            stakes += 1
            if stakes == 2:
                return
            answer = b"ANOK"
        elif word == b"DEAL":
            dealer = message[5:6] == b"1"
        elif word == b"CARD":
            card = message[5:6]
        elif word == b"BET_":
            answer = b"FOLD" if card == b"J" else b"CALL"
        elif word not in (b"CHCK", b"CALL", b"FOLD", b"SHOW"):
            sys.exit(f"after {played} hands: {message!r}")
        opens = word == b"CARD" and not dealer
        if opens or (word == b"CHCK" and dealer and not checked):
            answer = b"BET_" if card == b"K" else b"CHCK"
            checked = True
        if answer:
            connection.sendall(answer + (b"\n" if spelling == "text" else b""))


for played in range(int(hands)):
    play_hand(played)
print(f"{hands} hands")
