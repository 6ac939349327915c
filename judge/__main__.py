"""Run the `judge` command as `python -m judge`."""

import sys

from judge.shell.cli import main

sys.exit(main())
