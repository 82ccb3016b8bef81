"""`room`: length-prefixed JSON over TCP, 2 to 10 players, house bots."""
