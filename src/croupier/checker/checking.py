"""All scenarios of a check, several at once where the program can be told its port."""

import asyncio
from collections.abc import Callable, Sequence

from croupier.checker.trial import Trial
from croupier.checker.verdict import Verdict
from croupier.dialects.dialect import Dialect
from croupier.dialects.scenarios import Scenario

AT_ONCE = 4
"""Scenarios at the same time; most of their time is waiting."""


class Check:
    """A program and the scenarios that it has to get through."""

    def __init__(
        self, dialect: Dialect, port: int, command: str, scenarios: Sequence[Scenario], at_once: int
    ) -> None:
        """`at_once` is how many run at the same time; a port of its own has room for one only."""
        self.running: list[str] = []
        """The scenarios that are being played."""
        self._dialect = dialect
        self._port = port
        self._command = command
        self._scenarios = scenarios
        self._at_once = 1 if port else min(at_once, len(scenarios))
        self._places = asyncio.Semaphore(self._at_once)

    async def run(
        self,
        tell: Callable[[Verdict], None] = lambda verdict: None,
        changed: Callable[[], None] = lambda: None,
    ) -> list[Verdict]:
        """Return all verdicts; each is told, in the scenarios' order, as soon as it is known.

        `changed` is called when something else runs. Programs that run at once take time from each
        other: a fault that may come of it is found only if it comes again when one runs alone.
        """
        self._changed = changed
        tasks = [asyncio.create_task(self._play(scenario)) for scenario in self._scenarios]
        verdicts = []
        try:
            for scenario, task in zip(self._scenarios, tasks, strict=True):
                verdict, certain = await task
                if not (verdict.ok or certain or self._at_once == 1):
                    await asyncio.gather(*tasks)
                    verdict, _ = await self._play(scenario)
                verdicts.append(verdict)
                tell(verdict)
                changed()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return verdicts

    async def _play(self, scenario: Scenario) -> tuple[Verdict, bool]:
        async with self._places:
            self.running.append(scenario.name)
            self._changed()
            trial = Trial(self._dialect, self._port, self._command, scenario)
            try:
                verdict = await trial.run()
            finally:
                self.running.remove(scenario.name)
            return verdict, trial.certain
