"""The record as the audience may see it: matches, hands, replays, rankings and players."""
