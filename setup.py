"""What setup.cfg cannot say: a package is built of the sources of today alone, and described by README.md.

`pip install .` copies the sources into build/lib and packs what is there, files of earlier versions too.
"""

import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

# What a package index cannot show or follow: comments, pictures, and links to other files.
_NOTES = re.compile(r"^(?:<!--.*-->|!\[.*\))\n\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\((?!http)[^)]*\)")


class BuildPy(build_py):
    """Begins with an empty build/lib."""

    def run(self) -> None:
        """Copy the sources there."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


readme = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
setup(cmdclass={"build_py": BuildPy}, long_description=_LINK.sub(r"\1", _NOTES.sub("", readme)))
