"""The other end of the wire: any bot, in any dialect, at any server that speaks it."""
