"""The part of the site about contests: standings, crosstables, brackets, fixtures, teams."""
