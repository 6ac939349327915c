# make demo    play a game by mail on this machine
# make test    run the tests
# make run     a judge with its own mail system, for a mail program on this machine
# make bench   measure; prints ratios
# Each sets up .venv first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo run test bench lint clean

demo: $(READY)
	$(BIN)/judge demo --out demo-out

run: $(READY)
	$(BIN)/judge serve --home run

test: $(READY)
	$(BIN)/pytest -n 2 --dist loadfile

bench: $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	$(BIN)/pytest -m benchmarks -s -q

lint: $(READY)
	$(BIN)/ruff check

$(READY): setup.cfg pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[demo,postgres,test]"
	touch $(READY)

clean:
	rm -rf $(VENV) demo-out build dist *.egg-info .pytest_cache .hypothesis .ruff_cache
