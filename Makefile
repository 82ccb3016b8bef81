# Everything runs inside .venv, which the first target that needs it creates from the locks:
# what runs from requirements.lock, what checks it from requirements-dev.lock on top.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

.DEFAULT_GOAL := help
.PHONY: help setup dev demo test format lint bench soak lock clean

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.venv/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

.venv/.ready-dev: .venv/.ready requirements-dev.lock
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

setup: .venv/.ready  ## prepare .venv, with the command at .venv/bin/croupier

dev: .venv/.ready-dev  ## add to .venv what the checks and tests need

demo: setup  ## an arena with bots of every protocol and a website, until Ctrl-C
	$(BIN)/croupier demo

test: dev  ## format, lint, types, layers, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest

format: dev  ## rewrite the sources in the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

soak: dev  ## the long checks: every seven-card hand, any number of hands against the oracle
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

lock: setup  ## renew the lock files from pyproject.toml
	$(PIP) uv
	$(LOCK) --extra build -o requirements.lock pyproject.toml
	$(LOCK) --extra build --extra dev -c requirements.lock -o requirements-dev.lock pyproject.toml
	$(LOCK) --extra bench -o requirements-bench.lock pyproject.toml

clean:  ## remove what the other targets made
	rm -rf .venv .venv-bench .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/results dist
