"""The website: a process of its own that shows what the audience may see."""
