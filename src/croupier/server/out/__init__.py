"""What leaves the referee: the feed of the website, its process, and metrics."""
