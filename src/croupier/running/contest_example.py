"""The file that `croupier contest init` writes."""

EXAMPLE = """# A contest: who plays, and in which stages. Paths are relative to this file.
#   croupier contest check FILE      names every mistake in it
#   croupier contest plan FILE       shows the fixtures, and how long they will take
#   croupier contest run FILE        plays until it is complete; run it again to go on

title = "Spring Cup"            # also its name in the store
store = "cup.db"                # one file for all that happens; several contests may share it

rules = "plain"                 # a rule set, or a rules file such as "my-rules.toml"
# set = { stack = 20000 }       # single rules, here or in a stage

# seed = "7"                    # for reproduction; without it one is drawn and committed to
# record = "results"            # for bulk play: hands can be played again from the seeds
# forfeit_stacks = 1.0          # what a forfeited match costs, in starting stacks
# disqualified = "keep"         # results against a disqualified team still count; usually "annul"
# admit = "check"               # programs must pass `croupier check` before their first match
# luck = true                   # rates without the luck of the cards; usually if there are programs
# beacon = "lottery of 5 June"  # announced beforehand; its value is given at the start

# Teams that connect by themselves: `croupier contest keys FILE` prints what to join with.
# bind = "0.0.0.0"              # usually only this machine, 127.0.0.1
# arrive_s = 120                # seconds they have to come when they are called
# program_arrive_s = 20         # seconds that a program has to take its seat
# transcripts = "transcripts"   # a folder for everything that goes over each connection
# output = "output"             # a folder for what programs print
# uploads = "versions"         # a folder: teams may upload new versions of their programs
# friendlies = { hands = 200, waiting = 2 }    # teams may ask for matches that count nowhere
# pages = "pages"               # a folder with your own pages for the site, in Markdown
# sandbox = "required"          # programs run in boxes or not at all; usually if possible; or "off"
# arena = "north"               # whose contest it is, where several arenas share a database
# durability = "power"          # survives a power cut, and is slower
# [[listen]]                    # only if a dialect is not to be on its usual port
# dialect = "trend"
# port = 3001

[[team]]
name = "Ada"
bot = "RuleAgent"               # a house bot, or a class of yours: "bots/ada.py:Ada"

[[team]]
name = "Bob"
bot = "TightAggressive"

[[team]]
name = "Cid"
bot = "LoosePassive"

[[team]]
name = "Dan"
bot = "LooseAggressive"

# [[team]]
# name = "Eve"
# run = "python3 eve.py {host} {port} {key}"     # {pid} {name} {seats} are filled in, too
# dialect = "huawei"

# [[team]]
# name = "Fay"
# dialect = "trend"             # connects by itself
# nonce = "any public text"     # enters the deals

# More teams: a CSV file with the columns name, bot, run, dialect, or a folder of programs.
# teams = "teams.csv"
# teams = { folder = "bots", dialect = "huawei" }

[[stage]]
name = "groups"
format = "groups"               # round-robin, swiss, knockout, groups, gauntlet, ladder
groups = 2
seats = 2                       # per table
hands = 200                     # per match
deals = "duplicate"             # the same cards again with the seats exchanged; or "single"
sets = 1                        # how often a fixture is played
# stop = { better = 0.05, same = 10 }    # or until that is shown, and at most `sets`
advance = 2                     # of each group
# fill = ["RuleAgent"]          # house bots for seats that no team takes
# seeding = "draw"              # usually the order of this file, or of the stage before
# score = "rate"                # or points, bankroll, runoff
# start = 2027-03-01T18:00:00   # not before

[[stage]]
name = "final"
format = "knockout"
hands = 500
third_place = true
"""
