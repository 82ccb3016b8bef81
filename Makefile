# Everything runs inside .venv, which the first target that needs it creates from the locks:
# what runs from requirements.lock, what checks it from requirements-dev.lock on top.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# A lock is complete, so pip has nothing to resolve: it would look at newer releases of what a
# package wants with an extra, and refuse them.
LOCKED := --require-hashes --no-deps -r
LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

# Tests start hundreds of processes: each would compile everything anew where the environment says
# that no bytecode is written.
export PYTHONDONTWRITEBYTECODE :=

# Many tests wait for other processes: one worker more than there are cores keeps all cores busy.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PARALLEL := -n $(WORKERS) --dist worksteal -m "not serial"
# Looking for them in all files would take longer than most of them.
SERIAL := -m serial $(shell grep -rl 'mark\.serial' tests --include='test_*.py')

# What starts no other process.
PURE_TESTS := tests/bots tests/contest tests/dialects tests/history tests/match tests/mixed tests/oracle tests/ranking tests/rules \
  tests/wire tests/test_*.py --ignore-glob='*/wire/test_page_*' --ignore-glob='*/mixed/test_together.py' \
  --ignore-glob='*/mixed/test_room_frames.py'
PURE_SOURCES := */croupier/cards.py,*/croupier/deals.py,*/croupier/ranking/*,*/croupier/rules/*,*/croupier/match/*,*/croupier/dialects/*,*/croupier/contest/*

COMPILED_TESTS := tests/rules tests/match tests/ranking tests/oracle tests/dialects tests/wire tests/mixed tests/server \
  tests/test_deals.py tests/test_play.py --ignore-glob='*/wire/test_page_*'

.DEFAULT_GOAL := help
.PHONY: help setup dev hooks demo static check test coverage pure-coverage format bench soak coefficients wheel compiled test-compiled lock clean

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.venv/.ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) $(LOCKED) requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

.venv/.ready-dev: .venv/.ready requirements-dev.lock
	$(PIP) $(LOCKED) requirements-dev.lock
	@touch $@

setup: .venv/.ready  ## prepare .venv, with the command at .venv/bin/croupier

dev: .venv/.ready-dev  ## add to .venv what the checks and tests need

hooks: dev  ## check format, lint and types before each commit
	git config core.hooksPath .githooks

demo: setup  ## an arena with bots of every protocol and a website, until Ctrl-C
	$(BIN)/croupier demo

static: dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: static  ## format, lint, types, layers, and the tests of all that is pure: about a minute
	$(BIN)/pytest -n auto --dist worksteal $(PURE_TESTS)

# With COVERAGE=1 the same run is measured: how much of the code do the tests reach?
PYTEST := $(BIN)/$(if $(COVERAGE),coverage run -m )pytest

test: static  ## format, lint, types, layers, all tests
	$(if $(COVERAGE),$(BIN)/coverage erase)
	$(PYTEST) $(PARALLEL)
	$(PYTEST) $(SERIAL)
	$(if $(COVERAGE),$(BIN)/coverage combine --quiet)
	$(if $(COVERAGE),$(BIN)/coverage report --fail-under=95)
	$(if $(COVERAGE),$(BIN)/coverage report --fail-under=99 --include='$(PURE_SOURCES)')

coverage:  ## the same, and how much of the code the tests reach; twice as slow
	$(MAKE) test COVERAGE=1

pure-coverage: dev  ## how much of the pure layers their own tests reach: at least 95 %
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(WORKERS) --dist worksteal $(PURE_TESTS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --fail-under=95 --include='$(PURE_SOURCES)'

format: dev  ## rewrite the sources in the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

soak: dev  ## the long checks: every seven-card hand, any number of hands against the oracle
	$(BIN)/pytest -n auto --dist worksteal --hypothesis-profile=thorough $(PURE_TESTS)
	$(BIN)/python soak/ranking.py
	$(BIN)/python soak/oracle.py
	PYTHONPATH=src:. $(BIN)/python soak/luck.py
	$(BIN)/python -m tests.server.crash --points 50
	$(BIN)/python -m tests.running.crash --points 30

# What mypyc writes calls small functions of its own in other files; so they become part of the callers.
COMPILER := CFLAGS="-flto=auto -fno-semantic-interposition" LDFLAGS="-flto=auto"

# The wheel is built from the source distribution, in a folder of its own: next to the sources,
# compiled modules would shadow whatever is edited there.
wheel: dev  ## a compiled wheel in dist/ (needs a C compiler)
	rm -rf dist
	$(BIN)/python -m hatchling build -t sdist -d dist
	$(COMPILER) HATCH_BUILD_HOOKS_ENABLE=1 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w dist dist/croupier-*.tar.gz

.venv-compiled/.ready: requirements-dev.lock
	$(PYTHON) -m venv .venv-compiled
	.venv-compiled/bin/python -m pip install --quiet --disable-pip-version-check $(LOCKED) requirements-dev.lock
	@touch $@

compiled: wheel .venv-compiled/.ready  ## that wheel, installed into .venv-compiled
	.venv-compiled/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall dist/croupier-*.whl

test-compiled: compiled  ## what every hand goes through, tested as it is compiled
	.venv-compiled/bin/pytest -n $(WORKERS) --dist worksteal -m "not serial" $(COMPILED_TESTS)

.venv-bench/.ready: requirements-bench.lock
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check $(LOCKED) requirements-bench.lock
	@touch $@

bench: .venv-bench/.ready dev wheel  ## measure beside other engines and a bare echo (own .venv-bench)
	PYTHONPATH=src:. .venv-bench/bin/python -m bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --target dist/compiled dist/croupier-*.whl
	PYTHONPATH=dist/compiled:. .venv-bench/bin/python -m bench --out bench/results/core-compiled.json
	PYTHONPATH=src:. .venv-bench/bin/python -m bench.server
	PYTHONPATH=dist/compiled:. .venv-bench/bin/python -m bench.server --out bench/results/server-compiled.json
	PYTHONPATH=src:. .venv-bench/bin/python -m bench.server.acpc
	PYTHONPATH=src:. .venv-bench/bin/python -m bench.server.spectators
	PYTHONPATH=src:. $(BIN)/python -m bench.contest
	PYTHONPATH=src:. $(BIN)/python -m bench.stores
	PYTHONPATH=src:. $(BIN)/python -m bench.records
	PYTHONPATH=src:. .venv-bench/bin/python -m bench.luck
	PYTHONPATH=src:. .venv-bench/bin/python -m bench.luck.odd
	PYTHONPATH=src:. $(BIN)/python -m bench.summary

# On bots that take part in no test; the result is committed, and its hash is in every contest.
coefficients: setup  ## fit the coefficients by which luck is taken out of results: minutes
	PYTHONPATH=src:. $(BIN)/python -m bench.luck.fit

lock: setup  ## renew the lock files from pyproject.toml
	$(PIP) uv
	$(LOCK) --extra build -o requirements.lock pyproject.toml
	$(LOCK) --extra build --extra dev -c requirements.lock -o requirements-dev.lock pyproject.toml
	$(LOCK) --extra bench -o requirements-bench.lock pyproject.toml

clean:  ## remove what the other targets made
	rm -rf .venv .venv-bench .venv-compiled .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage* bench/results dist
