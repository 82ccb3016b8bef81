"""The running server: sockets, lobbies, tables, and the arena that holds them."""
