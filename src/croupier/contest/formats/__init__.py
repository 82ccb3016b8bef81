"""The formats of stages: each is a module with one class, and one line in the registry."""
