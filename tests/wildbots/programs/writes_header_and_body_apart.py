"""Writes the length of a frame and its body with two calls, and leaves Nagle's algorithm on.

    python writes_header_and_body_apart.py HOST PORT NAME VERSION HANDS BOT...

Plays in a room of its own against house bots. Ends with 0 after all hands, with 1 after an error.
"""

import json
import socket
import struct
import sys


def say(message):
    body = json.dumps(message).encode("ascii")
    server.sendall(struct.pack("<i", len(body)))
    server.sendall(body)


def read(count):
    data = b""
    while len(data) < count:
        piece = server.recv(count - len(data))
        if not piece:
            sys.exit("the server has closed the connection")
        data += piece
    return data


def hear():
    (length,) = struct.unpack("<i", read(4))
    return json.loads(read(length))


host, port, name, version, hands, *bots = sys.argv[1:]
first = version == "1"
wish = {"info": "connect", "room_id": name, "name": name, "room_number": len(bots) + 1}
wish["bots"] = bots
if not first:
    wish["game_number"] = int(hands)
server = socket.create_connection((host, int(port)))
say(wish)
played = asked = 0
while True:
    message = hear()
    if message["info"] == "error":
        sys.exit(message["text"])
    if message["info"] == "success":
        break
    if message["info"] == "name":
        say({"info": "start"})
    elif message["info"] == "result":
        played += 1
        if first and played == int(hands):
            break
        say({"info": "start"} if first else {"info": "ready", "status": "start"})
    elif message["action_position"] == message["position"]:
        asked += 1
        raises = message["raise_range"] if asked % 5 == 0 else []
        action = f"r{raises[0]}" if raises else message["legal_actions"][1]
        say({"info": "action", "action": action})
print(played, "hands")
