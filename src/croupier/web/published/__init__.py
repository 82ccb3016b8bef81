"""The site of finished contests as files."""
