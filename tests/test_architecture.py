"""ARCHITECTURE.md names modules that exist, every package, and a reason for every dependency."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "croupier"
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
LAYERS = PAGE.split("## Layers\n")[1].split("\n## ")[0]
DEPENDENCIES = PAGE.split("## Dependencies\n")[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGES = sorted(
    path.parent.relative_to(SOURCES).as_posix()
    for path in SOURCES.glob("*/**/__init__.py")
    if "dialects/" not in path.parent.as_posix()  # one package per protocol, which is said once
)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"\b(\w+\.py)\b", PAGE))))
def test_every_module_that_is_named_exists(name: str) -> None:
    assert any(SOURCES.rglob(name))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_has_its_place_among_the_layers(package: str) -> None:
    assert re.search(rf"^ +(\w+/ +)?{package.rpartition('/')[2]}/ ", LAYERS, re.M)


@pytest.mark.parametrize(
    "package",
    sorted(
        {
            re.split(r"[^\w-]", requirement)[0]
            for group in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
            for requirement in group
        }
    ),
)
def test_every_dependency_has_its_reason(package: str) -> None:
    assert re.search(rf"\b{package}\b", DEPENDENCIES)
