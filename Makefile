# make demo           play a game by mail on this machine
# make test           run the tests
# make quick          the same without those of the whole daemon, and without the slow ones: for every few lines
# make run            a judge with its own mail system, for a mail program on this machine
# make fuzz           letters of mail programs, changed by dice, at a real desk: twenty thousand, in half an hour at most;
#                     then three thousand short games, each recovered from a backup: a quarter of an hour
# make soak           kill -9 a thousand times over busy games, on SQLite and on PostgreSQL; takes hours. A judge that
#                     was killed sixty times is also recovered, from a backup and from nothing but its mailbox
# make bench          measure; prints ratios
# make docs           generate what documents take from the code, and build the pages as a site in build/site
# make sheets         the pictures of docs/maps: every board in all kinds of phases, on a screen and on a phone
# make lock           requirements.lock made anew, with the newest versions that setup.cfg allows
# make dist           the sdist and, from it, the wheel, in dist/; moves changelog.d/ into CHANGELOG.md first
# make locked         install that wheel, and what requirements.lock names by its hashes, into build/locked; play the demo there
# make lint           ruff, the form it gives to code, how complex functions are (docs/complexity.py), mypy, and the length
#                     of subjects of commits: none must have anything to say
# make clean          away with .venv and what was made here
# Each but clean sets up .venv first.

# Tests start judges by the hundred: they share the bytecode cache, whatever this shell would have.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# As pyproject.toml has it.
BUILT_WITH := setuptools>=68

.PHONY: demo run test quick fuzz soak bench docs sheets lint lock dist package locked clean

demo: $(READY)
	$(BIN)/judge demo --out demo-out

run: $(READY)
	$(BIN)/judge serve --home run

# Each worker has servers of its own. They are more than the cores, since the tests of the whole daemon
# wait for its deadlines; but each takes as long as five seconds of tests to begin.
TESTS := $(BIN)/pytest --ignore tests/benchmarks

# pytest makes every `assert` tell what it compared, which takes as long as importing all: done once, not by each worker.
# What cannot be collected is said then, and nothing is run.
test: $(READY)
	@collected=$$($(TESTS) --collect-only -qq) || { echo "$$collected"; exit 1; }
	$(TESTS) --numprocesses 5 --dist worksteal

# What starts judges or other servers.
WHOLE := $(addprefix --ignore tests/, acceptance servers service shell)

# Without those that wait, each core needs no more than one worker.
quick: $(READY)
	$(TESTS) --numprocesses auto --dist worksteal -m "not slow and not postgres and not benchmarks and not soak" $(WHOLE)

FUZZ := --letters 20000 --seconds 1800 --seed 1
GAMES := 3000

fuzz: $(READY)
	$(BIN)/python -m tests.commands.fuzzer $(FUZZ)
	SHORT_GAMES=$(GAMES) $(BIN)/pytest -q -n 2 tests/service/test_daemon_recovery.py -k short

KILLS := 1000

soak: $(READY)
	JUDGE_SOAK_KILLS=$(KILLS) $(BIN)/pytest -m soak -s -q tests/acceptance/test_long_*.py

bench: $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	$(BIN)/pytest -m benchmarks -s -q

docs: $(READY)
	$(BIN)/python -m docs.generate
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

SHEETS :=

sheets: $(READY)
	$(BIN)/python -m docs.sheets $(SHEETS)

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m docs.complexity judge
	$(BIN)/mypy judge tests

# With what builds the package, so that nothing is fetched that has no hash.
lock: $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[lock]"
	echo '$(BUILT_WITH)' | $(BIN)/uv pip compile --no-config --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--custom-compile-command "make lock" --extra demo --extra postgres --extra variants --output-file requirements.lock - setup.cfg

dist: $(READY)
	$(BIN)/python -m docs.news
	$(MAKE) package

package: $(READY)
	rm -rf dist build/lib *.egg-info
	$(BIN)/python -m build --outdir dist > /dev/null

# What the installed judge does in the end; CI, which is short of time, plays without mails.
PLAYED := demo --out demo-out

# A clean environment, away from the sources: all that it finds came with the wheel.
locked: package
	rm -rf build/locked
	$(PYTHON) -m venv build/locked
	cd build/locked && share=share/judge && \
		bin/python -m pip install --quiet --no-compile --no-deps ../../dist/*.whl && \
		bin/python -m pip install --quiet --no-compile --require-hashes --requirement $$share/requirements.lock && \
		bin/python -m pip check && \
		bin/judge config | cmp - $$share/judge.ini && test -x $$share/deploy/backup.sh && \
		bin/judge $(PLAYED) > played.log

# Not compiled: half of it is never imported, and the rest is compiled then.
$(READY): setup.cfg pyproject.toml
	@echo "Setting up $(VENV), once: the judge, what it needs, and what its demo and its tests need."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	@bash -o pipefail -c '$(BIN)/python -m pip install --progress-bar off --no-compile --editable ".[demo,postgres,variants,test]" \
		| awk "/^(Collecting|Installing)/ { print; fflush() }"'
	touch $(READY)

clean:
	rm -rf $(VENV) demo-out build dist *.egg-info .pytest_cache .hypothesis .ruff_cache .mypy_cache
