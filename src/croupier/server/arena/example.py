"""The example arena: `croupier serve` runs it without a file, `croupier init` writes it."""

EXAMPLE = """\
# A Croupier arena. Run it with: croupier serve arena.toml
# Check it after every change with: croupier check-config arena.toml
# Paths are relative to this file.

bind = "127.0.0.1"          # "0.0.0.0": whoever can reach this machine
store = "croupier.db"       # every hand is recorded here; an interrupted arena resumes from it
durability = "process"      # "power": survives a power cut too, and is slower
audience = "showdown"       # what observers see of hole cards: "showdown", "all", or 5: all, but
                            # five hands late
# arena = "north"            # its name, where several arenas share a database (PostgreSQL)
# site = "https://north.example.org"   # its website's public address, for links from the others'
control = "croupier.sock"   # where `croupier tables`, `start`, `pause`, … reach this arena
output = "programs"         # the output of programs that the arena starts
# proxies = ["10.0.0.5"]     # believed when they say that a visitor of the website speaks HTTPS
sandbox = "auto"            # they run in boxes if possible; "required": not without; or "off"
# admin_token = "…"           # lets an organiser in on the website; without it one is drawn and
                              # printed at each start
# transcripts = "transcripts"  # keeps each player's bytes, with times and every correction
# metrics = 9109               # http://127.0.0.1:9109/metrics for Prometheus

# Where players connect. Each dialect has a usual port.

[[listen]]
dialect = "huawei"
port = 6000
# gap_ms = 0                # no gap between two messages to a player; without it 1 ms

[[listen]]
dialect = "trend"
port = 3000

[[listen]]
dialect = "room"
port = 18888

[[listen]]
dialect = "kuhn"
port = 1212
# spelling = "binary"       # or "text"; without it, as each client spells
# error_text = true         # errors with an explanation

[[listen]]
dialect = "acpc"
port = 16177
# strict = true             # an answer that would be corrected is a fault

# Tables. A match starts when all seats are taken, or wait_s seconds after the minimum of connected
# players is there; free seats then go to the house bots of `fill`, in order.

[[table]]
name = "huawei"
number = 1                  # its number in trend and in the registry
rules = "huawei"            # plain, huawei, trend, room, room2, or a rules file of your own
dialects = ["huawei"]       # who may sit down; without it huawei, trend and room
seats = 4
minimum = 1
wait_s = 10
fill = ["RuleAgent", "CallAgent", "RandomAgent"]
# bots = ["RuleAgent"]      # house bots that are there from the beginning
# set = { hands = 100, decision_ms = 1000 }   # changes single rules
# start = "command"         # starts only with `croupier start huawei`
# repeat = false            # one match only; the next one with `croupier start huawei`
# pids = [1001, 1002]       # only these may sit down
# run = ["python3 bot.py {host} {port} {pid}"]   # programs that are started with each match

[[table]]
name = "trend"
number = 2
rules = "trend"
dialects = ["trend"]
seats = 4
minimum = 1
wait_s = 10
fill = ["RuleAgent", "CallAgent", "RandomAgent"]
# closed = true             # only [[player]]s of this table

[[table]]
name = "acpc"
number = 3
rules = "acpc-nolimit"      # or acpc-limit, acpc-kuhn2, acpc-leduc, … or a definition, FILE.game
dialects = ["acpc"]
seats = 2
minimum = 1
wait_s = 10
fill = ["RuleAgent"]

# A table for bots of every dialect:
#
# [[table]]
# name = "mixed"
# number = 4
# rules = "plain"
# set = { hands = 1000 }
# seats = 6
# minimum = 2

# Players of room name a room when they connect; its first player decides its size and bots.
[rooms]
# set = { decision_ms = 5000 }

# Everyone who comes plays Kuhn poker alone against the house.
[kuhn]
bot = "nash"                # or random, call
# set = { stack = 20 }

# What visitors may take, from one address and in all.
[limits]
# rooms_per_address = 100         # rooms that wait or play
# unfilled_s = 600                # a room that is not full is closed after as many seconds
# bot_matches_per_address = 5     # matches of house bots for a spectator
# bot_share = 5                   # per cent of the time for them while players are deciding

# Players whom you know: their names for others, and their tables.
#
# [[player]]
# display = "Ada"
# table = "trend"
# private_name = "a secret between her and you"   # or token = "its MD5"
#
# [[player]]
# display = "Bob"
# table = "huawei"
# pid = 1001
"""
