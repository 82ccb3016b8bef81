"""The organiser's part of the site: commands to tables, the registry of players, the audit log."""
