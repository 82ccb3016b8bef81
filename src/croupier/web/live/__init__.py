"""Live tables: the referee's feed, the tables it reports, and their spectators."""
