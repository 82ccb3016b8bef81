"""What the server publishes: the feed of the website, its process, and metrics."""
