"""A headless Chromium that looks at pages of mails as readers see them: how wide they are, whether they can be read."""

import html
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
INSTALL = "apt-get install chromium"
# The first is that of a phone on which everything is enlarged to 200 %.
WIDTHS, TALL_WIDTHS = (195, 1280), (390, 900)
SCHEMES = ("light", "dark")

_MEASURE = """
function numbers(colour) { return colour.match(/[\\d.]+/g).map(Number); }
function light(colour) {
    const [r, g, b] = numbers(colour).slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function ground(view, element) {
    for (let at = element; at; at = at.parentElement) {
        const colour = view.getComputedStyle(at).backgroundColor;
        const parts = numbers(colour);
        if (parts.length < 4 || parts[3] > 0.99) return colour;
    }
    return "rgb(255, 255, 255)";
}
function look(frame) {
    const page = frame.contentDocument, view = frame.contentWindow, root = page.documentElement;
    let least = 21, where = "", words = [];
    const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode, element = node.parentElement;
        if (!node.data.trim()) continue;
        words.push(node.data);
        const a = light(view.getComputedStyle(element).color), b = light(ground(view, element));
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < least) { least = contrast; where = node.data.trim(); }
    }
    return {
        name: frame.dataset.name, width: Number(frame.width), scheme: frame.dataset.scheme, wide: root.scrollWidth,
        tops: [...page.querySelectorAll("h2, .f, .a, img")].map(one => [one.tagName, one.getBoundingClientRect().top]),
        contrast: least, where, ground: ground(view, page.body), scripts: page.scripts.length,
    };
}
window.onload = () => {
    const seen = [...document.querySelectorAll("iframe")].map(look);
    document.body.innerHTML = "<pre id=seen></pre>";
    document.getElementById("seen").textContent = JSON.stringify(seen);
};
"""


@dataclass(frozen=True)
class Look:
    """A page as it is seen at a width and in a colour scheme.

    `wide`: how many pixels its content needs; `tops`: how far down its second headings, failures (B), buttons (A) and
    pictures begin; `contrast`: the least of a text against its ground (WCAG 2.2), and
    `where`; `ground`: the colour of the page.
    """

    name: str
    width: int
    scheme: str
    wide: int
    tops: list[tuple[str, float]]
    contrast: float
    where: str
    ground: str
    scripts: int


def looks(pages: dict[str, str], folder: Path, tall: dict[str, str]) -> list[Look]:
    """Every page at every width, light and dark, and the `tall` ones on a phone and a desk, by one browser."""
    shown = [(*one, width, scheme) for one in pages.items() for width in WIDTHS for scheme in SCHEMES]
    shown += [(*one, width, "light") for one in tall.items() for width in TALL_WIDTHS]
    frames = "\n".join(
        f'<iframe data-name="{name}" data-scheme="{scheme}" width="{width}" height="800" '
        f'style="border:0;color-scheme:{scheme}" srcdoc="{html.escape(page)}"></iframe>'
        for name, page, width, scheme in shown
    )
    harness = folder / "pages.html"
    harness.write_text(f"<!DOCTYPE html><meta charset=utf-8><script>{_MEASURE}</script><body>{frames}</body>")
    command = [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'browser'}",
               "--dump-dom", harness.as_uri()]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr[-2000:]
    seen: list[dict[str, Any]] = json.loads(html.unescape(found[1]))
    return [Look(**one) for one in seen]
