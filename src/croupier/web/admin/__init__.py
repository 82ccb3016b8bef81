"""An organiser's part of the site: acts at tables, the registry of players, the audit log."""
