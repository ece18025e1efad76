# Jackspot: everything starts here. A bare `make` lists the commands.
#
#   PYTHON=python3.12 make test     choose the interpreter (default: the newest usable one)
#   make run ARGS="--play match.carom"     hand arguments on

.DEFAULT_GOAL := help
SHELL := /bin/bash
MAKEFLAGS += --no-print-directory
PYTHON ?=
export PYTHON
# Python may keep what it compiled, also where the machine's environment says no: each of the
# tests' processes, and each board that they start, would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin
# Two test processes more than there are processors, since browsers and boards are waited for
# half of the time, but no more than four.
PROCESSES := $(shell n=$$(nproc 2>/dev/null || echo 1); echo $$((n < 3 ? n + 2 : 4)))
LONG := --timeout=3600 --hypothesis-profile=long
PYTEST := $(BIN)/python -m pytest --numprocesses=$(PROCESSES) --dist=worksteal

# The processor of the kernel tests' guest: amd64, or arm64 as a Raspberry Pi has it.
ARCH := amd64
kernel-%: export JACKSPOT_GUEST = $(ARCH)
# A guest waits for most of its time: two run side by side.
KERNEL_TESTS := $(BIN)/python -m pytest tests/kernel -m kernel --verbose --numprocesses=2 --dist=worksteal

.PHONY: help
help: ## list these commands
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | \
		while IFS=$$'\t' read -r name what; do printf '  make %-12s %s\n' "$$name" "$$what"; done

.PHONY: run
run: ## play on the simulated table: sets itself up, then prints the page's address
	@.ci/setup run
	@exec $(BIN)/jackspot sim $(ARGS)

.PHONY: festival
festival: ## practise a festival: hub, broker, boards that play and fail (ARGS="40 --speed 10")
	@.ci/setup run
	@exec $(BIN)/jackspot hub practice $(ARGS)

.PHONY: install
install: ## put it on this Pi as a service: says first what it will do, and asks
	@.ci/install $(ARGS)

.PHONY: test
test: ## run the tests (about four minutes on two cores; drives a real browser)
	@.ci/setup dev browser
	@$(PYTEST) $(ARGS)

.PHONY: test-live
test-live: ## run the tests that wait for a browser, a broker or processes (about as long)
	@.ci/setup dev browser
	@$(PYTEST) -m "live and not always and not long and not kernel" $(ARGS)

.PHONY: test-long
test-long: ## run the tests with large counts, drawn anew (an hour or two)
	@.ci/setup dev browser hardware
	@$(PYTEST) -m "long and not alone" $(LONG) $(ARGS); status=$$?; \
	$(BIN)/python -m pytest --numprocesses=2 --dist=worksteal -m "long and alone" $(LONG) $(ARGS) \
		&& exit $$status

.PHONY: trixie-test
trixie-test: ## run the tests on Debian 13 with its own packages (makes a root in build/)
	@.ci/setup dev trixie
	@tests/trixie/run $(ARGS)

.PHONY: arm-test
arm-test: ## play matches on an ARM processor that QEMU imitates, and here (some minutes)
	@.ci/setup dev arm
	@tests/arm/run $(ARGS)

.PHONY: deb
deb: ## build the Debian packages into dist/, in a Debian 13 (ARGS=twice: and compare the bytes; card: for SD cards)
	@.ci/setup run trixie
	@.ci/deb $(ARGS)

.PHONY: deb-test
deb-test: ## install, try, upgrade and purge them in a fresh Debian 13 (ARGS=lintian, hub, board, update, card, start, hall, cuts, piuparts; ARCH=arm64)
	@.ci/setup run trixie kernel-$(ARCH)
	@tests/trixie/packages $(ARGS)

.PHONY: release
release: ## make a release of what is committed: tag, packages, signed, drawings (ARGS=key: the key, once)
	@.ci/setup run trixie
	@.ci/release $(ARGS)

.PHONY: kernel-test
kernel-test: ## run the board on a real kernel, in a virtual machine (half an hour; an hour with packages; ARCH=arm64: on an ARM processor)
	@.ci/setup dev kernel kernel-$(ARCH)
	@$(BIN)/python -m tests.kernel.image
	@$(KERNEL_TESTS) $(ARGS)

.PHONY: kernel-smoke
kernel-smoke: ## the part of it that every change must pass (at most eight minutes)
	@.ci/setup dev kernel kernel-$(ARCH)
	@$(BIN)/python -m tests.kernel.image
	@$(KERNEL_TESTS) -m smoke $(ARGS)

.PHONY: bench
bench: ## measure speed, memory and bytes, each against a floor of the same run
	@.ci/setup dev
	@$(BIN)/python tests/bench/run.py $(ARGS)

.PHONY: traffic
traffic: ## measure first readings beside the best possible (ARGS="--strokes 10000")
	@.ci/setup dev
	@$(BIN)/python -m jackspot_sim.traffic readings --date $$(date -u +%F) $(ARGS)

.PHONY: monkey
monkey: ## play 10,000 random matches, checked at each step (hours; ARGS="--matches 100 --processes 2")
	@.ci/setup dev
	@$(BIN)/python -m tests.dialogue.monkeys $(ARGS)

.PHONY: hardware
hardware: ## make hardware/ anew from its tables (BOARD=my.toml: printed parts for your board into build/board)
	@.ci/setup dev $(if $(BOARD),,browser hardware)
	@$(BIN)/python -m $(if $(BOARD),hardware.prints --board "$(BOARD)" --out build/board,hardware.generate) $(ARGS)
	$(if $(BOARD),,@$(BIN)/python -m hardware.prints --step --out build/prints >/dev/null)

.PHONY: pictures
pictures: ## make the pages' pictures anew (ARGS="oled.png" for some); look at them
	@.ci/setup dev browser
	@$(BIN)/python -m tests.pictures $(ARGS)

.PHONY: lint
lint: ## check style and types
	@.ci/setup dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@! $(BIN)/vulture | grep -v '^tests/'

.PHONY: format
format: ## put the source into its standard form
	@.ci/setup dev
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

.PHONY: lock
lock: ## choose and lock the dependencies anew (ARGS=--upgrade for the newest)
	@.ci/lock $(ARGS)

.PHONY: clean
clean: ## remove everything that these commands made
	@rm -rf .venv .cache build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name .git -prune -o \( -name __pycache__ -o -name '*.egg-info' \) -type d -prune \
		-exec rm -rf {} +
