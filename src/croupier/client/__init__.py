"""The client side: run any bot, in any dialect, against any server that speaks it."""
