"""Play `huawei` like programs that reckon with floating-point numbers: `raise 60.0`."""

import socket
import sys

host, port, pid = sys.argv[1], int(sys.argv[2]), sys.argv[3]
server = socket.create_connection((host, port))
server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
server.sendall(f"reg: {pid} wild \n".encode())
amount = 60.0
text = ""
asked = 0
while "game-over" not in text:
    data = server.recv(4096)
    if not data:
        break
    text += data.decode("ascii")
    if "/inquire \n" in text:
        text = text.rpartition("/inquire \n")[2]
        asked += 1
        if asked % 2:
            server.sendall(f"raise {amount} \n".encode())
            amount = amount * 1.1 if amount < 500 else 60.0
        else:
            server.sendall(b"call \n")
server.close()
