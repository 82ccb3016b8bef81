"""Plays Kuhn poker as the document's dialogue goes: one `recv` for each message that is due.

    python kuhn_one_message_per_recv.py HOST PORT ID HANDS

It checks, and folds to a bet. The exit code is 1 if a `recv` returns anything but one message.
"""

import socket
import sys

host, port, number, hands = sys.argv[1:]
server = socket.create_connection((host, int(port)), timeout=30)


def say(text):
    """Send a command, without waiting for anything."""
    server.send(text.encode() + b"\n")


def hear(*words):
    """Return the one message that is due."""
    message = server.recv(1024).decode()
    if message[:4] not in words or message.count("\n") != 1:
        sys.exit(f"expected one of {words}, read {message!r}")
    return message


say(f"STRT {number}")
hear("STKS")
for _ in range(int(hands)):
    say("ANOK")
    dealer = "1" in hear("DEAL")
    hear("CARD")
    if not dealer:
        say("CHCK")
    if hear("CHCK", "BET_") == "BET_\n":
        say("FOLD")
    else:
        if dealer:
            say("CHCK")
        hear("SHOW")
    hear("STKS")
say("QUIT")
print(f"{hands} hands")
