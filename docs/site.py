"""What mkdocs needs to build the pages as a site (`hooks` in mkdocs.yml): the pages in the root belong to it too."""

import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
_PAGES = {"README": "index", "CONTRIBUTING": "contributing", "CHANGELOG": "changelog"}
# The page of the site that each file in the root becomes.
FROM_ROOT = {f"{name}.md": f"{page}.md" for name, page in _PAGES.items()}
_BELOW_STEP = re.compile(r"^ {3}(?=\S)", re.M)
_LINK = re.compile(r"(\]\()([^)#\s:]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are kept in the root, where hosts of repositories look for them."""
    for name, page in FROM_ROOT.items():
        text = _LINK.sub(_from_root, (ROOT / name).read_text(encoding="utf-8"))
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let links to the files in the root lead to their pages, and steps be numbered on."""
    # Below a step, hosts of repositories want three blanks, and this builder four, or it numbers the next one as 1.
    markdown = _BELOW_STEP.sub("    ", markdown)
    up = "../" * (len(PurePosixPath(page.file.src_uri).parts) - 1)
    for name, there in FROM_ROOT.items():
        markdown = markdown.replace(f"](../{up}{name}", f"]({up}{there}")
    return markdown


def _from_root(link: re.Match[str]) -> str:
    return link[1] + FROM_ROOT.get(link[2], link[2].removeprefix("docs/"))
