"""What is on record: matches, hands, replays, rankings and players, as far as they may be seen."""
