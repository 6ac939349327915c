"""`python -m judge` is the `judge` command."""

import sys

from judge.shell.cli import main

sys.exit(main())
