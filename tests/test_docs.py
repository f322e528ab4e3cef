"""What the README and the docs show works as shown."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page in one language."""
    pattern = rf"^```{language}\n(.*?)^```$"
    return re.findall(pattern, page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    """The blocks of a page run one after the other, as one would type them."""
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), namespace)


def test_the_first_block_of_the_readme_says_what_it_prints():
    """A count stands in a comment beside the call that gives it."""
    namespace: dict[str, object] = {}
    found = 0
    for block in blocks(PAGES[0], "python"):
        exec(block, namespace)
        for expression, expected in re.findall(r"^print\((.*)\) +# (\d+)$", block, re.MULTILINE):
            assert eval(expression, namespace) == int(expected)
            found += 1
    assert found > 0


def test_the_commands_of_the_readme_run(tmp_path):
    """Each line of the list of commands, as it stands there without what is said of it."""
    text = PAGES[0].read_text(encoding="utf-8")
    commands = [
        re.split(r" {3,}", line)[0] for line in re.findall(r"^quincunx .*$", text, re.MULTILINE)
    ]
    assert len(commands) >= 5
    for command in commands:
        words = shlex.split(command)[1:]
        if words[0] == "bench":
            continue  # its figures are no test; test_cli runs it
        result = subprocess.run(
            [sys.executable, "-m", "quincunx", *words],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, (command, result.stderr)


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.name)
def test_commands_of_the_docs_run(page, tmp_path):
    """The shell blocks of a page one after the other, in one shell; those of the README install."""
    script = "\n".join(blocks(page, "sh"))
    shell = f'set -e -o pipefail\nquincunx() {{ "{sys.executable}" -m quincunx "$@"; }}\n'
    result = subprocess.run(
        ["bash", "-c", shell + script],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    """Links to files of the repository."""
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
