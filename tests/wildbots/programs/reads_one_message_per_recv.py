"""Play `huawei` like many programs of the contest: whatever one `recv` returns is one message.

Of two messages that arrive together it sees the first one only, so that it misses its turn.
"""

import socket
import sys

host, port, pid = sys.argv[1], int(sys.argv[2]), sys.argv[3]
server = socket.create_connection((host, port))
server.sendall(b"reg: %s wild need_notify \n" % pid.encode())
while True:
    message = server.recv(1024)
    if not message or message.startswith(b"game-over"):
        break
    if message.startswith(b"inquire/"):
        server.sendall(b"check \n")
server.close()
