"""docs/acknowledgements.md names all that Croupier rests on."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "acknowledgements.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGES = sorted(
    {
        re.split(r"[^\w-]", requirement)[0]
        for group in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
        for requirement in group
    }
)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_that_croupier_needs_is_named_with_whom_it_is_by(package: str) -> None:
    rows = re.findall(r"^\| ([\w, -]+) \| (.+?) \|", PAGE, re.M)
    assert package in {name for names, _ in rows for name in names.split(", ")}


@pytest.mark.parametrize("dialect", ["huawei", "trend", "room", "kuhn"])
def test_every_protocol_is_named(dialect: str) -> None:
    assert f"[`{dialect}`](protocols/{dialect}.md)" in PAGE


def test_the_readme_leads_there() -> None:
    assert "(docs/acknowledgements.md)" in (ROOT / "README.md").read_text("utf-8")
