"""What setup.cfg cannot say: a package is built of the sources of today alone.

`pip install .` copies the sources into build/lib and packs what is there, files of earlier versions too.
"""

import shutil

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildPy(build_py):
    """Begins with an empty build/lib."""

    def run(self) -> None:
        """Copy the sources there."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


setup(cmdclass={"build_py": BuildPy})
