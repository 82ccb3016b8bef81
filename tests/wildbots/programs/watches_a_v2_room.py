"""Watches a room of the second version, and dies of any field that is not there.

    python watches_a_v2_room.py HOST PORT ROOM [BOT...]

With bots it lets them play 5 games among themselves. It prints what everyone has won in each hand,
and ends with 0 when the server says goodbye.
"""

import json
import socket
import struct
import sys

host, port, room, *bots = sys.argv[1:]
wish = {"info": "observer", "room_id": room}
if bots:
    wish = {"info": "ai_vs_ai", "room_id": room, "room_number": len(bots), "bots": bots}
    wish["game_number"] = 5
server = socket.create_connection((host, int(port)))
body = json.dumps(wish).encode("ascii")
server.sendall(struct.pack("<i", len(body)) + body)
stream = server.makefile("rb")
print("watching", flush=True)
total = {}
begun = False
while True:
    (length,) = struct.unpack("<i", stream.read(4))
    message = json.loads(stream.read(length))
    if message["info"] == "error":
        sys.exit(message["text"])
    if message["info"] == "success":
        break
    if message["info"] == "state":
        money = {each["name"]: each["money_left"] for each in message["players"]}
        start = {each["name"]: each["total_money"] for each in message["players"]}
        done = [item for street in message["action_history"] for item in street]
        for item in done:
            item["timestamp"][10]
            message["players"][item["position"]]["name"] + item["action"]
        if not begun and done:
            sys.exit("the first hand had begun before")
        begun = True
    else:
        for each in message["players"]:
            assert each["moneyLeft"] == money[each["name"]]
            assert each["totalMoney"] == start[each["name"]]
            total[each["name"]] = total.get(each["name"], 0) + each["win_money"]
        assert [item["action"] for street in message["action_history"] for item in street]
        print("hand", json.dumps(total), flush=True)
