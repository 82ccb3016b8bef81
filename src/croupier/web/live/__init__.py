"""What is played now: the referee's feed, the tables it tells of, and those who watch them."""
