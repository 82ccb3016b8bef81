"""What is compiled keeps to what makes it fast: see ARCHITECTURE.md."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOOK = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"][
    "targets"
]["wheel"]["hooks"]["mypyc"]
COMPILED = sorted(
    {path for pattern in HOOK["include"] for path in ROOT.glob(pattern.lstrip("/"))}
    - {ROOT / name.lstrip("/") for name in HOOK["exclude"]}
)
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_constants_are_final_since_others_are_looked_up_by_name_at_each_use(path: Path) -> None:
    others = []
    for node in ast.parse(path.read_text("utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if CONSTANT.fullmatch(name):
                others.append(name)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if CONSTANT.fullmatch(
                name
            ) and not ast.unparse(kind).startswith("Final"):
                others.append(name)
    assert not others


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_tuples_say_their_kind_since_those_of_a_known_length_are_copied_at_each_use(
    path: Path,
) -> None:
    bare = [
        ast.unparse(node.target)
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.value, ast.Tuple)
        and ast.unparse(node.annotation) == "Final"
    ]
    assert not bare
