"""Plays `trend` until the server closes the connection, as programs do that loop over messages.

python FILE HOST PORT NAME
"""

import json
import sys

from websockets.sync.client import connect

host, port, name = sys.argv[1:4]

with connect(f"ws://{host}:{port}", max_queue=None) as server:
    server.send(json.dumps({"eventName": "__join", "data": {"playerName": name}}))
    for text in server:
        if json.loads(text)["eventName"] in ("__action", "__bet"):
            server.send(json.dumps({"eventName": "__action", "data": {"action": "fold"}}))
