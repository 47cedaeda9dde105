# Nightlight. `make run` and `make test` set up whatever they need; the rest is for daily work.
# `make help` lists everything.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
# Every program and example that the tests start. Built as one: another selection of crates has other features, and all
# that they depend on would be built once more.
BUILD_FOR_TESTS = $(CARGO) test --workspace --locked --no-run
# Three to each of two cores: most tests wait for more than they reckon. With three in all the cores lay idle two thirds of the time.
TEST_THREADS ?= 6
# The documents are those that the landing page's figures are read from.
WEB_SOURCES := $(shell find web/src web/public web/build web/index.html web/vite.config.ts web/tsconfig*.json \
	docs/evaluation.md docs/evaluation-voice.md bench/results/*-calls.md -type f 2>/dev/null)

.PHONY: help run test check dev bench bench-peers soak eval train eval-voice accept voice pictures pictures-check sample-call voice-samples screens audit sbom names \
	setup setup-run setup-test test-setup lint-dependencies lint-deploy lint-rust lint-web build-and-set-up test-rust test-api test-web test-browser clean

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

run: setup-run web/dist/index.html ## Build everything and serve it; says where to go
	@echo "==> building the server (the first time takes some minutes)"
	@$(CARGO) build --release --locked -p server
	@exec target/release/nightlight serve

test: build-and-set-up test-setup lint-rust lint-deploy lint-web test-rust test-api test-web test-browser ## Everything, unattended: lint, tests, real calls in a browser
	@echo "==> all tests passed"

check: setup-run lint-rust lint-web test-web ## Format, lint, types and the fast tests
	$(CARGO) test --locked -q -p flow -p turn -p platform -p call --lib

dev: setup-run ## Serve with live reload of web and server
	@scripts/dev

bench: setup-test web/dist/index.html ## Measure replies, load, the transcriber and the desk; writes bench/results/
	$(CARGO) build --release --locked -p server -p caller
	@bench/run

soak: setup-test web/dist/index.html ## Place 10,000 short calls, or SOAK_CALLS, and see that a server holds nothing of them (ten minutes)
	$(CARGO) build --release --locked -p server -p caller
	@bench/run --only soak

bench-peers: setup-test web/dist/index.html bench/peer/.venv/bin/python ## Measure Nightlight beside Pipecat; writes bench/results/ (20 minutes)
	$(CARGO) build --release --locked -p server -p caller
	@bench/run --only peers

bench/peer/.venv/bin/python: bench/peer/requirements.txt
	@echo "==> setting up the peer (a minute, 1 GB)"
	@python3 -m venv bench/peer/.venv
	@bench/peer/.venv/bin/pip install -q --no-deps -r bench/peer/requirements.txt
	@touch $@

eval: ## Run the simulated callers by text; writes docs/evaluation.md
	@echo "==> building the simulated callers"
	@$(CARGO) build --release --locked -q -p evaluation
	@target/release/nightlight-eval --write docs/evaluation.md \
	  --measured "$$(python3 bench/machine.py)"

train: training/.venv/bin/python ## Train the reader again, from the labelled lines to the weights and docs/reader.md (two hours)
	@training/run

training/.venv/bin/python: training/requirements.txt
	@echo "==> setting up the training (a few minutes, 5 GB)"
	@python3 -m venv training/.venv
	@training/.venv/bin/pip install -q --no-deps -r training/requirements.txt
	@touch $@

eval-voice: setup-test web/dist/index.html ## Ring the real server as some of them, by voice; writes docs/evaluation-voice.md
	$(CARGO) build --release --locked -p server -p caller -p evaluation
	@scripts/eval-voice

names: setup-run ## Say Singapore's names with every voice and count the syllables that are heard (some minutes)
	$(CARGO) test --release --locked -q -p speech --lib -- --ignored --nocapture names::

accept: setup-test ## Accept changed snapshots and regenerate the API description and its types
	INSTA_UPDATE=always $(CARGO) test --locked -p platform
	$(CARGO) run --locked -q -p server -- openapi > crates/server/openapi.json
	cd web && npm run api
	@scripts/try-clients --write

pictures: setup-test web/dist/index.html ## Take the pictures of the real pages again: landing page, README, link preview, icons
	$(CARGO) build --locked -p server
	cd web && npm run --silent pictures

pictures-check: setup-test web/dist/index.html ## Say which of these pictures no longer show what the pages do
	$(CARGO) build --locked -p server
	cd web && npm run --silent pictures -- --check

voice: setup-run ## Render what the default voice always says, where it changed, into crates/speech/rendered
	$(CARGO) build --release --locked -p server
	target/release/nightlight render-voice --voice af_heart --pack crates/speech/rendered/af_heart.pack

sample-call: setup-test web/dist/index.html ## Record the landing page's sample call again: sound, captions, note (two minutes)
	$(CARGO) build --locked -p server -p caller
	$(CARGO) build --release --locked -p speech --example voices
	cd web && npm run --silent sample-call

voice-samples: setup-test ## Record each voice's sample and judge the voices by machine, into docs/voices.md (half an hour)
	$(CARGO) build --release --locked -p speech --example voices
	cd web && npm run --silent voice-samples
	@bench/run --only voices

screens: setup-test web/dist/index.html ## Take every page and state at every width, light and dark, into web/screens, to be looked at
	$(CARGO) build --locked -p server
	cd web && npm run --silent screens

audit: setup-test web/dist/index.html ## Lighthouse on the built site; writes docs/audit.md
	$(CARGO) build --locked -p server
	cd web && npm run --silent audit

sbom: ## Write what program and web app are made of, as CycloneDX, into target/sbom
	@scripts/sbom

setup: setup-test ## Install and fetch everything, build nothing

setup-run:
	@scripts/setup run

setup-test:
	@scripts/setup test

test-setup:
	@echo "==> set-up: tests"
	@cd scripts && for part in engines dependencies; do python3 -B -m unittest discover -q -s $$part/tests -t .; done

web/dist/index.html: $(WEB_SOURCES) web/package-lock.json
	@echo "==> building the web app"
	@cd web && npm run --silent build
	@touch $@

lint-dependencies: ## Ask the registries what they say today of every locked package
	@echo "==> dependencies: withdrawn, given up, vulnerable"
	@scripts/lint-dependencies

# What the compiler does not need is fetched while it works, and the registries answer. Whichever fails ends the other, each being
# a group of processes (`set -m`).
build-and-set-up:
	@mkdir -p var; scripts/setup packages
	@set -m; { scripts/setup test && scripts/lint-dependencies; } > var/set-up.log 2>&1 & beside=$$!; \
	$(BUILD_FOR_TESTS) & build=$$!; \
	trap 'kill -- -$$beside -$$build 2>/dev/null || true' EXIT; \
	failed=0; wait -n $$beside $$build || failed=$$?; \
	[ $$failed != 0 ] || wait $$build || failed=$$?; \
	[ $$failed != 0 ] || wait $$beside || failed=$$?; \
	echo "==> set-up and dependencies, meanwhile"; cat var/set-up.log; exit $$failed

lint-deploy:
	@echo "==> deploy: alert rules, dashboard, settings, manifests"
	@scripts/lint-deploy

lint-rust:
	@echo "==> rust: format and lint"
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

test-rust: web/dist/index.html
	@echo "==> rust: tests"
	$(BUILD_FOR_TESTS)
	RUST_TEST_THREADS=$(TEST_THREADS) scripts/test-rust

test-api: web/dist/index.html
	@echo "==> the API, asked for everything that its description allows and forbids"
	$(BUILD_FOR_TESTS)
	@scripts/fuzz-api
	@echo "==> the API, as the voice platform's official clients meet it"
	@scripts/try-clients

lint-web:
	@echo "==> web: format, lint, types and what it is made of"
	cd web && npm run --silent check
	@scripts/sbom web

test-web:
	@echo "==> web: unit tests"
	cd web && npm test --silent

test-browser: web/dist/index.html
	@echo "==> real calls in a real browser"
	$(BUILD_FOR_TESTS)
	cd web && npm run --silent e2e

clean: ## Remove what was built; keeps the engines and the records
	rm -rf target web/dist
