"""Keeps accounts of every player: reads `winMoney` and `hand` of all in each `__round_end`.

Like the programs it stands for it looks at everybody, also at those who are out, and dies of a key
that is missing. `python FILE PORT NAME ACTION` plays one game and answers every request with the
action; at the end it writes how many rounds it saw, and in how many of them somebody was out.
"""

import json
import sys

from websockets.sync.client import connect

port, name, action = sys.argv[1:4]
won = {}
best = {}
rounds = rounds_with_dead = 0

with connect(f"ws://127.0.0.1:{port}", max_queue=None) as server:
    server.send(json.dumps({"eventName": "__join", "data": {"playerName": name}}))
    for text in server:
        message = json.loads(text)
        event, data = message["eventName"], message["data"]
        if event in ("__action", "__bet"):
            answer = {"eventName": "__action", "data": {"action": action}}
            server.send(json.dumps(answer))
        elif event == "__round_end":
            rounds += 1
            rounds_with_dead += any(not player["isSurvive"] for player in data["players"])
            for player in data["players"]:
                who = player["playerName"]
                won[who] = won.get(who, 0) + player["winMoney"]
                best[who] = max(best.get(who, 0), player["hand"]["rank"])
                assert isinstance(player["hand"]["message"], str)
                assert isinstance(player["hand"]["cards"], list)
        elif event == "__game_over":
            break

print(json.dumps({"rounds": rounds, "rounds_with_dead": rounds_with_dead}))
