"""Connects again when the server is gone, says who it is, and waits to be spoken to.

    python reconnects_when_the_server_was_killed.py HOST PORT NAME VERSION HANDS [QUESTION]

Plays at a prepared table until all hands are played, and ends with 0 then. At that QUESTION it
says `asked` and waits with its answer for the end of its input, so that somebody can kill the
server in the middle of a hand.
"""

import json
import socket
import struct
import sys
import time


def say(message):
    body = json.dumps(message).encode("ascii")
    server.sendall(struct.pack("<i", len(body)) + body)


def hear():
    header = stream.read(4)
    if len(header) < 4:
        raise ConnectionError
    (length,) = struct.unpack("<i", header)
    body = stream.read(length)
    if len(body) < length:
        raise ConnectionError
    return json.loads(body)


def play():
    """Play over one connection; return when the match is over."""
    global played, asked
    say(wish)
    while True:
        message = hear()
        if message["info"] == "error":
            sys.exit(message["text"])
        if message["info"] == "success":
            return
        if message["info"] == "name":
            say({"info": "start"})
        elif message["info"] == "result":
            played += 1
            if first and played == hands:
                return
            say({"info": "start"} if first else {"info": "ready", "status": "start"})
        elif message["action_position"] == message["position"]:
            asked += 1
            if asked == question:
                print("asked", flush=True)
                sys.stdin.read()
            say({"info": "action", "action": message["legal_actions"][1]})


host, port, name, version = sys.argv[1:5]
hands = int(sys.argv[5])
question = int(sys.argv[6]) if len(sys.argv) > 6 else -1
first = version == "1"
wish = {"info": "connect", "room_id": 1, "name": name, "room_number": 3, "bots": []}
if not first:
    wish["game_number"] = hands
played = asked = 0
while True:
    try:
        with socket.create_connection((host, int(port))) as server:
            with server.makefile("rb") as stream:
                play()
        break
    except OSError:
        time.sleep(0.1)
print(played, "hands")
