"""Play scenarios with a bot author's program and report its mistakes."""
