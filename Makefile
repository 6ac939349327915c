# make demo           play a game by mail on this machine
# make test           run the tests
# make quick          the same without those of the whole daemon: for every few lines that you write
# make run            a judge with its own mail system, for a mail program on this machine
# make fuzz           letters of mail programs, changed by dice, at a real desk: twenty thousand, in half an hour at most
# make bench          measure; prints ratios
# make docs           the pages of docs/ that are made of the code: commands and rulings
# make sheets         the pictures of docs/maps: every board in all kinds of phases, on a screen and on a phone
# make compiled       a copy of the judge with the rules engine as machine code, in build/compiled
# make test-compiled  the tests of the rules, on that copy
# make lock           requirements.lock made anew, with the newest versions that setup.cfg allows
# make locked         install from requirements.lock, by its hashes, into build/locked, and play a phase there
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

# As pyproject.toml has it.
BUILT_WITH := setuptools>=68

.PHONY: demo run test quick fuzz bench docs sheets compiled test-compiled lint lock locked clean

demo: $(READY)
	$(BIN)/judge demo --out demo-out

run: $(READY)
	$(BIN)/judge serve --home run

# A worker that has nothing left to do takes tests from the others; each has servers of its own. Three for two cores,
# since the tests of the whole daemon wait for its deadlines.
TESTS := $(BIN)/pytest -n 3 --dist worksteal

test: $(READY)
	$(TESTS)

quick: $(READY)
	$(TESTS) --ignore tests/acceptance

FUZZ := --letters 20000 --seconds 1800 --seed 1

fuzz: $(READY)
	$(BIN)/python -m tests.desk.fuzzer $(FUZZ)

bench: $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	$(BIN)/pytest -m benchmarks -s -q
	$(MAKE) compiled
	cd $(COMPILED) && $(CURDIR)/$(BIN)/pytest -m benchmarks -s -q tests/benchmarks/test_speed.py

docs: $(READY)
	$(BIN)/python -m docs.generate

SHEETS :=

sheets: $(READY)
	$(BIN)/python -m docs.sheets $(SHEETS)

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

# With what builds the package, so that nothing is fetched that has no hash.
lock: $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[lock]"
	echo '$(BUILT_WITH)' | $(BIN)/uv pip compile --no-config --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--custom-compile-command "make lock" --extra demo --extra postgres --output-file requirements.lock - setup.cfg

locked:
	rm -rf build/locked build/lib
	$(PYTHON) -m venv build/locked
	build/locked/bin/python -m pip install --quiet --require-hashes --requirement requirements.lock
	build/locked/bin/python -m pip install --quiet --no-deps --no-build-isolation .
	build/locked/bin/python -m pip check
	echo '{"variant": "standard", "phase": "S1901M", "orders": {"France": ["A PAR - BUR"]}}' | build/locked/bin/judge adjudicate

$(READY): setup.cfg pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[demo,postgres,test]"
	touch $(READY)

clean:
	rm -rf $(VENV) demo-out build dist *.egg-info .pytest_cache .hypothesis .ruff_cache .mypy_cache
