"""Play `huawei` like a careless C program: every message is the same buffer of 1,024 bytes.

An answer is copied into it with a NUL behind, and all of it is sent: `check` after `raise 101` is
`check`, a NUL, `101` and NULs.
"""

import socket
import sys

SIZE = 1024


def put(text: str) -> bytes:
    """Copy a text and its NUL into the buffer, as strcpy does, and return all of it."""
    data = text.encode("ascii") + b"\0"
    buffer[: len(data)] = data
    return bytes(buffer)


host, port, pid = sys.argv[1], int(sys.argv[2]), sys.argv[3]
buffer = bytearray(b"whatever was on the stack \n".ljust(SIZE, b"\xcd"))
server = socket.create_connection((host, port))
server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
server.sendall(put(f"reg: {pid} wild need_notify"))
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
        server.sendall(put("raise 101 \n" if asked % 7 == 0 else "check"))
server.close()
