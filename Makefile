# make demo           play a game by mail on this machine
# make test           run the tests
# make quick          the same without those of the whole daemon: for every few lines that you write
# make run            a judge with its own mail system, for a mail program on this machine
# make bench          measure; prints ratios
# make compiled       a copy of the judge with the rules engine as machine code, in build/compiled
# make test-compiled  the tests of the rules, on that copy
# Each sets up .venv first.

# Tests start judges by the hundred: what was compiled for one is kept for the next, whatever this shell would have.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# The modules of the rules engine that adjudicate; mypyc makes machine code of them.
ENGINE := adjudicate board/orders board/position pieces/layout pieces/legality pieces/position_json \
	phases/center_owners phases/circles_of_moves phases/movement phases/orders_given phases/retreats phases/winter \
	order_texts/normal_form
COMPILED := build/compiled

.PHONY: demo run test quick bench compiled test-compiled lint clean

demo: $(READY)
	$(BIN)/judge demo --out demo-out

run: $(READY)
	$(BIN)/judge serve --home run

# A worker that has nothing left to do takes tests from the other; each has servers of its own.
TESTS := $(BIN)/pytest -n 2 --dist worksteal

test: $(READY)
	$(TESTS)

quick: $(READY)
	$(TESTS) --ignore tests/acceptance

bench: $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	$(BIN)/pytest -m benchmarks -s -q
	$(MAKE) compiled
	cd $(COMPILED) && $(CURDIR)/$(BIN)/pytest -m benchmarks -s -q tests/benchmarks/test_speed.py

# A copy, so that the sources are never hidden by something that was made of them earlier.
compiled: $(READY)
	rm -rf $(COMPILED)
	mkdir -p $(COMPILED)
	cp -r judge variants templates tests docs setup.cfg $(COMPILED)
	cd $(COMPILED) && $(CURDIR)/$(BIN)/mypyc --follow-imports=silent $(ENGINE:%=judge/rules/%.py) >mypyc.log 2>&1 || (cat mypyc.log; exit 1)

test-compiled: compiled
	cd $(COMPILED) && $(CURDIR)/$(BIN)/pytest -n 2 tests/rules

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/mypy judge tests

$(READY): setup.cfg pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[demo,postgres,test]"
	touch $(READY)

clean:
	rm -rf $(VENV) demo-out build dist *.egg-info .pytest_cache .hypothesis .ruff_cache .mypy_cache
