# Everything runs inside .venv, which the first target that needs it creates from the lock.
PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup demo test format lint bench soak lock clean

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.venv/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

setup: .venv/.ready  ## prepare .venv, with the command at .venv/bin/croupier

demo: setup  ## an arena with bots of every protocol and a website, until Ctrl-C
	$(BIN)/croupier demo

test: setup  ## format, lint, types, layers, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest

format: setup  ## rewrite the sources in the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

soak: setup  ## the long checks: every seven-card hand, any number of hands against the oracle
	$(BIN)/python soak/ranking.py
	$(BIN)/python soak/oracle.py
	$(BIN)/python -m tests.server.crash --points 50

.venv-bench/.ready: requirements-bench.lock
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.lock
	@touch $@

bench: .venv-bench/.ready  ## measure beside other engines and a bare echo (own .venv-bench)
	PYTHONPATH=src:. .venv-bench/bin/python -m bench
	PYTHONPATH=src:. .venv-bench/bin/python -m bench.server
	PYTHONPATH=src:. .venv-bench/bin/python -m bench.server.spectators

lock: setup  ## renew both lock files from pyproject.toml
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra dev -o requirements.lock pyproject.toml
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra bench -o requirements-bench.lock pyproject.toml

clean:  ## remove what the other targets made
	rm -rf .venv .venv-bench .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/results dist
