"""What holds for all tests: how many examples hypothesis tries, and which tests run alone."""

import os

from hypothesis import HealthCheck, settings

# Other tests run at the same time, so nothing is learned from how long an example takes.
settings.register_profile(
    "quick", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
# The same examples each time: whoever did not touch the code does not see it fail.
settings.register_profile(
    "ci", settings.get_profile("quick"), derandomize=True, database=None, print_blob=True
)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=1000)

settings.load_profile("ci" if os.environ.get("CI") else "quick")
