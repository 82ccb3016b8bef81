"""The `acpc` dialect."""
