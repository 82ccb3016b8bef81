"""The server over loopback: how much it referees, beside a bare echo, and how fair its clock is.

- `serve.py`, `echo.py` and `players.py` are processes of their own, `child.py` starts and ends them
- `python -m bench.server` measures in turns and prints; `--quick` is a short look
- `trend.py` is the same for tables of ten in `trend`, with `trend_*.py` as its processes
- `room.py` is the same for rooms of two and of six in `room`, and `--room` measures nothing else
"""
