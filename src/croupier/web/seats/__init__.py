"""Seats for people: between their browsers and the referee, one connection for each."""
