"""Run all scenarios of a check, several at once where the program accepts a port."""

import asyncio
from collections.abc import Callable, Sequence

from croupier.checker.trial import Trial
from croupier.checker.verdict import Verdict
from croupier.dialects.dialect import Dialect
from croupier.dialects.scenarios import Scenario
from croupier.server.arena.sandbox import Surroundings

DEFAULT_JOBS = 4
"""Scenarios to run at once; they spend most of their time waiting."""


class Check:
    """A program and the scenarios that it has to pass."""

    def __init__(
        self,
        dialect: Dialect,
        port: int,
        command: str,
        scenarios: Sequence[Scenario],
        jobs: int,
        around: Surroundings,
    ) -> None:
        """`jobs` is how many scenarios run at once; with a fixed `port` it is always one."""
        self.running: list[str] = []
        """Names of the scenarios in progress."""
        self._dialect = dialect
        self._port = port
        self._command = command
        self._scenarios = scenarios
        self._around = around
        self._jobs = 1 if port else min(jobs, len(scenarios))
        self._slots = asyncio.Semaphore(self._jobs)

    async def run(
        self,
        tell: Callable[[Verdict], None] = lambda verdict: None,
        changed: Callable[[], None] = lambda: None,
    ) -> list[Verdict]:
        """Return all verdicts; pass each to `tell`, in the scenarios' order, once known.

        `changed` is called whenever `running` changes. Programs that run at once slow each other
        down, so a mistake that this may have caused counts only if it recurs when the program runs
        alone.
        """
        self._changed = changed
        tasks = [asyncio.create_task(self._play(scenario)) for scenario in self._scenarios]
        verdicts = []
        try:
            for scenario, task in zip(self._scenarios, tasks, strict=True):
                verdict, certain = await task
                if not (verdict.ok or certain or self._jobs == 1):
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
        async with self._slots:
            self.running.append(scenario.name)
            self._changed()
            trial = Trial(self._dialect, self._port, self._command, scenario, self._around)
            try:
                verdict = await trial.run()
            finally:
                self.running.remove(scenario.name)
            return verdict, trial.certain
