"""The website: a separate process that shows what the audience may see."""
