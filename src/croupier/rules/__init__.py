"""The rules of the games as data, and a hand as a state machine that applies them."""
