"""The daemon and the other commands of a judge, forked from a process that has imported them (tests/forked.py)."""

import os
import subprocess
from pathlib import Path
from typing import IO, Any

from judge.demo.process import JudgeFailed, JudgeProcess, environment
from tests.forked import Forked, run_judge


class WarmJudge(JudgeProcess):
    """`JudgeProcess`, forked and prepared (prepared.py); one that is `cold` is started as a keeper would."""

    cold = False
    preparations: tuple[str, ...] = ()

    def __init__(self, config: Path, command: str = "run", log: str = "judge.log") -> None:
        """`command`: what else than the daemon is started, with a log of its own."""
        super().__init__(config)
        self.command = command
        self.log_file = self.config.parent / log

    @property
    def pid(self) -> int:
        return int(self._process.pid)

    def wait_for_end(self, seconds: float = 120) -> int:
        """Its exit status, negative for a signal; raises JudgeFailed if it does not end."""
        try:
            return int(self._process.wait(seconds))
        except subprocess.TimeoutExpired:
            raise JudgeFailed(f"the judge was still running after {seconds:g} s:\n{self.tail()}") from None

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()

    def begin(self, arguments: list[str], log: IO[bytes]) -> Any:
        arguments = [self.command, *arguments[1:]]
        if self.cold:
            return super().begin(arguments, log)
        streams = os.devnull, Path(log.name), Path(log.name)
        return Forked([*self.preparations, *arguments], self.config.parent, streams, environment())

    def ask(self, *arguments: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
        """Another `judge` command on the same settings, run to its end: `ask("status")`."""
        command = [arguments[0], "--config", str(self.config), *arguments[1:]]
        return run_judge(*command, folder=self.config.parent, variables=environment(), seconds=seconds)
